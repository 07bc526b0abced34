//! Set-up arithmetic: sums and inverses of our own; general division and short decimal text through a library. ARCHITECTURE.md says why this library.
//!
//! Nothing here is constant-time, so nothing here may see a secret.

use super::{Integer, Natural, linear, remainder};
use alloc::string::String;
use alloc::string::ToString;
use dashu_int::UBig;
use smallvec::SmallVec;

/// Decimal digits that always fit one limb.
const LIMB_DECIMAL_DIGITS: usize = 19;

/// log2(10) from below, in units of 10^-16.
const LOG2_OF_10: u128 = 33_219_280_948_873_623;

/// The number as the library of general arithmetic has it.
pub fn to_ubig(value: &Natural) -> UBig {
    #[cfg(target_pointer_width = "64")]
    return UBig::from_words(value.limbs());
    // The library's word may be narrower than a limb there.
    #[cfg(not(target_pointer_width = "64"))]
    return UBig::from_le_bytes(&value.to_le_bytes());
}

/// The number as Pingala has it.
pub fn from_ubig(value: &UBig) -> Natural {
    #[cfg(target_pointer_width = "64")]
    return Natural::from_limbs(value.as_words());
    #[cfg(not(target_pointer_width = "64"))]
    return Natural::from_le_bytes(&value.to_le_bytes());
}

/// The remainder in 0..divisor; no division if the dividend is there already, or has the divisor's bit length.
///
/// # Panics
/// If the divisor is 0: the caller has refused that.
pub(crate) fn rem(dividend: &Natural, divisor: &Natural) -> Natural {
    assert!(!divisor.is_zero(), "division by 0");
    if dividend < divisor {
        dividend.clone()
    } else if dividend.bits() == divisor.bits() {
        sub(dividend, divisor)
    } else if let &[word] = divisor.limbs() {
        rem_word(dividend, word).into()
    } else {
        from_ubig(&(to_ubig(dividend) % to_ubig(divisor)))
    }
}

/// The remainder of a division by a word, which is not 0.
pub(crate) fn rem_word(dividend: &Natural, divisor: u64) -> u64 {
    match dividend.limbs() {
        long if long.len() >= remainder::LEAST_LIMBS => remainder::rem_by_word(long, divisor),
        _ => to_ubig(dividend) % divisor,
    }
}

/// Quotient and remainder.
///
/// # Panics
/// If the divisor is 0: the caller has refused that.
pub(crate) fn div_rem(dividend: &Natural, divisor: &Natural) -> (Natural, Natural) {
    assert!(!divisor.is_zero(), "division by 0");
    let (dividend, divisor) = (to_ubig(dividend), to_ubig(divisor));
    let quotient = &dividend / &divisor;
    let rest = dividend - &quotient * divisor;
    (from_ubig(&quotient), from_ubig(&rest))
}

/// The canonical residue of `value`, in 0..modulus; no division if the magnitude is below the modulus.
///
/// # Panics
/// If the modulus is 0: the caller has refused that.
pub(crate) fn reduce(value: &Integer, modulus: &Natural) -> Natural {
    let residue = rem(value.magnitude(), modulus);
    if value.is_negative() { negate(residue, modulus) } else { residue }
}

/// `minuend - subtrahend`, which is not negative.
pub(crate) fn sub(minuend: &Natural, subtrahend: &Natural) -> Natural {
    debug_assert!(minuend >= subtrahend);
    let mut limbs = SmallVec::from_slice(minuend.limbs());
    linear::sub_shorter(&mut limbs, subtrahend.limbs());
    Natural::from_limb_buffer(limbs)
}

/// The residue of -`residue`, for a residue in 0..modulus.
pub(crate) fn negate(residue: Natural, modulus: &Natural) -> Natural {
    if residue.is_zero() { residue } else { sub(modulus, &residue) }
}

/// `a + b`.
pub(crate) fn add(a: &Natural, b: &Natural) -> Natural {
    let (long, short) = if a.limbs().len() < b.limbs().len() { (b, a) } else { (a, b) };
    let mut limbs = SmallVec::from_slice(long.limbs());
    limbs.push(0);
    linear::add_shorter(&mut limbs, short.limbs());
    Natural::from_limb_buffer(limbs)
}

/// `a * b`, for set-up; powers are made of the products in `kernel`.
pub(crate) fn mul(a: &Natural, b: &Natural) -> Natural {
    from_ubig(&(to_ubig(a) * to_ubig(b)))
}

/// `base^exponent`, a whole number: the caller bounds its length.
pub(crate) fn pow(base: &Natural, exponent: u32) -> Natural {
    from_ubig(&to_ubig(base).pow(exponent as usize))
}

/// The root of order k >= 1, rounded down.
pub(crate) fn root(value: &Natural, k: usize) -> Natural {
    from_ubig(&to_ubig(value).nth_root(k))
}

/// floor(digits log2(10)); for some numbers of digits above 10^15 one less.
pub(crate) fn decimal_bits(digits: usize) -> u64 {
    (digits as u128 * LOG2_OF_10 / 10_000_000_000_000_000) as u64
}

/// The number that a text of decimal digits, and nothing else, gives; 0 for no digits.
pub(crate) fn from_decimal(digits: &str) -> Natural {
    debug_assert!(digits.bytes().all(|digit| digit.is_ascii_digit()));
    if digits.len() <= LIMB_DECIMAL_DIGITS {
        return Natural::from(digits.bytes().fold(0, |value: u64, digit| value * 10 + u64::from(digit - b'0')));
    }
    from_ubig(&UBig::from_str_radix(digits, 10).expect("decimal digits only"))
}

/// The decimal digits, no leading zero; `0` for 0.
pub(crate) fn to_decimal(value: &Natural) -> String {
    match value.limbs() {
        [] => String::from("0"),
        [limb] => limb.to_string(),
        _ => to_ubig(value).to_string(),
    }
}

#[cfg(test)]
#[path = "../../tests/inside/natural/chores.rs"]
mod tests;
