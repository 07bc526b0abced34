//! Secret exponents. Copies of secrets are wiped; no number is trimmed on the way.

use crate::memory::{In, Out, Text, Unit, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::enter;
use core::ffi::c_char;
use pingala::{Error, SecretExponent};
use zeroize::Zeroizing;

/// out = base^exponent modulo a handle in constant time: no branch and no address depends on the values of base and exponent. Public
/// are the modulus, the lengths, and `exponent_bits`, the declared width of the exponent. Base and exponent are not negative.
///
/// Modulo secret or known odd factors the power is computed modulo each and checked; with a public exponent in the options every
/// result is checked. The error is then PINGALA_FAULT, and nothing is released: `out` stays as it was. Further errors:
/// PINGALA_BAD_SECRET for an exponent wider than declared, PINGALA_BAD_PLAN for a plan that is not constant-time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_sec_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    out_len: usize,
    base: *const u8,
    base_len: usize,
    exponent: *const u8,
    exponent_len: usize,
    exponent_bits: u64,
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
    enter(why, || pow_sec(modulus, out, base, exponent, exponent_bits, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_sec_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    out_len: usize,
    base: *const u64,
    base_len: usize,
    exponent: *const u64,
    exponent_len: usize,
    exponent_bits: u64,
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
    enter(why, || pow_sec(modulus, out, base, exponent, exponent_bits, options))
}

fn pow_sec<U: Unit>(
    modulus: Option<&PingalaModulus>,
    out: Out<U>,
    base: In<U>,
    exponent: In<U>,
    exponent_bits: u64,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &given(modulus, "modulus")?.0;
    out.check(modulus.value())?;
    let base = Zeroizing::new(U::to_be_bytes(base.units()?));
    let exponent = Zeroizing::new(U::to_be_bytes(exponent.units()?));
    let exponent = SecretExponent::from_be_bytes(&exponent, exponent_bits)?;
    let mut bytes = Zeroizing::new(vec![0; modulus.value().bits().div_ceil(64) as usize * size_of::<u64>()]);
    under(options, |options| modulus.pow_sec_bytes(&base, &exponent, &mut bytes, options))?;
    out.fill(|out| U::of_be_bytes(&bytes, out))
}
