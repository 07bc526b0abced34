//! Tables of a fixed base.

use crate::length::Cap;
use crate::list::signed_exponents;
use crate::memory::{Answers, In, Name, Out, Rows, Text, Unit, check_signs, given, hand_out, take_back};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter};
use crate::width::{MadeFrom, rows_of, width};
use crate::{PINGALA_FOR_SECRETS, PINGALA_IN_LISTS, PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use pingala::{Error, Expected, FixedBase, Options, Uses};

/// A base, a modulus and a table that makes further powers cheaper. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaFixedBase(pub(crate) FixedBase, pub(crate) MadeFrom);

/// Makes a table for powers of `base` with exponents of at most `exponent_bits` bits, either sign, in at most `memory_bytes`.
/// `uses` is about how many powers there will be (0: ten thousand), `kind` has the flags PINGALA_IN_LISTS and PINGALA_FOR_SECRETS. The
/// flag of `signs` is PINGALA_NEGATIVE_BASE. Error: PINGALA_BAD_ARGUMENT if no table fits the memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_new_be(
    fixed: Option<&mut MaybeUninit<*mut PingalaFixedBase>>,
    modulus: Option<&PingalaModulus>,
    base: *const u8,
    base_len: usize,
    signs: u32,
    exponent_bits: u64,
    memory_bytes: u64,
    uses: u64,
    kind: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (base, why) = unsafe { (In::new(base, base_len, "base"), Text::new(why, why_len)) };
    enter(why, || hand_out(fixed, || new(modulus, (base, signs), (exponent_bits, memory_bytes), (uses, kind), options)))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_new_limbs(
    fixed: Option<&mut MaybeUninit<*mut PingalaFixedBase>>,
    modulus: Option<&PingalaModulus>,
    base: *const u64,
    base_len: usize,
    signs: u32,
    exponent_bits: u64,
    memory_bytes: u64,
    uses: u64,
    kind: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (base, why) = unsafe { (In::new(base, base_len, "base"), Text::new(why, why_len)) };
    enter(why, || hand_out(fixed, || new(modulus, (base, signs), (exponent_bits, memory_bytes), (uses, kind), options)))
}

/// What `uses` and `kind` say.
pub(crate) fn uses((powers, kind): (u64, u32)) -> Result<Uses, Error> {
    if kind & !(PINGALA_IN_LISTS | PINGALA_FOR_SECRETS) != 0 {
        return Err(bad_argument(format!("kind has an unknown flag: {kind}")));
    }
    let powers = if powers > 0 { powers } else { Uses::default().powers };
    let mut uses = Uses::new(powers, kind & PINGALA_IN_LISTS != 0);
    uses.secret = kind & PINGALA_FOR_SECRETS != 0;
    Ok(uses)
}

fn new<U: Unit>(
    modulus: Option<&PingalaModulus>,
    (base, signs): (In<U>, u32),
    (exponent_bits, memory_bytes): (u64, u64),
    expected: (u64, u32),
    options: Option<&PingalaOptions>,
) -> Result<PingalaFixedBase, Error> {
    check_signs(signs, PINGALA_NEGATIVE_BASE)?;
    let (PingalaModulus(modulus, made_from), uses) = (given(modulus, "modulus")?, uses(expected)?);
    let base = base.integer(signs != 0, Cap::NONE)?;
    let make = |options: &Options<'_>| FixedBase::for_uses(&base, modulus, exponent_bits, memory_bytes, uses, options);
    under(options, make).map(|fixed| PingalaFixedBase(fixed, *made_from))
}

/// Loads a table that pingala_fixed_base_save wrote, after checking it. `expected` is the modulus that it must have, or NULL for
/// any; pingala_fixed_base_verify checks the file of somebody else. Error: PINGALA_BAD_FILE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_load(
    fixed: Option<&mut MaybeUninit<*mut PingalaFixedBase>>,
    path: *const c_char,
    expected: Option<&PingalaModulus>,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (path, why) = unsafe { (Name::new(path), Text::new(why, why_len)) };
    enter(why, || {
        hand_out(fixed, || {
            let path = path.path()?.ok_or_else(|| bad_argument("path is NULL"))?;
            let made_from = expected.map_or(MadeFrom(0), |modulus| modulus.1);
            let expected = Expected::default().with_modulus(expected.map(|modulus| modulus.0.value()));
            let loaded = under(options, |options| FixedBase::load(&path, &expected, options))?;
            Ok(PingalaFixedBase(loaded, made_from))
        })
    })
}

/// Writes the table to a file; a file that is there is replaced as a whole. Error: PINGALA_BAD_FILE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_save(
    fixed: Option<&PingalaFixedBase>,
    path: *const c_char,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (path, why) = unsafe { (Name::new(path), Text::new(why, why_len)) };
    enter(why, || {
        let path = path.path()?.ok_or_else(|| bad_argument("path is NULL"))?;
        given(fixed, "fixed")?.0.save(&path)
    })
}

