//! The notation of a number in text: its radix and its digits.

use crate::Error;

/// The radix and the digits, checked, of an unsigned number that starts at byte `start` of `text`.
///
/// Error: [`Error::NotANumber`] with the byte where reading stopped.
///
/// Leaks: the notation and the number of digits.
pub(crate) fn check_digits(text: &str, start: usize) -> Result<(u32, &str), Error> {
    let unsigned = &text[start..];
    let (radix, digits, expected) = match unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        Some(digits) => (16, digits, "expected a hexadecimal digit"),
        None => (10, unsigned, "expected a decimal digit"),
    };
    let offset = text.len() - digits.len();
    let bytes = digits.as_bytes();
    if let Some(at) = bytes.iter().position(|&byte| !(byte as char).is_digit(radix)) {
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
