//! Residues modulo a power of two: the lower half of a product is the mean of those modulo 2^m - 1 and 2^m + 1.

use super::digits;
use super::field::Field;
use super::length::Length;
use super::products::Products;
use super::recombine::Weights;
use super::transform::Kind;
use crate::kernel::{Ring, cache_line};

/// The residues modulo 2^k as they are, in digits; the bits above k are zero.
#[derive(Debug)]
pub(super) struct NttLowRing<F: Field> {
    k: usize,
    length: Length,
    products: Products<F>,
    weights: Weights,
}

impl<F: Field> NttLowRing<F> {
    /// The ring modulo 2^k, k >= 1.
    pub(super) fn new(field: F, k: usize) -> Self {
        let length = Length::of_bits(k);
        Self { k, length, products: Products::new(field, length), weights: Weights::new::<F>(length) }
    }

    /// Clears the bits above k.
    fn truncate(&self, number: &mut [u64]) {
        let d = self.length.digit_bits as usize;
        let (whole, bits) = (self.k / d, self.k % d);
        if let Some(digit) = number.get_mut(whole) {
            *digit &= (1 << bits) - 1;
            number[whole + 1..].fill(0);
        }
    }

    /// `a b`, or without b `a^2`, modulo 2^k; somewhere in the scratch.
    fn product<'s>(&self, a: &[u64], b: Option<&[u64]>, scratch: &'s mut [u64]) -> &'s [u64] {
        let l = self.length.digits();
        let origin = cache_line::first_word(scratch);
        let (out, rest) = scratch[origin..].split_at_mut(l);
        let (plus, rest) = rest.split_at_mut(3 * l);
        let (minus, rest) = rest.split_at_mut(3 * l);
        let other = &mut rest[..3 * l];
        for (spectrum, kind) in [(&mut *plus, Kind::Cyclic), (&mut *minus, Kind::Negacyclic)] {
            self.products.forward(self.length, kind, a, spectrum);
            if let Some(b) = b {
                self.products.forward(self.length, kind, b, other);
            }
            self.products.multiply(self.length, kind, spectrum, b.map(|_| &*other));
        }
        self.products.lower_half(self.length, &self.weights, [plus, minus], out);
        self.truncate(out);
        out
    }
}

impl<F: Field> Ring<u64> for NttLowRing<F> {
    fn words(&self) -> usize {
        self.length.digits()
    }

    fn bytes(&self) -> usize {
        self.products.bytes()
    }

    fn scratch_words(&self) -> usize {
        10 * self.length.digits() + cache_line::spare::<u64>()
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        let out = &mut arena[out..][..self.words()];
        out.fill(0);
        out[0] = 1;
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _scratch: &mut [u64]) {
        let out = &mut arena[out..][..self.words()];
        digits::from_limbs(out, value, 0, self.length.digit_bits);
        self.truncate(out);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _scratch: &mut [u64]) {
        digits::to_limbs(value, &arena[from..][..self.words()], self.length.digit_bits);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let l = self.words();
        let product = self.product(&arena[a..][..l], Some(&arena[b..][..l]), scratch);
        arena[out..][..l].copy_from_slice(product);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let l = self.words();
        let square = self.product(&arena[a..][..l], None, scratch);
        arena[out..][..l].copy_from_slice(square);
    }

    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, _scratch: &mut [u64]) {
        let (l, d) = (self.words(), self.length.digit_bits);
        arena.copy_within(a..a + l, out);
        let out = &mut arena[out..][..l];
        let mut carry = 0;
        for digit in &mut *out {
            let product = u128::from(*digit) * u128::from(small) + carry;
            *digit = product as u64 & digits::largest(d);
            carry = product >> d;
        }
        self.truncate(out);
    }
}
