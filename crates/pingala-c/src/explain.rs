//! Plans and their reasons, as text or JSON. Lengths matter to a plan, not time, so these take bytes only.

use crate::fixed_base::{PingalaFixedBase, uses};
use crate::length::Cap;
use crate::list::{List, Moduli, signed_exponents};
use crate::memory::{In, Rows, Signs, Text, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::product::ProductList;
use crate::status::{bad_argument, enter};
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use pingala::plan::Summary;
use pingala::{Error, FixedBase, Integer, Options};

/// Format: the plan as one line, which pingala_options_set_plan accepts.
pub const PINGALA_PLAN: u32 = 0;
/// Format: two sentences, then at most twelve candidates.
pub const PINGALA_TEXT: u32 = 1;
/// Format: two sentences, then all candidates.
pub const PINGALA_TEXT_ALL: u32 = 2;
/// Format: JSON with all candidates; the fields are those of `pingala explain --json`.
pub const PINGALA_JSON: u32 = 3;

/// Where an explanation goes.
struct Reader<'a> {
    text: Text,
    needed: Option<&'a mut MaybeUninit<usize>>,
    format: u32,
}

/// Writes a text, and what it needs.
pub(crate) fn tell(text: Text, needed: Option<&mut MaybeUninit<usize>>, told: &str) {
    text.write(told);
    if let Some(needed) = needed {
        needed.write(told.len() + 1);
    }
}

impl Reader<'_> {
    /// Writes a text.
    fn take(self, told: &str) {
        tell(self.text, self.needed, told);
    }

    /// Writes an explanation in the format that is asked for.
    #[inline(never)]
    fn read(self, summary: Result<Summary, Error>) -> Result<(), Error> {
        let told = match self.format {
            PINGALA_PLAN => summary?.plan,
            PINGALA_TEXT => summary?.to_string(),
            PINGALA_TEXT_ALL => format!("{:#}", summary?),
            PINGALA_JSON => pingala_study::json(&summary?),
            format => return Err(bad_argument(format!("{format} is no format"))),
        };
        self.take(&told);
        Ok(())
    }
}

/// The plan of pingala_modulus_pow_be with these arguments, and why it was chosen, in one of the formats. `text` receives as much as
/// fits, with a zero byte at its end; `*needed`, unless NULL, the bytes of the whole text with that byte. `text` may be NULL if
/// `text_len` is 0. Errors: PINGALA_BAD_PLAN; PINGALA_NOT_INVERTIBLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_explain_be(
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    format: u32,
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
    let (text, base, exponent, why) = unsafe {
        (
            Text::new(text, text_len),
            In::new(base, base_len, "base"),
            In::new(exponent, exponent_len, "exponent"),
            Text::new(why, why_len),
        )
    };
    enter(why, || {
        check_signs(signs, BOTH)?;
        let modulus = &given(modulus, "modulus")?.0;
        let base: Integer = base.integer(signs & PINGALA_NEGATIVE_BASE != 0, Cap::NONE)?;
        let exponent = exponent.integer(signs & PINGALA_NEGATIVE_EXPONENT != 0, Cap::exponent(options))?;
        let explained = under(options, |options| modulus.explain(&base, &exponent, options));
        Reader { text, needed, format }.read(explained.map(|explained| explained.summary()))
    })
}

/// The same for pingala_modulus_pow_exp_list_be: one base and these exponents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_explain_exp_list_be(
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    format: u32,
    exponents: *const u8,
    exponent_width: usize,
    count: usize,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, exponents, signs, why) = unsafe {
        (
            Text::new(text, text_len),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || {
        let modulus = &given(modulus, "modulus")?.0;
        let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?.all()?;
        let explained = under(options, |options| modulus.explain_exp_list(&exponents, options));
        Reader { text, needed, format }.read(explained.map(|explained| explained.summary()))
    })
}

/// The same for pingala_modulus_pow_base_list_be, and for pingala_modulus_pow_list_be with exponents of this length: `count` bases and
/// this exponent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_explain_base_list_be(
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    format: u32,
    bases: *const u8,
    base_width: usize,
    count: usize,
    exponent: *const u8,
    exponent_len: usize,
    exponent_signs: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, bases, exponent, why) = unsafe {
        (
            Text::new(text, text_len),
            Rows::new(bases, base_width, count, "bases"),
            In::new(exponent, exponent_len, "exponent"),
            Text::new(why, why_len),
        )
    };
    enter(why, || {
        check_signs(exponent_signs, PINGALA_NEGATIVE_EXPONENT)?;
        let modulus = &given(modulus, "modulus")?.0;
        let (bases, exponent) = (
            bases.integers(&Signs::none(), PINGALA_NEGATIVE_BASE)?,
            exponent.integer(exponent_signs != 0, Cap::exponent(options))?,
        );
        let explained = under(options, |options| modulus.explain_base_list(&bases, &exponent, options));
        Reader { text, needed, format }.read(explained.map(|explained| explained.summary()))
    })
}

