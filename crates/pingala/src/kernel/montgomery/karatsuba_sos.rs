//! Karatsuba product on leaves, then the reduction of SOS by tiles of rows.
//!
//! Not one of the paper's organisations: at 16 to 64 words the tiles reduce faster than columns do and than KCM's
//! sub-quadratic reduction, while Karatsuba already gains on the product. On the square it gains only from
//! `KARATSUBA_SQUARES` words on.
//!
//! Count: F(n) + n^2 + n products, F of `product::karatsuba`; squaring F_sqr(n) + n^2 + n, or as SOS.

use super::sos::{self, Rows};
use super::{Constants, Unreduced};
use crate::kernel::product::{Leaf, karatsuba, schoolbook};
use crate::kernel::threshold::Threshold;
use crate::natural::word::Word;

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
    rows: impl Rows<W>,
) -> Unreduced<'t, W> {
    let n = a.len();
    let (t, scratch) = t.split_at_mut(2 * n);
    karatsuba::mul(t, a, b, leaf, scratch);
    sos::redc(t, constants, rows)
}

/// Squares of fewer words, above one tile, are computed by SOS, which is quicker there (docs/records/thresholds.md).
pub(crate) const KARATSUBA_SQUARES: Threshold = Threshold {
    name: "karatsuba_squares",
    summary: "shortest squares, in limbs, that karatsuba_sos halves",
    usual: 64,
    least: 9,
    most: 255,
    of_entering: false,
    tried: &[32, 48, 96],
    lengths: &[48, 64, 80, 96],
};

/// The default value; the lab counts squares with it.
pub const USUAL_KARATSUBA_SQUARES: usize = KARATSUBA_SQUARES.usual as usize;

/// a^2 * R^-1, below 2m.
pub fn sqr<'t, W: Word>(
    t: &'t mut [W],
    a: &[W],
    constants: &Constants<'_, W>,
    (leaf, squares_from): (impl Leaf<W>, usize),
    rows: impl Rows<W>,
) -> Unreduced<'t, W> {
    let n = a.len();
    if schoolbook::TILE < n && n < squares_from {
        return sos::sqr(t, a, constants, rows);
    }
    let (t, scratch) = t.split_at_mut(2 * n);
    karatsuba::sqr(t, a, leaf, scratch);
    sos::redc(t, constants, rows)
}
