//! Powers with secret exponents, and moduli with secret factors.

use super::modulus as of_call;
use super::power::{Watched, checked, multiplicity};
use crate::handle::Handle;
use crate::request::{Answer, Request, missing, not_negative, width};
use pingala_core::{Error, Modulus, Natural, SecretExponent, SecretFactor};
use zeroize::Zeroizing;

/// The value; in the second list the public exponent, if there is one; bytes of the secret factors, whose multiplicities are the settings.
pub(super) fn secret_modulus(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let value = checked(request.number(0)?)?.clone();
    let factors = request
        .bytes
        .iter()
        .enumerate()
        .map(|(at, bytes)| SecretFactor::from_be_bytes(bytes, length(bytes), multiplicity(request, at)?));
    let factors = factors.collect::<Result<Vec<_>, Error>>()?;
    let public = public_exponent(request)?;
    let options = request.options(watch).with_public_exponent(public);
    Ok(Answer::Handle(Handle::Modulus(Modulus::with_secret_factors(value, &factors, &options)?)))
}

/// The length of a factor in bits, which is public.
fn length(bytes: &[u8]) -> u64 {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    let top = bytes.get(zeros).map_or(0, |byte| byte.leading_zeros());
    (bytes.len() - zeros) as u64 * 8 - u64::from(top)
}

/// The public exponent of the second list, if there is one.
pub(super) fn public_exponent(request: &Request) -> Result<Option<&Natural>, Error> {
    request.list(1).unwrap_or_default().first().map(not_negative).transpose()
}

/// Bytes of base and exponent, of which the setting is the declared length in bits; modulo the object.
pub(super) fn pow_sec(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let exponent = secret(request, 1, request.setting(0)?)?;
    let options = request.options(watch).with_public_exponent(public_exponent(request)?);
    let (mut bytes, width) = (Zeroizing::new(vec![0; limb_bytes(modulus.value())]), width(modulus.value()));
    modulus.pow_sec_bytes(request.bytes(0)?, &exponent, &mut bytes, &options)?;
    Ok(Answer::Bytes(end_of(&bytes, width)))
}

/// A secret exponent out of the bytes of a call.
pub(super) fn secret(request: &Request, at: usize, exponent_bits: u64) -> Result<SecretExponent, Error> {
    let cap = request.options(None).limits().exponent_bits;
    if exponent_bits > cap {
        return Err(Error::TooLong { what: "exponent", length: exponent_bits, cap });
    }
    SecretExponent::from_be_bytes(request.bytes(at)?, exponent_bits)
}

/// The bytes of whole limbs that hold residues, which is public.
pub(super) fn limb_bytes(modulus: &Natural) -> usize {
    modulus.bits().div_ceil(64) as usize * size_of::<u64>()
}

/// The last bytes, where the value is.
pub(super) fn end_of(bytes: &[u8], width: usize) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes[bytes.len() - width..].to_vec())
}

/// Bytes of the bases, then of the exponents; settings: how many bases there are, and the declared length in bits.
pub(super) fn pow_sec_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (modulus, count) = (of_call(request)?, request.setting(0)? as usize);
    let bases = request.bytes.get(..count).ok_or_else(|| missing("base", count))?;
    let bases: Vec<&[u8]> = bases.iter().map(|base| base.as_slice()).collect();
    let exponents = secrets(request, count, request.setting(1)?)?;
    let options = request.options(watch).with_public_exponent(public_exponent(request)?);
    secret_list(modulus.value(), count, |out| modulus.pow_sec_list(&bases, &exponents, out, &options))
}

/// The secret exponents from one place of the bytes on.
pub(super) fn secrets(request: &Request, from: usize, exponent_bits: u64) -> Result<Vec<SecretExponent>, Error> {
    let one =
        |(index, at)| secret(request, at, exponent_bits).map_err(|error| Error::At { index, error: Box::new(error) });
    (from..request.bytes.len()).enumerate().map(one).collect()
}

/// The results of a list of secret powers; an element with an error gives no bytes, and the error of the first one is that of the call.
pub(super) fn secret_list(
    modulus: &Natural,
    count: usize,
    run: impl FnOnce(&mut [u8]) -> Result<Vec<(usize, Error)>, Error>,
) -> Result<Answer, Error> {
    let (row, width) = (limb_bytes(modulus), width(modulus));
    let mut bytes = Zeroizing::new(Vec::new());
    // On WebAssembly the product may not fit in a usize.
    let length = row.checked_mul(count).filter(|&length| bytes.try_reserve_exact(length).is_ok());
    bytes.resize(length.ok_or_else(|| Error::BadArgument("there is no memory for the results".into()))?, 0);
    let failed = run(&mut bytes)?;
    if let Some((index, error)) = failed.into_iter().next() {
        return Err(Error::At { index, error: Box::new(error) });
    }
    Ok(Answer::ManyBytes(bytes.chunks_exact(row).map(|row| end_of(row, width)).collect()))
}
