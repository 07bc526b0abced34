//! One sliding-window exponentiation for each exponent, over one table.

use super::one_by_one;
use crate::algorithm::{
    ExpectedCost, ExponentShape, Monoid, Program, Register, ShapeBits, ShapeProgram, SlidingWindow, WindowBits, powers,
    sliding_window,
};
use crate::exponent::Exponent;
use alloc::vec::Vec;

/// k sliding-window exponentiations that share the table of odd powers.
///
/// Exactly: the table once, and the squarings and products of [`SlidingWindow`] behind it for each exponent; about
/// 2^(w-1) + k (n + n/(w+1)) for k exponents of n bits.
///
/// Memory: 2^(w-1) + k registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeparateWindows(pub WindowBits);

named! {
    SeparateWindows(WindowBits), "separate_windows",
    "[menezes1996handbook] 14.85, once for each exponent",
    "sliding windows for each exponent, over one table of odd powers"
}

impl ShapeProgram for SeparateWindows {
    fn most_registers(&self, bits: &ShapeBits) -> usize {
        powers::registers(self.0) - 1 + bits.count
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        // All tables but one are left out.
        let tables = ExpectedCost::from(powers::table(self.0)) * (1.0 - bits.count as f64);
        bits.classes().into_iter().fold(tables, |cost, (count, bits)| {
            cost + SlidingWindow(self.0).expected(&ExponentShape::of_bits(bits)) * count
        })
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        self.run_telling(exponents, monoid, &mut |_| {})
    }

    fn run_telling<M: Monoid<Digit = usize>>(
        &self,
        exponents: &[Exponent],
        monoid: &mut M,
        tell: &mut dyn FnMut(usize),
    ) -> Vec<Register> {
        powers::fill_odd_powers(monoid, self.0);
        one_by_one(exponents, 1 << (self.0.get() - 1), tell, |exponent, accumulator| {
            let windows = exponent.sliding_windows(self.0.get());
            sliding_window::fold_windows(monoid, accumulator, windows, powers::odd_power, M::mul_power)
        })
    }
}
