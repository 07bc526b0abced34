//! Plans lists of powers of one base: which of them share a run, on how many threads, and whether sharing is faster than separate
//! powers.

use crate::algorithm::{ManyExponents, ShapeBits};
use crate::engine::plan::line::{Forced, Line, is_tree};
use crate::engine::plan::list::ListPlan;
use crate::engine::plan::schedule::{self, PricedClass, ThreadBudget, WORTH_PLANNING};
use crate::engine::plan::{Plan, Planner, ShapeProblem};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::work::shared_work::stream_plan as stream;
use core::ops::Range;

/// Shortest work, in nanoseconds, for which sharing saves more than planning it costs (docs/records/thresholds.md).
const WORTH_SHARING: f64 = 60_000.0;

/// Shortest work, in nanoseconds, for which the planner tries to separate long exponents from short ones: it plans each length
/// anew.
const WORTH_PARTING: f64 = 3e6;

/// Exponents of one base that share a run.
#[derive(Clone, Debug)]
struct SharedRun {
    /// Which of a side.
    range: Range<usize>,
    plan: Plan<ManyExponents>,
    /// Threads of the run: with more than one, one thread squares while others multiply, or all share a table.
    threads: usize,
    nanoseconds: f64,
}

impl SharedRun {
    /// Its node of the tree.
    fn node(self) -> Plan {
        let (count, streams) = (self.range.len() as u64, self.threads > 1 && !self.plan.is_in_lanes());
        let plan = Box::new(self.plan);
        let node = if streams { Plan::Stream { plan, count } } else { Plan::Share { plan, count } };
        node.on_threads(self.threads)
    }
}

/// Runs, and the nanoseconds after which the last one is expected to end.
type Runs = (Vec<SharedRun>, f64);

/// How powers of one base are done that share their runs. The elements are those of each side in turn, the longest exponent
/// first.
#[derive(Clone, Debug)]
pub(crate) struct SharedList {
    /// The tree.
    pub(crate) plan: Plan,
    /// Its classes, each of one unit.
    pub(crate) classes: Vec<PricedClass>,
    /// The exponents of each class: its side, and which of that.
    pub(crate) ranges: Vec<(usize, Range<usize>)>,
    /// Expected nanoseconds of the whole list.
    pub(crate) nanoseconds: f64,
}

/// Whether a list with this plan of separate powers is long enough that planning shared runs may pay.
pub(crate) fn is_worth_sharing(separate: &ListPlan) -> bool {
    let count: usize = separate.classes.iter().map(|class| class.count).sum();
    count >= 2 && schedule::total(&separate.classes) >= WORTH_SHARING
}

/// Ranges of exponents, sorted by length, longest first: each range ends before the first exponent of at most
/// half the length of its longest.
fn by_length(exponents: &[Exponent]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, exponent) in exponents.iter().enumerate() {
        match ranges.last_mut() {
            Some(range) if 2 * exponent.bits() > exponents[range.start].bits() => range.end = index + 1,
            _ => ranges.push(index..index + 1),
        }
    }
    ranges
}

impl Planner {
    /// The runs that powers share if that is faster than separate powers on the same threads; none otherwise, or if
    /// nothing fits.
    pub(crate) fn share_if_sooner(
        &self,
        of: &ShapeProblem,
        sides: &[&[Exponent]],
        separate: &ListPlan,
        budget: ThreadBudget,
        forced: &Forced<ManyExponents>,
    ) -> Option<SharedList> {
        let threads = budget.for_work(schedule::total(&separate.classes));
        // Separate elements report what a forced kernel cannot do.
        let shared = self.plan_shared(of, sides, (threads, budget), forced).ok()?;
        (shared.nanoseconds < separate.nanoseconds).then_some(shared)
    }

