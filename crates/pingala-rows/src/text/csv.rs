//! Comma-separated values (RFC 4180): a quoted field may hold delimiters, doubled quotes, and line ends.

use std::borrow::Cow;
use std::collections::HashSet;

/// Whether a record goes on after a line, from its lines one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quoting {
    /// At the start of a field.
    #[default]
    Start,
    /// In a field without quotes, or behind the closing quote of one with.
    Plain,
    /// Between quotes.
    Quoted,
    /// Behind a quote between quotes: the closing one, or the first of two.
    Quote,
}

impl Quoting {
    /// The state after one more line of the record, with `\n` if the record goes on.
    pub fn after(self, line: &[u8], delimiter: u8) -> Self {
        line.iter().fold(self, |state, &byte| match (state, byte) {
            (Quoting::Start, b'"') | (Quoting::Quote, b'"') => Quoting::Quoted,
            (Quoting::Quoted, b'"') => Quoting::Quote,
            (Quoting::Quoted, _) => Quoting::Quoted,
            (_, byte) if byte == delimiter => Quoting::Start,
            _ => Quoting::Plain,
        })
    }

    /// Whether the record goes on in the next line.
    pub fn is_open(self) -> bool {
        self == Quoting::Quoted
    }
}

/// The fields of one record, by an ASCII delimiter that is no quote; an error says what is wrong with it.
pub fn split(record: &str, delimiter: u8) -> Result<Vec<Cow<'_, str>>, String> {
    let delimiter = char::from(delimiter);
    let mut fields = Vec::new();
    let mut rest = record;
    loop {
        let behind = match rest.strip_prefix('"') {
            None => {
                let end = rest.find(delimiter).unwrap_or(rest.len());
                fields.push(Cow::Borrowed(&rest[..end]));
                &rest[end..]
            }
            Some(quoted) => {
                let (field, behind) = unquote(quoted).ok_or("a quote is never closed")?;
                fields.push(field);
                behind
            }
        };
        match behind.strip_prefix(delimiter) {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(fields),
            None => return Err(format!("text behind the closing quote of field {}", fields.len())),
        }
    }
}

/// Appends a field, in quotes if it needs them. An empty text has quotes, as a field without a value has none.
pub fn push_field(text: &mut String, value: &str, delimiter: char) {
    if value.is_empty() || value.contains([delimiter, '"', '\n', '\r']) {
        text.push('"');
        text.push_str(&value.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(value);
    }
}

/// The names of a header line, without white space around them. A name that is there twice is an error: two readers may take different
/// columns for it. Columns without a name are ignored.
pub fn header(record: &str, delimiter: u8) -> Result<Vec<String>, String> {
    let names: Vec<String> = split(record, delimiter)?.iter().map(|name| name.trim().to_string()).collect();
    let mut known = HashSet::new();
    match names.iter().find(|name| !name.is_empty() && !known.insert(name.as_str())) {
        Some(name) => Err(format!("the header names the column {} twice", super::shown(name))),
        None => Ok(names),
    }
}

/// The field that starts behind an opening quote, and what follows its closing one.
fn unquote(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let end = text.find('"')?;
    let (field, behind) = (&text[..end], &text[end + 1..]);
    if !behind.starts_with('"') {
        return Some((Cow::Borrowed(field), behind));
    }
    let mut whole = field.to_string();
    let mut rest = behind;
    while let Some(next) = rest.strip_prefix('"') {
        let end = next.find('"')?;
        whole.push('"');
        whole.push_str(&next[..end]);
        rest = &next[end + 1..];
    }
    Some((Cow::Owned(whole), rest))
}

#[cfg(test)]
#[path = "../../tests/inside/text/csv.rs"]
mod tests;
