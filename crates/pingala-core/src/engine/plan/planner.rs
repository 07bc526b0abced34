//! Chooses plans by price.

use super::explain::Explanation;
use super::kept_choice::KeptChoice;
use super::line::Forced;
use super::memory::Memory;
use super::parts::{Divisible, PlannedPart, Priced, cheapest, decompose};
use super::prices::undominated;
use super::problem::{Part, PartKind};
use super::summary::{SummaryPart, SummaryTable};
use super::{FixedBaseProblem, FormPrice, Plan, Prices, Problem, ShapeProblem};
use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::algorithm::{Algorithm, Catalogued, ExpectedCost, PowerProduct, Schedule, Wanted};
use crate::error::{Error, pairs};
use crate::kernel::registry::Form;
use crate::kernel::spec::KernelSpec;
use crate::once::once;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Longest exponent whose plans on short moduli are looked up instead of priced.
const TABLE_BITS: usize = 320;
/// Longest modulus, in limbs, that has such a table.
pub(super) const TABLE_LIMBS: usize = 16;
/// Exponents with at most this many ones have tables of their own.
const LIGHT_WEIGHT: u64 = 2;
/// Longest exponent, in bits, that has an entry for each weight; and these entries.
const SHORT_BITS: usize = Problem::SHORT_EXPONENT_BITS as usize;
pub(super) const SHORT_ENTRIES: usize = SHORT_BITS * (SHORT_BITS + 1) / 2;
/// The entry of a short exponent, in a triangle: one for each weight of each length.
#[inline]
pub(super) fn short_entry(bits: usize, weight: u64) -> usize {
    bits * (bits - 1) / 2 + weight.max(1) as usize - 1
}

/// Longest modulus, in limbs, whose priced forms are kept.
const KEPT_LIMBS: usize = 1024;

/// Most bytes for the registers of one run: what it takes is allocated for each thread, and a forced plan may ask for any table.
const MOST_BYTES: usize = 1 << 30;

/// At least the bytes of a residue for each limb of the modulus, in every form and in eight lanes, beyond 64 limbs more.
const MOST_BYTES_PER_LIMB: usize = 256;
/// Registers that a run may have whatever the length of its residues: no algorithm can do with fewer.
const FEWEST_REGISTERS: usize = 4;

/// Per-element overhead of batching, in nanoseconds: an element is sorted, packed, and its answer
/// brought back to its place. docs/records/thresholds.md says how it was measured.
const SHARING_NANOSECONDS: f64 = 100.0;

/// One algorithm on one kernel, priced.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run<A = Algorithm> {
    pub(crate) algorithm: A,
    pub(crate) form: Form,
    pub(crate) cost: ExpectedCost,
    /// Expected; for a table those of a power with its share of the building.
    pub(crate) nanoseconds: f64,
    /// What it keeps, if it is a table.
    pub(crate) table: Option<Box<PricedTable>>,
}

/// A table and one power from it, priced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PricedTable {
    pub(crate) table: SummaryTable,
    pub(crate) power_nanoseconds: f64,
}

impl<A: PartialEq> Run<A> {
    /// Whether a plan has this run.
    pub(crate) fn is(&self, (algorithm, form): (&A, &Form)) -> bool {
        self.algorithm == *algorithm && self.form == *form
    }
}

/// The runs of one power: modulo the odd part, or an even modulus as a whole; and modulo the power of two.
pub(crate) type PartRuns<'p> = [Option<Cow<'p, Run>>; 2];

/// The forms of one length that some problem could prefer: none is more expensive than another in every price.
type Forms = Box<[(Form, FormPrice)]>;

/// The run for each exponent length, priced when it is first asked for.
type RunTable = OnceLock<Box<[OnceLock<Run>]>>;

