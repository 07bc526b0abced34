//! The vector operations that the product is written over.
//!
//! Lemmas: Exact.nearest_halves, Exact.nearest_halves_of_two, Exact.fma_lanes_rounds_to_nearest (proofs/README.md).

use super::product::{FmaOperands, FullRows};
use core::cell::Cell;
use core::fmt::Debug;

/// Numbers side by side.
pub(super) const LANES: usize = 4;

/// Columns of a block. Nine sums, two operands of rows, two constants, two temporaries and a carry take 16 registers.
pub(super) const WIDTH: usize = 8;

pub(super) const RADIX_BITS: usize = 51;

/// b - 1.
pub(super) const LOW: u64 = (1 << RADIX_BITS) - 1;

/// C1 = 2^103; the bits of a high half are those of C1, plus the half.
pub(super) const C1: f64 = (1u128 << 103) as f64;

/// C2 = 2^103 + 1.5 2^52 = (2^52 + 3) 2^51: 53 bits, as the radix is 51 and not 52.
pub(super) const C2: f64 = C1 + (3u64 << 51) as f64;

/// The bits of C1.
pub(super) const HIGH_BIAS: u64 = C1.to_bits();

/// The bits of 1.5 2^52; the bits of a low half are these, plus the half.
pub(super) const LOW_BIAS: u64 = ((3u64 << 51) as f64).to_bits();

/// 2^52: its bits plus an integer below 2^52 are the bits of 2^52 plus the integer.
pub(super) const DIGIT_BIAS: f64 = (1u64 << 52) as f64;

/// A limb of each number: an integer below b, as a double. 0 may be -0.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct FourLimbs(pub(super) [f64; LANES]);

/// Consecutive limbs of the numbers, which a result may share.
pub(super) type Number<'a> = &'a [Cell<FourLimbs>];

/// Memory from which limbs are read: constants, or cells. It has the layout of [`FourLimbs`].
pub(super) trait LimbPlace {
    #[cfg(test)]
    fn limbs(&self) -> FourLimbs;
}

impl LimbPlace for FourLimbs {
    #[cfg(test)]
    fn limbs(&self) -> FourLimbs {
        *self
    }
}

impl LimbPlace for Cell<FourLimbs> {
    #[cfg(test)]
    fn limbs(&self) -> FourLimbs {
        self.get()
    }
}

/// A sum of each lane, modulo 2^64.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct FourSums(pub(super) [u64; LANES]);

/// The sums of a block of columns, and of the column above it.
pub(super) type Sums = [FourSums; WIDTH + 1];

/// Limbs of the quotient in a block, 2, 4, 6 or 8: room for them, limbs of M + 1 in equal number, and what the columns of the next block
/// start at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotients<'a> {
    pub(super) q: Number<'a>,
    pub(super) m: &'a [FourLimbs],
    pub(super) starts: &'a [u64],
}

/// The instructions of one CPU family. A value of the type proves that this CPU has them.
///
/// To *add a product x y to column c* is: t = fma(x, y, C1), s = fma(x, y, C2 - t); the bits of s are added to column c and those of t
/// to column c + 1. To add *two products*, x y and x' y', is: t as above, t' = fma(x', y', t), s' = fma(x', y', t - t'); the bits of
/// s + s' are added to column c and those of t' to column c + 1. With limbs below b, rounded to nearest, as the kernel's
/// environment has it:
///
/// 1. 0 <= x y < 2^102, so that C1 <= t < 2^104: t is a multiple of 2^51 there, t = C1 + 2^51 h, and its bits are those of C1 plus h.
///    Rounding moves by half a unit at most: x y = h b + l with |l| <= b/2, and 0 <= h <= b.
/// 2. C2 - t = 2^51 (3 - h) is a multiple of 2^51 with |3 - h| < 2^53: a double, so that the subtraction is exact.
/// 3. x y + (C2 - t) = 1.5 2^52 + l is an integer in (2^52, 2^53): a double, so that s is it exactly, and the bits of s are those of
///    1.5 2^52 plus l.
/// 4. Two products are at most 2 (b - 1)^2 = 2^103 - 2^53 + 2, and t is at most b/2 above its own: t + x' y' < 2^104 - 2^51, so that t'
///    is a multiple of 2^51 below 2^104 again: t' = t + 2^51 h', its bits are those of C1 plus h + h', and x' y' = h' b + l' as in 1.
/// 5. t - t' = -2^51 h' and s' = l' are exact as in 2 and 3. |l + l'| <= b = 2^51, so that s + s' is an integer from 2^52 to 2^53: a
///    double, and its bits are those of 1.5 2^52 plus l + l', at 2^53 as well.
///
/// Rounded otherwise, l may be nearly b, and 5 fails. No operand or result is below 1 except 0: flushing denormals changes nothing.
pub(super) trait Doubles: Copy + Debug + Send + Sync + 'static {
    /// `out = a b / R`, see [`super::product::montgomery`]; or `out = a^(2^count)` for a number of squarings above 0, every one divided by R,
    /// and then `b` is not looked at.
    fn run(self, operands: &FmaOperands<'_>, squarings: Option<usize>) {
        operands.run(self, squarings);
    }
    /// Sets the columns to what they start at, the ninth sum and the carry to 0.
    fn start(self, x: &mut Sums, carry: Option<&mut FourSums>, starts: &[u64]);
    /// Adds the rows of [`FullRows`], if any: by twos, a last one by itself.
    fn rows(self, x: &mut Sums, rows: FullRows<'_, impl LimbPlace>);
    /// Adds rows, if any, then b\[i\] a\[v\] to column 8 - k + i + v, if that is below 8; both have k limbs, k = 2, 4, 6 or 8. By
    /// twos, from the lowest row on, a last one by itself.
    fn low_triangle(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, b: Number<'_>, a: Number<'_>);
    /// Adds rows, if any, then b\[i\] a\[k - 1 - i + v\], v <= i, to column v; both have k limbs, k = 1, 3, 5 or 7. By twos, from the
    /// highest row on, a last one by itself.
    fn high_triangle<P: LimbPlace>(self, x: &mut Sums, rows: FullRows<'_, P>, b: Number<'_>, a: &[P]);
    /// Adds rows, if any, then a\[i\] a\[v\], i < v, to column 8 - k + i + v, if that is below 8, doubles all sums, and adds a\[i\]^2 to column
    /// 8 - k + 2i if that is below 8; a has k limbs, k = 2, 4, 6 or 8. One at a time.
    fn low_square(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, a: Number<'_>);
    /// Adds rows, if any, then a\[k + i\] a\[k - i + v\], v < 2i, i <= k, to column v, doubles all sums, and adds a\[k + i\]^2 to column 2i; a has 2k + 1
    /// limbs, k = 0 to 3. One at a time.
    fn high_square(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, a: Number<'_>);
    /// Finds the limbs of q in the last columns of x: one is the low 51 bits of its column and the carry when the products
    /// q\[i\] m\[v\], v > 0, of the ones before it have been added to columns i + v, one at a time. Leaves the carry. Sets `next` to starts and
    /// a number of rows, which is even, added as in [`Doubles::rows`].
    fn quotients(
        self,
        x: &mut Sums,
        carry: &mut FourSums,
        quotients: Quotients<'_>,
        next: &mut Sums,
        rows: FullRows<'_, Cell<FourLimbs>>,
    );
    /// Stores the columns with the carry, from the lowest on, as limbs of `out`, 2, 4, 6 or 8. Leaves the carry if they are 8.
    fn finish(self, x: &mut Sums, carry: &mut FourSums, out: Number<'_>);
}
