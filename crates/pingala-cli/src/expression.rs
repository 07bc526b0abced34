//! Numbers as people type them on a command line: `2**127-1`, `2^127-1`, `1_000`, `1e9`.
//!
//! ```text
//! expression = [sign] product { sign product }
//! product    = power { "*" power }
//! power      = literal [ ("**" | "^") power ]
//! literal    = digits [ "e" digits ] | "0x" hexadecimal digits
//! ```
//!
//! Digits may have single underscores between them, and white space may stand around operators. `-2**2` is -(2**2), `2**3**2` is
//! 2**(3**2). Every length is bounded from below before anything is computed, so that what is over the cap takes no time.

use pingala::{Integer, Limits, Modulus, Natural};

/// Room above the cap for what is taken off again, as in `2**cap-1`.
const SPARE_BITS: u64 = 64;
/// The longest power whose base is no power of two: a longer one takes long.
const POWER_BITS: u64 = 1 << 20;

/// Why text is no number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// What was expected at this byte.
    Syntax(usize, &'static str),
    /// More bits than the cap, by an estimate from below.
    TooLong {
        /// At least so many bits.
        bits: u64,
        /// The cap.
        cap: u64,
    },
}

/// Computes an expression of at most so many bits.
pub(crate) fn evaluate(text: &str, cap_bits: u64) -> Result<Integer, Flaw> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, cap_bits };
    let value = parser.expression()?;
    if parser.at < text.len() {
        return Err(Flaw::Syntax(parser.at, parser.expected()));
    }
    match value.magnitude().bits() {
        bits if bits > cap_bits => Err(Flaw::TooLong { bits, cap: cap_bits }),
        _ => Ok(value),
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    cap_bits: u64,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Takes the mark if it is next.
    fn takes(&mut self, mark: &str) -> bool {
        let found = self.text[self.at..].starts_with(mark.as_bytes());
        if found {
            self.at += mark.len();
        }
        found
    }

    /// What could stand here.
    fn expected(&self) -> &'static str {
        match self.text[..self.at].last() {
            Some(last) if last.is_ascii_digit() => "expected a decimal digit",
            _ => "expected one of + - * ** ^",
        }
    }

    /// -1, 1, or 0 where no sign is next.
    fn sign(&mut self) -> i8 {
        self.skip_space();
        match () {
            () if self.takes("-") => -1,
            () if self.takes("+") => 1,
            () => 0,
        }
    }

    fn expression(&mut self) -> Result<Integer, Flaw> {
        let mut negative = self.sign() < 0;
        let mut sum = Integer::from(Natural::default());
        loop {
            self.skip_space();
            let product = self.product()?;
            sum = add(&sum, &Integer::new(negative, product));
            self.check(sum.magnitude().bits())?;
            negative = match self.sign() {
                0 => return Ok(sum),
                sign => sign < 0,
            };
        }
    }

    fn product(&mut self) -> Result<Natural, Flaw> {
        let mut product = self.power()?;
        loop {
            self.skip_space();
            if !self.takes("*") {
                return Ok(product);
            }
            self.skip_space();
            let factor = self.power()?;
            product = self.multiply(&product, &factor)?;
        }
    }

    /// Powers of powers, from the right.
    fn power(&mut self) -> Result<Natural, Flaw> {
        let mut tower = vec![self.literal()?];
        loop {
            self.skip_space();
            if !(self.takes("**") || self.takes("^")) {
                break;
            }
            self.skip_space();
            tower.push(self.literal()?);
        }
        let top = tower.pop().unwrap_or_default();
        tower.iter().rev().try_fold(top, |exponent, base| self.raise(base, &exponent))
    }

    fn multiply(&self, a: &Natural, b: &Natural) -> Result<Natural, Flaw> {
        let bits = a.bits() + b.bits();
        self.check(bits.saturating_sub(1))?;
        // A product below 2^bits is exact modulo it.
        let modulus = Modulus::with_limits(power_of_two(bits), &Limits::new(bits + 1, 1));
        let modulus = modulus.map_err(|_| Flaw::TooLong { bits, cap: self.cap_bits })?;
        Ok(modulus.mul(&a.into(), &b.into()))
    }

    fn raise(&self, base: &Natural, exponent: &Natural) -> Result<Natural, Flaw> {
        if exponent.is_zero() || base.is_one() {
            return Ok(Natural::from(1u64));
        }
        if base.is_zero() {
            return Ok(Natural::default());
        }
        let count = match exponent.limbs() {
            [count] => *count,
            _ => u64::MAX,
        };
        let least_bits = (base.bits() - 1).saturating_mul(count).saturating_add(1);
        self.check(least_bits)?;
        if base.weight() == 1 {
            return Ok(power_of_two(base.trailing_zeros() * count));
        }
        if least_bits > POWER_BITS {
            return Err(Flaw::TooLong { bits: least_bits, cap: POWER_BITS });
        }
        let mut power = base.clone();
        for position in (0..exponent.bits() - 1).rev() {
            power = self.multiply(&power, &power)?;
            if exponent.bit(position) {
                power = self.multiply(&power, base)?;
            }
        }
        Ok(power)
    }

    fn literal(&mut self) -> Result<Natural, Flaw> {
        if self.takes("0x") || self.takes("0X") {
            let digits = self.digits(u8::is_ascii_hexdigit, "expected a hexadecimal digit")?;
            return self.read(&format!("0x{digits}"));
        }
        let digits = self.digits(u8::is_ascii_digit, "expected a decimal digit")?;
        let value = self.read(&digits)?;
        if !(self.takes("e") || self.takes("E")) {
            return Ok(value);
        }
        let zeros = self.digits(u8::is_ascii_digit, "expected a decimal digit")?;
        let power = self.raise(&Natural::from(10u64), &self.read(&zeros)?)?;
        self.multiply(&value, &power)
    }

    /// Digits without the underscores between them.
    fn digits(&mut self, is_digit: fn(&u8) -> bool, expected: &'static str) -> Result<String, Flaw> {
        let mut digits = String::new();
        loop {
            match self.text.get(self.at) {
                Some(digit) if is_digit(digit) => digits.push(char::from(*digit)),
                // Between two digits only.
                Some(b'_') if !digits.is_empty() && self.text.get(self.at + 1).is_some_and(is_digit) => {}
                _ if digits.is_empty() => return Err(Flaw::Syntax(self.at, expected)),
                _ => return Ok(digits),
            }
            self.at += 1;
        }
    }

    fn read(&self, digits: &str) -> Result<Natural, Flaw> {
        match Integer::parse_capped(digits, self.cap_bits + SPARE_BITS) {
            Ok(value) => Ok(value.into_magnitude()),
            Err(pingala::Error::TooLong { length, .. }) => Err(Flaw::TooLong { bits: length, cap: self.cap_bits }),
            Err(_) => Err(Flaw::Syntax(self.at, "expected a number")),
        }
    }

    fn check(&self, bits: u64) -> Result<(), Flaw> {
        let cap = self.cap_bits;
        if bits > cap.saturating_add(SPARE_BITS) { Err(Flaw::TooLong { bits, cap }) } else { Ok(()) }
    }
}

