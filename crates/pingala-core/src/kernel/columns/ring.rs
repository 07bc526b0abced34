//! The ring: constants, numbers in and out, residues in tables.

use super::product::{carry_in_place, mul, redc, scratch_words, sqr};
use super::shape::ColumnShape;
use crate::kernel::limbs::split;
use crate::kernel::montgomery::neg_mod_inv_limb;
use crate::kernel::short::ShortFactor;
use crate::kernel::{ModulusParts, Ring};
use crate::natural::linear;
use alloc::vec;
use alloc::vec::Vec;

/// The residues modulo one odd m in Montgomery form x R, R = 2^(r n) >= 16 m, a digit to a word. A residue is less than m in size and may be
/// negative: for factors less than 2m in size a reduction gives (2m)^2 / R + (1/2 + 1/B) m < m.
///
/// Everything is constant-time in the values of the modulus and of residues, the set-up included; the bits of the modulus are public.
#[derive(Debug)]
pub(super) struct ColumnRing {
    shape: ColumnShape,
    halve_from: usize,
    halve_squares_from: usize,
    bits: usize,
    /// m in digits, then in limbs.
    words: Vec<u64>,
    /// -m^-1 mod 2^64.
    m_prime: u64,
    division: ShortFactor<u64>,
}

/// Makes limbs of r bits digits with signs. The number is below R / 2, so that the highest digit takes what is carried.
fn balance(limbs: &mut [u64], shape: &ColumnShape) {
    carry_in_place(limbs, shape.radix_bits);
    debug_assert!(has_digits(limbs, shape));
}

/// Whether digits are at most half of the radix in size.
fn has_digits(digits: &[u64], shape: &ColumnShape) -> bool {
    let most = 1 << (shape.radix_bits - 1);
    digits.iter().all(|&digit| (digit as i64).unsigned_abs() <= most)
}

/// Makes digits limbs of r bits; returns all ones if the number is negative, and then its limbs are those of the number and R.
fn limbs_of_digits(digits: &mut [u64], radix_bits: u32) -> u64 {
    let mut carried = 0;
    for digit in digits {
        let sum = digit.wrapping_add(carried);
        *digit = sum & ((1 << radix_bits) - 1);
        carried = (sum as i64 >> radix_bits) as u64;
    }
    carried
}

/// Writes the number of these limbs of r bits, which fits, to limbs of 64 bits.
fn join(out: &mut [u64], limbs: &[u64], radix_bits: u32) {
    out.fill(0);
    for (index, limb) in limbs.iter().enumerate() {
        let (at, low) = (index * radix_bits as usize / 64, index * radix_bits as usize % 64);
        if let Some(out) = out.get_mut(at) {
            *out |= limb << low;
        }
        if let Some(out) = out.get_mut(at + 1) {
            *out |= limb >> 1 >> (63 - low);
        }
    }
}

impl ColumnRing {
    pub(super) fn new(parts: &ModulusParts<'_>, halve_from: usize, halve_squares_from: usize) -> Self {
        let shape = ColumnShape::new(parts.odd_bits);
        let mut words = vec![0; shape.digits + parts.odd.len()];
        let (digits, limbs) = words.split_at_mut(shape.digits);
        limbs.copy_from_slice(parts.odd);
        split(digits, parts.odd, 0, shape.radix_bits);
        balance(digits, &shape);
        let m_prime = neg_mod_inv_limb(parts.odd[0]);
        let (bits, division) = (parts.odd_bits, parts.short_factor());
        Self { shape, halve_from, halve_squares_from, bits, words, m_prime, division }
    }

    /// The digits of m.
    fn m(&self) -> &[u64] {
        &self.words[..self.shape.digits]
    }

    /// The limbs of m.
    fn limbs(&self) -> &[u64] {
        &self.words[self.shape.digits..]
    }

    /// Reduces a product and writes it to `out`, n digits.
    fn reduce(&self, out: &mut [u64], t: &mut [u64]) {
        redc(out, t, self.m(), self.m_prime, &self.shape);
        debug_assert!(self.is_residue(out));
    }

    /// Whether digits are in range and their number less than m in size.
    fn is_residue(&self, digits: &[u64]) -> bool {
        let mut size = digits.to_vec();
        let mut rest = self.m().to_vec();
        if limbs_of_digits(&mut size, self.shape.radix_bits) != 0 {
            size = digits.iter().map(|digit| digit.wrapping_neg()).collect();
            limbs_of_digits(&mut size, self.shape.radix_bits);
        }
        rest.iter_mut().zip(size).for_each(|(rest, size)| *rest = rest.wrapping_sub(size));
        has_digits(digits, &self.shape) && limbs_of_digits(&mut rest, self.shape.radix_bits) == 0
    }

    /// Makes the digits of a number between -m and m limbs of r bits of the canonical number.
    fn canonical(&self, digits: &mut [u64]) {
        let r = self.shape.radix_bits;
        let negative = limbs_of_digits(digits, r);
        for (digit, m) in digits.iter_mut().zip(self.m()) {
            *digit = digit.wrapping_add(m & negative);
        }
        // The limbs of a negative number count R more, which this carry takes away.
        let carried = limbs_of_digits(digits, r);
        debug_assert!(carried.wrapping_add(negative) == 0);
    }

