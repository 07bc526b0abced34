//! Lists of powers of single words, each with a modulus of its own: no object for each number.

use super::Source;
use crate::keywords::Given;
use crate::watch::Caller;
use crate::{call, errors};
use pingala_core::{Error, pow_words};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

/// Numbers read between two looks for a signal.
const READ_BETWEEN_LOOKS: usize = 1 << 16;

/// Bases, exponents and moduli in words, if that is what the arguments are: lists of `int`, or one for all, from 0 on, and a list of
/// moduli that are not all equal. Otherwise the arguments are as before.
pub fn columns(py: Python<'_>, sources: [&Source<'_>; 3], given: &Given<'_, '_>) -> PyResult<Option<[Vec<u64>; 3]>> {
    let limits = given.limits();
    let capped = limits.modulus_bits.min(limits.exponent_bits) < u64::from(u64::BITS);
    let [bases, exponents, moduli] = sources;
    let Source::Many(_, count, Some(_)) = moduli else { return Ok(None) };
    if capped || given.kernel.is_some() || given.plan.is_some() {
        return Ok(None);
    }
    // The moduli first: of longer numbers one is read in vain.
    let Some(moduli) = words(py, moduli)? else { return Ok(None) };
    if moduli.contains(&0) || moduli.iter().all(|modulus| *modulus == moduli[0]) {
        return Ok(None);
    }
    let (Some(bases), Some(exponents)) = (words(py, bases)?, words(py, exponents)?) else { return Ok(None) };
    let alike = |column: &Vec<u64>, source: &Source<'_>| column.len() == *count || matches!(source, Source::One(_));
    let alike = alike(&bases, sources[0]) && alike(&exponents, sources[1]) && moduli.len() == *count;
    Ok(alike.then_some([bases, exponents, moduli]))
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
    [bases, exponents, moduli]: &[Vec<u64>; 3],
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let total = moduli.len();
    let (collect, keywords, progress) = (given.collects(py)?, given.keywords()?, given.progress(total)?);
    let caller = Caller::new(progress);
    let mut results = vec![0; total];
    let failed: Vec<(usize, Error)> = call::run(py, Some(&caller), |watch| {
        pow_words(bases, exponents, moduli, &mut results, &keywords.options(watch))
    })?;
    given.tell_end(total)?;
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
