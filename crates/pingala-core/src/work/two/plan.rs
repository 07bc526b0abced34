//! Which powers of 2 share lanes that shift.

use crate::engine::plan::{Planner, Problem};
use crate::error::Error;
use crate::exponent::order;
use crate::kernel::registry::Form;

/// Longest digit of an exponent, in bits: a shift takes so little time that a longer one is not worth the bits.
const MAX_DIGIT_BITS: u32 = 5;

/// Powers that go side by side.
#[derive(Clone, Debug)]
pub(crate) struct SharedShifts {
    /// The kernel.
    pub(crate) form: Form,
    /// Bits of the exponents' digits.
    pub(crate) digit_bits: u32,
    /// Their places in the list, one or more, as many as the kernel has lanes at most.
    pub(crate) places: Vec<usize>,
    /// Expected nanoseconds side by side, and of one of them by itself.
    pub(crate) nanoseconds: f64,
    pub(crate) alone: f64,
}

/// How many of these packs are computed as such on `threads` threads: the last ones are taken apart if a thread would wait for a whole pack longer
/// than all threads take for its powers.
pub(crate) fn packs_on_threads(packs: &[SharedShifts], threads: usize) -> usize {
    let whole = packs.len() - packs.len() % threads.max(1);
    let (mut together, mut apart) = (0.0_f64, 0.0);
    for pack in &packs[whole..] {
        together = together.max(pack.nanoseconds);
        apart += pack.alone * pack.places.len() as f64;
    }
    if threads > 1 && apart / (threads as f64) < together { whole } else { packs.len() }
}

impl Planner {
    /// Expected nanoseconds of [`pow_two_list`](crate::pow_two_list) for `count` odd numbers of this length, with exponents of that length, on
    /// one thread. Error: `bad_plan` if nothing has a price.
    pub fn powers_of_two_nanoseconds(&self, bits: u64, count: usize) -> Result<f64, Error> {
        let (packs, nanoseconds) = self.plan_powers_of_two((0..count).collect(), |_| (bits, bits))?;
        let alone = count - packs.iter().map(|pack| pack.places.len()).sum::<usize>();
        let power = Problem { short_base_bits: Some(2), ..Problem::new(bits, bits) };
        Ok(nanoseconds + if alone > 0 { alone as f64 * 1e9 * self.seconds(&power)? } else { 0.0 })
    }

    /// The packs of the powers at `places`, modulo odd numbers of two limbs or more, and their expected nanoseconds on one thread. `lengths`
    /// gives the bits of a modulus and of its exponent. Powers that are cheaper alone are left out. Error: `bad_plan` if nothing has
    /// a price.
    pub(crate) fn plan_powers_of_two(
        &self,
        mut places: Vec<usize>,
        lengths: impl Fn(usize) -> (u64, u64),
    ) -> Result<(Vec<SharedShifts>, f64), Error> {
        let limbs = |at: usize| lengths(at).0.div_ceil(64);
        order::sort(&mut places, |&a, &b| (limbs(a), lengths(a).1, a).cmp(&(limbs(b), lengths(b).1, b)));
        let (mut packs, mut total) = (Vec::new(), 0.0);
        for class in places.chunk_by(|&a, &b| limbs(a) == limbs(b)) {
            let bits = class.iter().map(|&at| lengths(at).0).max().unwrap_or(1);
            let mut rest = class;
            while let Some(&last) = rest.last() {
                let exponent_bits = lengths(last).1.max(1);
                let Some((form, digit_bits, nanoseconds)) = self.shifting_form(bits, exponent_bits) else { break };
                // The longest exponents first, so that the last pack has the shortest.
                let (before, pack) = rest.split_at(rest.len().saturating_sub(form.kernel.lanes()));
                rest = before;
                let alone = Problem { short_base_bits: Some(2), ..Problem::new(bits, exponent_bits) };
                let [odd, _] = self.runs(&alone)?;
                let alone = odd.map_or(0.0, |run| run.nanoseconds);
                if alone * pack.len() as f64 > nanoseconds {
                    packs.push(SharedShifts { form, digit_bits, places: pack.to_vec(), nanoseconds, alone });
                    total += nanoseconds;
                }
            }
        }
        Ok((packs, total))
    }

    /// The cheapest form whose lanes shift, with the bits of a digit and the expected nanoseconds of a pack.
    fn shifting_form(&self, modulus_bits: u64, exponent_bits: u64) -> Option<(Form, u32, f64)> {
        let part = Problem::new(modulus_bits, exponent_bits).odd_part(modulus_bits);
        let forms = self.all_forms(&part, None).into_iter().filter_map(|(form, prices)| {
            let shift_bits = form.kernel.shift_bits(form.n, modulus_bits as usize);
            let digit_bits = (shift_bits + 1).ilog2().min(MAX_DIGIT_BITS);
            if digit_bits == 0 {
                return None;
            }
            // A shift has two multiply-adds to a limb, a squaring three to each pair of limbs.
            let shift = prices.sqr / form.n as f64;
            let each = prices.sqr + shift / f64::from(digit_bits);
            Some((form, digit_bits, prices.setup + prices.convert + exponent_bits as f64 * each))
        });
        forms.min_by(|(.., a), (.., b)| a.total_cmp(b))
    }
}
