//! One value of a row of text, before anybody asks what it means.

use std::borrow::Cow;

/// A value.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// A field of CSV, or a line.
    Field(Cow<'a, str>),
    /// JSON as it is written.
    Json(&'a str),
}

impl Value<'_> {
    /// Whether it is the null of JSON.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Json("null"))
    }

    /// What it is, if it is neither text nor a number.
    pub fn other(&self) -> Option<&'static str> {
        let Value::Json(raw) = self else { return None };
        Some(match raw.as_bytes().first()? {
            b'{' => "an object",
            b'[' => "a list",
            b't' | b'f' => "true or false",
            b'n' => "null",
            _ => return None,
        })
    }

    /// Its text: what quotes enclose, or what is written. Error: text that no encoding has, as half of a surrogate pair.
    pub fn text(&self) -> serde_json::Result<Cow<'_, str>> {
        match self {
            Value::Field(text) => Ok(Cow::Borrowed(text)),
            Value::Json(raw) if !raw.starts_with('"') => Ok(Cow::Borrowed(raw)),
            Value::Json(raw) if !raw.contains('\\') => Ok(Cow::Borrowed(&raw[1..raw.len() - 1])),
            Value::Json(raw) => serde_json::from_str(raw).map(Cow::Owned),
        }
    }

    /// As JSON.
    pub fn json(&self) -> Box<str> {
        match self {
            Value::Field(text) => serde_json::Value::from(text.as_ref()).to_string().into(),
            Value::Json(raw) => (*raw).into(),
        }
    }
}
