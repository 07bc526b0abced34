//! The ring: residues as digits, and the ways in and out.

use super::digits;
use super::instructions::Instructions;
use super::length::Length;
use super::product::CyclicProducts;
use super::products::Products;
use super::reciprocal::power_of_two;
use super::recombine::CrtWeights;
use crate::kernel::division::DivisionRing;
use crate::kernel::short::ShortFactor;
use crate::kernel::{Ring, cache_line};
use crate::natural::linear;
use std::borrow::Cow;
use std::sync::Arc;

/// The residues modulo one odd N in Montgomery form x R, below N, as digits of a [`Length`].
#[derive(Debug)]
pub(super) struct NttRing {
    pub(super) length: Length,
    pub(super) field: Instructions,
    pub(super) products: Arc<Products>,
    pub(super) weights: CrtWeights,
    /// N in limbs.
    pub(super) limbs: Box<[u64]>,
    pub(super) short: ShortFactor<u64>,
    /// N in digits.
    pub(super) modulus: Box<[u64]>,
    /// N modulo 2^D - 1, where N is R/2 or more.
    pub(super) sum: Option<u64>,
    /// N modulo x^L + 1.
    pub(super) spectrum: Box<[u64]>,
    /// 1 / N mod R modulo x^L - 1 and x^L + 1, in the order of [`super::products::of_task`].
    pub(super) inverse: Box<[u64]>,
    /// R^2 mod N in digits.
    pub(super) rr: Box<[u64]>,
}

/// Limbs by which two steps of a reciprocal are shorter than their products modulo 2^k - 1.
const LOST: usize = 9;

impl NttRing {
    /// The ring of an odd modulus of 64-bit limbs; zero limbs on top are legal.
    ///
    /// Count, in addition to [`Self::unprepared`]: 18 transforms of m bits for R^2 mod N.
    pub(super) fn new(field: Instructions, modulus: &[u64]) -> Self {
        let bits = linear::bits(modulus);
        Self::with_length(field, modulus[..bits.div_ceil(64)].into(), Length::of_bits(bits))
    }

    /// The ring with a length that the caller found to be long enough.
    pub(super) fn with_length(field: Instructions, limbs: Box<[u64]>, length: Length) -> Self {
        let mut ring = Self::unprepared(field, limbs, length);
        ring.prepare_square_of_r();
        ring
    }

    /// R^2 mod N: the square, by Montgomery's reduction, of 2^(3m/2) mod N, which a reciprocal of half the length finds.
    ///
    /// Count: about ten transforms of half of m bits, three of m bits, and a squaring.
    fn prepare_square_of_r(&mut self) {
        // Digits come in multiples of 64: this is an even number.
        let limbs = self.length.bits() / 64;
        let n = self.limbs.len();
        let wanted = 3 * limbs / 2 - n;
        // Short of what would make the last steps of the reciprocal longer than a half and a quarter of m.
        let precision = if wanted < limbs / 2 + LOST { limbs / 2 - LOST } else { wanted };
        let mut power = vec![0; wanted - precision];
        let (tables, weights) = (self.products.clone(), self.weights.clone());
        let mut cyclic = CyclicProducts::over(self.field, self.length, tables, weights);
        power.extend(power_of_two(&mut cyclic, &self.limbs, precision));
        let division = DivisionRing::usual(Cow::Borrowed(&self.limbs), linear::bits(&self.limbs));
        let (mut rest, mut scratch) = (vec![0; n], vec![0; division.scratch_words()]);
        division.enter(&mut rest, 0, &power, &mut scratch);
        scratch.resize(self.scratch_words(), 0);
        let mut form = vec![0; self.words()];
        digits::from_limbs(&mut form, &rest, 0, self.length.digit_bits);
        self.rr = self.product(&form, None, aligned(&mut scratch)).into();
    }
}

/// The words from the first multiple of 64 bytes on.
fn aligned(scratch: &mut [u64]) -> &mut [u64] {
    let origin = cache_line::first_word(scratch);
    &mut scratch[origin..]
}

impl Ring<u64> for NttRing {
    fn words(&self) -> usize {
        self.length.digits()
    }

    fn bytes(&self) -> usize {
        let numbers = [&self.spectrum, &self.inverse, &self.modulus, &self.limbs, &self.rr];
        self.products.bytes() + numbers.map(|number| size_of_val(&**number)).iter().sum::<usize>()
    }

    /// 17 lengths for a product, and a number to enter or to leave with. A residue in limbs with one word more is shorter than these.
    fn scratch_words(&self) -> usize {
        18 * self.words() + cache_line::spare::<u64>()
    }

    /// R mod N, by a product.
    fn one(&self, arena: &mut [u64], out: usize, scratch: &mut [u64]) {
        self.enter(arena, out, &[1], scratch);
    }

    /// Horner's rule over pieces c of m bits, from the top: A <- (A + c) R, one product by R^2 each. An A + c of R or more loses N,
    /// because A < N.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (l, d, m) = (self.words(), self.length.digit_bits, self.length.bits());
        let (sum, scratch) = aligned(scratch).split_at_mut(l);
        let result = &mut arena[out..][..l];
        result.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(m)).rev() {
            digits::from_limbs(sum, value, piece * m, d);
            if digits::add(sum, result, d) {
                digits::sub(sum, &self.modulus, d);
            }
            result.copy_from_slice(self.product(sum, Some(&self.rr), scratch));
        }
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        self.leave_times(value, arena, from, &[1], scratch);
    }

    /// The product of a form and a number below R is below N.
    fn leave_times(&self, value: &mut [u64], arena: &[u64], a: usize, plain: &[u64], scratch: &mut [u64]) -> bool {
        let (l, length) = (self.words(), self.length);
        if linear::bits(plain) > length.bits() {
            return false;
        }
        let (factor, scratch) = aligned(scratch).split_at_mut(l);
        digits::from_limbs(factor, plain, 0, length.digit_bits);
        let product = self.product(factor, Some(&arena[a..][..l]), scratch);
        digits::to_limbs(value, product, length.digit_bits);
        true
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let l = self.words();
        let product = self.product(&arena[a..][..l], Some(&arena[b..][..l]), aligned(scratch));
        arena[out..][..l].copy_from_slice(product);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let l = self.words();
        let square = self.product(&arena[a..][..l], None, aligned(scratch));
        arena[out..][..l].copy_from_slice(square);
    }

    /// Computed by words, see [`ShortFactor`].
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let (l, n, d) = (self.words(), self.limbs.len(), self.length.digit_bits);
        let (value, rest) = scratch.split_at_mut(n);
        digits::to_limbs(value, &arena[a..][..l], d);
        self.short.mul(value, 0, 0, small, &self.limbs, rest);
        digits::from_limbs(&mut arena[out..][..l], value, 0, d);
    }
}
