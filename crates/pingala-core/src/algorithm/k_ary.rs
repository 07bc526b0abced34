//! The 2^w-ary method: HAC 14.82, Algorithm 3 of \[tandrup2004fast\], Algorithm 1 of \[jiwan2017adaptive\].
//!
//! Lemmas: Programs.k_ary_raises (proofs/README.md).

use super::{BASE, Cost, ExpectedCost, ExponentShape, Monoid, Program, Register, WindowBits, powers};
use crate::algorithm::real::powi;
use crate::exponent::{Digits, Exponent, fixed_digits};

/// Left-to-right 2^w-ary exponentiation.
///
/// 1. Precompute g^2, g^3, ..., g^(2^w - 1), each by one product by the base.
/// 2. For each digit d from the top: A <- A^(2^w), and A <- A * g^d unless d = 0.
///
/// Departures: A starts as the table entry of the top digit, and the squarings between two products are one call.
///
/// Exactly, with d = ceil(bits/w) digits: w (d-1) squarings, 2^w - 2 products by the base for the table, and one product
/// for each further digit that is not zero, by the base if that digit is 1.
///
/// Expected, with p the density of the bits below the top and q = 1 - p: (d-1) (1 - q^w) products in the loop, of which
/// (d-1) p q^(w-1) are by the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KAry(pub WindowBits);

impl KAry {
    /// The length of the table, g to g^(2^w - 1).
    #[inline]
    fn n_powers(&self) -> usize {
        (1 << self.0.get()) - 1
    }

    fn further_digits(&self, exponent_bits: usize) -> usize {
        exponent_bits.div_ceil(self.0.width()) - 1
    }
}

named! {
    KAry(WindowBits), "k_ary",
    "[menezes1996handbook] 14.82; [tandrup2004fast] algorithm 3; [jiwan2017adaptive] algorithm 1",
    "digits in base 2^w, over a table of all powers up to g^(2^w - 1)"
}

impl Program for KAry {
    fn registers(&self, _exponent_bits: usize) -> usize {
        self.n_powers() + 1
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        let (w, further) = (self.0.get(), self.further_digits(shape.bits) as f64);
        let (p, q) = (shape.density(), 1.0 - shape.density());
        let products = further * (1.0 - powi(q, w as i32));
        let ones = further * p * powi(q, w as i32 - 1);
        Cost {
            squarings: f64::from(w) * further,
            multiplications: products - ones,
            base_multiplications: self.n_powers() as f64 - 1.0 + ones,
            selections: 0.0,
        }
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        // Register d - 1 holds g^d, so that the base is in the table's first register.
        powers::fill_powers(monoid, BASE, self.n_powers());
        let accumulator = Register(self.n_powers());
        let (w, further) = (self.0.width(), self.further_digits(exponent.bits()));
        let mut at = Register(exponent.digit(further * w, self.0.get()) - 1);
        let mut squarings = 0;
        for digit in fixed_digits::<usize, _>(exponent, self.0.get()).skip(1) {
            squarings += w;
            if digit > 0 {
                monoid.sqr_n(accumulator, at, squarings);
                (at, squarings) = (accumulator, 0);
                monoid.mul_power(at, at, Register(digit - 1));
            }
        }
        if squarings > 0 {
            monoid.sqr_n(accumulator, at, squarings);
            at = accumulator;
        }
        at
    }
}
