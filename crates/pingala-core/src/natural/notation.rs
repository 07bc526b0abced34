//! The notation of a number in text: its radix and its digits; secret numbers in text.

use super::{Integer, Natural, Wiped};
use crate::Error;
use crate::secrecy::released;
use alloc::vec;
use zeroize::Zeroizing;

/// Most decimal digits of a secret number: a million take about a second.
const SECRET_DECIMAL_DIGITS_CAP: usize = 1 << 20;

/// The radix and the digits of a secret number that starts at byte `start` of `text`.
///
/// Errors: as [`check_digits`]; [`Error::TooLong`] for more than 2^20 decimal digits, as [`add_digits`] takes quadratic time.
///
/// Leaks: the notation and the number of digits.
pub(crate) fn check_secret_digits(text: &str, start: usize) -> Result<(u32, &str), Error> {
    let (radix, digits) = check_digits(text, start)?;
    if radix == 10 && digits.len() > SECRET_DECIMAL_DIGITS_CAP {
        let (length, cap) = (digits.len() as u64, SECRET_DECIMAL_DIGITS_CAP as u64);
        return Err(Error::TooLong { what: "text", length, cap });
    }
    Ok((radix, digits))
}

/// Whether it is a digit. No branch distinguishes a digit from a letter.
fn is_digit(byte: u8, radix: u32) -> bool {
    let (is_decimal, is_letter) = (byte.wrapping_sub(b'0') < 10, (byte | 0x20).wrapping_sub(b'a') < 6);
    is_decimal | (is_letter & (radix == 16))
}

/// Its value. Letters have bit 6, and A ends in 1.
pub(crate) fn digit_value(digit: u8) -> u64 {
    let value = u64::from((digit & 15) + 9 * (digit >> 6));
    #[cfg(pingala_planted_leak = "digits")]
    crate::secrecy::planted::branch(value);
    value
}

/// The number of these digits where `limbs` are zeros, without a copy of it elsewhere. What does not fit is returned, not 0 then.
///
/// Leaks: the radix and the number of digits.
pub(crate) fn add_digits(limbs: &mut [u64], radix: u32, digits: &str) -> u64 {
    let mut excess = 0;
    if radix == 16 {
        for (index, digit) in digits.bytes().rev().enumerate() {
            match limbs.get_mut(index / 16) {
                Some(limb) => *limb |= digit_value(digit) << (4 * (index % 16)),
                None => excess |= digit_value(digit),
            }
        }
    } else {
        // Horner's rule, 19 digits at a time: as many as fit a limb.
        for digits in digits.as_bytes().rchunks(19).rev() {
            let mut carry = digits.iter().fold(0, |limb, &digit| limb * 10 + digit_value(digit));
            let factor = 10u64.pow(digits.len() as u32);
            for limb in limbs.iter_mut() {
                (*limb, carry) = limb.carrying_mul(factor, carry);
            }
            excess |= carry;
        }
    }
    excess
}

impl Integer {
    /// A secret number from text, as [`Integer::parse_capped`] reads it. No copy of it is left but the one that is returned, which
    /// is wiped, and of up to 512 bits what a move leaves on the stack; the caller's `text` is not wiped.
    ///
    /// # Errors
    /// As [`Integer::parse_capped`]; [`Error::TooLong`] also for more than 2^20 decimal digits, and for more digits, zeros in front
    /// included, than any number within the cap has.
    ///
    /// Leaks: the sign, the notation, the number of digits, and the number's own length in limbs.
    pub fn parse_secret(text: &str, max_bits: u64) -> Result<Zeroizing<Self>, Error> {
        let negative = text.starts_with('-');
        let (radix, digits) = check_secret_digits(text, usize::from(text.starts_with(['-', '+'])))?;
        // log2(10) < 3.3220.
        let bits = if radix == 16 { 4 * digits.len() as u64 } else { (digits.len() as u64 * 33_220).div_ceil(10_000) };
        // A digit may have fewer bits than its place has room for.
        if bits > max_bits.saturating_add(4) {
            return Err(Error::TooLong { what: "number", length: bits, cap: max_bits });
        }
        let mut limbs = Wiped::new(vec![0; bits.div_ceil(64) as usize]);
        let excess = add_digits(&mut limbs, radix, digits);
        debug_assert!(excess == 0);
        let value = Zeroizing::new(Self::new(negative, Natural::from_limbs(&limbs)));
        match value.magnitude().bits() {
            length if length > max_bits => Err(Error::TooLong { what: "number", length, cap: max_bits }),
            _ => Ok(value),
        }
    }
}

/// The radix and the digits, checked, of an unsigned number that starts at byte `start` of `text`.
///
/// Error: [`Error::NotANumber`] with the byte where reading stopped.
///
/// Leaks: the notation and the number of digits.
pub(crate) fn check_digits(text: &str, start: usize) -> Result<(u32, &str), Error> {
    let unsigned = &text[start..];
    // A letter at the second place, which the high bits tell: a comparison byte by byte would branch on a first digit of 0.
    let has_letter = unsigned.as_bytes().get(1).is_some_and(|second| second >> 6 == 1);
    let prefixed = if has_letter { unsigned.strip_prefix(['0']) } else { None };
    let (radix, digits, expected) = match prefixed.and_then(|rest| rest.strip_prefix(['x', 'X'])) {
        Some(digits) => (16, digits, "expected a hexadecimal digit"),
        None => (10, unsigned, "expected a decimal digit"),
    };
    let offset = text.len() - digits.len();
    let bytes = digits.as_bytes();
    // Of a right text all bytes are looked at, and one answer for all is revealed: a secret's digits decide no branch.
    let are_digits = bytes.iter().fold(true, |all, &byte| all & is_digit(byte, radix));
    if released(are_digits.into()) == 0
        && let Some(at) = bytes.iter().position(|&byte| !is_digit(byte, radix))
    {
        let reason = match bytes[at] {
            b'_' => "no underscore is allowed",
            byte if byte.is_ascii_whitespace() => "no white space is allowed",
            _ => expected,
        };
        return Err(Error::NotANumber { position: offset + at, reason });
    }
    if digits.is_empty() {
        return Err(Error::NotANumber { position: offset, reason: expected });
    }
    Ok((radix, digits))
}

#[cfg(test)]
#[path = "../../tests/inside/natural/notation.rs"]
mod tests;
