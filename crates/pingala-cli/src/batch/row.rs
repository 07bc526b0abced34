//! One row of a batch: what it asks for, or why it cannot be read.

use crate::failure::Failure;
use crate::number::{self, Field};
use pingala::{Error, Integer, Limits, Modulus, Natural};
use pingala_rows::text::{hexadecimal, hint};
use std::borrow::Cow;
use std::collections::HashMap;

/// The names of fields that mean something.
pub(crate) const NAMES: [&str; 5] = ["base", "exponent", "modulus", "id", "expected"];

/// Where the fields of a row come from: their names, and numbers that all rows share.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// In the order of [`NAMES`].
    pub(crate) names: [String; 5],
    /// Of base, exponent and modulus, in hexadecimal, where their name is a number.
    pub(crate) values: [Option<String>; 3],
}

impl Default for Sources {
    fn default() -> Self {
        Self { names: NAMES.map(str::to_string), values: [None, None, None] }
    }
}

impl Sources {
    /// Of what the command line says of base, exponent and modulus: a name, or a number (`value:` before it, or not).
    pub(crate) fn of(given: [Option<&str>; 3], limits: &Limits) -> Result<Self, Failure> {
        let mut sources = Self::default();
        for (place, field) in [Field::Base, Field::Exponent, Field::Modulus].into_iter().enumerate() {
            let Some(text) = given[place] else { continue };
            let forced = text.strip_prefix("value:");
            match number::argument(forced.unwrap_or(text), field, limits) {
                Ok(number) => sources.values[place] = Some(format!("{:#x}", number.value)),
                Err(failure) if forced.is_some() || text.starts_with(['@', '-']) => return Err(failure),
                Err(_) => {}
            }
            // The column of this name wins over the number, unless the number is forced.
            sources.names[place] = if forced.is_some() { String::new() } else { text.to_string() };
        }
        Ok(sources)
    }

    /// The place of a field of this name among [`NAMES`].
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        // A number that is forced has no name, and a field without one is nobody's.
        self.names.iter().position(|known| known == name && !name.is_empty())
    }

    /// The text of a number that all rows share, if base, exponent or modulus (by its place) is one.
    pub(crate) fn value(&self, place: usize) -> Option<Text<'_>> {
        self.values[place].as_deref().map(|value| Text::Number(Cow::Borrowed(value)))
    }
}

/// The code of a row that is no row; numbers that cannot be read have the library's codes.
pub(crate) const BAD_ROW: &str = "bad_row";

/// A row in the order of the input.
#[derive(Debug)]
pub(crate) struct Row {
    /// The line it starts on, from 1.
    pub(crate) line: u64,
    /// Bytes of the input used when it was read.
    pub(crate) offset_bytes: u64,
    /// Bytes of its text: what it weighs in memory, in all its forms, is a small multiple of this.
    pub(crate) text_bytes: usize,
    /// The JSON text of its id, if it has one.
    pub(crate) id: Option<Box<str>>,
    /// What it says the result is.
    pub(crate) expected: Option<Expected>,
    /// What it asks for.
    pub(crate) task: Result<Task, RowError>,
}

/// base^exponent mod modulus, read and within the caps.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) base: Integer,
    pub(crate) exponent: Integer,
    pub(crate) modulus: Modulus,
}

/// What a row expects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// This number.
    Value(Integer),
    /// That there is no result: text `error`.
    Error,
}

/// Why a row has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowError {
    /// Stable, for programs.
    pub(crate) code: &'static str,
    /// A sentence.
    pub(crate) message: String,
}

impl RowError {
    /// A row that is no row.
    pub(crate) fn bad_row(message: impl Into<String>) -> Self {
        Self { code: BAD_ROW, message: message.into() }
    }

    /// Whether the row was well formed and arithmetic answered that there is no result.
    pub(crate) fn is_arithmetic(&self) -> bool {
        [Error::ZeroModulus.code(), Error::NegativeModulus.code(), Error::NotInvertible.code()].contains(&self.code)
    }
}

impl From<Error> for RowError {
    fn from(error: Error) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}

