//! Digits in any radix over a table of g^(h^i): Brickell, Gordon, McCurley and Wilson; Algorithm 8 of \[tandrup2004fast\].

use super::buckets::{Buckets, weighted_product};
use super::{FixedBaseProgram, Radix, TableShape};
use crate::algorithm::buckets::expected_top;
use crate::algorithm::{Cost, Counts, ExpectedCost, Monoid, Register};
use crate::exponent::{Exponent, MAX_DIGIT_BITS, base_digits};

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
    /// With digits in this radix.
    ///
    /// # Panics
    /// Unless `radix` is 2 to 2^16.
    pub const fn new(radix: u32) -> Self {
        Self(Radix::new(radix))
    }

    fn radix(&self) -> u32 {
        self.0.get()
    }

    /// The digits, sorted; and how many are not 0.
    fn sorted(&self, exponent_bits: usize, exponent: &Exponent) -> (Buckets, usize) {
        let mut buckets = Buckets::new(self.radix() as usize, self.entries(exponent_bits));
        let mut count = 0;
        for (index, digit) in base_digits(exponent, self.radix()).into_iter().enumerate() {
            if digit > 0 {
                buckets.put(digit as usize, index);
                count += 1;
            }
        }
        (buckets, count)
    }
}

impl FixedBaseProgram for Windowing {
    is_its_parameter!(Radix);

    const NAME: &'static str = "windowing";
    const SOURCE: &'static str = "[brickell1992fast]; [tandrup2004fast] algorithm 8";
    const SUMMARY: &'static str = "digits in radix h over a table of g^(h^i), one running product for all digits";

    /// The fewest digits that hold any number below 2^`exponent_bits`.
    fn entries(&self, exponent_bits: usize) -> usize {
        let radix = self.radix();
        if radix.is_power_of_two() {
            return exponent_bits.div_ceil(radix.ilog2() as usize);
        }
        // bits / log2 h is irrational; what rounding could take is put back.
        (exponent_bits as f64 / f64::from(radix).log2() + 1e-6) as usize + 1
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
        for index in 1..self.entries(exponent_bits) {
            let (mut from, entry, below) = (Register(index - 1), Register(index), Register(index - 1));
            let mut squarings = 0;
            for bit in (0..self.radix().ilog2()).rev() {
                squarings += 1;
                if self.radix() >> bit & 1 == 1 {
                    monoid.sqr_n(entry, from, squarings);
                    monoid.mul(entry, entry, below);
                    (from, squarings) = (entry, 0);
                }
            }
            if squarings > 0 {
                monoid.sqr_n(entry, from, squarings);
            }
        }
    }

    fn expected(&self, &TableShape { exponent_bits, .. }: &TableShape) -> ExpectedCost {
        let radix = f64::from(self.radix());
        let digits = exponent_bits as f64 / radix.log2();
        let not_zero = digits * (1.0 - 1.0 / radix);
        let multiplications = (not_zero - 1.0 + expected_top(radix, digits) - 1.0).max(0.0);
        Cost { multiplications, ..Cost::default() }
    }

    fn exact(&self, exponent_bits: usize, exponent: &Exponent) -> Counts {
        let (buckets, count) = self.sorted(exponent_bits, exponent);
        let top = buckets.top().unwrap_or(1);
        Cost { multiplications: count + top - 2, ..Cost::default() }
    }

    fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
        let (buckets, _) = self.sorted(exponent_bits, exponent);
        let work = self.entries(exponent_bits);
        let top = buckets.top().unwrap_or(1);
        weighted_product(&buckets, top, Register(work), Register(work + 1), monoid).0
    }

    fn candidates(&TableShape { exponent_bits, max_entries }: &TableShape) -> Vec<Self> {
        let radices = (1..=MAX_DIGIT_BITS).map(|bits| Self::new(1 << bits));
        radices.filter(|method| method.entries(exponent_bits) <= max_entries).collect()
    }
}
