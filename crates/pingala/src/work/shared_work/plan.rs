//! Plans for powers that share work: several powers of one base, products. They have their own candidates, and the same kernels,
//! prices and lines.

use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::algorithm::{CatalogueEntry, Catalogued, ExpectedCost, ManyExponents, PowerProduct, ShapeBits};
use crate::engine::plan::SharedPart;
use crate::engine::plan::explain::{Divisor, ExplainedPart, Explanation};
use crate::engine::plan::line::Line;
use crate::engine::plan::parts::{Divisible, PartRequest, decompose};
use crate::engine::plan::planner::Run;
use crate::engine::plan::prices::undominated;
use crate::engine::plan::problem::Part;
use crate::engine::plan::schedule::{NANOSECONDS_PER_THREAD, ThreadBudget};
use crate::engine::plan::tree::ClassStep;
use crate::engine::plan::{FactorShape, FormPrice, Plan, Planner, Problem};
use crate::error::{Error, pairs};
use crate::kernel::registry::{self, Form};
use crate::kernel::spec::KernelSpec;
use crate::work::fixed_base::list_plan::RunInLanes;

/// An algorithm for powers that share work, as the planner sees it.
pub trait ShapeAlgorithm: Catalogued<Shape = ShapeBits> + PartialEq {
    /// Residues that a run holds at most.
    fn most_registers(&self, work: &ShapeBits) -> usize;
    /// Expected nanoseconds of the work on exponents and on the order of the products, without the products, which are `cost`.
    fn extra_nanoseconds(&self, work: &ShapeBits, cost: &ExpectedCost) -> f64;
    /// Numbers that go into a kernel's form, and results that come out.
    fn conversions(work: &ShapeBits) -> usize;
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

    fn conversions(work: &ShapeBits) -> usize {
        1 + work.count
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

    fn conversions(work: &ShapeBits) -> usize {
        work.count + 1
    }

    fn words(work: &ShapeBits) -> String {
        format!("{} bases, exponents of up to {} bits", work.count, work.max_bits)
    }
}

/// A modulus and the work modulo it.
#[derive(Clone, Debug)]
pub struct ShapeProblem {
    /// Bits of the modulus, at least 1.
    pub modulus_bits: u64,
    /// Zero bits below the lowest one bit of the modulus; `modulus_bits - 1` for a power of two.
    pub trailing_zeros: u64,
    /// Each coprime factor, if they are known; otherwise empty.
    pub factors: Vec<FactorShape>,
    /// Most bytes that the residues of a run may take.
    pub memory_bytes: u64,
    /// What is to be done.
    pub work: ShapeBits,
}

impl ShapeProblem {
    /// The modulus as a problem has it.
    fn modulus(&self) -> Problem {
        Problem { trailing_zeros: self.trailing_zeros, ..Problem::new(self.modulus_bits, 1) }
    }

    /// The problem, in one line.
    pub(crate) fn heading<A: ShapeAlgorithm>(&self) -> String {
        let divisor =
            Divisor { bits: self.modulus_bits, trailing_zeros: self.trailing_zeros, known_factors: self.factors.len() };
        format!("{divisor}, {}", A::words(&self.work))
    }
}

/// The work with exponents that were reduced to `longest` bits.
fn shortened(ShapeBits { count, max_bits, total_bits }: ShapeBits, longest: u64) -> ShapeBits {
    let total_bits = total_bits.min(longest.saturating_mul(count as u64));
    ShapeBits { count, max_bits: max_bits.min(longest as usize), total_bits }
}

impl SharedPart {
    /// The modulus.
    pub(crate) fn modulus(&self) -> &Part {
        &self.part
    }

    /// With the length of the modulus in whole limbs.
    pub(crate) fn canonical(self) -> Self {
        Self { part: self.part.canonical(), ..self }
    }

