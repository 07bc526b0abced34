//! The C ABI. `include/pingala.h` is made from these files by cbindgen; docs/c.md is the page for its users.
//!
//! Scalars, plain memory and opaque handles cross the border; no struct, no callback. The macro `entry!` defines a function of the ABI,
//! and its twin for limbs: it turns pointers into the types of `memory.rs`, which is all that is unsafe about it, and runs the body, in
//! which `U` is the unit: `u8` or `u64`. No function lets a panic out: `status::enter`.
#![allow(unsafe_code)]
// The contract of every entry is that of the header: memory as long as its length says, handles from this library.
#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]

#[cfg(panic = "abort")]
compile_error!("the C ABI returns a status for a panic, which needs panic=unwind");

#[macro_use]
mod entry;

mod length;
mod memory;
mod rows;
#[cfg(test)]
mod tests;
mod unit;

// In the order of the header, which is for people to read.
mod status;

mod options;

mod modulus;

mod power;

mod list;

mod multiply;
mod product;

mod fixed_base;

mod fixed_exponent;

mod squaring;

mod width;

mod secret;

mod explain;

mod verify;

mod primes;
mod symbols;

use core::ffi::c_char;

/// The number of this interface. It grows when functions are added, and only then; a change that breaks a program gets another
/// soname.
pub const PINGALA_ABI: u32 = 3;

/// Flag of `kind`: most of a table's powers come in lists.
pub const PINGALA_IN_LISTS: u32 = 1;
/// Flag of `kind`: the exponents are secret, for pingala_fixed_base_pow_sec_list_be; the modulus must be odd.
pub const PINGALA_FOR_SECRETS: u32 = 2;

/// Flag of `signs`: the base, or the value to invert, is negative.
pub const PINGALA_NEGATIVE_BASE: u32 = 1;
/// Flag of `signs`: the exponent is negative.
pub const PINGALA_NEGATIVE_EXPONENT: u32 = 2;

/// The ABI number of the library that was loaded. It must be at least the `PINGALA_ABI` of the header that the program was compiled
/// with.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_abi() -> u32 {
    PINGALA_ABI
}

/// The version of the library, such as "0.4.0". Static memory.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The stable name of a status, such as "not_invertible": the code of the error in Rust and Python. "ok" for 0, "unknown" for a
/// number that is no status. Static memory.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_status_name(status: i32) -> *const c_char {
    status::name(status).as_ptr()
}

/// Panics, in builds that test whether a panic becomes a status.
#[cfg(pingala_planted_panic)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_planted_panic(why: *mut c_char, why_len: usize) -> i32 {
    // SAFETY: the contract of the header.
    let why = unsafe { memory::Text::new(why, why_len) };
    status::enter(why, || panic!("planted"))
}
