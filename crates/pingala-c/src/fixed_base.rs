//! Tables of a fixed base.

use crate::length::Cap;
use crate::list::signed_exponents;
use crate::memory::{Answers, In, Name, Out, Rows, Text, check_signs, given, hand_out, take_back};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, at_once_under, under};
use crate::status::{bad_argument, enter};
use crate::width::{MadeFrom, Residues, width};
use crate::{PINGALA_FOR_SECRETS, PINGALA_IN_LISTS, PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use pingala_core::{Error, Expected, FixedBase, Uses};

/// A base, a modulus and a table that makes further powers cheaper. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaFixedBase(pub(crate) FixedBase, pub(crate) MadeFrom);

entry! {
    /// Makes a table for powers of `base` with exponents of at most `exponent_bits` bits, either sign, in at most `memory_bytes`.
    /// `uses` is about how many powers there will be (0: ten thousand), `kind` has the flags PINGALA_IN_LISTS and PINGALA_FOR_SECRETS. The
    /// flag of `signs` is PINGALA_NEGATIVE_BASE. Error: PINGALA_BAD_ARGUMENT if no table fits the memory.
    pingala_fixed_base_new_be, pingala_fixed_base_new_limbs(
        fixed: new PingalaFixedBase, modulus: &PingalaModulus, base[base_len]: In, signs: flags PINGALA_NEGATIVE_BASE,
        exponent_bits: u64, memory_bytes: u64, uses: u64, kind: u32, options
    ) {
        let PingalaModulus(modulus, made_from, _) = modulus;
        let (base, uses) = (base.integer(signs != 0, Cap::NONE)?, read_uses(uses, kind)?);
        let fixed = under(options, |options| {
            FixedBase::for_uses(&base, modulus, exponent_bits, memory_bytes, uses, options)
        });
        Ok(PingalaFixedBase(fixed?, *made_from))
    }
}

/// Reads `uses` and `kind`. Error: `bad_argument` for an unknown flag.
pub(crate) fn read_uses(powers: u64, kind: u32) -> Result<Uses, Error> {
    if kind & !(PINGALA_IN_LISTS | PINGALA_FOR_SECRETS) != 0 {
        return Err(bad_argument(format!("kind has an unknown flag: {kind}")));
    }
    let powers = if powers > 0 { powers } else { Uses::default().powers };
    let mut uses = Uses::new(powers, kind & PINGALA_IN_LISTS != 0);
    uses.secret = kind & PINGALA_FOR_SECRETS != 0;
    Ok(uses)
}

entry! {
    /// Loads a table that pingala_fixed_base_save wrote, after checking it. `expected` is the modulus that it must have, or NULL for
    /// any; pingala_fixed_base_verify checks the file of somebody else. Error: PINGALA_BAD_FILE.
    pingala_fixed_base_load(fixed: new PingalaFixedBase, path: Path, expected: maybe PingalaModulus, options) {
        let path = path.given_path()?;
        let made_from = expected.map_or(MadeFrom(0), |modulus| modulus.1);
        let expected = Expected::default().with_modulus(expected.map(|modulus| modulus.0.value()));
        let loaded = under(options, |options| FixedBase::load(&path, &expected, options))?;
        Ok(PingalaFixedBase(loaded, made_from))
    }
}

entry! {
    /// Writes the table to a file; a file that is there is replaced as a whole. Error: PINGALA_BAD_FILE.
    pingala_fixed_base_save(fixed: &PingalaFixedBase, path: Path) {
        fixed.0.save(&path.given_path()?)
    }
}

entry! {
    /// Computes every entry of the table again and compares. Error: PINGALA_FAULT.
    pingala_fixed_base_verify(fixed: &PingalaFixedBase, options) {
        under(options, |options| fixed.0.verify(options))
    }
}

/// Frees a table; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_base_free(fixed: *mut PingalaFixedBase) {
    // SAFETY: the contract of the header.
    unsafe { take_back(fixed) };
}

entry! {
    /// A new handle of the table's modulus; the caller frees it.
    pingala_fixed_base_modulus(fixed: &PingalaFixedBase, modulus: new PingalaModulus) {
        Ok(PingalaModulus::plain(fixed.0.modulus().clone(), fixed.1))
    }
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

entry! {
    /// Writes the base, which is below the modulus.
    pingala_fixed_base_base_be, pingala_fixed_base_base_limbs(fixed: &PingalaFixedBase, out[out_len]: Out) {
        out.put(fixed.0.base())
    }
}

entry! {
    /// out = the table's base^exponent; the flag is PINGALA_NEGATIVE_EXPONENT. The call reads only the watch of the options. Errors:
    /// PINGALA_TOO_LONG for an exponent longer than the table's, PINGALA_NOT_INVERTIBLE.
    pingala_fixed_base_pow_be, pingala_fixed_base_pow_limbs(
        fixed: &PingalaFixedBase, out[out_len]: Out(fixed), exponent[exponent_len]: In,
        signs: flags PINGALA_NEGATIVE_EXPONENT, options
    ) {
        let exponent = exponent.integer(signs != 0, Cap::of("exponent", fixed.0.exponent_bits()))?;
        out.write(&at_once_under(options, |options| fixed.0.pow_with(&exponent, options))?)
    }
}

entry! {
    /// out[i] = the table's base^exponents[i], for `count` rows, those of `out` as wide as in pingala_modulus_pow_list_be. `signs`,
    /// `status` and `why` are as in pingala_modulus_pow_list_be.
    pingala_fixed_base_pow_list_be, pingala_fixed_base_pow_list_limbs(
        fixed: &PingalaFixedBase, out: Answers(fixed, status, count), exponents[exponent_width]: Rows(count),
        count: only usize, status: only *mut i32, signs: u8[count], options
    ) {
        let exponents = signed_exponents(exponents, &signs, Cap::of("exponent", fixed.0.exponent_bits()))?;
        let powers = under(options, |options| fixed.0.pow_list(&exponents.numbers, options))?;
        out.write_but(powers, exponents.too_long)
    }
}
