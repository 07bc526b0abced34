//! Calls on threads of their own, with progress, that can be stopped.

use super::{Env, Failure, Value, answer, check, write};
use crate::request::{Answer, Request};
use napi_sys as sys;
use pingala::{Error, Watch};
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Progress is reported at most this often.
const BETWEEN_REPORTS: Duration = Duration::from_millis(40);

/// What stops the tasks that run, by number.
static STOPS: Mutex<Option<HashMap<u32, Arc<AtomicBool>>>> = Mutex::new(None);
static LAST: AtomicU32 = AtomicU32::new(0);

fn with_stops<T>(work: impl FnOnce(&mut HashMap<u32, Arc<AtomicBool>>) -> T) -> T {
    work(STOPS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// A function of JavaScript that other threads may call.
#[derive(Clone, Copy)]
struct Report(sys::napi_threadsafe_function);

// SAFETY: Node-API allows every thread to call and to release it.
unsafe impl Send for Report {}
// SAFETY: as above.
unsafe impl Sync for Report {}

impl Report {
    /// Hands a message to the thread of JavaScript. One that is ending takes none.
    fn send(&self, message: Message) {
        let data = Box::into_raw(Box::new(message));
        let mode = sys::ThreadsafeFunctionCallMode::nonblocking;
        // SAFETY: the task has not released the function. `deliver` frees the message.
        let status = unsafe { sys::napi_call_threadsafe_function(self.0, data.cast(), mode) };
        if status != sys::Status::napi_ok {
            // SAFETY: Node did not take it.
            drop(unsafe { Box::from_raw(data) });
        }
    }
}

/// What a task reports.
enum Message {
    Progress(usize, usize),
    Ended(Result<Answer, Error>, bool),
}

/// Calls the function of JavaScript, on its thread.
unsafe extern "C" fn deliver(env: sys::napi_env, function: Value, _: *mut c_void, data: *mut c_void) {
    // SAFETY: `send` made it, and Node delivers it once.
    let message = unsafe { Box::from_raw(data.cast::<Message>()) };
    // At the end of an environment messages are only freed.
    if env.is_null() || function.is_null() {
        return;
    }
    let env = Env(env);
    let run = || {
        let values = match *message {
            Message::Progress(finished, total) => {
                [write::number(env, 0.0)?, write::number(env, finished as f64)?, write::number(env, total as f64)?]
            }
            Message::Ended(ended, as_bytes) => {
                match ended.map_err(Failure::Error).and_then(|ended| write::answer(env, ended, as_bytes)) {
                    Ok(value) => [write::number(env, 1.0)?, value, write::undefined(env)?],
                    Err(Failure::Error(error)) => {
                        [write::number(env, 2.0)?, write::error_value(env, &error)?, write::undefined(env)?]
                    }
                    Err(refused) => return Err(refused),
                }
            }
        };
        let this = write::undefined(env)?;
        // SAFETY: values of this environment; the result is not asked for.
        check(unsafe { sys::napi_call_function(env.0, this, function, values.len(), values.as_ptr(), null_mut()) })
    };
    // Of an exception that is pending here Node tells the program.
    let _: Result<(), Failure> = run();
}

/// The watch of a task.
struct Task {
    stop: Arc<AtomicBool>,
    report: Report,
    started: Instant,
    /// Milliseconds after `started`.
    reported: AtomicU64,
}

impl Watch for Task {
    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn progress(&self, finished: usize, total: usize) {
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.reported.load(Ordering::Relaxed);
        let due = now.saturating_sub(last) >= BETWEEN_REPORTS.as_millis() as u64;
        if due && self.reported.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.report.send(Message::Progress(finished, total));
        }
    }
}

/// Starts a task; returns its number.
pub(super) fn start(env: Env, request: Request, as_bytes: bool, report: Value) -> Result<u32, Failure> {
    let (mut function, name) = (null_mut(), write::text(env, "pingala")?);
    // SAFETY: `env` and the values are those of this call. One thread uses the function, and releases it.
    check(unsafe {
        sys::napi_create_threadsafe_function(
            env.0,
            report,
            null_mut(),
            name,
            0,
            1,
            null_mut(),
            None,
            null_mut(),
            Some(deliver),
            &mut function,
        )
    })?;
    let (report, stop) = (Report(function), Arc::new(AtomicBool::new(false)));
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    with_stops(|stops| stops.insert(number, stop.clone()));
    let task = Task { stop, report, started: Instant::now(), reported: AtomicU64::new(0) };
    let work = move || {
        let ended = answer(&request, Some(&task));
        with_stops(|stops| stops.remove(&number));
        let report = task.report;
        report.send(Message::Ended(ended, as_bytes));
        // SAFETY: this thread is the one user, and uses it no more.
        unsafe { sys::napi_release_threadsafe_function(report.0, sys::ThreadsafeFunctionReleaseMode::release) };
    };
    match std::thread::Builder::new().name("pingala".into()).spawn(work) {
        Ok(_) => Ok(number),
        Err(_) => {
            with_stops(|stops| stops.remove(&number));
            // SAFETY: no thread uses it.
            unsafe { sys::napi_release_threadsafe_function(report.0, sys::ThreadsafeFunctionReleaseMode::abort) };
            Err(Error::BadArgument("the system gave no thread".into()).into())
        }
    }
}

/// Asks a task to stop.
pub(super) fn stop(number: u32) {
    let stop = with_stops(|stops| stops.get(&number).cloned());
    stop.inspect(|stop| stop.store(true, Ordering::Relaxed));
}
