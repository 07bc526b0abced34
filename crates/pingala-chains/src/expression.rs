//! Numbers as people type them: `2**127-1`, `2^255-21`, `(2^381-3)/4`, `1_000`, `1e9`, `0xffff`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = ("-" | "+") signed | power
//! power   = atom [ ("**" | "^") signed ]
//! atom    = literal | "(" sum ")"
//! literal = digits [ "e" digits ] | "0x" hexadecimal digits
//! ```
//!
//! Digits may have single underscores between them, and white space may stand around operators. `-2**2` is -(2**2), `2**3**2` is
//! 2**(3**2), and a division is exact or an error. Every length is bounded from below before anything is computed, and so is the work of
//! the whole expression.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig, Word};
use pingala_core::exponent::Exponent;
use pingala_core::{Error, Integer, Natural};

/// Room above the cap for what is taken off again, as in `2**cap-1`.
const SPARE_BITS: u64 = 64;
/// The longest power whose base is no power of two: a longer one takes long.
const POWER_BITS: u64 = 1 << 20;
/// Most bits of all intermediate results together: some seconds.
const WORK_BITS: u64 = 1 << 30;
/// How deep parentheses, signs and powers may stand in one another.
const MAX_DEPTH: usize = 100;
/// The longest exponent of an addition chain, in bits.
const EXPONENT_BITS: u64 = 1 << 16;

/// Why text is no number.
#[derive(Debug, PartialEq, Eq)]
pub enum ParseError {
    /// What was expected at this byte, counted from 0.
    Syntax(usize, &'static str),
    /// More bits than the cap, by an estimate from below.
    TooLong {
        /// A lower bound of the length in bits.
        bits: u64,
        /// The cap.
        cap: u64,
    },
}

/// The value of an expression of at most `cap_bits` bits.
///
/// # Errors
/// [`ParseError`].
pub fn integer(text: &str, cap_bits: u64) -> Result<Integer, ParseError> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, depth: 0, work: 0, cap_bits };
    let value = parser.sum()?;
    parser.space();
    if parser.at < text.len() {
        return Err(ParseError::Syntax(parser.at, parser.expected()));
    }
    let (sign, magnitude) = value.into_parts();
    match magnitude.bit_len() as u64 {
        bits if bits > cap_bits => Err(ParseError::TooLong { bits, cap: cap_bits }),
        _ => Ok(Integer::new(sign == Sign::Negative, Natural::from_le_bytes(&magnitude.to_le_bytes()))),
    }
}

/// The value of an expression for an addition chain, which has to be 1 at least.
///
/// # Errors
/// [`Error::BadArgument`] names the byte, or what the value is.
pub fn evaluate(text: &str) -> Result<Exponent, Error> {
    let value = integer(text, EXPONENT_BITS).map_err(|error| {
        Error::BadArgument(match error {
            ParseError::Syntax(position, expected) => format!("`{text}`: {expected} at byte {position}"),
            ParseError::TooLong { bits, cap } => format!("`{text}`: a number of {bits} bits is over the cap of {cap}"),
        })
    })?;
    if value.is_negative() {
        return Err(Error::BadArgument(format!("`{text}` is negative; an addition chain needs 1 or more")));
    }
    Exponent::new(value.into_magnitude())
        .ok_or_else(|| Error::BadArgument(format!("`{text}` is 0; an addition chain needs 1 or more")))
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    /// Bits of the results so far.
    work: u64,
    cap_bits: u64,
}

