//! Plain products of equal-length numbers, each one text over a [`Word`](crate::natural::word::Word): schoolbook, Comba,
//! Karatsuba; squarings that use the symmetry; low products modulo b^n.
//!
//! Contracts shared by all: operands have n words, least significant first; the full product has 2n words, the low
//! product n; output and scratch are disjoint from the operands and may hold anything on entry. Nothing branches on or
//! indexes by a value: the sequence of operations depends on lengths only.

pub(crate) mod accumulate;
pub mod comba;
pub(crate) mod cyclic;
pub mod karatsuba;
pub(crate) mod low;
pub mod schoolbook;

use crate::natural::word::Word;
use core::fmt::Debug;

/// Cuts n rows into the fewest blocks of at most `most` rows: (first row, number of rows). All blocks have `most` rows but the
/// last two, which share the rest evenly, the longer one first. It does not divide, because every short product calls it.
pub(crate) fn blocks(n: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let left = n - at;
        let rows = if left > most && left < 2 * most { left.div_ceil(2) } else { left.min(most) };
        at += rows;
        (rows > 0).then_some((at - rows, rows))
    })
}

/// The products of short operands of one instruction family, where Karatsuba and the low products stop halving.
pub trait Leaf<W: Word>: Copy + Debug + Send + Sync {
    /// Longest operands of a product, at least 1.
    fn words(self) -> usize;
    /// Longest operand of a square, at least `words()`: halving saves less in a square.
    #[inline(always)]
    fn square_words(self) -> usize {
        self.words()
    }
    /// Longest operands of a low product, at least `words()`: half of its products have at most half that length.
    #[inline(always)]
    fn low_words(self) -> usize {
        self.words()
    }
    /// Shortest products modulo b^n - 1 that are halved; by default none.
    fn cyclic_words(self) -> usize {
        usize::MAX
    }
    /// `t = a * b`.
    fn mul(self, t: &mut [W], a: &[W], b: &[W]);
    /// `t = a^2`.
    fn sqr(self, t: &mut [W], a: &[W]);
    /// The products of a's pieces of n words by b's, one after the other, for all pieces.
    #[inline(always)]
    fn mul_each(self, t: &mut [W], a: &[W], b: &[W], n: usize) {
        each(t, a, b, n, |t, a, b| self.mul(t, a, b));
    }
    /// The squares of a's pieces of n words, one after the other, for all pieces.
    #[inline(always)]
    fn sqr_each(self, t: &mut [W], a: &[W], n: usize) {
        each(t, a, a, n, |t, a, _| self.sqr(t, a));
    }
    /// `t = a * b` mod b^n.
    fn low_mul(self, t: &mut [W], a: &[W], b: &[W]);
    /// `t = a^2` mod b^n.
    fn low_sqr(self, t: &mut [W], a: &[W]) {
        self.low_mul(t, a, a);
    }
    /// `t += a * factor`, returns the carry word; equal lengths.
    #[inline(always)]
    fn add_row(self, t: &mut [W], a: &[W], factor: W) -> W {
        schoolbook::add_row(t, a, factor)
    }
    /// The most words of b in [`Leaf::add_rows`]; 0 if the family has no rows that are quicker than single ones.
    #[inline(always)]
    fn rows(self) -> usize {
        0
    }
    /// `t += a * b`, b short; t has `a.len() + b.len()` words, of which the highest `b.len()` are only written.
    fn add_rows(self, _t: &mut [W], _a: &[W], _b: &[W]) {
        unreachable!("no rows");
    }
}

/// Runs `product` for each piece of n words of a and of b, with the 2n words of t that belong to it.
#[inline(always)]
fn each<W: Word>(mut t: &mut [W], mut a: &[W], mut b: &[W], n: usize, product: impl Fn(&mut [W], &[W], &[W])) {
    while !a.is_empty() {
        W::turn();
        let ((product_t, rest), (a_first, a_rest), (b_first, b_rest)) =
            (t.split_at_mut(2 * n), a.split_at(n), b.split_at(n));
        product(product_t, a_first, b_first);
        (t, a, b) = (rest, a_rest, b_rest);
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/product.rs"]
mod tests;