/// Prices problems and picks the cheapest plan.
#[derive(Debug)]
pub struct Planner {
    prices: Prices,
    /// By [`PartKind`] and limbs.
    kept_forms: [Box<[OnceLock<Forms>]>; PartKind::COUNT],
    /// For public work by [`PartKind`] and limbs; for one call, then for rings that are kept; for a general base, then a short
    /// one; for exponents of any usual weight, then of at most two ones.
    tables: [[[[[RunTable; 2]; 2]; 2]; TABLE_LIMBS]; PartKind::COUNT],
    /// Whether squares and cubes run on a kernel that divides, where it was asked before: by whether rings are kept, and by square or cube.
    pub(super) divided: [[OnceLock<Box<[KeptChoice]>>; 2]; 2],
    /// See [`Planner::whole_if_cheaper`]: by whether rings are kept, by whether the base is short, by limbs and short exponent; and others.
    pub(super) short_wholes: [[OnceLock<Box<[KeptChoice]>>; 2]; 2],
    pub(super) wholes: Memory<Part, Option<Run>>,
    /// Parts that were priced before.
    priced: Memory<Part, Run>,
    /// Products, which have their own.
    pub(crate) products: Memory<ShapeProblem, Run<PowerProduct>>,
    /// Tables of fixed bases, with their expected seconds.
    pub(crate) tables_of_bases: Memory<FixedBaseProblem, (Plan<FixedBaseAlgorithm>, f64)>,
}

impl Planner {
    /// A planner with these prices.
    pub fn new(prices: Prices) -> Self {
        Self {
            prices,
            kept_forms: [(); PartKind::COUNT].map(|()| (0..=KEPT_LIMBS).map(|_| OnceLock::new()).collect()),
            tables: Default::default(),
            divided: Default::default(),
            short_wholes: Default::default(),
            wholes: Memory::default(),
            priced: Memory::default(),
            products: Memory::default(),
            tables_of_bases: Memory::default(),
        }
    }

