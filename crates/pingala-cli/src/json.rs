//! `--json`: every answer is one object on one line of standard output, every error one object on one line of standard error. All of
//! them are made here. docs/command.md has the fields.

use crate::failure::Failure;
use crate::print;
use pingala_rows::ErrorRows;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::fmt::{Display, LowerHex};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether this run prints objects. Messages are printed in many places, and from the thread of the signals too.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Chooses between objects and text for all that is printed from here on.
pub(crate) fn choose(is_wanted: bool) {
    WANTED.store(is_wanted, Relaxed);
}

/// Whether answers and errors are objects.
pub(crate) fn is_wanted() -> bool {
    WANTED.load(Relaxed)
}

/// An object, whose fields keep their order. Names are in snake case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object(String);

impl Object {
    /// Without a field.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a field. What JSON has no word for, such as an infinite number, is null.
    pub(crate) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.0.push_str(if self.0.is_empty() { "\"" } else { ",\"" });
        self.0.push_str(name);
        self.0.push_str("\":");
        self.0.push_str(&serde_json::to_string(&value).unwrap_or_else(|_| "null".into()));
        self
    }

    /// Adds a field whose value is JSON already, such as an explanation.
    pub(crate) fn with_json(self, name: &str, json: &str) -> Self {
        self.with(name, RawValue::from_string(json.trim_end().into()).ok())
    }

    /// Adds a field that may have no value, which leaves it out.
    pub(crate) fn with_some(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Its line.
    pub(crate) fn line(&self) -> String {
        format!("{{{}}}\n", self.0)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(format!("{{{}}}", self.0)).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// A number of any size as text, hexadecimal unless `decimal`: programs round long numbers.
pub(crate) fn number(number: impl Display + LowerHex, decimal: bool) -> String {
    if decimal { number.to_string() } else { format!("{number:#x}") }
}

/// The object of an error: `{"error":{"code":"bad_file","message":"..."}}`, as rows without a result have it.
pub(crate) fn error(code: &str, message: &str) -> Object {
    Object::new().with("error", Object::new().with("code", code).with("message", message))
}

/// Adds the fields of rows without a result: their number, the number of each code, and the first of them.
pub(crate) fn errors(object: Object, errors: &ErrorRows) -> Object {
    object.with("errors", errors.rows).with("codes", &errors.codes).with("first_error", &errors.first)
}

/// Prints the answer of a command on standard output: as text, or with --json as an object.
pub(crate) fn answer(text: impl FnOnce() -> String, object: impl FnOnce() -> Object) -> Result<(), Failure> {
    print::output(&if is_wanted() { object().line() } else { text() })
}

/// [`answer`], whose text is for people: it fits the terminal.
pub(crate) fn answer_shown(text: impl FnOnce() -> String, object: impl FnOnce() -> Object) -> Result<(), Failure> {
    if is_wanted() { print::output(&object().line()) } else { print::shown(&text()) }
}

/// Prints the summary of rows: on standard output, or on standard error if the rows take standard output.
pub(crate) fn summary(summary: &Object, rows_take_stdout: bool) -> Result<(), Failure> {
    if rows_take_stdout {
        print::aside(&summary.line());
        return Ok(());
    }
    print::output(&summary.line())
}

#[cfg(test)]
#[path = "../tests/inside/json.rs"]
mod tests;
