//! Primes.

use super::power::{checked, multiplicity};
use crate::request::{Answer, Request, Widths, missing, not_negative, results_fit, width};
use pingala_core::{Error, Integer, Natural, Options, Watch};
use pingala_primes::{
    Certificate, PairKind, Primality, PrimeOptions, ROUNDS, certify, estimate_random_prime, is_prime_list,
    jacobi_list_with, kronecker, next_prime, previous_prime, prime_pair, primes_between, random_prime,
    random_secret_prime, sqrt_mod, sqrt_mod_all, sqrt_mod_factored, sqrt_mod_list,
};
use zeroize::Zeroizing;

type Watched<'a> = Option<&'a dyn Watch>;

/// 0 for a composite, 1 for a probable prime, 2 for a proved one.
fn number(answer: &Primality) -> i32 {
    i32::from(answer.prime) + i32::from(answer.prime && answer.proved)
}

/// Numbers. The setting is the number of rounds, 0 for the default.
pub(super) fn test(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let rounds = match request.setting(0)? {
        0 => ROUNDS,
        rounds => u32::try_from(rounds).map_err(|_| Error::BadArgument("2^32 rounds or more".into()))?,
    };
    let found = is_prime_list(request.list(0)?, rounds, &request.options(watch))?;
    Ok(Answer::Small(found.iter().map(number).collect()))
}

/// A number; as bytes the result is as long as it has to be.
fn found(prime: Natural) -> Answer {
    let width = width(&prime);
    Answer::Number(prime, width)
}

/// Numbers of which each is as long as it has to be.
fn all(found: Vec<Natural>) -> Result<Answer, Error> {
    let widths: Vec<usize> = found.iter().map(width).collect();
    results_fit(widths.iter().copied())?;
    Ok(Answer::Numbers(found.into_iter().map(Ok).collect(), Widths::Each(widths)))
}

/// A number.
pub(super) fn next(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    Ok(found(next_prime(request.number(0)?, &request.options(watch))?))
}

/// A number.
pub(super) fn previous(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    Ok(found(previous_prime(request.number(0)?, &request.options(watch))?))
}

/// What is asked for: settings from the second on are safe, two top bits, uniform, rounds; the first list has residue and modulus, or
/// nothing.
fn wanted(request: &Request) -> Result<PrimeOptions<'_>, Error> {
    let residue = match request.list(0).unwrap_or_default() {
        [] => None,
        [r, q] => Some((not_negative(r)?, not_negative(q)?)),
        _ => return Err(missing("residue", 0)),
    };
    let rounds = Some(request.setting(4)? as u32).filter(|&rounds| rounds > 0);
    Ok(PrimeOptions::default()
        .with_safe(request.setting(1)? != 0)
        .with_top_bits(if request.setting(2)? != 0 { 2 } else { 1 })
        .with_uniform(request.setting(3)? != 0)
        .with_residue(residue)
        .with_rounds(rounds))
}

/// The first setting is the length in bits.
pub(super) fn random(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let prime = random_prime(request.setting(0)?, &wanted(request)?, &request.options(watch))?;
    Ok(found(prime.into_value()))
}

/// The first setting is the length in bits.
pub(super) fn random_secret(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let prime = random_secret_prime(request.setting(0)?, &wanted(request)?, &request.options(watch))?;
    Ok(Answer::Bytes(Zeroizing::new(prime.as_be_bytes().to_vec())))
}

/// As a random prime, with one setting more: whether it is secret. The answer has the tests and the seconds, with a blank between them.
pub(super) fn estimate(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (bits, secret) = (request.setting(0)?, request.setting(5)? != 0);
    let estimate = estimate_random_prime(bits, &wanted(request)?, secret, &request.options(watch))?;
    Ok(Answer::Text(format!("{} {}", estimate.tests, estimate.seconds)))
}

/// Settings: the length of the modulus in bits, the kind (1 RSA, 2 Paillier, 3 safe primes), rounds; the first list has the public
/// exponent of RSA.
pub(super) fn pair(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let kind = match (request.setting(1)?, request.list(0).unwrap_or_default()) {
        (1, [exponent]) => PairKind::Rsa(not_negative(exponent)?.clone()),
        (2, []) => PairKind::Paillier,
        (3, []) => PairKind::Safe,
        _ => return Err(Error::BadArgument("no kind of two primes".into())),
    };
    let rounds = Some(request.setting(2)? as u32).filter(|&rounds| rounds > 0);
    let options = PrimeOptions::default().with_rounds(rounds);
    let found = prime_pair(request.setting(0)?, &kind, &options, &request.options(watch))?;
    Ok(Answer::ManyBytes([found.p, found.q].map(|prime| Zeroizing::new(prime.as_be_bytes().to_vec())).into()))
}

