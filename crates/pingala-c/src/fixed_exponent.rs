//! Fixed exponents: an addition chain that is searched once, kept in a file, and run modulo any number.

use crate::PINGALA_NEGATIVE_BASE;
use crate::explain::tell;
use crate::length::Cap;
use crate::memory::{Answers, In, Name, Out, Rows, Signs, Text, Unit, check_signs, given, hand_out, take_back};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter};
use crate::width::{MadeFrom, rows_of, width};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::num::NonZeroUsize;
use pingala::exponent::Exponent;
use pingala::{Error, Modulus, PlannedPower, Watch};
use pingala_chains::{FixedExponent, Progress, Search};
use std::time::Duration;

/// An exponent with its addition chain. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaFixedExponent(FixedExponent);

/// A fixed exponent and a modulus with the plan of their powers. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaFixedPower {
    power: PlannedPower,
    pub(crate) modulus: Modulus,
    pub(crate) made_from: MadeFrom,
}

/// The longest exponent for which a chain is searched, in bits.
const LONGEST_BITS: usize = 1 << 16;

/// Searches a chain for an exponent of 1 or more, of at most 65,536 bits. The search ends after so many moves (0: 20 million, some ten
/// seconds), or after so many milliseconds if they are not 0. The same moves and seed find the same chain on every machine; what is
/// found in a time differs. An exponent below 2^20 gets a shortest chain, unless the time is over. Of the
/// options threads and watch count. Not for secrets. Errors: PINGALA_BAD_ARGUMENT, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_search_be(
    fixed: Option<&mut MaybeUninit<*mut PingalaFixedExponent>>,
    exponent: *const u8,
    exponent_len: usize,
    moves: u64,
    milliseconds: u64,
    seed: u64,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (exponent, why) = unsafe { (In::new(exponent, exponent_len, "exponent"), Text::new(why, why_len)) };
    enter(why, || hand_out(fixed, || search(exponent, (moves, milliseconds, seed), options)))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_search_limbs(
    fixed: Option<&mut MaybeUninit<*mut PingalaFixedExponent>>,
    exponent: *const u64,
    exponent_len: usize,
    moves: u64,
    milliseconds: u64,
    seed: u64,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (exponent, why) = unsafe { (In::new(exponent, exponent_len, "exponent"), Text::new(why, why_len)) };
    enter(why, || hand_out(fixed, || search(exponent, (moves, milliseconds, seed), options)))
}

fn search<U: Unit>(
    exponent: In<U>,
    (moves, milliseconds, seed): (u64, u64, u64),
    options: Option<&PingalaOptions>,
) -> Result<PingalaFixedExponent, Error> {
    let exponent = Exponent::new(exponent.natural(Cap::of("exponent", LONGEST_BITS as u64))?)
        .ok_or_else(|| bad_argument("exponent is 0"))?;
    let length = exponent.bits();
    if length > LONGEST_BITS {
        return Err(Error::TooLong { what: "exponent", length: length as u64, cap: LONGEST_BITS as u64 });
    }
    let threads = options.and_then(PingalaOptions::threads);
    let threads = threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    under(options, |options| {
        let budget = Budget { watch: options.watch() };
        let mut search = Search::new(&exponent).with_seed(seed).with_threads(threads);
        if moves > 0 {
            search = search.with_steps(moves);
        }
        if milliseconds > 0 {
            search = search.with_limit(Duration::from_millis(milliseconds));
        }
        let found = search.run_with(&budget)?;
        if budget.watch.is_some_and(|watch| watch.stop()) {
            return Err(Error::Interrupted);
        }
        Ok(PingalaFixedExponent(FixedExponent::new(found.chain)))
    })
}

/// A search that the caller's watch may end.
struct Budget<'w> {
    watch: Option<&'w dyn Watch>,
}

impl Progress for Budget<'_> {
    fn goes_on(&self, moves: u64, _: usize) -> bool {
        self.watch.inspect(|watch| watch.progress(moves as usize, usize::MAX));
        !self.watch.is_some_and(|watch| watch.stop())
    }
}

/// Reads a chain that pingala_fixed_exponent_save or the command `pingala chain search` wrote. Steps that do not lead to the exponent
/// are refused. Error: PINGALA_BAD_FILE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_load(
    fixed: Option<&mut MaybeUninit<*mut PingalaFixedExponent>>,
    path: *const c_char,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (path, why) = unsafe { (Name::new(path), Text::new(why, why_len)) };
    enter(why, || {
        hand_out(fixed, || {
            let path = path.path()?.ok_or_else(|| bad_argument("path is NULL"))?;
            FixedExponent::load(&path).map(PingalaFixedExponent)
        })
    })
}

/// Writes the chain to a file, as JSON; a file that is there is replaced as a whole. Error: PINGALA_BAD_FILE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_save(
    fixed: Option<&PingalaFixedExponent>,
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

/// Frees a fixed exponent; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_free(fixed: *mut PingalaFixedExponent) {
    // SAFETY: the contract of the header.
    unsafe { take_back(fixed) };
}

/// The products of the chain, squarings included. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_fixed_exponent_length(fixed: Option<&PingalaFixedExponent>) -> u64 {
    fixed.map_or(0, |fixed| fixed.0.chain().length() as u64)
}

