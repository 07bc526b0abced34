//! Powers and inverses: what every build has.

use super::modulus as of_call;
use crate::handle::Handle;
use crate::request::{Answer, Request, not_negative, width};
use pingala_core::{Error, Integer, Modulus, Natural, Watch};

pub(super) type Watched<'a> = Option<&'a dyn Watch>;

/// A modulus out of a call. Errors: `zero_modulus`, `negative_modulus`, `too_long`.
pub(super) fn checked(value: &Integer) -> Result<&Natural, Error> {
    if value.is_negative() { Err(Error::NegativeModulus) } else { Ok(value.magnitude()) }
}

/// Base, exponent, modulus.
pub(super) fn powmod(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (base, exponent, modulus) = (request.number(0)?, request.number(1)?, checked(request.number(2)?)?);
    let power = pingala_core::powmod_with(base, exponent, modulus, &request.options(watch))?;
    Ok(Answer::Number(power, width(modulus)))
}

/// Value, modulus.
pub(super) fn invert(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (value, modulus) = (request.number(0)?, checked(request.number(1)?)?);
    Ok(Answer::Number(pingala_core::invert(value, modulus, &request.options(watch))?, width(modulus)))
}

/// The value; in the second list known factors, whose multiplicities are the settings.
pub(super) fn modulus(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let value = checked(request.number(0)?)?.clone();
    let factors = request.list(1).unwrap_or_default();
    let made = if factors.is_empty() {
        Modulus::with_limits(value, request.options(watch).limits())?
    } else {
        let pair = |(at, factor): (usize, &Integer)| Ok((not_negative(factor)?.clone(), multiplicity(request, at)?));
        let factors = factors.iter().enumerate().map(pair).collect::<Result<Vec<_>, Error>>()?;
        Modulus::with_factors_and_options(value, &factors, &request.options(watch))?
    };
    Ok(Answer::Handle(Handle::Modulus(made)))
}

pub(super) fn multiplicity(request: &Request, at: usize) -> Result<u32, Error> {
    u32::try_from(request.setting(at)?).map_err(|_| Error::WrongFactors("a multiplicity of 2^32 or more".into()))
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