    fn heading<A: ShapeAlgorithm>(&self) -> String {
        let kind = if self.part.odd { "odd modulus" } else { "power of two" };
        format!("{kind} of {} bits, {}", self.part.bits, A::words(&self.work))
    }

    /// Nothing could be planned within the memory; with `least` bytes something could.
    fn unfit(&self, least: Option<u64>) -> Error {
        Error::BadPlan(match least {
            None => format!("no allowed algorithm and kernel fit {}", self.part),
            Some(least) => {
                format!("{}: at least {least} bytes are needed, {} are allowed", self.part, self.memory_bytes)
            }
        })
    }
}

impl Divisible for ShapeProblem {
    type Part = SharedPart;

    fn factors(&self) -> &[FactorShape] {
        &self.factors
    }

    fn modulo(&self, factor: FactorShape) -> Self {
        let work = factor.reduced_exponent_bits.map_or(self.work, |longest| shortened(self.work, longest));
        let (modulus_bits, trailing_zeros) = (factor.bits, factor.trailing_zeros);
        Self { modulus_bits, trailing_zeros, factors: Vec::new(), memory_bytes: self.memory_bytes, work }
    }

    fn lengths(&self) -> (u64, u64) {
        self.modulus().lengths()
    }

    fn odd(&self) -> SharedPart {
        SharedPart { part: self.modulus().odd(), work: self.work, memory_bytes: self.memory_bytes }
    }

    fn two(&self) -> SharedPart {
        let longest = self.trailing_zeros.saturating_sub(2).max(1);
        let work = shortened(self.work, longest);
        SharedPart { part: self.modulus().two(), work, memory_bytes: self.memory_bytes }
    }
}

impl Planner {
    /// Whether a line names an algorithm for this kind of work.
    pub(crate) fn is_shape<A: ShapeAlgorithm>(line: &str) -> bool {
        line.parse::<Line<A>>().is_ok()
    }

    /// What is wrong with a line that names such an algorithm.
    pub(crate) fn shape_error<A: ShapeAlgorithm>(line: &str) -> Option<Error> {
        let name = line.trim_start().split(|end: char| end == '(' || end.is_whitespace()).next()?;
        CatalogueEntry::<A>::named(name)?;
        line.parse::<Line<A>>().err()
    }

    /// How a product is done, whole or split into one for each thread, with the expected nanoseconds until it is there. Errors as
    /// [`Planner::plan_shape`].
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
        if let Some(line) = line.filter(|line| crate::engine::plan::line::is_tree(line)) {
            let tree: Plan<PowerProduct> = line.parse()?;
            let stages = tree.stages();
            let [(threads, classes)] = &stages[..] else {
                return Err(Error::BadPlan(format!("`{line}` is for a list")));
            };
            let [(ClassStep::Each(plan), parts)] = classes[..] else {
                return Err(Error::BadPlan(format!("`{line}` is for a list; a product takes split(plan x count)")));
            };
            if parts > count {
                return Err(Error::BadPlan(format!("{count} factors cannot be split into {parts} products")));
            }
            let (_, part) = self.priced_shape::<PowerProduct>(&of_parts(parts), kernel, Some(&plan.to_string()))?;
            return Ok((tree.clone(), part * parts.div_ceil(*threads) as f64));
        }
        let (plan, whole) = self.priced_product(problem, kernel, line)?;
        let parts = budget.for_work(whole).min(count).min((whole / NANOSECONDS_PER_THREAD) as usize);
        if parts < 2 {
            return Ok((plan, whole));
        }
        let Ok((of_part, part)) = self.priced_product(&of_parts(parts), kernel, line) else { return Ok((plan, whole)) };
        let divided = part + 0.5 * NANOSECONDS_PER_THREAD;
        if divided >= whole {
            return Ok((plan, whole));
        }
        let split = Plan::Split { plan: Box::new(of_part), count: parts as u64 };
        Ok((split.on_threads(parts), divided))
    }

