//! Threads that one watch stops: some look for one thing, each by attempts of its own; others share a list of work.

use pingala::{Error, Options, Watch};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the calling thread waits for the others before it asks the watch again.
const WAIT: Duration = Duration::from_millis(20);

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

    /// Options for one of the threads.
    fn options<'o>(&'o self, options: &Options<'o>) -> Options<'o> {
        options.with_watch(Some(self)).with_deadline(None).with_threads(NonZeroUsize::new(1))
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
    let inner = team.options(options);
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
    match options.threads() {
        1 => work(),
        n => thread::scope(|scope| {
            // If the system starts fewer, those do the work.
            (1..n).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, work)));
            work();
        }),
    }
    let outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    let found = outcome.unwrap_or(Err(Error::Interrupted))?;
    team.finish();
    Ok(found)
}

/// The number of threads for this number of items.
fn threads_for(items: usize, options: &Options<'_>) -> usize {
    if items < 2 { 1 } else { options.threads().min(items) }
}

/// The results of `work` for 0 .. `count`, in order, computed on the threads of the options. `work` receives options for one thread, whose
/// watch stops all of them. The caller's watch receives the number of items done, times `weight`, if that is above 0.
///
/// Errors: the first of `work`; `interrupted`.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    weight: usize,
    options: &Options<'_>,
    work: impl Fn(usize, &Options<'_>) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let team = Team::new(options.watch(), 1.0);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found: Mutex<Vec<(usize, Result<T, Error>)>> = Mutex::new(Vec::with_capacity(count));
    let keep = |index, result| found.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
    let report = || {
        if let (Some(watch), true) = (options.watch(), weight > 0) {
            watch.progress(weight * done.load(Ordering::Relaxed), weight * count);
        }
    };
    let serve = |is_caller: bool| {
        let own = team.options(options);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || team.stop() {
                break;
            }
            let result = work(index, &own);
            if result.is_err() {
                next.store(count, Ordering::Relaxed);
            }
            keep(index, result);
            done.fetch_add(1, Ordering::Relaxed);
            if is_caller {
                report();
            }
        }
    };
    thread::scope(|scope| {
        let other = || serve(false);
        let start = |_| thread::Builder::new().spawn_scoped(scope, other).ok();
        // If the system starts fewer, those do the work.
        let others: Vec<_> = (1..threads_for(count, options)).map_while(start).collect();
        serve(true);
        while team.outer.is_some() && others.iter().any(|other| !other.is_finished()) {
            thread::park_timeout(WAIT);
            team.stop();
            report();
        }
    });
    if team.is_done.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|(index, _)| *index);
    let results = found.into_iter().map(|(_, result)| result).collect::<Result<Vec<T>, Error>>()?;
    if results.len() == count { Ok(results) } else { Err(Error::Fault("a result is missing")) }
}
