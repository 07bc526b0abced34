//! Plans of powers with few products: by division, modulo an even number as a whole; and of squares by a reciprocal, for which there is no
//! kernel.

use super::kept_choice::KeptChoice;
use super::planner::{PartRuns, Run, SHORT_ENTRIES, TABLE_LIMBS, short_entry};
use super::problem::Part;
use super::{Planner, Problem};
use crate::error::Error;
use crate::kernel::ntt::{LINKED, MAX_LIMBS, transforms_on};
use crate::kernel::registry::{Form, Kernel};
use crate::once::once;
use std::borrow::Cow;

/// Longest modulus, in limbs, for which it is kept whether squares and cubes are divided.
const KEPT_LIMBS: usize = 1024;

/// An even modulus is planned as one of the same length whose zeros are an odd number of sixteenths; or as one with zeros in the lowest limb only.
const SHARES: usize = 8;
const CLASSES: usize = SHARES + 2;

/// The least nanoseconds of a recombination, and the products modulo the power of two that it takes as long as: without the inverse of the odd part, if that is
/// kept, and with it (docs/records/thresholds.md).
const RECOMBINATION: f64 = 150.0;
const PRODUCTS_OF_RECOMBINATION: f64 = 3.0;
const PRODUCTS_WITH_INVERSE: f64 = 9.0;

/// The shortest and the longest modulus, in limbs, for a reciprocal: shorter transforms have no prices.
const SHORTEST_RECIPROCAL: usize = 64;
const LONGEST_RECIPROCAL: usize = MAX_LIMBS / 2 - 8;
/// How many limbs longer its numbers are, and the part of the time that a square takes on the kernel of transforms with its set-up
/// (docs/records/thresholds.md).
const LIMBS_OF_RECIPROCAL: usize = 3;
const SHARE_OF_RECIPROCAL: f64 = 0.9;

/// The class of a modulus of `limbs` limbs, and the trailing zeros of the modulus that stands for the class.
fn class(limbs: usize, trailing_zeros: u64) -> (usize, u64) {
    let zero_limbs = (trailing_zeros / 64) as usize;
    match (trailing_zeros, zero_limbs) {
        (0, _) => (0, 0),
        (_, 0) => (1, 32),
        _ => {
            let share = SHARES * zero_limbs / limbs;
            (2 + share, (64 * ((2 * share + 1) * limbs / (2 * SHARES)) as u64).max(32))
        }
    }
}

/// The form of the quickest transforms of this CPU, for odd moduli of `n` limbs.
fn quickest_transforms(n: usize) -> Option<Form> {
    let kernel = Kernel::of_transforms(transforms_on()).filter(|kernel| kernel.entry().takes(n))?;
    Some(Form::new(kernel, n, None))
}

