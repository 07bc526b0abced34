//! Every combination of w adjacent bits: the more elaborate table that \[multiexp\] names, four for every two bits.

use super::{FixedBaseProgram, Rounds, TableShape};
use crate::algorithm::real::powi;
use crate::algorithm::{Cost, Counts, ExpectedCost, Monoid, Register, WindowBits};
use crate::exponent::{Digits, Exponent};

/// A table of g^(u 2^(w i)) for every digit i of w bits and every value u >= 1: a power is the product of one entry for each
/// digit that is not 0. With w = 2 these are the combinations of every two bits.
///
/// Exactly, with k digits that are not 0: k - 1 products. Expected: the sum over the digits of 1 - 2^-width, less 1.
///
/// Building: in each digit the even values by a squaring, the odd ones by a product by the digit's first entry; the next
/// digit starts with the square of the value 2^(w-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitCombinations(pub WindowBits);

impl BitCombinations {
    /// Values of a digit, 0 left out.
    fn values(&self) -> usize {
        (1 << self.0.get()) - 1
    }

    fn whole_digits(&self, exponent_bits: usize) -> usize {
        exponent_bits / self.0.width()
    }

    /// Bits of the top digit, if it is shorter than the others.
    fn top_bits(&self, exponent_bits: usize) -> usize {
        exponent_bits % self.0.width()
    }
}

named! {
    BitCombinations(WindowBits), "bit_combinations",
    "[multiexp] (w = 2); [brickell1992fast] section 4",
    "every value of every digit of w bits, one product for each digit"
}

impl FixedBaseProgram for BitCombinations {
    fn entries(&self, exponent_bits: usize) -> usize {
        let top = (1 << self.top_bits(exponent_bits)) - 1;
        self.whole_digits(exponent_bits).saturating_mul(self.values()).saturating_add(top)
    }

    fn entry_exponent(&self, _exponent_bits: usize, index: usize) -> Exponent {
        let (digit, value) = (index / self.values(), index % self.values() + 1);
        let bits = (0..self.0.width()).filter(|bit| value >> bit & 1 == 1);
        Exponent::of_bits(bits.map(|bit| digit * self.0.width() + bit))
    }

    fn build_cost(&self, exponent_bits: usize) -> Counts {
        // A digit of b bits: 2^(b-1) - 1 even values, 2^(b-1) - 1 odd ones above 1; its first entry is a square but for g.
        let digit = |bits: usize| if bits > 0 { (1 << (bits - 1)) - 1 } else { 0 };
        let whole = self.whole_digits(exponent_bits);
        let inside = whole * digit(self.0.width()) + digit(self.top_bits(exponent_bits));
        let firsts = exponent_bits.div_ceil(self.0.width()) - 1;
        Cost { squarings: inside + firsts, multiplications: inside, ..Cost::default() }
    }

    fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
        for index in 1..self.entries(exponent_bits) {
            let (digit, value) = (index / self.values(), index % self.values() + 1);
            let first = digit * self.values();
            let entry = |value: usize| Register(first + value - 1);
            if value == 1 {
                // The entry of 2^(w-1) in the digit below.
                monoid.sqr_n(Register(index), Register(first - self.values() + self.values() / 2), 1);
            } else if value % 2 == 0 {
                monoid.sqr_n(Register(index), entry(value / 2), 1);
            } else {
                monoid.mul(Register(index), entry(value - 1), entry(1));
            }
        }
    }

    fn expected(&self, &TableShape { exponent_bits, .. }: &TableShape) -> ExpectedCost {
        let not_zero = |bits: usize| 1.0 - powi(0.5, bits as i32);
        let whole = self.whole_digits(exponent_bits) as f64;
        let digits = whole * not_zero(self.0.width()) + not_zero(self.top_bits(exponent_bits));
        Cost { multiplications: (digits - 1.0).max(0.0), ..Cost::default() }
    }

    /// The digits from the lowest on, all in one round.
    fn rounds(&self, exponent_bits: usize, exponent: &Exponent) -> Option<Rounds> {
        let digits = exponent_bits.div_ceil(self.0.width());
        let step = |digit: usize| {
            let value = exponent.digit(digit * self.0.width(), self.0.get());
            (value > 0).then(|| Register(digit * self.values() + value - 1))
        };
        Some(Rounds { per_round: digits, steps: (0..digits).map(step).collect() })
    }

    /// One step for each digit, all in one round.
    fn rounds_cost(&self, exponent_bits: usize) -> Option<Counts> {
        let digits = exponent_bits.div_ceil(self.0.width());
        Some(Cost { multiplications: digits - 1, selections: digits, ..Cost::default() })
    }
}
