//! Pickles hold the parameters that a thing was made by, and a version: no table, no plan and no kernel. Who loads one plans for
//! its own CPU. `python/pingala/_pickle.py` reads them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The version of what follows it in a pickle.
const VERSION: u32 = 1;

/// What `__reduce__` returns: the function of `_pickle.py`, the version, and the parameters.
pub fn reduced<'py>(py: Python<'py>, function: &str, parameters: Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let function = py.import("pingala._pickle")?.getattr(function)?;
    (function, (VERSION, parameters)).into_pyobject(py)
}
