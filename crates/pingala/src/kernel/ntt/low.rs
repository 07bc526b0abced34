//! The ring modulo a power of two: the lower halves of products.
//!
//! The mean of the products modulo x^L - 1 and x^L + 1 is the product modulo 2^(DL), and nothing is reduced: four transforms of length L
//! for a square, six for a product, compared with ten and twelve for an odd modulus.

use super::digits;
use super::instructions::Instructions;
use super::length::Length;
use super::products::Products;
use super::recombine::CrtWeights;
use crate::kernel::{Ring, cache_line};
use crate::natural::linear;

/// The residues modulo 2^k, kept modulo 2^(DL), as digits of a [`Length`].
#[derive(Debug)]
pub(super) struct LowRing {
    length: Length,
    products: Products,
    weights: CrtWeights,
    /// Of the power of two.
    bits: usize,
}

impl LowRing {
    /// The ring modulo 2^`bits`.
    pub(super) fn new(field: Instructions, bits: usize) -> Self {
        Self::with_length(field, bits, Length::of_bits(bits))
    }

    /// The ring with a length that the caller found to be long enough.
    pub(super) fn with_length(field: Instructions, bits: usize, length: Length) -> Self {
        assert!(bits <= length.bits(), "the digits hold a residue");
        let products = Products::new(field, length);
        Self { length, products, weights: CrtWeights::new(field, length), bits }
    }

    /// `out = a b` for residues of an arena, or without b `a^2`.
    fn product(&self, arena: &mut [u64], out: usize, a: usize, b: Option<usize>, scratch: &mut [u64]) {
        let Self { length, products, weights, .. } = self;
        let (length, l) = (*length, length.digits());
        let origin = cache_line::first_word(scratch);
        let (x, rest) = scratch[origin..].split_at_mut(6 * l);
        let factors = (&arena[a..][..l], b.map(|b| &arena[b..][..l]));
        products.multiply(length, factors, [&mut *x, &mut rest[..6 * l], &mut []]);
        products.lower_half(length, weights, x, &mut arena[out..][..l]);
    }
}

impl Ring<u64> for LowRing {
    fn words(&self) -> usize {
        self.length.digits()
    }

    fn bytes(&self) -> usize {
        self.products.bytes()
    }

    fn scratch_words(&self) -> usize {
        12 * self.words() + cache_line::spare::<u64>()
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        let out = &mut arena[out..][..self.words()];
        out.fill(0);
        out[0] = 1;
    }

    /// A value longer than a residue is reduced modulo 2^(DL).
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _scratch: &mut [u64]) {
        digits::from_limbs(&mut arena[out..][..self.words()], value, 0, self.length.digit_bits);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _scratch: &mut [u64]) {
        digits::to_limbs(value, &arena[from..][..self.words()], self.length.digit_bits);
        linear::truncate(value, self.bits);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        self.product(arena, out, a, Some(b), scratch);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.product(arena, out, a, None, scratch);
    }

    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, _scratch: &mut [u64]) {
        let (l, d) = (self.words(), self.length.digit_bits);
        let mut carry = 0u128;
        for i in 0..l {
            // A digit is at most 2^D - 1, so that a carry below 2^64 leaves one of at most 2^64 - 1 where D is 64, and where D is less,
            // one below (2^124 + 2^64) / 2^60 < 2^65: the sum is below 2^125 again.
            let sum = u128::from(arena[a + i]) * u128::from(small) + carry;
            arena[out + i] = sum as u64 & digits::largest(d);
            carry = sum >> d;
        }
    }
}
