//! `plan` and `explain`, from arguments or only from sizes.

use crate::call::Divisor;
use crate::errors;
use crate::explanation::explanation;
use crate::keywords::Keywords;
use crate::number::{self, Count};
use pingala::plan::{Plan, Planner, Problem};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::RangeInclusive;

/// The plan of one call, as a line.
pub fn plan_of(
    base: &Bound<'_, PyAny>,
    exponent: &Bound<'_, PyAny>,
    divisor: &Divisor,
    keywords: &Keywords<'_>,
) -> PyResult<String> {
    let py = base.py();
    let base = number::integer(base)?;
    let exponent = number::within(exponent, "exponent", keywords.limits.exponent_bits)?;
    let modulus = divisor.kept(&keywords.limits);
    let plan = modulus.and_then(|modulus| modulus.plan(&base, &exponent, &keywords.options(None)));
    Ok(plan.map_err(|error| errors::raise(py, error))?.to_string())
}

/// The explanation of one call.
pub fn explanation_of<'py>(
    base: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    divisor: &Divisor,
    keywords: &Keywords<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = base.py();
    let base = number::integer(base)?;
    let exponent = number::within(exponent, "exponent", keywords.limits.exponent_bits)?;
    let modulus = divisor.kept(&keywords.limits);
    let explained = modulus.and_then(|modulus| modulus.explain(&base, &exponent, &keywords.options(None)));
    explanation(py, &explained.map_err(|error| errors::raise(py, error))?.summary())
}

/// Sizes, as they come.
struct Sizes {
    modulus_bits: u64,
    exponent_bits: u64,
    trailing_zeros: u64,
    base_bits: Option<u64>,
    count: u64,
    secret: bool,
}

impl Sizes {
    /// ArgumentError for sizes that cannot be.
    fn problem(&self, py: Python<'_>, keywords: &Keywords<'_>) -> PyResult<Problem> {
        in_range(py, "modulus_bits", self.modulus_bits, 1..=keywords.limits.modulus_bits)?;
        in_range(py, "exponent_bits", self.exponent_bits, 1..=keywords.limits.exponent_bits)?;
        in_range(py, "trailing_zeros", self.trailing_zeros, 0..=self.modulus_bits - 1)?;
        in_range(py, "count", self.count, 1..=u64::MAX)?;
        if let Some(bits) = self.base_bits {
            in_range(py, "base_bits", bits, 1..=self.modulus_bits)?;
        }
        Ok(Problem {
            trailing_zeros: self.trailing_zeros,
            secret: self.secret,
            short_base_bits: self.base_bits.filter(|&bits| bits <= 32).map(|bits| bits as u32),
            count: self.count,
            ..Problem::new(self.modulus_bits, self.exponent_bits)
        })
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

/// What `plan` and `explain` are asked about.
enum Question<'a, 'py> {
    Arguments([&'a Bound<'py, PyAny>; 3]),
    Sizes(Sizes),
}

impl<'a, 'py> Question<'a, 'py> {
    /// TypeError unless there are either all of the arguments and no sizes, or the sizes and no argument.
    fn read(
        function: &str,
        arguments: [Option<&'a Bound<'py, PyAny>>; 3],
        bits: [Option<Count>; 2],
        others: (u64, Option<u64>, u64, bool),
    ) -> PyResult<Self> {
        match (arguments, bits, others) {
            ([Some(base), Some(exponent), Some(modulus)], [None, None], (0, None, 1, false)) => {
                Ok(Self::Arguments([base, exponent, modulus]))
            }
            ([None, None, None], [Some(modulus_bits), Some(exponent_bits)], others) => {
                let (trailing_zeros, base_bits, count, secret) = others;
                let [modulus_bits, exponent_bits] = [modulus_bits, exponent_bits].map(u64::from);
                Ok(Self::Sizes(Sizes { modulus_bits, exponent_bits, trailing_zeros, base_bits, count, secret }))
            }
            _ => Err(PyTypeError::new_err(format!(
                "{function}() takes either base, exponent and modulus, or modulus_bits and exponent_bits with what \
                 belongs to them"
            ))),
        }
    }
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
        let others = (trailing_zeros, base_bits.map(u64::from), count, secret);
        match Question::read("plan", [base, exponent, modulus], [modulus_bits, exponent_bits], others)? {
            Question::Arguments([base, exponent, modulus]) => {
                plan_of(base, exponent, &Divisor::of(modulus, &keywords.limits)?, &keywords)
            }
            Question::Sizes(sizes) => {
                let problem = sizes.problem(py, &keywords)?;
                let chosen = Planner::of_this_machine().plan_with(&problem, given.kernel, given.plan);
                chosen.map(|plan: Plan| plan.to_string()).map_err(|error| errors::raise(py, error))
            }
        }
    }
}

functions! {
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
        let others = (trailing_zeros, base_bits.map(u64::from), count, secret);
        match Question::read("explain", [base, exponent, modulus], [modulus_bits, exponent_bits], others)? {
            Question::Arguments([base, exponent, modulus]) => {
                explanation_of(base, exponent, &Divisor::of(modulus, &keywords.limits)?, &keywords)
            }
            Question::Sizes(sizes) => {
                let problem = sizes.problem(py, &keywords)?;
                let explained = Planner::of_this_machine().explain(&problem, given.kernel, given.plan);
                explanation(py, &explained.map_err(|error| errors::raise(py, error))?.summary())
            }
        }
    }
}
