//! Threads that look for one thing, each by attempts of its own.

use pingala::{Error, Options, Watch};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The watch of a search: it stops the others when one thread has found something, and reports the attempts.
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

/// Repeats attempts on all threads until one has a result. `attempt(team, options)` returns none if it found nothing, and counts what it
/// did; its options have one thread and a watch that stops it. Errors: `interrupted`, and those of attempts.
pub(crate) fn race<T: Send>(
    options: &Options<'_>,
    expected: f64,
    attempt: impl Fn(&Team<'_>, &Options<'_>) -> Result<Option<T>, Error> + Sync,
) -> Result<T, Error> {
    let team = Team::new(options.watch(), expected);
    let inner = options.with_watch(Some(&team)).with_deadline(None).with_threads(NonZeroUsize::new(1));
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
            let mut outcome = outcome.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            outcome.get_or_insert(found);
            team.is_done.store(true, Ordering::Relaxed);
        }
    };
    match options.threads() {
        1 => work(),
        n => thread::scope(|scope| {
            // If the system starts fewer, those do the work.
            (1..n).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, work)));
            work();
        }),
    }
    let outcome = outcome.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let found = outcome.unwrap_or(Err(Error::Interrupted))?;
    team.finish();
    Ok(found)
}
