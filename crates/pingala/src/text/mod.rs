//! Decimal and hexadecimal text, in and out. Long decimal text is converted by long products ([`decimal`]).
//!
//! Input is what Python's `int(text, 0)` reads, less its extras: decimal digits, or `0x`/`0X` and hexadecimal digits of
//! either case. No white space, no underscore; leading zeros change nothing (and never mean octal). Only an [`Integer`]
//! has a sign.

mod decimal;
mod five;

use crate::Error;
use crate::natural::{Integer, Natural, check_digits};
use core::fmt::{self, Write};
use core::str::FromStr;

/// Hexadecimal digits of one limb.
const LIMB_HEX_DIGITS: usize = 16;

/// log2(10) from below, in units of 10^-16.
const LOG2_OF_10: u128 = 33_219_280_948_873_623;

/// The digits of a number, checked; the first one is not 0.
#[derive(Clone, Copy)]
enum CheckedDigits<'a> {
    Decimal(&'a str),
    Hexadecimal(&'a str),
}

impl<'a> CheckedDigits<'a> {
    /// Checks an unsigned number that starts at byte `start` of `text`.
    fn check(text: &'a str, start: usize) -> Result<Self, Error> {
        let (radix, digits) = check_digits(text, start)?;
        let significant = digits.trim_start_matches('0');
        Ok(if radix == 10 { CheckedDigits::Decimal(significant) } else { CheckedDigits::Hexadecimal(significant) })
    }

    /// The least bit length of a number with this number of decimal digits; the exact one of a hexadecimal number.
    fn least_bits(self) -> u64 {
        match self {
            CheckedDigits::Decimal("") | CheckedDigits::Hexadecimal("") => 0,
            // The number is at least 10^(n-1).
            CheckedDigits::Decimal(digits) => {
                ((digits.len() - 1) as u128 * LOG2_OF_10 / 10_000_000_000_000_000) as u64 + 1
            }
            CheckedDigits::Hexadecimal(digits) => {
                let top_bits = u8::BITS - hex_value(digits.as_bytes()[0]).leading_zeros();
                (digits.len() as u64 - 1) * 4 + u64::from(top_bits)
            }
        }
    }

    /// The number, in memory proportional to its length.
    fn value(self) -> Natural {
        match self {
            CheckedDigits::Decimal(digits) => decimal::read(digits),
            CheckedDigits::Hexadecimal(digits) => {
                let limb = |chunk: &[u8]| chunk.iter().fold(0, |limb, &digit| limb << 4 | u64::from(hex_value(digit)));
                Natural::from_limb_buffer(digits.as_bytes().rchunks(LIMB_HEX_DIGITS).map(limb).collect())
            }
        }
    }

    /// The number, refused before memory is taken if its length already shows it to be over the cap.
    fn capped_value(self, max_bits: u64) -> Result<Natural, Error> {
        let refuse = |length| Error::TooLong { what: "number", length, cap: max_bits };
        let least_bits = self.least_bits();
        if least_bits > max_bits {
            return Err(refuse(least_bits));
        }
        // What is left is at most a decimal digit (4 bits) over the cap.
        let value = self.value();
        if value.bits() > max_bits { Err(refuse(value.bits())) } else { Ok(value) }
    }
}

/// The value of a checked hexadecimal digit.
fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// The sign of an integer's text, and the byte at which its magnitude starts.
fn sign(text: &str) -> (bool, usize) {
    match text.as_bytes().first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    }
}

impl Natural {
    /// From decimal or `0x` hexadecimal text, of a number of at most `max_bits` bits.
    ///
    /// Takes time for the text's length, and memory and conversion time for `max_bits` at most.
    ///
    /// # Errors
    /// [`Error::NotANumber`] names the first byte that does not fit. [`Error::TooLong`] gives the number's bits; for
    /// decimal text far over the cap, the least number of bits that its digits can have.
    pub fn parse_capped(text: &str, max_bits: u64) -> Result<Self, Error> {
        CheckedDigits::check(text, 0)?.capped_value(max_bits)
    }
}

impl Integer {
    /// From text, of a magnitude of at most `max_bits` bits: as [`Natural::parse_capped`], after an optional `-` or `+`.
    ///
    /// # Errors
    /// As [`Natural::parse_capped`]; positions count from the sign.
    pub fn parse_capped(text: &str, max_bits: u64) -> Result<Self, Error> {
        let (negative, start) = sign(text);
        Ok(Self::new(negative, CheckedDigits::check(text, start)?.capped_value(max_bits)?))
    }
}

impl FromStr for Natural {
    type Err = Error;

    /// From decimal or `0x` hexadecimal text, of any length; [`Natural::parse_capped`] is for text that is not trusted.
    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(CheckedDigits::check(text, 0)?.value())
    }
}

impl FromStr for Integer {
    type Err = Error;

    /// From decimal or `0x` hexadecimal text after an optional `-` or `+`, of any length.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (negative, start) = sign(text);
        Ok(Self::new(negative, CheckedDigits::check(text, start)?.value()))
    }
}

/// Lower-case hexadecimal digits, no leading zero; `0` for 0.
fn hex_digits(value: &Natural) -> Result<String, fmt::Error> {
    let mut text = String::with_capacity(value.limbs().len().max(1) * LIMB_HEX_DIGITS);
    let mut limbs = value.limbs().iter().rev();
    write!(text, "{:x}", limbs.next().unwrap_or(&0))?;
    for limb in limbs {
        write!(text, "{limb:016x}")?;
    }
    Ok(text)
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "", &decimal::write(self))
    }
}

impl fmt::LowerHex for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0x", &hex_digits(self)?)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.is_negative(), "", &decimal::write(self.magnitude()))
    }
}

impl fmt::LowerHex for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.is_negative(), "0x", &hex_digits(self.magnitude())?)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/text/mod.rs"]
mod tests;
