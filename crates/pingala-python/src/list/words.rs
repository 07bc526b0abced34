//! Lists of powers of single words, each with a modulus of its own: no object for each number.

use super::Source;
use crate::errors;
use crate::keywords::Given;
use pingala_core::{Column, Integer, RowRequest};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

/// Numbers read between two looks for a signal.
const READ_BETWEEN_LOOKS: usize = 1 << 16;

/// Bases, exponents and moduli in words, if that is what the arguments are: lists of `int`, or one for all, from 0 on, and a list of
/// moduli. Otherwise the arguments are as before.
pub fn columns(py: Python<'_>, sources: [&Source<'_>; 3]) -> PyResult<Option<[Column<'static>; 3]>> {
    let [bases, exponents, moduli] = sources;
    let Source::Many(_, count, Some(_)) = moduli else { return Ok(None) };
    // The moduli first: of longer numbers one is read in vain.
    let Some(moduli) = words(py, moduli)? else { return Ok(None) };
    let (Some(bases), Some(exponents)) = (words(py, bases)?, words(py, exponents)?) else { return Ok(None) };
    let column = |words: Vec<u64>, source: &Source<'_>| match (source, &words[..]) {
        (Source::One(_), [one]) => Some(Column::from(Integer::from(*one))),
        _ => (words.len() == *count).then(|| Column::from(words)),
    };
    // Lists of different lengths are refused by another way, which counts them.
    let columns = [column(bases, sources[0]), column(exponents, sources[1]), column(moduli, sources[2])];
    let [Some(bases), Some(exponents), Some(moduli)] = columns else { return Ok(None) };
    Ok(Some([bases, exponents, moduli]))
}

/// The words of one argument; none if it has anything else.
pub fn words(py: Python<'_>, source: &Source<'_>) -> PyResult<Option<Vec<u64>>> {
    let word = |object: &Bound<'_, PyAny>| object.cast_exact::<PyInt>().ok()?.extract::<u64>().ok();
    match source {
        Source::One(object) => Ok(word(object).map(|word| vec![word])),
        Source::Many(_, _, None) => Ok(None),
        Source::Many(_, count, Some(list)) => {
            let mut words = Vec::new();
            let room = words.try_reserve_exact(*count);
            room.map_err(|_| PyMemoryError::new_err("the lists are too long for the memory"))?;
            for (at, object) in list.iter().enumerate() {
                if at % READ_BETWEEN_LOOKS == 0 {
                    py.check_signals()?;
                }
                let Some(word) = word(&object) else { return Ok(None) };
                words.push(word);
            }
            Ok(Some(words))
        }
    }
}

/// The powers.
pub fn powers<'py>(
    py: Python<'py>,
    [bases, exponents, moduli]: [Column<'static>; 3],
    total: usize,
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let (collect, mut results) = (given.collects(py)?, vec![0; total]);
    let request = RowRequest::powers(bases, exponents, moduli);
    let failed = given.run(py, total, |options| request.words(&mut results, options))?;
    let list = PyList::new(py, results)?;
    for (at, error) in failed {
        let error = errors::exception(py, &error, Some(at));
        if !collect {
            return Err(error);
        }
        list.set_item(at, error.into_value(py))?;
    }
    Ok(list)
}