/// The length of the exponent, in bits. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_fixed_exponent_bits(fixed: Option<&PingalaFixedExponent>) -> u64 {
    fixed.map_or(0, |fixed| fixed.0.exponent().bits() as u64)
}

/// Writes the exponent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_value_be(
    fixed: Option<&PingalaFixedExponent>,
    out: *mut u8,
    out_len: usize,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, why) = unsafe { (Out::new(out, out_len), Text::new(why, why_len)) };
    enter(why, || out.write(given(fixed, "fixed")?.0.exponent().magnitude()))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_value_limbs(
    fixed: Option<&PingalaFixedExponent>,
    out: *mut u64,
    out_len: usize,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, why) = unsafe { (Out::new(out, out_len), Text::new(why, why_len)) };
    enter(why, || out.write(given(fixed, "fixed")?.0.exponent().magnitude()))
}

/// What the chain saves modulo this number against the planner's choice for one call, and when a search pays, as text. `text` and
/// `needed` are as in pingala_modulus_explain_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_explain(
    fixed: Option<&PingalaFixedExponent>,
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, why) = unsafe { (Text::new(text, text_len), Text::new(why, why_len)) };
    enter(why, || {
        let saving = given(fixed, "fixed")?.0.explain(&given(modulus, "modulus")?.0)?;
        tell(text, needed, &saving.to_string());
        Ok(())
    })
}

/// Plans the powers with a fixed exponent modulo one number. The handle needs neither of the two any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_modulo(
    fixed: Option<&PingalaFixedExponent>,
    modulus: Option<&PingalaModulus>,
    power: Option<&mut MaybeUninit<*mut PingalaFixedPower>>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let why = unsafe { Text::new(why, why_len) };
    enter(why, || {
        hand_out(power, || {
            let PingalaModulus(modulus, made_from) = given(modulus, "modulus")?;
            let power = given(fixed, "fixed")?.0.modulo(modulus)?;
            Ok(PingalaFixedPower { power, modulus: modulus.clone(), made_from: *made_from })
        })
    })
}

/// Frees a planned power; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_power_free(power: *mut PingalaFixedPower) {
    // SAFETY: the contract of the header.
    unsafe { take_back(power) };
}

/// out = base^exponent by the chain. The flag is PINGALA_NEGATIVE_BASE. A call with options can be stopped by their watch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_power_pow_be(
    power: Option<&PingalaFixedPower>,
    out: *mut u8,
    out_len: usize,
    base: *const u8,
    base_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, why) =
        unsafe { (Out::new(out, out_len), In::new(base, base_len, "base"), Text::new(why, why_len)) };
    enter(why, || pow(power, out, base, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_power_pow_limbs(
    power: Option<&PingalaFixedPower>,
    out: *mut u64,
    out_len: usize,
    base: *const u64,
    base_len: usize,
    signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, why) =
        unsafe { (Out::new(out, out_len), In::new(base, base_len, "base"), Text::new(why, why_len)) };
    enter(why, || pow(power, out, base, signs, options))
}

fn pow<U: Unit>(
    power: Option<&PingalaFixedPower>,
    out: Out<U>,
    base: In<U>,
    signs: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(signs, PINGALA_NEGATIVE_BASE)?;
    let PingalaFixedPower { power, modulus, .. } = given(power, "power")?;
    out.check(modulus.value())?;
    let base = base.integer(signs != 0, Cap::NONE)?;
    let result = match options {
        None => power.pow(&base),
        // A list of one: the run of a list is watched.
        options => under(options, |options| power.pow_list(&[base], options))?
            .pop()
            .unwrap_or(Err(Error::Fault("a power without a result"))),
    };
    out.write(&result?)
}

/// out[i] = bases[i]^exponent by the chain, for `count` rows, those of `bases` and `out` as wide as in pingala_modulus_pow_list_be: one schedule for eight
/// powers at a time where the CPU can. `signs`, `status` and `why` are as in pingala_modulus_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_power_pow_list_be(
    power: Option<&PingalaFixedPower>,
    out: *mut u8,
    bases: *const u8,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    let row = width::<u8>(power, options);
    // SAFETY: the contract of the header.
    let (answers, bases, signs, why) = unsafe {
        (
            Answers::new(out, row, status, count, Text::new(why, why_len)),
            Rows::new(bases, row, count, "bases"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_list(power, answers, bases, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_power_pow_list_limbs(
    power: Option<&PingalaFixedPower>,
    out: *mut u64,
    bases: *const u64,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    let row = width::<u64>(power, options);
    // SAFETY: the contract of the header.
    let (answers, bases, signs, why) = unsafe {
        (
            Answers::new(out, row, status, count, Text::new(why, why_len)),
            Rows::new(bases, row, count, "bases"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_list(power, answers, bases, signs, options))
}

fn pow_list<U: Unit>(
    power: Option<&PingalaFixedPower>,
    answers: Answers<U>,
    bases: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let PingalaFixedPower { power, modulus, .. } = rows_of::<U, _>(power, options)?;
    answers.check(modulus.value())?;
    let signs = Signs::of(&signs, PINGALA_NEGATIVE_BASE)?;
    let bases = bases.integers(&signs, PINGALA_NEGATIVE_BASE)?;
    answers.write(under(options, |options| power.pow_list(&bases, options))?)
}
