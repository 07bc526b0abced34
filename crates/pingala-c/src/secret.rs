//! Secret exponents. Copies of secrets are wiped; no number is trimmed on the way.

use crate::fixed_base::PingalaFixedBase;
use crate::length::Cap;
use crate::memory::{Answers, In, Out, Rows, Text, Unit, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter};
use crate::width::{Residues, width};
use pingala_core::{Error, Natural, Options, SecretExponent};
use zeroize::Zeroizing;

entry! {
    /// out = base^exponent modulo a handle in constant time: no branch and no address depends on the values of base and exponent. Public
    /// are the modulus, the lengths, and `exponent_bits`, the declared width of the exponent. Base and exponent are not negative.
    ///
    /// Modulo secret or known odd factors the power is computed modulo each and checked; with a public exponent in the options every
    /// result is checked. The error is then PINGALA_FAULT, and nothing is released: `out` is unchanged. Further errors:
    /// PINGALA_BAD_SECRET for an exponent wider than declared, PINGALA_BAD_PLAN for a plan that is not constant-time.
    pingala_modulus_pow_sec_be, pingala_modulus_pow_sec_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), base[base_len]: In, exponent[exponent_len]: In,
        exponent_bits: u64, options
    ) {
        let cap = Cap::exponent(options);
        cap.check(exponent_bits)?;
        let (base, exponent) = (base.secret_bytes(Cap::NONE)?, exponent.secret_bytes(cap)?);
        let exponent = SecretExponent::from_be_bytes(&exponent, exponent_bits)?;
        let mut bytes = Zeroizing::new(vec![0; limb_bytes(modulus.0.value())]);
        under(options, |options| modulus.0.pow_sec_bytes(&base, &exponent, &mut bytes, options))?;
        out.fill(|out| U::of_be_bytes(&bytes, out))
    }
}

entry! {
    /// out[i] = bases[i]^exponents[i] modulo one handle for each of `count` rows, in constant time as by pingala_modulus_pow_sec_be and on
    /// several threads. Rows of bases and of `out` are as wide as in pingala_modulus_pow_list_be; every exponent has `exponent_width` bytes
    /// and the declared width `exponent_bits`. With `exponent_count` 1 all powers have one exponent, otherwise there are `count`. An
    /// element with an error leaves zeros in `out`; `status` and `why` are as in pingala_modulus_pow_list_be.
    pingala_modulus_pow_sec_list_be, pingala_modulus_pow_sec_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), bases: Rows(modulus, count),
        exponents[exponent_width]: Rows(exponent_count), exponent_bits: u64, exponent_count: only usize,
        count: only usize, status: only *mut i32, options
    ) {
        let exponents = secrets(exponents, exponent_bits, Cap::exponent(options))?;
        bases.check_secrets(Cap::NONE)?;
        let bases: Vec<_> = bases.each()?.map(|units| Zeroizing::new(Unit::to_be_bytes(units))).collect();
        let bases: Vec<&[u8]> = bases.iter().map(|base| base.as_slice()).collect();
        secret_rows(modulus.0.value(), &out, bases.len(), options, |out, options| {
            modulus.0.pow_sec_list(&bases, &exponents, out, options)
        })
    }
}

entry! {
    /// out[i] = the table's base^exponents[i] in constant time for each of `count` rows; the table is one for secrets
    /// (PINGALA_FOR_SECRETS). A single power is a list of one. Otherwise as pingala_modulus_pow_sec_list_be. Error: PINGALA_BAD_PLAN for a
    /// table that cannot be read so.
    pingala_fixed_base_pow_sec_list_be, pingala_fixed_base_pow_sec_list_limbs(
        fixed: &PingalaFixedBase, out: Answers(fixed, status, count), exponents[exponent_width]: Rows(count),
        exponent_bits: u64, count: only usize, status: only *mut i32, options
    ) {
        let exponents = secrets(exponents, exponent_bits, Cap::exponent(options))?;
        secret_rows(fixed.0.modulus().value(), &out, exponents.len(), options, |out, options| {
            fixed.0.pow_sec_list(&exponents, out, options)
        })
    }
}

/// The exponents of a list, all of one declared width. Error: `bad_secret`, with the place.
fn secrets<U: Unit>(exponents: Rows<U>, bits: u64, cap: Cap) -> Result<Vec<SecretExponent>, Error> {
    cap.check(bits)?;
    exponents.check_secrets(cap)?;
    let secret = |(index, units): (usize, &[U])| {
        let bytes = Zeroizing::new(U::to_be_bytes(units));
        SecretExponent::from_be_bytes(&bytes, bits).map_err(|error| Error::At { index, error: Box::new(error) })
    };
    exponents.each()?.enumerate().map(secret).collect()
}

/// Bytes of a number below the modulus in whole limbs.
fn limb_bytes(modulus: &Natural) -> usize {
    modulus.bits().div_ceil(64) as usize * size_of::<u64>()
}

/// Writes the rows that `run` fills, each below the modulus.
fn secret_rows<U: Unit>(
    modulus: &Natural,
    answers: &Answers<U>,
    count: usize,
    options: Option<&PingalaOptions>,
    run: impl FnOnce(&mut [u8], &Options<'_>) -> Result<Vec<(usize, Error)>, Error>,
) -> Result<(), Error> {
    let width = limb_bytes(modulus);
    let mut bytes = Zeroizing::new(Vec::new());
    if bytes.try_reserve_exact(count.saturating_mul(width)).is_err() {
        return Err(bad_argument("there is no memory for the list"));
    }
    bytes.resize(count * width, 0);
    let failed = under(options, |options| run(&mut bytes, options))?;
    answers.write_bytes(bytes.chunks_exact(width), failed)
}
