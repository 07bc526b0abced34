//! Long numbers along vectors: Montgomery's reduction by products with a full inverse, Karatsuba in all three.
//!
//! Where the folding table of the row kernel outgrows the caches. With b = 2^52, R = b^n and M' = -N^-1 mod R:
//!
//! 1. T = a b, a full product in columns.
//! 2. Q = T M' mod R, a low product of the normalised lower half of T.
//! 3. T + Q N is a multiple of R, and R = 1 modulo b^n - 1: so (T + Q N) / R = T + Q N modulo b^n - 1. The product Q N is made
//!    modulo b^n - 1 only, and the columns of both halves of T are added to it. Products modulo 2^k - 1 in Montgomery's reduction
//!    are [mclaughlin2004frameworks]'s.
//!
//! **Range.** Residues are below 2N, and 4N <= R: then (T + Q N) / R < (4N^2 + R N) / R <= 2N < b^n - 1, which one number of n limbs
//! represents. 0 arises only from T = 0, where all columns are 0. More generally a below R times b below N gives less than 2N.

mod columns;
mod constants;
mod layout;
mod product;
#[cfg(test)]
#[path = "../../../../tests/inside/kernel/row/kcm.rs"]
mod tests;

use super::limbs52;
use super::scan;
use super::shape::{LANES, Shape};
use super::vectors::{MASK, Vectors};
use crate::exponent::SecretDigit;
use crate::kernel::short::ShortFactor;
use crate::kernel::{Ring, cache_line};
use crate::natural::linear;
use columns::{Normalise, add};
use constants::{KcmConstants, ONE, PLAIN_ONE, RR};
pub(super) use layout::MAX_BITS;
use layout::PieceLayout;

/// The residues modulo one odd N in Montgomery form x R, below 2N, as operands of a [`PieceLayout`].
///
/// Set-up and operations are branch-free in the values.
#[derive(Debug)]
pub(super) struct KcmRing<O: Vectors> {
    ops: O,
    layout: PieceLayout,
    constants: KcmConstants,
    short: ShortFactor<u64>,
}

/// A squaring costs about as much as this many products by one word.
const SHORT_PRODUCTS: usize = 16;
/// The most bits of the power of two in one product by a word.
const SHORT_BITS: usize = 63;

impl<O: Vectors> KcmRing<O> {
    /// The ring of an odd modulus of 64-bit limbs, at most [`MAX_BITS`] bits; zero limbs on top are legal.
    ///
    /// Count: two low products of n limbs for M', as in Hensel's lifting; for R^2 mod N about log2(52n / 1000) squarings and 16
    /// products by one word, as form(2^k)^2 = form(2^2k).
    pub(super) fn new(ops: O, modulus: &[u64]) -> Self {
        assert!(modulus.first().is_some_and(|limb| limb & 1 == 1), "the modulus is odd");
        Self::with_layout(ops, PieceLayout::new(linear::bits(modulus)), modulus)
    }

    fn with_layout(ops: O, layout: PieceLayout, modulus: &[u64]) -> Self {
        let bits = linear::bits(modulus);
        assert!(bits + 2 <= 52 * layout.limbs(), "4N <= R");
        let constants = KcmConstants::new(ops, layout, &modulus[..bits.div_ceil(64)]);
        let short = ShortFactor::of_bits(constants.modulus64(), linear::bits(constants.modulus64()));
        let mut ring = Self { ops, layout, constants, short };
        ring.prepare_powers_of_r(bits);
        ring
    }

