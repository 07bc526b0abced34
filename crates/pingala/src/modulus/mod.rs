//! Facts about a modulus: odd part, trailing zeros, factors. Nothing here knows a kernel or an algorithm.

pub(crate) mod factored;
pub(crate) mod prime;
mod secret_factor;

use crate::natural::Natural;
pub use factored::Factor;
pub use secret_factor::SecretFactor;

/// A modulus m >= 1 written as `odd * 2^trailing_zeros`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    value: Natural,
    /// The odd part of an even modulus.
    odd: Option<Natural>,
    trailing_zeros: u64,
    factors: Vec<Factor>,
}

impl Facts {
    /// The facts of `value`, which the caller has found to be at least 1.
    #[inline]
    pub(crate) fn new(value: Natural) -> Self {
        debug_assert!(!value.is_zero());
        let trailing_zeros = value.trailing_zeros();
        let odd = (trailing_zeros > 0).then(|| value.shift_right(trailing_zeros));
        Self { value, odd, trailing_zeros, factors: Vec::new() }
    }

    /// m.
    #[inline]
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// m / 2^[`trailing_zeros`](Self::trailing_zeros); 1 for a power of two.
    #[inline]
    pub fn odd(&self) -> &Natural {
        self.odd.as_ref().unwrap_or(&self.value)
    }

    /// Zero bits below the lowest one bit of m.
    #[inline]
    pub fn trailing_zeros(&self) -> u64 {
        self.trailing_zeros
    }

    /// Bit length of m.
    #[inline]
    pub fn bits(&self) -> u64 {
        self.value.bits()
    }

    /// Pairwise coprime prime powers (or any coprime factors) whose product is m; empty where none were given.
    #[inline]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }
}
