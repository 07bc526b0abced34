//! Threads that one watch stops: some look for one thing, each by attempts of its own; others share a list of work.

use pingala_core::plan::Planner;
use pingala_core::threads::{Crew, each};
use pingala_core::{Error, Options, Watch};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The watch of threads that work together: it stops the others when one of them is done, and reports attempts.
pub(crate) struct Team<'a> {
    outer: Option<&'a dyn Watch>,
    is_done: AtomicBool,
    attempts: AtomicUsize,
    /// Attempts that are expected.
    expected: usize,
}

impl Watch for Team<'_> {
    fn stop(&self) -> bool {
        // A watch may see a stop on the calling thread alone: the others learn of it here.
        if self.outer.is_some_and(Watch::stop) {
            self.is_done.store(true, Ordering::Relaxed);
        }
        self.is_done.load(Ordering::Relaxed)
    }
}

impl<'a> Team<'a> {
    pub(crate) fn new(outer: Option<&'a dyn Watch>, expected: f64) -> Self {
        let expected = expected.clamp(1.0, 1e15) as usize;
        Self { outer, is_done: AtomicBool::new(false), attempts: AtomicUsize::new(0), expected }
    }

    /// Adds attempts and reports them. A search has no certain end, so that they stay below the total, which grows if it must.
    pub(crate) fn count(&self, attempts: usize) {
        let finished = self.attempts.fetch_add(attempts, Ordering::Relaxed) + attempts;
        self.outer.inspect(|watch| watch.progress(finished, self.expected.max(finished + 1)));
    }

    /// Reports that the search has its result.
    pub(crate) fn finish(&self) {
        let finished = self.attempts.load(Ordering::Relaxed).max(1);
        self.outer.inspect(|watch| watch.progress(finished, finished));
    }
}

/// Repeats attempts until one has a result, on as many threads as they are worth: `expected` is how many attempts it takes, and how many
/// nanoseconds each. `attempt(team, options)` returns none if it found nothing, and counts what it
/// did; its options have one thread and a watch that stops it. Errors: `interrupted`, and those of attempts.
pub(crate) fn race<T: Send>(
    options: &Options<'_>,
    expected: (f64, f64),
    attempt: impl Fn(&Team<'_>, &Options<'_>) -> Result<Option<T>, Error> + Sync,
) -> Result<T, Error> {
    let team = Team::new(options.watch(), expected.0);
    let inner = on_one_thread(options, &team);
    let outcome: Mutex<Option<Result<T, Error>>> = Mutex::new(None);
    let work = || {
        while !team.stop() {
            let found = match attempt(&team, &inner) {
                Ok(None) => continue,
                // Stopped, by the caller or because another thread is done.
                Err(Error::Interrupted) => break,
                Ok(Some(found)) => Ok(found),
                Err(error) => Err(error),
            };
            let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            outcome.get_or_insert(found);
            team.is_done.store(true, Ordering::Relaxed);
        }
    };
    let (threads, crew) = (options.threads_for(expected.0 * expected.1), Crew::new());
    thread::scope(|scope| {
        // If the system starts fewer, those do the work. The attempt of each ends soon after the caller's, by the watch.
        (1..threads).for_each(|_| drop(crew.start(scope, work)));
        work();
    });
    let outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    let found = outcome.unwrap_or(Err(Error::Interrupted))?;
    team.finish();
    Ok(found)
}

/// The results of `work` for 0 .. `count`, in order, on as many threads of the options as this many nanoseconds are worth. `work` receives
/// options for one thread, whose watch stops all of them. The caller's watch receives the number of items done, times `weight`, if that is
/// above 0.
///
/// Errors: the first of `work`; `interrupted`.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    nanoseconds: f64,
    weight: usize,
    options: &Options<'_>,
    work: impl Fn(usize, &Options<'_>) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let threads = if count < 2 { 1 } else { options.threads_for(nanoseconds) };
    each(count, threads, options.watch(), weight, |index, watch| work(index, &on_one_thread(options, watch)))
}

/// How many threads of the options numbers of this length are worth that are tested together to find one prime, each thread having `each` of
/// them. Error: `bad_plan` if nothing has a price.
pub(crate) fn threads_of_search(bits: u64, each: usize, options: &Options<'_>) -> Result<usize, Error> {
    let of_thread = Planner::of_this_machine().powers_of_two_nanoseconds(bits, each)?;
    let is_worth = |threads: usize| options.threads_for(threads as f64 * of_thread) >= threads;
    Ok((2..=options.threads()).rev().find(|&threads| is_worth(threads)).unwrap_or(1))
}

/// Bytes of the numbers that are tested together, beyond one for each thread: so many numbers of some thousand bits fill the lanes of all
/// threads, and longer ones gain nothing side by side.
const BYTES_AT_ONCE: u64 = 1 << 22;

/// How many numbers of this length are made and tested at once: `wanted`, or as many as [`BYTES_AT_ONCE`] hold, but one for each of the
/// threads.
pub(crate) fn numbers_at_once(wanted: usize, threads: usize, bits: u64) -> usize {
    let most = BYTES_AT_ONCE / bits.div_ceil(8).max(1);
    wanted.min(most as usize).max(threads.min(wanted)).max(1)
}

/// Options for one of several threads, under this watch.
fn on_one_thread<'o>(options: &Options<'o>, watch: &'o dyn Watch) -> Options<'o> {
    options.with_watch(Some(watch)).with_deadline(None).with_threads(NonZeroUsize::new(1))
}

#[cfg(test)]
#[path = "../tests/inside/team.rs"]
mod tests;