fn power_of_two(count: u64) -> Natural {
    let mut limbs = vec![0; count as usize / 64 + 1];
    limbs[count as usize / 64] = 1 << (count % 64);
    Natural::from_limbs(&limbs)
}

fn add(a: &Integer, b: &Integer) -> Integer {
    let (x, y) = (a.magnitude(), b.magnitude());
    if a.is_negative() == b.is_negative() {
        return Integer::new(a.is_negative(), combine(x, y, |x, y, carry| (x + y + carry, (x + y + carry) >> 64)));
    }
    let (larger, smaller, negative) = if x >= y { (x, y, a.is_negative()) } else { (y, x, b.is_negative()) };
    let difference = combine(larger, smaller, |x, y, borrow| (x.wrapping_sub(y + borrow), u128::from(x < y + borrow)));
    Integer::new(negative, difference)
}

/// Limb by limb from the lowest: each step gives 64 bits and what it carries.
fn combine(x: &Natural, y: &Natural, step: impl Fn(u128, u128, u128) -> (u128, u128)) -> Natural {
    let (x, y) = (x.limbs(), y.limbs());
    let limb = |limbs: &[u64], index: usize| u128::from(limbs.get(index).copied().unwrap_or(0));
    let mut carried = 0;
    let limbs = (0..=x.len().max(y.len())).map(|index| {
        let (sum, carry) = step(limb(x, index), limb(y, index), carried);
        carried = carry;
        sum as u64
    });
    Natural::from_limbs(&limbs.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> String {
        evaluate(text, 4096).unwrap_or_else(|flaw| panic!("{text}: {flaw:?}")).to_string()
    }

    #[test]
    fn expressions_are_exact() {
        for (text, want) in [
            ("0", "0"),
            ("-5", "-5"),
            ("+5", "5"),
            ("1_000", "1000"),
            ("0xff_ff", "65535"),
            ("1e9", "1000000000"),
            ("25E3", "25000"),
            ("0e5", "0"),
            ("2**127-1", "170141183460469231731687303715884105727"),
            ("2^127 - 1", "170141183460469231731687303715884105727"),
            ("-2**2", "-4"),
            ("2**3**2", "512"),
            ("3**40", "12157665459056928801"),
            ("10**20", "100000000000000000000"),
            ("2 * 3 + 4 * 5", "26"),
            ("1 - 2 - 3", "-4"),
            ("2**64 - 2**64", "0"),
            ("0x10000000000000000-1", "18446744073709551615"),
            ("18446744073709551615+1", "18446744073709551616"),
            ("5*0", "0"),
            ("7**0*3", "3"),
            ("0**5", "0"),
            ("1**99999999999999999999999999", "1"),
        ] {
            assert_eq!(value(text), want, "{text}");
        }
    }

    /// Against sums and products of 128 bits.
    #[test]
    fn sums_and_products_agree_with_those_of_the_machine() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from(state >> 20 >> (state % 40))
        };
        for _ in 0..200 {
            let [a, b, c] = [next(), next(), next()];
            assert_eq!(value(&format!("{a}*{b}-{c}")), (a * b - c).to_string());
            assert_eq!(value(&format!("-{a}+{b}-{c}*{a}")), (-a + b - c * a).to_string());
        }
    }

    #[test]
    fn what_is_no_number_says_where() {
        for (text, at) in [
            ("", 0),
            ("-", 1),
            ("1_", 1),
            ("_1", 0),
            ("1__0", 1),
            ("ff", 0),
            ("12x", 2),
            ("2**", 3),
            ("2**-1", 3),
            ("1e-3", 2),
            ("1.5", 1),
            ("0x", 2),
            ("(2)", 0),
            ("2 3", 2),
        ] {
            match evaluate(text, 4096) {
                Err(Flaw::Syntax(position, _)) => assert_eq!(position, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    /// In no time: the length is known before the number.
    #[test]
    fn lengths_are_capped_before_anything_is_computed() {
        assert_eq!(evaluate("2**4096-1", 4096).unwrap().magnitude().bits(), 4096);
        for text in
            ["2**4096", "9**9**9**9", "2**99999999999999999999999", "1e999999999999", "2**4000*2**4000", "10**1300"]
        {
            assert!(matches!(evaluate(text, 4096), Err(Flaw::TooLong { cap: 4096, .. })), "{text}");
        }
        assert!(matches!(evaluate("3**60000000", 1 << 26), Err(Flaw::TooLong { cap: POWER_BITS, .. })));
    }
}
