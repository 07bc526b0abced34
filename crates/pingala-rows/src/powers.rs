//! The task of `pingala batch`: base^exponent mod modulus of each row.

use crate::error::Error as Failure;
use crate::records::{Holds, RowSource};
use crate::stream::{Ask, Interpret, Judgement, Task};
use crate::text::{Value, number};
use pingala_core::{Error, Integer, Job, Limits, Modulus, Natural, Options, pow_list};
use std::collections::HashMap;
use std::fmt::Write;

/// The names of the fields, in the order of their values.
pub const NAMES: [&str; 5] = ["base", "exponent", "modulus", "id", "expected"];

/// What the field of each place holds: all of them numbers, or text of them, but the id.
pub fn holds(place: usize) -> Holds {
    if NAMES.get(place) == Some(&"id") { Holds::Truths } else { Holds::Numbers }
}

/// A power, read and within the caps.
#[derive(Debug)]
pub struct Power {
    base: Integer,
    exponent: Integer,
    modulus: Modulus,
}

/// What a row expects.
#[derive(Debug, PartialEq, Eq)]
pub enum Expected {
    /// This number.
    Value(Integer),
    /// That there is no result: text `error`.
    Error,
}

/// A modulus from a number: errors `zero_modulus` and `negative_modulus`.
pub fn modulus(number: Integer) -> Result<Natural, Error> {
    match number {
        number if number.is_negative() => Err(Error::NegativeModulus),
        number if number.magnitude().is_zero() => Err(Error::ZeroModulus),
        number => Ok(number.into_magnitude()),
    }
}

/// Most bits of the number in this place of a row.
pub(crate) fn cap(limits: &Limits, place: usize) -> u64 {
    match place {
        1 => limits.exponent_bits,
        2 => limits.modulus_bits,
        _ => limits.modulus_bits.max(limits.exponent_bits),
    }
}

/// Reads numbers under caps, and lets rows with the same modulus share what is prepared for it.
#[derive(Debug)]
pub struct Numbers {
    limits: Limits,
    /// Whether digits are hexadecimal without 0x too.
    hexadecimal: bool,
    /// Base, exponent and modulus, as far as all rows share them.
    shared: [Option<Integer>; 3],
    moduli: HashMap<Natural, Modulus>,
}

/// Handles kept for rows to come; a modulus that is used again is used again soon.
const KEPT_MODULI: usize = 64;

impl Numbers {
    /// Reads base, exponent and modulus of rows that have none of their own from `shared`.
    pub fn new(limits: Limits, hexadecimal: bool, shared: [Option<Integer>; 3]) -> Self {
        Self { limits, hexadecimal, shared, moduli: HashMap::new() }
    }

    fn expected(&self, value: Option<&Value<'_>>) -> Result<Option<Expected>, Failure> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(None) };
        if value.other().is_none() && value.text().is_ok_and(|text| text.trim_ascii() == "error") {
            return Ok(Some(Expected::Error));
        }
        Ok(Some(Expected::Value(self.number(value, 4)?)))
    }

