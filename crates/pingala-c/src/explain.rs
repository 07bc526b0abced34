//! Plans and their reasons, as text or JSON.

use crate::fixed_base::{PingalaFixedBase, read_uses};
use crate::length::Cap;
use crate::list::{Moduli, Operands, signed_exponents};
use crate::memory::{In, Rows, Signs, Text, Unit, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::{bad_argument, enter};
use crate::width::{rows_of, width};
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use pingala::plan::Summary;
use pingala::{Error, FixedBase, Options};

/// Format: the plan as one line, which pingala_options_set_plan accepts.
pub const PINGALA_PLAN: u32 = 0;
/// Format: two sentences, then at most twelve candidates.
pub const PINGALA_TEXT: u32 = 1;
/// Format: two sentences, then all candidates.
pub const PINGALA_TEXT_ALL: u32 = 2;
/// Format: JSON with all candidates; the fields are those of `pingala explain --json`.
pub const PINGALA_JSON: u32 = 3;

/// Memory for a text, and the place of the length that the whole text needs.
pub(crate) struct Reader<'a> {
    text: Text,
    needed: Option<&'a mut MaybeUninit<usize>>,
}

impl<'a> Reader<'a> {
    /// # Safety
    ///
    /// As [`Text::new`].
    pub(crate) unsafe fn new(text: *mut c_char, text_len: usize, needed: Option<&'a mut MaybeUninit<usize>>) -> Self {
        // SAFETY: the caller's, for the same memory.
        Self { text: unsafe { Text::new(text, text_len) }, needed }
    }

    /// Writes as much of the text as fits, and the bytes that all of it needs.
    pub(crate) fn take(self, text: &str) -> Result<(), Error> {
        self.text.write(text);
        if let Some(needed) = self.needed {
            needed.write(text.len() + 1);
        }
        Ok(())
    }

    /// Writes an explanation in a format. Error: `bad_argument` for an unknown one.
    #[inline(never)]
    fn explain(self, format: u32, summary: Summary) -> Result<(), Error> {
        self.take(&match format {
            PINGALA_PLAN => summary.plan,
            PINGALA_TEXT => summary.to_string(),
            PINGALA_TEXT_ALL => format!("{summary:#}"),
            PINGALA_JSON => pingala_study::json(&summary),
            format => return Err(bad_argument(format!("{format} is no format"))),
        })
    }
}

entry! {
    /// The plan of pingala_modulus_pow_be with these arguments, and why it was chosen, in one of the formats. `text` receives as much as
    /// fits, with a zero byte at its end; `*needed`, unless NULL, the bytes of the whole text with that byte. `text` may be NULL if
    /// `text_len` is 0. Errors: PINGALA_BAD_PLAN; PINGALA_NOT_INVERTIBLE.
    pingala_modulus_explain_be, pingala_modulus_explain_limbs => explain(
        modulus: &PingalaModulus, text: Reader, format: u32, base[base_len]: In, exponent[exponent_len]: In, signs: u32,
        options
    )
}

fn explain<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    base: In<U>,
    exponent: In<U>,
    signs: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(signs, BOTH)?;
    let modulus = &given(modulus, "modulus")?.0;
    let base = base.integer(signs & PINGALA_NEGATIVE_BASE != 0, Cap::NONE)?;
    let exponent = exponent.integer(signs & PINGALA_NEGATIVE_EXPONENT != 0, Cap::exponent(options))?;
    text.explain(format, under(options, |options| modulus.explain(&base, &exponent, options))?.summary())
}

entry! {
    /// The plan of pingala_modulus_pow_exp_list_be, one base and these exponents, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_exp_list_be, pingala_modulus_explain_exp_list_limbs => explain_exp_list(
        modulus: &PingalaModulus, text: Reader, format: u32, exponents[exponent_width]: Rows(count), count: only usize,
        signs: u8[count], options
    )
}

fn explain_exp_list<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &given(modulus, "modulus")?.0;
    let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?.all()?;
    text.explain(format, under(options, |options| modulus.explain_exp_list(&exponents, options))?.summary())
}

