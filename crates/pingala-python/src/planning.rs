//! `plan` and `explain`, from arguments or from sizes alone.

use crate::call::Divisor;
use crate::{errors, number};
use pingala::plan::{Planner, Problem};
use pingala::{Limits, Options};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::RangeInclusive;

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

/// Refuses a size out of its range.
fn in_range(py: Python<'_>, name: &str, value: u64, range: RangeInclusive<u64>) -> PyResult<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(errors::bad_argument(py, format!("{name} must be in {least}..{most}, not {value}")))
}

/// The plan with its rejected candidates, their counts, prices and estimated seconds: a table to print.
///
/// Either of arguments, explain(base, exponent, modulus), or of sizes alone: modulus_bits and exponent_bits, and if you
/// like trailing_zeros (of the modulus, in bits), base_bits (a base of up to 32 bits makes cheaper products), count
/// (powers of this shape) and secret (the exponent and the base). kernel: explain for this kernel only.
///
/// Raises TypeError where neither or both are given, ArgumentError for sizes that cannot be, and otherwise as plan does.
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
        (None, None, None, Some(modulus_bits), Some(exponent_bits)) => {
            let limits = Limits::default();
            in_range(py, "modulus_bits", modulus_bits, 1..=limits.modulus_bits)?;
            in_range(py, "exponent_bits", exponent_bits, 1..=limits.exponent_bits)?;
            in_range(py, "trailing_zeros", trailing_zeros, 0..=modulus_bits - 1)?;
            in_range(py, "count", count, 1..=u64::MAX)?;
            if let Some(bits) = base_bits {
                in_range(py, "base_bits", bits.into(), 1..=modulus_bits)?;
            }
            let short_base_bits = base_bits.filter(|&bits| bits <= 32);
            let sizes = Problem::new(modulus_bits, exponent_bits);
            let problem = Problem { trailing_zeros, secret, short_base_bits, count, ..sizes };
            let explanation = Planner::of_this_machine().explain(&problem, kernel, None);
            Ok(explanation.map_err(|error| errors::raise(py, error))?.to_string())
        }
        _ => Err(PyTypeError::new_err(
            "explain() takes either base, exponent and modulus, or modulus_bits and exponent_bits",
        )),
    }
}
