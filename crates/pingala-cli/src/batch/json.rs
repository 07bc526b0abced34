//! A row as one JSON object.

use super::row::{RowError, Sources, Text, Texts};
use pingala_rows::text::json::{Flaw, members};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The texts of a row, from one line.
pub(crate) fn texts<'a>(line: &'a str, sources: &'a Sources) -> Texts<'a> {
    let mut values = [None; 5];
    let mut flaw = match members(line, &|name| sources.place(name), &mut values) {
        Ok(()) => None,
        Err(flaw @ Flaw::NotAnObject(_)) => {
            let flaw = RowError::bad_row(flaw.sentence("not a JSON object"));
            return Texts { flaw: Some(flaw), ..Texts::default() };
        }
        Err(flaw @ Flaw::Twice(_)) => Some(RowError::bad_row(flaw.sentence(""))),
    };
    // One field may be two arguments.
    for place in 0..values.len() {
        values[place] = sources.place(&sources.names[place]).and_then(|first| values[first]);
    }
    let [base, exponent, modulus, id, expected]: [Option<&'a RawValue>; 5] = values;
    let id = id.filter(|id| {
        let is_scalar = !id.get().starts_with(['{', '[']);
        if !is_scalar {
            flaw.get_or_insert_with(|| RowError::bad_row("id is neither text nor a number"));
        }
        is_scalar
    });
    Texts {
        base: base.map(text).or_else(|| sources.value(0)),
        exponent: exponent.map(text).or_else(|| sources.value(1)),
        modulus: modulus.map(text).or_else(|| sources.value(2)),
        expected: expected.filter(|value| value.get() != "null").map(text),
        id: id.map(|id| id.get().into()),
        flaw,
    }
}

fn text(value: &RawValue) -> Text<'_> {
    let raw = value.get();
    match raw.as_bytes()[0] {
        b'"' if !raw.contains('\\') => Text::Number(Cow::Borrowed(&raw[1..raw.len() - 1])),
        b'"' => match serde_json::from_str(raw) {
            Ok(text) => Text::Number(Cow::Owned(text)),
            Err(_) => Text::Other("text with half of a surrogate pair"),
        },
        b'{' => Text::Other("an object"),
        b'[' => Text::Other("a list"),
        b't' | b'f' => Text::Other("true or false"),
        b'n' => Text::Other("null"),
        _ => Text::Number(Cow::Borrowed(raw)),
    }
}
