//! Whether a number is a power of a smaller one.

use super::euclid::GoOn;
use super::{Natural, chores};
use crate::error::Error;

/// A number that no prime below this one divides has powers with small exponents only.
const LEAST: u64 = 752;

/// Primes that a number has to pass for each exponent before its root is computed.
const SIEVES: usize = 8;

/// The smallest b and the largest k >= 2 with b^k equal to the number; none if there are none, and for 0 and 1.
///
/// Exact. For each prime exponent a number that is no power nearly always fails to be a residue of it modulo a small prime
/// [cohen1993course, 1.7]; only otherwise the root is computed and raised again. `go_on` is asked before each exponent.
/// Error: `interrupted`. Leaks: everything, by its timing.
pub(crate) fn perfect_power(number: &Natural, go_on: GoOn<'_>) -> Result<Option<(Natural, u32)>, Error> {
    if number.bits() < 3 {
        return Ok(None);
    }
    // The exponent divides that of every prime factor.
    let small =
        primes(2).take_while(|&p| p < LEAST).map(|p| (p, multiplicity(number, p))).find(|&(_, times)| times > 0);
    let most = match small {
        Some((_, times)) => times,
        None => (number.bits() - 1) / u64::from(LEAST.ilog2()),
    };
    let divides = |&k: &u64| small.is_none_or(|(_, times)| times.is_multiple_of(k));
    for k in primes(2).take_while(|&k| k <= most).filter(divides) {
        if !go_on() {
            return Err(Error::Interrupted);
        }
        if let Some(root) = root(number, k) {
            return Ok(Some(match perfect_power(&root, go_on)? {
                Some((base, more)) => (base, k as u32 * more),
                None => (root, k as u32),
            }));
        }
    }
    Ok(None)
}

/// How often a prime divides a number, which is not 0.
fn multiplicity(number: &Natural, p: u64) -> u64 {
    if p == 2 {
        return number.trailing_zeros();
    }
    if chores::rem_word(number, p) != 0 {
        return 0;
    }
    let (p, mut number, mut times) = (Natural::from(p), number.clone(), 0);
    loop {
        let (quotient, rest) = chores::div_rem(&number, &p);
        if !rest.is_zero() {
            return times;
        }
        (number, times) = (quotient, times + 1);
    }
}

/// The root of this order, a prime, if it is a whole number.
fn root(number: &Natural, k: u64) -> Option<Natural> {
    // Modulo a prime r = 1 mod k only one residue in k is a power.
    let mut sieves = (1..).map(|j| 2 * j * k + 1).filter(|&r| is_prime(r)).take(SIEVES);
    let is_power = |rest: u64, r: u64| rest == 0 || power(rest, (r - 1) / k, r) == 1;
    if !sieves.all(|r| is_power(chores::rem_word(number, r), r)) {
        return None;
    }
    let root = chores::root(number, k as usize);
    (chores::pow(&root, k as u32) == *number).then_some(root)
}

/// The primes from `first` on.
fn primes(first: u64) -> impl Iterator<Item = u64> {
    (first..).filter(|&n| is_prime(n))
}

/// By trial division: numbers of some 20 bits.
fn is_prime(n: u64) -> bool {
    n == 2 || n > 2 && n % 2 == 1 && (3..).step_by(2).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// Modulo a number below 2^32.
fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    let mul = |a: u64, b: u64| a * b % modulus;
    let bits = (0..u64::BITS - exponent.leading_zeros()).rev();
    bits.fold(1, |power, bit| if exponent >> bit & 1 == 1 { mul(mul(power, power), base) } else { mul(power, power) })
}

#[cfg(test)]
#[path = "../../tests/inside/natural/power.rs"]
mod tests;
