//! Statuses: what a call returns, their names, and the one door that every call goes through.

use crate::memory::Text;
use core::any::Any;
use core::ffi::CStr;
use pingala::Error;
use pingala_verify::Reason;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Success.
pub const PINGALA_OK: i32 = 0;
/// Text that is not a number.
pub const PINGALA_NOT_A_NUMBER: i32 = 1;
/// A length beyond its limit.
pub const PINGALA_TOO_LONG: i32 = 2;
/// The modulus is 0.
pub const PINGALA_ZERO_MODULUS: i32 = 3;
/// The modulus is negative.
pub const PINGALA_NEGATIVE_MODULUS: i32 = 4;
/// A value has no inverse modulo the modulus.
pub const PINGALA_NOT_INVERTIBLE: i32 = 5;
/// The given factors do not fit the modulus.
pub const PINGALA_WRONG_FACTORS: i32 = 6;
/// A plan or kernel that is not valid, or does not fit the problem, this CPU or a secret.
pub const PINGALA_BAD_PLAN: i32 = 7;
/// A secret exponent that is wider than declared.
pub const PINGALA_BAD_SECRET: i32 = 8;
/// An argument out of range: NULL, a buffer that is too short, an unknown flag.
pub const PINGALA_BAD_ARGUMENT: i32 = 9;
/// The stop word was not 0.
pub const PINGALA_INTERRUPTED: i32 = 10;
/// A result failed its check and was not released.
pub const PINGALA_FAULT: i32 = 11;
/// A file that cannot be read or written, or has unexpected content.
pub const PINGALA_BAD_FILE: i32 = 12;
/// A signature does not belong to the message and the key.
pub const PINGALA_MISMATCH: i32 = 20;
/// The bytes of a signature are not in the stated encoding.
pub const PINGALA_BAD_ENCODING: i32 = 21;
/// A number of a signature is out of range.
pub const PINGALA_OUT_OF_RANGE: i32 = 22;
/// The policy refuses a key or a hash function, or the key is restricted to other schemes.
pub const PINGALA_POLICY: i32 = 23;
/// A key is too short for the padding of a signature.
pub const PINGALA_KEY_TOO_SHORT: i32 = 24;
/// An error that this version of the interface has no number for.
pub const PINGALA_OTHER: i32 = 99;
/// A bug of the library: the call panicked. Please report it.
pub const PINGALA_PANIC: i32 = 100;

/// Every status with its name. A number keeps its meaning for good.
pub(crate) const STATUSES: [(i32, &CStr); 20] = [
    (PINGALA_OK, c"ok"),
    (PINGALA_NOT_A_NUMBER, c"not_a_number"),
    (PINGALA_TOO_LONG, c"too_long"),
    (PINGALA_ZERO_MODULUS, c"zero_modulus"),
    (PINGALA_NEGATIVE_MODULUS, c"negative_modulus"),
    (PINGALA_NOT_INVERTIBLE, c"not_invertible"),
    (PINGALA_WRONG_FACTORS, c"wrong_factors"),
    (PINGALA_BAD_PLAN, c"bad_plan"),
    (PINGALA_BAD_SECRET, c"bad_secret"),
    (PINGALA_BAD_ARGUMENT, c"bad_argument"),
    (PINGALA_INTERRUPTED, c"interrupted"),
    (PINGALA_FAULT, c"fault"),
    (PINGALA_BAD_FILE, c"bad_file"),
    (PINGALA_MISMATCH, c"mismatch"),
    (PINGALA_BAD_ENCODING, c"bad_encoding"),
    (PINGALA_OUT_OF_RANGE, c"out_of_range"),
    (PINGALA_POLICY, c"policy"),
    (PINGALA_KEY_TOO_SHORT, c"key_too_short"),
    (PINGALA_OTHER, c"other"),
    (PINGALA_PANIC, c"panic"),
];

pub(crate) fn name(status: i32) -> &'static CStr {
    STATUSES.iter().find(|(number, _)| *number == status).map_or(c"unknown", |(_, name)| name)
}

/// The status of an error, by its code.
pub(crate) fn number(error: &Error) -> i32 {
    of_code(error.code())
}

/// The status of a verdict's reason.
pub(crate) fn reason_number(reason: Reason) -> i32 {
    of_code(reason.code())
}

fn of_code(code: &str) -> i32 {
    let code = code.as_bytes();
    STATUSES.iter().find(|(_, name)| name.to_bytes() == code).map_or(PINGALA_OTHER, |(number, _)| *number)
}

/// `bad_argument` with this message.
#[cold]
pub(crate) fn bad_argument(why: impl Into<String>) -> Error {
    Error::BadArgument(why.into())
}

/// Runs a call: its error, or its panic, becomes the status and the message.
#[inline]
pub(crate) fn enter(why: Text, call: impl FnOnce() -> Result<(), Error>) -> i32 {
    why.clear();
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => PINGALA_OK,
        Ok(Err(error)) => failed(&why, &error),
        Err(payload) => panicked(&why, payload),
    }
}

#[cold]
fn panicked(why: &Text, payload: Box<dyn Any + Send>) -> i32 {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    why.write(message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message"));
    // Its destructor could panic.
    core::mem::forget(payload);
    PINGALA_PANIC
}

#[cold]
fn failed(why: &Text, error: &Error) -> i32 {
    why.write(&error.to_string());
    number(error)
}