/// The text of one field.
#[derive(Clone, Debug)]
pub(crate) enum Text<'a> {
    /// Meant as a number, whatever it holds.
    Number(Cow<'a, str>),
    /// Something that no number can be, and what it is: `a list`.
    Other(&'static str),
}

/// The texts of a row before they are read as numbers. Formats fill this in; what they call absent is `None`.
#[derive(Debug, Default)]
pub(crate) struct Texts<'a> {
    pub(crate) base: Option<Text<'a>>,
    pub(crate) exponent: Option<Text<'a>>,
    pub(crate) modulus: Option<Text<'a>>,
    pub(crate) expected: Option<Text<'a>>,
    /// JSON text.
    pub(crate) id: Option<Box<str>>,
    /// What is wrong with the row as a whole.
    pub(crate) flaw: Option<RowError>,
}

/// Reads numbers under caps, and lets rows with the same modulus share what is prepared for it.
#[derive(Debug)]
pub(crate) struct Numbers {
    limits: Limits,
    /// Whether digits are hexadecimal without 0x too.
    hexadecimal: bool,
    moduli: HashMap<Natural, Modulus>,
}

/// Handles kept for rows to come; a modulus that is used again is used again soon.
const KEPT_MODULI: usize = 64;

impl Numbers {
    pub(crate) fn new(limits: Limits, hexadecimal: bool) -> Self {
        Self { limits, hexadecimal, moduli: HashMap::new() }
    }

    /// What a row expects and asks for. What is expected is read first, so that an arithmetic error can meet it.
    pub(crate) fn read(&mut self, texts: &Texts<'_>) -> (Option<Expected>, Result<Task, RowError>) {
        match self.expected(texts) {
            Ok(expected) => (expected, self.task(texts)),
            Err(error) => (None, Err(error)),
        }
    }

    fn expected(&self, texts: &Texts<'_>) -> Result<Option<Expected>, RowError> {
        match &texts.expected {
            None => Ok(None),
            Some(Text::Number(text)) if text == "error" => Ok(Some(Expected::Error)),
            Some(text) => Ok(Some(Expected::Value(self.number(text, Field::Expected)?))),
        }
    }

    fn task(&mut self, texts: &Texts<'_>) -> Result<Task, RowError> {
        let field = |text: &Option<Text<'_>>, field: Field| match text {
            Some(text) => self.number(text, field),
            None => Err(RowError::bad_row(format!("{} is missing", field.name()))),
        };
        let base = field(&texts.base, Field::Base)?;
        let exponent = field(&texts.exponent, Field::Exponent)?;
        let modulus = field(&texts.modulus, Field::Modulus)?;
        Ok(Task { base, exponent, modulus: self.modulus(modulus)? })
    }

    fn parse(&self, text: &str, field: Field) -> Result<Integer, Error> {
        let text = if self.hexadecimal { hexadecimal(text) } else { Cow::Borrowed(text) };
        number::parse(&text, field, &self.limits)
    }

    fn number(&self, text: &Text<'_>, field: Field) -> Result<Integer, RowError> {
        match text {
            Text::Number(text) => self.parse(text, field).map_err(|error| {
                let message = match error {
                    Error::NotANumber { .. } if looks_like_a_float(text) && !self.hexadecimal => {
                        format!("{}: not a number: a float; write integers out in full", field.name())
                    }
                    Error::NotANumber { .. } => format!("{}: {error}{}", field.name(), hint(text)),
                    _ => error.to_string(),
                };
                RowError { code: error.code(), message }
            }),
            Text::Other(what) => {
                let code = Error::NotANumber { position: 0, reason: "" }.code();
                Err(RowError { code, message: format!("{}: not a number: it is {what}", field.name()) })
            }
        }
    }

    fn modulus(&mut self, value: Integer) -> Result<Modulus, RowError> {
        let value = number::modulus(value)?;
        if let Some(known) = self.moduli.get(&value) {
            return Ok(known.clone());
        }
        let modulus = Modulus::with_limits(value.clone(), &self.limits)?;
        if self.moduli.len() >= KEPT_MODULI {
            self.moduli.clear();
        }
        self.moduli.insert(value, modulus.clone());
        Ok(modulus)
    }
}

/// `1.0`, `1e5`, `-2.5E+3`: digits and what floats have besides, in decimal.
fn looks_like_a_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.contains(['.', 'e', 'E'])
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
}
