//! Products modulo b^n - 1, whose upper half comes back into the lower one.
//!
//! With n = 2h, a = a0 + a1 b^h, and of b alike:
//!
//! ```text
//! x = a b mod b^h - 1 = (a0 + a1)(b0 + b1)     again such a product, of half the length
//! y = a b mod b^h + 1 = (a0 - a1)(b0 - b1)
//! 2 a b = (x + y) + (x - y) b^h mod b^n - 1
//! ```
//!
//! because b^h is 1 modulo the one and -1 modulo the other. Half of a number modulo b^n - 1 is that number turned by one bit.
//! The differences go by absolute value and sign, so that y is one product of h words and needs no word for b^h.
//!
//! Count: C(n) = F(n/2) + C(n/2) word products with F of `karatsuba`, C(n) = F(n) if nothing is halved; a product that is not
//! modulo anything takes F(n) = 3 F(n/2).
//!
//! A residue has n words; both 0 and b^n - 1 stand for 0, but a product by 0 is 0. The other operand is prepared.
//!
//! The idea: `mpn_mulmod_bnm1` of [gmp].
//!
//! Lemmas: Karatsuba.sum_comes_round, Karatsuba.halves_recombine, Karatsuba.cyclic_combine_value, Karatsuba.wraps_once,
//! Karatsuba.turned_is_half, Karatsuba.cyclic_product, small.plain_products (proofs/README.md).

use super::{Leaf, karatsuba};
use crate::natural::linear;
use crate::natural::word::Word;

/// Whether a product of n words is halved.
pub(crate) fn halves(n: usize, leaf: usize) -> bool {
    n >= leaf && n.is_multiple_of(2)
}

/// Words of a prepared operand, without its own n words: |b0 - b1|, the mask of b0 < b1, b0 + b1 mod b^h - 1, and the same for that
/// sum, recursively.
pub(crate) fn operand_words(n: usize, leaf: usize) -> usize {
    if halves(n, leaf) { n + 1 + operand_words(n / 2, leaf) } else { 0 }
}

/// Prepares an operand.
pub(crate) fn prepare<W: Word>(operand: &mut [W], b: &[W], leaf: usize) {
    let n = b.len();
    if halves(n, leaf) {
        let (b0, b1) = b.split_at(n / 2);
        let (diff, rest) = operand.split_at_mut(n / 2);
        let (negative, rest) = rest.split_at_mut(1);
        let (sum, rest) = rest.split_at_mut(n / 2);
        negative[0].store(linear::abs_diff(diff, b0, b1));
        add(sum, b0, b1);
        prepare(rest, sum, leaf);
    }
}

/// `out = a + b` mod b^n - 1. Adding the carry at the bottom causes no further carry: a + b <= 2 (b^n - 1).
fn add<W: Word>(out: &mut [W], a: &[W], b: &[W]) {
    let carry = linear::add(out, a, b, false);
    let carry = linear::add_bit(out, carry);
    debug_assert!(!carry);
}

/// `out = a * b` mod b^n - 1, with the `operand` that [`prepare`] made of b.
///
/// Scratch: n words and what a Karatsuba product of n / 2 takes, if it is halved; its halves' halves another n / 2 in all, and the
/// product at the end twice its length: 2n words and that is enough, of a plain product 2n and what one of n takes.
pub(crate) fn mul<W: Word>(out: &mut [W], a: &[W], b: &[W], operand: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(out.len() == n && b.len() == n && operand.len() == operand_words(n, leaf.cyclic_words()));
    if !halves(n, leaf.cyclic_words()) {
        let (product, scratch) = scratch.split_at_mut(2 * n);
        karatsuba::mul(product, a, b, leaf, scratch);
        return add(out, &product[..n], &product[n..]);
    }
    let half = n / 2;
    let (a0, a1) = a.split_at(half);
    let (b_diff, operand) = operand.split_at(half);
    let (b_negative, operand) = operand.split_at(1);
    let (b_sum, operand) = operand.split_at(half);
    let (low, high) = out.split_at_mut(half);
    // |y|, with the upper half negative: y = e + borrow modulo b^h + 1.
    let (y, scratch) = scratch.split_at_mut(n);
    let a_negative = linear::abs_diff(low, a0, a1);
    karatsuba::mul(y, low, b_diff, leaf, scratch);
    let (e, y_high) = y.split_at_mut(half);
    let borrow = linear::sub_assign(e, y_high, false);
    // x
    add(high, a0, a1);
    mul(low, high, b_sum, operand, leaf, scratch);
    // x + y and x - y. A flipped e is b^h - 1 - e; the extra b^h is subtracted from the carry.
    let flip = a_negative.flip(b_negative[0].load());
    let minus = !flip.is_zero();
    let from_high = linear::add_flipped(high, low, e, flip.flip(W::MAX), borrow == minus);
    let from_low = linear::add_flipped_assign(low, e, flip, borrow != minus);
    // The carry out of one half, -1, 0 or 1, goes to the other. It wraps round at most once, and ends in the upper half: x + y and
    // x - y do not both run over if they are 0 or b^h - 1 (x + y = 2x - (x - y), and b is even).
    let over = |carry: bool, taken: bool| W::ZERO.add_carry(W::ZERO, carry).0.sub_borrow(W::ZERO, taken).0;
    let round = linear::add_signed(high, over(from_low, minus));
    let round = linear::add_signed(low, over(from_high, !minus).add_out(round).0);
    let round = linear::add_signed(high, round);
    debug_assert!(round.is_zero());
    turn_right(out);
}

/// Half of a number modulo b^n - 1.
fn turn_right<W: Word>(a: &mut [W]) {
    let first = a[0].load();
    for i in 0..a.len() {
        W::turn();
        let above = if i + 1 < a.len() { a[i + 1].load() } else { first };
        a[i].store(a[i].load().shift_right(1).add_out(above.shift_left(W::BITS - 1)).0);
    }
}
