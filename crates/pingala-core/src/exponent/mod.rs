//! Exponents and their recodings: bits, digits, windows. Nothing here knows a monoid.

mod euclid;
pub(crate) mod order;
mod radix;
mod recoding;
mod secret;

use crate::natural::{Natural, chores};
use core::fmt;
use core::ops::Add;

pub use euclid::Euclid;
pub(crate) use euclid::EuclidStep;
pub use radix::{base_digits, comb_columns, weighted_digits};
pub use recoding::{LowWindows, Window, Windows, fixed_digits};
pub use secret::{SecretDigit, SecretExponent};

/// The widest digit that [`Digits::digit`] gives.
pub const MAX_DIGIT_BITS: u32 = 16;

/// The longest exponent that is taken by default, in bits.
pub const DEFAULT_EXPONENT_BITS_CAP: u64 = 1 << 26;

/// A public exponent, at least 1. (A public exponent of 0 never reaches an algorithm.)
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exponent {
    magnitude: Natural,
}

impl Exponent {
    /// `None` for 0.
    #[inline]
    pub fn new(magnitude: Natural) -> Option<Self> {
        (!magnitude.is_zero()).then_some(Self { magnitude })
    }

    /// Of a magnitude that the caller has found to be above 0.
    #[inline]
    pub(crate) fn of_nonzero(magnitude: Natural) -> Self {
        debug_assert!(!magnitude.is_zero());
        Self { magnitude }
    }

    /// From limbs, least significant first; `None` for 0.
    pub fn from_limbs(limbs: &[u64]) -> Option<Self> {
        Self::new(Natural::from_limbs(limbs))
    }

    /// 1, which is the identity of nothing here but the start of every addition chain.
    pub fn one() -> Self {
        Self { magnitude: Natural::from(1u64) }
    }

    /// 2^count.
    pub(crate) fn power_of_two(count: u64) -> Self {
        Self { magnitude: Natural::power_of_two(count) }
    }

    /// The value.
    pub fn magnitude(&self) -> &Natural {
        &self.magnitude
    }

    /// Bit length, at least 1: the top bit of a public exponent is set.
    #[inline]
    pub fn bits(&self) -> usize {
        self.magnitude.bits() as usize
    }

    /// Bit `position`, counted from the least significant; false beyond the top.
    #[inline]
    pub fn bit(&self, position: usize) -> bool {
        self.magnitude.bit(position as u64)
    }

    /// Number of one bits (the Hamming weight), at least 1.
    #[inline]
    pub fn weight(&self) -> usize {
        self.magnitude.weight() as usize
    }

    /// Number of zero bits below the lowest one bit.
    #[inline]
    pub fn trailing_zeros(&self) -> usize {
        self.magnitude.trailing_zeros() as usize
    }

    /// Whether the lowest bit is set.
    #[inline]
    pub fn is_odd(&self) -> bool {
        !self.magnitude.is_even()
    }
}

impl Add for &Exponent {
    type Output = Exponent;

    fn add(self, other: &Exponent) -> Exponent {
        Exponent { magnitude: chores::add(&self.magnitude, &other.magnitude) }
    }
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.magnitude.fmt(f)
    }
}

/// The source of a uniform algorithm's digits: a public exponent, a secret one, or one per lane.
pub trait Digits<D> {
    /// The declared length; leading digits may be 0.
    fn bits(&self) -> usize;
    /// The `width` bits from bit `position` upwards (zeros beyond the top); `1 <= width <= 16`.
    fn digit(&self, position: usize, width: u32) -> D;
}

/// The source of a comb's columns.
pub trait CombColumns<D> {
    /// The digit whose bit i is bit `position + i stride` (zeros beyond the top), for `rows` bits; `1 <= rows <= 16`.
    fn column(&self, position: usize, stride: usize, rows: usize) -> D;
}

/// A column of the number of these limbs. What is read and done depends on the arguments and the number of limbs only.
#[inline]
fn column_at(limbs: &[u64], position: usize, stride: usize, rows: usize) -> u64 {
    debug_assert!((1..=MAX_DIGIT_BITS as usize).contains(&rows));
    (0..rows).fold(0, |digit, row| digit | bits_at(limbs, position + row * stride, 1) << row)
}

impl CombColumns<usize> for Exponent {
    fn column(&self, position: usize, stride: usize, rows: usize) -> usize {
        column_at(self.magnitude.limbs(), position, stride, rows) as usize
    }
}

impl Digits<usize> for Exponent {
    #[inline]
    fn bits(&self) -> usize {
        Exponent::bits(self)
    }

    #[inline]
    fn digit(&self, position: usize, width: u32) -> usize {
        digit_of(&self.magnitude, position, width)
    }
}

/// Reads a digit of a borrowed exponent: the `width` bits from `position` on.
#[inline]
pub(crate) fn digit_of(magnitude: &Natural, position: usize, width: u32) -> usize {
    bits_at(magnitude.limbs(), position, width) as usize
}

/// The `width` bits from bit `position` upwards. What is read and done depends on `position`, `width` and the number
/// of limbs only, never on their values.
#[inline]
fn bits_at(limbs: &[u64], position: usize, width: u32) -> u64 {
    debug_assert!((1..=MAX_DIGIT_BITS).contains(&width));
    limb_at(limbs, position) & ((1 << width) - 1)
}

/// The 64 bits from bit `position` upwards; the same holds for what is read and done.
#[inline]
fn limb_at(limbs: &[u64], position: usize) -> u64 {
    let (index, shift) = (position / 64, position % 64);
    let low = limbs.get(index).copied().unwrap_or(0);
    let high = limbs.get(index + 1).copied().unwrap_or(0);
    // Two shifts, because one by 64 - shift would be by 64 for shift = 0.
    low >> shift | (high << 1) << (63 - shift)
}

#[cfg(test)]
#[path = "../../tests/inside/exponent.rs"]
mod tests;
