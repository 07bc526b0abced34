//! Rows as comma-separated values: a header line names the columns.

use super::row::{RowError, Sources, Text, Texts};
use pingala_rows::text::csv::{header as names, split};
use pingala_rows::text::shown;
use std::borrow::Cow;

/// Where the columns stand.
#[derive(Debug)]
pub(crate) struct Columns {
    delimiter: u8,
    /// Of base, exponent and modulus, where they are no number for all rows.
    numbers: [Option<usize>; 3],
    id: Option<usize>,
    expected: Option<usize>,
    n_columns: usize,
}

impl Columns {
    /// From the header line: the names in any order, others beside them.
    pub(crate) fn of(header: &str, delimiter: u8, sources: &Sources) -> Result<Self, String> {
        let fields = names(header, delimiter)?;
        let optional = |name: &str| if name.is_empty() { None } else { fields.iter().position(|field| field == name) };
        let needed = |number: usize| {
            let name = &sources.names[number];
            let place = optional(name);
            if place.is_none() && sources.values[number].is_none() {
                let found = shown(header);
                return Err(format!(
                    "the header names no column {name}: it is '{found}'; expected names in lower case with commas between, as in base,exponent,modulus"
                ));
            }
            Ok(place)
        };
        Ok(Self {
            delimiter,
            numbers: [needed(0)?, needed(1)?, needed(2)?],
            id: optional("id"),
            expected: optional("expected"),
            n_columns: fields.len(),
        })
    }

    /// The texts of a row. An empty field is an absent one. White space around a number is no part of it.
    pub(crate) fn texts<'a>(&self, record: &'a str, sources: &'a Sources) -> Texts<'a> {
        let fields = match split(record, self.delimiter) {
            Ok(fields) => fields,
            Err(why) => return Texts { flaw: Some(RowError::bad_row(why)), ..Texts::default() },
        };
        let number = |place: usize| match fields.get(place).map(|field| trim(field.clone())) {
            Some(text) if !text.is_empty() => Some(Text::Number(text)),
            _ => None,
        };
        let of = |place: usize| self.numbers[place].map_or_else(|| sources.value(place), number);
        let id = self.id.and_then(|place| fields.get(place)).filter(|id| !id.is_empty());
        let flaw = (fields.len() != self.n_columns).then(|| {
            let (n_fields, n_columns) = (fields.len(), self.n_columns);
            RowError::bad_row(format!("the row has {n_fields} fields, the header {n_columns}"))
        });
        Texts {
            base: of(0),
            exponent: of(1),
            modulus: of(2),
            expected: self.expected.and_then(number),
            id: id.map(|id| serde_json::Value::from(id.as_ref()).to_string().into()),
            flaw,
        }
    }
}

fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_string()),
    }
}
