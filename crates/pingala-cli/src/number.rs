//! Numbers from the command line, from rows and from files: decimal or 0x hexadecimal, capped before they are read.

use crate::failure::{Failure, plain};
use pingala_chains::ParseError;
use pingala_core::files::read_to_cap;
use pingala_core::{Error, Integer, Limits, Modulus, SecretExponent};
use pingala_rows::text::{foreign, shown};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// The field of a call that a number is for; it decides the cap and names the place in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// Any integer. Capped at the longer of the two caps, since it is reduced first.
    Base,
    /// Any integer.
    Exponent,
    /// The exponent of a chain, which has a fixed cap.
    OfChain,
    /// At least 1; anything else is refused by [`modulus`].
    Modulus,
    /// One to test, to start a search from, or to prove, as long as a modulus at most.
    Number,
    /// The result that a proof is for, as long as a modulus at most.
    Result,
}

impl Field {
    /// Its name in JSON, in the header of CSV, and in errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Field::Base => "base",
            Field::Exponent | Field::OfChain => "exponent",
            Field::Modulus => "modulus",
            Field::Number => "number",
            Field::Result => "result",
        }
    }

    /// The error of a number over the cap of its field, with the option that raises the cap.
    pub(crate) fn too_long(self, length: u64, cap: u64) -> Failure {
        let error = Error::TooLong { what: self.name(), length, cap };
        let option = match self {
            Field::Exponent => "--max-exponent-bits",
            // A base may be as long as the longer of the two.
            Field::Base | Field::Modulus | Field::Number | Field::Result => "--max-modulus-bits",
            Field::OfChain => return error.into(),
        };
        Failure::Failed(error.code(), format!("{error}; {option} raises it"))
    }

    fn cap_bits(self, limits: &Limits) -> u64 {
        match self {
            Field::Modulus | Field::Number | Field::Result => limits.modulus_bits,
            Field::Exponent | Field::OfChain => limits.exponent_bits,
            Field::Base => limits.modulus_bits.max(limits.exponent_bits),
        }
    }
}

/// Reads a number within the cap of its field.
pub(crate) fn parse(text: &str, field: Field, limits: &Limits) -> Result<Integer, Error> {
    Integer::parse_capped(text, field.cap_bits(limits)).map_err(|error| match error {
        Error::TooLong { length, cap, .. } => Error::TooLong { what: field.name(), length, cap },
        other => other,
    })
}

/// A number of the command line.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) value: Integer,
    /// Whether it was written so.
    pub(crate) hexadecimal: bool,
}

/// Reads a number from the command line, from the file that it names by `@`, or, for `-`, from standard input. Errors name the field
/// and quote the number, shortened.
pub(crate) fn argument(text: &str, field: Field, limits: &Limits) -> Result<Number, Failure> {
    // A minus may start a number, so what is no option arrives here.
    if text.starts_with("--") {
        return Err(Failure::Usage(format!("there is no option {text}")));
    }
    if text == "-" {
        return of_stream(io::stdin().lock(), "standard input", field, limits);
    }
    if let Some(path) = text.strip_prefix('@') {
        let file = File::open(path).map_err(|error| Failure::of_file("read", Path::new(path), &error))?;
        return of_stream(file, path, field, limits);
    }
    let value = pingala_chains::integer(text, field.cap_bits(limits)).map_err(|error| match error {
        ParseError::Syntax(position, expected) => {
            let (name, hint) = (field.name(), hint(text).unwrap_or_default());
            Failure::Usage(format!("{name}: '{}' is not a number: {expected} at byte {position}{hint}", shown(text)))
        }
        ParseError::TooLong { bits, cap } => field.too_long(bits, cap),
    })?;
    Ok(Number { value, hexadecimal: is_hexadecimal(text) })
}

/// Whether this is no number of the command line.
pub(crate) fn is_none(text: &str, limits: &Limits) -> bool {
    !text.starts_with(['-', '@'])
        && matches!(pingala_chains::integer(text, limits.modulus_bits), Err(ParseError::Syntax(..)))
}

