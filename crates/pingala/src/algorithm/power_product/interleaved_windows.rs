//! Interleaved sliding windows: one run of squarings, the odd powers of each base.

use super::descent::{self, Due, Recoded};
use crate::algorithm::{
    Cost, Counts, ExpectedCost, ExponentShape, IndependentProduct, Monoid, Program, Register, ShapeBits, ShapeProgram,
    SlidingWindow, WindowBits, powers,
};
use crate::exponent::{Exponent, Windows};
use core::ops::Range;

/// Sliding windows of at most w bits over each exponent, their products interleaved into one run of squarings.
///
/// 1. For each base g precompute g^2 and the odd powers g^3, g^5, ..., g^(2^w - 1).
/// 2. From the top bit of the longest exponent down: A <- A^2; for each exponent with a window of value v that ends at
///    this bit, A <- A * g^v.
///
/// Departures: an exponent that is better served by windows of fewer than w bits takes fewer
/// ([`WindowBits::up_to_best`]); A starts as the first factor; the factors of one bit are multiplied in pairs.
///
/// Exactly, with V windows in all, the highest of which ends at bit b: b squarings and V - 1 products, and for each base
/// one squaring and 2^(w-1) - 1 products for w > 1. For k exponents of n bits about n + k (n/(w+1) + 2^(w-1)): the
/// transpose of `shared_squarings`.
///
/// Memory: 2^(w-1) registers and one for each base, and some hundreds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterleavedWindows(pub WindowBits);

/// The next window of each exponent, and where its base's odd powers lie.
struct Interleaved<'a> {
    streams: Vec<WindowStream<'a>>,
}

struct WindowStream<'a> {
    windows: Windows<'a>,
    /// The bit at which the last window ended, and its value; 0 behind the last one.
    position: usize,
    value: usize,
    base: usize,
    /// The register of the third power; the following odd powers are behind it.
    cube: usize,
}

impl WindowStream<'_> {
    fn advance(&mut self) {
        self.value = 0;
        if let Some(window) = self.windows.next() {
            self.position -= window.squarings();
            self.value = window.value;
        }
    }
}

impl Recoded for Interleaved<'_> {
    fn due(&mut self, bits: Range<usize>, due: &mut Vec<Due>) {
        for stream in &mut self.streams {
            while stream.value != 0 && stream.position >= bits.start {
                let factor = if stream.value == 1 { stream.base } else { stream.cube + (stream.value >> 1) - 1 };
                due.push(Due { bit: stream.position, factor: Register(factor) });
                stream.advance();
            }
        }
    }
}

impl InterleavedWindows {
    /// The window of an exponent of this length.
    fn window(&self, exponent_bits: usize) -> WindowBits {
        self.0.up_to_best(exponent_bits)
    }

    /// The recoded exponents, and the first register behind the tables.
    fn interleave<'a>(&self, exponents: &'a [Exponent]) -> (Interleaved<'a>, usize) {
        let mut free = exponents.len();
        let stream = |(base, exponent): (usize, &'a Exponent)| {
            let w = self.window(exponent.bits());
            let windows = exponent.sliding_windows(w.get());
            let mut stream = WindowStream { windows, position: exponent.bits(), value: 0, base, cube: free };
            stream.advance();
            // The odd powers from the third on, and the square.
            free += if w.get() > 1 { 1 << (w.get() - 1) } else { 0 };
            stream
        };
        let streams = exponents.iter().enumerate().map(stream).collect();
        (Interleaved { streams }, free)
    }
}

impl ShapeProgram for InterleavedWindows {
    is_its_parameter!(WindowBits);

    const NAME: &'static str = "interleaved_windows";
    const SOURCE: &'static str = "[moeller2001algorithms]";
    const SUMMARY: &'static str =
        "sliding windows over each exponent, over odd powers of each base and one run of squarings";

    fn registers(&self, exponents: &[Exponent]) -> usize {
        self.interleave(exponents).1 + descent::registers(exponents.len())
    }

    fn most_registers(&self, bits: &ShapeBits) -> usize {
        let table = 1 << (self.window(bits.max_bits).get() - 1);
        bits.count * (1 + table) + descent::registers(bits.count)
    }

    fn exact(&self, exponents: &[Exponent]) -> Counts {
        let max_bits = exponents.iter().map(Exponent::bits).max().unwrap_or(0);
        let run = descent::exact(self.interleave(exponents).0, max_bits, exponents.len());
        exponents.iter().fold(run, |counts, exponent| {
            let table = powers::table(self.window(exponent.bits()));
            let multiplications = counts.multiplications + table.multiplications + table.base_multiplications;
            Cost { squarings: counts.squarings + table.squarings, multiplications, ..counts }
        })
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let mut cost = ExpectedCost { multiplications: -1.0, ..Default::default() };
        for (index, (count, bits)) in bits.classes().into_iter().enumerate() {
            let w = self.window(bits);
            let (one, table) = (SlidingWindow(w).expected(&ExponentShape::of_bits(bits)), powers::table(w));
            // The first window of each is no start but a product like the others; the longest gives the squarings.
            cost.squarings += if index == 0 { one.squarings } else { count * table.squarings as f64 };
            cost.multiplications += count * (one.multiplications + one.base_multiplications + 1.0);
        }
        cost
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        let (interleaved, free) = self.interleave(exponents);
        // The square of base i stands behind its odd powers.
        let tables: Vec<(usize, usize, usize)> = interleaved
            .streams
            .iter()
            .zip(exponents)
            .map(|(stream, exponent)| (stream.base, stream.cube, (1 << (self.window(exponent.bits()).get() - 1)) - 1))
            .filter(|&(_, _, powers)| powers > 0)
            .collect();
        let longest = tables.iter().map(|&(_, _, powers)| powers).max().unwrap_or(0);
        let square = |&(base, cube, powers): &(usize, usize, usize)| IndependentProduct {
            out: Register(cube + powers),
            a: Register(base),
            b: Register(base),
        };
        let mut round: Vec<IndependentProduct> = tables.iter().map(square).collect();
        if !round.is_empty() {
            monoid.mul_each(&round);
        }
        for index in 0..longest {
            round.clear();
            round.extend(tables.iter().filter(|&&(_, _, powers)| index < powers).map(|&(base, cube, powers)| {
                IndependentProduct {
                    out: Register(cube + index),
                    a: Register(if index == 0 { base } else { cube + index - 1 }),
                    b: Register(cube + powers),
                }
            }));
            monoid.mul_each(&round);
        }
        let max_bits = exponents.iter().map(Exponent::bits).max().unwrap_or(0);
        vec![descent::descend(monoid, interleaved, max_bits, exponents.len(), Register(free))]
    }
}
