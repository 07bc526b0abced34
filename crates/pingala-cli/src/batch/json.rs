//! A row as one JSON object. Numbers stay text until they are read as integers, so that any size is exact.

use super::row::{NAMES, RowError, Text, Texts};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The texts of a row, from one line.
pub(crate) fn texts(line: &str) -> Texts<'_> {
    match serde_json::from_str::<Members<'_>>(line) {
        Ok(members) => members.texts(),
        Err(error) => {
            // The parser sees one line only, and calls it line 1.
            let text = error.to_string();
            let why = text.split(" at line ").next().unwrap_or_default();
            let flaw = RowError::bad_row(if line.trim_start().starts_with('[') {
                "not a JSON object: it is an array; expected one object a line, as in {\"base\":2,\"exponent\":10,\"modulus\":1000} \
                 (`jq -c '.[]'` makes lines of an array of objects)"
                    .to_string()
            } else {
                format!("not a JSON object: {why}, at byte {} of the line", error.column())
            });
            Texts { flaw: Some(flaw), ..Texts::default() }
        }
    }
}

/// Names that mean something, in the order of [`NAMES`].
#[derive(Clone, Copy, serde::Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Name {
    Base,
    Exponent,
    Modulus,
    Id,
    Expected,
    #[serde(other)]
    Other,
}

/// The members of one object, as they stand in the line.
#[derive(Default)]
struct Members<'a> {
    values: [Option<&'a RawValue>; 5],
    twice: Option<Name>,
}

impl<'a> Members<'a> {
    fn texts(&self) -> Texts<'a> {
        let [base, exponent, modulus, id, expected] = self.values;
        let mut flaw = self.twice.map(|name| RowError::bad_row(format!("{} is given twice", NAMES[name as usize])));
        let id = id.filter(|id| {
            let is_scalar = !id.get().starts_with(['{', '[']);
            if !is_scalar {
                flaw = Some(RowError::bad_row("id is neither text nor a number"));
            }
            is_scalar
        });
        Texts {
            base: base.map(text),
            exponent: exponent.map(text),
            modulus: modulus.map(text),
            expected: expected.filter(|value| value.get() != "null").map(text),
            id: id.map(|id| id.get().into()),
            flaw,
        }
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

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Members::default();
                while let Some(name) = map.next_key::<Name>()? {
                    match members.values.get_mut(name as usize) {
                        None => {
                            map.next_value::<IgnoredAny>()?;
                        }
                        Some(place) => {
                            let value = map.next_value()?;
                            if place.replace(value).is_some() {
                                members.twice = Some(name);
                            }
                        }
                    }
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Object)
    }
}
