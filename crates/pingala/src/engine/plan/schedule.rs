//! Threads: how many are worth starting for some work, and how much each takes at a time.

use super::Plan;
use super::tree::SmallList;
use crate::error::Error;
use crate::exponent::order::places_in_order;
use core::num::NonZeroUsize;
use core::ops::Range;

/// Whether this build starts threads.
pub(crate) const THREADS: bool = cfg!(feature = "threads");

/// Work below which a thread costs more than it saves.
pub(crate) const NANOSECONDS_PER_THREAD: f64 = 200_000.0;

/// Most units that a thread takes at once, so that a wrong price cannot starve the others.
const UNITS_AT_ONCE: usize = 1024;

/// Longest expected work that a thread takes at once, because it polls for cancellation before each chunk.
const NANOSECONDS_AT_ONCE: f64 = 5e6;

/// The least time of a unit in this limit, because prices may omit some work.
const LEAST_NANOSECONDS: f64 = 5_000.0;

/// Chunks per thread: enough that all threads finish at about the same time.
const CHUNKS_PER_THREAD: usize = 64;

/// The threads that a call may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadBudget {
    /// As the caller says; otherwise all that the system has.
    pub(crate) most: Option<NonZeroUsize>,
}

impl ThreadBudget {
    /// How many threads may be used for work of this time: 1 if a second thread is not worth starting. The system is asked for
    /// its cores only for longer work, because that takes as long as a short list.
    pub(crate) fn for_work(self, nanoseconds: f64) -> usize {
        if !THREADS || nanoseconds < 2.0 * NANOSECONDS_PER_THREAD {
            return 1;
        }
        self.most.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// How many threads the classes of a list are worth.
    pub(crate) fn for_classes(self, classes: &[PricedClass]) -> usize {
        worth(classes, self.for_work(total(classes)))
    }
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
    /// Expected time of a block, if there are enough rows.
    const NANOSECONDS: f64 = 10e6;

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
        let rows = ((Self::NANOSECONDS / each.max(1.0)) as usize).clamp(Self::FEWEST, Self::MOST);
        let threads = budget.for_work(each * count as f64);
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

/// How many of the available threads the classes are worth.
pub(crate) fn worth(classes: &[PricedClass], threads: usize) -> usize {
    let units: usize = classes.iter().map(PricedClass::units).sum();
    threads.min(units).min((total(classes) / NANOSECONDS_PER_THREAD) as usize).max(1)
}

/// Expected nanoseconds of all classes on this many threads.
pub(crate) fn expected(classes: &[PricedClass], threads: usize) -> f64 {
    let longest = classes.iter().map(|class| class.nanoseconds).fold(0.0, f64::max);
    longest.max(total(classes) / threads as f64)
}

/// The chunks that threads take, the most expensive units first, so that all threads finish at about the same time.
/// `first` is the first element of the first class.
pub(crate) fn chunks(classes: &[PricedClass], threads: usize, first: usize) -> SmallList<Chunk> {
    // One thread waits for no other.
    let shares = if threads > 1 { threads * CHUNKS_PER_THREAD } else { 1 };
    let share = (total(classes) / shares as f64).min(NANOSECONDS_AT_ONCE);
    let (mut starts, mut start): (SmallList<usize>, usize) = (SmallList::with_capacity(classes.len()), first);
    for class in classes {
        starts.push(start);
        start += class.count;
    }
    let order: SmallList<usize> = match classes.len() {
        0 | 1 => (0..classes.len()).collect(),
        count => {
            let slowest_first = &mut |a: usize, b: usize| classes[b].nanoseconds.total_cmp(&classes[a].nanoseconds);
            places_in_order(count, slowest_first).into()
        }
    };
    let mut chunks = SmallList::new();
    for index in order {
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
#[path = "../../../tests/inside/plan/schedule.rs"]
mod tests;
