//! One sliding-window exponentiation for each exponent, over one table.

use super::one_by_one;
use crate::algorithm::{
    Cost, Counts, ExpectedCost, ExponentShape, Monoid, Program, Register, ShapeBits, ShapeProgram, SlidingWindow,
    WindowBits, powers, sliding_window,
};
use crate::exponent::Exponent;

/// k sliding-window exponentiations that share the table of odd powers.
///
/// Exactly: the table once, and the squarings and products of [`SlidingWindow`] behind it for each exponent; about
/// 2^(w-1) + k (n + n/(w+1)) for k exponents of n bits.
///
/// Memory: 2^(w-1) + k registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeparateWindows(pub WindowBits);

impl ShapeProgram for SeparateWindows {
    is_its_parameter!(WindowBits);

    const NAME: &'static str = "separate_windows";
    const SOURCE: &'static str = "[menezes1996handbook] 14.85, once for each exponent";
    const SUMMARY: &'static str = "sliding windows for each exponent, over one table of odd powers";

    fn registers(&self, exponents: &[Exponent]) -> usize {
        // The first accumulator takes the place of g^2.
        powers::registers(self.0) - 1 + exponents.len()
    }

    fn most_registers(&self, bits: &ShapeBits) -> usize {
        powers::registers(self.0) - 1 + bits.count
    }

    fn exact(&self, exponents: &[Exponent]) -> Counts {
        let window = self.0.get();
        exponents.iter().fold(powers::table(self.0), |counts, exponent| {
            counts + powers::exact_behind_table(exponent.bits(), exponent.sliding_windows(window))
        })
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let table = ExpectedCost::from(powers::table(self.0));
        bits.classes().into_iter().fold(table, |cost, (count, bits)| {
            let one = SlidingWindow(self.0).expected(&ExponentShape::of_bits(bits));
            Cost {
                squarings: cost.squarings + count * (one.squarings - table.squarings),
                multiplications: cost.multiplications + count * (one.multiplications - table.multiplications),
                base_multiplications: cost.base_multiplications
                    + count * (one.base_multiplications - table.base_multiplications),
                selections: 0.0,
            }
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
            sliding_window::fold_odd_windows(monoid, accumulator, exponent.sliding_windows(self.0.get()))
        })
    }
}