/// Reads a modulus, and whether it was written in hexadecimal.
pub(crate) fn modulus(text: &str, limits: &Limits) -> Result<(Modulus, bool), Failure> {
    let number = argument(text, Field::Modulus, limits)?;
    Ok((Modulus::with_limits(pingala_rows::modulus(number.value)?, limits)?, number.hexadecimal))
}

/// The number that is all of a stream but the white space around it.
fn of_stream(stream: impl Read, name: &str, field: Field, limits: &Limits) -> Result<Number, Failure> {
    let failed =
        |why: &dyn std::fmt::Display| Failure::Failed("not_a_number", format!("{}: {name} {why}", field.name()));
    // A decimal digit carries 3.3 bits, and some room for white space.
    let cap_bytes = field.cap_bits(limits) / 3 + 1024;
    let bytes = read_to_cap(stream, cap_bytes);
    let bytes = bytes.map_err(|error| failed(&format_args!("cannot be read: {}", plain(&error))))?;
    if let Some(what) = foreign(&bytes) {
        return Err(failed(&format_args!("holds {what}; expected one decimal or 0x hexadecimal number")));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| failed(&"contains bytes that are not text"))?.trim();
    if text.is_empty() {
        return Err(failed(&"is empty; expected one decimal or 0x hexadecimal number"));
    }
    let value = parse(text, field, limits).map_err(|error| match error {
        Error::NotANumber { .. } => {
            failed(&format_args!("holds '{}': {error}{}", shown(text), hint(text).unwrap_or_default()))
        }
        Error::TooLong { length, cap, .. } => field.too_long(length, cap),
        other => other.into(),
    })?;
    Ok(Number { value, hexadecimal: is_hexadecimal(text) })
}

/// Says what to type where hexadecimal digits stand without their 0x, and where digits are of another radix.
pub(crate) fn hint(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if let Some(radix @ ("0b" | "0B" | "0o" | "0O")) = digits.get(..2)
        && digits[2..].bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    {
        let name = if radix.eq_ignore_ascii_case("0b") { "binary" } else { "octal" };
        return Some(format!("; {name} numbers are not read: decimal or 0x hexadecimal"));
    }
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'_');
    (is_hexadecimal && digits.bytes().any(|byte| byte.is_ascii_alphabetic()))
        .then(|| format!("; hexadecimal starts with 0x: {}", shown(&format!("{sign}0x{digits}"))))
}

/// Whether text is meant as hexadecimal.
pub(crate) fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    // The second byte first: whether a secret's first digit is 0 decides nothing.
    digits.as_bytes().get(1).is_some_and(|second| matches!(second, b'x' | b'X')) && digits.starts_with('0')
}

/// A secret number's text, wiped when dropped. White space around it, such as a last newline, is no part of it.
pub(crate) struct SecretText {
    text: Zeroizing<Vec<u8>>,
    field: Field,
}

impl SecretText {
    /// Reads a file, or standard input for `-`; refuses one that is longer than any number within the field's cap.
    pub(crate) fn read(path: &Path, field: Field, limits: &Limits) -> Result<Self, Failure> {
        // A decimal digit carries 3.3 bits, and some room for white space.
        Ok(Self { text: read_secret(path, field.cap_bits(limits) / 3 + 1024)?, field })
    }

    /// An error, which names the position and never shows the text.
    fn refused(&self, why: &str) -> Failure {
        Failure::Failed("bad_secret", format!("the secret {}'s file holds {why}", self.field.name()))
    }

    /// The text, if it may be a number.
    fn digits(&self) -> Result<&str, Failure> {
        if let Some(what) = foreign(self.text.trim_ascii_start()) {
            let how = match what {
                "a PEM block" => "; `openssl pkey -in FILE -noout -text` shows the numbers of a key",
                _ => "",
            };
            return Err(self.refused(&format!("{what}, expected one decimal or 0x hexadecimal number{how}")));
        }
        Ok(std::str::from_utf8(&self.text).map_err(|_| self.refused("bytes that are not text"))?.trim())
    }

