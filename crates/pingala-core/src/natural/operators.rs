//! `+ - * / %` and shifts of [`Natural`], for arithmetic around powers: keys, proofs, recipes.
//!
//! Nothing here is constant-time, so nothing here may see a secret.

use super::integer::LimbBuffer;
use super::{Natural, chores};
use core::ops::{Add, Div, Mul, Rem, Shl, Shr, Sub};

/// An operator of two numbers, each of them a value or a reference.
macro_rules! operator {
    ($(#[$doc:meta])* $Operator:ident $operator:ident = $of:expr) => {
        impl $Operator<&Natural> for &Natural {
            type Output = Natural;

            $(#[$doc])*
            fn $operator(self, other: &Natural) -> Natural {
                $of(self, other)
            }
        }

        impl $Operator<&Natural> for Natural {
            type Output = Natural;

            fn $operator(self, other: &Natural) -> Natural {
                $of(&self, other)
            }
        }

        impl $Operator<Natural> for Natural {
            type Output = Natural;

            fn $operator(self, other: Natural) -> Natural {
                $of(&self, &other)
            }
        }

        impl $Operator<Natural> for &Natural {
            type Output = Natural;

            fn $operator(self, other: Natural) -> Natural {
                $of(self, &other)
            }
        }
    };
}

operator! {
    /// The sum.
    Add add = chores::add
}
operator! {
    /// The difference.
    ///
    /// # Panics
    /// If it is negative; [`Natural::checked_sub`] gives `None`.
    Sub sub = difference
}
operator! {
    /// The product.
    Mul mul = chores::mul
}
operator! {
    /// The quotient, rounded down.
    ///
    /// # Panics
    /// For a divisor of 0.
    Div div = quotient
}
operator! {
    /// The rest of the division.
    ///
    /// # Panics
    /// For a divisor of 0.
    Rem rem = chores::rem
}

/// An operator of a number and a word.
macro_rules! with_word {
    ($($Operator:ident $operator:ident = $of:expr;)+) => {$(
        impl $Operator<u64> for &Natural {
            type Output = Natural;

            fn $operator(self, other: u64) -> Natural {
                $of(self, &Natural::from(other))
            }
        }

        impl $Operator<u64> for Natural {
            type Output = Natural;

            fn $operator(self, other: u64) -> Natural {
                $of(&self, &Natural::from(other))
            }
        }
    )+};
}

with_word! {
    Add add = chores::add;
    Sub sub = difference;
    Mul mul = chores::mul;
    Div div = quotient;
}

impl Rem<u64> for &Natural {
    type Output = u64;

    /// The rest of the division.
    ///
    /// # Panics
    /// For a divisor of 0.
    fn rem(self, divisor: u64) -> u64 {
        assert!(divisor > 0, "division by 0");
        chores::rem_word(self, divisor)
    }
}

fn quotient(a: &Natural, b: &Natural) -> Natural {
    chores::div_rem(a, b).0
}

fn difference(a: &Natural, b: &Natural) -> Natural {
    a.checked_sub(b).expect("a difference of natural numbers is not negative")
}

impl Natural {
    /// `self - other`, or `None` if that is negative.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        (self >= other).then(|| chores::sub(self, other))
    }
}

impl Shl<u64> for &Natural {
    type Output = Natural;

    /// The product with 2^`bits`.
    fn shl(self, bits: u64) -> Natural {
        let (whole, bits) = ((bits / 64) as usize, (bits % 64) as u32);
        let mut limbs: LimbBuffer = core::iter::repeat_n(0, if self.is_zero() { 0 } else { whole }).collect();
        let mut below = 0;
        for &limb in self.limbs() {
            // Two shifts, because one by 64 - bits would be by 64 for bits = 0.
            limbs.push(limb << bits | below);
            below = limb >> 1 >> (63 - bits);
        }
        limbs.push(below);
        Natural::from_limb_buffer(limbs)
    }
}

impl Shr<u64> for &Natural {
    type Output = Natural;

    /// The quotient by 2^`bits`, rounded down.
    fn shr(self, bits: u64) -> Natural {
        let (whole, bits) = ((bits / 64) as usize, (bits % 64) as u32);
        let kept = self.limbs().get(whole..).unwrap_or_default();
        let above = |at: usize| kept.get(at + 1).copied().unwrap_or(0);
        let limbs = kept.iter().enumerate().map(|(at, limb)| limb >> bits | above(at) << 1 << (63 - bits));
        Natural::from_limb_buffer(limbs.collect())
    }
}

#[cfg(test)]
#[path = "../../tests/inside/natural/operators.rs"]
mod tests;
