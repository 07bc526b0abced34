//! Answers that are yes or no: what makes one behave as Python's `bool`, and lists of them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyNotImplemented, PyTuple};

/// Defines the methods of a class whose objects stand for a truth value, beside its own: `truth` returns it.
///
/// Comparison, hash, sums and logical operations are those of `bool`, so `answer == False`, `answers.count(True)` and `{True: ...}[answer]`
/// do what they say. There is no `__index__`: NumPy would take such an object as a place, not as a mask.
macro_rules! truth_value {
    ($class:ident { $($own:tt)* }) => {
        truth_value!($class { $($own)* }
            __add__ __radd__ add, __and__ __rand__ bitand, __or__ __ror__ bitor, __xor__ __rxor__ bitxor);
    };
    ($class:ident { $($own:tt)* } $($of:ident $reversed:ident $method:ident),*) => {
        #[pymethods]
        impl $class {
            fn __bool__(&self) -> bool {
                self.truth()
            }

            fn __int__(&self) -> u8 {
                self.truth().into()
            }

            fn __hash__(&self) -> u64 {
                self.truth().into()
            }

            fn __richcmp__<'py>(
                &self,
                other: &Bound<'py, PyAny>,
                op: pyo3::pyclass::CompareOp,
            ) -> PyResult<Bound<'py, PyAny>> {
                $crate::truth::bool(other.py(), self.truth()).rich_compare(other, op)
            }

            $(
                fn $of<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                    $crate::truth::bool(other.py(), self.truth()).$method(other)
                }

                fn $reversed<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                    other.$method($crate::truth::bool(other.py(), self.truth()))
                }
            )*

            /// A single element of type bool, so that numpy.array(answers) has this type and can be a mask.
            #[getter]
            fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
                $crate::truth::array_interface(py, self.truth())
            }

            $($own)*
        }
    };
}

/// Python's True or False.
pub fn bool(py: Python<'_>, truth: bool) -> Bound<'_, PyAny> {
    PyBool::new(py, truth).to_owned().into_any()
}

/// What NumPy's array interface, version 3, says of one truth value.
pub fn array_interface(py: Python<'_>, truth: bool) -> PyResult<Bound<'_, PyDict>> {
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", ())?;
    interface.set_item("typestr", "|b1")?;
    interface.set_item("data", PyBytes::new(py, &[truth.into()]))?;
    Ok(interface)
}

/// `pingala.Answers`: a list of bool with the details apart.
pub fn answers<'py>(
    py: Python<'py>,
    truths: impl ExactSizeIterator<Item = bool>,
    details: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("pingala._answers")?.getattr("Answers")?.call1((PyList::new(py, truths)?, details))
}

/// What `__eq__` returns: an answer, or that the other object is to be asked.
#[derive(IntoPyObject)]
pub enum Truth<'py> {
    Known(bool),
    AskOther(Bound<'py, PyNotImplemented>),
}

/// The comparison of a handle or a column with an object of another class. None and handles are never equal to it. TypeError for what a
/// program compares when it expects an answer for each element, a truth value, a number or a list: False would pass for an answer.
pub fn incomparable<'py>(class: &str, content: &str, other: &Bound<'py, PyAny>) -> PyResult<Truth<'py>> {
    if other.is_instance_of::<PyInt>()
        || other.is_instance_of::<PyFloat>()
        || other.is_instance_of::<PyList>()
        || other.is_instance_of::<PyTuple>()
    {
        let kind = other.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a {class} is compared with a {class}, not with {kind}: compare what {content} gives"
        )));
    }
    // NumPy's arrays and others compare the elements.
    Ok(Truth::AskOther(PyNotImplemented::get(other.py()).to_owned()))
}
