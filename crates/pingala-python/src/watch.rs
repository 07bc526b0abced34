//! The calling thread's eye on work that runs without the interpreter: Ctrl-C, and progress.

use crate::list::refused;
use pingala_core::Watch;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Between two looks for a signal. A look waits for the interpreter if another thread has it (5 ms by default).
const SIGNALS_EVERY: Duration = Duration::from_millis(50);
/// Between two calls of `progress`.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// The callback for elements that are done, and the number of elements with an error, which need no work.
pub struct Progress {
    /// `callable(done, total)`.
    pub callable: Py<PyAny>,
    /// Elements that need no work.
    pub settled: usize,
    /// Elements in all.
    pub total: usize,
}

impl Progress {
    /// Of work of which nothing is settled before it begins. TypeError for what cannot be called.
    pub fn of(callable: &Bound<'_, PyAny>, total: usize) -> PyResult<Self> {
        if !callable.is_callable() {
            return Err(refused("progress", "callable", callable));
        }
        Ok(Self { callable: callable.clone().unbind(), settled: 0, total })
    }
}

/// Attached to the interpreter only on the thread that called, because only there (if it is the main thread) Python
/// runs signal handlers, and because `progress` is promised that thread. On other threads [`Watch::stop`] is one load.
pub struct Caller {
    thread: ThreadId,
    started: Instant,
    /// Milliseconds after `started` of the last look for signals, and of the last call of `progress`.
    looked: AtomicU64,
    told: AtomicU64,
    progress: Option<Progress>,
    finished: AtomicUsize,
    /// What the work says that there is to do.
    reported: AtomicUsize,
    stopped: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

impl Caller {
    /// Watches for the thread that makes it.
    pub fn new(progress: Option<Progress>) -> Self {
        Self {
            thread: thread::current().id(),
            started: Instant::now(),
            looked: AtomicU64::new(0),
            told: AtomicU64::new(0),
            progress,
            finished: AtomicUsize::new(0),
            reported: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            raised: Mutex::new(None),
        }
    }

    /// What a signal handler or `progress` raised.
    pub fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The last total that the work reported.
    pub fn total(&self) -> usize {
        self.reported.load(Relaxed)
    }

    /// Tells `progress` that `finished` elements of the work are done.
    pub fn tell(&self, py: Python<'_>, finished: usize) -> PyResult<()> {
        if let Some(progress) = &self.progress {
            // A total of 0: only the work knows it.
            let total = if progress.total > 0 { progress.total } else { self.reported.load(Relaxed) };
            progress.callable.call1(py, (progress.settled + finished, total))?;
        }
        Ok(())
    }

    /// Lets `progress` take away what it shows, if it can: something else is about to be printed.
    fn clear(&self, py: Python<'_>) {
        if let Some(progress) = &self.progress
            && let Ok(clear) = progress.callable.getattr(py, "clear")
        {
            // What is raised already counts.
            let _ = clear.call0(py);
        }
    }

    /// Whether `every` has passed since `last`, which is then set to now.
    fn is_due(&self, last: &AtomicU64, every: Duration) -> bool {
        let now = self.started.elapsed().as_millis() as u64;
        let due = now.saturating_sub(last.load(Relaxed)) >= every.as_millis() as u64;
        if due {
            last.store(now, Relaxed);
        }
        due
    }

    /// Runs signal handlers and `progress`; what they raise stops the work.
    fn look(&self) {
        let outcome = Python::try_attach(|py| {
            py.check_signals().inspect_err(|_| self.clear(py))?;
            if self.progress.is_some() && self.is_due(&self.told, PROGRESS_EVERY) {
                self.tell(py, self.finished.load(Relaxed))?;
            }
            Ok(())
        });
        // None: the interpreter is shutting down, and the result is not needed.
        if !matches!(outcome, Some(Ok(()))) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = outcome.and_then(Result::err);
            self.stopped.store(true, Relaxed);
        }
    }
}

impl Watch for Caller {
    fn stop(&self) -> bool {
        if thread::current().id() == self.thread
            && !self.stopped.load(Relaxed)
            && self.is_due(&self.looked, SIGNALS_EVERY)
        {
            self.look();
        }
        self.stopped.load(Relaxed)
    }

    fn progress(&self, finished: usize, total: usize) {
        self.reported.store(total, Relaxed);
        self.finished.fetch_max(finished, Relaxed);
        self.stop();
    }
}
