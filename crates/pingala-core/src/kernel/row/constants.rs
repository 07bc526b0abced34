//! The constants of one modulus, computed without a division and branch-free in its value.

#![allow(unsafe_code)]

use super::carry::carry;
use super::ring::{FoldTable, RowRing};
use super::shape::{LANES, MAX_TILE, Shape, tiles};
use crate::kernel::limbs::{join_all, split};
use crate::kernel::montgomery::neg_mod_inv_limb;
use crate::kernel::product::schoolbook::add_row;
use crate::kernel::short::ShortFactor;
use crate::kernel::vector::MASK;
use crate::kernel::vector::across::{VectorProgram, Vectors};
use crate::kernel::{Ring, cache_line};
use crate::natural::linear;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The constants of one modulus, in one allocation that starts at a multiple of 64 bytes.
#[derive(Debug)]
pub(super) struct RowConstants {
    words: Vec<u64>,
    origin: usize,
    span: usize,
    residue_words: usize,
    table_words: usize,
    /// A lower estimate of 2^(127 + L - 64) / N, within 4.
    pub(super) reciprocal: u64,
}

impl RowConstants {
    /// Allocates all constants and computes the table of N: m Montgomery steps of one limb each.
    pub(super) fn new<O: Vectors>(ops: O, shape: &Shape, modulus: &[u64], short: &ShortFactor<u64>) -> Self {
        // D is the top 128 bits of N, from its highest bit on, and within 1 of the quotient of N by a power of two.
        // floor((2^192 - 1) / D) is 2^192 / D minus at most 1. So half of it is correct to 1, and 2 less is a lower estimate.
        let reciprocal = (1 << 63) + short.reciprocal() / 2 - 2;
        let (span, residue_words) = (shape.span(), shape.words());
        let table_words = shape.limbs * span;
        let limbs64 = shape.limbs64();
        let words = vec![0; table_words + 2 * span + 3 * residue_words + limbs64 + cache_line::spare::<u64>()];
        let origin = cache_line::first_word(&words);
        let mut constants = Self { words, origin, span, residue_words, table_words, reciprocal };
        let mut n: SmallVec<[u64; FEW]> = SmallVec::from_elem(0, 2 * span);
        split(&mut n[..shape.limbs], modulus, 0, 52);
        let (table, rest) = constants.words[origin..].split_at_mut(table_words);
        let (quotient, rest) = rest.split_at_mut(span);
        let (complement, rest) = rest.split_at_mut(span);
        for (complement, limb) in complement[..shape.limbs].iter_mut().zip(&n) {
            *complement = MASK - limb;
        }
        rest[3 * residue_words..][..modulus.len()].copy_from_slice(modulus);
        let (n, x) = n.split_at_mut(span);
        ops.run(Fill { shape: *shape, table, quotient, n, x });
        linear::wipe(n);
        linear::wipe(x);
        constants.mut_residue(PLAIN_ONE)[0] = 1;
        constants
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    /// Returns the words from index `at` on.
    fn from(&self, at: usize) -> &[u64] {
        &self.words[self.origin + at..]
    }

    pub(super) fn table(&self) -> FoldTable {
        FoldTable { rows: self.from(0).as_ptr(), quotient: self.from(self.table_words).as_ptr() }
    }

    /// 2^(52m) - 1 - N, the complement of N in m limbs.
    pub(super) fn complement(&self) -> &[u64] {
        &self.from(self.table_words + self.span)[..self.span]
    }

    fn residue_at(&self, which: usize) -> usize {
        self.table_words + 2 * self.span + which * self.residue_words
    }

    /// A residue with its padding.
    pub(super) fn residue(&self, which: usize) -> &[u64] {
        &self.from(self.residue_at(which))[..self.residue_words]
    }

    /// The limbs of a residue.
    pub(super) fn mut_residue(&mut self, which: usize) -> &mut [u64] {
        let at = self.origin + self.residue_at(which) + LANES;
        &mut self.words[at..][..self.span]
    }

    /// N in 64-bit limbs, ceil(52m / 64) of them.
    pub(super) fn modulus64(&self) -> &[u64] {
        let spare = cache_line::spare::<u64>() - self.origin;
        let rest = self.from(self.residue_at(3));
        &rest[..rest.len() - spare]
    }
}

impl Drop for RowConstants {
    /// The modulus may be a secret factor.
    fn drop(&mut self) {
        linear::wipe(&mut self.words);
        linear::wipe(core::slice::from_mut(&mut self.reciprocal));
    }
}

/// R mod N, R = 2^(52m): the residue of 1.
pub(super) const ONE: usize = 0;
/// R^2 mod N, below 2N; 0 where numbers enter by a division.
pub(super) const RR: usize = 1;
/// The number 1 itself.
pub(super) const PLAIN_ONE: usize = 2;

/// Fills the table: x = 1, then m - 1 times x 2^-52 mod N.
///
/// A step is q = -x_0 / N mod 2^52 and (x + q N) / 2^52, which is below N if x is. This q is also the D of the row
/// that x was before the step.
struct Fill<'a> {
    shape: Shape,
    table: &'a mut [u64],
    quotient: &'a mut [u64],
    n: &'a [u64],
    x: &'a mut [u64],
}