    fn power(&mut self, values: &[Option<Value<'_>>; 5], rows: &dyn RowSource) -> Result<Power, Failure> {
        let number = |place: usize| match (&values[place], &self.shared[place]) {
            (Some(value), _) => self.number(value, place),
            // What is empty in CSV, or null in a column, is missing.
            (None, Some(shared)) if !rows.has_column(place) => Ok(shared.clone()),
            _ => Err(Failure::bad_row(format!("{} is missing", NAMES[place]))),
        };
        let (base, exponent, modulus) = (number(0)?, number(1)?, number(2)?);
        Ok(Power { base, exponent, modulus: self.modulus(modulus)? })
    }

    fn number(&self, value: &Value<'_>, place: usize) -> Result<Integer, Failure> {
        integer(value, NAMES[place], self.hexadecimal, cap(&self.limits, place))
    }

    fn modulus(&mut self, value: Integer) -> Result<Modulus, Failure> {
        let value = modulus(value)?;
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

/// The integer of a field of this name, of at most `cap` bits. Errors: `not_a_number`, `too_long`.
pub(crate) fn integer(value: &Value<'_>, name: &'static str, hexadecimal: bool, cap: u64) -> Result<Integer, Failure> {
    let other = |what| {
        let code = Error::NotANumber { position: 0, reason: "" }.code();
        let value = if value.is_null() { String::new() } else { format!(": {}", value.quoted()) };
        Failure::new(code, format!("{name}: not a number: it is {what}{value}"))
    };
    if let Some(what) = value.other() {
        return Err(other(what));
    }
    // Bytes without digits are the number 0; text without digits is no number.
    if matches!(value, Value::Bytes(bytes) if bytes.is_empty()) {
        return Ok(Integer::from(0u64));
    }
    let text = value.text().map_err(|_| other("text with half of a surrogate pair"))?;
    // Only text leaves its radix open.
    let is_hexadecimal = hexadecimal && !matches!(value, Value::Number(_));
    number(name, &text, is_hexadecimal, cap)
}

/// The JSON text of an id, if it may be one. Error: `bad_row`, for an object or a list.
pub(crate) fn id(value: Option<&Value<'_>>) -> (Option<Box<str>>, Result<(), Failure>) {
    match value.and_then(Value::other) {
        Some("an object" | "a list") => {
            let value = value.map(Value::quoted).unwrap_or_default();
            (None, Err(Failure::bad_row(format!("id is neither text nor a number: {value}"))))
        }
        _ => (value.map(Value::json), Ok(())),
    }
}

impl Interpret for Numbers {
    type Work = Power;
    type Expected = Expected;

    fn row(&mut self, rows: &dyn RowSource) -> Ask<Power, Expected> {
        let mut values = [const { None }; 5];
        let read = rows.values(&mut values);
        let (id, has_id) = id(values[3].as_ref());
        let read = read.and(has_id);
        // What is expected is read first, so that an arithmetic error can meet it.
        let expected = read.and_then(|()| self.expected(values[4].as_ref()));
        match expected {
            Ok(expected) => Ask { id, expected, what: self.power(&values, rows) },
            Err(flaw) => Ask { id, expected: None, what: Err(flaw) },
        }
    }
}

/// Computes powers.
#[derive(Clone, Copy, Debug)]
pub struct Powers<'a> {
    /// Settings of the library.
    pub options: Options<'a>,
    /// Whether results are written in decimal.
    pub decimal: bool,
}

impl Task for Powers<'_> {
    type Work = Power;
    type Expected = Expected;
    type Answer = Natural;

    fn answers(&self, work: &[&Power]) -> Result<Vec<Result<Natural, Error>>, Failure> {
        let jobs =
            work.iter().map(|power| Job { base: &power.base, exponent: &power.exponent, modulus: &power.modulus });
        Ok(pow_list(&jobs.collect::<Vec<_>>(), &self.options)?)
    }

    fn judge(&self, came: &Result<Natural, Failure>, expected: Option<&Expected>) -> Judgement {
        let matches = match (came, expected) {
            (_, None) => None,
            (Ok(result), Some(Expected::Value(value))) => Some(!value.is_negative() && value.magnitude() == result),
            (Ok(_), Some(Expected::Error)) => Some(false),
            (Err(flaw), Some(expected)) if flaw.is_arithmetic() => Some(*expected == Expected::Error),
            // What could not be read or was over a cap has not been computed: no verdict on it.
            (Err(_), Some(_)) => None,
        };
        Judgement { matches, is_good: matches != Some(false) }
    }

    fn write(&mut self, result: &Natural, out: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = match self.decimal {
            true => write!(out, ",\"result\":\"{result}\""),
            false => write!(out, ",\"result\":\"{result:#x}\""),
        };
    }
}