    /// [`Planner::priced_shape`] for a product: without force each part is priced once.
    pub(crate) fn priced_product(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<(Plan<PowerProduct>, f64), Error> {
        if kernel.is_some() || line.is_some() {
            return self.priced_shape(problem, kernel, line);
        }
        let mut nanoseconds = 0.0;
        let plan = decompose(problem, None, None, |PartRequest { part, .. }| {
            let run = self.products.run(part, |leaf| self.cheapest_shape(leaf, None, &candidates(&leaf.work)))?;
            nanoseconds += run.nanoseconds;
            Ok(run)
        })?;
        Ok((plan, nanoseconds))
    }

    /// Expected nanoseconds of powers from a table that `threads` threads share; none for an algorithm without one.
    pub(crate) fn table_in_lanes(
        &self,
        algorithm: &ManyExponents,
        form: &Form,
        problem: &ShapeProblem,
        threads: usize,
    ) -> Option<f64> {
        let all = self.lanes_with_makers(problem.odd().part.bits as usize, None);
        let lanes = all.into_iter().find(|known| known.lanes == *form)?;
        Some(lanes.run(&algorithm.table()?, &problem.work)?.nanoseconds(threads))
    }

    /// The cheapest plan among those on `kernel`, or that `line` leaves open, within the memory that the problem allows.
    ///
    /// Error: `bad_plan` if a line cannot be read, does not fit the problem or this CPU, or nothing fits the memory.
    pub fn plan_shape<A: ShapeAlgorithm>(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Plan<A>, Error> {
        Ok(self.priced_shape::<A>(problem, kernel, line)?.0)
    }

    /// The plan of [`Planner::plan_shape`] with its expected nanoseconds.
    pub(crate) fn priced_shape<A: ShapeAlgorithm>(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<(Plan<A>, f64), Error> {
        let kernel: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let line: Option<Line<A>> = line.map(str::parse).transpose()?;
        let mut nanoseconds = 0.0;
        let plan = decompose(problem, kernel.as_ref(), line.as_ref(), |request| {
            let run = self.choose_shape::<A>(&request)?;
            nanoseconds += run.nanoseconds;
            Ok(run)
        })?;
        Ok((plan, nanoseconds))
    }

    /// The plan, every candidate it was chosen from, and an estimate in seconds.
    pub fn explain_shape<A: ShapeAlgorithm>(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Explanation<A>, Error> {
        let (plan, nanoseconds) = self.priced_shape::<A>(problem, kernel, line)?;
        let parts = self.explained_parts(problem, &plan, kernel, &[])?;
        Ok(Explanation::new(problem.heading::<A>(), plan, parts, nanoseconds, self.basis(kernel, line)))
    }

    /// For each part of a plan its choice, and every candidate on `kernel`, with those of `more` that compute the whole problem.
    pub(crate) fn explained_parts<A: ShapeAlgorithm>(
        &self,
        problem: &ShapeProblem,
        plan: &Plan<A>,
        kernel: Option<&str>,
        more: &[Run<A>],
    ) -> Result<Vec<ExplainedPart<A>>, Error> {
        let spec: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let parts = pairs(problem.parts().into_vec(), plan.runs())?.map(|(leaf, (algorithm, form))| {
            let spec = spec.as_ref().filter(|spec| spec.kernel.odd() == leaf.part.odd);
            let forms = self.arenas(&leaf.part, spec);
            let mut all = self.runs_of_shape::<A>(&leaf, (spec, &forms), &candidates(&leaf.work));
            all.extend_from_slice(more);
            if !all.iter().any(|run| run.algorithm == *algorithm && run.form == *form) {
                // Forced: nothing that is planned.
                let own: Option<KernelSpec> = form.to_string().parse().ok();
                let forms = self.arenas(&leaf.part, own.as_ref());
                let runs = self.runs_of_shape(&leaf, (own.as_ref(), &forms), core::slice::from_ref(algorithm));
                all.extend(runs.into_iter().filter(|run| run.form == *form));
            }
            ExplainedPart::new(leaf.heading::<A>(), all, (algorithm, form))
        });
        Ok(parts.collect())
    }

    /// The cheapest run of one part that is as asked.
    fn choose_shape<A: ShapeAlgorithm>(&self, request: &PartRequest<'_, SharedPart, A>) -> Result<Run<A>, Error> {
        let PartRequest { part: leaf, algorithm: wanted, kernel: spec } = request;
        let candidates = match wanted {
            None => candidates(&leaf.work),
            Some(wanted) => wanted.candidates(&leaf.work),
        };
        self.cheapest_shape(leaf, *spec, &candidates)
    }

    /// The cheapest run of one part by one of these algorithms.
    fn cheapest_shape<A: ShapeAlgorithm>(
        &self,
        leaf: &SharedPart,
        spec: Option<&KernelSpec>,
        candidates: &[A],
    ) -> Result<Run<A>, Error> {
        let bits = leaf.part.bits as usize;
        let as_short = |other: &Form, form: &Form| other.residue_bytes(bits) <= form.residue_bytes(bits);
        let forms = undominated(self.arenas(&leaf.part, spec), as_short);
        let runs = self.runs_of_shape(leaf, (spec, &forms), candidates);
        let cheapest = runs.into_iter().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        cheapest.ok_or_else(|| {
            let lanes = if leaf.part.odd { self.lanes_with_makers(bits, spec) } else { Vec::new() };
            let least = |algorithm: &A| {
                let alone = forms.iter().map(|(form, _)| form.residue_bytes(bits));
                let in_lanes = lanes.iter().filter(|_| algorithm.table().is_some());
                let bytes = alone.chain(in_lanes.map(|lanes| lanes.maker.layout(bits).bytes())).min()?;
                Some((ShapeAlgorithm::most_registers(algorithm, &leaf.work) as u64).saturating_mul(bytes as u64))
            };
            leaf.unfit(candidates.iter().filter_map(least).min())
        })
    }

    /// The forms that shapes run on one by one, in an arena.
    fn arenas(&self, part: &Part, spec: Option<&KernelSpec>) -> Vec<(Form, FormPrice)> {
        let mut forms = self.all_forms(part, spec);
        forms.retain(|(form, _)| form.kernel.lanes() == 1 && form.kernel.has_arena() && !form.kernel.entry().plain);
        forms
    }

    /// Lanes that fit what is named, with the kernel that makes their tables, modulo an odd number of `bits` bits.
    fn lanes_with_makers(&self, bits: usize, spec: Option<&KernelSpec>) -> Vec<LanesWithMaker> {
        let mut all: Vec<Form> = Vec::new();
        for lanes in registry::forms(true, bits.div_ceil(64)).flat_map(|maker| maker.side_by_side(bits)) {
            if !all.iter().any(|known| known.is_as_wide(&lanes)) {
                all.push(lanes);
            }
        }
        let fitting = all.into_iter().filter_map(|lanes| {
            let (lanes, maker) =
                (self.prices().with_thresholds(lanes), self.prices().with_thresholds(lanes.maker(bits)?));
            Some((spec.map_or(Some(lanes), |spec| spec.widened(lanes))?, maker))
        });
        let priced = |(lanes, maker): (Form, Form)| {
            let prices = (self.prices().of(&lanes)?, self.prices().of(&maker)?);
            Some(LanesWithMaker { lanes, maker, prices, bits })
        };
        fitting.filter_map(priced).collect()
    }

    /// Every algorithm on every one of these kernels, or on lanes that share its table, priced; those that fit the memory.
    fn runs_of_shape<A: ShapeAlgorithm>(
        &self,
        leaf: &SharedPart,
        (spec, forms): (Option<&KernelSpec>, &[(Form, FormPrice)]),
        algorithms: &[A],
    ) -> Vec<Run<A>> {
        let bits = leaf.part.bits as usize;
        let lanes = if leaf.part.odd { self.lanes_with_makers(bits, spec) } else { Vec::new() };
        let conversions = A::conversions(&leaf.work);
        let mut runs = Vec::new();
        for algorithm in algorithms {
            let cost = algorithm.expected(&leaf.work);
            let table = algorithm.table();
            let extra = algorithm.extra_nanoseconds(&leaf.work, &cost);
            let registers = ShapeAlgorithm::most_registers(algorithm, &leaf.work) as u64;
            for (form, prices) in forms {
                let residue_bytes = form.residue_bytes(bits) as u64;
                if registers.saturating_mul(residue_bytes) <= leaf.memory_bytes {
                    let nanoseconds = nanoseconds(&cost, prices, conversions) + extra;
                    runs.push(Run { algorithm: algorithm.clone(), form: *form, cost, nanoseconds });
                }
            }
            let Some(table) = table else { continue };
            runs.extend(lanes.iter().filter(|lanes| lanes.fit(registers, &table, leaf)).filter_map(|lanes| {
                let nanoseconds = lanes.run(&table, &leaf.work)?.nanoseconds(1);
                Some(Run { algorithm: algorithm.clone(), form: lanes.lanes, cost, nanoseconds })
            }));
        }
        runs
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
    fn fit(&self, residues: u64, table: &FixedBaseAlgorithm, leaf: &SharedPart) -> bool {
        // An entry for each of eight lanes, and the digit of all.
        const STEP_BYTES: usize = 200;
        const FEW_BYTES: usize = 1 << 16;
        let residues = residues.saturating_mul(self.maker.layout(self.bits).bytes() as u64);
        let steps = table
            .rounds_cost(leaf.work.max_bits)
            .map_or(0, |rounds| (rounds.selections * STEP_BYTES).saturating_sub(FEW_BYTES));
        leaf.work.max_bits <= LONGEST_IN_LANES && residues.saturating_add(steps as u64) <= leaf.memory_bytes
    }

    /// None for a method without rounds.
    fn run(&self, table: &FixedBaseAlgorithm, work: &ShapeBits) -> Option<RunFromTable> {
        let (of_lanes, of_maker) = &self.prices;
        let mut run = RunInLanes::new(self.lanes, of_lanes, table.rounds_cost(work.max_bits)?);
        run.nanoseconds += each_power(POWER_IN_LANES_NANOSECONDS, self.lanes.kernel.lanes(), work.max_bits);
        let building = of_maker.setup + of_maker.products(&table.build_cost(work.max_bits).into());
        Some(RunFromTable { building, run, times: work.count.div_ceil(self.lanes.kernel.lanes()) })
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

/// Powers eight at a time from a table that is made for them.
struct RunFromTable {
    /// Expected nanoseconds of making the table.
    building: f64,
    run: RunInLanes,
    /// How often eight powers run, the last time perhaps fewer.
    times: usize,
}

impl RunFromTable {
    fn nanoseconds(&self, threads: usize) -> f64 {
        self.building + self.run.setup + self.times.div_ceil(threads) as f64 * self.run.nanoseconds
    }
}

/// Every instance worth pricing.
pub(crate) fn candidates<A: Catalogued>(work: &A::Shape) -> Vec<A> {
    A::entries().iter().flat_map(|entry| entry.candidates(work)).collect()
}

/// Expected nanoseconds; `convert` is the price of one number in and one out.
pub(crate) fn nanoseconds(cost: &ExpectedCost, prices: &FormPrice, conversions: usize) -> f64 {
    let convert = prices.convert * 0.5 * conversions as f64;
    prices.setup + convert + prices.products(cost) + cost.selections * prices.select
}

#[cfg(test)]
#[path = "../../../tests/inside/plan/shared_work.rs"]
mod tests;
