//! Text with one row per line: lines of hostile streams, comma-separated values, JSON objects, packed streams.

pub mod csv;
pub mod json;
pub mod lines;
mod unpack;
mod value;

pub use unpack::unpacked;
pub use value::Value;

use crate::error::Error as Failure;
use pingala::{Error, Integer};
use std::borrow::Cow;
use std::path::Path;

/// The integer of a field, of at most `cap` bits. Text is decimal, or hexadecimal with 0x; with `is_hexadecimal` also without. Errors:
/// `not_a_number`, which says what to write instead; `too_long`.
pub(crate) fn number(name: &'static str, text: &str, is_hexadecimal: bool, cap: u64) -> Result<Integer, Failure> {
    let digits = if is_hexadecimal { hexadecimal(text) } else { Cow::Borrowed(text) };
    Integer::parse_capped(&digits, cap).map_err(|error| match error {
        Error::NotANumber { .. } if looks_like_a_float(text) && !is_hexadecimal => {
            Failure::of(&error, format!("{name}: not a number: a float; write integers out in full"))
        }
        Error::NotANumber { .. } => Failure::of(&error, format!("{name}: {error}{}", hint(text))),
        Error::TooLong { length, cap, .. } => Error::TooLong { what: name, length, cap }.into(),
        other => other.into(),
    })
}

/// Whether text is a decimal float, such as `1.0`, `1e5` or `-2.5E+3`.
fn looks_like_a_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.contains(['.', 'e', 'E'])
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
}

/// The bytes of hexadecimal digits without 0x; none if they are not whole bytes.
pub(crate) fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let byte = |pair: &[u8]| Some((digit(&pair[0])? << 4 | digit(&pair[1])?) as u8);
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(byte).collect()).flatten()
}

/// The text of a number that is hexadecimal whether it has its `0x` or not.
pub fn hexadecimal(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if digits.is_empty() || digits.starts_with(['-', '+']) || digits.starts_with("0x") || digits.starts_with("0X") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{sign}0x{digits}"))
}

/// What to type if a number in data is hexadecimal without `0x`, for the end of an error message; empty for other text.
pub fn hint(text: &str) -> &'static str {
    let digits = text.trim().trim_start_matches('-').as_bytes();
    let is_hexadecimal = digits.iter().all(u8::is_ascii_hexdigit) && digits.iter().any(u8::is_ascii_alphabetic);
    // `1e5` is more likely a float.
    let is_float = matches!(digits.split(|&byte| byte | 0x20 == b'e').collect::<Vec<_>>()[..], [before, behind]
        if before.iter().chain(behind).all(u8::is_ascii_digit) && !before.is_empty());
    if is_hexadecimal && !is_float {
        "; hexadecimal starts with 0x, or --hex-input says that all numbers are hexadecimal"
    } else {
        ""
    }
}

/// Whether a file is CSV, and not JSON Lines, by its name; `.gz` and `.zst` are left out.
pub fn csv_by_name(path: &Path) -> Option<bool> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "jsonl" | "ndjson" | "json" => Some(false),
        "csv" => Some(true),
        "gz" | "zst" => csv_by_name(path.file_stem()?.as_ref()),
        _ => None,
    }
}

/// The kind of content that is neither rows of text nor a number, if its first bytes show it.
pub fn foreign(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 8] = [
        (b"-----BEGIN", "a PEM block"),
        (b"PAR1", "a Parquet file"),
        (b"\x1f\x8b", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"PK\x03\x04", "a zip archive"),
        (b"SQLite format 3", "an SQLite database"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|&(_, what)| what)
}

/// The names of columns in a message: the first of them.
pub fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let first = names.iter().take(MOST).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{first} and {} more", names.len() - MOST) } else { first }
}

/// Foreign text for a message: shortened, with control characters and marks of the direction of writing escaped.
pub fn shown(text: &str) -> String {
    const EACH_END: usize = 24;
    let n_chars = text.chars().count();
    if n_chars <= 2 * EACH_END + 3 {
        return escaped(text);
    }
    let head: String = text.chars().take(EACH_END).collect();
    let tail: String = text.chars().skip(n_chars - EACH_END).collect();
    format!("{}...{}", escaped(&head), escaped(&tail))
}

/// Text without characters that a terminal obeys.
pub fn escaped(text: &str) -> String {
    let obeyed = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        if obeyed(letter) { clean.extend(letter.escape_default()) } else { clean.push(letter) }
    }
    clean
}

#[cfg(test)]
#[path = "../../tests/inside/text/mod.rs"]
mod tests;
