//! Exponents as people write them: `2^255-21`, `(2^381-3)/4`, `0xffff`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = power { ("*" | "/") power }
//! power   = atom [ ("^" | "**") power ]
//! atom    = number | "(" sum ")" | "-" atom
//! ```
//!
//! A division is exact or an error.

use dashu_int::{IBig, UBig};
use pingala::Error;
use pingala::exponent::Exponent;

/// The longest number that an expression may reach, in bits.
const MAX_BITS: usize = 1 << 16;
/// How deep parentheses may stand in one another.
const MAX_DEPTH: usize = 100;

/// The value of an expression, which has to be 1 at least.
///
/// # Errors
/// [`Error::BadArgument`] names the byte, or what the value is.
pub fn evaluate(text: &str) -> Result<Exponent, Error> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, depth: 0 };
    let value = parser.sum()?;
    parser.space();
    if parser.at < text.len() {
        return Err(parser.error("expected one of + - * / ^"));
    }
    match UBig::try_from(value) {
        Ok(magnitude) if magnitude != UBig::ZERO => crate::elements::value(&magnitude),
        Ok(_) => Err(Error::BadArgument(format!("`{text}` is 0; an addition chain needs 1 or more"))),
        Err(_) => Err(Error::BadArgument(format!("`{text}` is negative; an addition chain needs 1 or more"))),
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn error(&self, expected: &str) -> Error {
        let text = String::from_utf8_lossy(self.text);
        Error::BadArgument(format!("`{text}`: {expected} at byte {}", self.at + 1))
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn takes(&mut self, mark: &str) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(mark.as_bytes());
        if found {
            self.at += mark.len();
        }
        found
    }

    fn checked(&self, value: IBig) -> Result<IBig, Error> {
        let bits = bits(&value);
        if bits > MAX_BITS {
            Err(self.error(&format!("a number of {bits} bits is over the cap of {MAX_BITS}")))
        } else {
            Ok(value)
        }
    }

    fn sum(&mut self) -> Result<IBig, Error> {
        let mut sum = self.product()?;
        loop {
            if self.takes("+") {
                sum += self.product()?;
            } else if self.takes("-") {
                sum -= self.product()?;
            } else {
                return Ok(sum);
            }
            sum = self.checked(sum)?;
        }
    }

    fn product(&mut self) -> Result<IBig, Error> {
        let mut product = self.power()?;
        loop {
            let star = self.text[self.at..].starts_with(b"**");
            if !star && self.takes("*") {
                let factor = self.power()?;
                product = self.checked(product * factor)?;
            } else if self.takes("/") {
                let place = self.at;
                let divisor = self.power()?;
                if divisor == IBig::ZERO || &product % &divisor != IBig::ZERO {
                    self.at = place;
                    return Err(self.error("the division is not exact"));
                }
                product /= divisor;
            } else {
                return Ok(product);
            }
        }
    }

    fn power(&mut self) -> Result<IBig, Error> {
        let base = self.atom()?;
        if !(self.takes("**") || self.takes("^")) {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("too many powers of powers"));
        }
        let place = self.at;
        let power = self.power()?;
        self.depth -= 1;
        let small = usize::try_from(&power).ok().filter(|&power| power.saturating_mul(bits(&base)) <= 2 * MAX_BITS);
        let Some(power) = small else {
            self.at = place;
            return Err(self.error("expected a power from 0 on that fits"));
        };
        self.checked(base.pow(power))
    }

    fn atom(&mut self) -> Result<IBig, Error> {
        if self.takes("-") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.error("too many signs"));
            }
            let value = -self.power()?;
            self.depth -= 1;
            return Ok(value);
        }
        if self.takes("(") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.error("too many parentheses"));
            }
            let value = self.sum()?;
            self.depth -= 1;
            return if self.takes(")") { Ok(value) } else { Err(self.error("expected )")) };
        }
        self.space();
        let hexadecimal = self.takes("0x") || self.takes("0X");
        let start = self.at;
        let digit =
            |byte: &u8| *byte == b'_' || if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
        while self.text.get(self.at).is_some_and(digit) {
            self.at += 1;
        }
        let digits: String = self.text[start..self.at].iter().filter(|&&b| b != b'_').map(|&b| char::from(b)).collect();
        // A decimal digit has more than 3 bits, a hexadecimal one 4.
        if digits.len() > MAX_BITS / 3 {
            return Err(self.error("too many digits"));
        }
        let value = UBig::from_str_radix(&digits, if hexadecimal { 16 } else { 10 });
        value.map(IBig::from).map_err(|_| self.error("expected a number"))
    }
}

fn bits(value: &IBig) -> usize {
    use dashu_int::ops::BitTest;
    value.bit_len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_their_value() {
        let cases = [
            ("2^255-21", (UBig::ONE << 255usize) - UBig::from(21u8)),
            ("(2 ^ 8 - 4) / 4", UBig::from(63u8)),
            ("2**3**2", UBig::from(512u32)),
            ("0xff * 2 + 1_000", UBig::from(1510u32)),
            ("-(1 - 3) * 7", UBig::from(14u8)),
            ("12/4/3", UBig::ONE),
        ];
        for (text, value) in cases {
            assert_eq!(crate::number(&evaluate(text).unwrap()), value, "{text}");
        }
    }

    #[test]
    fn what_is_no_exponent_is_an_error() {
        for text in
            ["", "1-1", "1-2", "5/2", "1/0", "2^", "(2", "2)", "x", "0x", "2^65537", "2^(0-1)", "9^99999999", "1 2"]
        {
            assert!(matches!(evaluate(text), Err(Error::BadArgument(_))), "{text}");
        }
        assert!(evaluate(&"(".repeat(100_000)).is_err());
        assert!(evaluate(&"2^".repeat(100_000)).is_err());
        assert!(evaluate(&"-".repeat(100_000)).is_err());
    }
}