    /// Makes a residue of columns whose number is less than 2^33 m in size, each less than 2^61: it takes away the multiple of m that is nearest.
    ///
    /// 1. h is the number of the three highest columns, in units of B^(n-3); those below are less than 2^34 such units. v = floor(2^(e+40) / M) is
    ///    the reciprocal of M, m in those units, M < 2^e. It comes from that of the division, floor((b^3 - 1) / D) with D = m 2^128 / 2^bits.
    /// 2. q = floor(floor(h / 2^(e-32)) v / 2^72 + 1/2). M > 2^(2r-5) >= 2^49, because m >= 2^(bits-1) and r n < bits + 4 + r. So the columns below
    ///    change q by less than 2^-15, the shift by 2^-31, and v by 2^-6: what is left is less than (1/2 + 2^-5) m.
    /// 3. A column less q m_i, which is below 2^34 2^(r-1) <= 2^62, fits.
    fn reduce_few_bits(&self, columns: &mut [u64]) {
        let ColumnShape { radix_bits: r, digits: n } = self.shape;
        let shift = (self.bits + 3 * r as usize) - r as usize * n - 32;
        // Step 1.
        let top = |depth: usize| n.checked_sub(depth).map_or(0, |at| i128::from(columns[at] as i64));
        let h = (top(1) << (2 * r)) + (top(2) << r) + top(3);
        let v = (1 << 64 | i128::from(self.division.reciprocal())) >> 24;
        // Step 2.
        let q = ((h >> shift) * v + (1 << 71)) >> 72;
        debug_assert!(q.unsigned_abs() < 1 << 34);
        // Step 3.
        for (column, m) in columns.iter_mut().zip(self.m()) {
            *column = column.wrapping_sub(m.wrapping_mul(q as u64));
        }
        carry_in_place(columns, r);
        debug_assert!(self.is_residue(columns));
    }
}

impl Ring<u64> for ColumnRing {
    fn words(&self) -> usize {
        self.shape.digits
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    fn scratch_words(&self) -> usize {
        let n = self.shape.digits;
        let halves = scratch_words(n, self.halve_from).max(scratch_words(n, self.halve_squares_from));
        (2 * n).max(2 * self.limbs().len() + 1) + halves
    }

    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        packed.copy_from_slice(&arena[from..from + self.words()]);
        self.canonical(packed);
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        let residue = &mut arena[out..out + self.words()];
        residue.copy_from_slice(packed);
        balance(residue, &self.shape);
    }

    fn one(&self, arena: &mut [u64], out: usize, scratch: &mut [u64]) {
        self.enter(arena, out, &[1], scratch);
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let ColumnShape { radix_bits: r, digits: n } = self.shape;
        let m = self.limbs();
        let (limbs, room) = scratch.split_at_mut(m.len());
        self.division.enter_shifted(limbs, value, r as usize * n, m, room);
        let residue = &mut arena[out..out + n];
        split(residue, limbs, 0, r);
        balance(residue, &self.shape);
    }

    fn add_canonical(&self, arena: &mut [u64], out: usize, c: usize) -> bool {
        let (low, high) = arena.split_at_mut(c);
        let sum = &mut low[out..out + self.words()];
        for (sum, c) in sum.iter_mut().zip(high) {
            *sum = sum.wrapping_add(*c);
        }
        balance(sum, &self.shape);
        true
    }

    /// A residue R^-1 mod m is less than m in size, so one addition of m makes it canonical.
    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        let n = self.words();
        let (t, _) = scratch.split_at_mut(2 * n);
        t[..n].copy_from_slice(&arena[from..from + n]);
        t[n..].fill(0);
        self.reduce(value, t);
        self.canonical(value);
        let limbs = &mut scratch[..self.limbs().len()];
        join(limbs, value, self.shape.radix_bits);
        value.fill(0);
        value[..limbs.len()].copy_from_slice(limbs);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let n = self.words();
        let (t, scratch) = scratch.split_at_mut(2 * n);
        mul(t, &arena[a..a + n], &arena[b..b + n], self.halve_from, scratch);
        self.reduce(&mut arena[out..out + n], t);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let n = self.words();
        let (t, scratch) = scratch.split_at_mut(2 * n);
        sqr(t, &arena[a..a + n], self.halve_squares_from, scratch);
        self.reduce(&mut arena[out..out + n], t);
    }

    /// The higher half of the factor first; its residue and the lower half then count 1.6 2^32 m. The length of the factor is public.
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let n = self.words();
        let columns = &mut scratch[..n];
        columns.fill(0);
        let a = &arena[a..a + n];
        let halves = [small >> 32, small & 0xffff_ffff];
        for half in &halves[usize::from(halves[0] == 0)..] {
            for (column, a) in columns.iter_mut().zip(a) {
                *column = (*column << 32).wrapping_add(a.wrapping_mul(*half));
            }
            self.reduce_few_bits(columns);
        }
        arena[out..out + n].copy_from_slice(columns);
    }
}

impl Drop for ColumnRing {
    /// The modulus may be a secret factor.
    fn drop(&mut self) {
        linear::wipe(&mut self.words);
        linear::wipe(core::slice::from_mut(&mut self.m_prime));
        self.division.wipe();
    }
}
