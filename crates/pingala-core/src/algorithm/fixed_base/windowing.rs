//! Digits in any radix over a table of g^(h^i): Brickell, Gordon, McCurley and Wilson; Algorithm 8 of \[tandrup2004fast\].

use super::buckets::{Buckets, weighted_product};
use super::{FixedBaseProgram, Radix, TableShape};
use crate::algorithm::buckets::expected_top;
use crate::algorithm::powers::raise;
use crate::algorithm::real::log2;
use crate::algorithm::{Cost, Counts, ExpectedCost, Monoid, Register};
use crate::exponent::{Exponent, base_digits};

/// The windowing method: with e = sum of e_i h^i, the power is the product over the digits j of
/// (product of g^(h^i) where e_i = j)^j.
///
/// 1. B <- 1, A <- 1.
/// 2. For j from h - 1 down to 1: B <- B * g^(h^i) for each i with e_i = j; A <- A * B.
///
/// Departures: both start at the highest digit that occurs, so that nothing multiplies 1; the indices are sorted by digit
/// first.
///
/// Exactly, with k digits that are not 0 and d the highest one: k + d - 2 products. Expected, with t digits in all:
/// t (1 - 1/h) - 1 + E\[d\] - 1, where d is near h - 1 unless the digits are few.
///
/// Building: each entry from the one before by h's binary digits, floor(log2 h) squarings and one product for each one bit
/// of h below its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windowing(pub Radix);

impl Windowing {
    fn radix(&self) -> u32 {
        self.0.get()
    }
}

named! {
    Windowing(Radix), "windowing",
    "[brickell1992fast]; [tandrup2004fast] algorithm 8",
    "digits in radix h over a table of g^(h^i), one running product for all digits"
}

impl FixedBaseProgram for Windowing {
    /// The fewest digits that hold any number below 2^`exponent_bits`.
    fn entries(&self, exponent_bits: usize) -> usize {
        let radix = self.radix();
        if radix.is_power_of_two() {
            return exponent_bits.div_ceil(radix.ilog2() as usize);
        }
        // bits / log2 h is irrational; what rounding could take is put back.
        (exponent_bits as f64 / log2(f64::from(radix)) + 1e-6) as usize + 1
    }

    fn work_registers(&self, _exponent_bits: usize) -> usize {
        2
    }

    fn entry_exponent(&self, _exponent_bits: usize, index: usize) -> Exponent {
        Exponent::power_of(self.radix(), index)
    }

    fn build_cost(&self, exponent_bits: usize) -> Counts {
        let steps = self.entries(exponent_bits) - 1;
        Cost {
            squarings: steps * self.radix().ilog2() as usize,
            multiplications: steps * (self.radix().count_ones() as usize - 1),
            ..Cost::default()
        }
    }

    fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
        let radix = Exponent::power_of(self.radix(), 1);
        for index in 1..self.entries(exponent_bits) {
            raise(&radix, Register(index), Register(index - 1), monoid);
        }
    }

    fn expected(&self, &TableShape { exponent_bits, .. }: &TableShape) -> ExpectedCost {
        let radix = f64::from(self.radix());
        let digits = exponent_bits as f64 / log2(radix);
        let not_zero = digits * (1.0 - 1.0 / radix);
        let multiplications = (not_zero - 1.0 + expected_top(radix, digits) - 1.0).max(0.0);
        Cost { multiplications, ..Cost::default() }
    }

    fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
        let mut buckets = Buckets::new(self.radix() as usize, self.entries(exponent_bits));
        let digits = base_digits(exponent, self.radix()).into_iter().enumerate();
        digits.filter(|&(_, digit)| digit > 0).for_each(|(index, digit)| buckets.put(digit as usize, index));
        let work = self.entries(exponent_bits);
        let top = buckets.top().unwrap_or(1);
        weighted_product(&buckets, top, Register(work), Register(work + 1), monoid).0
    }
}
