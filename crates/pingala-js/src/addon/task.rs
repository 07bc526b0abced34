//! Calls on threads of their own, with progress, that can be stopped.

use super::{Env, Failure, Value, answer, check, write};
use crate::handle;
use crate::request::{Answer, Request};
use napi_sys as sys;
use pingala_core::{Error, Watch};
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Progress is reported at most this often.
const BETWEEN_REPORTS: Duration = Duration::from_millis(40);

/// The tasks that run, by number.
static RUNNING: Mutex<Option<HashMap<u32, Arc<Running>>>> = Mutex::new(None);
static LAST: AtomicU32 = AtomicU32::new(0);

fn with_running<T>(work: impl FnOnce(&mut HashMap<u32, Arc<Running>>) -> T) -> T {
    work(RUNNING.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// A function of JavaScript that other threads may call.
#[derive(Debug)]
struct Function(sys::napi_threadsafe_function);

// SAFETY: Node-API allows every thread to call and to release it.
unsafe impl Send for Function {}

/// A task that runs.
#[derive(Debug)]
struct Running {
    /// The environment that started it.
    owner: usize,
    stop: AtomicBool,
    /// None once it is released: the environment may end before the task, and then frees it.
    function: Mutex<Option<Function>>,
}

impl Running {
    fn function(&self) -> MutexGuard<'_, Option<Function>> {
        self.function.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a message to the thread of JavaScript. One that is ending takes none.
    fn send(&self, message: Message) {
        let mut function = self.function();
        let Some(Function(report)) = *function else { return };
        let data = Box::into_raw(Box::new(message));
        let mode = sys::ThreadsafeFunctionCallMode::nonblocking;
        // SAFETY: nobody has released the function, nor can while it is locked. `deliver` frees the message.
        let status = unsafe { sys::napi_call_threadsafe_function(report, data.cast(), mode) };
        if status != sys::Status::napi_ok {
            // SAFETY: Node did not take it.
            drop(unsafe { Box::from_raw(data) });
        }
        if status == sys::Status::napi_closing {
            // With this status Node has released it.
            *function = None;
        }
    }

    /// Releases the function, if nobody has.
    fn release(&self, mode: sys::napi_threadsafe_function_release_mode) {
        if let Some(Function(report)) = self.function().take() {
            // SAFETY: nobody has released it, and nobody finds it any more.
            unsafe { sys::napi_release_threadsafe_function(report, mode) };
        }
    }
}

/// Makes the end of an environment, of a thread of Node for instance, the end of its tasks and of its objects.
pub(super) fn end_with(env: Env) -> Result<(), Failure> {
    // SAFETY: `ended` only compares the pointer.
    check(unsafe { sys::napi_add_env_cleanup_hook(env.0, Some(ended), env.0.cast()) })
}

/// Runs when an environment ends, before Node frees its functions.
unsafe extern "C" fn ended(env: *mut c_void) {
    let owner = env as usize;
    let its: Vec<_> = with_running(|all| all.values().filter(|task| task.owner == owner).cloned().collect());
    for task in its {
        task.stop.store(true, Ordering::Relaxed);
        task.release(sys::ThreadsafeFunctionReleaseMode::abort);
    }
    handle::close_all(owner);
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
    running: Arc<Running>,
    started: Instant,
    /// Milliseconds after `started`.
    reported: AtomicU64,
}

impl Watch for Task {
    fn stop(&self) -> bool {
        self.running.stop.load(Ordering::Relaxed)
    }

    fn progress(&self, finished: usize, total: usize) {
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.reported.load(Ordering::Relaxed);
        let due = now.saturating_sub(last) >= BETWEEN_REPORTS.as_millis() as u64;
        if due && self.reported.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.running.send(Message::Progress(finished, total));
        }
    }
}

/// Starts a task; returns its number.
pub(super) fn start(env: Env, request: Request, as_bytes: bool, report: Value) -> Result<u32, Failure> {
    let (mut function, name) = (null_mut(), write::text(env, "pingala")?);
    // SAFETY: `env` and the values are those of this call. One user of the function is announced, which `Running` is.
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
    let running = Arc::new(Running {
        owner: env.owner(),
        stop: AtomicBool::new(false),
        function: Mutex::new(Some(Function(function))),
    });
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    with_running(|all| all.insert(number, running.clone()));
    let task = Task { running: running.clone(), started: Instant::now(), reported: AtomicU64::new(0) };
    let work = move || {
        let ended = answer(&request, Some(&task));
        task.running.send(Message::Ended(ended, as_bytes));
        task.running.release(sys::ThreadsafeFunctionReleaseMode::release);
        // At last: the end of the environment finds the task until the function is released.
        with_running(|all| all.remove(&number));
    };
    match std::thread::Builder::new().name("pingala".into()).spawn(work) {
        Ok(_) => Ok(number),
        Err(_) => {
            with_running(|all| all.remove(&number));
            running.release(sys::ThreadsafeFunctionReleaseMode::abort);
            Err(Error::BadArgument("the system gave no thread".into()).into())
        }
    }
}

/// Asks a task to stop.
pub(super) fn stop(number: u32) {
    if let Some(task) = with_running(|all| all.get(&number).cloned()) {
        task.stop.store(true, Ordering::Relaxed);
    }
}
