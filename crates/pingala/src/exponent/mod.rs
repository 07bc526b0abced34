//! Exponents and their recodings: bits, digits, windows. Nothing here knows a monoid.

mod secret_tmp;
pub use secret_tmp::SecretExponent;
use crate::natural::Natural;

/// A public exponent, at least 1. (An exponent of 0 never reaches an algorithm.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exponent {
    magnitude: Natural,
}

/// Where a uniform algorithm takes its digits from: a public exponent, a secret one, or one per lane.
pub trait Digits<D> {
    /// The declared length; leading digits may be 0.
    fn bits(&self) -> usize;
    /// The `width` bits from bit `position` upwards (zeros beyond the top); `1 <= width <= 16`.
    fn digit(&self, position: usize, width: u32) -> D;
}
