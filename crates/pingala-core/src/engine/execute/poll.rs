//! Cancellation and progress polling: between products, often enough to stop within a fraction of a second.

use crate::error::Error;
use core::cell::Cell;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

/// Cancellation and progress of long work. Worker threads call the methods between operations, at least every few milliseconds
/// if one operation is shorter than that.
pub trait Watch: Sync {
    /// Whether to stop; the call then ends with [`Interrupted`](crate::Error::Interrupted). Once this is true it must stay true until the
    /// call returns, because every thread polls for itself.
    fn stop(&self) -> bool {
        false
    }
    /// Receives the number of units done: elements of a list, squarings of a run, bits of the exponent of one long power.
    fn progress(&self, finished: usize, total: usize) {
        let _ = (finished, total);
    }
    /// Where tests record what is walked under it: a watch around another one gives that one's.
    #[cfg(test)]
    fn recorder(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }
}

impl fmt::Debug for dyn Watch + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("...")
    }
}

/// The watch of work that is a part of other work: it forwards cancellation, and progress to `report` only.
#[derive(Default)]
pub(crate) struct NestedWatch<'w> {
    pub(crate) watch: Option<&'w dyn Watch>,
    /// Whether the threads of the other work have to stop.
    pub(crate) stopped: Option<&'w AtomicBool>,
    /// Receives the number of units done, and how many there are.
    pub(crate) report: Option<&'w (dyn Fn(usize, usize) + Sync)>,
}

impl Watch for NestedWatch<'_> {
    fn stop(&self) -> bool {
        let watched = self.watch.is_some_and(|watch| watch.stop());
        self.stopped.map_or(watched, |stopped| {
            if watched {
                stopped.store(true, Ordering::Relaxed);
            }
            watched || stopped.load(Ordering::Relaxed)
        })
    }

    fn progress(&self, finished: usize, total: usize) {
        self.report.inspect(|report| report(finished, total));
    }

    #[cfg(test)]
    fn recorder(&self) -> usize {
        self.watch.map_or(0, |watch| watch.recorder())
    }
}

/// Elements that are read between two polls.
const ELEMENTS_BETWEEN: usize = 256;

/// Polls before element `index` of a list that is prepared, now and then. Error: `interrupted`.
pub(crate) fn while_reading(watch: Option<&dyn Watch>, index: usize) -> Result<(), Error> {
    if index.is_multiple_of(ELEMENTS_BETWEEN) && watch.is_some_and(|watch| watch.stop()) {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}

/// Reports to the watch that all `count` units are done. Error: `interrupted`, if it says so at this last poll.
pub(crate) fn report_done(watch: Option<&dyn Watch>, count: usize) -> Result<(), Error> {
    let Some(watch) = watch else { return Ok(()) };
    if watch.stop() {
        return Err(Error::Interrupted);
    }
    watch.progress(count, count);
    Ok(())
}

/// Word products between two polls: about a millisecond.
const WORK_BETWEEN: usize = 2_000_000;

/// Decides before each product whether to go on. Without a watch it always does.
#[derive(Clone)]
pub(crate) struct Poll<'w> {
    watch: Option<&'w dyn Watch>,
    /// Shared by the threads of a list: the first thread that must stop sets it for the others.
    stopped: Option<&'w AtomicBool>,
    every: usize,
    left: Cell<usize>,
    halted: Cell<bool>,
    /// Whether a power reports progress.
    reports: bool,
    estimate: Option<ProgressEstimate>,
}

/// Progress of a power.
#[derive(Clone)]
struct ProgressEstimate {
    /// Products in all, as expected.
    products: f64,
    bits: usize,
    /// Products so far.
    done: Cell<usize>,
}

impl<'w> Poll<'w> {
    /// Never stops.
    pub(crate) fn none() -> Self {
        Self::new(None, None)
    }

    /// Polls `watch` and `stopped`.
    pub(crate) fn new(watch: Option<&'w dyn Watch>, stopped: Option<&'w AtomicBool>) -> Self {
        Self { watch, stopped, every: 1, left: Cell::new(1), halted: Cell::new(false), reports: false, estimate: None }
    }