    fn prepare_powers_of_r(&mut self, bits: usize) {
        let (n, r_bits, words) = (self.constants.modulus64().len(), 52 * self.layout.limbs(), self.layout.words());
        let mut room = vec![0; n + words + self.scratch_words()];
        let (power, rest) = room.split_at_mut(n);
        let (residue, scratch) = rest.split_at_mut(words);
        // 2^L - N is at most N, because N >= 2^(L-1); equal only for N = 1.
        power.copy_from_slice(self.constants.modulus64());
        linear::negate(power);
        linear::truncate(power, bits);
        scratch[..n].copy_from_slice(power);
        linear::subtract_once(power, &scratch[..n], false, self.constants.modulus64());
        self.times_power_of_two(power, r_bits - bits, scratch);
        self.spread_limbs64(residue, power, scratch);
        self.constants.set_residue(ONE, residue);

        // form(1) is known. form(R) = R^2 mod N follows by squarings alone: r_bits is 13 piece 2^(5 + levels), and 13 piece,
        // at most 260, is short enough, so that all halvings are exact.
        let mut halvings = 0;
        while r_bits >> halvings > SHORT_PRODUCTS * SHORT_BITS {
            halvings += 1;
        }
        debug_assert!(r_bits.trailing_zeros() >= halvings);
        self.times_power_of_two(power, r_bits >> halvings, scratch);
        self.spread_limbs64(residue, power, scratch);
        for _ in 0..halvings {
            self.sqr(residue, 0, 0, scratch);
        }
        // The result of a product by one word is below N.
        self.mul_small(residue, 0, 0, 1, scratch);
        self.constants.set_residue(RR, residue);
        linear::wipe(&mut room);
    }

    /// `power = power * 2^count` mod N, by words.
    fn times_power_of_two(&self, power: &mut [u64], count: usize, scratch: &mut [u64]) {
        for done in (0..count).step_by(SHORT_BITS) {
            let factor = 1 << SHORT_BITS.min(count - done);
            self.short.mul(power, 0, 0, factor, self.constants.modulus64(), scratch);
        }
    }

    /// Makes the residue of a number that has at most as many bits.
    fn spread_limbs64(&self, residue: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        let (limbs, _) = scratch.split_at_mut(self.layout.limbs());
        limbs52::from_limbs64(limbs, value, 0);
        self.layout.spread(residue, limbs);
    }

    /// `value` = a residue below 2N, reduced.
    fn gather_limbs64(&self, value: &mut [u64], residue: &[u64], scratch: &mut [u64]) {
        let modulus = self.constants.modulus64();
        let (limbs, scratch) = scratch.split_at_mut(self.layout.limbs());
        self.layout.gather(limbs, residue);
        let below_2n = &mut scratch[..modulus.len()];
        limbs52::to_limbs64(below_2n, limbs);
        linear::subtract_once(value, below_2n, false, modulus);
    }

    /// Steps 2 and 3: `residue` = T / R modulo N, for T in the columns at the start of the scratch.
    fn reduce(&self, residue: &mut [u64], scratch: &mut [u64]) {
        let Self { ops, layout, .. } = *self;
        let (low, rest) = scratch.split_at_mut(layout.limbs());
        let (high, rest) = rest.split_at_mut(layout.limbs());
        let (operand, rest) = rest.split_at_mut(layout.words());
        add(ops, high, low);
        ops.run(Normalise { layout, cyclic: false, out: operand, columns: low });
        product::mul_low(ops, layout, low, operand, self.constants.m_prime(), rest);
        ops.run(Normalise { layout, cyclic: false, out: operand, columns: low });
        product::mul_cyclic(ops, layout, low, operand, self.constants.cyclic(), rest);
        add(ops, low, high);
        ops.run(Normalise { layout, cyclic: true, out: residue, columns: low });
    }

    /// `out = a b`, where b is an operand outside of the arena and one of both is below N or both are residues.
    fn mul_by(&self, out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
        let scratch = aligned(scratch);
        let (t, rest) = scratch.split_at_mut(2 * self.layout.limbs());
        product::mul(self.ops, self.layout, t, a, b, rest);
        self.reduce(out, scratch);
    }
}

/// The words of scratch from the first multiple of 64 bytes on.
fn aligned(scratch: &mut [u64]) -> &mut [u64] {
    let origin = cache_line::first_word(scratch);
    &mut scratch[origin..]
}

