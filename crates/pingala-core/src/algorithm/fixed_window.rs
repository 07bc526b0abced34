//! Fixed windows with selection: the 2^w-ary method as constant-time libraries run it, HAC 14.82 without its branches.
//!
//! Lemmas: Programs.fixed_window_raises (proofs/README.md).

use super::{BASE, Cost, Counts, ExpectedCost, ExponentShape, Monoid, Program, Register, WindowBits};
use crate::exponent::{Digits, Exponent, MAX_DIGIT_BITS, fixed_digits};

/// Left-to-right exponentiation by digits of w bits, the table entry being selected and multiplied for every digit,
/// zero digits included. The operations depend on the declared length only: constant time in a monoid whose operations
/// are, and different exponents side by side in lanes.
///
/// 1. Precompute g^0 = 1, g, g^2, ..., g^(2^w - 1): the even ones as squares.
/// 2. A <- the entry of the top digit, which may be 0.
/// 3. For each further digit: A <- A^(2^w), then A <- A * entry.
///
/// An exponent of 0, and a declared length of 0, give 1.
///
/// Exactly and expected, with d = max(1, ceil(bits/w)): w (d-1) + 2^(w-1) - 1 squarings, d - 1 products, 2^(w-1) - 1 products by
/// the base, d selections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedWindow(pub WindowBits);

impl FixedWindow {
    fn counts(&self, exponent_bits: usize) -> Counts {
        let further = exponent_bits.div_ceil(self.0.width()).max(1) - 1;
        Cost {
            squarings: self.0.width() * further + self.table_length() / 2 - 1,
            multiplications: further,
            base_multiplications: self.table_length() / 2 - 1,
            selections: further + 1,
        }
    }
}

named! {
    FixedWindow(WindowBits), "fixed_window",
    "[menezes1996handbook] 14.82, every digit multiplied; [gueron2012efficient]",
    "one selected table entry per digit of w bits, zero digits included", Uniform
}

impl Program for FixedWindow {
    /// A scan reads the whole table: the longer the exponent, the further below the fewest products the cheapest window is.
    const SMALLER: usize = MAX_DIGIT_BITS as usize;

    fn registers(&self, _exponent_bits: usize) -> usize {
        self.table_length() + 3
    }

    #[inline]
    fn table_length(&self) -> usize {
        1 << self.0.get()
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        self.counts(shape.bits).into()
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        self.run_uniform(exponent, monoid).expect("a uniform program")
    }

    #[inline]
    fn run_uniform<M: Monoid + ?Sized, E: Digits<M::Digit>>(&self, exponent: &E, monoid: &mut M) -> Option<Register> {
        let (w, length) = (self.0.get(), self.table_length());
        let (table, accumulator, entry) = (Register(1), Register(length + 1), Register(length + 2));
        monoid.one(table);
        monoid.copy(Register(2), BASE);
        for value in 2..length {
            let (out, half, below) = (table.0 + value, table.0 + value / 2, table.0 + value - 1);
            if value % 2 == 0 {
                monoid.sqr_n(Register(out), Register(half), 1);
            } else {
                monoid.mul_base(Register(out), Register(below));
            }
        }
        monoid.tabulated(table, length);
        let mut digits = fixed_digits(exponent, w);
        if let Some(top) = digits.next() {
            monoid.select(accumulator, table, length, top);
        }
        for digit in digits {
            monoid.sqr_n(accumulator, accumulator, w as usize);
            monoid.select(entry, table, length, digit);
            monoid.mul(accumulator, accumulator, entry);
        }
        Some(accumulator)
    }
}