    /// The planner of this process, with the prices that were in force at its first use: see [`Prices::of_this_machine`].
    #[inline]
    pub fn of_this_machine() -> &'static Planner {
        static PLANNER: OnceLock<Planner> = OnceLock::new();
        once(&PLANNER, || Planner::new(Prices::of_this_machine()))
    }

    /// The prices it chooses by.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The cheapest plan.
    pub fn plan(&self, problem: &Problem) -> Result<Plan, Error> {
        self.plan_with(problem, None, None)
    }

    /// The cheapest plan among those on `kernel`, or that `line` leaves open.
    ///
    /// Errors: `bad_plan` if a line cannot be read or does not fit the problem, this CPU or a secret; `bad_argument`
    /// for a problem that no numbers have.
    pub fn plan_with(&self, problem: &Problem, kernel: Option<&str>, line: Option<&str>) -> Result<Plan, Error> {
        self.plan_forced(problem, &Forced::of_one(kernel, line)?.of_each(problem.count as usize)?)
    }

    /// The cheapest plan of a problem, each of whose powers has the forced kernel and line. Errors as [`Planner::plan_with`].
    pub(crate) fn plan_forced(&self, problem: &Problem, forced: &Forced) -> Result<Plan, Error> {
        problem.check()?;
        let plan = match if forced.is_nothing() { self.parts_side_by_side(problem)? } else { None } {
            Some(plan) => plan,
            None => self.plan_each(problem, forced)?,
        };
        Ok(if problem.count > 1 { Plan::Batch { plan: Box::new(plan), count: problem.count } } else { plan })
    }

    /// Expected seconds of the cheapest plan. Errors as [`Planner::plan`].
    pub fn seconds(&self, problem: &Problem) -> Result<f64, Error> {
        Ok(self.price_of(&self.plan(problem)?, problem) * 1e-9)
    }

    /// The plan, every candidate it was chosen from, and an estimate in seconds.
    pub fn explain(&self, problem: &Problem, kernel: Option<&str>, line: Option<&str>) -> Result<Explanation, Error> {
        self.explain_forced(problem, &Forced::of_one(kernel, line)?.of_each(problem.count as usize)?)
    }

    /// Explains the plan of a problem, each of whose powers has the forced kernel and line. Errors as [`Planner::plan_with`].
    pub(crate) fn explain_forced(&self, problem: &Problem, forced: &Forced) -> Result<Explanation, Error> {
        let plan = self.plan_forced(problem, forced)?;
        let (parts, nanoseconds) = (self.parts_as_planned(&plan.runs(), problem), self.price_of(&plan, problem));
        self.explain_plan(problem.heading(), (plan, nanoseconds), parts, forced, &[])
    }

    /// A plan of the problem in `heading`, with its expected nanoseconds; for each of its parts the choice, and every candidate on the forced
    /// kernel, with those of `more` that compute the whole problem.
    pub(crate) fn explain_plan<A: Catalogued + PartialEq, P: PlannedPart<A>>(
        &self,
        heading: String,
        (plan, nanoseconds): (Plan<A>, f64),
        parts: Vec<P>,
        forced: &Forced<A>,
        more: &[Run<A>],
    ) -> Result<Explanation<A>, Error> {
        let parts = pairs(parts, plan.runs())?.map(|(part, chosen)| {
            let kernel = forced.kernel.filter(|spec| spec.kernel.odd() == part.is_odd());
            let mut runs = part.runs(self, None, kernel, true).unwrap_or_default();
            runs.extend_from_slice(more);
            if !runs.iter().any(|run| run.is(chosen)) {
                // Forced: nothing that is planned.
                let own = KernelSpec::of(chosen.1);
                let own = part.runs(self, Some(&Wanted::Exactly(chosen.0.clone())), Some(own), true);
                runs.extend(own?.into_iter().filter(|run| run.is(chosen)));
            }
            Ok(SummaryPart::new(part.heading(), runs, chosen))
        });
        let parts = parts.collect::<Result<Vec<_>, Error>>()?;
        Ok(Explanation::new(heading, plan, parts, nanoseconds, (!forced.is_nothing(), self.prices())))
    }

    /// The plan of one power, independent of their number.
    pub(crate) fn plan_each(&self, problem: &Problem, forced: &Forced) -> Result<Plan, Error> {
        match self.whole(problem, forced)? {
            Some(run) => Ok(run.into()),
            None => {
                Ok(decompose(problem, forced, |(part, algorithm, kernel)| part.cheapest(self, algorithm, kernel))?.0)
            }
        }
    }

    /// The run modulo an even number as a whole, if that is forced, or cheaper than its parts. Error: `bad_plan`.
    fn whole(&self, problem: &Problem, forced: &Forced) -> Result<Option<Run>, Error> {
        let (algorithm, kernel) = match &forced.line {
            None => (None, forced.kernel),
            Some(Plan::Run { algorithm, form }) => (Some(algorithm), form.or(forced.kernel)),
            Some(_) => return Ok(None),
        };
        let by_force = kernel.is_some_and(|spec| spec.kernel.entry().plain);
        match problem.whole_part() {
            Some(part) if by_force => part.cheapest(self, algorithm, kernel).map(Some),
            Some(_) if algorithm.is_none() && kernel.is_none() && problem.may_be_whole() => {
                Ok(self.whole_if_cheaper(problem).map(Cow::into_owned))
            }
            _ => Ok(None),
        }
    }

    /// The cheapest run of one part: from the tables, from memory, or priced now.
    #[inline]
    pub(super) fn run(&self, part: &Part) -> Result<Cow<'_, Run>, Error> {
        match self.table_entry(part) {
            Some(run) => Ok(Cow::Borrowed(run)),
            None => {
                let price = |part: &Part| cheapest(part.runs(self, None, None, false)?);
                self.priced.run(part.canonical(), price).map(Cow::Owned)
            }
        }
    }

    /// The cheapest runs of one public power without known factors: modulo the odd part, and modulo the power of two.
    #[inline]
    pub(crate) fn runs(&self, problem: &Problem) -> Result<PartRuns<'_>, Error> {
        debug_assert!(problem.factors.is_empty() && !problem.secret && problem.count <= 1);
        let (odd_bits, k) = (problem.odd_bits(), problem.trailing_zeros);
        let odd = (odd_bits > 1 || k == 0).then(|| self.run(&problem.odd_part(odd_bits)));
        let two = (k > 0).then(|| self.run(&problem.power_of_two_part(k)));
        Ok([odd.transpose()?, two.transpose()?])
    }

    /// The cheapest plan of one public power without known factors, as its runs: short calls would notice the time that a tree takes. Errors as
    /// [`Planner::plan`].
    #[inline]
    pub(crate) fn plan_power(&self, problem: &Problem) -> Result<PartRuns<'_>, Error> {
        match if problem.may_be_whole() { self.whole_if_cheaper(problem) } else { None } {
            Some(whole) => Ok([Some(whole), None]),
            None => self.runs(problem),
        }
    }

    /// The entry for a short modulus and a public exponent of at most [`TABLE_BITS`] whose length says enough: its weight
    /// is usual, not known, or at most 2 (2^16 + 1), or there is an entry for each weight.
    #[inline]
    fn table_entry(&self, part: &Part) -> Option<&Run> {
        let (limbs, bits) = (part.limbs(), part.exponent_bits as usize);
        if part.secret || part.count > 1 || limbs > TABLE_LIMBS || bits > TABLE_BITS || part.zero_limbs > 0 {
            return None;
        }
        let (light, place, weight) = match part.unusual_weight() {
            Some(weight) if bits <= SHORT_BITS => (false, short_entry(bits, weight), Some(weight)),
            Some(weight) if weight <= LIGHT_WEIGHT => (true, SHORT_ENTRIES + bits - 1, Some(LIGHT_WEIGHT)),
            Some(_) => return None,
            None => (false, SHORT_ENTRIES + bits - 1, None),
        };
        let short_base = part.short_base_bits.is_some();
        let tables = &self.tables[part.kind as usize][limbs - 1][usize::from(part.prepared)];
        let table = once(&tables[usize::from(short_base)][usize::from(light)], || {
            (0..SHORT_ENTRIES + TABLE_BITS).map(|_| OnceLock::new()).collect()
        });
        let entry = &table[place];
        if entry.get().is_none() {
            let part = Part { exponent_weight: weight, short_base_bits: short_base.then_some(32), ..part.canonical() };
            // Without a price there is no entry, and the error comes from pricing.
            let _ = entry.set(cheapest(part.runs(self, None, None, false).ok()?).ok()?);
        }
        entry.get()
    }

    /// The forms that a part may take, with their prices. If no kernel is named, those that another one beats in every price
    /// are left out, and the rest is kept for the next problem of this length.
    fn forms(&self, part: &Part, spec: Option<KernelSpec>) -> Cow<'_, [(Form, FormPrice)]> {
        let kept = self.kept_forms[part.kind as usize].get(part.limbs()).filter(|_| !part.secret);
        match (spec, kept) {
            (None, Some(kept)) => {
                Cow::Borrowed(&**once(kept, || undominated(self.all_forms(part, None), as_wide).into()))
            }
            (None, None) => Cow::Owned(undominated(self.all_forms(part, None), as_wide)),
            (Some(_), _) => Cow::Owned(self.all_forms(part, spec)),
        }
    }

    /// Every form of this CPU that fits the part and the forced kernel, and has a price: if no kernel is named, a price that holds here.
    pub(crate) fn all_forms(&self, part: &Part, spec: Option<KernelSpec>) -> Vec<(Form, FormPrice)> {
        self.prices
            .every_form(part.is_odd(), part.limbs())
            .filter(|form| part.suits(form.kernel))
            .filter(|form| !part.secret || form.kernel.entry().constant_time)
            .filter(|form| spec.is_some() || self.prices.hold_for(form.kernel))
            .filter_map(|form| spec.map_or(Some(form), |spec| spec.widened(form)))
            .filter_map(|form| Some((form, self.prices.of(&form)?)))
            .collect()
    }

    /// Those that keep residues of Montgomery's form in memory, one number in each: for tables, products and shared work.
    pub(crate) fn arenas(&self, part: &Part, spec: Option<KernelSpec>) -> Vec<(Form, FormPrice)> {
        let mut forms = self.all_forms(part, spec);
        forms.retain(|(form, _)| form.kernel.has_arena() && !form.kernel.entry().plain);
        forms
    }

    /// Expected nanoseconds of a whole plan for a problem.
    pub(crate) fn price_of(&self, plan: &Plan, problem: &Problem) -> f64 {
        if let Plan::Batch { plan, count } = plan {
            return *count as f64 * self.price_of(plan, problem);
        }
        let runs = plan.runs();
        let price = |(&(algorithm, form), part): (&(&Algorithm, &Form), Part)| {
            let cost = algorithm.expected(&part.exponent_shape());
            self.prices.of(form).map_or(0.0, |prices| nanoseconds(&part, algorithm, &cost, form, &prices))
        };
        runs.iter().zip(self.parts_as_planned(&runs, problem)).map(price).sum()
    }

    /// The parts of a problem as the runs of its plan take them: known factors with the same run share lanes.
    fn parts_as_planned(&self, runs: &[(&Algorithm, &Form)], problem: &Problem) -> Vec<Part> {
        if let ([(_, form)], Some(whole)) = (runs, problem.whole_part())
            && form.kernel.entry().plain
        {
            return vec![whole];
        }
        let mut parts = problem.parts();
        for (run, part) in runs.iter().zip(&mut parts) {
            if run.1.kernel.lanes() > 1 && !problem.factors.is_empty() {
                part.count *= runs.iter().filter(|other| *other == run).count() as u64;
                part.same_exponent = true;
            }
        }
        parts
    }
}

