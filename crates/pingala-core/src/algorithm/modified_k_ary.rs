//! The modified 2^w-ary method: HAC 14.83, Algorithm 4 of \[tandrup2004fast\].
//!
//! Lemmas: Programs.odd_windows_raise (proofs/README.md).

use super::{ExpectedCost, ExponentShape, Monoid, Program, Register, WindowBits, powers, sliding_window};
use crate::algorithm::real::powi;
use crate::exponent::Exponent;

/// Modified left-to-right 2^w-ary exponentiation: digits on a fixed grid, each taken as 2^h * u with u odd, so that
/// the table holds odd powers only.
///
/// 1. Precompute g^2 and the odd powers g^3, g^5, ..., g^(2^w - 1).
/// 2. For each digit 2^h * u from the top: A <- (A^(2^(w-h)) * g^u)^(2^h); for a zero digit A <- A^(2^w).
///
/// Departures: A starts as the table entry of the first digit, and the squarings between two products, those of one
/// digit's h and of the next digit's w - h, are one call.
///
/// Exactly, with D digits that are not zero, L the bits of the first without its trailing zeros: bits - L + \[w > 1\]
/// squarings and D - 1 + (2^(w-1) - 1) products; of these by the base are the digits with u = 1 after the first, and
/// g^3 = g^2 * g of the table.
///
/// Expected, with d = ceil(bits/w), r = bits - (d-1) w the width of the top digit, p the density of the bits below the
/// top and q = 1 - p: D - 1 = (d-1) (1 - q^w), of which (d-1) w p q^(w-1) have u = 1; L = r - (q + ... + q^(r-1)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModifiedKAry(pub WindowBits);

named! {
    ModifiedKAry(WindowBits), "modified_k_ary",
    "[menezes1996handbook] 14.83; [tandrup2004fast] algorithm 4",
    "digits in base 2^w, each an odd part and a shift, over a table of odd powers"
}

impl Program for ModifiedKAry {
    fn registers(&self, _exponent_bits: usize) -> usize {
        powers::registers(self.0)
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        let w = self.0.width();
        let further = shape.bits.div_ceil(w) - 1;
        let (p, q) = (shape.density(), 1.0 - shape.density());
        let digits = further as f64 * (1.0 - powi(q, w as i32));
        let ones = further as f64 * w as f64 * p * powi(q, w as i32 - 1);
        powers::expected(self.0, shape, shape.bits - further * w, digits, ones)
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        sliding_window::raise_by_odd_windows(monoid, self.0, exponent.aligned_windows(self.0.get()))
    }
}
