//! Pippenger's buckets: for each window of the exponents one bucket for each digit.
//!
//! Lemmas: Products.products_multiply_out (proofs/README.md).

use crate::algorithm::buckets::{BucketRounds, BucketRow, BucketWeights, aggregate, expected_top};
use crate::algorithm::fixed_base::GrowingProduct;
use crate::algorithm::real::powf;
use crate::algorithm::shape_program::longest;
use crate::algorithm::{ExpectedCost, Monoid, Register, ShapeBits, ShapeProgram, WindowBits};
use crate::exponent::{Digits, Exponent};
use alloc::vec;
use alloc::vec::Vec;

/// Buckets of windows of w bits.
///
/// From the top window down: A <- A^(2^w); each base goes into the bucket of its digit, B_d <- B_d * g; A <- A times the
/// product over B_d^d, from the suffix products of the buckets.
///
/// Departures: some windows are gathered side by side, each in buckets of its own, before A goes over them; the first
/// product into a bucket is a copy; A starts as the product of the first window that has one.
///
/// Exactly, for a window with I digits that are not 0, in f buckets, the highest of digit t: I - f products into
/// buckets, f - 1 + t - 1 for their product (a squaring among them if the bucket below the highest is empty), and one
/// with A unless it is the first; and one squaring for each position up to the highest window. For k exponents of n bits
/// about n + (n/w) (k (1 - 2^-w) + 2^w - 2).
///
/// Memory: 8 (2^w - 1) registers and one for each base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pippenger(pub WindowBits);

/// Windows that are gathered side by side.
const WINDOWS: usize = 8;

/// Products that wait at most before they are issued.
const WAITING: usize = 4096;

impl Pippenger {
    /// The number of buckets of a window.
    fn buckets(&self) -> usize {
        (1 << self.0.get()) - 1
    }

    /// The positions of all windows up to this length, the highest first.
    fn positions(&self, exponents: &[Exponent]) -> Vec<usize> {
        (0..longest(exponents)).step_by(self.0.width()).rev().collect()
    }

    /// Calls `with` for each base whose digit at this position is not 0, with the bucket of the digit.
    fn each_digit(&self, exponents: &[Exponent], position: usize, mut with: impl FnMut(usize, usize)) {
        for (base, exponent) in exponents.iter().enumerate().filter(|(_, exponent)| position < exponent.bits()) {
            let digit: usize = exponent.digit(position, self.0.get());
            if digit != 0 {
                with(base, digit - 1);
            }
        }
    }

    /// Expected products of one window below the top with `bases` random digits, the one with A included, and those
    /// among them that are squarings.
    fn window(&self, bases: f64) -> (f64, f64) {
        let digits = (1u32 << self.0.get()) as f64;
        let some = 1.0 - powf(digits, -bases);
        // With the digit 0 as a lowest bucket the index of the highest one is its digit.
        let top = expected_top(digits, bases);
        let squarings = powf(1.0 - 1.0 / digits, bases - 1.0) * (1.0 - powf(2.0 / digits, bases));
        (bases * (1.0 - 1.0 / digits) + top - some, squarings)
    }
}

named! {
    Pippenger(WindowBits), "pippenger",
    "[pippenger1980evaluation]",
    "buckets of the bases with the same digit, window after window"
}

impl ShapeProgram for Pippenger {
    fn most_registers(&self, bits: &ShapeBits) -> usize {
        bits.count + self.buckets() * WINDOWS.min(bits.max_bits.div_ceil(self.0.width())) + 1
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let w = self.0.width();
        let shared_bits = bits.shared_bits();
        // The windows below the top one, and those of them that all bases reach.
        let below = (bits.max_bits - 1) / w;
        let shared = below.min(shared_bits.div_ceil(w));
        // The top window may be cut short, and its digits have their top bit set.
        let top_digits = (1u64 << (bits.max_bits - 1 - below * w)) as f64;
        let top_bases = if shared_bits > below * w { bits.count as f64 } else { 1.0 };
        let top_products = top_bases + top_digits + expected_top(top_digits, top_bases) - 2.0;
        let mut cost =
            ExpectedCost { squarings: (w * below) as f64, multiplications: top_products, ..Default::default() };
        for (windows, bases) in [(shared as f64, bits.count as f64), ((below - shared) as f64, 1.0)] {
            let (products, squarings) = self.window(bases);
            cost.squarings += windows * squarings;
            cost.multiplications += windows * (products - squarings);
        }
        cost
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        let positions = self.positions(exponents);
        let buckets = self.buckets();
        let accumulator = Register(self.registers(exponents) - 1);
        let first = exponents.len();
        let mut filled = vec![false; buckets * WINDOWS];
        let mut rounds = BucketRounds::new(first, filled.len());
        let (mut power, mut at) = (GrowingProduct::new(accumulator), 0);
        for windows in positions.chunks(WINDOWS) {
            filled.fill(false);
            let mut waiting = 0;
            for (place, &position) in windows.iter().enumerate() {
                if monoid.halted() {
                    return vec![accumulator];
                }
                self.each_digit(exponents, position, |base, bucket| {
                    let bucket = place * buckets + bucket;
                    if core::mem::replace(&mut filled[bucket], true) {
                        rounds.insert(Register(first + bucket), Register(base));
                        waiting += 1;
                    } else {
                        monoid.copy(Register(first + bucket), Register(base));
                    }
                    if waiting == WAITING {
                        rounds.issue(monoid);
                        waiting = 0;
                    }
                });
            }
            rounds.issue(monoid);
            let row = |place: usize| {
                let buckets = place * buckets..(place + 1) * buckets;
                BucketRow { first: first + buckets.start, filled: &filled[buckets] }
            };
            let rows: Vec<BucketRow<'_>> = (0..windows.len()).map(row).collect();
            for (&position, product) in windows.iter().zip(aggregate(monoid, &rows, BucketWeights::All)) {
                let Some(product) = product else { continue };
                if power.at().is_some() {
                    power.square(at - position, monoid);
                    power.times(product, monoid);
                } else {
                    // The next windows take the register of this product.
                    monoid.copy(accumulator, product);
                    power.times(accumulator, monoid);
                }
                at = position;
            }
        }
        power.square(at, monoid);
        vec![accumulator]
    }
}
