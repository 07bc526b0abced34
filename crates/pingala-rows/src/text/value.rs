//! One value of a row, before it is interpreted.

use super::shown;
use crate::seal::hex;
use pingala_core::Integer;
use std::borrow::Cow;

/// A value.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// A field of CSV, or a line.
    Field(Cow<'a, str>),
    /// The text of a JSON value.
    Json(&'a str),
    /// A whole number in a column of Parquet.
    Number(Integer),
    /// Bytes in a column of Parquet: an unsigned number, most significant byte first, or what they are.
    Bytes(Cow<'a, [u8]>),
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

    /// What it is, if it is no text: JSON that is no string, or a number of Parquet.
    pub fn not_text(&self) -> Option<&'static str> {
        match self {
            Value::Field(_) | Value::Bytes(_) => None,
            Value::Json(raw) if raw.starts_with('"') => None,
            Value::Json(_) | Value::Number(_) => Some(self.other().unwrap_or("a number")),
        }
    }

    /// Its beginning and its end, in quotes, for a message.
    pub fn quoted(&self) -> String {
        match self {
            Value::Json(raw) => format!("'{}'", shown(raw)),
            // Bytes of Parquet may be many, and their ends are enough.
            Value::Bytes(bytes) if bytes.len() > 64 => format!("bytes of length {}", bytes.len()),
            value => format!("'{}'", shown(&value.text().unwrap_or_default())),
        }
    }

    /// Its text: what quotes enclose, or what is written; of bytes their digits behind `0x`. Error: text that no encoding has, as half of a surrogate pair.
    pub fn text(&self) -> serde_json::Result<Cow<'_, str>> {
        match self {
            Value::Field(text) => Ok(Cow::Borrowed(text)),
            Value::Number(number) => Ok(number.to_string().into()),
            Value::Bytes(bytes) => Ok(format!("0x{}", hex(bytes)).into()),
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
            Value::Number(number) => number.to_string().into(),
            Value::Bytes(bytes) => format!("\"0x{}\"", hex(bytes)).into(),
        }
    }
}
