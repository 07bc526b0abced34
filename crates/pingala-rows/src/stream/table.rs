//! The lines of a stream as CSV: the members of their objects are the columns.

use crate::error::{Error, Result};
use crate::text::Value;
use crate::text::csv::push_field;
use crate::text::json::members;

/// The columns behind those of the task: whether the result is the expected one, the code of an error, and its message.
const LAST: [&str; 3] = ["match", "error", "message"];

/// Writes rows of CSV in place of the JSON objects of a stream.
#[derive(Clone, Debug)]
pub struct Csv {
    /// `id`, those of the task, [`LAST`], and the place of an error.
    columns: Vec<&'static str>,
    delimiter: char,
}

impl Csv {
    /// Rows with these columns between `id` and `match`. The last column, `line` or `row`, has the place of a row with an error.
    pub fn new(columns: &[&'static str], place: &'static str, delimiter: char) -> Self {
        let columns = ["id"].into_iter().chain(columns.iter().copied()).chain(LAST).chain([place]);
        Self { columns: columns.collect(), delimiter }
    }

    /// The first line.
    pub fn header(&self) -> String {
        let mut text = String::new();
        self.line(&mut text, self.columns.iter().map(|&name| Some(name.to_string())));
        text
    }

    /// The rows of these lines of JSON.
    pub fn rows(&self, lines: &str) -> Result<String> {
        let mut text = String::with_capacity(lines.len());
        for line in lines.lines() {
            let mut values = self.members(line)?;
            if let [.., error, message, place] = values.as_mut_slice()
                && let Some(Value::Json(object)) = error.take()
            {
                let names = ["code", "message", self.columns[self.columns.len() - 1]];
                let mut found = [const { None }; 3];
                let member = |name: &str| names.iter().position(|&member| member == name);
                members(object, &member, &mut found).map_err(broken)?;
                [*error, *message, *place] = found;
            }
            let fields = values.iter().map(|value| value.as_ref().filter(|value| !value.is_null()).map(field));
            self.line(&mut text, fields.collect::<Vec<_>>().into_iter());
        }
        Ok(text)
    }

    fn members<'a>(&self, object: &'a str) -> Result<Vec<Option<Value<'a>>>> {
        let mut values = vec![None; self.columns.len()];
        members(object, &|name| self.columns.iter().position(|&column| column == name), &mut values).map_err(broken)?;
        Ok(values)
    }

    fn line(&self, text: &mut String, fields: impl Iterator<Item = Option<String>>) {
        for (place, field) in fields.enumerate() {
            if place > 0 {
                text.push(self.delimiter);
            }
            if let Some(field) = field {
                push_field(text, &field, self.delimiter);
            }
        }
        text.push('\n');
    }
}

/// The lines are those that this crate has written.
fn broken(why: impl std::fmt::Display) -> Error {
    Error::bad_row(format!("a line of the results cannot be read: {why}"))
}

/// The text of a value; the texts of a list stand with blanks between.
fn field(value: &Value<'_>) -> String {
    let list = match value {
        Value::Json(raw) if raw.starts_with('[') => serde_json::from_str::<Vec<String>>(raw).ok(),
        _ => None,
    };
    match (list, value.text()) {
        (Some(list), _) => list.join(" "),
        (None, Ok(text)) => text.into_owned(),
        // Half of a surrogate pair has no other text than its raw one.
        (None, Err(_)) => value.json().into_string(),
    }
}
