//! Statuses: what a call returns, their names, and the one door that every call goes through.

use crate::memory::Text;
use core::any::Any;
use core::ffi::CStr;
use pingala_core::Error;
use pingala_verify::Reason;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Defines each status with its name, and the table of all.
macro_rules! statuses {
    ($($(#[$doc:meta])* $status:ident = $number:literal, $name:literal;)*) => {
        $($(#[$doc])* pub const $status: i32 = $number;)*

        /// Every status with its name. A number keeps its meaning for good.
        pub(crate) const STATUSES: [(i32, &CStr); 20] = [$(($status, $name)),*];
    };
}

statuses! {
    /// Success.
    PINGALA_OK = 0, c"ok";
    /// Text that is not a number.
    PINGALA_NOT_A_NUMBER = 1, c"not_a_number";
    /// A length beyond its limit.
    PINGALA_TOO_LONG = 2, c"too_long";
    /// The modulus is 0.
    PINGALA_ZERO_MODULUS = 3, c"zero_modulus";
    /// The modulus is negative.
    PINGALA_NEGATIVE_MODULUS = 4, c"negative_modulus";
    /// A value has no inverse modulo the modulus.
    PINGALA_NOT_INVERTIBLE = 5, c"not_invertible";
    /// The given factors do not fit the modulus.
    PINGALA_WRONG_FACTORS = 6, c"wrong_factors";
    /// A plan or kernel that is not valid, or does not fit the problem, this CPU or a secret.
    PINGALA_BAD_PLAN = 7, c"bad_plan";
    /// A secret exponent that is wider than declared.
    PINGALA_BAD_SECRET = 8, c"bad_secret";
    /// An argument out of range: NULL, a buffer that is too short, an unknown flag.
    PINGALA_BAD_ARGUMENT = 9, c"bad_argument";
    /// The stop word was not 0.
    PINGALA_INTERRUPTED = 10, c"interrupted";
    /// A result failed its check and was not released.
    PINGALA_FAULT = 11, c"fault";
    /// A file that cannot be read or written, or has unexpected content.
    PINGALA_BAD_FILE = 12, c"bad_file";
    /// A signature does not belong to the message and the key.
    PINGALA_MISMATCH = 20, c"mismatch";
    /// The bytes of a signature are not in the stated encoding.
    PINGALA_BAD_ENCODING = 21, c"bad_encoding";
    /// A number of a signature is out of range.
    PINGALA_OUT_OF_RANGE = 22, c"out_of_range";
    /// The policy refuses a key or a hash function, or the key is restricted to other schemes.
    PINGALA_POLICY = 23, c"policy";
    /// A key is too short for the padding of a signature.
    PINGALA_KEY_TOO_SHORT = 24, c"key_too_short";
    /// An error that this version of the interface has no number for.
    PINGALA_OTHER = 99, c"other";
    /// A bug of the library: the call panicked. Please report it.
    PINGALA_PANIC = 100, c"panic";
}

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
