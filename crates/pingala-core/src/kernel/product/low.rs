//! Low products: a * b modulo b^n.
//!
//! Above a leaf, with h = ceil(n / 2) and l = n - h:
//!
//! ```text
//! a * b mod b^n = a0 b0 + ((a0 b1 + a1 b0) mod b^l) b^h
//! ```
//!
//! one full product and two low products of half the length. Count: Lo(n) = F(h) + 2 Lo(l), Lo(l) = l(l+1)/2 at a leaf;
//! squaring: F_sqr(h) + Lo(l), the mixed term once and doubled.
//!
//! Lemmas: Karatsuba.halves_of_products, Karatsuba.low_product, Karatsuba.low_square, small.plain_products (proofs/README.md).

use super::{Leaf, karatsuba};
use crate::natural::linear;
use crate::natural::word::Word;

/// Words of scratch for operands of `n` words, for `low_mul` and `low_sqr`.
pub(crate) const fn scratch_words(n: usize, leaf: usize) -> usize {
    if n <= leaf {
        0
    } else {
        let half = n.div_ceil(2);
        let full = karatsuba::scratch_words(half, leaf);
        let mixed = scratch_words(n - half, leaf);
        2 * half + if full > mixed { full } else { mixed }
    }
}

/// `t = a * b` mod b^n; the leaf multiplies operands that are short enough.
pub(crate) fn low_mul<W: Word>(t: &mut [W], a: &[W], b: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == n && scratch.len() >= scratch_words(n, leaf.words()));
    if n <= leaf.low_words() {
        return leaf.low_mul(t, a, b);
    }
    let half = n.div_ceil(2);
    let rest = n - half;
    let (full, scratch) = scratch.split_at_mut(2 * half);
    let (low, high) = t.split_at_mut(half);
    low_mul(high, &a[..rest], &b[half..], leaf, scratch);
    low_mul(&mut low[..rest], &a[half..], &b[..rest], leaf, scratch);
    linear::add_assign(high, &low[..rest], false);
    karatsuba::mul(full, &a[..half], &b[..half], leaf, scratch);
    linear::add_assign(high, &full[half..n], false);
    linear::copy(low, &full[..half]);
}

/// `t = a^2` mod b^n; the leaf squares operands that are short enough.
pub(crate) fn low_sqr<W: Word>(t: &mut [W], a: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(t.len() == n && scratch.len() >= scratch_words(n, leaf.words()));
    if n <= leaf.low_words() {
        return leaf.low_sqr(t, a);
    }
    let half = n.div_ceil(2);
    let rest = n - half;
    let (full, scratch) = scratch.split_at_mut(2 * half);
    let (low, high) = t.split_at_mut(half);
    let mixed = &mut low[..rest];
    low_mul(mixed, &a[..rest], &a[half..], leaf, scratch);
    linear::add(high, mixed, mixed, false);
    karatsuba::sqr(full, &a[..half], leaf, scratch);
    linear::add_assign(high, &full[half..n], false);
    linear::copy(low, &full[..half]);
}