impl PlannedPart<Algorithm> for Part {
    fn heading(&self) -> String {
        format!("{} of {} bits, exponent of {} bits", self.kind_name(), self.bits, self.exponent_bits)
    }

    fn is_odd(&self) -> bool {
        self.is_odd()
    }

    /// Pairs whose registers take more than [`MOST_BYTES`] are left out.
    fn runs(&self, planner: &Planner, wanted: Option<&Wanted>, kernel: Option<KernelSpec>, all: bool) -> Priced {
        let shape = self.exponent_shape();
        let algorithms = wanted.map_or_else(|| Algorithm::candidates(&shape), |wanted| wanted.candidates(&shape));
        let forms = if all { planner.all_forms(self, kernel).into() } else { planner.forms(self, kernel) };
        let (mut runs, mut left_out) = (Vec::with_capacity(algorithms.len() * forms.len()), None);
        for algorithm in algorithms {
            let uniform = algorithm.schedule() == Schedule::Uniform;
            if self.secret && !uniform {
                if wanted.is_some() {
                    return Err(Error::BadPlan(format!(
                        "{algorithm} branches on the exponent, so it cannot take a secret one"
                    )));
                }
                continue;
            }
            let cost = algorithm.expected(&shape);
            let registers = algorithm.registers(shape.bits);
            // No form has residues of more bytes for each limb, and few problems come near: their exact lengths are not asked for.
            let may_be_too_many = registers > FEWEST_REGISTERS
                && registers.saturating_mul(MOST_BYTES_PER_LIMB * (self.limbs() + 64)) > MOST_BYTES;
            // All lanes take the same steps.
            let fits = |form: &Form| form.kernel.lanes() == 1 || uniform || self.same_exponent;
            for &(form, prices) in forms.iter().filter(|(form, _)| fits(form)) {
                if may_be_too_many {
                    let residue_bytes = form.residue_bytes(self.bits as usize) * form.kernel.lanes();
                    let bytes = registers.saturating_mul(residue_bytes);
                    if bytes > MOST_BYTES {
                        left_out = Some(left_out.map_or(bytes, |least: usize| least.min(bytes)));
                        continue;
                    }
                }
                let nanoseconds = nanoseconds(self, &algorithm, &cost, &form, &prices);
                runs.push(Run { algorithm: algorithm.clone(), form, cost, nanoseconds, table: None });
            }
        }
        if !runs.is_empty() {
            return Ok(runs);
        }
        let spec = kernel.map_or_else(|| "this line".into(), |spec| spec.to_string());
        Err(Error::BadPlan(match left_out {
            Some(bytes) => format!("{spec} takes {bytes} bytes for {self}, at most {MOST_BYTES} are allowed"),
            None if wanted.is_none() && kernel.is_none() => format!("no kernel of this CPU has a price for {self}"),
            None => format!("{spec} does not fit {self}"),
        }))
    }

