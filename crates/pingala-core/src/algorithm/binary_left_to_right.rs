//! Square and multiply from the top bit down: HAC 14.79, Algorithm 2 of \[tandrup2004fast\].
//!
//! Lemmas: Programs.binary_left_to_right_raises (proofs/README.md).

use super::{BASE, Cost, ExpectedCost, ExponentShape, Monoid, Program, Register, sliding_window};
use crate::exponent::Exponent;

/// Left-to-right binary exponentiation. All its products are by the base, so a short base makes them almost free
/// (\[tandrup2004fast\], 2.2).
///
/// 1. A <- g (the top bit is set: squaring 1 and multiplying it by g is left out).
/// 2. For each further bit from the top: A <- A^2, and if the bit is set A <- A * g.
///
/// A run of zeros and the one that ends it are one call of `sqr_n`.
///
/// Exactly bits - 1 squarings and weight - 1 products by the base. Expected: (bits - 1)/2 of the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryLeftToRight;

named! {
    BinaryLeftToRight, "binary_left_to_right",
    "[menezes1996handbook] 14.79; [tandrup2004fast] algorithm 2",
    "square, and multiply by the base for every one bit, from the top bit down"
}

impl Program for BinaryLeftToRight {
    fn registers(&self, _exponent_bits: usize) -> usize {
        2
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        let below_top = shape.bits as f64 - 1.0;
        Cost { squarings: below_top, base_multiplications: below_top * shape.density(), ..Cost::default() }
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        sliding_window::fold_windows(monoid, Register(1), exponent.sliding_windows(1), |_| BASE, M::mul_power)
    }
}
