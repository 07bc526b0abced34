//! Chores that a library does: general division, gcd, inverse, long decimal. See ARCHITECTURE.md for the choice.

use super::Natural;
use dashu_int::UBig;

fn to_ubig(value: &Natural) -> UBig {
    UBig::from_words(value.limbs())
}

fn from_ubig(value: &UBig) -> Natural {
    Natural::from_limbs(value.as_words())
}

/// (quotient, remainder); the divisor is not 0.
pub(crate) fn div_rem(dividend: &Natural, divisor: &Natural) -> (Natural, Natural) {
    let (dividend, divisor) = (to_ubig(dividend), to_ubig(divisor));
    (from_ubig(&(&dividend / &divisor)), from_ubig(&(&dividend % &divisor)))
}