    /// What is not forced comes from the tables or from memory, if it was priced before.
    fn cheapest(&self, planner: &Planner, wanted: Option<&Wanted>, kernel: Option<KernelSpec>) -> Result<Run, Error> {
        match (wanted, kernel) {
            (None, None) => planner.run(self).map(Cow::into_owned),
            _ => cheapest(self.runs(planner, wanted, kernel, false)?),
        }
    }
}

/// Whether two forms have the same number of lanes.
fn as_wide(other: &Form, form: &Form) -> bool {
    other.kernel.lanes() == form.kernel.lanes()
}

/// What a number takes at most to enter a ring that is kept and to leave it: nanoseconds, and products. A ring of one call may divide instead, which its
/// price of a conversion includes (docs/records/thresholds.md).
const CONVERSION: f64 = 150.0;
const PRODUCTS_OF_CONVERSION: f64 = 3.4;

/// What following a plan takes where a square or a cube by division goes without (docs/records/thresholds.md).
const FOLLOWED: f64 = 100.0;

/// The cost of a product that overlaps a squaring, in squarings (docs/records/right-to-left.md).
const BESIDE: f64 = 0.08;

/// Expected nanoseconds of one power, set-up and conversions included: a run gives as many as the kernel has lanes and the
/// part has powers.
fn nanoseconds(part: &Part, algorithm: &Algorithm, cost: &ExpectedCost, form: &Form, prices: &FormPrice) -> f64 {
    let mul_base = if part.short_base_bits.is_some() && !part.secret { prices.mul_small } else { prices.mul };
    // A public selection reads one entry; a secret one scans the table.
    let table = if part.secret { algorithm.table_length() as f64 } else { 1.0 };
    let (mut mul, mut mul_base) = (prices.mul, mul_base);
    if matches!(algorithm, Algorithm::BinaryRightToLeft(_)) && form.pairs() {
        // One for each bit; it overlaps the squaring.
        let products = cost.multiplications * mul + cost.base_multiplications * mul_base;
        let share = (BESIDE * cost.squarings * prices.sqr / products).min(1.0);
        (mul, mul_base) = (share * mul, share * mul_base);
    }
    let kept = part.prepared && form.kernel.is_kept();
    let (setup, convert) = match kept {
        true => (0.0, prices.convert.min(CONVERSION + PRODUCTS_OF_CONVERSION * prices.mul)),
        false => (prices.setup, prices.convert),
    };
    // A division leaves zeros at the bottom out: it is two thirds of a square, and half of a product.
    let (zeros, limbs) = (part.zero_limbs as f64, part.limbs() as f64);
    let left_out = if form.kernel.entry().plain { zeros / limbs } else { 0.0 };
    let followed = if part.exponent_bits <= 2 && !form.kernel.entry().plain { FOLLOWED } else { 0.0 };
    let run = setup
        + convert
        + followed
        + cost.squarings * prices.sqr * (1.0 - 2.0 / 3.0 * left_out)
        + cost.multiplications * mul * (1.0 - left_out / 2.0)
        + cost.base_multiplications * mul_base * (1.0 - left_out / 2.0)
        + cost.selections * table * prices.select;
    let lanes = form.kernel.lanes() as u64;
    let sharing = if lanes > 1 && !form.kernel.batches_in_order() { SHARING_NANOSECONDS } else { 0.0 };
    run * part.count.div_ceil(lanes) as f64 / part.count as f64 + sharing
}

impl<A> From<Run<A>> for Plan<A> {
    fn from(run: Run<A>) -> Self {
        Plan::Run { algorithm: run.algorithm, form: run.form }
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/plan/planner.rs"]
mod tests;
