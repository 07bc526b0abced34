//! Square and multiply from the lowest bit up: HAC 14.76, Algorithm 1 of \[tandrup2004fast\].
//!
//! Lemmas: Programs.binary_right_to_left_raises (proofs/README.md).

use super::{BASE, Cost, ExpectedCost, ExponentShape, Monoid, Program, Register};
use crate::exponent::Exponent;

/// Right-to-left binary exponentiation.
///
/// 1. A <- 1, S <- g.
/// 2. For each bit from the lowest: if it is set A <- A * S; if bits are left S <- S^2.
///
/// Two departures: at the lowest one bit A takes the place of S instead of 1 * S being computed, so A may be the base
/// itself, and then the next product is one by the base; and a run of zeros is one call of `sqr_n`.
///
/// Exactly bits - 1 squarings and weight - 1 products, of which one is by the base if the exponent is odd and above 1.
/// Expected with density p of the bits below the top: (bits - 1) p products, of which p by the base.
///
/// No squaring waits for a product. Modulo one limb a product runs in parallel with each squaring above the lowest one bit.
/// It costs hardly anything there, and is dropped at a zero bit; then the executed products are bits - 1 less the trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryRightToLeft;

named! {
    BinaryRightToLeft, "binary_right_to_left",
    "[menezes1996handbook] 14.76; [tandrup2004fast] algorithm 1",
    "square the base again and again, multiply together what the one bits name"
}

impl Program for BinaryRightToLeft {
    fn registers(&self, _exponent_bits: usize) -> usize {
        3
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        let below_top = shape.bits as f64 - 1.0;
        let by_base = if shape.bits > 1 { shape.density() } else { 0.0 };
        Cost {
            squarings: below_top,
            multiplications: below_top * shape.density() - by_base,
            base_multiplications: by_base,
            selections: 0.0,
        }
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        let (power, product) = (Register(1), Register(2));
        let mut position = exponent.trailing_zeros();
        // S at the lowest one bit: it becomes A, and S moves on in another register.
        let mut a = BASE;
        if position > 0 {
            monoid.sqr_n(product, BASE, position);
            a = product;
        }
        let mut s = a;
        while let Some(next) = exponent.lowest_from(position + 1) {
            monoid.sqr_n(power, s, next - position);
            (s, position) = (power, next);
            monoid.mul_power(product, s, a);
            a = product;
        }
        a
    }
}
