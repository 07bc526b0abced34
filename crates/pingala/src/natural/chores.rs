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
/// Canonical residue.
pub(crate) fn reduce(value: &super::Integer, m: &Natural) -> Natural {
    let r = div_rem(value.magnitude(), m).1;
    if value.is_negative() && !r.is_zero() { from_ubig(&(to_ubig(m) - to_ubig(&r))) } else { r }
}
/// Temporary.
pub(crate) fn mul_mod(a: &Natural, b: &Natural, m: &Natural) -> Natural {
    from_ubig(&(to_ubig(a) * to_ubig(b) % to_ubig(m)))
}
/// Temporary.
pub(crate) fn inverse(a: &Natural, m: &Natural) -> Option<Natural> {
    use dashu_int::{IBig, ops::ExtendedGcd};
    let (g, x, _) = to_ubig(a).gcd_ext(to_ubig(m));
    if from_ubig(&g).is_one() { let x: IBig = x % IBig::from(to_ubig(m)); let x = if x < IBig::ZERO { x + IBig::from(to_ubig(m)) } else { x }; Some(from_ubig(&x.try_into().ok()?)) } else { None }
}
