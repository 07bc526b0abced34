//! Plans and their reasons, as text or JSON.

use crate::fixed_base::{PingalaFixedBase, read_uses};
use crate::length::Cap;
use crate::list::{Moduli, Operands, signed_exponents};
use crate::memory::{Capped, In, Rows, Signs, Text, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::{bad_argument, enter};
use crate::width::width;
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use pingala_core::plan::Summary;
use pingala_core::{Error, FixedBase, Integer, Modulus};

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

    /// Whether all of a text fits.
    pub(crate) fn has_room(&self, text: &str) -> bool {
        self.text.has_room(text)
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
    pingala_modulus_explain_be, pingala_modulus_explain_limbs(
        modulus: &PingalaModulus, text: Reader, format: u32, base[base_len]: In, exponent[exponent_len]: In, signs: flags BOTH,
        options
    ) {
        let base = base.integer(signs & PINGALA_NEGATIVE_BASE != 0, Cap::NONE)?;
        let exponent = exponent.integer(signs & PINGALA_NEGATIVE_EXPONENT != 0, Cap::exponent(options))?;
        text.explain_power(format, &modulus.0, &base, &exponent, options)
    }
}

entry! {
    /// The plan of pingala_modulus_pow_exp_list_be, one base and these exponents, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_exp_list_be, pingala_modulus_explain_exp_list_limbs(
        modulus: &PingalaModulus, text: Reader, format: u32, exponents[exponent_width]: Rows(count), count: only usize,
        signs: u8[count], options
    ) {
        let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?;
        text.explain_exponents(format, &modulus.0, exponents, false, options)
    }
}

entry! {
    /// The plan of pingala_modulus_pow_base_list_be, `count` bases and this exponent, and of pingala_modulus_pow_list_be with exponents of
    /// this length, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_base_list_be, pingala_modulus_explain_base_list_limbs(
        modulus: &PingalaModulus, text: Reader, format: u32, bases[base_width]: Rows(count), count: only usize,
        exponent[exponent_len]: In, exponent_signs: flags PINGALA_NEGATIVE_EXPONENT, options
    ) {
        let bases = bases.integers(&Signs::none(), PINGALA_NEGATIVE_BASE)?;
        let exponent = exponent.integer(exponent_signs != 0, Cap::exponent(options))?;
        text.explain_bases(format, &modulus.0, &bases, &exponent, options)
    }
}

entry! {
    /// The plan of pingala_modulus_pow_product_be with these exponents, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_product_be, pingala_modulus_explain_product_limbs(
        modulus: &PingalaModulus, text: Reader, format: u32, exponents[exponent_width]: Rows(count), count: only usize,
        signs: u8[count], options
    ) {
        let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?;
        text.explain_exponents(format, &modulus.0, exponents, true, options)
    }
}

entry! {
    /// The plan of pingala_modulus_repeated_square_be with this number of squarings, as pingala_modulus_explain_be gives it.
    pingala_modulus_explain_repeated_square(
        modulus: &PingalaModulus, text: Reader, format: u32, squarings: u64, options
    ) {
        text.explain(format, under(options, |options| modulus.0.explain_repeated_square(squarings, options))?.summary())
    }
}

entry! {
    /// The plan of pingala_fixed_base_new_be with these arguments, as pingala_modulus_explain_be gives it.
    pingala_fixed_base_explain_be, pingala_fixed_base_explain_limbs(
        modulus: &PingalaModulus, text: Reader, format: u32, base[base_len]: In, signs: flags PINGALA_NEGATIVE_BASE,
        exponent_bits: u64, memory_bytes: u64, powers: u64, kind: u32, options
    ) {
        let (base, uses) = (base.integer(signs != 0, Cap::NONE)?, read_uses(powers, kind)?);
        let explained = under(options, |options| {
            FixedBase::explain(&base, &modulus.0, exponent_bits, memory_bytes, uses, options)
        });
        text.explain(format, explained?.summary())
    }
}

