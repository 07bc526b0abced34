//! Yao's method: one run of squarings, and for each exponent the buckets of its odd digits.

use super::insertions::{self, BucketProgram};
use crate::algorithm::buckets::{BucketRow, BucketWeights, aggregate, expected_top};
use crate::algorithm::real::powf;
use crate::algorithm::{
    ExpectedCost, ExponentShape, Monoid, Register, ShapeBits, ShapeProgram, SlidingWindow, WindowBits,
};
use crate::exponent::Exponent;
use alloc::vec::Vec;
use core::ops::Range;

/// Right-to-left exponentiation with sliding windows of at most w bits, the squarings shared by all exponents.
///
/// 1. From bit 0 up, with A = g^(2^i): for each exponent whose next window starts at bit i and has the odd value v,
///    B_v <- B_v * A.
/// 2. For each exponent the product over B_v^v from the suffix products of its buckets.
///
/// Departures: the first product into a bucket is a copy; no squaring is done behind the last power that is needed; an
/// exponent that is better served by windows of fewer than w bits takes fewer ([`WindowBits::up_to_best`]).
///
/// Exactly, for an exponent with V windows, f filled buckets and the highest of value 2t + 1: V - f products into
/// buckets and f - 1 + t + \[t > 0\] for the assembly, one of them (two if the bucket below the highest is empty) a
/// squaring; and once for all the squarings up to the start of the highest window. For k exponents of n bits about
/// n + k (n/(w+1) + 2^(w-1)).
///
/// Expected: V as for [`SlidingWindow`] (both find the least number of windows that cover all ones), their values
/// uniform among the 2^(w-1) odd ones. The top one bit stands at place o of the highest window with probability 2/(w+1)
/// for o = 0 and 1/(w+1) for o < w, which the squarings are less than n - 1 by.
///
/// Memory: 2^(w-1) registers for each exponent, and up to 256 powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedSquarings(pub WindowBits);

impl SharedSquarings {
    /// The window of an exponent of this length.
    fn window(&self, exponent_bits: usize) -> WindowBits {
        self.0.up_to_best(exponent_bits)
    }

    /// The first bucket of each exponent and their number.
    fn rows(&self, exponents: &[Exponent]) -> impl Iterator<Item = (usize, usize)> {
        exponents.iter().scan(0, |first, exponent| {
            let buckets = 1 << (self.window(exponent.bits()).get() - 1);
            *first += buckets;
            Some((*first - buckets, buckets))
        })
    }
}

impl BucketProgram for SharedSquarings {
    fn most_buckets(&self, bits: &ShapeBits) -> usize {
        bits.count << (self.window(bits.max_bits).get() - 1)
    }

    fn buckets(&self, exponents: &[Exponent]) -> usize {
        self.rows(exponents).last().map_or(0, |(first, buckets)| first + buckets)
    }

    fn columns<'a>(&self, exponents: &'a [Exponent]) -> impl FnMut(Range<usize>, &mut dyn FnMut(usize, usize)) {
        // The windows of each exponent, and its first bucket.
        let stream = |(exponent, (first_bucket, _)): (&'a Exponent, (usize, usize))| {
            (exponent.low_windows(self.window(exponent.bits()).get()).peekable(), first_bucket)
        };
        let mut streams: Vec<_> = exponents.iter().zip(self.rows(exponents)).map(stream).collect();
        move |bits, insert| {
            for (windows, first_bucket) in &mut streams {
                while let Some((bit, value)) = windows.next_if(|&(bit, _)| bit < bits.end) {
                    insert(bit, *first_bucket + (value >> 1));
                }
            }
        }
    }

    fn assemble<M: Monoid>(&self, exponents: &[Exponent], filled: &[bool], monoid: &mut M) -> Vec<Register> {
        let row =
            |(first, buckets): (usize, usize)| BucketRow { first: 1 + first, filled: &filled[first..first + buckets] };
        let rows: Vec<_> = self.rows(exponents).map(row).collect();
        let powers = aggregate(monoid, &rows, BucketWeights::Odd);
        powers.into_iter().map(|power| power.expect("an exponent of at least 1 has a window")).collect()
    }
}

named! {
    SharedSquarings(WindowBits), "shared_squarings",
    "[yao1976evaluation]; [brickell1992fast]; [knuth1997seminumerical] 4.6.3",
    "one run of squarings for all exponents, from the right, and buckets of odd digits for each"
}

impl ShapeProgram for SharedSquarings {
    fn registers(&self, exponents: &[Exponent]) -> usize {
        insertions::registers(&ShapeBits::of(exponents), self.buckets(exponents))
    }

    fn most_registers(&self, bits: &ShapeBits) -> usize {
        insertions::registers(bits, self.most_buckets(bits))
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let longest = if bits.is_equal() { bits.count } else { 1 };
        let w = self.window(bits.max_bits).width();
        let unneeded = |place: usize| powf((w - place) as f64 / (w + 1) as f64, longest as f64);
        let squarings = (bits.max_bits as f64 - 1.0 - (1..w).map(unneeded).sum::<f64>()).max(0.0);
        let mut cost = ExpectedCost { squarings, ..Default::default() };
        for (count, bits) in bits.classes() {
            let w = self.window(bits);
            let buckets = (1u32 << (w.get() - 1)) as f64;
            let windows = SlidingWindow(w).expected_windows(&ExponentShape::of_bits(bits)).0 + 1.0;
            // Together the first products of buckets and the suffix products cancel, but for one.
            let top = expected_top(buckets, windows);
            let several = 1.0 - powf(1.0 / buckets, windows);
            let empty = powf(1.0 - 1.0 / buckets, windows - 1.0) * several;
            cost.squarings += count * (several + empty);
            cost.multiplications += count * (windows - 1.0 + top - empty);
        }
        cost
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        insertions::run(self, exponents, monoid)
    }
}
