//! Text with one row a line: lines of hostile streams, comma-separated values, JSON objects, what is compressed.

pub mod csv;
pub mod json;
pub mod lines;
mod unpack;
mod value;

pub use unpack::{Packing, packing, unpacked};
pub use value::Value;

use std::borrow::Cow;
use std::path::Path;

/// The text of a number that is hexadecimal whether it has its `0x` or not.
pub fn hexadecimal(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if digits.is_empty() || digits.starts_with(['-', '+']) || digits.starts_with("0x") || digits.starts_with("0X") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{sign}0x{digits}"))
}

/// What to type where the text of a number in data is hexadecimal without its `0x`, to stand behind a complaint.
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

/// What content that is no text of rows and no number is, where its first bytes tell.
pub fn foreign(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 6] = [
        (b"-----BEGIN", "a PEM block"),
        (b"PAR1", "a Parquet file"),
        (b"\x1f\x8b", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"PK\x03\x04", "a zip archive"),
        (b"SQLite format 3", "an SQLite database"),
    ];
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|&(_, what)| what)
}

/// The names of columns in a message: the first of them.
pub fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let first = names.iter().take(MOST).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{first} and {} more", names.len() - MOST) } else { first }
}

/// Text of somebody else's as a message shows it: shortened, and with control characters, and those that turn the direction of
/// writing, escaped.
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
mod tests {
    use super::*;

    #[test]
    fn digits_become_hexadecimal() {
        for (text, wanted) in [
            ("ff", "0xff"),
            ("-10", "-0x10"),
            ("0x1", "0x1"),
            ("-0X1", "-0X1"),
            (" 1e5\t", "0x1e5"),
            ("", ""),
            ("-", "-"),
            ("--1", "--1"),
        ] {
            assert_eq!(hexadecimal(text), wanted);
        }
        for (text, hinted) in
            [("ff", true), ("-1a", true), ("1e5", false), ("e5", true), ("12", false), ("xy", false), ("", false)]
        {
            assert_eq!(!hint(text).is_empty(), hinted, "{text}");
        }
    }

    #[test]
    fn a_terminal_obeys_nothing_that_is_shown() {
        assert_eq!(shown("g\u{e4}\t\u{1b}[31m\u{9b}\n\u{202e}"), "g\u{e4}\\t\\u{1b}[31m\\u{9b}\\n\\u{202e}");
        assert_eq!(shown(&"ab".repeat(1000)), format!("{}...{}", "ab".repeat(12), "ab".repeat(12)));
    }
}
