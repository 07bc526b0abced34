//! Plans for powers that share work: several powers of one base, products. They have their own candidates, and the same kernels,
//! prices and lines.

use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::algorithm::{Catalogued, ExpectedCost, ManyExponents, PowerProduct, ShapeBits, Wanted};
use crate::engine::plan::explain::{Explanation, modulus_in_words};
use crate::engine::plan::line::Forced;
use crate::engine::plan::parts::{Divisible, PlannedPart, Priced, decompose};
use crate::engine::plan::planner::Run;
use crate::engine::plan::prices::undominated;
use crate::engine::plan::problem::Part;
use crate::engine::plan::schedule::{ThreadBudget, WORTH_PLANNING};
use crate::engine::plan::{FactorShape, FormPrice, Plan, Planner, ShapeProblem};
use crate::error::Error;
use crate::kernel::registry::{self, Form};
use crate::kernel::spec::KernelSpec;
use crate::work::fixed_base::list_plan::RunInLanes;

/// The lengths of the exponents of a product, in bits, rounded up by less than a hundredth: the few bits in which random exponents
/// differ change no plan, and products with the same lengths here are priced once.
pub(crate) fn product_lengths(bits: impl ExactSizeIterator<Item = usize>) -> ShapeBits {
    rounded_lengths::<128>(bits)
}

/// Each length rounded up to one of STEPS in each power of two.
pub(crate) fn rounded_lengths<const STEPS: usize>(bits: impl ExactSizeIterator<Item = usize>) -> ShapeBits {
    let round = |bits: usize| bits.next_multiple_of((bits.next_power_of_two() / (2 * STEPS)).max(1));
    let count = bits.len();
    let (max_bits, total_bits) = bits.fold((1, 0), |(max, sum), bits| (max.max(bits), sum + bits));
    let others = (total_bits.saturating_sub(max_bits)).div_ceil((count - 1).max(1));
    ShapeBits { count, max_bits: round(max_bits), total_bits: (round(max_bits) + (count - 1) * round(others)) as u64 }
}

/// An algorithm for powers that share work, as the planner sees it.
pub trait ShapeAlgorithm: Catalogued<Shape = ShapeBits> + PartialEq {
    /// Residues that a run holds at most.
    fn most_registers(&self, work: &ShapeBits) -> usize;
    /// Expected nanoseconds of the work on exponents and on the order of the products, without the products, which are `cost`.
    fn extra_nanoseconds(&self, work: &ShapeBits, cost: &ExpectedCost) -> f64;
    /// The work in words.
    fn words(work: &ShapeBits) -> String;
    /// The table that every result is made from, for a method whose results can go side by side.
    fn table(&self) -> Option<FixedBaseAlgorithm> {
        None
    }
}

impl ShapeAlgorithm for ManyExponents {
    fn most_registers(&self, work: &ShapeBits) -> usize {
        self.most_registers(work)
    }

    fn extra_nanoseconds(&self, work: &ShapeBits, cost: &ExpectedCost) -> f64 {
        let of_buckets = self.buckets(work).map_or(0.0, |_| SORTED_NANOSECONDS * cost.multiplications);
        let of_powers = self.table().map_or(0.0, |_| each_power(POWER_ALONE_NANOSECONDS, work.count, work.max_bits));
        self.divisions(work).nanoseconds() + of_buckets + of_powers
    }

    fn words(work: &ShapeBits) -> String {
        format!("{} exponents of up to {} bits", work.count, work.max_bits)
    }

    fn table(&self) -> Option<FixedBaseAlgorithm> {
        self.table()
    }
}

impl ShapeAlgorithm for PowerProduct {
    fn most_registers(&self, work: &ShapeBits) -> usize {
        self.most_registers(work)
    }

    fn extra_nanoseconds(&self, work: &ShapeBits, cost: &ExpectedCost) -> f64 {
        // The divisions of Bos and Coster are priced with all that goes on around them.
        let sorts = !matches!(self, PowerProduct::BosCoster(_));
        let of_products = if sorts { SORTED_NANOSECONDS * cost.multiplications } else { 0.0 };
        self.divisions(work).nanoseconds() + of_products
    }

    fn words(work: &ShapeBits) -> String {
        format!("{} bases, exponents of up to {} bits", work.count, work.max_bits)
    }
}

impl ShapeProblem {
    /// The problem, in one line.
    pub(crate) fn heading<A: ShapeAlgorithm>(&self) -> String {
        let modulus = modulus_in_words(self.modulus_bits, self.trailing_zeros, self.factors.len());
        format!("{modulus}, {}", A::words(&self.work))
    }

