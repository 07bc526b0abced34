//! Lists of powers and of inverses.

use crate::length::Cap;
use crate::memory::{Answers, Capped, In, Rows, Signs, Text, Unit, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::{bad_argument, enter};
use crate::width::{rows_of, width};
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use pingala::{Error, Integer, Job, Modulus};

/// out[i] = bases[i]^exponents[i] modulo one handle, for `count` rows: those of `out` and `bases` as wide as the modulus WITHOUT its
/// leading zeros (pingala_modulus_width_be), or as wide as pingala_options_set_width declares; those of `exponents` of
/// `exponent_width` bytes. A modulus that was made from a padded buffer needs a declared width. `signs` has a byte of flags for each element, or is NULL for none. The call runs on several
/// threads, and eight powers at a time where the CPU can.
///
/// `status` receives the status of each element; an element with an error gets zeros, `why` tells the first one, and the call
/// succeeds. If `status` is NULL, the first error is that of the call; the other rows are written all the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_list_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    bases: *const u8,
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
    let (answers, bases, exponents, signs, why) = unsafe {
        (
            Answers::new(out, width::<u8>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(bases, width::<u8>(modulus, options), count, "bases"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_list(modulus, answers, bases, exponents, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_list_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    bases: *const u64,
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
    let (answers, bases, exponents, signs, why) = unsafe {
        (
            Answers::new(out, width::<u64>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(bases, width::<u64>(modulus, options), count, "bases"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_list(modulus, answers, bases, exponents, signs, options))
}

fn pow_list<U: Unit>(
    modulus: Option<&PingalaModulus>,
    answers: Answers<U>,
    bases: Rows<U>,
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &rows_of::<U, _>(modulus, options)?.0;
    answers.check(modulus.value())?;
    let signs = Signs::of(&signs, BOTH)?;
    let bases = bases.integers(&signs, PINGALA_NEGATIVE_BASE)?;
    let exponents = exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, Cap::exponent(options))?;
    let jobs = bases.iter().zip(&exponents.numbers).map(|(base, exponent)| Job { base, exponent, modulus });
    let jobs: Vec<Job<'_>> = jobs.collect();
    answers.write_but(under(options, |options| pingala::pow_list(&jobs, options))?, exponents.too_long)
}

/// out[i] = bases[i]^exponents[i] modulo moduli[modulus_of[i]], for `count` rows with these widths in bytes; `out_width` is at least
/// that of the longest modulus. `modulus_of` may be NULL if there are `count` moduli, one each. Otherwise as
/// pingala_modulus_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_pow_list_be(
    out: *mut u8,
    out_width: usize,
    bases: *const u8,
    base_width: usize,
    exponents: *const u8,
    exponent_width: usize,
    moduli: *const Option<&PingalaModulus>,
    moduli_count: usize,
    modulus_of: *const u32,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, bases, exponents, moduli, signs, why) = unsafe {
        (
            Answers::new(out, out_width, status, count, Text::new(why, why_len)),
            Rows::new(bases, base_width, count, "bases"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            Moduli::new(moduli, moduli_count, modulus_of, count),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || List { bases, exponents, moduli, signs }.pow(&answers, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_pow_list_limbs(
    out: *mut u64,
    out_width: usize,
    bases: *const u64,
    base_width: usize,
    exponents: *const u64,
    exponent_width: usize,
    moduli: *const Option<&PingalaModulus>,
    moduli_count: usize,
    modulus_of: *const u32,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, bases, exponents, moduli, signs, why) = unsafe {
        (
            Answers::new(out, out_width, status, count, Text::new(why, why_len)),
            Rows::new(bases, base_width, count, "bases"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            Moduli::new(moduli, moduli_count, modulus_of, count),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || List { bases, exponents, moduli, signs }.pow(&answers, options))
}

/// The moduli of a list, as they are given.
pub(crate) struct Moduli<'a> {
    handles: In<Option<&'a PingalaModulus>>,
    places: In<u32>,
    /// All elements have the first one.
    is_one: bool,
}

impl<'a> Moduli<'a> {
    /// # Safety
    ///
    /// Until the call returns, `moduli` has `moduli_count` handles and `modulus_of` is NULL or has a place for each of `count` elements.
    pub(crate) unsafe fn new(
        moduli: *const Option<&'a PingalaModulus>,
        moduli_count: usize,
        modulus_of: *const u32,
        count: usize,
    ) -> Self {
        // SAFETY: the same contract.
        unsafe {
            let places = In::new(modulus_of, count, "modulus_of");
            Self { handles: In::new(moduli, moduli_count, "moduli"), places, is_one: false }
        }
    }

    /// One modulus for all elements.
    ///
    /// # Safety
    ///
    /// Until the call returns, `modulus` lives.
    pub(crate) unsafe fn one(modulus: *const Option<&'a PingalaModulus>) -> Self {
        // SAFETY: the same contract.
        unsafe {
            Self {
                handles: In::new(modulus, 1, "modulus"),
                places: In::new(core::ptr::null(), 0, "modulus_of"),
                is_one: true,
            }
        }
    }

    /// All of them.
    #[inline(never)]
    pub(crate) fn all(&self) -> Result<Vec<&'a Modulus>, Error> {
        let handles = self.handles.units()?.iter();
        handles.map(|&modulus| Ok(&given(modulus, "one of the moduli")?.0)).collect()
    }

    /// Those of the elements, one after the other. Error: `bad_argument` for an element with a place beyond the end.
    #[inline(never)]
    pub(crate) fn of_each(&self, count: usize) -> Result<Vec<&'a Modulus>, Error> {
        let moduli = self.all()?;
        let places = if self.places.is_null() { None } else { Some(self.places.units()?) };
        let modulus = |element| {
            let place = if self.is_one { 0 } else { places.map_or(element, |places| places[element] as usize) };
            moduli.get(place).copied().ok_or_else(|| bad_argument(format!("there is no modulus {place}")))
        };
        (0..count).map(modulus).collect()
    }
}

/// A list of powers modulo different numbers, as it is given.
pub(crate) struct List<'a, U> {
    pub(crate) bases: Rows<U>,
    pub(crate) exponents: Rows<U>,
    pub(crate) moduli: Moduli<'a>,
    pub(crate) signs: In<u8>,
}

impl<U: Unit> List<'_, U> {
    fn pow(&self, answers: &Answers<U>, options: Option<&PingalaOptions>) -> Result<(), Error> {
        self.moduli.all()?.iter().try_for_each(|modulus| answers.check(modulus.value()))?;
        let (powers, too_long) =
            self.run(options, |jobs| under(options, |options| pingala::pow_list(jobs, options)))?;
        answers.write_but(powers, too_long)
    }

    /// Runs what takes a list of jobs, with 0 for exponents that are too long: returns these as well.
    pub(crate) fn run<T>(
        &self,
        options: Option<&PingalaOptions>,
        run: impl FnOnce(&[Job<'_>]) -> Result<T, Error>,
    ) -> Result<(T, Vec<(usize, Error)>), Error> {
        let signs = Signs::of(&self.signs, BOTH)?;
        let bases = self.bases.integers(&signs, PINGALA_NEGATIVE_BASE)?;
        let Capped { numbers: exponents, too_long } =
            self.exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, Cap::exponent(options))?;
        let moduli = self.moduli.of_each(bases.len())?;
        let job = |((base, exponent), modulus)| Job { base, exponent, modulus };
        Ok((run(&bases.iter().zip(&exponents).zip(moduli).map(job).collect::<Vec<_>>())?, too_long))
    }
}

/// out[i] = base^exponents[i] modulo one handle: powers that share squarings or a table. `base_signs` is the flag of the base,
/// `signs` has those of the exponents. Otherwise as pingala_modulus_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_exp_list_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    base: *const u8,
    base_len: usize,
    base_signs: u32,
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
    let (answers, base, exponents, signs, why) = unsafe {
        (
            Answers::new(out, width::<u8>(modulus, options), status, count, Text::new(why, why_len)),
            In::new(base, base_len, "base"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_exp_list(modulus, answers, (base, base_signs), exponents, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_exp_list_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    base: *const u64,
    base_len: usize,
    base_signs: u32,
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
    let (answers, base, exponents, signs, why) = unsafe {
        (
            Answers::new(out, width::<u64>(modulus, options), status, count, Text::new(why, why_len)),
            In::new(base, base_len, "base"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_exp_list(modulus, answers, (base, base_signs), exponents, signs, options))
}

fn pow_exp_list<U: Unit>(
    modulus: Option<&PingalaModulus>,
    answers: Answers<U>,
    (base, base_signs): (In<U>, u32),
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(base_signs, PINGALA_NEGATIVE_BASE)?;
    let modulus = &rows_of::<U, _>(modulus, options)?.0;
    answers.check(modulus.value())?;
    let base = base.integer(base_signs != 0, Cap::NONE)?;
    let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?;
    let powers = under(options, |options| modulus.pow_exp_list(&base, &exponents.numbers, options))?;
    answers.write_but(powers, exponents.too_long)
}

/// Exponents, of which signs may make each negative.
pub(crate) fn signed_exponents<U: Unit>(exponents: Rows<U>, signs: &In<u8>, cap: Cap) -> Result<Capped, Error> {
    let signs = Signs::of(signs, PINGALA_NEGATIVE_EXPONENT)?;
    exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, cap)
}

/// Values, of which signs may make each negative.
fn signed_values<U: Unit>(values: Rows<U>, signs: &In<u8>) -> Result<Vec<Integer>, Error> {
    let signs = Signs::of(signs, PINGALA_NEGATIVE_BASE)?;
    values.integers(&signs, PINGALA_NEGATIVE_BASE)
}

/// out[i] = bases[i]^exponent modulo one handle: the exponent is recoded once. `exponent_signs` is the flag of the exponent, `signs`
/// has those of the bases. Otherwise as pingala_modulus_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_base_list_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    bases: *const u8,
    exponent: *const u8,
    exponent_len: usize,
    exponent_signs: u32,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, bases, exponent, signs, why) = unsafe {
        (
            Answers::new(out, width::<u8>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(bases, width::<u8>(modulus, options), count, "bases"),
            In::new(exponent, exponent_len, "exponent"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_base_list(modulus, answers, bases, (exponent, exponent_signs), signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_base_list_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    bases: *const u64,
    exponent: *const u64,
    exponent_len: usize,
    exponent_signs: u32,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, bases, exponent, signs, why) = unsafe {
        (
            Answers::new(out, width::<u64>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(bases, width::<u64>(modulus, options), count, "bases"),
            In::new(exponent, exponent_len, "exponent"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_base_list(modulus, answers, bases, (exponent, exponent_signs), signs, options))
}

fn pow_base_list<U: Unit>(
    modulus: Option<&PingalaModulus>,
    answers: Answers<U>,
    bases: Rows<U>,
    (exponent, exponent_signs): (In<U>, u32),
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(exponent_signs, PINGALA_NEGATIVE_EXPONENT)?;
    let modulus = &rows_of::<U, _>(modulus, options)?.0;
    answers.check(modulus.value())?;
    let bases = signed_values(bases, &signs)?;
    let exponent = match exponent.integer(exponent_signs != 0, Cap::exponent(options)) {
        // The error of each element, as it is for one that is little too long.
        Err(error @ Error::TooLong { .. }) => return answers.write(vec![Err(error); bases.len()]),
        exponent => exponent?,
    };
    answers.write(under(options, |options| modulus.pow_base_list(&bases, &exponent, options))?)
}

/// out[i] = values[i]^-1 modulo one handle; about a hundred values share one inversion. A value without an inverse does not affect the
/// others. The flag is PINGALA_NEGATIVE_BASE; otherwise as pingala_modulus_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_invert_list_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    values: *const u8,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, values, signs, why) = unsafe {
        (
            Answers::new(out, width::<u8>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(values, width::<u8>(modulus, options), count, "values"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || invert_list(modulus, answers, values, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_invert_list_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    values: *const u64,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, values, signs, why) = unsafe {
        (
            Answers::new(out, width::<u64>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(values, width::<u64>(modulus, options), count, "values"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || invert_list(modulus, answers, values, signs, options))
}

fn invert_list<U: Unit>(
    modulus: Option<&PingalaModulus>,
    answers: Answers<U>,
    values: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &rows_of::<U, _>(modulus, options)?.0;
    answers.check(modulus.value())?;
    let values = signed_values(values, &signs)?;
    answers.write(under(options, |options| modulus.invert_list(&values, options))?)
}
