//! `plan` and `explain`, from arguments or from sizes alone.

use crate::call::Divisor;
use crate::{errors, number};
use pingala::Options;
use pingala::plan::{Explanation, Problem};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The plan of one call, as a line.
pub fn plan_of(
    base: &Bound<'_, PyAny>,
    exponent: &Bound<'_, PyAny>,
    divisor: &Divisor,
    kernel: Option<&str>,
) -> PyResult<String> {
    let py = base.py();
    let (base, exponent) = (number::integer(base)?, number::integer(exponent)?);
    let options = Options { kernel, ..Options::default() };
    let plan = divisor.kept().and_then(|modulus| modulus.plan(&base, &exponent, &options));
    Ok(plan.map_err(|error| errors::raise(py, error))?.to_string())
}

/// The explanation of one call, as a table.
pub fn explanation_of(
    base: &Bound<'_, PyAny>,
    exponent: &Bound<'_, PyAny>,
    divisor: &Divisor,
    kernel: Option<&str>,
) -> PyResult<String> {
    let py = base.py();
    let (base, exponent) = (number::integer(base)?, number::integer(exponent)?);
    let options = Options { kernel, ..Options::default() };
    let explanation = divisor.kept().and_then(|modulus| modulus.explain(&base, &exponent, &options));
    Ok(explanation.map_err(|error| errors::raise(py, error))?.to_string())
}

/// The plan that powmod(base, exponent, modulus) would follow: one line, which `plan=` takes back.
///
/// kernel: plan for this kernel only. Raises ZeroModulusError, NotInvertibleError, TooLongError, PlanError, TypeError.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus, *, kernel=None))]
pub fn plan(
    base: &Bound<'_, PyAny>,
    exponent: &Bound<'_, PyAny>,
    modulus: &Bound<'_, PyAny>,
    kernel: Option<&str>,
) -> PyResult<String> {
    plan_of(base, exponent, &Divisor::of(modulus)?, kernel)
}

/// The plan with its rejected candidates, their counts, prices and estimated seconds: a table to print.
///
/// Either of arguments, explain(base, exponent, modulus, kernel=None), or of sizes alone: modulus_bits and exponent_bits,
/// and if you like trailing_zeros (of the modulus, in bits), base_bits (where the base is short: 1..32), count (powers
/// of this shape) and secret.
///
/// Raises TypeError where neither or both are given, and otherwise as plan does.
#[pyfunction]
#[pyo3(signature = (
    base=None, exponent=None, modulus=None, *, kernel=None, modulus_bits=None, exponent_bits=None, trailing_zeros=0,
    base_bits=None, count=1, secret=false
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn explain(
    py: Python<'_>,
    base: Option<&Bound<'_, PyAny>>,
    exponent: Option<&Bound<'_, PyAny>>,
    modulus: Option<&Bound<'_, PyAny>>,
    kernel: Option<&str>,
    modulus_bits: Option<u64>,
    exponent_bits: Option<u64>,
    trailing_zeros: u64,
    base_bits: Option<u32>,
    count: u64,
    secret: bool,
) -> PyResult<String> {
    match (base, exponent, modulus, modulus_bits, exponent_bits) {
        (Some(base), Some(exponent), Some(modulus), None, None) => {
            explanation_of(base, exponent, &Divisor::of(modulus)?, kernel)
        }
        (None, None, None, Some(modulus_bits), Some(exponent_bits)) if kernel.is_none() => {
            let short_base_bits = base_bits;
            let problem = Problem { modulus_bits, trailing_zeros, exponent_bits, secret, short_base_bits, count };
            let explanation: Explanation =
                pingala::plan::explain(&problem).map_err(|error| errors::raise(py, error))?;
            Ok(explanation.to_string())
        }
        _ => Err(PyTypeError::new_err(
            "explain() takes either base, exponent, modulus (and kernel), or modulus_bits and exponent_bits",
        )),
    }
}