/// The same for pingala_modulus_pow_product_be with these exponents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_explain_product_be(
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    format: u32,
    exponents: *const u8,
    exponent_width: usize,
    count: usize,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, exponents, signs, why) = unsafe {
        (
            Text::new(text, text_len),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || {
        let modulus = &given(modulus, "modulus")?.0;
        let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?.all()?;
        let explained = under(options, |options| modulus.explain_product(&exponents, options));
        Reader { text, needed, format }.read(explained.map(|explained| explained.summary()))
    })
}

/// The same for pingala_modulus_repeated_square_be with so many squarings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_explain_repeated_square(
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    format: u32,
    squarings: u64,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, why) = unsafe { (Text::new(text, text_len), Text::new(why, why_len)) };
    enter(why, || {
        let modulus = &given(modulus, "modulus")?.0;
        let explained = under(options, |options| modulus.explain_repeated_square(squarings, options));
        Reader { text, needed, format }.read(explained.map(|explained| explained.summary()))
    })
}

/// The same for pingala_fixed_base_new_be with these arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_explain_be(
    modulus: Option<&PingalaModulus>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    format: u32,
    base: *const u8,
    base_len: usize,
    signs: u32,
    exponent_bits: u64,
    memory_bytes: u64,
    powers: u64,
    kind: u32,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, base, why) =
        unsafe { (Text::new(text, text_len), In::new(base, base_len, "base"), Text::new(why, why_len)) };
    enter(why, || {
        check_signs(signs, PINGALA_NEGATIVE_BASE)?;
        let (modulus, uses) = (&given(modulus, "modulus")?.0, uses((powers, kind))?);
        let base = base.integer(signs != 0, Cap::NONE)?;
        let explain =
            |options: &Options<'_>| FixedBase::explain(&base, modulus, exponent_bits, memory_bytes, uses, options);
        Reader { text, needed, format }.read(under(options, explain).map(|explained| explained.summary()))
    })
}

/// The plan of pingala_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_plan_list_be(
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    bases: *const u8,
    base_width: usize,
    exponents: *const u8,
    exponent_width: usize,
    moduli: *const Option<&PingalaModulus>,
    moduli_count: usize,
    modulus_of: *const u32,
    count: usize,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, list, why) = unsafe {
        let list = List {
            bases: Rows::new(bases, base_width, count, "bases"),
            exponents: Rows::new(exponents, exponent_width, count, "exponents"),
            moduli: Moduli::new(moduli, moduli_count, modulus_of, count),
            signs: In::new(signs, count, "signs"),
        };
        (Text::new(text, text_len), list, Text::new(why, why_len))
    };
    enter(why, || {
        let (plan, _) = list.run(options, |jobs| under(options, |options| pingala::plan_list(jobs, options)))?;
        Reader { text, needed, format: PINGALA_PLAN }.take(&plan.to_string());
        Ok(())
    })
}

/// The same for pingala_pow_product_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_plan_product_list_be(
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    bases: *const u8,
    base_width: usize,
    exponents: *const u8,
    exponent_width: usize,
    factor_count: usize,
    ends: *const u64,
    moduli: *const Option<&PingalaModulus>,
    moduli_count: usize,
    modulus_of: *const u32,
    count: usize,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, list, why) = unsafe {
        let list = ProductList {
            bases: Rows::new(bases, base_width, factor_count, "bases"),
            exponents: Rows::new(exponents, exponent_width, factor_count, "exponents"),
            ends: In::new(ends, count, "ends"),
            moduli: Moduli::new(moduli, moduli_count, modulus_of, count),
            signs: In::new(signs, factor_count, "signs"),
        };
        (Text::new(text, text_len), list, Text::new(why, why_len))
    };
    enter(why, || {
        let (plan, _) =
            list.run(options, |products| under(options, |options| pingala::plan_product_list(products, options)))?;
        Reader { text, needed, format: PINGALA_PLAN }.take(&plan.to_string());
        Ok(())
    })
}

/// The plan that a table's powers follow, as a line, which gives the same table to pingala_fixed_base_new_be. `text` and `needed` are as
/// in pingala_modulus_explain_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_plan(
    fixed: Option<&PingalaFixedBase>,
    text: *mut c_char,
    text_len: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (text, why) = unsafe { (Text::new(text, text_len), Text::new(why, why_len)) };
    enter(why, || {
        let plan = given(fixed, "fixed")?.0.plan();
        Reader { text, needed, format: PINGALA_PLAN }.take(&plan.to_string());
        Ok(())
    })
}
