//! Text with one row per line: lines of hostile streams, comma-separated values, JSON objects, packed streams.

pub mod csv;
pub mod json;
pub mod lines;
mod unpack;
mod value;

pub use unpack::unpacked;
pub use value::Value;

use crate::error::Error as Failure;
use pingala_core::{Error, Integer};
use std::borrow::Cow;
use std::path::Path;

/// The integer of a field, of at most `cap` bits. Text is decimal, or hexadecimal with 0x; with `is_hexadecimal` also without. ASCII
/// blanks around a number are no part of it, in whatever format it stands. Errors: `not_a_number`, which says what to write instead;
/// `too_long`.
pub(crate) fn number(name: &'static str, text: &str, is_hexadecimal: bool, cap: u64) -> Result<Integer, Failure> {
    let text = text.trim_ascii();
    let digits = if is_hexadecimal { hexadecimal(text) } else { Cow::Borrowed(text) };
    Integer::parse_capped(&digits, cap).map_err(|error| match error {
        Error::NotANumber { .. } if looks_like_a_float(text) && !is_hexadecimal => Failure::of(
            &error,
            format!("{name}: '{}' is not a number: a float; write integers out in full", shown(text)),
        ),
        Error::NotANumber { .. } => Failure::of(&error, format!("{name}: '{}' is {error}{}", shown(text), hint(text))),
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
    let text = text.trim_ascii();
    let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+'])));
    if digits.is_empty() || digits.starts_with(['-', '+']) || digits.starts_with("0x") || digits.starts_with("0X") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{sign}0x{digits}"))
}

/// What to type if a number in data is hexadecimal without `0x`, for the end of an error message; empty for other text.
pub fn hint(text: &str) -> &'static str {
    let digits = text.trim_ascii().trim_start_matches(['-', '+']).as_bytes();
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
    const MARKS: [(&[u8], &str); 18] = [
        (b"-----BEGIN", "a PEM block"),
        (b"PAR1", "a Parquet file"),
        (b"ARROW1\0", "an Arrow file"),
        (b"FEA1\0", "an Arrow file of the first version of Feather"),
        (b"\xff\xff\xff\xff", "a stream of Arrow"),
        (b"Obj\x01", "an Avro file"),
        (b"\x93NUMPY", "an array of NumPy"),
        (b"\x89HDF", "an HDF5 file"),
        (b"\xfd7zXZ\0", "xz"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\x04\x22\x4d\x18", "lz4"),
        (b"\xff\x06\0\0sNaPpY", "snappy"),
        (b"\x1f\x8b", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"PK\x03\x04", "a zip archive"),
        (b"SQLite format 3", "an SQLite database"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    let is_binary = || bytes.iter().any(|&byte| byte < b'\t');
    let marked = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|&(_, what)| what);
    match bytes {
        _ if marked.is_some() => marked,
        // These letters may begin a name.
        [b'O', b'R', b'C', ..] if is_binary() => Some(ORC),
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', b'&', b'S', b'Y', ..] => Some("bzip2"),
        [_, 0, _, 0, ..] | [0, _, 0, _, ..] => Some("UTF-16 text, or binary data"),
        _ => None,
    }
}

/// A kind of content.
pub(crate) const ORC: &str = "an ORC file";

/// What to do with content of a kind that [`foreign`] names, for the end of a message.
pub(crate) fn instead(what: &str) -> &'static str {
    match what {
        "a Parquet file" => "; `pingala job run` reads Parquet",
        "bzip2" | "xz" | "lz4" | "snappy" | "a zip archive" | "a 7z archive" => {
            "; unpack it, or pack it by gzip or zstd"
        }
        "an Arrow file"
        | "an Arrow file of the first version of Feather"
        | "a stream of Arrow"
        | "an ORC file"
        | "an Avro file" => "; write it as Parquet first",
        _ => "",
    }
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
