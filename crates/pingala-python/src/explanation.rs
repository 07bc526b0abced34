//! Explanations as Python objects; the classes stand in `python/pingala/_explanation.py`.

use pingala::plan::Summary;
use pingala::plan::summary::{Row, SummaryPart};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};

/// The `Explanation` of a summary.
pub fn explanation<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyAny>> {
    let alternative = summary.alternative.as_ref().map(|other| {
        let fields = [("what", &other.what), ("plan", &other.plan)].into_py_dict(py)?;
        fields.set_item("seconds", other.seconds)?;
        make(py, "Alternative", &fields)
    });
    let parts: Vec<_> = summary.parts.iter().map(|other| part(py, other)).collect::<PyResult<_>>()?;
    let texts = [("chosen", &summary.chosen), ("next_best", &summary.next_best), ("problem", &summary.problem)];
    let fields = texts.into_py_dict(py)?;
    fields.set_item("masked", PyTuple::new(py, &summary.masked)?)?;
    fields.set_item("plan", &summary.plan)?;
    fields.set_item("seconds", summary.seconds)?;
    fields.set_item("build_seconds", summary.build_seconds)?;
    fields.set_item("notes", PyTuple::new(py, &summary.notes)?)?;
    fields.set_item("parts", PyTuple::new(py, parts)?)?;
    fields.set_item("alternative", alternative.transpose()?)?;
    fields.set_item("_texts", (summary.to_string(), format!("{summary:#}")))?;
    make(py, "Explanation", &fields)
}

fn part<'py>(py: Python<'py>, part: &SummaryPart) -> PyResult<Bound<'py, PyAny>> {
    let rows: Vec<_> = part.candidates.iter().map(|other| row(py, other)).collect::<PyResult<_>>()?;
    let fields = [("problem", &part.problem)].into_py_dict(py)?;
    fields.set_item("count", part.count)?;
    fields.set_item("candidates", PyTuple::new(py, rows)?)?;
    make(py, "ExplainedPart", &fields)
}

fn row<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        ("squarings", row.squarings),
        ("products", row.products),
        ("base_products", row.base_products),
        ("selections", row.selections),
        ("seconds", row.seconds),
        ("ratio", row.ratio),
    ];
    let fields = fields.into_py_dict(py)?;
    fields.set_item("plan", row.plan())?;
    fields.set_item("algorithm", &row.algorithm)?;
    fields.set_item("kernel", &row.kernel)?;
    fields.set_item("chosen", row.chosen)?;
    if let Some(table) = row.table {
        fields.set_item("entries", table.entries)?;
        fields.set_item("bytes", table.bytes)?;
        fields.set_item("build_seconds", table.build_seconds)?;
    }
    make(py, "Candidate", &fields)
}

/// An object of this class.
fn make<'py>(py: Python<'py>, class: &str, fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    py.import("pingala._explanation")?.getattr(class)?.call((), Some(fields))
}
