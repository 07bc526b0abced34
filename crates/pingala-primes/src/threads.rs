//! Work that is handed out to several threads, and that one watch stops.

use pingala::{Error, Options, Watch};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How long the calling thread waits for the others before it asks the watch again.
const WAIT: Duration = Duration::from_millis(20);

/// The caller's watch, and whether another thread has to stop. A watch may see a stop on the calling thread alone.
struct Shared<'a> {
    watch: Option<&'a dyn Watch>,
    stopped: AtomicBool,
}

impl Watch for Shared<'_> {
    fn stop(&self) -> bool {
        if self.watch.is_some_and(|watch| watch.stop()) {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }
}

/// The threads that work on so many items.
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
    let shared = Shared { watch: options.watch(), stopped: AtomicBool::new(false) };
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found: Mutex<Vec<(usize, Result<T, Error>)>> = Mutex::new(Vec::with_capacity(count));
    let keep = |index, result| found.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
    let report = || {
        if let (Some(watch), true) = (options.watch(), weight > 0) {
            watch.progress(weight * done.load(Ordering::Relaxed), weight * count);
        }
    };
    let serve = |is_caller: bool| {
        let own = options.with_threads(NonZeroUsize::new(1)).with_watch(Some(&shared)).with_deadline(None);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || shared.stop() {
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
    std::thread::scope(|scope| {
        let other = || serve(false);
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, other).ok();
        // If the system starts fewer, those do the work.
        let others: Vec<_> = (1..threads_for(count, options)).map_while(start).collect();
        serve(true);
        while shared.watch.is_some() && others.iter().any(|other| !other.is_finished()) {
            std::thread::park_timeout(WAIT);
            shared.stop();
            report();
        }
    });
    if shared.stopped.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|(index, _)| *index);
    let results = found.into_iter().map(|(_, result)| result).collect::<Result<Vec<T>, Error>>()?;
    if results.len() == count { Ok(results) } else { Err(Error::Fault("a result is missing")) }
}
