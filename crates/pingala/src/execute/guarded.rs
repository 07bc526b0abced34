//! Powers with a secret exponent modulo each known factor, checked before they are joined and released.
//!
//! One fault in one half of such a power gives the factors away [boneh2001importance]. Shamir's trick
//! [shamir1999method]: with a random prime r of 64 bits, each half is computed modulo p^k r, and all must agree modulo r.
//! A fault that strikes one half stays unseen with probability 2^-63. What is joined is then compared with the halves.
//!
//! Branch-free in base, exponent, residues and result, but for the one bit that says whether a check failed. The factors
//! are public.

use crate::error::Error;
use crate::execute::prepared::Prepared;
use crate::execute::pulse::Pulse;
use crate::execute::secret;
use crate::exponent::SecretExponent;
use crate::kernel::Ring;
use crate::kernel::montgomery::Product;
use crate::kernel::odd::OddRing;
use crate::kernel::product::schoolbook;
use crate::modulus::{Factor, Facts};
use crate::natural::{Natural, chores, linear, random};
use crate::plan::Plan;
use core::hint::black_box;
use zeroize::Zeroizing;

/// What is prepared, once, for the factors of an odd modulus.
pub(crate) struct Guarded {
    /// The random prime.
    r: Natural,
    modulo_r: OddRing<u64>,
    parts: Vec<Part>,
}

struct Part {
    /// p^k r.
    guarded: Prepared,
    /// Modulo p^k.
    ring: OddRing<u64>,
    /// The product of the parts before this one, and its inverse modulo p^k in the ring's form.
    previous: Natural,
    inverse: Vec<u64>,
}

impl core::fmt::Debug for Guarded {
    /// Whoever knows r can choose a fault that passes.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Guarded").finish_non_exhaustive()
    }
}

impl Guarded {
    /// For an odd modulus of two factors or more. Errors: `fault` where the system has no random numbers; those of the prime
    /// test.
    pub(crate) fn new(facts: &Facts, is_prime: impl FnMut(&Natural) -> Result<bool, Error>) -> Result<Self, Error> {
        debug_assert!(facts.trailing_zeros() == 0);
        let r = random_prime(facts.value(), is_prime)?;
        let part = |factor: &Factor| {
            let ring = OddRing::new(factor.power().value().limbs(), Product::Cios);
            Part {
                guarded: Prepared::new(Facts::new(chores::mul(factor.power().value(), &r))),
                inverse: enter(&ring, factor.inverse_of_previous().limbs()).to_vec(),
                ring,
                previous: factor.previous().clone(),
            }
        };
        let parts = facts.factors().iter().map(part).collect();
        Ok(Self { modulo_r: OddRing::new(r.limbs(), Product::Cios), r, parts })
    }

    /// Bits of each p^k r, with the exponent to use there, which is the given one where none stands: for a prime p that of
    /// p^(k-1) (p-1) (r-1), in place of a longer one.
    pub(crate) fn shapes(&self, facts: &Facts, exponent: &SecretExponent) -> Vec<(u64, Option<SecretExponent>)> {
        let r_less_one = chores::sub(&self.r, &Natural::from(1u64));
        let shape = |(part, factor): (&Part, &Factor)| {
            // Every order is at least k, as the reduction wants it: [`Factor::reduce_exponent`].
            let order = factor.group_order().map(|order| chores::mul(order, &r_less_one));
            (part.guarded.facts().bits(), order.and_then(|order| exponent.reduced(order.limbs())))
        };
        self.parts.iter().zip(facts.factors()).map(shape).collect()
    }

