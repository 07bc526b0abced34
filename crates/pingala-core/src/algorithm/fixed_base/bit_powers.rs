//! The power of every bit, g^(2^i), with odd digits in buckets: the table of \[multiexp\], evaluated as Yao does.

use super::buckets::{Buckets, weighted_product};
use super::{FixedBaseProgram, TableShape};
use crate::algorithm::buckets::expected_top;
use crate::algorithm::named::up_to_fewest_products;
use crate::algorithm::{Cost, Counts, ExpectedCost, Monoid, Named, Register, WindowBits};
use crate::exponent::{Exponent, MAX_DIGIT_BITS};
use alloc::vec;
use alloc::vec::Vec;

/// A table of g^(2^i) for every bit i, so that building it takes no product but squarings. The exponent is cut into sliding
/// windows of at most w bits, e = sum of u 2^i with u odd, and the entries g^(2^i) go into buckets by u.
///
/// 1. T_u <- the product of the buckets from the highest down to u, for each odd u in turn.
/// 2. A <- the product of T_3, T_5, ...: that is the product of B_u^((u-1)/2).
/// 3. The power is A^2 * T_1.
///
/// Exactly, with k windows and u the highest value among them: k - 1 products, and for u > 1 (u-1)/2 more and one squaring.
/// With w = 1 the power is the product of the entries of the one bits, as the source has it.
///
/// Expected: k = n/(w+1) + 1/2 - 3/(2(w+1)) + 1/(w+1)^2, by renewal, as a window takes one zero on average before its
/// first bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPowers(pub WindowBits);

impl BitPowers {
    fn buckets(&self) -> usize {
        1 << (self.0.get() - 1)
    }

    /// The windows by (u-1)/2.
    fn sorted(&self, exponent: &Exponent) -> Buckets {
        let mut buckets = Buckets::new(self.buckets(), exponent.bits());
        let mut position = exponent.bits();
        for window in exponent.sliding_windows(self.0.get()) {
            position -= window.squarings();
            if window.length > 0 {
                buckets.put(window.value / 2, position);
            }
        }
        buckets
    }
}

named! {
    BitPowers(WindowBits), "bit_powers",
    "[multiexp] PreTable; [yao1976evaluation]",
    "the power of every bit, sliding windows of at most w bits in buckets"
}

impl FixedBaseProgram for BitPowers {
    fn entries(&self, exponent_bits: usize) -> usize {
        exponent_bits
    }

    fn work_registers(&self, _exponent_bits: usize) -> usize {
        2
    }

    fn entry_exponent(&self, _exponent_bits: usize, index: usize) -> Exponent {
        Exponent::of_bits([index])
    }

    fn build_cost(&self, exponent_bits: usize) -> Counts {
        Cost { squarings: exponent_bits - 1, ..Cost::default() }
    }

    fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
        for index in 1..exponent_bits {
            monoid.sqr_n(Register(index), Register(index - 1), 1);
        }
    }

    fn expected(&self, &TableShape { exponent_bits, .. }: &TableShape) -> ExpectedCost {
        let cycle = f64::from(self.0.get() + 1);
        let windows = exponent_bits as f64 / cycle + 0.5 - 1.5 / cycle + 1.0 / (cycle * cycle);
        let top = if self.buckets() > 1 { expected_top(self.buckets() as f64, windows) } else { 0.0 };
        let squarings = if self.buckets() > 1 { 1.0 } else { 0.0 };
        Cost { squarings, multiplications: (windows - 1.0 + top).max(0.0), ..Cost::default() }
    }

    fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
        let buckets = self.sorted(exponent);
        let (powers, running) = (Register(exponent_bits), Register(exponent_bits + 1));
        let top = buckets.top().unwrap_or(0);
        let (half, mut product) = weighted_product(&buckets, top, powers, running, monoid);
        product.times_bucket(&buckets, 0, monoid);
        let all = product.at().unwrap_or(running);
        if top > 0 {
            monoid.sqr_n(powers, half, 1);
            monoid.mul(powers, powers, all);
            return powers;
        }
        all
    }

    fn candidates(&TableShape { exponent_bits, max_entries }: &TableShape) -> Vec<Self> {
        if exponent_bits > max_entries {
            return Vec::new();
        }
        let expected = |method: &Self| method.expected(&TableShape::of_bits(exponent_bits));
        let (all, best) = up_to_fewest_products(Self::all(MAX_DIGIT_BITS), expected);
        vec![all[best]]
    }
}