entry! {
    /// The plan of pingala_modulus_pow_base_list_be, `count` bases and this exponent, and of pingala_modulus_pow_list_be with exponents of
    /// this length, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_base_list_be, pingala_modulus_explain_base_list_limbs => explain_base_list(
        modulus: &PingalaModulus, text: Reader, format: u32, bases[base_width]: Rows(count), count: only usize,
        exponent[exponent_len]: In, exponent_signs: u32, options
    )
}

fn explain_base_list<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    bases: Rows<U>,
    exponent: In<U>,
    exponent_signs: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(exponent_signs, PINGALA_NEGATIVE_EXPONENT)?;
    let modulus = &given(modulus, "modulus")?.0;
    let bases = bases.integers(&Signs::none(), PINGALA_NEGATIVE_BASE)?;
    let exponent = exponent.integer(exponent_signs != 0, Cap::exponent(options))?;
    text.explain(format, under(options, |options| modulus.explain_base_list(&bases, &exponent, options))?.summary())
}

entry! {
    /// The plan of pingala_modulus_pow_product_be with these exponents, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_product_be, pingala_modulus_explain_product_limbs => explain_product(
        modulus: &PingalaModulus, text: Reader, format: u32, exponents[exponent_width]: Rows(count), count: only usize,
        signs: u8[count], options
    )
}

fn explain_product<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &given(modulus, "modulus")?.0;
    let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?.all()?;
    text.explain(format, under(options, |options| modulus.explain_product(&exponents, options))?.summary())
}

entry! {
    /// The plan of pingala_modulus_repeated_square_be with this number of squarings, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_repeated_square => explain_repeated_square(
        modulus: &PingalaModulus, text: Reader, format: u32, squarings: u64, options
    )
}

fn explain_repeated_square(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    squarings: u64,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &given(modulus, "modulus")?.0;
    text.explain(format, under(options, |options| modulus.explain_repeated_square(squarings, options))?.summary())
}

entry! {
    /// The plan of pingala_fixed_base_new_be with these arguments, as pingala_modulus_explain_be gives it.
    pingala_fixed_base_explain_be, pingala_fixed_base_explain_limbs => explain_fixed_base(
        modulus: &PingalaModulus, text: Reader, format: u32, base[base_len]: In, signs: u32, exponent_bits: u64,
        memory_bytes: u64, powers: u64, kind: u32, options
    )
}

fn explain_fixed_base<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    base: In<U>,
    signs: u32,
    exponent_bits: u64,
    memory_bytes: u64,
    powers: u64,
    kind: u32,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    check_signs(signs, PINGALA_NEGATIVE_BASE)?;
    let (modulus, uses) = (&given(modulus, "modulus")?.0, read_uses(powers, kind)?);
    let base = base.integer(signs != 0, Cap::NONE)?;
    let explain =
        |options: &Options<'_>| FixedBase::explain(&base, modulus, exponent_bits, memory_bytes, uses, options);
    text.explain(format, under(options, explain)?.summary())
}

entry! {
    /// The plan of pingala_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
    pingala_plan_list_be, pingala_plan_list_limbs => plan_list(
        text: Reader, bases[base_width]: Rows(count), exponents[exponent_width]: Rows(count),
        moduli[moduli_count]: Moduli(modulus_of, count), count: only usize, signs: u8[count], options
    )
}

fn plan_list<U: Unit>(
    text: Reader<'_>,
    bases: Rows<U>,
    exponents: Rows<U>,
    moduli: Moduli<'_>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let operands = Operands::read(bases, exponents, signs, options)?;
    let jobs = operands.jobs(&moduli)?;
    text.take(&under(options, |options| pingala::plan_list(&jobs, options))?.to_string())
}

entry! {
    /// The plan of pingala_modulus_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
    pingala_modulus_plan_list_be, pingala_modulus_plan_list_limbs => plan_list_modulo(
        modulus: &PingalaModulus, text: Reader, bases: Rows(modulus, count), exponents[exponent_width]: Rows(count),
        count: only usize, signs: u8[count], options
    )
}

fn plan_list_modulo<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    bases: Rows<U>,
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    rows_of::<U, _>(modulus, options)?;
    plan_list(text, bases, exponents, Moduli::One(modulus), signs, options)
}