/// The settings of symbols and roots: no number is longer than the longest modulus, which the library asks of moduli only.
fn capped<'a>(request: &'a Request, watch: Watched<'a>) -> Result<Options<'a>, Error> {
    let options = request.options(watch);
    let cap = options.limits().modulus_bits;
    let longest = request.numbers.iter().flatten().map(|number| number.magnitude().bits()).max().unwrap_or(0);
    if longest > cap {
        return Err(Error::TooLong { what: "number", length: longest, cap });
    }
    Ok(options)
}

/// Numbers, and the odd numbers below them.
pub(super) fn jacobi(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let numbers: [&[Integer]; 2] = [request.list(0)?, request.list(1)?];
    Ok(Answer::Small(jacobi_list_with(numbers[0], numbers[1], &capped(request, watch)?)?))
}

/// A number, and another one.
pub(super) fn kronecker_symbol(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    Ok(Answer::Small(vec![kronecker(request.only(0)?, request.only(1)?, &capped(request, watch)?)?]))
}

/// The first number, and the one that no prime reaches.
pub(super) fn between(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    all(primes_between(request.only(0)?, request.only(1)?, &request.options(watch))?)
}

/// The number, and factors of the number below it.
pub(super) fn certificate(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (n, factors) = (request.natural(0)?, request.list(1)?);
    let factors = factors.iter().map(|factor| not_negative(factor).cloned()).collect::<Result<Vec<_>, Error>>()?;
    Ok(Answer::Text(certify(n, &factors, &request.options(watch))?.to_string()))
}

/// The text of a certificate.
pub(super) fn check(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let text = core::str::from_utf8(request.bytes(0)?);
    let text = text.map_err(|_| Error::BadArgument("a certificate is text".into()))?;
    Ok(found(Certificate::check(text, &request.options(watch))?.prime()))
}

/// As a random prime. The answer has the prime in hexadecimal, a blank, and its certificate.
pub(super) fn proved(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let prime = random_prime(request.setting(0)?, &wanted(request)?.with_proof(true), &request.options(watch))?;
    let certificate = prime.certificate().ok_or(Error::Fault("a proved prime has no certificate"))?;
    Ok(Answer::Text(format!("{:#x} {certificate}", prime.value())))
}

/// The primes of the second list, whose multiplicities are the first settings.
fn prime_factors(request: &Request) -> Result<Vec<(Natural, u32)>, Error> {
    let pair = |(at, factor): (usize, &Integer)| Ok((checked(factor)?.clone(), multiplicity(request, at)?));
    request.list(1)?.iter().enumerate().map(pair).collect()
}

/// A number; a prime, or prime factors, whose multiplicities are the settings.
pub(super) fn root(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (factors, options) = (prime_factors(request)?, capped(request, watch)?);
    let root = match &factors[..] {
        [(p, 1)] => sqrt_mod(request.number(0)?, p, &options)?,
        factors => sqrt_mod_factored(request.number(0)?, factors, &options)?,
    };
    Ok(found(root))
}

/// As [`root`], with a setting more: the most roots.
pub(super) fn roots(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let factors = prime_factors(request)?;
    let most = request.setting(factors.len())? as usize;
    all(sqrt_mod_all(request.number(0)?, &factors, most, &capped(request, watch)?)?)
}

/// Numbers, primes.
pub(super) fn root_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let primes = request.list(1)?.iter().map(|p| checked(p).cloned()).collect::<Result<Vec<_>, Error>>()?;
    let count = request.list(0)?.len();
    let widths: Vec<usize> =
        (0..count).map(|at| primes.get(if primes.len() == 1 { 0 } else { at }).map_or(0, width)).collect();
    results_fit(widths.iter().copied())?;
    let roots = sqrt_mod_list(request.list(0)?, &primes, &capped(request, watch)?)?;
    Ok(Answer::Numbers(roots, Widths::Each(widths)))
}
