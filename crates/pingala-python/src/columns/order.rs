//! The order and the sign of a number's bytes.

use crate::errors;
use pingala_core::{Integer, Natural};
use pingala_rows::of_twos_complement;
use pyo3::prelude::*;

/// How the bytes of a number are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub little_endian: bool,
    /// Whether they are two's complement.
    pub signed: bool,
}

impl Order {
    /// By its name; none without one. ArgumentError.
    pub fn read(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Self>> {
        let (little_endian, signed) = match name {
            None => return Ok(None),
            Some("big") => (false, false),
            Some("little") => (true, false),
            Some("signed-big") => (false, true),
            Some("signed-little") => (true, true),
            Some(other) => {
                let words = "'big', 'little', 'signed-big' or 'signed-little'";
                return Err(errors::bad_argument(py, format!("byteorder must be {words}, not {other:?}")));
            }
        };
        Ok(Some(Self { little_endian, signed }))
    }

    /// The number that these bytes stand for.
    pub fn integer(self, bytes: &[u8]) -> Integer {
        match self {
            Self { signed: false, little_endian: false } => Natural::from_be_bytes(bytes).into(),
            Self { signed: false, little_endian: true } => Natural::from_le_bytes(bytes).into(),
            Self { signed: true, little_endian: false } => of_twos_complement(bytes.iter().rev().copied()),
            Self { signed: true, little_endian: true } => of_twos_complement(bytes.iter().copied()),
        }
    }
}
