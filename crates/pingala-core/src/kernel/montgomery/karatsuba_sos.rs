//! Karatsuba product on leaves, then the reduction of SOS by tiles of rows.
//!
//! Not one of the paper's organisations: at 16 to 64 words the tiles reduce faster than columns do and than KCM's
//! sub-quadratic reduction, while Karatsuba already gains on the product. On the square it gains only from
//! `KARATSUBA_SQUARES` words on.
//!
//! Count: F(n) + n^2 + n products, F of `product::karatsuba`; squaring F_sqr(n) + n^2 + n, or as SOS.
//!
//! Lemmas: Karatsuba.karatsuba_sos_product, small.organisations (proofs/README.md).

use crate::kernel::product::karatsuba;
use crate::kernel::threshold::Threshold;

/// Words of scratch.
pub const fn scratch_words(n: usize, leaf: usize) -> usize {
    2 * n + karatsuba::scratch_words(n, leaf)
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