    /// Polls for one power that is the whole work: it reports progress to the watch.
    pub(crate) fn of_one_power(watch: Option<&'w dyn Watch>) -> Self {
        Self { reports: true, ..Self::new(watch, None) }
    }

    /// Polls for a part of the work, which reports no progress.
    pub(crate) fn silent(&self) -> Self {
        Self { reports: false, ..self.clone() }
    }

    /// Polls for a power with an exponent of this length, which takes about this many products.
    pub(crate) fn for_power(&self, bits: usize, products: impl FnOnce() -> f64) -> Self {
        let estimate = (self.reports && self.watch.is_some()).then(|| ProgressEstimate {
            products: products(),
            bits,
            done: Cell::new(0),
        });
        Self { estimate, ..self.clone() }
    }

    /// Polls for a run whose residues have `words` words.
    pub(crate) fn for_words(&self, words: usize) -> Self {
        let every = (WORK_BETWEEN / (words * words).max(1)).max(1);
        self.every(every)
    }

    /// Polls for residues in registers: a step is one short product or a run of some hundred squarings.
    pub(crate) fn for_runs(&self) -> Self {
        const STEPS_BETWEEN: usize = 10_000;
        self.every(STEPS_BETWEEN)
    }

    /// Polls after each `every` products.
    fn every(&self, every: usize) -> Self {
        let left = if self.halted() { 0 } else { every };
        Self { every, left: Cell::new(left), ..self.clone() }
    }

    /// Whether the next product is to be done.
    #[inline]
    pub(crate) fn go_on(&self) -> bool {
        if self.watch.is_none() && self.stopped.is_none() {
            return true;
        }
        let left = self.left.get();
        if left > 1 {
            self.left.set(left - 1);
            return true;
        }
        self.poll_rarely()
    }

    /// The rare part of [`go_on`](Self::go_on), which is inlined into every kernel's loop.
    #[cold]
    fn poll_rarely(&self) -> bool {
        if self.halted.get() {
            return false;
        }
        self.left.set(self.every);
        if let (Some(watch), Some(ProgressEstimate { products, bits, done })) = (self.watch, &self.estimate) {
            done.set(done.get() + self.every);
            let part = (done.get() as f64 / products).min(1.0);
            watch.progress((part * *bits as f64) as usize, *bits);
        }
        self.now()
    }

    /// How many of the next `wanted` products to compute before the next poll; 0 to stop.
    #[inline]
    pub(crate) fn grant(&self, wanted: usize) -> usize {
        if self.watch.is_none() && self.stopped.is_none() {
            return wanted;
        }
        if !self.go_on() {
            return 0;
        }
        let left = self.left.get();
        let more = (wanted - 1).min(left - 1);
        self.left.set(left - more);
        1 + more
    }

    /// Polls now.
    #[cold]
    pub(crate) fn now(&self) -> bool {
        let stops = self.nested(None).stop();
        if stops {
            self.give_up();
        }
        !stops
    }

    /// Stops, because other work was stopped.
    pub(crate) fn halt(&self) {
        self.stopped.inspect(|stopped| stopped.store(true, Ordering::Relaxed));
        self.give_up();
    }

    /// Makes every further poll say stop.
    fn give_up(&self) {
        self.halted.set(true);
        self.left.set(0);
    }

    /// The watch of work that is a part of this work; `report` receives its progress.
    pub(crate) fn nested<'a>(&self, report: Option<&'a (dyn Fn(usize, usize) + Sync)>) -> NestedWatch<'a>
    where
        'w: 'a,
    {
        NestedWatch { watch: self.watch, stopped: self.stopped, report }
    }

    /// Records for tests which leaf of a plan is executed, or how many threads, and for how many elements.
    #[inline(always)]
    pub(crate) fn walked(&self, elements: usize, what: &dyn fmt::Display) {
        #[cfg(test)]
        walked::record(self.watch, elements, what);
        let _ = (elements, what);
    }

    /// Whether a run was cut short: its result is then worthless.
    pub(crate) fn halted(&self) -> bool {
        self.halted.get()
    }
}

/// What the runs under one watch walked of their plans.
#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/walked.rs"]
pub(crate) mod walked;
