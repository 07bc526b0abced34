//! Facts about a modulus: odd part, trailing zeros, factors. Nothing here knows a kernel or an algorithm.

pub(crate) mod factored;
pub(crate) mod prime;
mod secret_factor;

use crate::natural::Natural;
pub use factored::Factor;
pub use secret_factor::SecretFactor;
use std::borrow::Cow;

/// A modulus m >= 1 written as `odd * 2^trailing_zeros`. That of one call stays where its caller has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts<'m> {
    value: Cow<'m, Natural>,
    /// The odd part of an even modulus, otherwise 0.
    odd: Natural,
    trailing_zeros: u64,
    factors: Vec<Factor>,
}

impl Facts<'static> {
    /// The facts of `value`, which the caller has found to be at least 1.
    #[inline]
    pub(crate) fn new(value: Natural) -> Self {
        debug_assert!(!value.is_zero());
        let trailing_zeros = value.trailing_zeros();
        let value = Cow::Owned(value);
        let mut facts = Self { value, odd: Natural::default(), trailing_zeros, factors: Vec::new() };
        facts.split();
        facts
    }
}

impl<'m> Facts<'m> {
    /// The facts of `value`, which the caller has found to be at least 1, but for the odd part: to be [split](Facts::split)
    /// in place, as moving limbs that were just written is measurable in a short call.
    #[inline(always)]
    pub(crate) fn unsplit(value: &'m Natural) -> Self {
        debug_assert!(!value.is_zero());
        let trailing_zeros = value.trailing_zeros();
        Self { value: Cow::Borrowed(value), odd: Natural::default(), trailing_zeros, factors: Vec::new() }
    }

    /// Makes the odd part.
    #[inline(always)]
    pub(crate) fn split(&mut self) {
        if self.trailing_zeros > 0 {
            self.odd.set_shifted_right(&self.value, self.trailing_zeros);
        }
    }

    /// m.
    #[inline]
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// m / 2^[`trailing_zeros`](Self::trailing_zeros); 1 for a power of two.
    #[inline]
    pub fn odd(&self) -> &Natural {
        if self.trailing_zeros > 0 { &self.odd } else { &self.value }
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

    /// Pairwise coprime prime powers (or any coprime factors) whose product is m; empty if none were given.
    #[inline]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }
}
