//! Handles of moduli.

use crate::length::Cap;
use crate::memory::{In, Out, Rows, Signs, Text, Unit, given, hand_out, take_back};
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter};
use crate::width::MadeFrom;
use pingala_core::{Error, Modulus, Natural, SecretFactor};
use zeroize::Zeroizing;

/// A modulus with its prepared constants. It never changes, so any number of threads may use it at once.
// The public factors that it was made by come last.
#[derive(Debug)]
pub struct PingalaModulus(pub(crate) Modulus, pub(crate) MadeFrom, pub(crate) Vec<(Natural, u32)>);

impl PingalaModulus {
    /// A modulus without public factors.
    pub(crate) fn plain(modulus: Modulus, made_from: MadeFrom) -> Self {
        Self(modulus, made_from, Vec::new())
    }
}

entry! {
    /// Makes a modulus m >= 1. Leading zeros are allowed; lists on a handle that was made with any need a declared width of their rows
    /// (pingala_options_set_width). Errors: PINGALA_ZERO_MODULUS; PINGALA_TOO_LONG for more than 2^24 bits.
    pingala_modulus_new_be, pingala_modulus_new_limbs(modulus: new PingalaModulus, value[value_len]: In) {
        let (value, made_from) = value.modulus(None)?;
        Ok(PingalaModulus::plain(Modulus::new(value)?, made_from))
    }
}

entry! {
    /// Makes a modulus whose factors are known and public: `count` rows of `factor_width` bytes, pairwise coprime, each to the power
    /// of its multiplicity, with this product. Powers are computed modulo each factor. Without factors (count 0) it is
    /// pingala_modulus_new_be under the limits of the options. Further error: PINGALA_WRONG_FACTORS.
    pingala_modulus_new_factored_be, pingala_modulus_new_factored_limbs(
        modulus: new PingalaModulus, value[value_len]: In, factors[factor_width]: Rows(count),
        multiplicities: u32[count], count: only usize, options
    ) {
        let (value, made_from) = value.modulus(options)?;
        let bases = factors.capped(&Signs::none(), 0, Cap::modulus(options))?.naturals()?;
        factored(value, made_from, bases, multiplicities.units()?, options)
    }
}

#[inline(never)]
fn factored(
    value: Natural,
    made_from: MadeFrom,
    bases: Vec<Natural>,
    multiplicities: &[u32],
    options: Option<&PingalaOptions>,
) -> Result<PingalaModulus, Error> {
    let factors: Vec<(Natural, u32)> = bases.into_iter().zip(multiplicities.iter().copied()).collect();
    let modulus = under(options, |options| match &factors[..] {
        [] => Modulus::with_limits(value, options.limits()),
        factors => Modulus::with_factors_and_options(value, factors, options),
    });
    Ok(PingalaModulus(modulus?, made_from, factors))
}

entry! {
    /// Makes an odd modulus whose factors are secret: `count` >= 2 rows of `factor_width` bytes, the primes p or numbers of unknown
    /// factors; `factor_bits[i]` is the exact length of factor i and public. pingala_modulus_pow_sec_be uses the factors and branches
    /// on none of their bits. The library wipes its copies; the caller wipes his. Further error: PINGALA_WRONG_FACTORS.
    pingala_modulus_new_secret_be, pingala_modulus_new_secret_limbs(
        modulus: new PingalaModulus, value[value_len]: In, factors[factor_width]: Rows(count), factor_bits: u64[count],
        multiplicities: u32[count], count: only usize, options
    ) {
        let (value, made_from) = value.modulus(options)?;
        factors.check_secrets(Cap::modulus(options))?;
        let lengths = factor_bits.units()?.iter().zip(multiplicities.units()?);
        let factors = factors.each()?.zip(lengths).map(|(factor, (&bits, &multiplicity))| {
            secret_factor(&Zeroizing::new(Unit::to_be_bytes(factor)), bits, multiplicity)
        });
        with_secrets(value, made_from, &factors.collect::<Result<Vec<_>, Error>>()?, options)
    }
}

// One function for both kinds of units.

#[inline(never)]
fn secret_factor(bytes: &[u8], bits: u64, multiplicity: u32) -> Result<SecretFactor, Error> {
    let excess = usize::try_from(bits.div_ceil(8)).ok().and_then(|kept| bytes.len().checked_sub(kept));
    let excess = excess.ok_or_else(|| bad_argument(format!("a factor of {bits} bits is wider than its row")))?;
    let (above, bytes) = bytes.split_at(excess);
    if above.iter().fold(0, |all, byte| all | byte) != 0 {
        return Err(Error::WrongFactors("a secret factor is longer than declared".into()));
    }
    SecretFactor::from_be_bytes(bytes, bits, multiplicity)
}

#[inline(never)]
fn with_secrets(
    value: Natural,
    made_from: MadeFrom,
    factors: &[SecretFactor],
    options: Option<&PingalaOptions>,
) -> Result<PingalaModulus, Error> {
    let modulus = under(options, |options| Modulus::with_secret_factors(value, factors, options))?;
    Ok(PingalaModulus::plain(modulus, made_from))
}

/// Frees a modulus; NULL is fine. Handles that were made with it live on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_free(modulus: *mut PingalaModulus) {
    // SAFETY: the contract of the header.
    unsafe { take_back(modulus) };
}

/// The length of the modulus in bits: a result takes a byte for each 8 of them, or a limb for each 64. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_modulus_bits(modulus: Option<&PingalaModulus>) -> u64 {
    modulus.map_or(0, |modulus| modulus.0.value().bits())
}

/// The width of the modulus without leading zeros, in bytes: that of a result, and of the rows of bytes in calls on this handle unless
/// pingala_options_set_width declares another one. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_modulus_width_be(modulus: Option<&PingalaModulus>) -> usize {
    modulus.map_or(0, |modulus| u8::width(modulus.0.value()))
}

/// As pingala_modulus_width_be, in limbs.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_modulus_width_limbs(modulus: Option<&PingalaModulus>) -> usize {
    modulus.map_or(0, |modulus| u64::width(modulus.0.value()))
}

entry! {
    /// Writes the modulus.
    pingala_modulus_value_be, pingala_modulus_value_limbs(modulus: &PingalaModulus, out[out_len]: Out) {
        out.put(modulus.0.value())
    }
}
