//! Set-up of secret factors: their powers, and their primality.

use crate::engine::execute::guarded_factors::{FactorInput, differing, remainder, times};
use crate::engine::execute::{Poll, SecretPower, rings, secret};
use crate::engine::plan::Plan;
use crate::error::Error;
use crate::exponent::SecretExponent;
use crate::kernel::ModulusParts;
use crate::kernel::montgomery::Product;
use crate::kernel::odd::OddRing;
use crate::modulus::SecretFactor;
use crate::natural::{Natural, Wiped, odd_inverse, random};
use crate::secrecy::released;
use core::hint::black_box;

/// Rounds of the prime test: all find a composite prime with probability 2^-80 at most.
const ROUNDS: usize = 80;
const _: () = assert!(ROUNDS >= 80, "the probability that is documented belongs to 80 rounds");

/// The factor's power p^k, with the order of its group where p was found prime by powers along `plan`; without a plan it is
/// not tested. Errors: those of the test.
///
/// Leaks: lengths, and whether p is prime.
pub(crate) fn given(factor: &SecretFactor, plan: Option<&Plan>, poll: &Poll<'_>) -> Result<FactorInput, Error> {
    let (p, p_bits) = (factor.limbs(), factor.bits());
    let power_of = |count: u32| {
        let one = (Wiped::new(vec![1]), 1);
        (0..count).fold(one, |(power, bits), _| times(&power, bits, p, p_bits))
    };
    let prime = plan.map(|plan| is_prime(p, p_bits, plan, poll)).transpose()? == Some(true);
    let group_order = prime.then(|| {
        let (less, bits) = power_of(factor.multiplicity() - 1);
        times(&less, bits, &minus_one(p), p_bits).0
    });
    let (power, bits) = power_of(factor.multiplicity());
    Ok(FactorInput { power, bits, multiplicity: factor.multiplicity(), group_order })
}

/// Whether a public exponent has an inverse modulo the order of the factor's group, which is known. (The order is even.)
///
/// Leaks: the answer.
pub(crate) fn has_inverse(public_exponent: &Natural, group_order: &[u64]) -> bool {
    if public_exponent.is_even() || public_exponent.is_one() {
        return public_exponent.is_one();
    }
    let ring = OddRing::new(public_exponent.limbs(), Product::Cios);
    let rest = remainder(&ring, group_order);
    released(odd_inverse::inverse(&rest, public_exponent.limbs(), public_exponent.bits() as usize).1) == 0
}

/// p - 1 for an odd p.
pub(crate) fn minus_one(p: &[u64]) -> Wiped {
    let mut less = Wiped::new(p.to_vec());
    less[0] ^= 1;
    less
}

/// All ones if two numbers of one length are equal, otherwise 0.
pub(crate) fn equal(a: &[u64], b: &[u64]) -> u64 {
    let difference = differing(a, b);
    black_box((difference | difference.wrapping_neg()) >> 63).wrapping_sub(1)
}

/// Whether a number that was drawn is prime, by powers along `plan`. Errors: those of the test.
///
/// Leaks: whether it passes one round, and whether all.
pub(crate) fn is_drawn_prime(n: &[u64], bits: usize, plan: &Plan, poll: &Poll<'_>) -> Result<bool, Error> {
    // Few composites pass one round, whether or not it shows -1.
    Ok(released(lehmann(n, bits, 1, plan, poll)?.passes) != 0 && is_prime(n, bits, plan, poll)?)
}

/// Whether a number is prime, by all rounds, of which one bit is released. Errors: as above.
fn is_prime(n: &[u64], bits: usize, plan: &Plan, poll: &Poll<'_>) -> Result<bool, Error> {
    let LehmannRounds { passes, shown } = lehmann(n, bits, ROUNDS, plan, poll)?;
    Ok(released(passes & shown) != 0)
}

/// Masks: whether all powers were 1 or -1, and whether some were -1.
struct LehmannRounds {
    passes: u64,
    shown: u64,
}

/// Lehmann's test [lehmann1982primality]: n is prime if a^((n-1)/2) is 1 or -1 for every one of the random a, and -1 for some.
///
/// A composite n passes a round with probability 1/2 at most: if -1 is a value at all and n has two coprime factors, an a that
/// gives -1 modulo one and 1 modulo the other shows that values of 1 and -1 belong to a proper subgroup; modulo p^e, e > 1,
/// they belong to p - 1 of p^(e-1) (p - 1) units. If -1 is no value, no round shows it. A prime is not found prime with
/// probability 2^-56 at most: if p divides an a, as it does one in 2^63, or if no round shows -1.
///
/// Chosen over Miller and Rabin's test because no count of squarings depends on how often 2 divides n - 1: all powers have one
/// exponent of public length, the number of rounds is constant, and one bit is released in the end.
fn lehmann(n: &[u64], bits: usize, rounds: usize, plan: &Plan, poll: &Poll<'_>) -> Result<LehmannRounds, Error> {
    let (algorithm, form) = secret::constant_time(plan)?;
    let ring = rings::prepare(form, &ModulusParts::secret(n, bits))?;
    let mut half = Wiped::new(n.to_vec());
    odd_inverse::shift_right(&mut half);
    let exponent = SecretExponent::from_limbs(&half, bits - 1);
    let last = minus_one(n);
    let mut one = vec![0; n.len()];
    one[0] = 1;
    // 64 bits more than n has make the remainder uniform but for 2^-64.
    let mut base = Wiped::new(vec![0; n.len() + 1]);
    let (mut passes, mut shown) = (u64::MAX, 0);
    for _ in 0..rounds {
        random::fill(&mut base)?;
        let of_random = SecretPower { base: &base, negative: false, exponent: Some(&exponent), poll };
        let power = of_random.on(&*ring, algorithm, n)?;
        let is_last = equal(&power, &last);
        passes &= equal(&power, &one) | is_last;
        shown |= is_last;
    }
    Ok(LehmannRounds { passes, shown })
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/secret_factor.rs"]
mod tests;