    /// base^exponent mod m into `out`, which is as long as the modulus, by one plan and one shape for each factor.
    ///
    /// Errors: `fault` where a check failed, and then `out` is zeros; those of [`secret::power`].
    pub(crate) fn power(
        &self,
        plans: &[(Plan, Option<SecretExponent>)],
        base: &[u64],
        negative: bool,
        exponent: &SecretExponent,
        out: &mut [u64],
        pulse: &Pulse<'_>,
    ) -> Result<(), Error> {
        out.fill(0);
        let mut halves = Vec::new();
        for (part, (plan, reduced)) in self.parts.iter().zip(plans) {
            let mut half = Zeroizing::new(vec![0; part.guarded.facts().value().limbs().len()]);
            let exponent = reduced.as_ref().unwrap_or(exponent);
            secret::power(&part.guarded, plan, base, negative, exponent, &mut half, pulse)?;
            #[cfg(test)]
            tests::strike(halves.len(), &mut half);
            halves.push(half);
        }
        let check = |half: &Zeroizing<Vec<u64>>| enter(&self.modulo_r, half);
        let first = check(&halves[0]);
        let mut difference = halves[1..].iter().fold(0, |all, half| all | differing(&first, &check(half)));
        let joined = self.join(&halves, out.len());
        for (part, half) in self.parts.iter().zip(&halves) {
            difference |= differing(&enter(&part.ring, &joined), &enter(&part.ring, half));
        }
        if black_box(difference) != 0 {
            return Err(Error::Fault("the parts of a power do not agree; nothing is released"));
        }
        out.copy_from_slice(&joined);
        Ok(())
    }

    /// Garner's recombination [menezes1996handbook, 14.71] by products and masks.
    fn join(&self, halves: &[Zeroizing<Vec<u64>>], words: usize) -> Zeroizing<Vec<u64>> {
        let mut result = Zeroizing::new(vec![0; words]);
        for (part, half) in self.parts.iter().zip(halves) {
            let n = part.ring.words();
            // Form(half), form(result), their difference, and the product with the inverse, in one arena.
            let mut arena = Zeroizing::new(vec![0; 3 * n]);
            arena[..n].copy_from_slice(&enter(&part.ring, half));
            arena[n..2 * n].copy_from_slice(&enter(&part.ring, &result));
            let (difference, known) = arena.split_at_mut(n);
            let borrow = linear::sub_assign(difference, &known[..n], false);
            let mask = black_box(u64::from(borrow)).wrapping_neg();
            linear::add_masked(difference, part.ring.modulus(), mask);
            let mut scratch = Zeroizing::new(vec![0; part.ring.scratch_words()]);
            if !part.previous.is_one() {
                arena[n..2 * n].copy_from_slice(&part.inverse);
                part.ring.mul(&mut arena, 0, 0, n, &mut scratch);
            }
            let mut t = Zeroizing::new(vec![0; n]);
            part.ring.leave(&mut t, &arena, 0, &mut scratch);
            // result + previous * t < previous * p^k, which divides m.
            let previous = part.previous.limbs();
            let mut step = Zeroizing::new(vec![0; previous.len() + n]);
            schoolbook::mul_rows(&mut step, previous, &t);
            let length = step.len().min(words);
            debug_assert!(step[length..].iter().all(|&word| word == 0));
            let carry = linear::add_shorter(&mut result, &step[..length]);
            debug_assert!(!carry);
        }
        #[cfg(test)]
        tests::strike(halves.len(), &mut result);
        result
    }
}

/// A number of any length in a ring's form, canonical.
fn enter(ring: &OddRing<u64>, value: &[u64]) -> Zeroizing<Vec<u64>> {
    let mut form = Zeroizing::new(vec![0; ring.words()]);
    let mut scratch = Zeroizing::new(vec![0; ring.scratch_words()]);
    ring.enter(&mut form, 0, value, &mut scratch);
    form
}

/// 0 exactly if two numbers of one length are equal.
pub(crate) fn differing(a: &[u64], b: &[u64]) -> u64 {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b))
}

/// A random prime of exactly 64 bits that does not divide m.
fn random_prime(m: &Natural, mut is_prime: impl FnMut(&Natural) -> Result<bool, Error>) -> Result<Natural, Error> {
    loop {
        let mut drawn = [0];
        random::fill(&mut drawn)?;
        let r = Natural::from(drawn[0] | 1 << 63 | 1);
        if is_prime(&r)? && !chores::rem(m, &r).is_zero() {
            return Ok(r);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use core::cell::Cell;

    thread_local! {
        /// Where a fault strikes: the part (or, behind the last, what is joined), and the bit that turns over.
        pub(crate) static FAULT: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    }

    /// The planted fault.
    pub(super) fn strike(place: usize, limbs: &mut [u64]) {
        if let Some((at, bit)) = FAULT.get()
            && at == place
        {
            limbs[bit / 64 % limbs.len()] ^= 1 << (bit % 64);
        }
    }
}