impl Planner {
    /// The run of a public power with a short exponent modulo an even number as a whole, if its parts and their recombination cost more.
    ///
    /// For short moduli with zeros in the lowest limb only it is kept which of the two costs less: a look-up in memory would be a good part of such a call.
    #[inline]
    pub(crate) fn whole_if_cheaper(&self, problem: &Problem) -> Option<Cow<'_, Run>> {
        match self.short_whole(problem) {
            None => self.compared(problem).map(Cow::Owned),
            Some(kept) if kept.or_choose(|| self.compared(problem).is_some()) => self.run(&problem.whole_part()?).ok(),
            Some(_) => None,
        }
    }

    /// The kept choice between the whole of a short modulus and its parts.
    #[inline]
    fn short_whole(&self, problem: &Problem) -> Option<&KeptChoice> {
        let (limbs, bits) = (problem.modulus_bits.div_ceil(64) as usize, problem.exponent_bits as usize);
        if limbs > TABLE_LIMBS || problem.trailing_zeros >= 64 {
            return None;
        }
        let entry = short_entry(bits, problem.exponent_weight?);
        let by_base = &self.short_wholes[usize::from(problem.prepared)];
        let kept = once(&by_base[usize::from(problem.short_base_bits.is_some())], || {
            KeptChoice::many(TABLE_LIMBS * SHORT_ENTRIES)
        });
        kept.get((limbs - 1) * SHORT_ENTRIES + entry)
    }

    #[cold]
    fn compared(&self, problem: &Problem) -> Option<Run> {
        let limbs = problem.modulus_bits.div_ceil(64);
        let trailing_zeros = class(limbs as usize, problem.trailing_zeros).1;
        let stands = Problem { modulus_bits: 64 * limbs, trailing_zeros, ..problem.clone() };
        let price = |part: &Part| {
            let whole = self.run(part)?.into_owned();
            Ok((whole.nanoseconds < self.in_parts(&stands)?).then_some(whole))
        };
        self.wholes.run(stands.whole_part()?.canonical(), price).ok()?
    }

    /// Expected nanoseconds of a power modulo an even number by its parts. Error: `bad_plan` if one has no price.
    fn in_parts(&self, problem: &Problem) -> Result<f64, Error> {
        let runs: f64 = self.runs(problem)?.iter().flatten().map(|run| run.nanoseconds).sum();
        // By words or by transforms.
        let forms = self.all_forms(&problem.power_of_two_part(problem.trailing_zeros), None);
        let bits = problem.trailing_zeros as usize;
        let of_words = forms.iter().filter(|(form, _)| (form.kernel.entry().residue_limb_bits)(bits) == u64::BITS);
        let product = of_words.map(|(_, price)| price.mul).fold(f64::INFINITY, f64::min);
        let products = if problem.prepared { PRODUCTS_OF_RECOMBINATION } else { PRODUCTS_WITH_INVERSE };
        Ok(runs + RECOMBINATION + if product.is_finite() { products * product } else { 0.0 })
    }

    /// Whether the plan of a square or a cube modulo a number of `limbs` limbs with `trailing_zeros` zeros below is on a kernel of plain residues, as a
    /// whole. It is kept, because planning a short square takes as long as the square.
    #[inline]
    pub(crate) fn divides(&self, limbs: usize, trailing_zeros: u64, cube: bool, prepared: bool) -> bool {
        if limbs > KEPT_LIMBS {
            return false;
        }
        let kept = once(&self.divided[usize::from(prepared)][usize::from(cube)], || {
            KeptChoice::many(CLASSES * (KEPT_LIMBS + 1))
        });
        let (class, zeros) = class(limbs, trailing_zeros);
        kept[CLASSES * limbs + class].or_choose(|| {
            let problem = Problem {
                trailing_zeros: zeros,
                exponent_weight: Some(1 + u64::from(cube)),
                prepared,
                ..Problem::new(64 * limbs as u64, 2)
            };
            let runs = self.plan_power(&problem);
            runs.is_ok_and(|[run, two]| two.is_none() && run.is_some_and(|run| run.form.kernel.entry().plain))
        })
    }

    /// Whether a square takes less time by transforms and a reciprocal than by the cheapest plan, which `runs` has.
    #[inline]
    pub(crate) fn takes_reciprocal(&self, problem: &Problem, runs: &PartRuns<'_>) -> bool {
        let limbs = problem.modulus_bits.div_ceil(64) as usize;
        LINKED && (SHORTEST_RECIPROCAL..=LONGEST_RECIPROCAL).contains(&limbs) && {
            let planned: f64 = runs.iter().flatten().map(|run| run.nanoseconds).sum();
            self.by_reciprocal(limbs).is_some_and(|nanoseconds| nanoseconds < planned)
        }
    }

    /// Expected nanoseconds of a square by a reciprocal, if transforms have prices here.
    fn by_reciprocal(&self, limbs: usize) -> Option<f64> {
        let price = self.prices().of(&quickest_transforms(limbs + LIMBS_OF_RECIPROCAL)?)?;
        Some(SHARE_OF_RECIPROCAL * (price.setup + price.convert + price.sqr))
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/plan/few_products.rs"]
mod tests;
