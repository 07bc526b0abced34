//! Primes.

use crate::request::{Answer, Request, missing, not_negative};
use pingala::{Error, Integer, Natural, Watch};
use pingala_primes::{
    PairKind, Primality, PrimeOptions, ROUNDS, estimate_random_prime, is_prime_list, jacobi_list_with, next_prime,
    previous_prime, prime_pair, random_prime, random_secret_prime,
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
    let width = crate::request::width(&prime);
    Answer::Number(prime, width)
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

/// Numbers, and the odd numbers below them.
pub(super) fn jacobi(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let numbers: [&[Integer]; 2] = [request.list(0)?, request.list(1)?];
    Ok(Answer::Small(jacobi_list_with(numbers[0], numbers[1], &request.options(watch))?))
}