entry! {
    /// The plan of pingala_pow_product_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
    pingala_plan_product_list_be, pingala_plan_product_list_limbs => plan_product_list(
        text: Reader, bases[base_width]: Rows(factor_count), exponents[exponent_width]: Rows(factor_count),
        factor_count: only usize, ends: u64[count], moduli[moduli_count]: Moduli(modulus_of, count), count: only usize,
        signs: u8[factor_count], options
    )
}

fn plan_product_list<U: Unit>(
    text: Reader<'_>,
    bases: Rows<U>,
    exponents: Rows<U>,
    ends: In<u64>,
    moduli: Moduli<'_>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let operands = Operands::read(bases, exponents, signs, options)?;
    let products = operands.products(ends.units()?, &moduli)?;
    text.take(&under(options, |options| pingala::plan_product_list(&products, options))?.to_string())
}

entry! {
    /// The plan of pingala_modulus_pow_product_list_be with these arguments, as a line. `text` and `needed` are as in
    /// pingala_modulus_explain_be.
    pingala_modulus_plan_product_list_be, pingala_modulus_plan_product_list_limbs => plan_product_list_modulo(
        modulus: &PingalaModulus, text: Reader, bases: Rows(modulus, factor_count),
        exponents[exponent_width]: Rows(factor_count), factor_count: only usize, ends: u64[count], count: only usize,
        signs: u8[factor_count], options
    )
}

fn plan_product_list_modulo<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    bases: Rows<U>,
    exponents: Rows<U>,
    ends: In<u64>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    rows_of::<U, _>(modulus, options)?;
    plan_product_list(text, bases, exponents, ends, Moduli::One(modulus), signs, options)
}

entry! {
    /// The plan of pingala_pow_product_list_be with these arguments, as pingala_modulus_explain_be gives it. The candidates are those of the
    /// products that are expected to take the most time.
    pingala_explain_product_list_be, pingala_explain_product_list_limbs => explain_product_list(
        text: Reader, format: u32, bases[base_width]: Rows(factor_count), exponents[exponent_width]: Rows(factor_count),
        factor_count: only usize, ends: u64[count], moduli[moduli_count]: Moduli(modulus_of, count), count: only usize,
        signs: u8[factor_count], options
    )
}

fn explain_product_list<U: Unit>(
    text: Reader<'_>,
    format: u32,
    bases: Rows<U>,
    exponents: Rows<U>,
    ends: In<u64>,
    moduli: Moduli<'_>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let operands = Operands::read(bases, exponents, signs, options)?;
    let products = operands.products(ends.units()?, &moduli)?;
    text.explain(format, under(options, |options| pingala::explain_product_list(&products, options))?.summary())
}

entry! {
    /// The plan of pingala_modulus_pow_product_list_be with these arguments, as pingala_explain_product_list_be gives it.
    pingala_modulus_explain_product_list_be, pingala_modulus_explain_product_list_limbs => explain_product_list_modulo(
        modulus: &PingalaModulus, text: Reader, format: u32, bases: Rows(modulus, factor_count),
        exponents[exponent_width]: Rows(factor_count), factor_count: only usize, ends: u64[count], count: only usize,
        signs: u8[factor_count], options
    )
}

fn explain_product_list_modulo<U: Unit>(
    modulus: Option<&PingalaModulus>,
    text: Reader<'_>,
    format: u32,
    bases: Rows<U>,
    exponents: Rows<U>,
    ends: In<u64>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    rows_of::<U, _>(modulus, options)?;
    explain_product_list(text, format, bases, exponents, ends, Moduli::One(modulus), signs, options)
}

entry! {
    /// The plan that a table's powers follow, as a line, which gives the same table to pingala_fixed_base_new_be. `text` and `needed` are as
    /// in pingala_modulus_explain_be.
    pingala_fixed_base_plan => fixed_base_plan(fixed: &PingalaFixedBase, text: Reader)
}

fn fixed_base_plan(fixed: Option<&PingalaFixedBase>, text: Reader<'_>) -> Result<(), Error> {
    text.take(&given(fixed, "fixed")?.0.plan().to_string())
}
