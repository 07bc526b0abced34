//! The ring: residues as digits, and the ways in and out.

use super::digits;
use super::instructions::Instructions;
use super::montgomery::Montgomery;
use super::reciprocal::power_of_two;
use crate::kernel::division::DivisionRing;
use crate::kernel::short::ShortFactor;
use crate::kernel::{Ring, cache_line};
use crate::natural::linear;
use std::borrow::Cow;

/// The residues modulo one odd N in Montgomery form x R, below N, as digits of a [`super::length::Length`].
#[derive(Debug)]
pub(super) struct NttRing {
    montgomery: Montgomery,
    /// N in limbs.
    modulus: Box<[u64]>,
    short: ShortFactor<u64>,
    /// R^2 mod N in digits.
    rr: Box<[u64]>,
}

/// Limbs by which two steps of a reciprocal are shorter than their products modulo 2^k - 1.
const LOST: usize = 9;
/// What aligning the scratch may skip, in words.
const SPARE: usize = cache_line::spare::<u64>();

impl NttRing {
    /// The ring of an odd modulus of 64-bit limbs; zero limbs on top are legal.
    ///
    /// Count, in addition to [`Montgomery::new`]: 18 transforms of m bits for R^2 mod N.
    pub(super) fn new(field: Instructions, modulus: &[u64]) -> Self {
        let bits = linear::bits(modulus);
        let modulus: Box<[u64]> = modulus[..bits.div_ceil(64)].into();
        let montgomery = Montgomery::new(field, &modulus, bits);
        Self::with_montgomery(montgomery, modulus)
    }

    pub(super) fn with_montgomery(montgomery: Montgomery, modulus: Box<[u64]>) -> Self {
        let short = ShortFactor::of_public_bits(&modulus, linear::bits(&modulus));
        let mut ring = Self { montgomery, modulus, short, rr: Box::default() };
        ring.prepare_square_of_r();
        ring
    }

    /// `a b / R mod N`, or without b `a^2 / R mod N`, in the scratch.
    fn product<'s>(&self, a: &[u64], b: Option<&[u64]>, scratch: &'s mut [u64]) -> &'s [u64] {
        self.montgomery.product(a, b, scratch)
    }

    /// R^2 mod N: the square, by Montgomery's reduction, of 2^(3m/2) mod N, which a reciprocal of half the length finds.
    ///
    /// Count: about ten transforms of half of m bits, three of m bits, and a squaring.
    fn prepare_square_of_r(&mut self) {
        // Digits come in multiples of 64: this is an even number.
        let limbs = self.montgomery.length.bits() / 64;
        let n = self.modulus.len();
        let wanted = 3 * limbs / 2 - n;
        // Short of what would make the last steps of the reciprocal longer than a half and a quarter of m.
        let precision = if wanted < limbs / 2 + LOST { limbs / 2 - LOST } else { wanted };
        let mut power = vec![0; wanted - precision];
        power.extend(power_of_two(&mut self.montgomery.cyclic(), &self.modulus, precision));
        let division = DivisionRing::usual(Cow::Borrowed(&self.modulus), linear::bits(&self.modulus));
        let (mut rest, mut scratch) = (vec![0; n], vec![0; division.scratch_words()]);
        division.enter(&mut rest, 0, &power, &mut scratch);
        scratch.resize(self.scratch_words(), 0);
        let form = self.digits_of(&rest);
        self.rr = self.montgomery.product(&form, None, aligned(&mut scratch)).into();
    }

    fn digits_of(&self, limbs: &[u64]) -> Box<[u64]> {
        let mut out = vec![0; self.words()].into_boxed_slice();
        digits::from_limbs(&mut out, limbs, 0, self.montgomery.length.digit_bits);
        out
    }

    /// Writes the canonical number of some digits below N.
    fn to_limbs(&self, value: &mut [u64], residue: &[u64]) {
        digits::to_limbs(value, residue, self.montgomery.length.digit_bits);
    }
}

/// The words from the first multiple of 64 bytes on.
fn aligned(scratch: &mut [u64]) -> &mut [u64] {
    let origin = cache_line::first_word(scratch);
    &mut scratch[origin..]
}

impl Ring<u64> for NttRing {
    fn words(&self) -> usize {
        self.montgomery.length.digits()
    }

    fn bytes(&self) -> usize {
        self.montgomery.bytes() + size_of_val(&*self.modulus) + size_of_val(&*self.rr)
    }

    /// A product, and a number to enter or to leave with. A residue in limbs with one word more is shorter than these.
    fn scratch_words(&self) -> usize {
        self.montgomery.scratch_words() + self.words() + SPARE
    }

    /// R mod N, by a product.
    fn one(&self, arena: &mut [u64], out: usize, scratch: &mut [u64]) {
        self.enter(arena, out, &[1], scratch);
    }

    /// Horner's rule over pieces c of m bits, from the top: A <- (A + c) R, one product by R^2 each. An A + c of R or more loses N,
    /// because A < N.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (l, d, m) = (self.words(), self.montgomery.length.digit_bits, self.montgomery.length.bits());
        let (sum, scratch) = aligned(scratch).split_at_mut(l);
        let result = &mut arena[out..][..l];
        result.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(m)).rev() {
            digits::from_limbs(sum, value, piece * m, d);
            if digits::add(sum, result, d) {
                digits::sub(sum, self.montgomery.modulus(), d);
            }
            result.copy_from_slice(self.product(sum, Some(&self.rr), scratch));
        }
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        self.leave_times(value, arena, from, &[1], scratch);
    }

    /// The product of a form and a number below R is below N.
    fn leave_times(&self, value: &mut [u64], arena: &[u64], a: usize, plain: &[u64], scratch: &mut [u64]) -> bool {
        let (l, length) = (self.words(), self.montgomery.length);
        if linear::bits(plain) > length.bits() {
            return false;
        }
        let (factor, scratch) = aligned(scratch).split_at_mut(l);
        digits::from_limbs(factor, plain, 0, length.digit_bits);
        let product = self.product(factor, Some(&arena[a..][..l]), scratch);
        self.to_limbs(value, product);
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
        let (l, n) = (self.words(), self.modulus.len());
        let (value, rest) = scratch.split_at_mut(n);
        self.to_limbs(value, &arena[a..][..l]);
        self.short.mul(value, 0, 0, small, &self.modulus, rest);
        digits::from_limbs(&mut arena[out..][..l], value, 0, self.montgomery.length.digit_bits);
    }
}
