//! Cancellation and progress polling: between products, often enough to stop within a fraction of a second.

use crate::error::Error;
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

/// Cancellation and progress of long work. Worker threads call the methods between operations, at least every few milliseconds
/// if one operation is shorter than that.
pub trait Watch: Sync {
    /// Whether to stop; the call then ends with [`Interrupted`](crate::Error::Interrupted). Once true, it must stay true until the call has
    /// returned: several threads poll it, and one that gets `false` goes on.
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

/// Forwards cancellation and no progress: for work that is a part of other work.
pub(crate) struct StopOnly<'w>(pub(crate) &'w dyn Watch);

impl Watch for StopOnly<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }

    #[cfg(test)]
    fn recorder(&self) -> usize {
        self.0.recorder()
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

/// Word products between two polls: about a millisecond.
const WORK_BETWEEN: usize = 2_000_000;

/// Decides before each product whether to go on. Without a watch it always does.
#[derive(Clone)]
pub(crate) struct Pulse<'w> {
    watch: Option<&'w dyn Watch>,
    /// Shared by the threads of a list: the first thread that must stop sets it for the others.
    stopped: Option<&'w AtomicBool>,
    every: usize,
    left: Cell<usize>,
    halted: Cell<bool>,
    /// Whether a power reports progress.
    tells: bool,
    road: Option<Road>,
}

/// Progress of a power.
#[derive(Clone)]
struct Road {
    /// Products in all, as expected.
    products: f64,
    bits: usize,
    /// Products so far.
    done: Cell<usize>,
}

impl<'w> Pulse<'w> {
    /// A pulse that never stops.
    pub(crate) fn none() -> Self {
        Self::new(None, None)
    }

    /// A pulse that polls `watch` and `stopped`.
    pub(crate) fn new(watch: Option<&'w dyn Watch>, stopped: Option<&'w AtomicBool>) -> Self {
        Self { watch, stopped, every: 1, left: Cell::new(1), halted: Cell::new(false), tells: false, road: None }
    }

    /// A pulse of one power that is the whole work: it reports progress to the watch.
    pub(crate) fn of_one_power(watch: Option<&'w dyn Watch>) -> Self {
        Self { tells: true, ..Self::new(watch, None) }
    }

    /// Returns this pulse for a part of the work, which reports no progress.
    pub(crate) fn silent(&self) -> Self {
        Self { tells: false, ..self.clone() }
    }

    /// Returns this pulse for a power with an exponent of this length, which takes about this many products.
    pub(crate) fn for_power(&self, bits: usize, products: impl FnOnce() -> f64) -> Self {
        let road =
            (self.tells && self.watch.is_some()).then(|| Road { products: products(), bits, done: Cell::new(0) });
        Self { road, ..self.clone() }
    }

    /// Returns this pulse for a run whose residues have `words` words.
    pub(crate) fn for_words(&self, words: usize) -> Self {
        let every = (WORK_BETWEEN / (words * words).max(1)).max(1);
        self.polling(every)
    }

    /// Returns this pulse for residues in registers, whose steps are one short product or a run of some hundred
    /// squarings.
    pub(crate) fn for_runs(&self) -> Self {
        const STEPS_BETWEEN: usize = 10_000;
        self.polling(STEPS_BETWEEN)
    }

    /// Returns this pulse with a poll at every `every`-th product.
    fn polling(&self, every: usize) -> Self {
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
        self.beat()
    }

    /// The rare part of [`go_on`](Self::go_on), apart, because that stands in every text.
    #[cold]
    fn beat(&self) -> bool {
        if self.halted.get() {
            return false;
        }
        self.left.set(self.every);
        if let (Some(watch), Some(Road { products, bits, done })) = (self.watch, &self.road) {
            done.set(done.get() + self.every);
            let part = (done.get() as f64 / products).min(1.0);
            watch.progress((part * *bits as f64) as usize, *bits);
        }
        self.ask()
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
    pub(crate) fn ask(&self) -> bool {
        let told = self.watch.is_some_and(|watch| watch.stop());
        let seen = self.stopped.is_some_and(|stopped| {
            if told {
                stopped.store(true, Ordering::Relaxed);
            }
            stopped.load(Ordering::Relaxed)
        });
        if told || seen {
            self.give_up();
        }
        !(told || seen)
    }

    /// Stops, for what heard of it elsewhere.
    pub(crate) fn halt(&self) {
        self.stopped.inspect(|stopped| stopped.store(true, Ordering::Relaxed));
        self.give_up();
    }

    /// From here on every answer is no: nothing is left before the next poll.
    fn give_up(&self) {
        self.halted.set(true);
        self.left.set(0);
    }

    /// What other threads of the same work need to create their own pulse; `stopped` is their common flag if there was none.
    pub(crate) fn shared<'a>(&self, stopped: &'a AtomicBool) -> (Option<&'a dyn Watch>, &'a AtomicBool)
    where
        'w: 'a,
    {
        (self.watch, self.stopped.unwrap_or(stopped))
    }

    /// Records, for tests, what is walked of a plan: a leaf, or threads, for `elements` elements.
    #[inline(always)]
    pub(crate) fn walked(&self, elements: usize, what: &dyn core::fmt::Display) {
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
#[path = "../../../tests/inside/execute/walked.rs"]
pub(crate) mod walked;
