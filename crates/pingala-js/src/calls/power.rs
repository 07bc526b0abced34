//! Powers, inverses, lists, products, secret powers, explanations.

use super::modulus as of_call;
use crate::handle::Handle;
use crate::request::{Answer, Request, Widths, missing, not_negative, width};
use pingala::{Error, Integer, Job, Modulus, Natural, Options, SecretExponent, SecretFactor, Watch};
use std::collections::HashMap;
use zeroize::Zeroizing;

type Watched<'a> = Option<&'a dyn Watch>;

/// A modulus out of a call. Errors: `zero_modulus`, `negative_modulus`, `too_long`.
fn checked(value: &Integer) -> Result<&Natural, Error> {
    if value.is_negative() { Err(Error::NegativeModulus) } else { Ok(value.magnitude()) }
}

/// Base, exponent, modulus.
pub(super) fn powmod(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (base, exponent, modulus) = (request.number(0)?, request.number(1)?, checked(request.number(2)?)?);
    let power = pingala::powmod_with(base, exponent, modulus, &request.options(watch))?;
    Ok(Answer::Number(power, width(modulus)))
}

/// Value, modulus.
pub(super) fn invert(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (value, modulus) = (request.number(0)?, checked(request.number(1)?)?);
    Ok(Answer::Number(pingala::invert(value, modulus, &request.options(watch))?, width(modulus)))
}

/// The value; in the second list known factors, whose multiplicities are the settings.
pub(super) fn modulus(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let value = checked(request.number(0)?)?.clone();
    let factors = request.list(1).unwrap_or_default();
    let made = if factors.is_empty() {
        Modulus::new(value)?
    } else {
        let pair = |(at, factor): (usize, &Integer)| Ok((not_negative(factor)?.clone(), multiplicity(request, at)?));
        let factors = factors.iter().enumerate().map(pair).collect::<Result<Vec<_>, Error>>()?;
        Modulus::with_factors_and_options(value, &factors, &request.options(watch))?
    };
    Ok(Answer::Handle(Handle::Modulus(made)))
}

fn multiplicity(request: &Request, at: usize) -> Result<u32, Error> {
    u32::try_from(request.setting(at)?).map_err(|_| Error::WrongFactors("a multiplicity of 2^32 or more".into()))
}

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
fn public_exponent(request: &Request) -> Result<Option<&Natural>, Error> {
    request.list(1).unwrap_or_default().first().map(not_negative).transpose()
}

/// Base, exponent; modulo the object.
pub(super) fn modulus_pow(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let power = modulus.pow_with(request.number(0)?, request.number(1)?, &request.options(watch))?;
    Ok(Answer::Number(power, width(modulus.value())))
}

/// Value; modulo the object.
pub(super) fn modulus_invert(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    Ok(Answer::Number(modulus.invert(request.number(0)?)?, width(modulus.value())))
}

/// The element of a list, of which one stands for all.
fn element(list: &[Integer], at: usize) -> Result<&Integer, Error> {
    if let [one] = list { Ok(one) } else { list.get(at).ok_or_else(|| missing("element", at)) }
}

/// Bases, exponents, moduli. One number stands for all of its list; the first setting is the number of elements. A modulus that occurs
/// several times is prepared once.
pub(super) fn list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let count = request.setting(0)? as usize;
    let (bases, exponents, values) = (request.list(0)?, request.list(1)?, request.list(2)?);
    let mut moduli: Vec<Result<Modulus, Error>> = Vec::new();
    let mut places: HashMap<&Integer, usize> = HashMap::new();
    let mut place_of = Vec::with_capacity(values.len());
    for value in values {
        place_of.push(*places.entry(value).or_insert_with(|| {
            moduli.push(checked(value).and_then(|value| Modulus::new(value.clone())));
            moduli.len() - 1
        }));
    }
    let mut results: Vec<Result<Natural, Error>> = Vec::with_capacity(count);
    let (mut jobs, mut job_of, mut widths) = (Vec::new(), Vec::new(), Vec::with_capacity(count));
    for at in 0..count {
        let place =
            if let [one] = place_of[..] { one } else { *place_of.get(at).ok_or_else(|| missing("modulus", at))? };
        match &moduli[place] {
            Ok(modulus) => {
                jobs.push(Job { base: element(bases, at)?, exponent: element(exponents, at)?, modulus });
                job_of.push(at);
                widths.push(width(modulus.value()));
                results.push(Err(Error::Fault("an element without a result")));
            }
            Err(error) => {
                widths.push(0);
                results.push(Err(error.clone()));
            }
        }
    }
    let powers = pingala::pow_list(&jobs, &request.options(watch))?;
    for (at, power) in job_of.into_iter().zip(powers) {
        results[at] = power;
    }
    Ok(Answer::Numbers(results, Widths::Each(widths)))
}