    /// The runs that powers of each side share, on `threads` threads of the budget, as forced. `of` is the problem but for its work.
    ///
    /// Error: `bad_plan` if a line does not fit, or if nothing fits the memory.
    pub(crate) fn plan_shared(
        &self,
        of: &ShapeProblem,
        sides: &[&[Exponent]],
        (threads, budget): (usize, ThreadBudget),
        forced: &Forced<ManyExponents>,
    ) -> Result<SharedList, Error> {
        let mut runs: Vec<(usize, SharedRun)> = Vec::new();
        let (mut nanoseconds, mut of) = (0.0, of.clone());
        if threads > 1 {
            of.memory_bytes /= sides.len().max(1) as u64;
        }
        for (side, exponents) in sides.iter().enumerate() {
            let (of_side, end) = self.runs_of_side(&of, exponents, (threads, budget), forced)?;
            nanoseconds += end;
            runs.extend(of_side.into_iter().map(|run| (side, run)));
        }
        let class = |(_, run): &(usize, SharedRun)| {
            let count = run.range.len();
            PricedClass { count, unit: count, nanoseconds: run.nanoseconds }
        };
        let classes: Vec<PricedClass> = runs.iter().map(class).collect();
        let ranges = runs.iter().map(|(side, run)| (*side, run.range.clone())).collect();
        // Runs that take all threads were planned one after the other.
        let one_by_one = runs.iter().any(|(_, run)| run.threads > 1);
        let plan = Plan::list(runs.into_iter().map(|(_, run)| run.node()));
        let plan = if one_by_one { plan } else { plan.on_threads(budget.for_classes(&classes).min(threads)) };
        Ok(SharedList { plan, classes, ranges, nanoseconds })
    }

    /// The runs of a forced tree. Error: `bad_plan` if they do not fit the list.
    pub(crate) fn shared_by_tree(
        &self,
        tree: &Plan,
        of: &ShapeProblem,
        sides: &[&[Exponent]],
    ) -> Result<SharedList, Error> {
        let misfit = |why: String| Err(Error::BadPlan(why));
        let (mut classes, mut ranges, mut nanoseconds) = (Vec::new(), Vec::new(), 0.0);
        let (mut side, mut first) = (0, 0);
        for (threads, stage) in tree.stages() {
            let several = stage.len() > 1;
            for (node, count) in stage {
                let Some((plan, together)) = node.shared() else {
                    return misfit(format!("{node} is for one power at a time, and the others share a run"));
                };
                if together != count as u64 {
                    return misfit(format!("{node} is for {together} powers, not for each of {count}"));
                }
                if matches!(node, Plan::Stream { .. }) && (several || threads < 2) {
                    return misfit(
                        "stream() takes two threads or more by itself: threads(2, stream(plan x count))".into(),
                    );
                }
                let Some(exponents) = sides.get(side).and_then(|side| side.get(first..first + count)) else {
                    let lengths: Vec<String> = sides.iter().map(|side| side.len().to_string()).collect();
                    let of = lengths.join(" and ");
                    return misfit(format!("the classes of the plan are not those of {of} powers of one base"));
                };
                let problem = ShapeProblem { work: ShapeBits::of(exponents), ..of.clone() };
                let (_, priced) = self.priced_shape(&problem, &Forced::by(plan)?)?;
                classes.push(PricedClass { count, unit: count, nanoseconds: priced });
                ranges.push((side, first..first + count));
                nanoseconds += priced;
                first += count;
                if first == sides[side].len() {
                    (side, first) = (side + 1, 0);
                }
            }
        }
        if side < sides.len() {
            return misfit(format!("the list has more powers than the {} of the plan", classes.len()));
        }
        Ok(SharedList { plan: tree.clone(), classes, ranges, nanoseconds })
    }

