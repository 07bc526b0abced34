//! Ctrl-C, SIGTERM, SIGHUP, a closed window of Windows: end at once, and leave nothing that looks like an output.
//!
//! A thread waits for the signals, removes the temporary file of the output in progress and ends the process. The
//! work itself is not asked to stop: it may be inside one long operation, or waiting for standard input. Work that has
//! something to save says so; it is asked, and only a second signal ends it.

use indicatif::ProgressBar;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state to clean up when the process is interrupted. The thread that renames the temporary file holds the lock meanwhile, so that
/// the file is either removed or whole.
#[derive(Debug)]
pub(crate) struct InProgress {
    /// The output's temporary file: removed when dropped.
    pub(crate) temporary: Option<Aside>,
    /// The bar on the terminal.
    pub(crate) bar: Option<ProgressBar>,
    /// Whether the work polls [`asked`], and ends soon after.
    pub(crate) stops_by_itself: bool,
}

/// The name of a file that goes with this value. A file that has taken another name by then stays.
#[derive(Debug)]
pub(crate) struct Aside(pub(crate) PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

static IN_PROGRESS: Mutex<InProgress> = Mutex::new(InProgress { temporary: None, bar: None, stops_by_itself: false });

/// What is in progress, locked. A panic elsewhere does not spoil it.
pub(crate) fn in_progress() -> MutexGuard<'static, InProgress> {
    IN_PROGRESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first signal that came while the work stops by itself; 0 for none.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// The signal by which work that stops by itself was asked to.
pub(crate) fn asked() -> Option<i32> {
    Some(ASKED.load(Relaxed)).filter(|&signal| signal != 0)
}

/// Does work that polls [`asked`] and ends soon after a signal.
pub(crate) fn stoppable<T>(work: impl FnOnce() -> T) -> T {
    in_progress().stops_by_itself = true;
    let done = work();
    in_progress().stops_by_itself = false;
    done
}

/// Starts to handle the signals; once per process. If that fails, as at a container's limit of threads, the system ends the process
/// by default.
pub(crate) fn watch_signals() {
    static STARTED: std::sync::Once = std::sync::Once::new();
    STARTED.call_once(|| {
        if let Err(error) = watch() {
            crate::print::note(&format!("signals are not watched: {}", crate::failure::plain(&error)));
        }
    });
}

/// Starts the thread that waits for the signals.
#[cfg(unix)]
fn watch() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::sync::mpsc;
    let (send, received) = mpsc::channel();
    // The thread sets the handlers: without the thread nothing would act on the signals that they catch.
    let wait = move || match Signals::new([SIGHUP, SIGINT, SIGTERM]) {
        Ok(mut signals) => {
            let _ = send.send(Ok(()));
            signals.forever().for_each(on_signal);
        }
        Err(error) => drop(send.send(Err(error))),
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait)?;
    received.recv().unwrap_or(Ok(()))
}

/// Ctrl-C, Ctrl-Break, and the end of window, session or system: Windows calls a handler in a thread of its own, which may do
/// whatever any thread may. Not by the runtime of C: it would let the process go before its thread of signals has cleaned up.
#[cfg(windows)]
#[allow(unsafe_code)]
fn watch() -> std::io::Result<()> {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
    const SIGINT: i32 = 2;
    extern "system" fn handler(event: u32) -> i32 {
        on_signal(SIGINT);
        // Work is about to stop by itself. Only after the other events does the process end with this function.
        if !matches!(event, CTRL_C_EVENT | CTRL_BREAK_EVENT) {
            loop {
                std::thread::park();
            }
        }
        1
    }
    // SAFETY: the function is there as long as the process is.
    if unsafe { SetConsoleCtrlHandler(Some(handler), 1) } == 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn watch() -> std::io::Result<()> {
    Ok(())
}

/// Asks the work to stop, or ends the process.
#[cfg(any(unix, windows))]
fn on_signal(signal: i32) {
    let waits = in_progress().stops_by_itself;
    if !waits || ASKED.swap(signal, Relaxed) != 0 {
        end(signal);
    }
}

/// Cleans up and ends the process with the status that shells use: 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM.
#[cfg(any(unix, windows))]
fn end(signal: i32) -> ! {
    // Held until the process is gone: no thread renames or creates an output from here on.
    let mut in_progress = in_progress();
    if let Some(bar) = in_progress.bar.take() {
        bar.finish_and_clear();
    }
    let unfinished = in_progress.temporary.take().is_some();
    let what = if unfinished { "interrupted; no output was written" } else { "interrupted" };
    crate::print::error(crate::failure::INTERRUPTED, what);
    std::process::exit(128 + signal)
}