/// Bases, exponents; modulo the object.
pub(super) fn modulus_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let (count, options) = (request.setting(0)? as usize, request.options(watch));
    let powers = match (request.list(0)?, request.list(1)?) {
        ([], _) | (_, []) => Vec::new(),
        ([base], exponents) if exponents.len() == count => modulus.pow_exp_list(base, exponents, &options)?,
        (bases, [exponent]) if bases.len() == count => modulus.pow_base_list(bases, exponent, &options)?,
        (bases, exponents) => {
            let job = |at| Ok(Job { base: element(bases, at)?, exponent: element(exponents, at)?, modulus });
            pingala::pow_list(&(0..count).map(job).collect::<Result<Vec<_>, Error>>()?, &options)?
        }
    };
    Ok(Answer::Numbers(powers, Widths::All(width(modulus.value()))))
}

/// Bases, exponents; modulo the object.
pub(super) fn modulus_product(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let product = modulus.pow_product(request.list(0)?, request.list(1)?, &request.options(watch))?;
    Ok(Answer::Number(product, width(modulus.value())))
}

/// Values; modulo the object.
pub(super) fn invert_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let inverses = modulus.invert_list(request.list(0)?, &request.options(watch))?;
    Ok(Answer::Numbers(inverses, Widths::All(width(modulus.value()))))
}

/// Base; the number of squarings is the setting; modulo the object.
pub(super) fn squaring(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let square = modulus.repeated_square(request.number(0)?, request.setting(0)?, &request.options(watch))?;
    Ok(Answer::Number(square, width(modulus.value())))
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

/// Bytes of the bases, then of the exponents; settings: how many bases there are, and the declared length in bits.
pub(super) fn pow_sec_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (modulus, count) = (of_call(request)?, request.setting(0)? as usize);
    let bases = request.bytes.get(..count).ok_or_else(|| missing("base", count))?;
    let bases: Vec<&[u8]> = bases.iter().map(|base| base.as_slice()).collect();
    let exponents = secrets(request, count, request.setting(1)?)?;
    let options = request.options(watch).with_public_exponent(public_exponent(request)?);
    secret_list(modulus.value(), count, |out| modulus.pow_sec_list(&bases, &exponents, out, &options))
}

/// A secret exponent out of the bytes of a call.
pub(super) fn secret(request: &Request, at: usize, exponent_bits: u64) -> Result<SecretExponent, Error> {
    let cap = request.options(None).limits().exponent_bits;
    if exponent_bits > cap {
        return Err(Error::TooLong { what: "exponent", length: exponent_bits, cap });
    }
    SecretExponent::from_be_bytes(request.bytes(at)?, exponent_bits)
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

/// The bytes of whole limbs that hold residues, which is public.
pub(super) fn limb_bytes(modulus: &Natural) -> usize {
    modulus.bits().div_ceil(64) as usize * size_of::<u64>()
}

/// The last bytes, where the value is.
pub(super) fn end_of(bytes: &[u8], width: usize) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes[bytes.len() - width..].to_vec())
}

/// Base, exponent; modulo the object.
pub(super) fn explain(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let explanation = modulus.explain(request.number(0)?, request.number(1)?, &request.options(watch))?;
    Ok(Answer::Text(explanation.to_string()))
}

/// Bases, exponents; modulo the object. The setting is the number of elements.
pub(super) fn explain_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (modulus, options): (_, Options<'_>) = (of_call(request)?, request.options(watch));
    let count = request.setting(0)? as usize;
    let text = match (request.list(0)?, request.list(1)?) {
        ([_], exponents) if exponents.len() == count => modulus.explain_exp_list(exponents, &options)?.to_string(),
        (bases, [exponent]) if bases.len() == count => {
            modulus.explain_base_list(bases, exponent, &options)?.to_string()
        }
        (bases, exponents) => {
            let job = |at| Ok(Job { base: element(bases, at)?, exponent: element(exponents, at)?, modulus });
            let jobs = (0..count).map(job).collect::<Result<Vec<_>, Error>>()?;
            pingala::plan_list(&jobs, &options)?.to_string()
        }
    };
    Ok(Answer::Text(text))
}
