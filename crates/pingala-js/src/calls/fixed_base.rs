//! Tables of a fixed base.

use super::secret::{end_of, limb_bytes, secret, secret_list, secrets};
use super::{fixed, modulus};
use crate::handle::Handle;
use crate::request::{Answer, Request, Widths, not_negative, results_fit, width};
use pingala_core::{Error, Expected, FixedBase, Natural, Uses, Watch};
use zeroize::Zeroizing;

type Watched<'a> = Option<&'a dyn Watch>;

/// What a table is for: the settings are the longest exponent in bits, bytes of memory, how many powers (0 for the default), 1 for lists, 1
/// for secrets.
fn wanted(request: &Request) -> Result<(u64, u64, Uses), Error> {
    let [exponent_bits, memory_bytes, powers, in_lists, secret] = request.own_settings() else {
        return Err(crate::request::missing("setting", 4));
    };
    let powers = if *powers > 0 { *powers } else { Uses::default().powers };
    let mut uses = Uses::new(powers, *in_lists != 0);
    uses.secret = *secret != 0;
    Ok((*exponent_bits, *memory_bytes, uses))
}

/// Base; modulo the object. Settings as of [`wanted`].
pub(super) fn make(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (exponent_bits, memory_bytes, uses) = wanted(request)?;
    let (base, modulus, options) = (request.number(0)?, modulus(request)?, request.options(watch));
    let made = FixedBase::for_uses(base, modulus, exponent_bits, memory_bytes, uses, &options)?;
    Ok(Answer::Handle(Handle::FixedBase(made)))
}

/// As [`make`].
pub(super) fn explain(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (exponent_bits, memory_bytes, uses) = wanted(request)?;
    let (base, modulus, options) = (request.number(0)?, modulus(request)?, request.options(watch));
    let explanation = FixedBase::explain(base, modulus, exponent_bits, memory_bytes, uses, &options)?;
    Ok(Answer::Text(explanation.to_string()))
}

/// Exponent.
pub(super) fn pow(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let fixed = fixed(request)?;
    let power = fixed.pow_with(request.number(0)?, &request.options(watch))?;
    Ok(Answer::Number(power, width(fixed.modulus().value())))
}

/// Exponents.
pub(super) fn list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let fixed = fixed(request)?;
    results_fit(request.list(0)?.iter().map(|_| width(fixed.modulus().value())))?;
    let powers = fixed.pow_list(request.list(0)?, &request.options(watch))?;
    Ok(Answer::Numbers(powers, Widths::All(width(fixed.modulus().value()))))
}

/// The bytes of the file.
pub(super) fn save(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    Ok(Answer::Bytes(Zeroizing::new(fixed(request)?.to_bytes()?)))
}

/// The bytes of a file; lists of the expected modulus and of the expected base, which may be empty. The setting is 1 to compute every
/// entry again.
pub(super) fn load(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let expected = |at: usize| request.list(at).unwrap_or_default().first();
    let modulus = expected(0).map(not_negative).transpose()?;
    let wanted = Expected::default().with_modulus(modulus).with_base(expected(1));
    let options = request.options(watch);
    let loaded = FixedBase::from_bytes(request.bytes(0)?, &wanted, &options)?;
    if request.setting(0)? != 0 {
        loaded.verify(&options)?;
    }
    Ok(Answer::Handle(Handle::FixedBase(loaded)))
}

/// Modulus, base, longest exponent in bits, bytes of the table.
pub(super) fn facts(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    let fixed = fixed(request)?;
    let numbers = [
        fixed.modulus().value().clone(),
        fixed.base().clone(),
        Natural::from(fixed.exponent_bits()),
        Natural::from(fixed.table_bytes()),
    ];
    Ok(Answer::Numbers(numbers.map(Ok).into(), Widths::All(width(fixed.modulus().value()).max(8))))
}

/// Bytes of the exponent; the setting is its declared length in bits.
pub(super) fn pow_sec(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (fixed, exponent) = (fixed(request)?, secret(request, 0, request.setting(0)?)?);
    let modulus = fixed.modulus().value();
    let mut bytes = Zeroizing::new(vec![0; limb_bytes(modulus)]);
    let failed = fixed.pow_sec_list(core::slice::from_ref(&exponent), &mut bytes, &request.options(watch))?;
    match failed.into_iter().next() {
        Some((_, error)) => Err(error),
        None => Ok(Answer::Bytes(end_of(&bytes, width(modulus)))),
    }
}

/// Bytes of the exponents; the setting is their declared length in bits.
pub(super) fn pow_sec_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (fixed, exponents) = (fixed(request)?, secrets(request, 0, request.setting(0)?)?);
    let options = request.options(watch);
    secret_list(fixed.modulus().value(), exponents.len(), |out| fixed.pow_sec_list(&exponents, out, &options))
}
