//! Lists, products, repeated squaring, explanations. In calls that `border/calls.toml` describes for JavaScript each operand is a list of numbers, in order.

use super::modulus as of_call;
use super::power::{Watched, checked};
use crate::request::{Answer, Request, Widths, missing, results_fit, width};
use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, pairs};
use std::collections::HashMap;

/// The element of a list, of which one stands for all.
fn element(list: &[Integer], at: usize) -> Result<&Integer, Error> {
    if let [one] = list { Ok(one) } else { list.get(at).ok_or_else(|| missing("element", at)) }
}

/// Bases, exponents, moduli. One number stands for all of its list; the first setting is the number of elements. A modulus that occurs
/// several times is prepared once.
pub(super) fn list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (count, options) = (request.setting(0)? as usize, request.options(watch));
    let (bases, exponents, values) = (request.list(0)?, request.list(1)?, request.list(2)?);
    let mut moduli: Vec<Result<Modulus, Error>> = Vec::new();
    let mut places: HashMap<&Integer, usize> = HashMap::new();
    let mut place_of = Vec::with_capacity(values.len());
    for value in values {
        place_of.push(*places.entry(value).or_insert_with(|| {
            moduli.push(checked(value).and_then(|value| Modulus::with_limits(value.clone(), options.limits())));
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
    results_fit(widths.iter().copied())?;
    let powers = pingala_core::pow_list(&jobs, &options)?;
    for (at, power) in pairs(job_of, powers)? {
        results[at] = power;
    }
    Ok(Answer::Numbers(results, Widths::Each(widths)))
}

/// Bases, exponents; modulo the object.
pub(super) fn modulus_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let (count, options) = (request.setting(0)? as usize, request.options(watch));
    results_fit((0..count).map(|_| width(modulus.value())))?;
    let powers = match (request.list(0)?, request.list(1)?) {
        ([], _) | (_, []) => Vec::new(),
        ([base], exponents) if exponents.len() == count => modulus.pow_exp_list(base, exponents, &options)?,
        (bases, [exponent]) if bases.len() == count => modulus.pow_base_list(bases, exponent, &options)?,
        (bases, exponents) => {
            let job = |at| Ok(Job { base: element(bases, at)?, exponent: element(exponents, at)?, modulus });
            pingala_core::pow_list(&(0..count).map(job).collect::<Result<Vec<_>, Error>>()?, &options)?
        }
    };
    Ok(Answer::Numbers(powers, Widths::All(width(modulus.value()))))
}

/// Base, exponent; modulo the object.
pub(super) fn explain(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let explanation = modulus.explain(request.number(0)?, request.number(1)?, &request.options(watch))?;
    Ok(Answer::Text(explanation.to_string()))
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
    fits(request, modulus)?;
    let inverses = modulus.invert_list(request.list(0)?, &request.options(watch))?;
    Ok(Answer::Numbers(inverses, Widths::All(width(modulus.value()))))
}

/// Base; the number of squarings is the setting; modulo the object.
pub(super) fn squaring(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    let square = modulus.repeated_square(request.number(0)?, request.setting(0)?, &request.options(watch))?;
    Ok(Answer::Number(square, width(modulus.value())))
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
            pingala_core::plan_list(&jobs, &options)?.to_string()
        }
    };
    Ok(Answer::Text(text))
}

/// Lists of bases and of exponents one behind the other, whose ends are the settings; modulo the object.
fn products<T>(
    request: &Request,
    watch: Watched<'_>,
    work: impl FnOnce(&[(&[Integer], &[Integer], &Modulus)], &Options<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let (modulus, bases, exponents) = (of_call(request)?, request.list(0)?, request.list(1)?);
    let (mut start, mut all) = (0, Vec::with_capacity(request.own_settings().len()));
    for &end in request.own_settings() {
        let place = start..end as usize;
        start = place.end;
        let powers = bases.get(place.clone()).zip(exponents.get(place));
        let (bases, exponents) = powers.ok_or_else(|| missing("element", start))?;
        all.push((bases, exponents, modulus));
    }
    work(&all, &request.options(watch))
}

/// As [`products`].
pub(super) fn product_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let width = width(of_call(request)?.value());
    results_fit(request.own_settings().iter().map(|_| width))?;
    let found = products(request, watch, pingala_core::pow_product_list)?;
    Ok(Answer::Numbers(found, Widths::All(width)))
}

/// As [`products`].
pub(super) fn explain_product_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let explanation = products(request, watch, pingala_core::explain_product_list)?;
    Ok(Answer::Text(explanation.to_string()))
}

/// Bases, exponents; modulo the object.
pub(super) fn explain_product(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (modulus, bases, exponents) = (of_call(request)?, request.list(0)?, request.list(1)?);
    // Error for two lengths.
    drop(pairs(bases, exponents)?);
    Ok(Answer::Text(modulus.explain_product(exponents, &request.options(watch))?.to_string()))
}

/// The number of squarings is the setting; modulo the object.
pub(super) fn explain_squaring(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let explanation = of_call(request)?.explain_repeated_square(request.setting(0)?, &request.options(watch))?;
    Ok(Answer::Text(explanation.to_string()))
}

/// Residues modulo the object.
fn residues(modulus: &Modulus, found: Vec<Natural>) -> Answer {
    Answer::Numbers(found.into_iter().map(Ok).collect(), Widths::All(width(modulus.value())))
}

/// Error: `bad_argument` if a list of as many residues as the longest list has no room.
fn fits(request: &Request, modulus: &Modulus) -> Result<(), Error> {
    let count = request.numbers.iter().map(Vec::len).max().unwrap_or_default();
    results_fit((0..count).map(|_| width(modulus.value())))
}

/// a, b; modulo the object.
pub(super) fn mul_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    fits(request, modulus)?;
    Ok(residues(modulus, modulus.mul_list(request.list(0)?, request.list(1)?, &request.options(watch))?))
}

/// Values; modulo the object.
pub(super) fn square_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    fits(request, modulus)?;
    Ok(residues(modulus, modulus.square_list(request.list(0)?, &request.options(watch))?))
}

/// Values; modulo the object.
pub(super) fn product_of_values(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    Ok(Answer::Number(modulus.product(request.list(0)?, &request.options(watch))?, width(modulus.value())))
}

/// Values; modulo the object.
pub(super) fn running_product(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let modulus = of_call(request)?;
    fits(request, modulus)?;
    Ok(residues(modulus, modulus.running_product(request.list(0)?, &request.options(watch))?))
}
