//! Random primes that come with their proof.

use crate::arith::{from_ubig, to_ubig};
use crate::certificate::{Certificate, SELF_EVIDENT_BITS};
use crate::primality::Primality;
use crate::proof::{Step, find_bases};
use crate::random::{RandomPrime, drawn, random_below};
use crate::range::{Progression, least};
use crate::settings::PrimeOptions;
use dashu_int::UBig;
use pingala_core::{Error, Integer, Natural, Options, invert};
use std::collections::BTreeMap;

/// How many factors of p - 1 are tried if none of the numbers that fit is prime.
const ATTEMPTS: u32 = 64;

/// Draws a prime and proves it. Errors: those of [`random_prime`](crate::random_prime).
pub(crate) fn provable(bits: u64, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<RandomPrime, Error> {
    least(bits, prime.top_bits)?;
    let mut steps = BTreeMap::new();
    let value = build(bits, prime, &mut steps, options)?;
    let certificate = Certificate::new(to_ubig(&value), steps);
    certificate.verify(options)?;
    Ok(RandomPrime::new(value, Primality::proved(true), Some(certificate)))
}

/// The number of bits of the prime factor of p - 1, or of (p - 3) / 2 for a safe p.
///
/// Without a residue the ratio of lengths is that of Maurer [maurer1995fast]: 2^(x - 1) for a uniform x, as the greatest prime factor of a random
/// number has it if it is longer than half. There have to be enough numbers to choose from besides.
fn factor_bits(bits: u64, prime: &PrimeOptions<'_>) -> Result<u64, Error> {
    if prime.residue.is_some() {
        return Ok(bits / 3 + 2);
    }
    let log = 64 - u64::from(bits.leading_zeros());
    let room = 16 + if prime.safe { 3 * log } else { 2 * log };
    let half = bits / 2 + 1;
    for _ in 0..100 {
        let x = random_below(&UBig::from(1u64 << 32), prime)?;
        let ratio = (u64::try_from(&x).unwrap_or(0) as f64 / 4_294_967_296.0 - 1.0).exp2();
        let length = (bits as f64 * ratio) as u64;
        if length >= half && length + room <= bits {
            return Ok(length);
        }
    }
    Ok(half)
}

/// A prime, whose proof and those that it needs are added to `steps`.
fn build(
    bits: u64,
    prime: &PrimeOptions<'_>,
    steps: &mut BTreeMap<UBig, Vec<Step>>,
    options: &Options<'_>,
) -> Result<Natural, Error> {
    let prime = &PrimeOptions { proof: false, ..*prime };
    if bits <= SELF_EVIDENT_BITS as u64 {
        return Ok(drawn(bits, prime, options)?.0);
    }
    let usual = PrimeOptions { source: prime.source, rounds: prime.rounds, ..PrimeOptions::default() };
    Progression::new(bits, &least(bits, prime.top_bits)?, prime)?;
    let mut attempts = 0;
    loop {
        steps.clear();
        let f = build(factor_bits(if prime.safe { bits - 1 } else { bits }, prime)?, &usual, steps, options)?;
        // p = 1 modulo f, or (p - 1) / 2 = 1.
        let rest = UBig::from(if prime.safe { 3u8 } else { 1 });
        let residue = match prime.residue {
            None => (rest, to_ubig(&f)),
            Some((_, q)) if q.is_zero() => return Err(Error::ZeroModulus),
            Some((r, q)) => {
                // r + q k with k = (rest - r) / q modulo f.
                let inverse = match invert(&Integer::from(q), &f, &options.with_plan(None)) {
                    Ok(inverse) => inverse,
                    // f divides q: another f does not.
                    Err(Error::NotInvertible) if attempts < ATTEMPTS => {
                        attempts += 1;
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                let (r, q, f) = (to_ubig(r) % to_ubig(q), to_ubig(q), to_ubig(&f));
                let k = (rest + &f - &r % &f) * to_ubig(&inverse) % &f;
                (r + &q * k, q * f)
            }
        };
        let residue = (from_ubig(&residue.0), from_ubig(&residue.1));
        let prime = PrimeOptions { residue: Some((&residue.0, &residue.1)), ..*prime };
        attempts += 1;
        let p = match drawn(bits, &prime, options) {
            Ok((p, _)) => p,
            // With another factor there may be a prime.
            Err(Error::BadArgument(_)) if attempts < ATTEMPTS => continue,
            Err(Error::BadArgument(_)) => {
                return Err(Error::BadArgument(
                    "none of the primes that are built with a proof was found to fit".into(),
                ));
            }
            Err(error) => return Err(error),
        };
        let mut prove = |n: &Natural, q: &Natural| -> Result<bool, Error> {
            let bases = find_bases(&to_ubig(n), &[to_ubig(q)], options)?;
            let is_proved = bases.is_some();
            if let Some(bases) = bases
                && n.bits() > SELF_EVIDENT_BITS as u64
            {
                steps.insert(to_ubig(n), bases);
            }
            Ok(is_proved)
        };
        let is_proved = if prime.safe {
            let half = &p >> 1;
            prove(&half, &f)? && prove(&p, &half)?
        } else {
            prove(&p, &f)?
        };
        // Only a composite that passed all tests is not proved.
        if is_proved {
            return Ok(p);
        }
    }
}