    /// Shares powers of one base out to threads: all of them together share most, a part for each thread ends sooner where
    /// the squarings are the lesser part, and long exponents may be better off without short ones.
    fn runs_of_side(
        &self,
        of: &ShapeProblem,
        exponents: &[Exponent],
        (threads, budget): (usize, ThreadBudget),
        forced: &Forced<ManyExponents>,
    ) -> Result<Runs, Error> {
        let run = |range: Range<usize>, at_once: usize| {
            // Runs in parallel hold their residues at the same time.
            let (work, memory_bytes) = (ShapeBits::of(&exponents[range.clone()]), of.memory_bytes / at_once as u64);
            let (plan, nanoseconds) = self.priced_shape(&ShapeProblem { work, memory_bytes, ..of.clone() }, forced)?;
            Ok(SharedRun { range, plan, threads: 1, nanoseconds })
        };
        let on_threads = |ranges: Vec<Range<usize>>| -> Result<Runs, Error> {
            let at_once = threads.min(ranges.len());
            let runs: Vec<SharedRun> =
                ranges.into_iter().map(|range| run(range, at_once)).collect::<Result<_, Error>>()?;
            let longest = runs.iter().map(|run| run.nanoseconds).fold(0.0, f64::max);
            let all: f64 = runs.iter().map(|run| run.nanoseconds).sum();
            Ok((runs, longest.max(all / threads as f64) + budget.starting(at_once)))
        };
        let count = exponents.len();
        let whole = run(0..count, 1)?;
        let alone = |run: SharedRun| (vec![run.clone()], run.nanoseconds);
        let mut all = vec![alone(whole.clone())];
        let parts = threads.min(count);
        if parts > 1 && whole.nanoseconds >= WORTH_PLANNING {
            let problem = ShapeProblem { work: ShapeBits::of(exponents), ..of.clone() };
            all.extend(self.on_all_threads(&whole, &problem, (threads, budget), forced.line.is_some()).map(alone));
            all.extend(on_threads((0..parts).map(|part| part * count / parts..(part + 1) * count / parts).collect()));
        }
        if forced.line.is_none() && whole.nanoseconds >= WORTH_PARTING {
            all.extend(Some(by_length(exponents)).filter(|ranges| ranges.len() > 1).and_then(|r| on_threads(r).ok()));
        }
        all.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).ok_or(Error::Fault("powers without a run"))
    }

    /// One run on several threads: with the squarings on a thread of their own if there is one run of them, or with a table
    /// that all share. `forced`: only by the algorithm of `run`.
    fn on_all_threads(
        &self,
        run: &SharedRun,
        problem: &ShapeProblem,
        (threads, budget): (usize, ThreadBudget),
        forced: bool,
    ) -> Option<SharedRun> {
        let starting = budget.starting(threads);
        let Plan::Run { algorithm, form } = &run.plan else { return None };
        if form.kernel.lanes() > 1 {
            let nanoseconds = self.table_in_lanes(algorithm, form, problem, threads)? + starting;
            return Some(SharedRun { threads, nanoseconds, ..run.clone() });
        }
        let prices = self.prices().of(form).filter(|_| form.kernel.odd())?;
        // Another algorithm may hide more behind the squarings.
        let others = if forced { Vec::new() } else { ManyExponents::candidates(&problem.work) };
        let bits = (problem.modulus_bits - problem.trailing_zeros) as usize;
        let priced = others.iter().chain([algorithm]).filter_map(|algorithm| {
            let on = (&problem.work, bits, problem.memory_bytes);
            let handing_over = stream::handing_over(form.words(), problem.work.max_bits, budget.start);
            Some((algorithm, stream::price(algorithm, (form, &prices), on, threads)? + handing_over + starting))
        });
        let (algorithm, nanoseconds) = priced.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        let plan = Plan::Run { algorithm: algorithm.clone(), form: *form };
        Some(SharedRun { plan, threads, nanoseconds, ..run.clone() })
    }
}

/// Whether a line is for powers that share a run.
pub(crate) fn names_shared_powers(line: &str) -> bool {
    match is_tree(line) {
        true => line.parse::<Plan>().is_ok_and(|tree| tree.classes().iter().any(|(node, _)| node.shared().is_some())),
        false => line.parse::<Line<ManyExponents>>().is_ok(),
    }
}