impl Parser<'_> {
    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Takes the mark if it is next, behind white space.
    fn takes(&mut self, mark: &str) -> bool {
        let start = self.at;
        self.space();
        let found = self.text[self.at..].starts_with(mark.as_bytes());
        self.at = if found { self.at + mark.len() } else { start };
        found
    }

    /// What could stand here.
    fn expected(&self) -> &'static str {
        match self.text[..self.at].last() {
            Some(last) if last.is_ascii_digit() => "expected a decimal digit",
            _ => "expected one of + - * / ** ^",
        }
    }

    /// One level deeper. Error: too deep.
    fn deeper(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(ParseError::Syntax(self.at, "expected fewer levels")) } else { Ok(()) }
    }

    /// Counts a result of at least `bits` bits before it is computed.
    fn check(&mut self, bits: u64) -> Result<(), ParseError> {
        let cap = self.cap_bits;
        if bits > cap.saturating_add(SPARE_BITS) {
            return Err(ParseError::TooLong { bits, cap });
        }
        self.work += bits;
        if self.work > WORK_BITS { Err(ParseError::Syntax(self.at, "expected a shorter computation")) } else { Ok(()) }
    }

    fn sum(&mut self) -> Result<IBig, ParseError> {
        let mut sum = self.product()?;
        loop {
            let minus = self.takes("-");
            if !minus && !self.takes("+") {
                return Ok(sum);
            }
            let term = self.product()?;
            self.check(bits(&sum).max(bits(&term)).saturating_sub(1))?;
            sum = if minus { sum - term } else { sum + term };
        }
    }

    fn product(&mut self) -> Result<IBig, ParseError> {
        let mut product = self.signed()?;
        loop {
            if self.takes("*") {
                let factor = self.signed()?;
                self.check((bits(&product) + bits(&factor)).saturating_sub(1))?;
                product *= factor;
            } else if self.takes("/") {
                let place = self.at;
                let divisor = self.signed()?;
                self.check(bits(&product))?;
                if divisor == IBig::ZERO || &product % &divisor != IBig::ZERO {
                    return Err(ParseError::Syntax(place, "expected an exact divisor"));
                }
                product /= divisor;
            } else {
                return Ok(product);
            }
        }
    }

    fn signed(&mut self) -> Result<IBig, ParseError> {
        let minus = self.takes("-");
        if !minus && !self.takes("+") {
            return self.power();
        }
        self.deeper()?;
        let value = self.signed()?;
        self.depth -= 1;
        Ok(if minus { -value } else { value })
    }

    fn power(&mut self) -> Result<IBig, ParseError> {
        let base = self.atom()?;
        if !(self.takes("**") || self.takes("^")) {
            return Ok(base);
        }
        self.deeper()?;
        self.space();
        let place = self.at;
        let exponent = self.signed()?;
        self.depth -= 1;
        match UBig::try_from(exponent) {
            Ok(exponent) => self.raise(base, &exponent),
            Err(_) => Err(ParseError::Syntax(place, "expected an exponent from 0 on")),
        }
    }

    fn raise(&mut self, base: IBig, exponent: &UBig) -> Result<IBig, ParseError> {
        // Of any exponent: 0, 1 and -1.
        if *exponent == UBig::ZERO || bits(&base) == 1 && !exponent.bit(0) {
            return Ok(IBig::ONE);
        }
        if bits(&base) <= 1 {
            return Ok(base);
        }
        let count = u64::try_from(exponent).unwrap_or(u64::MAX);
        let least_bits = (bits(&base) - 1).saturating_mul(count).saturating_add(1);
        self.check(least_bits)?;
        if least_bits > POWER_BITS && !is_power_of_two(&base) {
            return Err(ParseError::TooLong { bits: least_bits, cap: POWER_BITS });
        }
        Ok(base.pow(count as usize))
    }

    fn atom(&mut self) -> Result<IBig, ParseError> {
        if !self.takes("(") {
            return self.literal();
        }
        self.deeper()?;
        let value = self.sum()?;
        self.depth -= 1;
        if self.takes(")") { Ok(value) } else { Err(ParseError::Syntax(self.at, "expected )")) }
    }

    fn literal(&mut self) -> Result<IBig, ParseError> {
        self.space();
        if self.takes("0x") || self.takes("0X") {
            let digits = self.digits(u8::is_ascii_hexdigit, "expected a hexadecimal digit")?;
            return self.read(&format!("0x{digits}"));
        }
        let digits = self.digits(u8::is_ascii_digit, "expected a decimal digit")?;
        let value = self.read(&digits)?;
        if !matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            return Ok(value);
        }
        self.at += 1;
        let digits = self.digits(u8::is_ascii_digit, "expected a decimal digit")?;
        let (_, zeros) = self.read(&digits)?.into_parts();
        let power = self.raise(IBig::from(10), &zeros)?;
        self.check((bits(&value) + bits(&power)).saturating_sub(1))?;
        Ok(value * power)
    }

    /// Digits without the underscores between them.
    fn digits(&mut self, is_digit: fn(&u8) -> bool, expected: &'static str) -> Result<String, ParseError> {
        let mut digits = String::new();
        loop {
            match self.text.get(self.at) {
                Some(digit) if is_digit(digit) => digits.push(char::from(*digit)),
                // Between two digits only.
                Some(b'_') if !digits.is_empty() && self.text.get(self.at + 1).is_some_and(is_digit) => {}
                _ if digits.is_empty() => return Err(ParseError::Syntax(self.at, expected)),
                _ => return Ok(digits),
            }
            self.at += 1;
        }
    }

    fn read(&self, digits: &str) -> Result<IBig, ParseError> {
        match Integer::parse_capped(digits, self.cap_bits.saturating_add(SPARE_BITS)) {
            Ok(value) => Ok(UBig::from_le_bytes(&value.magnitude().to_le_bytes()).into()),
            Err(Error::TooLong { length, .. }) => Err(ParseError::TooLong { bits: length, cap: self.cap_bits }),
            Err(_) => Err(ParseError::Syntax(self.at, "expected a number")),
        }
    }
}

/// The length of the magnitude.
fn bits(value: &IBig) -> u64 {
    let (_, words) = value.as_sign_words();
    words.last().map_or(0, |top| words.len() as u64 * u64::from(Word::BITS) - u64::from(top.leading_zeros()))
}

/// Whether the magnitude is one.
fn is_power_of_two(value: &IBig) -> bool {
    value.as_sign_words().1.iter().map(|word| word.count_ones()).sum::<u32>() == 1
}

#[cfg(test)]
#[path = "../tests/inside/expression.rs"]
mod tests;
