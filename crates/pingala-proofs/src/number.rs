//! Numbers of this crate as the library's numbers, and back.

use dashu_int::UBig;
use pingala_core::Natural;

/// The number for plain arithmetic.
pub(crate) fn big(value: &Natural) -> UBig {
    UBig::from_le_bytes(&value.to_le_bytes())
}

/// The number for the library.
pub(crate) fn natural(value: &UBig) -> Natural {
    Natural::from_le_bytes(&value.to_le_bytes())
}

/// Whether a < b.
pub(crate) fn is_below(a: &Natural, b: &Natural) -> bool {
    a.limbs().len().cmp(&b.limbs().len()).then_with(|| a.limbs().iter().rev().cmp(b.limbs().iter().rev())).is_lt()
}
