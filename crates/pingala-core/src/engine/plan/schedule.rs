//! Threads: how many are worth starting for some work, and how much each takes at a time.

use super::tree::SmallList;
use super::{Plan, Planner};
use crate::error::Error;
use crate::exponent::order::places_in_order;
use crate::once::once;
use core::num::NonZeroUsize;
use core::ops::Range;
use std::sync::OnceLock;

/// Whether this build starts threads.
pub(crate) const THREADS: bool = cfg!(feature = "threads");

/// How many times the start of a thread counts in decisions: prices err by some percent, and processors may be busy.
const WORTH: f64 = 2.0;

/// Most units that a thread takes at once, so that a wrong price cannot starve the others.
const UNITS_AT_ONCE: usize = 1024;

/// Longest expected work that a thread takes at once, because it polls for cancellation before each chunk.
const NANOSECONDS_AT_ONCE: f64 = 5e6;

/// The least time of a unit in this limit, because prices may omit some work.
const LEAST_NANOSECONDS: f64 = 1_000.0;

/// What a thread needs to take a chunk that another core may have written last: docs/records/threads.md.
const NANOSECONDS_TO_TAKE: f64 = 3_000.0;

/// Shortest work, in nanoseconds, for which runs that share work are planned for several threads too: further plans take time, and below this
/// they take more than they save (docs/records/threads.md).
pub(crate) const WORTH_PLANNING: f64 = 1e6;

/// The threads that a call may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadBudget {
    /// As the caller says; otherwise all that the system has.
    pub(crate) most: Option<NonZeroUsize>,
    /// By how many nanoseconds a call ends later for each thread that it starts: see [`Prices::thread_start`].
    pub(crate) start: f64,
}

impl ThreadBudget {
    /// Threads of this machine.
    pub(crate) fn new(most: Option<NonZeroUsize>) -> Self {
        Self { most, start: Planner::of_this_machine().prices().thread_start() }
    }

    /// One thread.
    pub(crate) const ONE: Self = Self { most: NonZeroUsize::new(1), start: f64::INFINITY };

    /// How many threads are worth starting for work of this time that can be shared out evenly.
    pub(crate) fn for_work(self, nanoseconds: f64) -> usize {
        if self.worth(nanoseconds, 2) < 2 {
            return 1;
        }
        self.worth(nanoseconds, self.most.map_or_else(cores, NonZeroUsize::get))
    }

    /// How many of `threads` threads work of this time is worth: the n-th one saves w / (n - 1) - w / n.
    pub(crate) fn worth(self, nanoseconds: f64, threads: usize) -> usize {
        if !THREADS {
            return 1;
        }
        let pairs = nanoseconds / (WORTH * self.start);
        // The largest n with n (n - 1) <= pairs.
        threads.min((0.5 + (0.25 + pairs).sqrt()) as usize).max(1)
    }

    /// How many threads the classes of a list are worth.
    pub(crate) fn for_classes(self, classes: &[PricedClass]) -> usize {
        self.for_work(total(classes)).min(units(classes)).max(1)
    }

    /// Expected nanoseconds of all classes on this many threads, or on as many as have a unit to do, with starting them.
    pub(crate) fn expected(self, classes: &[PricedClass], threads: usize) -> f64 {
        let threads = threads.min(units(classes)).max(1);
        expected(classes, threads) + self.starting(threads)
    }

    /// The cost of starting threads, `threads` in total, as decisions count it.
    pub(crate) fn starting(self, threads: usize) -> f64 {
        if threads > 1 { (threads - 1) as f64 * WORTH * self.start } else { 0.0 }
    }
}

/// The cores that the system gives this process. It is asked once, because it takes as long as a short list to answer.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *once(&CORES, || std::thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// Rows that threads take in blocks, each block as a list of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowBlocks {
    /// How many rows a block has; the last one may have fewer.
    pub(crate) rows: usize,
    /// How many threads take blocks.
    pub(crate) threads: usize,
}

impl RowBlocks {
    /// Fewest and most rows of a block. The time of all rows is estimated from the first ones, as many as the shortest block has.
    pub(crate) const FEWEST: usize = 64;
    pub(crate) const MOST: usize = 4096;
    /// Expected time of a block, if there are enough rows, and the least, because each block is planned anew.
    const NANOSECONDS: f64 = 10e6;
    const LEAST_NANOSECONDS: f64 = 1e6;
    /// Blocks for each thread, if there are enough rows: while the last ones are computed the others wait.
    const EACH: usize = 8;

    /// The blocks of `count` rows, of which the first [`RowBlocks::FEWEST`] take `first()` nanoseconds; none if one list of all rows is
    /// better. Error: that of `first`.
    pub(crate) fn of(
        count: usize,
        budget: ThreadBudget,
        first: impl FnOnce() -> Result<f64, Error>,
    ) -> Result<Option<Self>, Error> {
        if count <= 2 * Self::FEWEST {
            return Ok(None);
        }
        let each = first()? / Self::FEWEST as f64;
        let in_time = |nanoseconds: f64| (nanoseconds / each.max(1.0)) as usize;
        let threads = budget.for_work(each * count as f64);
        let shared = if threads > 1 { count.div_ceil(Self::EACH * threads) } else { count };
        let rows = shared.clamp(in_time(Self::LEAST_NANOSECONDS), in_time(Self::NANOSECONDS).max(1));
        let rows = rows.clamp(Self::FEWEST, Self::MOST);
        // If a thread has few blocks, the others wait for the last one; the threads of one list share its elements instead.
        Ok((count.div_ceil(rows) >= 4 * threads).then_some(Self { rows, threads }))
    }
}

