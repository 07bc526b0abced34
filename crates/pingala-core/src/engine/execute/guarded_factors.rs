//! The constants of secret powers modulo each known factor: see [`super::guarded`]. Branch-free in the factors, except for what
//! [`released`] reveals.

use crate::engine::execute::rings::Rings;
use crate::error::Error;
use crate::kernel::Ring;
use crate::kernel::montgomery::{Portable, Product};
use crate::kernel::odd::OddRing;
use crate::kernel::product::schoolbook;
use crate::modulus::Facts;
use crate::natural::{Natural, Wiped, odd_inverse, random};
use crate::secrecy::{hidden, released, released_bits};

/// One coprime part p^k of an odd modulus, as the caller passes it: exactly `bits` bits, in `bits.div_ceil(64)` limbs.
pub(crate) struct FactorInput {
    pub(crate) power: Wiped,
    pub(crate) bits: usize,
    /// k.
    pub(crate) multiplicity: u32,
    /// p^(k-1) (p-1) for a secret p that was found prime. (Public factors know their own.)
    pub(crate) group_order: Option<Wiped>,
}

/// The constants for the factors of an odd modulus, prepared once.
pub(crate) struct Guarded {
    /// The random prime.
    pub(super) r: Wiped,
    pub(super) modulo_r: OddRing<u64>,
    pub(super) parts: Vec<GuardedFactor>,
}

pub(super) struct GuardedFactor {
    /// p^k, and p^k r.
    pub(super) plain: SecretModulus,
    pub(super) with_r: SecretModulus,
    pub(super) multiplicity: u32,
    pub(super) group_order: Option<Wiped>,
    /// Modulo p^k.
    pub(super) ring: OddRing<u64>,
    /// The product of the parts before this one, and its inverse modulo p^k in the ring's form.
    pub(super) previous: Wiped,
    pub(super) inverse: Wiped,
}

/// A secret odd modulus with its rings.
pub(super) struct SecretModulus {
    pub(super) limbs: Wiped,
    pub(super) bits: usize,
    pub(super) rings: Rings,
}

impl Guarded {
    /// Prepares an odd modulus of two or more factors. Errors: `wrong_factors` if they have a common divisor or another product; `fault`
    /// if the system has no random numbers; those of the prime test.
    pub(crate) fn new(
        facts: &Facts,
        given: Vec<FactorInput>,
        is_prime: impl FnMut(&[u64]) -> Result<bool, Error>,
    ) -> Result<Self, Error> {
        debug_assert!(facts.trailing_zeros() == 0);
        let wrong = |why: &str| Err(Error::WrongFactors(why.into()));
        let secret = given.first().map_or(0, |factor| factor.power[0]);
        let r = random_prime(facts.value(), secret, is_prime)?;
        let mut parts: Vec<GuardedFactor> = Vec::with_capacity(given.len());
        let (mut product, mut product_bits): (Wiped, _) = (Wiped::new(vec![1]), 1);
        for FactorInput { power, bits, multiplicity, group_order } in given {
            let ring = OddRing::of_bits(&power, bits, Product::Cios, Portable::USUAL);
            let inverse = if parts.is_empty() {
                Wiped::new(Vec::new())
            } else {
                let (inverse, fails) = odd_inverse::inverse(&remainder(&ring, &product), ring.modulus(), bits);
                if released(fails) != 0 {
                    return wrong("a factor shares a divisor with another one");
                }
                enter(&ring, &inverse)
            };
            let (longer, longer_bits) = times(&product, product_bits, &power, bits);
            let previous = core::mem::replace(&mut product, longer);
            product_bits = longer_bits;
            let modulus = |(limbs, bits)| SecretModulus { limbs, bits, rings: Rings::default() };
            let (with_r, plain) = (modulus(times(&power, bits, &r, 64)), modulus((power, bits)));
            parts.push(GuardedFactor { plain, with_r, multiplicity, group_order, ring, previous, inverse });
        }
        let value = facts.value().limbs();
        if product.len() != value.len() || released(differing(&product, value)) != 0 {
            return wrong("their product is not the modulus");
        }
        Ok(Self { modulo_r: OddRing::new(&r, Product::Cios), r, parts })
    }
}

/// Multiplies: a b and its length in bits, which becomes public, in no more limbs than it needs.
pub(super) fn times(a: &[u64], a_bits: usize, b: &[u64], b_bits: usize) -> (Wiped, usize) {
    let mut product = Wiped::new(vec![0; a.len() + b.len()]);
    schoolbook::mul_rows(&mut product, a, b);
    let bits = released_bits(&product, (a_bits + b_bits).min(64 * product.len()));
    product.truncate(bits.div_ceil(64).max(1));
    (product, bits)
}

/// Reduces a number of any length by the modulus of a ring.
pub(super) fn remainder(ring: &OddRing<u64>, value: &[u64]) -> Wiped {
    let form = enter(ring, value);
    let mut remainder = Wiped::new(vec![0; ring.words()]);
    let mut scratch = Wiped::new(vec![0; ring.scratch_words()]);
    ring.leave(&mut remainder, &form, 0, &mut scratch);
    remainder
}

/// Brings a number of any length into a ring's form, canonical.
pub(super) fn enter(ring: &OddRing<u64>, value: &[u64]) -> Wiped {
    let mut form = Wiped::new(vec![0; ring.words()]);
    let mut scratch = Wiped::new(vec![0; ring.scratch_words()]);
    ring.enter(&mut form, 0, value, &mut scratch);
    form
}

/// Returns 0 exactly if two numbers of one length are equal.
pub(crate) fn differing(a: &[u64], b: &[u64]) -> u64 {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b))
}

/// Draws a random prime of exactly 64 bits that does not divide m, as secret as `secret` ([`hidden`]).
///
/// Leaks: how many numbers were drawn.
pub(super) fn random_prime(
    m: &Natural,
    secret: u64,
    mut is_prime: impl FnMut(&[u64]) -> Result<bool, Error>,
) -> Result<Wiped, Error> {
    let mut drawn = Wiped::new(vec![0]);
    loop {
        random::fill(&mut drawn)?;
        hidden(&mut drawn, secret);
        drawn[0] |= 1 << 63 | 1;
        if is_prime(&drawn)? && released(remainder(&OddRing::new(&drawn, Product::Cios), m.limbs())[0]) != 0 {
            return Ok(drawn);
        }
    }
}
