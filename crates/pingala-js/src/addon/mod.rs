//! The addon for Node: functions over Node-API. BigInts cross as words, without text.

// Node-API is a C interface. Everything else of this crate is safe.
#![allow(unsafe_code)]

mod read;
mod task;
mod write;

use crate::calls;
use crate::request::{Answer, Request};
use napi_sys as sys;
use pingala_core::{Error, Watch};
use read::Words;
use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::Once;

/// The environment of a call, valid until it returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Env(sys::napi_env);

impl Env {
    /// Its name among the environments of this process.
    fn owner(self) -> usize {
        self.0 as usize
    }
}

/// A value of JavaScript, valid as long as its environment.
pub(crate) type Value = sys::napi_value;

/// Why a call has no value.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Node-API refused: an exception is pending, or an argument has another type. The package checks types, so this comes from a program
    /// that calls the addon itself.
    Refused,
    Error(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

/// The status of a function of Node-API.
pub(crate) fn check(status: sys::napi_status) -> Result<(), Failure> {
    if status == sys::Status::napi_ok { Ok(()) } else { Err(Failure::Refused) }
}

/// Runs a call; a panic becomes an error.
pub(crate) fn answer(request: &Request, watch: Option<&dyn Watch>) -> Result<Answer, Error> {
    let caught = catch_unwind(AssertUnwindSafe(|| calls::answer(request, watch)));
    caught.unwrap_or(Err(Error::Fault("the library panicked; please report it")))
}

/// The arguments of a call: at most as many as `N`, undefined where there are fewer.
fn arguments<const N: usize>(env: Env, info: sys::napi_callback_info) -> Result<[Value; N], Failure> {
    let (mut values, mut count) = ([null_mut(); N], N);
    // SAFETY: Node passes both to the callback that is running, and `values` has room for `count`.
    check(unsafe { sys::napi_get_cb_info(env.0, info, &mut count, values.as_mut_ptr(), null_mut(), null_mut()) })?;
    Ok(values)
}

/// The value that a callback returns; without one, the pending exception is thrown.
fn finish(env: Env, result: Result<Value, Failure>) -> Value {
    result.unwrap_or_else(|failure| {
        write::throw(env, failure);
        null_mut()
    })
}

/// `pow(base, exponent, modulus)` of BigInts: the one call that has to be short.
unsafe extern "C" fn pow(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    let env = Env(env);
    let run = || {
        let [base, exponent, modulus] = arguments::<3>(env, info)?;
        let [base, exponent, modulus] =
            [Words::read(env, base)?, Words::read(env, exponent)?, Words::read(env, modulus)?];
        if let (Some(base), Some(exponent), Some(modulus)) = (base.word(), exponent.word(), modulus.word())
            && let Some(power) = pingala_core::powmod_word(base, exponent, modulus)
        {
            return write::words(env, &[power]);
        }
        if modulus.is_negative() {
            return Err(Error::NegativeModulus.into());
        }
        let (base, exponent, modulus) = (base.integer(), exponent.integer(), modulus.integer().into_magnitude());
        let caught = catch_unwind(|| pingala_core::powmod(&base, &exponent, &modulus));
        let power = caught.unwrap_or(Err(Error::Fault("the library panicked; please report it")))?;
        write::words(env, power.limbs())
    };
    finish(env, run())
}

/// `call(operation, handle, asBytes, numbers, settings, bytes, texts)`.
unsafe extern "C" fn call(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    let env = Env(env);
    let run = || {
        let (request, as_bytes) = read::request(env, arguments::<7>(env, info)?)?;
        write::answer(env, answer(&request, None)?, as_bytes)
    };
    finish(env, run())
}

/// `start(operation, handle, asBytes, numbers, settings, bytes, texts, report)`: the same on a thread of its own. Returns the number of the task;
/// `report` is called with (0, finished, total), at last with (1, answer) or (2, error).
unsafe extern "C" fn start(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    let env = Env(env);
    let run = || {
        let [operation, handle, form, numbers, settings, bytes, texts, report] = arguments::<8>(env, info)?;
        let (request, as_bytes) = read::request(env, [operation, handle, form, numbers, settings, bytes, texts])?;
        write::number(env, task::start(env, request, as_bytes, report)?.into())
    };
    finish(env, run())
}

/// `stop(task)`: the task ends soon, with `interrupted`, unless it has ended.
unsafe extern "C" fn stop(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    let env = Env(env);
    let run = || {
        let [task] = arguments::<1>(env, info)?;
        task::stop(read::number(env, task)? as u32);
        write::undefined(env)
    };
    finish(env, run())
}

/// `close(handle)`.
unsafe extern "C" fn close(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    let env = Env(env);
    let run = || {
        let [handle] = arguments::<1>(env, info)?;
        crate::handle::close(read::number(env, handle)? as u32);
        write::undefined(env)
    };
    finish(env, run())
}

/// What Node calls when it loads the addon: adds the functions to `exports`.
///
/// # Safety
///
/// Node calls it, once for each of its environments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: sys::napi_env, exports: Value) -> Value {
    static FUNCTIONS: Once = Once::new();
    FUNCTIONS.call_once(|| {
        // SAFETY: the process that calls this is the one whose functions are looked up, and no other thread uses them yet.
        let host = unsafe { sys::setup() };
        // The functions that were found stay where they are until the process ends.
        std::mem::forget(host);
    });
    let functions: [(&CStr, sys::napi_callback); 5] = [
        (c"pow", Some(pow)),
        (c"call", Some(call)),
        (c"start", Some(start)),
        (c"stop", Some(stop)),
        (c"close", Some(close)),
    ];
    let add = |(name, function): (&CStr, sys::napi_callback)| {
        let mut value = null_mut();
        let length = name.count_bytes() as isize;
        // SAFETY: `env` and `exports` are those of this call; `name` is text of that length; the function lives as long as the addon.
        check(unsafe {
            sys::napi_create_function(env, name.as_ptr(), length, function, null_mut::<c_void>(), &mut value)
        })?;
        // SAFETY: as above.
        check(unsafe { sys::napi_set_named_property(env, exports, name.as_ptr(), value) })
    };
    match functions.into_iter().try_for_each(add).and_then(|()| task::end_with(Env(env))) {
        Ok(()) => exports,
        Err(failure) => finish(Env(env), Err(failure)),
    }
}

/// The interface of Node-API that the addon was written for, which Node 12 and later have.
#[unsafe(no_mangle)]
pub extern "C" fn node_api_module_get_api_version_v1() -> i32 {
    6
}

/// The names that the library exports. rustc lists them in a file for the linker, which cargo-zigbuild does not hand on, and without any
/// list a linker for MinGW exports every function of every crate and so keeps them all.
#[cfg(all(windows, target_env = "gnu"))]
#[used]
#[unsafe(link_section = ".drectve")]
static EXPORTS: [u8; 76] = *b" -export:napi_register_module_v1 -export:node_api_module_get_api_version_v1 ";