/// Elements of a list with the same plan, in units of one element or of as many as there are lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PricedClass {
    /// How many elements.
    pub(crate) count: usize,
    /// How many of them a unit has; the last one may have fewer.
    pub(crate) unit: usize,
    /// Expected nanoseconds of a unit.
    pub(crate) nanoseconds: f64,
}

impl PricedClass {
    fn units(&self) -> usize {
        self.count.div_ceil(self.unit)
    }
}

/// A list as execution walks it.
#[derive(Debug)]
pub(crate) struct ListSchedule<'p, A> {
    /// The plan of each class: see [`Plan::classes`].
    pub(crate) steps: SmallList<&'p Plan<A>>,
    /// One after the other.
    pub(crate) stages: SmallList<Stage>,
}

/// Classes that threads work on in parallel.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) threads: usize,
    pub(crate) chunks: SmallList<Chunk>,
}

impl<'p, A> ListSchedule<'p, A> {
    /// Of a tree with its classes, priced.
    pub(crate) fn new(plan: &'p Plan<A>, classes: &[PricedClass]) -> Self {
        let (mut schedule, mut element) = (Self { steps: SmallList::new(), stages: SmallList::new() }, 0);
        for (threads, stage) in plan.stages() {
            let first = schedule.steps.len();
            let here = &classes[first..first + stage.len()];
            let mut chunks = chunks(here, threads, element);
            chunks.iter_mut().for_each(|chunk| chunk.class += first);
            schedule.steps.extend(stage.into_iter().map(|(step, _)| step));
            schedule.stages.push(Stage { threads, chunks });
            element += here.iter().map(|class| class.count).sum::<usize>();
        }
        schedule
    }
}

/// Units of one class that a thread takes at once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunk {
    /// Which class.
    pub(crate) class: usize,
    /// Which elements, counted from the first of the list.
    pub(crate) elements: Range<usize>,
}

/// Expected nanoseconds of all classes, one unit after the other.
pub(crate) fn total(classes: &[PricedClass]) -> f64 {
    classes.iter().map(|class| class.units() as f64 * class.nanoseconds).sum()
}

/// How many units all classes have.
fn units(classes: &[PricedClass]) -> usize {
    classes.iter().map(PricedClass::units).sum()
}

/// Threads for which the last units are shared out one by one to see when the last thread ends. With more of them units are few for each.
const THREADS_ONE_BY_ONE: usize = 16;

/// Units of a class for each thread that are shared out one by one; those before them keep all threads busy.
const LAST_UNITS: usize = 8;

/// Expected nanoseconds of all classes on this many threads, each of which takes the longest unit that is left; without starting them.
pub(crate) fn expected(classes: &[PricedClass], threads: usize) -> f64 {
    let (longest, all) = (classes.iter().map(|class| class.nanoseconds).fold(0.0, f64::max), total(classes));
    if !(2..=THREADS_ONE_BY_ONE).contains(&threads) {
        return longest.max(all / threads.max(1) as f64);
    }
    let mut ends = [0.0; THREADS_ONE_BY_ONE];
    let ends = &mut ends[..threads];
    for index in slowest_first(classes) {
        let PricedClass { nanoseconds, .. } = classes[index];
        let units = classes[index].units();
        let rounds = (units / threads).saturating_sub(LAST_UNITS);
        ends.iter_mut().for_each(|end| *end += rounds as f64 * nanoseconds);
        for _ in 0..units - rounds * threads {
            if let Some(first) = ends.iter_mut().min_by(|a, b| a.total_cmp(b)) {
                *first += nanoseconds;
            }
        }
    }
    ends.iter().copied().fold(0.0, f64::max)
}

/// The classes in the order in which threads take them: the most expensive units first.
fn slowest_first(classes: &[PricedClass]) -> SmallList<usize> {
    match classes.len() {
        0 | 1 => (0..classes.len()).collect(),
        count => {
            let slowest_first = &mut |a: usize, b: usize| classes[b].nanoseconds.total_cmp(&classes[a].nanoseconds);
            places_in_order(count, slowest_first).into()
        }
    }
}

/// The chunks that threads take, the most expensive units first, so that all threads finish at about the same time.
/// `first` is the first element of the first class.
pub(crate) fn chunks(classes: &[PricedClass], threads: usize, first: usize) -> SmallList<Chunk> {
    // One thread waits for no other. Several wait for the last chunk, c / 2 on average, and take w / (n c) chunks each: c is where both are equal.
    let all = total(classes);
    let share = if threads > 1 { (2.0 * all * NANOSECONDS_TO_TAKE / threads as f64).sqrt() } else { all };
    let share = share.min(NANOSECONDS_AT_ONCE);
    let (mut starts, mut start): (SmallList<usize>, usize) = (SmallList::with_capacity(classes.len()), first);
    for class in classes {
        starts.push(start);
        start += class.count;
    }
    let mut chunks = SmallList::new();
    for index in slowest_first(classes) {
        let start = starts[index];
        let PricedClass { count, unit, nanoseconds } = classes[index];
        let units = (share / nanoseconds.max(LEAST_NANOSECONDS)) as usize;
        let step = unit * units.clamp(1, UNITS_AT_ONCE);
        let ranges = (start..start + count).step_by(step).map(|at| at..(at + step).min(start + count));
        chunks.extend(ranges.map(|elements| Chunk { class: index, elements }));
    }
    chunks
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/plan/schedule.rs"]
mod tests;
