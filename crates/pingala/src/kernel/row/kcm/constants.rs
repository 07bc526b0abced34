//! The constants of one modulus, computed without a division and branch-free in its value.

use super::columns::{Normalise, add};
use super::layout::PieceLayout;
use super::product::{self, CyclicFactor};
use super::{LANES, MASK, Vectors, aligned, limbs52};
use crate::kernel::{cache_line, hensel};
use crate::natural::linear;

/// The constants of one modulus, in one allocation that starts at a multiple of 64 bytes: four operands, the factor of
/// cyclic products, N in 64-bit limbs, signs.
#[derive(Debug)]
pub(super) struct KcmConstants {
    words: Vec<u64>,
    origin: usize,
    layout: PieceLayout,
}

/// R mod N: the residue of 1.
pub(super) const ONE: usize = 0;
/// R^2 mod N, below N.
pub(super) const RR: usize = 1;
/// The number 1 itself.
pub(super) const PLAIN_ONE: usize = 2;
/// -N^-1 mod R.
const M_PRIME: usize = 3;
const OPERANDS: usize = 4;

impl KcmConstants {
    /// All of them but [`ONE`] and [`RR`].
    pub(super) fn new<O: Vectors>(ops: O, layout: PieceLayout, modulus: &[u64]) -> Self {
        let n = layout.limbs();
        let factor_words = product::cyclic_factor_words(layout);
        let total = OPERANDS * layout.words() + factor_words + (52 * n).div_ceil(64) + layout.levels as usize;
        let words = vec![0; total + cache_line::spare::<u64>()];
        let origin = cache_line::first_word(&words);
        let mut constants = Self { words, origin, layout };
        let at = constants.modulus_at();
        constants.words[at..][..modulus.len()].copy_from_slice(modulus);
        constants.words[origin + PLAIN_ONE * layout.words() + LANES] = 1;

        let mut limbs = vec![0; n];
        limbs52::from_limbs64(&mut limbs, modulus, 0);
        let operand = origin + M_PRIME * layout.words();
        minus_inverse(ops, layout, &mut constants.words[operand..][..layout.words()], &limbs, modulus);
        let (rest, signs) = constants.words.split_at_mut(origin + total - layout.levels as usize);
        let operands = &mut rest[origin + OPERANDS * layout.words()..][..factor_words];
        prepare_cyclic(layout, operands, signs, &mut limbs);
        linear::wipe(&mut limbs);
        constants
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    /// One of the operands.
    pub(super) fn residue(&self, which: usize) -> &[u64] {
        let words = self.layout.words();
        &self.words[self.origin + which * words..][..words]
    }

    pub(super) fn set_residue(&mut self, which: usize, residue: &[u64]) {
        let words = self.layout.words();
        self.words[self.origin + which * words..][..words].copy_from_slice(residue);
    }

    pub(super) fn m_prime(&self) -> &[u64] {
        self.residue(M_PRIME)
    }

    fn factor_at(&self) -> usize {
        self.origin + OPERANDS * self.layout.words()
    }

    fn modulus_at(&self) -> usize {
        self.factor_at() + product::cyclic_factor_words(self.layout)
    }

    /// N in 64-bit limbs, ceil(52n / 64) of them.
    pub(super) fn modulus64(&self) -> &[u64] {
        &self.words[self.modulus_at()..][..(52 * self.layout.limbs()).div_ceil(64)]
    }

    /// N as a factor of products modulo b^n - 1.
    pub(super) fn cyclic(&self) -> CyclicFactor<'_> {
        let (operands, rest) = self.words[self.factor_at()..].split_at(product::cyclic_factor_words(self.layout));
        let signs = &rest[self.modulus64().len()..][..self.layout.levels as usize];
        CyclicFactor { operands, signs }
    }
}

impl Drop for KcmConstants {
    /// The modulus may be a secret factor.
    fn drop(&mut self) {
        linear::wipe(&mut self.words);
    }
}