entry! {
    /// The plan of pingala_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
    pingala_plan_list_be, pingala_plan_list_limbs(
        text: Reader, bases[base_width]: Rows(count), exponents[exponent_width]: Rows(count),
        moduli[moduli_count]: Moduli(modulus_of, count), count: only usize, signs: u8[count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.plan_list(text, &moduli, options)
    }
}

entry! {
    /// The plan of pingala_modulus_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
    pingala_modulus_plan_list_be, pingala_modulus_plan_list_limbs(
        modulus: &PingalaModulus, text: Reader, bases: Rows(modulus, count), exponents[exponent_width]: Rows(count),
        count: only usize, signs: u8[count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.plan_list(text, &Moduli::One(modulus), options)
    }
}

entry! {
    /// The plan of pingala_pow_product_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
    pingala_plan_product_list_be, pingala_plan_product_list_limbs(
        text: Reader, bases[base_width]: Rows(factor_count), exponents[exponent_width]: Rows(factor_count),
        factor_count: only usize, ends: u64[count], moduli[moduli_count]: Moduli(modulus_of, count), count: only usize,
        signs: u8[factor_count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.plan_product_list(text, ends, &moduli, options)
    }
}

entry! {
    /// The plan of pingala_modulus_pow_product_list_be with these arguments, as a line. `text` and `needed` are as in
    /// pingala_modulus_explain_be.
    pingala_modulus_plan_product_list_be, pingala_modulus_plan_product_list_limbs(
        modulus: &PingalaModulus, text: Reader, bases: Rows(modulus, factor_count),
        exponents[exponent_width]: Rows(factor_count), factor_count: only usize, ends: u64[count], count: only usize,
        signs: u8[factor_count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.plan_product_list(text, ends, &Moduli::One(modulus), options)
    }
}

entry! {
    /// The plan of pingala_pow_product_list_be with these arguments, as pingala_modulus_explain_be gives it. The candidates are those of the
    /// products that are expected to take the most time.
    pingala_explain_product_list_be, pingala_explain_product_list_limbs(
        text: Reader, format: u32, bases[base_width]: Rows(factor_count), exponents[exponent_width]: Rows(factor_count),
        factor_count: only usize, ends: u64[count], moduli[moduli_count]: Moduli(modulus_of, count), count: only usize,
        signs: u8[factor_count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.explain_product_list(text, format, ends, &moduli, options)
    }
}

entry! {
    /// The plan of pingala_modulus_pow_product_list_be with these arguments, as pingala_explain_product_list_be gives it.
    pingala_modulus_explain_product_list_be, pingala_modulus_explain_product_list_limbs(
        modulus: &PingalaModulus, text: Reader, format: u32, bases: Rows(modulus, factor_count),
        exponents[exponent_width]: Rows(factor_count), factor_count: only usize, ends: u64[count], count: only usize,
        signs: u8[factor_count], options
    ) {
        let operands = Operands::read(bases, exponents, signs, options)?;
        operands.explain_product_list(text, format, ends, &Moduli::One(modulus), options)
    }
}

// What is not of one kind of units is one function each, not a copy in every call.

impl Reader<'_> {
    #[inline(never)]
    fn explain_power(
        self,
        format: u32,
        modulus: &Modulus,
        base: &Integer,
        exponent: &Integer,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        self.explain(format, under(options, |options| modulus.explain(base, exponent, options))?.summary())
    }

    #[inline(never)]
    fn explain_bases(
        self,
        format: u32,
        modulus: &Modulus,
        bases: &[Integer],
        exponent: &Integer,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        self.explain(format, under(options, |options| modulus.explain_base_list(bases, exponent, options))?.summary())
    }

    /// Writes how powers of one base, or a product of powers, are computed.
    #[inline(never)]
    fn explain_exponents(
        self,
        format: u32,
        modulus: &Modulus,
        exponents: Capped,
        is_product: bool,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        let exponents = exponents.all()?;
        let explained = under(options, |options| match is_product {
            true => Ok(modulus.explain_product(&exponents, options)?.summary()),
            false => Ok(modulus.explain_exp_list(&exponents, options)?.summary()),
        });
        self.explain(format, explained?)
    }
}

impl Operands {
    fn plan_list(self, text: Reader<'_>, moduli: &Moduli<'_>, options: Option<&PingalaOptions>) -> Result<(), Error> {
        let jobs = self.jobs(moduli)?;
        text.take(&under(options, |options| pingala_core::plan_list(&jobs, options))?.to_string())
    }

    fn plan_product_list(
        self,
        text: Reader<'_>,
        ends: In<u64>,
        moduli: &Moduli<'_>,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        let products = self.products(ends.units()?, moduli)?;
        text.take(&under(options, |options| pingala_core::plan_product_list(&products, options))?.to_string())
    }

    fn explain_product_list(
        self,
        text: Reader<'_>,
        format: u32,
        ends: In<u64>,
        moduli: &Moduli<'_>,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        let products = self.products(ends.units()?, moduli)?;
        text.explain(
            format,
            under(options, |options| pingala_core::explain_product_list(&products, options))?.summary(),
        )
    }
}

entry! {
    /// The plan that a table's powers follow, as a line, which gives the same table to pingala_fixed_base_new_be. `text` and `needed` are as
    /// in pingala_modulus_explain_be.
    pingala_fixed_base_plan(fixed: &PingalaFixedBase, text: Reader) {
        text.take(&fixed.0.plan().to_string())
    }
}
