//! Decimal and hexadecimal text, in and out. Long decimal text is converted by long products ([`decimal`]).
//!
//! Input is what Python's `int(text, 0)` reads, less its extras: decimal digits, or `0x`/`0X` and hexadecimal digits of
//! either case. No white space, no underscore; leading zeros change nothing (and never mean octal). Only an [`Integer`]
//! has a sign.

#[cfg(feature = "std")]
mod decimal;
#[cfg(feature = "std")]
mod five;

/// Without transforms all text is short.
#[cfg(not(feature = "std"))]
mod decimal {
    pub(super) use crate::natural::chores::{from_decimal as read, to_decimal as write};
}

use crate::Error;
use crate::natural::chores::decimal_bits;
use crate::natural::{Integer, Natural, check_digits, digit_value};
use alloc::string::String;
use core::fmt::{self, Write};
use core::str::FromStr;

/// The longest number that `Debug` shows whole, in bits.
pub(crate) const SHOWN_BITS: u64 = 256;

/// Hexadecimal digits of one limb.
const LIMB_HEX_DIGITS: usize = 16;

/// The digits of a number, checked; the first one is not 0.
#[derive(Clone, Copy)]
struct CheckedDigits<'a> {
    radix: u32,
    digits: &'a str,
}

impl<'a> CheckedDigits<'a> {
    /// Checks an unsigned number that starts at byte `start` of `text`.
    fn check(text: &'a str, start: usize) -> Result<Self, Error> {
        let (radix, digits) = check_digits(text, start)?;
        Ok(Self { radix, digits: digits.trim_start_matches('0') })
    }

    /// The least bit length of a number with this number of decimal digits; the exact one of a hexadecimal number.
    fn least_bits(self) -> u64 {
        let Some(first) = self.digits.bytes().next() else { return 0 };
        let below = self.digits.len() - 1;
        if self.radix == 10 {
            // The number is at least 10^below.
            decimal_bits(below) + 1
        } else {
            below as u64 * 4 + u64::from(digit_value(first).ilog2()) + 1
        }
    }

    /// The number, refused before memory is taken if its length already shows it to be over the cap. It takes memory proportional to
    /// its length.
    fn value(self, max_bits: u64) -> Result<Natural, Error> {
        let refuse = |length| Error::TooLong { what: "number", length, cap: max_bits };
        let least_bits = self.least_bits();
        if least_bits > max_bits {
            return Err(refuse(least_bits));
        }
        // What is left is at most a decimal digit (4 bits) over the cap.
        let value = if self.radix == 10 {
            decimal::read(self.digits)
        } else {
            let limb = |chunk: &[u8]| chunk.iter().fold(0, |limb, &digit| limb << 4 | digit_value(digit));
            Natural::from_limb_buffer(self.digits.as_bytes().rchunks(LIMB_HEX_DIGITS).map(limb).collect())
        };
        if value.bits() > max_bits { Err(refuse(value.bits())) } else { Ok(value) }
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
        CheckedDigits::check(text, 0)?.value(max_bits)
    }
}

impl Integer {
    /// From text, of a magnitude of at most `max_bits` bits: as [`Natural::parse_capped`], after an optional `-` or `+`.
    ///
    /// # Errors
    /// As [`Natural::parse_capped`]; positions count from the sign.
    pub fn parse_capped(text: &str, max_bits: u64) -> Result<Self, Error> {
        let digits = CheckedDigits::check(text, usize::from(text.starts_with(['-', '+'])))?;
        Ok(Self::new(text.starts_with('-'), digits.value(max_bits)?))
    }
}

impl FromStr for Natural {
    type Err = Error;

    /// From decimal or `0x` hexadecimal text, of any length; [`Natural::parse_capped`] is for text that is not trusted.
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse_capped(text, u64::MAX)
    }
}

impl FromStr for Integer {
    type Err = Error;

    /// From decimal or `0x` hexadecimal text after an optional `-` or `+`, of any length.
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse_capped(text, u64::MAX)
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

/// `0x` and hexadecimal digits. A number of more than `SHOWN_BITS` is its first 16 digits, its last 16 and its length.
impl fmt::Debug for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.limbs() {
            [last, .., second, first] if self.bits() > SHOWN_BITS => {
                let zeros = first.leading_zeros() & !3;
                let start = if zeros == 0 { first } else { first << zeros | second >> (u64::BITS - zeros) };
                write!(f, "0x{start:x}...{last:016x} ({} bits)", self.bits())
            }
            _ => write!(f, "0x{}", hex_digits(self)?),
        }
    }
}

/// As a [`Natural`], after the sign.
impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_negative() { "-" } else { "" })?;
        fmt::Debug::fmt(self.magnitude(), f)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/text/mod.rs"]
mod tests;
