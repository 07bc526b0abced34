//! The library's errors as Python exceptions; the classes stand in `python/pingala/_errors.py`.

use pingala_core::{Error, Limits};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::borrow::Cow;

static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static MAKE_ELEMENT_TYPE_ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The exception for an error, of element `index` if it is one of a list. The message of an element names its bad number.
pub fn exception(py: Python<'_>, error: &Error, index: Option<usize>) -> PyErr {
    if let (Error::At { index, error }, None) = (error, index) {
        return exception(py, error, Some(*index));
    }
    of_code(py, error.code(), &sentence(error), index)
}

/// `what` of the error of a modulus whose results do not fit the width of the call.
pub const WIDTH: &str = "modulus for its width";

/// The message of an error; for a default cap it also names the argument that sets it.
fn sentence(error: &Error) -> String {
    let preset = Limits::default();
    let argument = match *error {
        Error::TooLong { what: "modulus", cap, .. } if cap == preset.modulus_bits => "max_modulus_bits",
        Error::TooLong { what: "exponent", cap, .. } if cap == preset.exponent_bits => "max_exponent_bits",
        Error::TooLong { what: WIDTH, length, cap } => {
            return format!(
                "modulus of {length} bits: its results do not fit width={} bytes; width=None takes what they need",
                cap / 8
            );
        }
        _ => return error.to_string(),
    };
    format!("{error} ({argument}, where the call takes it)")
}

/// The exception for a code and its sentence, of element `index` if it is one of a list.
pub fn of_code(py: Python<'_>, code: &str, sentence: &str, index: Option<usize>) -> PyErr {
    let make = MAKE.import(py, "pingala._errors", "_make");
    match make.and_then(|make| make.call1((code, shortened(sentence), index))) {
        Ok(value) => PyErr::from_value(value),
        Err(failure) => failure,
    }
}

/// A message without its middle, if it quotes something that is longer than a message should be.
pub fn shortened(sentence: &str) -> Cow<'_, str> {
    const HEAD: usize = 1500;
    const TAIL: usize = 300;
    if sentence.len() <= HEAD + TAIL {
        return sentence.into();
    }
    let (head, tail) = (sentence.floor_char_boundary(HEAD), sentence.ceil_char_boundary(sentence.len() - TAIL));
    format!("{} ... {}", &sentence[..head], &sentence[tail..]).into()
}

/// The exception for an error of the call as a whole.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    exception(py, &error, None)
}

/// A result whose error is one of the call as a whole.
pub trait Raised<T> {
    /// The result with the exception for its error.
    fn raised(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> Raised<T> for Result<T, Error> {
    #[inline]
    fn raised(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raise(py, error))
    }
}

/// The TypeError for element `index` of a list, with the sentence of `cause`.
pub fn element_type_error(py: Python<'_>, cause: &PyErr, index: usize) -> PyErr {
    let make = MAKE_ELEMENT_TYPE_ERROR.import(py, "pingala._errors", "_make_element_type_error");
    match make.and_then(|make| make.call1((cause.value(py), index))) {
        Ok(value) => PyErr::from_value(value),
        Err(failure) => failure,
    }
}

/// A setting that cannot be.
pub fn bad_argument(py: Python<'_>, why: impl Into<String>) -> PyErr {
    raise(py, Error::BadArgument(why.into()))
}