    /// Its modulus, which is odd or a power of two.
    pub(crate) fn modulus_part(&self) -> Part {
        Part::of_modulus(self.modulus_bits, self.trailing_zeros, false)
    }

    /// With the length of the modulus, which is odd or a power of two, in whole limbs.
    pub(crate) fn canonical(self) -> Self {
        let bits = self.modulus_part().canonical().bits;
        match self.trailing_zeros {
            0 => Self { modulus_bits: bits, ..self },
            _ => Self { modulus_bits: bits + 1, trailing_zeros: bits, ..self },
        }
    }
}

impl Divisible for ShapeProblem {
    type Part = Self;

    fn modulus(&self) -> (u64, u64, &[FactorShape]) {
        (self.modulus_bits, self.trailing_zeros, &self.factors)
    }

    /// The exponents of odd residues modulo 2^k are reduced to k - 2 bits.
    fn modulo(&self, FactorShape { bits, trailing_zeros, reduced_exponent_bits }: FactorShape) -> Self {
        let of_two =
            (trailing_zeros > 0 && bits == trailing_zeros + 1).then(|| trailing_zeros.saturating_sub(2).max(1));
        let longest = reduced_exponent_bits.or(of_two).unwrap_or(u64::MAX);
        let ShapeBits { count, max_bits, total_bits } = self.work;
        let work = ShapeBits {
            count,
            max_bits: max_bits.min(longest as usize),
            total_bits: total_bits.min(longest.saturating_mul(count as u64)),
        };
        Self { modulus_bits: bits, trailing_zeros, factors: Vec::new(), memory_bytes: self.memory_bytes, work }
    }

    fn part(self) -> Self {
        self
    }
}

impl<A: ShapeAlgorithm> PlannedPart<A> for ShapeProblem {
    fn heading(&self) -> String {
        let part = self.modulus_part();
        format!("{} of {} bits, {}", part.kind_name(), part.bits, A::words(&self.work))
    }

    fn is_odd(&self) -> bool {
        self.trailing_zeros == 0
    }

    /// Every algorithm on every kernel, or on lanes that share its table: those that fit the memory.
    fn runs(&self, planner: &Planner, wanted: Option<&Wanted<A>>, kernel: Option<KernelSpec>, all: bool) -> Priced<A> {
        let (part, work) = (self.modulus_part(), &self.work);
        let bits = part.bits as usize;
        let mut forms = planner.arenas(&part, kernel);
        if !all {
            let as_short = |other: &Form, form: &Form| other.residue_bytes(bits) <= form.residue_bytes(bits);
            forms = undominated(forms, as_short);
        }
        let lanes = if part.is_odd() { planner.lanes_with_makers(bits, kernel) } else { Vec::new() };
        // With a residue less than this nothing could be planned.
        let (mut runs, mut least_bytes) = (Vec::new(), None::<u64>);
        let all = || A::entries().iter().flat_map(|entry| entry.candidates(work)).collect();
        for algorithm in wanted.map_or_else(all, |wanted| wanted.candidates(work)) {
            let (cost, table) = (algorithm.expected(work), algorithm.table());
            let extra = algorithm.extra_nanoseconds(work, &cost);
            let registers = ShapeAlgorithm::most_registers(&algorithm, work) as u64;
            let mut fits = |residue_bytes: usize| {
                let bytes = registers.saturating_mul(residue_bytes as u64);
                least_bytes = Some(least_bytes.map_or(bytes, |least| least.min(bytes)));
                bytes <= self.memory_bytes
            };
            let run = |form: &Form, nanoseconds| Run {
                algorithm: algorithm.clone(),
                form: *form,
                cost,
                nanoseconds,
                table: None,
            };
            for (form, prices) in &forms {
                if fits(form.residue_bytes(bits)) {
                    runs.push(run(form, nanoseconds(&cost, prices, work.count + 1) + extra));
                }
            }
            let Some(table) = table else { continue };
            for lanes in &lanes {
                if fits(lanes.maker.layout(bits).bytes()) && lanes.fit(registers, &table, self) {
                    runs.extend(lanes.nanoseconds(&table, work, 1).map(|nanoseconds| run(&lanes.lanes, nanoseconds)));
                }
            }
        }
        match least_bytes {
            _ if !runs.is_empty() => Ok(runs),
            None => Err(Error::BadPlan(format!("no allowed algorithm and kernel fit {part}"))),
            Some(least) => Err(Error::BadPlan(format!(
                "{part}: at least {least} bytes are needed, {} are allowed",
                self.memory_bytes
            ))),
        }
    }
}

