//! Interleaved sliding windows: one run of squarings, the odd powers of each base.

use super::descent::{self, Due, Recoded};
use crate::algorithm::shape_program::longest;
use crate::algorithm::{
    ExpectedCost, ExponentShape, IndependentProduct, Monoid, Program, Register, ShapeBits, ShapeProgram, SlidingWindow,
    WindowBits, issue, powers,
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

/// The next window of an exponent, and where its base's odd powers lie.
struct WindowStream<'a> {
    windows: Windows<'a>,
    /// The bit at which the last window ended, and its value; 0 behind the last one.
    position: usize,
    value: usize,
    base: usize,
    /// The register of the third power; the following odd powers are behind it, and then the square.
    cube: usize,
    /// The number of odd powers from the third on.
    powers: usize,
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

impl Recoded for Vec<WindowStream<'_>> {
    fn due(&mut self, bits: Range<usize>, due: &mut Vec<Due>) {
        for stream in self {
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
    fn interleave<'a>(&self, exponents: &'a [Exponent]) -> (Vec<WindowStream<'a>>, usize) {
        let mut free = exponents.len();
        let stream = |(base, exponent): (usize, &'a Exponent)| {
            let w = self.window(exponent.bits());
            let (windows, powers) = (exponent.sliding_windows(w.get()), (1 << (w.get() - 1)) - 1);
            let mut stream = WindowStream { windows, position: exponent.bits(), value: 0, base, cube: free, powers };
            stream.advance();
            free += if powers > 0 { powers + 1 } else { 0 };
            stream
        };
        (exponents.iter().enumerate().map(stream).collect(), free)
    }
}

named! {
    InterleavedWindows(WindowBits), "interleaved_windows",
    "[moeller2001algorithms]",
    "sliding windows over each exponent, over odd powers of each base and one run of squarings"
}

impl ShapeProgram for InterleavedWindows {
    fn registers(&self, exponents: &[Exponent]) -> usize {
        self.interleave(exponents).1 + descent::registers(exponents.len())
    }

    fn most_registers(&self, bits: &ShapeBits) -> usize {
        let table = 1 << (self.window(bits.max_bits).get() - 1);
        bits.count * (1 + table) + descent::registers(bits.count)
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let mut cost = ExpectedCost { multiplications: -1.0, ..Default::default() };
        for (index, (count, bits)) in bits.classes().into_iter().enumerate() {
            let w = self.window(bits);
            let (one, table) = (SlidingWindow(w).expected(&ExponentShape::of_bits(bits)), powers::table(w));
            // The first window of each is no start but a product like the others; the longest gives the squarings.
            cost.squarings += if index == 0 { one.squarings } else { count * table.squarings as f64 };
            cost.multiplications += count * (one.without_base().multiplications + 1.0);
        }
        cost
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        let (streams, free) = self.interleave(exponents);
        let mut round = Vec::new();
        for index in 0..=streams.iter().map(|stream| stream.powers).max().unwrap_or(0) {
            for &WindowStream { base, cube, powers, .. } in streams.iter().filter(|stream| index <= stream.powers) {
                let [out, a, b] = match index {
                    _ if powers == 0 => continue,
                    0 => [cube + powers, base, base],
                    1 => [cube, base, cube + powers],
                    _ => [cube + index - 1, cube + index - 2, cube + powers],
                };
                round.push(IndependentProduct { out: Register(out), a: Register(a), b: Register(b) });
            }
            issue(monoid, &mut round);
        }
        vec![descent::descend(monoid, streams, longest(exponents), exponents.len(), Register(free))]
    }
}
