//! Explanations as Python objects; the classes stand in `python/pingala/_explanation.py`.

use crate::keywords::Given;
use pingala_core::plan::Summary;
use pingala_core::plan::summary::{Row, SummaryPart};
use pingala_core::{Error, Options};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The `Explanation` of a summary.
pub fn explanation<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyAny>> {
    let alternative = summary.alternative.as_ref().map(|other| {
        make(py, "Alternative", &dict!(py; what = &other.what, plan = &other.plan, seconds = other.seconds))
    });
    let parts: Vec<_> = summary.parts.iter().map(|other| part(py, other)).collect::<PyResult<_>>()?;
    let fields = dict!(py;
        chosen = &summary.chosen, next_best = &summary.next_best, problem = &summary.problem,
        masked = PyTuple::new(py, &summary.masked)?, plan = &summary.plan, seconds = summary.seconds,
        build_seconds = summary.build_seconds, notes = PyTuple::new(py, &summary.notes)?,
        parts = PyTuple::new(py, parts)?, alternative = alternative.transpose()?,
        _texts = (summary.to_string(), format!("{summary:#}")),
    );
    make(py, "Explanation", &fields)
}

/// The `Explanation` that the library makes, without the interpreter.
pub fn explained<'py>(
    py: Python<'py>,
    given: &Given<'_, 'py>,
    explain: impl FnOnce(&Options<'_>) -> Result<Summary, Error> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    explanation(py, &given.run(py, 0, explain)?)
}

fn part<'py>(py: Python<'py>, part: &SummaryPart) -> PyResult<Bound<'py, PyAny>> {
    let rows: Vec<_> = part.candidates.iter().map(|other| row(py, other)).collect::<PyResult<_>>()?;
    let candidates = PyTuple::new(py, rows)?;
    make(py, "ExplainedPart", &dict!(py; problem = &part.problem, count = part.count, candidates = candidates))
}

fn row<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyAny>> {
    let table = row.table.as_ref();
    let fields = dict!(py;
        plan = row.plan(), algorithm = &row.algorithm, kernel = &row.kernel, chosen = row.chosen,
        squarings = row.squarings, products = row.products, base_products = row.base_products,
        selections = row.selections, seconds = row.seconds, ratio = row.ratio,
        entries = table.map(|table| table.entries), bytes = table.map(|table| table.bytes),
        build_seconds = table.map(|table| table.build_seconds),
    );
    make(py, "Candidate", &fields)
}

/// An object of this class.
fn make<'py>(py: Python<'py>, class: &str, fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    py.import("pingala._explanation")?.getattr(class)?.call((), Some(fields))
}