impl Planner {
    /// How a product is done, whole or split into one for each thread, with the expected nanoseconds until it is there. Errors as
    /// [`Planner::explain_shape`].
    pub(crate) fn plan_product(
        &self,
        problem: &ShapeProblem,
        budget: ThreadBudget,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<(Plan<PowerProduct>, f64), Error> {
        let ShapeBits { count, max_bits, total_bits } = problem.work;
        let of_parts = |parts: usize| {
            let work = ShapeBits { count: count.div_ceil(parts), max_bits, total_bits: total_bits / parts as u64 };
            ShapeProblem { work, memory_bytes: problem.memory_bytes / parts as u64, ..problem.clone() }
        };
        let forced = Forced::read(kernel, line)?;
        if let Some(tree) = forced.tree() {
            let stages = tree.stages();
            let [(threads, classes)] = &stages[..] else {
                return Err(Error::BadPlan(format!("`{tree}` is for a list")));
            };
            let &[(plan, parts)] = &classes[..] else {
                return Err(Error::BadPlan(format!("`{tree}` is for a list; a product takes split(plan x count)")));
            };
            if parts > count {
                return Err(Error::BadPlan(format!("{count} factors cannot be split into {parts} products")));
            }
            let (_, part) = self.priced_shape(&of_parts(parts), &Forced::by(plan)?.on(forced.kernel))?;
            let nanoseconds = part * parts.div_ceil(*threads) as f64;
            return Ok((tree.clone(), nanoseconds));
        }
        let (plan, whole) = self.priced_product(problem, &forced)?;
        let parts = if whole < WORTH_PLANNING { 1 } else { budget.for_work(whole).min(count) };
        if parts < 2 {
            return Ok((plan, whole));
        }
        match self.priced_product(&of_parts(parts), &forced) {
            Ok((of_part, part)) if part + budget.starting(parts) < whole => {
                let split = Plan::Split { plan: Box::new(of_part), count: parts as u64 };
                Ok((split.on_threads(parts), part + budget.starting(parts)))
            }
            _ => Ok((plan, whole)),
        }
    }

    /// [`Planner::priced_shape`] for a product: without force each part is priced once.
    pub(crate) fn priced_product(
        &self,
        problem: &ShapeProblem,
        forced: &Forced<PowerProduct>,
    ) -> Result<(Plan<PowerProduct>, f64), Error> {
        if !forced.is_nothing() {
            return self.priced_shape(problem, forced);
        }
        decompose(problem, forced, |(part, ..)| self.products.run(part, |part| part.cheapest(self, None, None)))
    }

    /// Expected nanoseconds of powers from a table that `threads` threads share; none for an algorithm without one.
    pub(crate) fn table_in_lanes(
        &self,
        algorithm: &ManyExponents,
        form: &Form,
        problem: &ShapeProblem,
        threads: usize,
    ) -> Option<f64> {
        let all = self.lanes_with_makers((problem.modulus_bits - problem.trailing_zeros) as usize, None);
        let lanes = all.into_iter().find(|known| known.lanes == *form)?;
        lanes.nanoseconds(&algorithm.table()?, &problem.work, threads)
    }

    /// The cheapest plan among those that the line leaves open, within the memory that the problem allows, with its expected nanoseconds.
    ///
    /// Error: `bad_plan` if a line does not fit the problem or this CPU, or nothing fits the memory.
    pub(crate) fn priced_shape<A: ShapeAlgorithm>(
        &self,
        problem: &ShapeProblem,
        forced: &Forced<A>,
    ) -> Result<(Plan<A>, f64), Error> {
        decompose(problem, forced, |(part, algorithm, kernel)| part.cheapest(self, algorithm, kernel))
    }

    /// The cheapest plan among those on `kernel`, or that `line` leaves open, within the memory that the problem allows; every candidate it
    /// was chosen from, and an estimate in seconds.
    ///
    /// Error: `bad_plan` if a line cannot be read, does not fit the problem or this CPU, or nothing fits the memory.
    pub fn explain_shape<A: ShapeAlgorithm>(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Explanation<A>, Error> {
        let forced = Forced::read(kernel, line)?;
        let plan = self.priced_shape(problem, &forced)?;
        self.explain_plan(problem.heading::<A>(), plan, problem.parts(), &forced, &[])
    }

    /// Lanes that fit what is named, with the kernel that makes their tables, modulo an odd number of `bits` bits.
    fn lanes_with_makers(&self, bits: usize, spec: Option<KernelSpec>) -> Vec<LanesWithMaker> {
        let mut all: Vec<Form> = Vec::new();
        for lanes in registry::forms(true, bits.div_ceil(64)).flat_map(|maker| maker.side_by_side(bits)) {
            if !all.iter().any(|known| known.is_as_wide(&lanes)) {
                all.push(lanes);
            }
        }
        let with_maker = |lanes: Form| {
            let (lanes, maker) =
                (self.prices().with_thresholds(lanes), self.prices().with_thresholds(lanes.maker(bits)?));
            let lanes = spec.map_or(Some(lanes), |spec| spec.widened(lanes))?;
            let prices = (self.prices().of(&lanes)?, self.prices().of(&maker)?);
            Some(LanesWithMaker { lanes, maker, prices, bits })
        };
        all.into_iter().filter_map(with_maker).collect()
    }
}

/// Bits of the longest exponent that goes with others: all steps of a run are made before it starts.
const LONGEST_IN_LANES: usize = 1 << 20;

/// Lanes, and the kernel that makes the tables that they share.
struct LanesWithMaker {
    lanes: Form,
    maker: Form,
    prices: (FormPrice, FormPrice),
    /// Of the modulus.
    bits: usize,
}

impl LanesWithMaker {
    /// Whether this number of residues of a table, and the steps of a long run, fit the memory.
    fn fit(&self, residues: u64, table: &FixedBaseAlgorithm, leaf: &ShapeProblem) -> bool {
        // An entry for each of eight lanes, and the digit of all.
        const STEP_BYTES: usize = 200;
        const FEW_BYTES: usize = 1 << 16;
        let residues = residues.saturating_mul(self.maker.layout(self.bits).bytes() as u64);
        let steps = table
            .rounds_cost(leaf.work.max_bits)
            .map_or(0, |rounds| (rounds.selections * STEP_BYTES).saturating_sub(FEW_BYTES));
        leaf.work.max_bits <= LONGEST_IN_LANES && residues.saturating_add(steps as u64) <= leaf.memory_bytes
    }

    /// Expected nanoseconds of making the table and of all powers from it, as many at a time as there are lanes, on threads that share it.
    /// None for a method without rounds.
    fn nanoseconds(&self, table: &FixedBaseAlgorithm, work: &ShapeBits, threads: usize) -> Option<f64> {
        let (lanes, (of_lanes, of_maker)) = (self.lanes.kernel.lanes(), &self.prices);
        let run = RunInLanes::new(self.lanes, of_lanes, table.rounds_cost(work.max_bits)?);
        let run_nanoseconds = run.nanoseconds + each_power(POWER_IN_LANES_NANOSECONDS, lanes, work.max_bits);
        let building = of_maker.setup + of_maker.products(&table.build_cost(work.max_bits).into());
        let times = work.count.div_ceil(lanes).div_ceil(threads);
        Some(building + run.setup + times as f64 * run_nanoseconds)
    }
}

/// Overhead of a product among many: digits of several exponents are sorted by their bits, and buckets by their rounds.
/// docs/records/thresholds.md has the measurement.
const SORTED_NANOSECONDS: f64 = 30.0;

/// Overhead of a power from a table without its products: recoding the exponent, looking up its steps, storing the result. The
/// first number is the overhead of a power, the second that of each bit of the longest exponent; for a single power, and in lanes.
/// docs/records/thresholds.md has the measurement.
const POWER_ALONE_NANOSECONDS: [f64; 2] = [500.0, 4.0];
const POWER_IN_LANES_NANOSECONDS: [f64; 2] = [400.0, 1.5];

/// The overhead of `count` powers.
fn each_power([each, bit]: [f64; 2], count: usize, max_bits: usize) -> f64 {
    count as f64 * (each + bit * max_bits as f64)
}

/// Expected nanoseconds; `convert` is the price of one number in and one out.
pub(crate) fn nanoseconds(cost: &ExpectedCost, prices: &FormPrice, conversions: usize) -> f64 {
    let convert = prices.convert * 0.5 * conversions as f64;
    prices.setup + convert + prices.products(cost) + cost.selections * prices.select
}

#[cfg(test)]
#[path = "../../../tests/inside/work/shared_work/plan.rs"]
mod tests;
