//! Interleaved sliding windows: one run of squarings, the odd powers of each base.
//!
//! Lemmas: Recoding.dues_multiply_out, Products.products_multiply_out (proofs/README.md).

use super::descent::{self, Due};
use crate::algorithm::program::issue;
use crate::algorithm::shape_program::longest;
use crate::algorithm::{
    ExpectedCost, ExponentShape, IndependentProduct, Monoid, Program, Register, ShapeBits, ShapeProgram, SlidingWindow,
    WindowBits, powers,
};
use crate::exponent::{Exponent, Window};
use alloc::vec;
use alloc::vec::Vec;
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

/// Where the odd powers of a base lie.
struct OddPowers {
    base: usize,
    /// The register of the third power; the following odd powers are behind it, and then the square.
    cube: usize,
    /// The number of odd powers from the third on.
    count: usize,
}

impl OddPowers {
    fn register(&self, value: usize) -> Register {
        Register(if value == 1 { self.base } else { self.cube + (value >> 1) - 1 })
    }
}

impl InterleavedWindows {
    /// The window of an exponent of this length.
    fn window(&self, exponent_bits: usize) -> WindowBits {
        self.0.up_to_best(exponent_bits)
    }

    /// The tables of the bases, and the first register behind them.
    fn tables(&self, exponents: &[Exponent]) -> (Vec<OddPowers>, usize) {
        let mut free = exponents.len();
        let table = |(base, exponent): (usize, &Exponent)| {
            let table = OddPowers { base, cube: free, count: (1 << (self.window(exponent.bits()).get() - 1)) - 1 };
            free += if table.count > 0 { table.count + 1 } else { 0 };
            table
        };
        (exponents.iter().enumerate().map(table).collect(), free)
    }
}

named! {
    InterleavedWindows(WindowBits), "interleaved_windows",
    "[moeller2001algorithms]",
    "sliding windows over each exponent, over odd powers of each base and one run of squarings"
}

impl ShapeProgram for InterleavedWindows {
    fn registers(&self, exponents: &[Exponent]) -> usize {
        self.tables(exponents).1 + descent::registers(exponents.len())
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
        let (tables, free) = self.tables(exponents);
        let mut round = Vec::new();
        for index in 0..=tables.iter().map(|table| table.count).max().unwrap_or(0) {
            for &OddPowers { base, cube, count } in tables.iter().filter(|table| index <= table.count) {
                let [out, a, b] = match index {
                    _ if count == 0 => continue,
                    0 => [cube + count, base, base],
                    1 => [cube, base, cube + count],
                    _ => [cube + index - 1, cube + index - 2, cube + count],
                };
                round.push(IndependentProduct { out: Register(out), a: Register(a), b: Register(b) });
            }
            issue(monoid, &mut round);
        }
        let factors = tables.iter().map(|table| {
            let (exponent, mut bit) = (&exponents[table.base], exponents[table.base].bits());
            let due = move |window: Window| {
                bit -= window.squarings();
                (window.value > 0).then(|| Due { bit, factor: table.register(window.value) })
            };
            exponent.sliding_windows(self.window(bit).get()).filter_map(due).peekable()
        });
        let mut streams: Vec<_> = factors.collect();
        let recoded = |bits: Range<usize>, due: &mut Vec<Due>| {
            for stream in &mut streams {
                due.extend(core::iter::from_fn(|| stream.next_if(|next| next.bit >= bits.start)));
            }
        };
        vec![descent::descend(monoid, recoded, longest(exponents), exponents.len(), Register(free))]
    }
}