/// Limbs of a residue without padding, and its words with it, for a modulus of so many bits.
pub(super) fn residue_lengths(bits: usize) -> [usize; 2] {
    let layout = PieceLayout::new(bits);
    [layout.limbs(), layout.words()]
}

impl<O: Vectors> Ring<u64> for KcmRing<O> {
    fn words(&self) -> usize {
        self.layout.words()
    }

    fn bytes(&self) -> usize {
        self.constants.bytes()
    }

    /// T, an operand, the scratch of the longest product, one more operand to enter, and the words that aligning may skip.
    fn scratch_words(&self) -> usize {
        let layout = self.layout;
        let products = product::scratch_words(layout)
            .max(product::low_scratch_words(layout))
            .max(product::cyclic_scratch_words(layout));
        2 * layout.limbs() + 2 * layout.words() + products + LANES - 1
    }

    fn packed_words(&self) -> usize {
        self.layout.limbs()
    }

    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        self.layout.gather(packed, &arena[from..]);
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        let words = self.words();
        self.layout.spread(&mut arena[out..][..words], packed);
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        arena[out..][..self.words()].copy_from_slice(self.constants.residue(ONE));
    }

    /// Horner's rule over pieces c of n limbs, from the top: A <- (A + c) R, one product by R^2 each. A < 2N, so that subtracting 2N
    /// once brings an A + c that overflows b^n into range.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (n, words) = (self.layout.limbs(), self.words());
        let result = &mut arena[out..][..words];
        let (sum, scratch) = scratch.split_at_mut(words);
        result.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(52 * n)).rev() {
            let (limbs, other) = scratch.split_at_mut(n);
            let other = &mut other[..n];
            limbs52::from_limbs64(limbs, value, piece * 52 * n);
            self.layout.gather(other, result);
            let over = limbs52::add_assign(limbs, other);
            limbs52::from_limbs64(other, self.constants.modulus64(), 0);
            other.iter_mut().for_each(|limb| *limb ^= MASK);
            limbs52::subtract_twice_if(limbs, other, over);
            self.layout.spread(sum, limbs);
            self.mul_by(result, sum, self.constants.residue(RR), scratch);
        }
    }

    /// a 1 / R is below N + 1.
    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        let (residue, scratch) = scratch.split_at_mut(self.words());
        self.mul_by(residue, &arena[from..][..residue.len()], self.constants.residue(PLAIN_ONE), scratch);
        let (value, rest) = value.split_at_mut(self.constants.modulus64().len());
        self.gather_limbs64(value, residue, scratch);
        rest.fill(0);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let (words, scratch) = (self.words(), aligned(scratch));
        let (t, rest) = scratch.split_at_mut(2 * self.layout.limbs());
        product::mul(self.ops, self.layout, t, &arena[a..][..words], &arena[b..][..words], rest);
        self.reduce(&mut arena[out..][..words], scratch);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let (words, scratch) = (self.words(), aligned(scratch));
        let (t, rest) = scratch.split_at_mut(2 * self.layout.limbs());
        product::sqr(self.ops, self.layout, t, &arena[a..][..words], rest);
        self.reduce(&mut arena[out..][..words], scratch);
    }

    /// Computed by words, see [`ShortFactor`]; the result is below N.
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let (words, modulus) = (self.words(), self.constants.modulus64());
        let (value, scratch) = scratch.split_at_mut(modulus.len());
        self.gather_limbs64(value, &arena[a..][..words], scratch);
        self.short.mul(value, 0, 0, small, modulus, scratch);
        self.spread_limbs64(&mut arena[out..][..words], value, scratch);
    }

    fn scan(&self, arena: &mut [u64], out: usize, table: usize, length: usize, digit: SecretDigit) {
        // The words between the zeros at both ends, with the padding between pieces, are one number.
        let vectors = self.words() / LANES - 2;
        let shape = Shape { limbs: LANES * vectors, vectors, bits: 52 * LANES * vectors };
        scan::scan(self.ops, &shape, arena, [out, table], length, digit);
    }
}
