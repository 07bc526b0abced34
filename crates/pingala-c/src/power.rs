//! One power, one inverse.

use crate::length::{Cap, admit};
use crate::memory::{In, Out, Text, Unit, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::enter;
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use pingala::{Error, Integer, powmod_with};

/// Both flags.
pub(crate) const BOTH: u32 = PINGALA_NEGATIVE_BASE | PINGALA_NEGATIVE_EXPONENT;

/// out = base^exponent mod modulus. `signs` makes base and exponent negative by PINGALA_NEGATIVE_BASE and PINGALA_NEGATIVE_EXPONENT.
/// `out` must be as long as the modulus without its leading zeros, or longer. Errors: PINGALA_ZERO_MODULUS,
/// PINGALA_NOT_INVERTIBLE, PINGALA_TOO_LONG; with options PINGALA_BAD_PLAN, PINGALA_INTERRUPTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_powmod_be(
    out: *mut u8,
    out_len: usize,
    base: *const u8,
    base_len: usize,
    exponent: *const u8,
    exponent_len: usize,
    modulus: *const u8,
    modulus_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, exponent, modulus, why) = unsafe {
        (
            Out::new(out, out_len),
            In::new(base, base_len, "base"),
            In::new(exponent, exponent_len, "exponent"),
            In::new(modulus, modulus_len, "modulus"),
            Text::new(why, why_len),
        )
    };
    enter(why, || powmod(out, base, exponent, modulus, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_powmod_limbs(
    out: *mut u64,
    out_len: usize,
    base: *const u64,
    base_len: usize,
    exponent: *const u64,
    exponent_len: usize,
    modulus: *const u64,
    modulus_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, exponent, modulus, why) = unsafe {
        (
            Out::new(out, out_len),
            In::new(base, base_len, "base"),
            In::new(exponent, exponent_len, "exponent"),
            In::new(modulus, modulus_len, "modulus"),
            Text::new(why, why_len),
        )
    };
    enter(why, || powmod(out, base, exponent, modulus, signs, options))
}

#[inline]
fn powmod<U: Unit>(
    out: Out<U>,
    base: In<U>,
    exponent: In<U>,
    modulus: In<U>,
    signs: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(signs, BOTH)?;
    // The numbers are made where they stay: a short call feels every move.
    let (base, exponent, modulus) = (base.units()?, exponent.units()?, modulus.units()?);
    admit(base, || Cap::NONE)?;
    admit(exponent, || Cap::exponent(options))?;
    admit(modulus, || Cap::modulus(options))?;
    let modulus = U::natural(modulus);
    out.check(&modulus)?;
    let base = Integer::new(signs & PINGALA_NEGATIVE_BASE != 0, U::natural(base));
    let exponent = Integer::new(signs & PINGALA_NEGATIVE_EXPONENT != 0, U::natural(exponent));
    out.write(&under(options, |options| powmod_with(&base, &exponent, &modulus, options))?)
}

/// out = base^exponent modulo a handle. `out` must be as long as the modulus, or longer. Errors as pingala_powmod_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    out_len: usize,
    base: *const u8,
    base_len: usize,
    exponent: *const u8,
    exponent_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, exponent, why) = unsafe {
        (
            Out::new(out, out_len),
            In::new(base, base_len, "base"),
            In::new(exponent, exponent_len, "exponent"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow(modulus, out, base, exponent, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    out_len: usize,
    base: *const u64,
    base_len: usize,
    exponent: *const u64,
    exponent_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, exponent, why) = unsafe {
        (
            Out::new(out, out_len),
            In::new(base, base_len, "base"),
            In::new(exponent, exponent_len, "exponent"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow(modulus, out, base, exponent, signs, options))
}

#[inline]
fn pow<U: Unit>(
    modulus: Option<&PingalaModulus>,
    out: Out<U>,
    base: In<U>,
    exponent: In<U>,
    signs: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(signs, BOTH)?;
    let modulus = &given(modulus, "modulus")?.0;
    out.check(modulus.value())?;
    let (base, exponent) = (base.units()?, exponent.units()?);
    admit(base, || Cap::NONE)?;
    admit(exponent, || Cap::exponent(options))?;
    let base = Integer::new(signs & PINGALA_NEGATIVE_BASE != 0, U::natural(base));
    let exponent = Integer::new(signs & PINGALA_NEGATIVE_EXPONENT != 0, U::natural(exponent));
    out.write(&under(options, |options| modulus.pow_with(&base, &exponent, options))?)
}

/// out = value^-1 modulo a handle; the flag is PINGALA_NEGATIVE_BASE. Error: PINGALA_NOT_INVERTIBLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_invert_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    out_len: usize,
    value: *const u8,
    value_len: usize,
    signs: u32,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, value, why) =
        unsafe { (Out::new(out, out_len), In::new(value, value_len, "value"), Text::new(why, why_len)) };
    enter(why, || invert(modulus, out, value, signs))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_invert_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    out_len: usize,
    value: *const u64,
    value_len: usize,
    signs: u32,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, value, why) =
        unsafe { (Out::new(out, out_len), In::new(value, value_len, "value"), Text::new(why, why_len)) };
    enter(why, || invert(modulus, out, value, signs))
}

fn invert<U: Unit>(modulus: Option<&PingalaModulus>, out: Out<U>, value: In<U>, signs: u32) -> Result<(), Error> {
    check_signs(signs, PINGALA_NEGATIVE_BASE)?;
    let modulus = &given(modulus, "modulus")?.0;
    out.check(modulus.value())?;
    out.write(&modulus.invert(&value.integer(signs != 0, Cap::NONE)?)?)
}
