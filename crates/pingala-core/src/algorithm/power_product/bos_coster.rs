//! The method of Bos and Coster, with de Rooij's division: a vector addition chain from Euclid's algorithm.
//!
//! Lemmas: Products.products_multiply_out (proofs/README.md).

use crate::algorithm::fixed_base::{GrowingProduct, product_by_division};
use crate::algorithm::real::log2;
use crate::algorithm::shape_program::longest;
use crate::algorithm::{
    Divisions, ExpectedCost, ExponentShape, Monoid, Program, Register, ShapeBits, ShapeProgram, SlidingWindow,
    WindowBits, sliding_window,
};
use crate::exponent::{Euclid, Exponent};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// While two exponents are left, with e the largest, of base g, and f the second largest, of base h:
/// h <- h * g^q and e <- e - q f for q = floor(e/f), because g^e h^f = g^(e - q f) (h g^q)^f. At last one power.
///
/// Departures: exponents of more than 16384 bits (fewer for more than 32768 of them) are cut into segments, each worked
/// off by itself and the results put together by squarings, so that the work on the exponents is not quadratic in their
/// length; g^q is taken by sliding windows.
///
/// Exactly: one product for each step and the powers g^q, as the exponents have it. q is 1 for most steps among many
/// random exponents; for two of them this is Euclid's algorithm.
///
/// Expected: for k random exponents of n bits k n/b + a k products, where b, the bits that a product takes off, grows with
/// log2 k, and a = max(0, 0.62 - 0.04 log2 k) is what the ends cost. Fitted to counts of random exponents, n = 64 to 16384
/// and k a power of 2 up to 65536 with k n <= 2^24: b and the squarings per bit are the means for the largest n
/// (interpolated for k > 1024), and between powers of 2 they are interpolated in log2 k. Within 1% of those counts for
/// n >= 128, within 3% for n = 64 up to k = 16384, and 6% low for k = 65536.
///
/// Memory: two registers for each base, and the table of the sliding window. The steps depend on each other: nothing is
/// independent here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BosCoster;

/// The longest segment, in limbs, and how many limbs all exponents may have together before segments get shorter.
const SEGMENT_LIMBS: usize = 256;
const TOTAL_LIMBS: usize = 1 << 23;

/// Bits of all exponents that one product takes off, for k = 2, 4, 8, ...
const BITS_PER_PRODUCT: [f64; 17] = [
    1.238, 2.029, 2.839, 3.581, 4.306, 5.057, 5.835, 6.640, 7.467, 8.309, 9.168, 10.03, 10.92, 11.80, 12.69, 13.57,
    14.46,
];

/// Squarings for each bit of the exponents, for the same k; they are those of quotients above 1.
const SQUARINGS_PER_BIT: [f64; 6] = [0.741, 0.439, 0.186, 0.041, 0.003, 0.0];

/// The value of a table that starts at log2 k = 1, linear between its entries, the last one behind them.
fn interpolate(table: &[f64], log_k: f64) -> f64 {
    let place = (log_k - 1.0).min((table.len() - 1) as f64);
    let below = (place as usize).min(table.len() - 2);
    table[below] + (place - below as f64) * (table[below + 1] - table[below])
}

/// A single exponent is never reduced: it is one segment.
fn segment_limbs(count: usize, max_bits: usize) -> usize {
    let most = if count == 1 { usize::MAX } else { (TOTAL_LIMBS / count).clamp(16, SEGMENT_LIMBS) };
    most.min(max_bits.div_ceil(64))
}

/// The limbs of the segments, the highest first.
fn segments(exponents: &[Exponent]) -> impl Iterator<Item = Range<usize>> + use<> {
    let max_bits = longest(exponents);
    let limbs = segment_limbs(exponents.len(), max_bits);
    (0..max_bits.div_ceil(64 * limbs)).rev().map(move |index| index * limbs..(index + 1) * limbs)
}

/// The window of a power by an exponent of this length.
fn window(exponent_bits: usize) -> WindowBits {
    WindowBits::new(8).up_to_best(exponent_bits)
}

/// The power of the element in `base` by sliding windows, in the registers from `free` on: the accumulator, which first
/// is the square, and the odd powers from the third on.
fn raise<M: Monoid>(monoid: &mut M, base: Register, exponent: &Exponent, free: usize) -> Register {
    let w = window(exponent.bits());
    let accumulator = Register(free);
    let odd = |value: usize| if value == 1 { base } else { Register(free + (value >> 1)) };
    if w.get() > 1 {
        monoid.sqr_n(accumulator, base, 1);
        for value in (3..1 << w.get()).step_by(2) {
            monoid.mul(odd(value), odd(value - 2), accumulator);
        }
    }
    sliding_window::fold_windows(monoid, accumulator, exponent.sliding_windows(w.get()), odd, M::mul)
}

named! {
    BosCoster, "bos_coster",
    "[bos1990addition]; [derooij1994efficient]",
    "the largest exponent reduced by the second largest, whose base takes in the other's"
}

impl ShapeProgram for BosCoster {
    fn most_registers(&self, bits: &ShapeBits) -> usize {
        // The bases, their running products, the result of the segments, an accumulator and odd powers.
        let segment_bits = bits.max_bits.min(64 * segment_limbs(bits.count, bits.max_bits));
        2 * bits.count + 1 + (1 << (window(segment_bits).get() - 1))
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let one = |bits: usize| SlidingWindow(window(bits)).expected(&ExponentShape::of_bits(bits)).without_base();
        if bits.count == 1 {
            return one(bits.max_bits);
        }
        let shared_bits = bits.shared_bits();
        // The longest is brought down to the others by a power with a quotient whose bits are the difference of the lengths.
        let alone = bits.max_bits - shared_bits;
        let mut cost = if alone > 0 { one(alone) } else { ExpectedCost::default() };
        let segment_bits = 64 * segment_limbs(bits.count, bits.max_bits);
        let (segments, shared) = (bits.max_bits.div_ceil(segment_bits), shared_bits.div_ceil(segment_bits));
        let (k, log_k) = (bits.count as f64, log2(bits.count as f64));
        let ends = (0.62 - 0.04 * log_k).max(0.0) * k * shared as f64;
        let products = k * shared_bits as f64 / interpolate(&BITS_PER_PRODUCT, log_k) + ends;
        let squarings = shared_bits as f64 * interpolate(&SQUARINGS_PER_BIT, log_k);
        cost.squarings += squarings + ((segments - 1) * segment_bits) as f64;
        cost.multiplications += products - squarings + (segments - 1) as f64;
        cost
    }

    /// One for each product, but for those of the few quotients above 1.
    fn divisions(&self, bits: &ShapeBits) -> Divisions {
        let limbs = segment_limbs(bits.count, bits.max_bits);
        Divisions { count: self.expected(bits).multiplications, integers: bits.count, limbs }
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        let count = exponents.len();
        let mut numbers = Euclid::new(count, segment_limbs(count, longest(exponents)));
        let (result, free) = (Register(2 * count), 2 * count + 1);
        let mut product = GrowingProduct::new(result);
        for segment in segments(exponents) {
            if monoid.halted() {
                return vec![result];
            }
            product.square(64 * segment.len(), monoid);
            numbers.load(exponents, segment);
            let raise = |monoid: &mut M, base, exponent: &Exponent| raise(monoid, base, exponent, free);
            if let Some(power) = product_by_division(&mut numbers, count, monoid, raise) {
                product.times(power, monoid);
            }
        }
        vec![product.at().expect("exponents are at least 1")]
    }
}
