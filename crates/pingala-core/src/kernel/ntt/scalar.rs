//! One residue at a time in words of 64 bits: everywhere, and the oracle of the vectors.
//!
//! Lemmas: Transforms.shoup_product, Transforms.word_times, Transforms.word_reduce, Transforms.word_digits, Transforms.word_montgomery,
//! Transforms.word_mul, Transforms.word_mul_sub, Transforms.word_sub, Transforms.word_split_pair (proofs/README.md).

#![allow(unsafe_code)]

use super::compiled::{CompiledField, FieldProgram};
use super::field::{FactorWords, Field};
use super::primes::{PRIME_BITS, Prime};
use crate::kernel::montgomery::neg_mod_inv_limb;

/// Residues in general registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scalar;

/// A prime p.
#[derive(Clone, Copy)]
pub(super) struct WordPrime {
    p: u64,
    /// 2^48 - p < 2^32.
    below: u64,
    /// -1 / p mod 2^64.
    negative_inverse: u64,
}

impl Field for Scalar {
    const LOG: u32 = 0;
    const FACTORS: FactorWords = FactorWords::Bits64;
    type Vector = u64;
    type Modulus = WordPrime;

    fn modulus(self, prime: &Prime) -> WordPrime {
        WordPrime { p: prime.p, below: (1 << PRIME_BITS) - prime.p, negative_inverse: neg_mod_inv_limb(prime.p) }
    }
    #[inline(always)]
    unsafe fn broadcast(self, from: *const u64) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { from.read() }
    }
    /// Below 2^48 + 2^16 2^32 = 2^49, and p > 2^48 - 2^32; so below 2p for the primes that there are, which are nearer to 2^48.
    #[inline(always)]
    unsafe fn digits(self, modulus: &WordPrime, from: *const u64) -> u64 {
        // SAFETY: the caller's promise.
        let digits = unsafe { from.read() };
        self.reduce(modulus, digits)
    }
    /// [harvey2014faster]: with w' = floor(2^64 w / p) and q = floor(x w' / 2^64), x w / p - q < 1 + x / 2^64 < 2.
    #[inline(always)]
    fn times(self, modulus: &WordPrime, x: u64, [w, quotient]: [u64; 2]) -> u64 {
        debug_assert!(x < 16 * modulus.p);
        x.wrapping_mul(w).wrapping_sub(x.carrying_mul(quotient, 0).1.wrapping_mul(modulus.p))
    }
    /// x = 2^48 h + l, and 2^48 = p + below.
    #[inline(always)]
    fn reduce(self, modulus: &WordPrime, x: u64) -> u64 {
        let reduced = (x & ((1 << PRIME_BITS) - 1)) + (x >> PRIME_BITS) * modulus.below;
        debug_assert!(reduced < 2 * modulus.p);
        reduced
    }
    #[inline(always)]
    fn zero(self) -> u64 {
        0
    }
    #[inline(always)]
    fn add(self, x: u64, y: u64) -> u64 {
        x + y
    }
    #[inline(always)]
    fn sub<const LEVEL: u32>(self, modulus: &WordPrime, x: u64, y: u64) -> u64 {
        debug_assert!(y <= (2 * modulus.p) << LEVEL);
        x + ((2 * modulus.p) << LEVEL) - y
    }
    #[inline(always)]
    fn mul(self, modulus: &WordPrime, a: u64, b: u64) -> u64 {
        montgomery(modulus, u128::from(a) * u128::from(b))
    }
    #[inline(always)]
    fn mul_sub(self, modulus: &WordPrime, [a, b]: [u64; 2], [c, d]: [u64; 2]) -> u64 {
        let negative = 2 * modulus.p - a;
        montgomery(modulus, u128::from(negative) * u128::from(b) + u128::from(c) * u128::from(d))
    }
    #[inline(always)]
    fn transpose(self, _: &mut [u64; 8]) {}
    #[inline(always)]
    unsafe fn store_integers(self, modulus: &WordPrime, to: *mut u64, x: u64) {
        // SAFETY: the caller's promise.
        unsafe { to.write(self.reduce(modulus, x)) }
    }
}

impl CompiledField for Scalar {
    #[inline(never)]
    fn run(self, program: impl FieldProgram) {
        program.run(self);
    }
}

/// x / 2^64 mod p, for x < 8p^2: below 8p^2 / 2^64 + p < 2p.
#[inline(always)]
fn montgomery(modulus: &WordPrime, x: u128) -> u64 {
    let q = (x as u64).wrapping_mul(modulus.negative_inverse);
    ((x + u128::from(q) * u128::from(modulus.p)) >> 64) as u64
}