/// Computes every entry of the table again and compares. Error: PINGALA_FAULT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_verify(
    fixed: Option<&PingalaFixedBase>,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let why = unsafe { Text::new(why, why_len) };
    enter(why, || {
        let fixed = &given(fixed, "fixed")?.0;
        under(options, |options| fixed.verify(options))
    })
}

/// Frees a table; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_free(fixed: *mut PingalaFixedBase) {
    // SAFETY: the contract of the header.
    unsafe { take_back(fixed) };
}

/// A new handle of the table's modulus; the caller frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_modulus(
    fixed: Option<&PingalaFixedBase>,
    modulus: Option<&mut MaybeUninit<*mut PingalaModulus>>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let why = unsafe { Text::new(why, why_len) };
    enter(why, || {
        hand_out(modulus, || {
            let PingalaFixedBase(fixed, made_from) = given(fixed, "fixed")?;
            Ok(PingalaModulus(fixed.modulus().clone(), *made_from))
        })
    })
}

/// The length of the longest exponent, in bits. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_fixed_base_exponent_bits(fixed: Option<&PingalaFixedBase>) -> u64 {
    fixed.map_or(0, |fixed| fixed.0.exponent_bits())
}

/// Bytes that the table takes. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_fixed_base_table_bytes(fixed: Option<&PingalaFixedBase>) -> u64 {
    fixed.map_or(0, |fixed| fixed.0.table_bytes())
}

/// Writes the base, which is below the modulus.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_base_be(
    fixed: Option<&PingalaFixedBase>,
    out: *mut u8,
    out_len: usize,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, why) = unsafe { (Out::new(out, out_len), Text::new(why, why_len)) };
    enter(why, || out.write(given(fixed, "fixed")?.0.base()))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_base_limbs(
    fixed: Option<&PingalaFixedBase>,
    out: *mut u64,
    out_len: usize,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, why) = unsafe { (Out::new(out, out_len), Text::new(why, why_len)) };
    enter(why, || out.write(given(fixed, "fixed")?.0.base()))
}

/// out = the table's base^exponent; the flag is PINGALA_NEGATIVE_EXPONENT. Of the options only the watch counts. Errors:
/// PINGALA_TOO_LONG for an exponent longer than the table's, PINGALA_NOT_INVERTIBLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_pow_be(
    fixed: Option<&PingalaFixedBase>,
    out: *mut u8,
    out_len: usize,
    exponent: *const u8,
    exponent_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, exponent, why) =
        unsafe { (Out::new(out, out_len), In::new(exponent, exponent_len, "exponent"), Text::new(why, why_len)) };
    enter(why, || pow(fixed, out, exponent, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_pow_limbs(
    fixed: Option<&PingalaFixedBase>,
    out: *mut u64,
    out_len: usize,
    exponent: *const u64,
    exponent_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, exponent, why) =
        unsafe { (Out::new(out, out_len), In::new(exponent, exponent_len, "exponent"), Text::new(why, why_len)) };
    enter(why, || pow(fixed, out, exponent, signs, options))
}

fn pow<U: Unit>(
    fixed: Option<&PingalaFixedBase>,
    out: Out<U>,
    exponent: In<U>,
    signs: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(signs, PINGALA_NEGATIVE_EXPONENT)?;
    let fixed = &given(fixed, "fixed")?.0;
    out.check(fixed.modulus().value())?;
    let exponent = exponent.integer(signs != 0, Cap::of("exponent", fixed.exponent_bits()))?;
    out.write(&under(options, |options| fixed.pow_with(&exponent, options))?)
}

/// out[i] = the table's base^exponents[i], for `count` rows, those of `out` as wide as in pingala_modulus_pow_list_be. `signs`, `status` and `why` are
/// as in pingala_modulus_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_pow_list_be(
    fixed: Option<&PingalaFixedBase>,
    out: *mut u8,
    exponents: *const u8,
    exponent_width: usize,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, exponents, signs, why) = unsafe {
        (
            Answers::new(out, width::<u8>(fixed, options), status, count, Text::new(why, why_len)),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_list(fixed, answers, exponents, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_pow_list_limbs(
    fixed: Option<&PingalaFixedBase>,
    out: *mut u64,
    exponents: *const u64,
    exponent_width: usize,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, exponents, signs, why) = unsafe {
        (
            Answers::new(out, width::<u64>(fixed, options), status, count, Text::new(why, why_len)),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_list(fixed, answers, exponents, signs, options))
}

fn pow_list<U: Unit>(
    fixed: Option<&PingalaFixedBase>,
    answers: Answers<U>,
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let fixed = &rows_of::<U, _>(fixed, options)?.0;
    answers.check(fixed.modulus().value())?;
    let exponents = signed_exponents(exponents, &signs, Cap::of("exponent", fixed.exponent_bits()))?;
    let powers = under(options, |options| fixed.pow_list(&exponents.numbers, options))?;
    answers.write_but(powers, exponents.too_long)
}