/// `out` = -N^-1 modulo b^n: one piece by words, then by Hensel's lifting.
///
/// With X = -1/N modulo b^h, N X = -1 + (e + 1) b^h modulo b^2h, e its upper half, as -1 has all its limbs b - 1. Then -1/N
/// modulo b^2h is X + (X e + X mod b^h) b^h.
fn minus_inverse<O: Vectors>(ops: O, whole: PieceLayout, out: &mut [u64], n: &[u64], modulus: &[u64]) {
    let mut layout = PieceLayout { levels: 0, ..whole };
    let words = whole.words();
    let scratch_words = product::low_scratch_words(whole);
    let mut room = vec![0; 3 * whole.limbs() + 3 * words + scratch_words + LANES - 1];
    let (inverse, rest) = aligned(&mut room).split_at_mut(whole.limbs());
    let (columns, rest) = rest.split_at_mut(whole.limbs());
    let (error, rest) = rest.split_at_mut(whole.limbs());
    let (a, rest) = rest.split_at_mut(words);
    let (b, rest) = rest.split_at_mut(words);
    let (product, scratch) = rest.split_at_mut(words);

    let mut by_words = hensel::quickest_inverse(modulus, 52 * layout.limbs());
    linear::negate(&mut by_words);
    limbs52::from_limbs64(&mut inverse[..layout.limbs()], &by_words, 0);
    while layout.levels < whole.levels {
        let half = layout;
        layout.levels += 1;
        let (h, words, half_words) = (half.limbs(), layout.words(), half.words());
        // e, from the upper half of N X.
        let (columns, error) = (&mut columns[..2 * h], &mut error[..2 * h]);
        layout.spread(&mut a[..words], &n[..2 * h]);
        layout.spread(&mut b[..words], &inverse[..2 * h]);
        product::mul_low(ops, layout, columns, &a[..words], &b[..words], scratch);
        ops.run(Normalise { layout, cyclic: false, out: &mut product[..words], columns });
        layout.gather(error, &product[..words]);
        // The upper half of the inverse.
        half.spread(&mut a[..half_words], &error[h..]);
        half.spread(&mut b[..half_words], &inverse[..h]);
        product::mul_low(ops, half, &mut columns[..h], &a[..half_words], &b[..half_words], scratch);
        let columns = &mut columns[..h];
        add(ops, columns, &inverse[..h]);
        ops.run(Normalise { layout: half, cyclic: false, out: &mut product[..half_words], columns });
        half.gather(&mut inverse[h..2 * h], &product[..half_words]);
    }
    whole.spread(out, inverse);
    linear::wipe(&mut room);
    linear::wipe(&mut by_words);
}

/// The operands and signs of a [`CyclicFactor`], of m modulo b^n - 1 in `m`, which is overwritten.
pub(super) fn prepare_cyclic(layout: PieceLayout, operands: &mut [u64], signs: &mut [u64], m: &mut [u64]) {
    if layout.levels == 0 {
        return layout.spread(operands, m);
    }
    let half = layout.half();
    let (operand, operands) = operands.split_at_mut(half.words());
    let (low, high) = m.split_at_mut(half.limbs());
    let mut difference = low.to_vec();
    let negative = subtract(&mut difference, high);
    negate_if(&mut difference, negative);
    signs[0] = negative ^ halve_modulo_plus_one(&mut difference);
    half.spread(operand, &difference);
    linear::wipe(&mut difference);

    let carry = limbs52::add_assign(low, high);
    // The carry out of the top is added at the bottom; the sum is not all ones then.
    add_limb(low, carry);
    // A half modulo b^h - 1: the lowest bit moves to the top.
    let lowest = low[0] & 1;
    shift_down(low, lowest);
    prepare_cyclic(half, operands, &mut signs[1..], low);
}

/// `a -= b` modulo b^h; all ones where a < b.
fn subtract(a: &mut [u64], b: &[u64]) -> u64 {
    let mut borrow = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let rest = a.wrapping_sub(*b).wrapping_sub(borrow);
        *a = rest & MASK;
        borrow = rest >> 63;
    }
    borrow.wrapping_neg()
}

/// `a = -a` modulo b^h where the mask is all ones.
fn negate_if(a: &mut [u64], mask: u64) {
    a.iter_mut().for_each(|limb| *limb ^= mask & MASK);
    add_limb(a, mask & 1);
}

/// `a += limb`; returns the carry out.
fn add_limb(a: &mut [u64], mut limb: u64) -> u64 {
    for a in a {
        let sum = *a + limb;
        *a = sum & MASK;
        limb = sum >> 52;
    }
    limb
}

/// `a = (a + top b^h) >> 1`, where the lowest bit is dropped.
fn shift_down(a: &mut [u64], mut top: u64) {
    for limb in a.iter_mut().rev() {
        let lowest = *limb & 1;
        *limb = *limb >> 1 | top << 51;
        top = lowest;
    }
}

/// The absolute value of a/2 modulo b^h + 1; all ones where its sign changes: an odd a gives -(b^h + 1 - a) / 2.
fn halve_modulo_plus_one(a: &mut [u64]) -> u64 {
    let odd = (a[0] & 1).wrapping_neg();
    // b^h + 1 - a = (b^h - 1 - a) + 2, at most b^h for an odd a.
    a.iter_mut().for_each(|limb| *limb ^= odd & MASK);
    let carry = add_limb(a, odd & 2);
    shift_down(a, carry);
    odd
}
