//! Karatsuba product on Comba leaves, then the reduction of SOS by tiles of rows.
//!
//! Not one of the paper's organisations: at 16 to 64 words the tiles reduce faster than columns do and than KCM's
//! sub-quadratic reduction, while Karatsuba already gains on the product.
//!
//! Count: F(n) + n^2 + n products, F of `product::karatsuba`; squaring F_sqr(n) + n^2 + n.

use super::{Constants, Unreduced, sos};
use crate::kernel::product::{karatsuba, schoolbook};
use crate::natural::word::Word;

/// a * b * R^-1, below 2m.
pub(crate) fn mul<'t, W: Word>(
    t: &'t mut [W],
    a: &[W],
    b: &[W],
    constants: &Constants<'_, W>,
    leaf: usize,
) -> Unreduced<'t, W> {
    let n = a.len();
    let (t, scratch) = t.split_at_mut(2 * n);
    karatsuba::mul(t, a, b, leaf, scratch);
    sos::redc(t, constants, schoolbook::tile_words(n))
}

/// a^2 * R^-1, below 2m.
pub(crate) fn sqr<'t, W: Word>(t: &'t mut [W], a: &[W], constants: &Constants<'_, W>, leaf: usize) -> Unreduced<'t, W> {
    let n = a.len();
    let (t, scratch) = t.split_at_mut(2 * n);
    karatsuba::sqr(t, a, leaf, scratch);
    sos::redc(t, constants, schoolbook::tile_words(n))
}
