//! Recodings of an exponent, most significant end first, without allocation: fixed digits, aligned windows (the
//! modified 2^k-ary digits of HAC 14.83), sliding windows (HAC 14.85).
//!
//! Lemmas: Recoding.fixed_digits_multiply_out, Recoding.windows_multiply_out, Recoding.low_windows_multiply_out
//! (proofs/README.md).

use super::{Digits, Exponent, MAX_DIGIT_BITS};
use core::iter::FusedIterator;

/// The base-2^`width` digits, most significant first; one digit even for a length of 0.
#[inline]
pub fn fixed_digits<D, E: Digits<D>>(exponent: &E, width: u32) -> impl Iterator<Item = D> {
    let n_digits = exponent.bits().div_ceil(width as usize).max(1);
    (0..n_digits).rev().map(move |index| exponent.digit(index * width as usize, width))
}

/// A run of zero bits and the odd window that ends it. The last item of an even exponent is a run without a window:
/// `value` and `length` are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Zero bits passed before the window starts.
    pub zeros: usize,
    /// The value of the window, odd; 0 for the trailing run.
    pub value: usize,
    /// Bits of the window, from a one to a one; 0 for the trailing run.
    pub length: usize,
}

impl Window {
    /// The squarings that bring an accumulator in front of the multiplication by g^value.
    #[inline]
    pub fn squarings(&self) -> usize {
        self.zeros + self.length
    }
}

/// The positions at which a window that starts at a one bit may end.
#[derive(Clone, Copy, Debug)]
enum Grid {
    /// Anywhere: sliding windows.
    Free,
    /// Not beyond a multiple of the window width: the digits of base 2^width, stripped of their trailing zeros.
    Aligned,
}

/// The windows of an exponent from its top bit down.
///
/// A window takes the highest one bit that is left and up to `width` bits with it, and gives trailing zeros back to
/// the run that follows. Their values put back at their places sum to the exponent.
#[derive(Clone, Debug)]
pub struct Windows<'a> {
    exponent: &'a Exponent,
    /// Bits below this position are still to be read.
    position: usize,
    width: usize,
    grid: Grid,
}

impl Exponent {
    /// Sliding windows of at most `width` bits (HAC 14.85, step 2.2): the longest that ends in a one bit.
    #[inline]
    pub fn sliding_windows(&self, width: u32) -> Windows<'_> {
        Windows::new(self, width, Grid::Free)
    }

    /// The base-2^`width` digits in the form 2^h * u with u odd (HAC 14.83): windows that end on a digit boundary at
    /// the latest.
    #[inline]
    pub fn aligned_windows(&self, width: u32) -> Windows<'_> {
        Windows::new(self, width, Grid::Aligned)
    }

    /// Sliding windows of at most `width` bits from bit 0 up.
    #[inline]
    pub fn low_windows(&self, width: u32) -> LowWindows<'_> {
        debug_assert!((1..=MAX_DIGIT_BITS).contains(&width));
        LowWindows { exponent: self, position: 0, width }
    }

    /// The lowest one bit from `position` upwards.
    #[inline]
    pub(crate) fn lowest_from(&self, position: usize) -> Option<usize> {
        let limbs = self.magnitude.limbs();
        let mut index = position / 64;
        let mut limb = limbs.get(index)? >> (position % 64) << (position % 64);
        while limb == 0 {
            index += 1;
            limb = *limbs.get(index)?;
        }
        Some(index * 64 + limb.trailing_zeros() as usize)
    }

    /// The highest one bit below `position`.
    #[inline]
    fn top_below(&self, position: usize) -> Option<usize> {
        let limbs = self.magnitude.limbs();
        let mut index = position / 64;
        let mut limb = limbs.get(index).copied().unwrap_or(0) & ((1 << (position % 64)) - 1);
        while limb == 0 {
            index = index.checked_sub(1)?;
            limb = limbs[index];
        }
        Some(index * 64 + limb.ilog2() as usize)
    }
}

impl<'a> Windows<'a> {
    #[inline]
    fn new(exponent: &'a Exponent, width: u32, grid: Grid) -> Self {
        debug_assert!((1..=MAX_DIGIT_BITS).contains(&width));
        Self { exponent, position: exponent.bits(), width: width as usize, grid }
    }
}

impl Iterator for Windows<'_> {
    type Item = Window;

    #[inline(always)]
    fn next(&mut self) -> Option<Window> {
        if self.position == 0 {
            return None;
        }
        let Some(top) = self.exponent.top_below(self.position) else {
            let zeros = core::mem::take(&mut self.position);
            return Some(Window { zeros, value: 0, length: 0 });
        };
        let bottom = match self.grid {
            Grid::Free => (top + 1).saturating_sub(self.width),
            Grid::Aligned => top - top % self.width,
        };
        let digit = self.exponent.digit(bottom, (top + 1 - bottom) as u32);
        let given_back = digit.trailing_zeros() as usize;
        let zeros = self.position - (top + 1);
        self.position = bottom + given_back;
        Some(Window { zeros, value: digit >> given_back, length: top + 1 - self.position })
    }
}

impl FusedIterator for Windows<'_> {}

/// The windows of an exponent from bit 0 up, as (position, odd value): each takes the lowest one bit that is left and
/// the `width` - 1 bits above it. Their values put back at their places sum to the exponent.
#[derive(Clone, Debug)]
pub struct LowWindows<'a> {
    exponent: &'a Exponent,
    position: usize,
    width: u32,
}

impl Iterator for LowWindows<'_> {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
        let position = self.exponent.lowest_from(self.position)?;
        self.position = position + self.width as usize;
        Some((position, self.exponent.digit(position, self.width)))
    }
}

impl FusedIterator for LowWindows<'_> {}

#[cfg(test)]
#[path = "../../tests/inside/exponent/recoding.rs"]
mod tests;
