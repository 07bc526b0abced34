//! `plan` and `explain`, from arguments or only from sizes.

use crate::call::Divisor;
use crate::errors::{self, Raised};
use crate::explanation::explanation;
use crate::keywords::Keywords;
use crate::number::{self, Count};
use pingala_core::plan::{Planner, Problem};
use pingala_core::{Error, Integer, Limits, Modulus, Options};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::RangeInclusive;

/// Asks about one call.
fn of_numbers<T>(
    [base, exponent]: [&Bound<'_, PyAny>; 2],
    divisor: &Divisor,
    keywords: &Keywords<'_>,
    ask: impl FnOnce(&Modulus, &Integer, &Integer, &Options<'_>) -> Result<T, Error>,
) -> PyResult<T> {
    let py = base.py();
    let base = number::integer("base", base)?;
    let exponent = number::exponent(exponent, keywords.limits.exponent_bits)?;
    let modulus = divisor.kept(&keywords.limits);
    let answer = modulus.and_then(|modulus| ask(&modulus, &base, &exponent, &keywords.options(None)));
    answer.raised(py)
}

/// The plan of one call, as a line.
pub fn plan_of(numbers: [&Bound<'_, PyAny>; 2], divisor: &Divisor, keywords: &Keywords<'_>) -> PyResult<String> {
    Ok(of_numbers(numbers, divisor, keywords, Modulus::plan)?.to_string())
}

/// The explanation of one call.
pub fn explanation_of<'py>(
    numbers: [&Bound<'py, PyAny>; 2],
    divisor: &Divisor,
    keywords: &Keywords<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    explanation(numbers[0].py(), &of_numbers(numbers, divisor, keywords, Modulus::explain)?.summary())
}

/// What `plan` and `explain` are asked about.
enum Question<'a, 'py> {
    /// Base, exponent and modulus.
    Numbers([&'a Bound<'py, PyAny>; 2], Divisor),
    /// Only their sizes.
    Sizes(Problem),
}

/// Sizes in place of numbers.
struct Sizes {
    bits: [Option<Count>; 2],
    trailing_zeros: u64,
    base_bits: Option<Count>,
    count: u64,
    secret: bool,
}

impl Sizes {
    /// Reads the question. TypeError unless there are either all numbers and no sizes, or the sizes and no number; ArgumentError for sizes
    /// that cannot be; the errors of the modulus.
    fn question<'a, 'py>(
        self,
        py: Python<'py>,
        function: &str,
        numbers: [Option<&'a Bound<'py, PyAny>>; 3],
        limits: &Limits,
    ) -> PyResult<Question<'a, 'py>> {
        let Self { bits, trailing_zeros, base_bits, count, secret } = self;
        match (numbers, bits) {
            ([Some(base), Some(exponent), Some(modulus)], [None, None])
                if (trailing_zeros, base_bits.is_none(), count, secret) == (0, true, 1, false) =>
            {
                Ok(Question::Numbers([base, exponent], Divisor::of(modulus, limits)?))
            }
            ([None, None, None], [Some(modulus_bits), Some(exponent_bits)]) => {
                let [modulus_bits, exponent_bits] = [modulus_bits, exponent_bits].map(u64::from);
                in_range(py, "modulus_bits", modulus_bits, 1..=limits.modulus_bits)?;
                in_range(py, "exponent_bits", exponent_bits, 1..=limits.exponent_bits)?;
                in_range(py, "trailing_zeros", trailing_zeros, 0..=modulus_bits - 1)?;
                in_range(py, "count", count, 1..=u64::MAX)?;
                let base_bits = base_bits.map(u64::from);
                base_bits.map_or(Ok(()), |bits| in_range(py, "base_bits", bits, 1..=modulus_bits))?;
                let short_base_bits = base_bits.filter(|&bits| bits <= 32).map(|bits| bits as u32);
                let problem = Problem::new(modulus_bits, exponent_bits);
                Ok(Question::Sizes(Problem { trailing_zeros, secret, short_base_bits, count, ..problem }))
            }
            _ => Err(PyTypeError::new_err(format!(
                "{function}() takes either base, exponent and modulus, or modulus_bits and exponent_bits with what \
                 belongs to them"
            ))),
        }
    }
}

/// Refuses a size out of its range.
fn in_range(py: Python<'_>, name: &str, value: u64, range: RangeInclusive<u64>) -> PyResult<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(errors::bad_argument(py, format!("{name} must be in {least}..{most}, not {value}")))
}

functions! {
    /// The plan that powmod(base, exponent, modulus) would follow: one line that `plan=` accepts.
    ///
    /// Pass the numbers, plan(base, exponent, modulus), or only their sizes. modulus_bits, exponent_bits, trailing_zeros, base_bits, count,
    /// secret: as in explain. kernel: plan for this kernel only.
    /// plan: complete this line, such as "sliding_window". Without both, the environment variables PINGALA_KERNEL and
    /// PINGALA_PLAN apply if numbers are given. max_modulus_bits, max_exponent_bits: as in powmod.
    ///
    /// Raises ZeroModulusError, TooLongError, PlanError, ArgumentError for impossible sizes, TypeError if neither numbers nor
    /// sizes are given, or both.
    fn plan(
        base: Option<&Bound<'py, PyAny>> = None, exponent: Option<&Bound<'py, PyAny>> = None,
        modulus: Option<&Bound<'py, PyAny>> = None, *, kernel, plan, modulus_bits: Option<Count> = None,
        exponent_bits: Option<Count> = None, #[pyo3(from_py_with = number::count)] trailing_zeros: u64 = 0,
        base_bits: Option<Count> = None, #[pyo3(from_py_with = number::count)] count: u64 = 1, secret: bool = false,
        max_modulus_bits, max_exponent_bits
    ) -> String = |py, given| {
        let keywords = given.keywords()?;
        let sizes = Sizes { bits: [modulus_bits, exponent_bits], trailing_zeros, base_bits, count, secret };
        match sizes.question(py, "plan", [base, exponent, modulus], &keywords.limits)? {
            Question::Numbers(numbers, divisor) => plan_of(numbers, &divisor, &keywords),
            Question::Sizes(problem) => {
                let chosen = Planner::of_this_machine().plan_with(&problem, given.kernel, given.plan);
                chosen.map(|plan| plan.to_string()).raised(py)
            }
        }
    }

    /// The reasons for that plan: an Explanation, which prints two sentences and the candidates with their counts and times.
    ///
    /// Pass the numbers, explain(base, exponent, modulus), or only their sizes: modulus_bits and exponent_bits, and optionally
    /// trailing_zeros (of the modulus, in bits), base_bits (products by a base of up to 32 bits are cheaper), count (a list of
    /// that many powers) and secret (whether exponent and base are secret). kernel, plan, max_modulus_bits, max_exponent_bits:
    /// as in plan.
    ///
    /// Raises the errors of plan.
    fn explain(
        base: Option<&Bound<'py, PyAny>> = None, exponent: Option<&Bound<'py, PyAny>> = None,
        modulus: Option<&Bound<'py, PyAny>> = None, *, kernel, plan, modulus_bits: Option<Count> = None,
        exponent_bits: Option<Count> = None, #[pyo3(from_py_with = number::count)] trailing_zeros: u64 = 0,
        base_bits: Option<Count> = None, #[pyo3(from_py_with = number::count)] count: u64 = 1, secret: bool = false,
        max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let keywords = given.keywords()?;
        let sizes = Sizes { bits: [modulus_bits, exponent_bits], trailing_zeros, base_bits, count, secret };
        match sizes.question(py, "explain", [base, exponent, modulus], &keywords.limits)? {
            Question::Numbers(numbers, divisor) => explanation_of(numbers, &divisor, &keywords),
            Question::Sizes(problem) => {
                let explained = Planner::of_this_machine().explain(&problem, given.kernel, given.plan);
                explanation(py, &explained.raised(py)?.summary())
            }
        }
    }
}
