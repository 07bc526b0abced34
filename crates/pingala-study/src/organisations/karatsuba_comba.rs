//! Karatsuba product on leaves, then the plain reduction by columns.
//!
//! Count: F(n) + n^2 + n products, F of `product::karatsuba`; squaring F_sqr(n) + n^2 + n.

use super::separated_comba;
use pingala_core::texts::{Constants, Leaf, Unreduced, Word, karatsuba};

/// Words of scratch.
pub const fn scratch_words(n: usize, leaf: usize) -> usize {
    2 * n + karatsuba::scratch_words(n, leaf)
}

/// a * b * R^-1, below 2m.
pub fn mul<'t, W: Word>(
    t: &'t mut [W],
    a: &[W],
    b: &[W],
    constants: &Constants<'_, W>,
    leaf: impl Leaf<W>,
) -> Unreduced<'t, W> {
    let (t, scratch) = t.split_at_mut(2 * a.len());
    karatsuba::mul(t, a, b, leaf, scratch);
    separated_comba::redc(t, constants)
}

/// a^2 * R^-1, below 2m.
pub fn sqr<'t, W: Word>(t: &'t mut [W], a: &[W], constants: &Constants<'_, W>, leaf: impl Leaf<W>) -> Unreduced<'t, W> {
    let (t, scratch) = t.split_at_mut(2 * a.len());
    karatsuba::sqr(t, a, leaf, scratch);
    separated_comba::redc(t, constants)
}