impl VectorProgram for Fill<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { shape, table, quotient, n, x } = self;
        let (m, v) = (shape.limbs, shape.vectors);
        let m_prime = neg_mod_inv_limb(n[0]) & MASK;
        quotient[shape.shift() + m - 1] = m_prime;
        x[0] = 1;
        put_row(table, m, m - 1, n, &shape);
        let mut q = m_prime;
        for i in (0..m - 1).rev() {
            // Columns of x + q N, shifted down by one limb, from the top vector down.
            let mut above = ops.zero();
            for k in (0..v).rev() {
                // SAFETY: x and n have V vectors.
                unsafe {
                    let n = ops.load(n.as_ptr().add(LANES * k));
                    let at = x.as_mut_ptr().add(LANES * k);
                    let low = ops.madd_low(ops.load(at), n, ops.splat(q));
                    let mut columns = ops.madd_high(ops.down(above, low), n, ops.splat(q));
                    if k == 0 {
                        columns = ops.add(columns, ops.keep(1, ops.carry(low)));
                    }
                    ops.store(at, columns);
                    above = low;
                }
            }
            // One pointer for both: a second one of `x` would end the first.
            let limbs = x.as_mut_ptr();
            // SAFETY: x has V vectors.
            unsafe { carry::<O, true>(ops, limbs, limbs, v) };
            put_row(table, m, i, x, &shape);
            q = x[0].wrapping_mul(m_prime) & MASK;
            quotient[shape.shift() + i] = q;
        }
    }
}

/// Copies a number to row i of the table, tile by tile.
#[inline(always)]
fn put_row(table: &mut [u64], m: usize, i: usize, number: &[u64], shape: &Shape) {
    for (start, length) in tiles(shape.vectors, MAX_TILE) {
        let at = LANES * (start * m + i * length);
        table[at..at + LANES * length].copy_from_slice(&number[LANES * start..LANES * (start + length)]);
    }
}

/// The most words of set-up that need no allocation.
const FEW: usize = 64;

/// The most bits of the power of two in one product by a word.
const SHORT_BITS: usize = 63;

/// `power = power * 2^count` mod N, by words.
fn times_power_of_two(short: &ShortFactor<u64>, power: &mut [u64], count: usize, modulus: &[u64], scratch: &mut [u64]) {
    for done in (0..count).step_by(SHORT_BITS) {
        short.mul(power, 0, 0, 1 << SHORT_BITS.min(count - done), modulus, scratch);
    }
}

