//! Text with one row a line: lines of hostile streams, comma-separated values, JSON objects, what is compressed.

pub mod csv;
pub mod json;
pub mod lines;
mod unpack;

pub use unpack::{Packing, packing, unpacked};

use std::path::Path;

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
    fn a_terminal_obeys_nothing_that_is_shown() {
        assert_eq!(shown("g\u{e4}\t\u{1b}[31m\u{9b}\n\u{202e}"), "g\u{e4}\\t\\u{1b}[31m\\u{9b}\\n\\u{202e}");
        assert_eq!(shown(&"ab".repeat(1000)), format!("{}...{}", "ab".repeat(12), "ab".repeat(12)));
    }
}
