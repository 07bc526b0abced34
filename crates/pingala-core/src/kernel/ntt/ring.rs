//! The ring: residues as digits, and the ways in and out.

use super::digits;
use super::instructions::Instructions;
use super::length::{Length, largest_digit};
use super::montgomery::{self, OddModulus};
use super::products::Products;
use crate::kernel::Ring;
use crate::kernel::cache_line::{self, aligned};
use crate::natural::linear;

/// The residues modulo one number, as digits of a [`Length`]: modulo an odd N in Montgomery form x R, below N; or modulo 2^k, kept modulo
/// R = 2^(DL).
///
/// Modulo a power of two the mean of the products modulo x^L - 1 and x^L + 1 is the product, and nothing is reduced: four transforms of
/// length L for a square, six for a product, compared with ten and twelve for an odd modulus.
#[derive(Debug)]
pub(super) struct NttRing {
    products: Products,
    modulus: NttModulus,
}

/// What a ring reduces by.
#[derive(Debug)]
enum NttModulus {
    Odd(OddModulus),
    /// 2^k.
    PowerOfTwo(usize),
}

impl NttRing {
    /// The ring of an odd modulus of 64-bit limbs; zero limbs on top are legal.
    ///
    /// Count, in addition to [`OddModulus::new`]: 18 transforms of m bits for R^2 mod N.
    pub(super) fn new(field: Instructions, modulus: &[u64]) -> Self {
        let bits = linear::bits(modulus);
        Self::of_odd(field, &modulus[..bits.div_ceil(64)], Length::of_bits(bits))
    }

    /// The ring of an odd modulus without zero limbs on top, with a length that the caller found to be long enough.
    pub(super) fn of_odd(field: Instructions, limbs: &[u64], length: Length) -> Self {
        let products = Products::new(field, length);
        let mut odd = OddModulus::new(&products, limbs);
        odd.prepare_square_of_r(&products);
        Self { products, modulus: NttModulus::Odd(odd) }
    }

    /// The ring modulo 2^`bits`, with a length that the caller found to be long enough.
    pub(super) fn of_power_of_two(field: Instructions, bits: usize, length: Length) -> Self {
        assert!(bits <= length.bits(), "the digits hold a residue");
        Self { products: Products::new(field, length), modulus: NttModulus::PowerOfTwo(bits) }
    }

    /// `out = a b` for residues of an arena, or without b `a^2`.
    fn product(&self, arena: &mut [u64], out: usize, a: usize, b: Option<usize>, scratch: &mut [u64]) {
        let l = self.words();
        let factors = (&arena[a..][..l], b.map(|b| &arena[b..][..l]));
        let scratch = aligned(scratch);
        if let NttModulus::Odd(odd) = &self.modulus {
            let product = odd.product(&self.products, factors, scratch);
            arena[out..][..l].copy_from_slice(product);
        } else {
            let (x, rest) = scratch.split_at_mut(6 * l);
            self.products.multiply(factors, [&mut *x, &mut rest[..6 * l], &mut []]);
            self.products.lower_half(x, &mut arena[out..][..l]);
        }
    }
}

impl Ring<u64> for NttRing {
    fn words(&self) -> usize {
        self.products.length.digits()
    }

    fn bytes(&self) -> usize {
        self.products.bytes() + if let NttModulus::Odd(odd) = &self.modulus { odd.bytes() } else { 0 }
    }

    fn scratch_words(&self) -> usize {
        match self.modulus {
            NttModulus::Odd(_) => montgomery::scratch_words(self.products.length),
            NttModulus::PowerOfTwo(_) => 12 * self.words() + cache_line::spare::<u64>(),
        }
    }

    fn one(&self, arena: &mut [u64], out: usize, scratch: &mut [u64]) {
        self.enter(arena, out, &[1], scratch);
    }

    /// Horner's rule over pieces c of m bits, from the top: A <- (A + c) R, one product by R^2 each. An A + c of R or more loses N,
    /// because A < N. Modulo a power of two all pieces but the lowest are left out.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (l, d, m) = (self.words(), self.products.length.digit_bits, self.products.length.bits());
        let result = &mut arena[out..][..l];
        let NttModulus::Odd(odd) = &self.modulus else { return digits::from_limbs(result, value, 0, d) };
        let (sum, scratch) = aligned(scratch).split_at_mut(l);
        result.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(m)).rev() {
            digits::from_limbs(sum, value, piece * m, d);
            if digits::add(sum, result, d) {
                digits::sub(sum, &odd.modulus, d);
            }
            result.copy_from_slice(odd.product(&self.products, (sum, Some(&odd.rr)), scratch));
        }
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        if let NttModulus::PowerOfTwo(bits) = self.modulus {
            digits::to_limbs(value, &arena[from..][..self.words()], self.products.length.digit_bits);
            return linear::truncate(value, bits);
        }
        let left = self.leave_times(value, arena, from, &[1], scratch);
        debug_assert!(left, "1 is below R");
    }

    /// The product of a form and a number below R is below N.
    fn leave_times(&self, value: &mut [u64], arena: &[u64], a: usize, plain: &[u64], scratch: &mut [u64]) -> bool {
        let (l, length) = (self.words(), self.products.length);
        let NttModulus::Odd(odd) = &self.modulus else { return false };
        if linear::bits(plain) > length.bits() {
            return false;
        }
        let (factor, scratch) = aligned(scratch).split_at_mut(l);
        digits::from_limbs(factor, plain, 0, length.digit_bits);
        let product = odd.product(&self.products, (factor, Some(&arena[a..][..l])), scratch);
        digits::to_limbs(value, product, length.digit_bits);
        true
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        self.product(arena, out, a, Some(b), scratch);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.product(arena, out, a, None, scratch);
    }

    /// Modulo an odd number by words, see [`ShortFactor`](crate::kernel::short::ShortFactor).
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let (l, d) = (self.words(), self.products.length.digit_bits);
        if let NttModulus::Odd(odd) = &self.modulus {
            let (value, rest) = scratch.split_at_mut(odd.limbs.len());
            digits::to_limbs(value, &arena[a..][..l], d);
            odd.short.mul(value, 0, 0, small, &odd.limbs, rest);
            return digits::from_limbs(&mut arena[out..][..l], value, 0, d);
        }
        let mut carry = 0u128;
        for i in 0..l {
            // A digit is at most 2^D - 1, so that a carry below 2^64 leaves one of at most 2^64 - 1 where D is 64, and where D is less,
            // one below (2^124 + 2^64) / 2^60 < 2^65: the sum is below 2^125 again.
            let sum = u128::from(arena[a + i]) * u128::from(small) + carry;
            arena[out + i] = sum as u64 & largest_digit(d);
            carry = sum >> d;
        }
    }
}
