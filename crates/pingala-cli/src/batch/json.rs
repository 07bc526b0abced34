//! A row as one JSON object. Numbers stay text until they are read as integers, so that any size is exact.

use super::row::{NAMES, RowError, Sources, Text, Texts};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The texts of a row, from one line.
pub(crate) fn texts<'a>(line: &'a str, sources: &'a Sources) -> Texts<'a> {
    let mut json = serde_json::Deserializer::from_str(line);
    let members = Object(sources).deserialize(&mut json).and_then(|members| json.end().map(|()| members));
    match members {
        Ok(members) => members.texts(sources),
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

/// The members of one object, as they stand in the line.
#[derive(Default)]
struct Members<'a> {
    values: [Option<&'a RawValue>; 5],
    twice: Option<usize>,
}

impl<'a> Members<'a> {
    fn texts(&self, sources: &'a Sources) -> Texts<'a> {
        let [base, exponent, modulus, id, expected] = self.values;
        let mut flaw = self.twice.map(|name| RowError::bad_row(format!("{} is given twice", NAMES[name])));
        let id = id.filter(|id| {
            let is_scalar = !id.get().starts_with(['{', '[']);
            if !is_scalar {
                flaw = Some(RowError::bad_row("id is neither text nor a number"));
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

/// Reads the members that these names call.
#[derive(Clone, Copy)]
struct Object<'n>(&'n Sources);

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = Members<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        while let Some(place) = map.next_key_seed(Name(self.0))? {
            match place {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(name) => {
                    let value = map.next_value()?;
                    if members.values[name].replace(value).is_some() {
                        members.twice = Some(name);
                    }
                }
            }
        }
        Ok(members)
    }
}

/// The place of a member among the names that mean something.
struct Name<'n>(&'n Sources);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.place(name))
    }
}
