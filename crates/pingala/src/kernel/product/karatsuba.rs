//! The Karatsuba product: three half-length products instead of four, down to leaves.
//!
//! With a = a0 + a1 b^h, L = a0 b0, H = a1 b1 and D = (a0 - a1)(b0 - b1):
//!
//! ```text
//! a * b = L + (L + H - D) b^h + H b^2h
//! ```
//!
//! 1. |a0 - a1|, |b0 - b1| and the sign of D, branch-free.
//! 2. The three products.
//! 3. The middle, L + H - D, D flipped by mask where it counts negative; then one addition into the result.
//!
//! The difference form is chosen over the sums (a0 + a1)(b0 + b1) because differences have no carry words. Halves may be
//! uneven: h = ceil(n / 2), the upper half has h or h - 1 words.
//!
//! Count: F(n) = 2 F(h) + F(n - h) word products above the leaf, l^2 at a leaf of l words (squaring: l(l+1)/2).

use super::Leaf;
use crate::natural::linear::{self, known_lengths};
use crate::natural::word::Word;

/// Words of scratch for operands of `n` words.
pub(crate) const fn scratch_words(n: usize, leaf: usize) -> usize {
    if n <= leaf {
        0
    } else {
        let half = n.div_ceil(2);
        2 * half + scratch_words(half, leaf)
    }
}

/// `t = a * b`; operands as short as a leaf go to it.
pub(crate) fn mul<W: Word>(t: &mut [W], a: &[W], b: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == 2 * n && scratch.len() >= scratch_words(n, leaf.words()));
    if n <= leaf.words() {
        return leaf.mul(t, a, b);
    }
    let half = n.div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (d, scratch) = scratch.split_at_mut(2 * half);
    let (low, high) = t.split_at_mut(2 * half);
    // Step 1. The result's words serve as room until the products need them.
    let (a_diff, b_diff) = low.split_at_mut(half);
    let a_negative = linear::abs_diff(a_diff, a0, a1);
    let b_negative = linear::abs_diff(b_diff, b0, b1);
    // Step 2.
    mul(d, a_diff, b_diff, leaf, scratch);
    mul(low, a0, b0, leaf, scratch);
    mul(high, a1, b1, leaf, scratch);
    // Step 3. D is subtracted where both signs agree.
    let subtract = b_negative.flip(a_negative).flip(W::MAX);
    combine(t, d, half, subtract);
}

/// `t = a^2`; operands as short as a leaf go to it.
pub(crate) fn sqr<W: Word>(t: &mut [W], a: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(t.len() == 2 * n && scratch.len() >= scratch_words(n, leaf.words()));
    if n <= leaf.square_words() {
        return leaf.sqr(t, a);
    }
    let half = n.div_ceil(2);
    let (a0, a1) = a.split_at(half);
    let (d, scratch) = scratch.split_at_mut(2 * half);
    let (low, high) = t.split_at_mut(2 * half);
    let a_diff = &mut low[..half];
    linear::abs_diff(a_diff, a0, a1);
    sqr(d, a_diff, leaf, scratch);
    sqr(low, a0, leaf, scratch);
    sqr(high, a1, leaf, scratch);
    // D is a square: always subtracted.
    combine(t, d, half, W::MAX);
}

/// Step 3: `t = L | H` becomes the product; `subtract` is ones where D counts negative, zeros where positive.
fn combine<W: Word>(t: &mut [W], d: &mut [W], half: usize, subtract: W) {
    if t.len() == 4 * half {
        known_lengths!(half in [4 5 6 7 8 16], combine_text(&mut t[..4 * half], &mut d[..2 * half], half, subtract));
    } else {
        combine_text(t, d, half, subtract);
    }
}

#[inline(always)]
fn combine_text<W: Word>(t: &mut [W], d: &mut [W], half: usize, subtract: W) {
    let minus = !subtract.is_zero();
    let (low, high) = t.split_at(2 * half);
    // A flipped D counts as b^2h - 1 - D; the carry of 1 and the `minus` taken off the top below make it -D.
    let carry_low = linear::flip_add_assign(d, subtract, low, minus);
    let (d_low, d_high) = d.split_at_mut(high.len());
    let carry_high = linear::add_assign(d_low, high, false);
    let carry_high = linear::add_bit(d_high, carry_high);
    // The middle is a0 b1 + a1 b0: not negative, and below 2 b^2h.
    let top = W::ZERO.add_carry(W::ZERO, carry_low).0;
    let top = top.add_carry(W::ZERO, carry_high).0;
    let top = top.sub_borrow(W::ZERO, minus).0;
    debug_assert!(top <= W::ONE, "0 <= a0 b1 + a1 b0 < 2 b^2h");
    let (middle, end) = t[half..].split_at_mut(2 * half);
    let carry = linear::add_assign(middle, d, false);
    let carry = linear::add_word(end, top.add_carry(W::ZERO, carry).0);
    debug_assert!(!carry, "the product is below b^2n");
}
