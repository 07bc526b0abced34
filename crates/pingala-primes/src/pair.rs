//! Two secret primes, for a modulus that is their product.

use crate::arith::to_ubig;
use crate::random::short_enough;
use crate::secret::{MIN_BITS, Search, Secret, SecretPrime};
use crate::settings::PrimeOptions;
use dashu_int::UBig;
use dashu_int::ops::SquareRoot;
use pingala_core::{Error, Natural, Options, release_secret};

/// Which conditions two primes p and q of equal length have to fulfil, besides those that [`prime_pair`] always has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PairKind {
    /// For RSA with this public exponent e: gcd(p - 1, e) = gcd(q - 1, e) = 1. FIPS 186-5 wants 2^16 < e < 2^256; here e is odd, and from 3
    /// to 2^64 - 1.
    Rsa(Natural),
    /// For the cryptosystem of Paillier: gcd(p q, (p - 1) (q - 1)) = 1, which follows from the equal length of different primes.
    Paillier,
    /// Safe primes: (p - 1) / 2 and (q - 1) / 2 are prime, as threshold signatures and accumulators want it.
    Safe,
}

/// Two secret primes, p and q in the order in which they were drawn.
#[derive(Debug)]
pub struct PrimePair {
    /// The first one.
    pub p: SecretPrime,
    /// The second one.
    pub q: SecretPrime,
}

/// Draws two secret primes whose product has exactly `modulus_bits` bits, an even number and at least 128, by the procedure of FIPS 186-5,
/// A.1.3 \[nist2023dss\], each candidate drawn afresh: both have half as many bits, are at least sqrt(2) 2^(modulus_bits / 2 - 1), and differ by
/// more than 2^(modulus_bits / 2 - 100). `kind` adds its conditions, and [`random_secret_prime`](crate::random_secret_prime) says how each
/// is tested and what the tests cost.
///
/// Of `prime`, the rounds, the source, the residue and `safe` are used, for both primes.
///
/// Errors: those of [`random_secret_prime`](crate::random_secret_prime); `bad_argument` for a public exponent that is even or not between 3 and
/// 2^64 - 1.
///
/// Leaks: as [`random_secret_prime`](crate::random_secret_prime); how many q were too close to p.
pub fn prime_pair(
    modulus_bits: u64,
    kind: &PairKind,
    prime: &PrimeOptions<'_>,
    options: &Options<'_>,
) -> Result<PrimePair, Error> {
    let refused = |why: &str| Err(Error::BadArgument(why.into()));
    if !modulus_bits.is_multiple_of(2) || modulus_bits < 2 * MIN_BITS {
        return refused(&format!(
            "a product of two secret primes of equal length has an even number of bits, 128 or more, not {modulus_bits}"
        ));
    }
    let half = modulus_bits / 2;
    short_enough(half, options)?;
    // The square root is no integer: 2 divides its square an odd number of times.
    let least = (UBig::ONE << (modulus_bits as usize - 1)).sqrt() + UBig::ONE;
    let exponent = match kind {
        PairKind::Rsa(e) => {
            let fits = !e.is_even() && e.bits() > 1 && e.bits() <= 64;
            if !fits {
                return refused("the public exponent of two primes is odd, and from 3 to 2^64 - 1");
            }
            Some(e.limbs()[0])
        }
        PairKind::Paillier | PairKind::Safe => None,
    };
    if let (PairKind::Rsa(e), Some((r, q))) = (kind, prime.residue) {
        check_exponent(e, r, q)?;
    }
    let prime = PrimeOptions { safe: prime.safe || *kind == PairKind::Safe, ..*prime };
    let search = Search::new(half, &least, &prime, exponent)?;
    let p = search.run(options)?;
    loop {
        let q = search.run(options)?;
        if are_apart(&p, &q, half.saturating_sub(100)) {
            return Ok(PrimePair { p: search.released(&p), q: search.released(&q) });
        }
    }
}

/// Error: `bad_argument` if p = r modulo q makes p - 1 and e share a divisor.
fn check_exponent(e: &Natural, r: &Natural, q: &Natural) -> Result<(), Error> {
    use dashu_int::ops::Gcd;
    if q.is_zero() {
        return Err(Error::ZeroModulus);
    }
    let (e, r, q) = (to_ubig(e), to_ubig(r), to_ubig(q));
    let common = e.gcd(&q);
    // r - 1 is a multiple of a divisor of both: those of every p - 1.
    let less = (r + &common - UBig::ONE) % &common;
    let shared = if common > UBig::ONE { less.gcd(&common) } else { UBig::ONE };
    if shared > UBig::ONE {
        return Err(Error::BadArgument("the residue makes p - 1 and the public exponent share a divisor".into()));
    }
    Ok(())
}

/// Whether |p - q| > 2^position; p and q are odd and of one length.
///
/// Leaks: the answer.
fn are_apart(p: &Secret, q: &Secret, position: u64) -> bool {
    let difference = |a: &Secret, b: &Secret| {
        let mut borrow = false;
        let mut difference = Secret::new(vec![0; a.len()]);
        for (out, (&a, &b)) in difference.iter_mut().zip(a.iter().zip(b.iter())) {
            (*out, borrow) = a.borrowing_sub(b, borrow);
        }
        (difference, core::hint::black_box(u64::from(borrow)).wrapping_neg())
    };
    let ((one, is_negative), (other, _)) = (difference(p, q), difference(q, p));
    let (at, bit) = ((position / 64) as usize, position % 64);
    let (mut higher, mut equal, mut below) = (0, 0, 0);
    for (i, (one, other)) in one.iter().zip(other.iter()).enumerate() {
        let limb = (one & !is_negative) | (other & is_negative);
        if i < at {
            below |= limb;
        } else if i > at {
            higher |= limb;
        } else {
            below |= limb & ((1 << bit) - 1);
            equal = limb >> bit & 1;
            higher |= limb >> bit >> 1;
        }
    }
    // Above 2^position: a higher bit is set, or that one and a lower one.
    release_secret(not_zero(higher) | equal & not_zero(below)) != 0
}

/// 1 for a word that is not 0.
fn not_zero(word: u64) -> u64 {
    (word | word.wrapping_neg()) >> 63
}

#[cfg(test)]
#[path = "../tests/inside/pair.rs"]
mod tests;