impl<O: Vectors, const CT: bool> RowRing<O, CT> {
    /// The ring of an odd modulus of exactly `bits` bits, at most [`super::MAX_LIMBS`] limbs; zero limbs on top are legal.
    ///
    /// Count: m Montgomery steps of one limb for the table; two to four products by one word for R and 2^t R mod N; about
    /// log2(52m / 100) squarings for R^2 mod N, as form(2^k)^2 = form(2^2k). If a number enters by a division (`divides`),
    /// R^2 mod N is omitted: the division takes longer than a product by R^2, but less time than computing R^2.
    ///
    /// `square_from` is the value of [`super::SQUARE_FROM`].
    pub(super) fn new(
        ops: O,
        modulus: &[u64],
        bits: usize,
        mut short: ShortFactor<u64>,
        divides: bool,
        square_from: usize,
    ) -> Self {
        assert!(modulus.first().is_some_and(|limb| limb & 1 == 1), "the modulus is odd");
        let modulus = &modulus[..bits.div_ceil(64)];
        let (shape, divides) = (Shape::new(bits), divides && !CT);
        let constants = Some(RowConstants::new(ops, &shape, modulus, &short));
        let mut ring = Self { ops, shape, square_from, constants, short: None };
        ring.prepare_powers_of_r(modulus, &short, divides);
        if divides {
            ring.short = Some(Box::new(short));
        }
        short.wipe();
        ring
    }

    fn prepare_powers_of_r(&mut self, modulus: &[u64], short: &ShortFactor<u64>, divides: bool) {
        let (n, r_bits) = (modulus.len(), 52 * self.shape.limbs);
        let mut buffer: SmallVec<[u64; FEW]> = SmallVec::from_elem(0, 2 * n + 1);
        let (power, scratch) = buffer.split_at_mut(n);
        // 2^L - N is at most N, because N >= 2^(L-1); equal only for N = 1.
        power.copy_from_slice(modulus);
        linear::negate(power);
        linear::truncate(power, self.shape.bits);
        scratch[..n].copy_from_slice(power);
        linear::subtract_once(power, &scratch[..n], false, modulus);
        times_power_of_two(short, power, r_bits - self.shape.bits, modulus, scratch);
        split(self.mut_residue(ONE), power, 0, 52);
        if divides {
            return linear::wipe(&mut buffer);
        }

        // form(1) is known. form(R) = R^2 mod N follows by building the exponent r_bits from its top bits down.
        let mut halvings = 0;
        while r_bits >> halvings > 2 * SHORT_BITS {
            halvings += 1;
        }
        times_power_of_two(short, power, r_bits >> halvings, modulus, scratch);
        let words = self.shape.words();
        let mut arena = vec![0; words];
        let mut work = vec![0; self.scratch_words()];
        split(&mut arena[LANES..][..self.shape.span()], power, 0, 52);
        for bit in (0..halvings).rev() {
            self.sqr(&mut arena, 0, 0, &mut work);
            if r_bits >> bit & 1 == 1 {
                self.mul_small(&mut arena, 0, 0, 2, &mut work);
            }
        }
        // Below 2N, so that the product by any number below R is in range.
        self.mul_small(&mut arena, 0, 0, 1, &mut work);
        self.mut_residue(RR).copy_from_slice(&arena[LANES..words - LANES]);
        for secret in [&mut buffer[..], &mut arena, &mut work] {
            linear::wipe(secret);
        }
    }

    fn mut_residue(&mut self, which: usize) -> &mut [u64] {
        self.constants.as_mut().expect("a ring of an odd modulus").mut_residue(which)
    }

    /// Whether a residue meets the requirements of a product: limbs below 2^52, below 2mN for an odd N, padding of zeros.
    pub(super) fn in_range(&self, residue: &[u64]) -> bool {
        let limbs = &residue[LANES..][..self.shape.limbs];
        let padding = residue[..LANES].iter().chain(&residue[LANES + self.shape.limbs..]);
        let below = self.constants.as_ref().is_none_or(|constants| {
            let n = self.shape.limbs64();
            let (mut value, mut bound) = (vec![0; n + 1], vec![0; n + 1]);
            join_all::<52>(&mut value, limbs);
            bound[n] = add_row(&mut bound[..n], constants.modulus64(), 2 * self.shape.limbs as u64);
            linear::less(&value, &bound)
        });
        below && limbs.iter().all(|&limb| limb <= MASK) && padding.into_iter().all(|&word| word == 0)
    }
}