    /// The exponent with this declared width. No plain number is made on the way.
    pub(crate) fn exponent(&self, exponent_bits: u64, limits: &Limits) -> Result<SecretExponent, Failure> {
        let text = self.digits()?;
        if text.starts_with('-') {
            return Err(self.refused("a negative number"));
        }
        let exponent = SecretExponent::parse_capped(text, exponent_bits, limits.exponent_bits);
        exponent.map_err(|error| match error {
            Error::NotANumber { .. } => self.refused(&error.to_string()),
            Error::BadSecret(_) => {
                let hint = "declare its width with --exponent-bits";
                Failure::Failed("bad_secret", format!("{error} ({exponent_bits} bits); {hint}"))
            }
            other => other.into(),
        })
    }

    /// The base, wiped when dropped.
    pub(crate) fn base(&self, limits: &Limits) -> Result<Zeroizing<Integer>, Failure> {
        Integer::parse_secret(self.digits()?, self.field.cap_bits(limits)).map_err(|error| match error {
            Error::NotANumber { .. } => self.refused(&error.to_string()),
            Error::TooLong { what: "number", length, cap } => {
                Error::TooLong { what: self.field.name(), length, cap }.into()
            }
            other => other.into(),
        })
    }

    /// Whether the text is hexadecimal: like the notation of the other numbers this is public.
    pub(crate) fn is_hexadecimal(&self) -> bool {
        std::str::from_utf8(&self.text).is_ok_and(|text| is_hexadecimal(text.trim()))
    }
}

/// What stands in a file, or in standard input for `-`; refuses more than the cap.
pub(crate) fn read_secret(path: &Path, cap_bytes: u64) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let text = if path.as_os_str() == "-" {
        unbuffered_input().and_then(|input| read_wiped(input, cap_bytes))
    } else {
        File::open(path).and_then(|file| read_wiped(file, cap_bytes))
    };
    match text {
        Ok(Some(text)) => Ok(text),
        Ok(None) => {
            Err(Failure::Failed("too_long", format!("the file with the secret is longer than {cap_bytes} bytes")))
        }
        Err(error) => Err(Failure::of_file("read", path, &error)),
    }
}

/// Standard input without the buffer of Rust, which cannot be wiped.
#[cfg(unix)]
fn unbuffered_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Standard input without the buffer of Rust, which cannot be wiped.
#[cfg(windows)]
fn unbuffered_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

#[cfg(not(any(unix, windows)))]
fn unbuffered_input() -> io::Result<impl Read> {
    Ok(io::stdin().lock())
}

/// Reads at most `cap_bytes`, `None` beyond. The buffer grows by hand, so that each one that is given up is wiped.
fn read_wiped(mut source: impl Read, cap_bytes: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    const STEP_BYTES: usize = 1 << 16;
    let cap_bytes = usize::try_from(cap_bytes).unwrap_or(usize::MAX - 1);
    let mut text = Zeroizing::new(Vec::with_capacity(STEP_BYTES));
    let mut used = 0;
    loop {
        if used == text.len() {
            if used > cap_bytes {
                return Ok(None);
            }
            // A longer buffer is a new one. Dropping the old one wipes it.
            let mut longer = Zeroizing::new(Vec::with_capacity(used * 2 + STEP_BYTES));
            longer.extend_from_slice(&text);
            longer.resize(used * 2 + STEP_BYTES, 0);
            text = longer;
        }
        match source.read(&mut text[used..]) {
            Ok(0) => break,
            Ok(count) => used += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(io::Error::new(error.kind(), plain(&error))),
        }
    }
    text.truncate(used);
    Ok((used <= cap_bytes).then_some(text))
}
