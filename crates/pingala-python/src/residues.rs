//! Products of lists modulo one number, and the class `Residues`.

use crate::errors::{self, Raised};
use crate::keywords::Given;
use crate::list::{self, ANY_BITS, Names, Source, words};
use crate::modulus::Modulus;
use crate::primes::ints;
use crate::truth::{self, Truth};
use crate::{number, pickle};
use pingala_core::{Error, Integer, Natural, Options, mulmod_words};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PyList, PySlice, PyTuple};

const VALUE: Names = ["value", "values"];

/// Residues modulo one number, kept in the form of the kernel whose products are the fastest, so that a chain of operations converts
/// each number once. Modulus.residues(values) makes them.
///
/// a * b multiplies residues in the same place of two lists of one length and modulus, or all residues by one int. A residue is read as an
/// int by its index, all of them by tolist(); a slice gives Residues. Immutable and safe to share between threads. A pickle contains the
/// numbers and the modulus.
#[pyclass(frozen, module = "pingala", name = "Residues")]
#[derive(Debug)]
pub struct Residues {
    residues: pingala_core::Residues,
    modulus: Py<Modulus>,
}

impl Residues {
    /// Computes without the interpreter.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        given: &Given<'_, '_>,
        work: impl FnOnce(&pingala_core::Residues, &Options<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let residues = &self.residues;
        given.run(py, residues.len(), |options| work(residues, options))
    }

    /// Other residues modulo the same number.
    fn with(&self, py: Python<'_>, residues: pingala_core::Residues) -> Self {
        Self { residues, modulus: self.modulus.clone_ref(py) }
    }
}

fn values(object: &Bound<'_, PyAny>) -> PyResult<Vec<Integer>> {
    list::integers(VALUE, object, ANY_BITS)
}

/// The factors of a list of products: of two lists, or of a list and a number. ArgumentError, TypeError.
fn factors<'py>(py: Python<'py>, [a, b]: [&Bound<'py, PyAny>; 2]) -> PyResult<[Vec<Integer>; 2]> {
    let read = |name: &'static str, object| -> PyResult<(bool, Vec<Integer>)> {
        Ok(match Source::either(name, object)? {
            Source::One(one) => (false, vec![number::integer(name, &one)?]),
            Source::Many(..) => (true, list::integers([name, name], object, ANY_BITS)?),
        })
    };
    let ((a_is_list, a), (b_is_list, b)) = (read("a", a)?, read("b", b)?);
    if !a_is_list && !b_is_list {
        return Err(errors::bad_argument(py, "at least one of a and b must be a list or iterable"));
    }
    if a_is_list && b_is_list && a.len() != b.len() {
        return Err(errors::bad_argument(py, format!("the lists differ in length: {} a, {} b", a.len(), b.len())));
    }
    Ok([a, b])
}

/// The products of words modulo a word, without an object for each number on the way; none for other arguments.
fn products_of_words<'py>(
    py: Python<'py>,
    modulus: &pingala_core::Modulus,
    arguments: [&Bound<'py, PyAny>; 2],
    given: &Given<'_, 'py>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let &[m] = modulus.value().limbs() else { return Ok(None) };
    if given.kernel.is_some() || !arguments.iter().any(|argument| argument.is_exact_instance_of::<PyList>()) {
        return Ok(None);
    }
    let read = |object| words::words(py, &Source::either("a factor", object)?);
    let (Some(a), Some(b)) = (read(arguments[0])?, read(arguments[1])?) else { return Ok(None) };
    let is_one = |factors: &Vec<u64>, at: usize| factors.len() == 1 && arguments[at].is_instance_of::<PyInt>();
    let count = match (is_one(&a, 0), is_one(&b, 1)) {
        (_, true) => a.len(),
        (true, false) => b.len(),
        (false, false) if a.len() == b.len() => a.len(),
        (false, false) => return Ok(None),
    };
    let mut products = vec![0; count];
    given.run(py, count, |options| mulmod_words(&a, &b, &[m], &mut products, options))?;
    PyList::new(py, products).map(Some)
}

/// `Modulus.mul_list`.
pub fn mul_list<'py>(
    modulus: &pingala_core::Modulus,
    arguments: [&Bound<'py, PyAny>; 2],
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let py = arguments[0].py();
    if let Some(products) = products_of_words(py, modulus, arguments, given)? {
        return Ok(products);
    }
    let [a, b] = factors(py, arguments)?;
    let count = if a.len() == 1 { b.len() } else { a.len() };
    ints(py, &given.run(py, count, |options| modulus.mul_list(&a, &b, options))?)
}

/// A call that makes a list of numbers of one.
pub fn mapped<'py>(
    object: &Bound<'py, PyAny>,
    given: &Given<'_, 'py>,
    work: impl FnOnce(&[Integer], &Options<'_>) -> Result<Vec<Natural>, Error> + Send,
) -> PyResult<Bound<'py, PyList>> {
    let (py, values) = (object.py(), values(object)?);
    ints(py, &given.run(py, values.len(), |options| work(&values, options))?)
}

/// `Modulus.product`.
pub fn product<'py>(
    modulus: &pingala_core::Modulus,
    object: &Bound<'py, PyAny>,
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, values) = (object.py(), values(object)?);
    let product = given.run(py, values.len(), |options| modulus.product(&values, options))?;
    Ok(number::int(py, &product)?.into_any())
}

/// `Modulus.residues`.
pub fn residues<'py>(
    modulus: &Bound<'py, Modulus>,
    object: &Bound<'py, PyAny>,
    given: &Given<'_, 'py>,
) -> PyResult<Residues> {
    let (values, library) = (values(object)?, modulus.get().library());
    let residues = given.run(object.py(), values.len(), |options| library.residues(&values, options))?;
    Ok(Residues { residues, modulus: modulus.clone().unbind() })
}

methods! {
    Residues {
        fn __len__(&self) -> usize {
            self.residues.len()
        }

        fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let length = self.residues.len();
            if let Ok(slice) = index.cast::<PySlice>() {
                let range = slice.indices(length as isize)?;
                let place = |at| (range.start + at * range.step) as usize;
                let places: Vec<usize> = (0..range.slicelength as isize).map(place).collect();
                let part = self.residues.select(&places).raised(py)?;
                return Ok(Bound::new(py, self.with(py, part))?.into_any());
            }
            let index: isize = number::index("index", index)?.extract()?;
            let place = if index < 0 { index + length as isize } else { index };
            match usize::try_from(place) {
                Ok(place) if place < length => {
                    Ok(number::int(py, &self.residues.get(place).raised(py)?)?.into_any())
                }
                _ => Err(PyIndexError::new_err("index out of range")),
            }
        }

        fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
            self.tolist(py)?.try_iter()
        }

        fn __mul__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let own;
            let other = match other.cast::<Self>() {
                Ok(other) if other.get().residues.len() == self.residues.len() => &other.get().residues,
                Ok(other) => {
                    let lengths = (self.residues.len(), other.get().residues.len());
                    let why = format!("the lists differ in length: {} and {} residues", lengths.0, lengths.1);
                    return Err(errors::bad_argument(py, why));
                }
                Err(_) => match number::integer("a factor", other) {
                    Ok(factor) => {
                        own = self.residues.modulus().residues(&[factor], &Options::default()).raised(py)?;
                        &own
                    }
                    // Its own type may know how to multiply by residues.
                    Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                        return Ok(py.NotImplemented().into_bound(py));
                    }
                    Err(error) => return Err(error),
                },
            };
            let product = self.compute(py, &Given::default(), |residues, options| residues.mul(other, options))?;
            Ok(Bound::new(py, self.with(py, product))?.into_any())
        }

        fn __rmul__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            self.__mul__(py, other)
        }

        /// All residues as a list of int, each at least 0 and below the modulus.
        fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
            let numbers = self.compute(py, &Given::default(), |residues, options| residues.to_naturals(options))?;
            ints(py, &numbers)
        }

        /// Whether the other one has the same residues modulo the same number, whichever kernels keep them.
        fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Truth<'py>> {
            let Ok(other) = other.cast::<Self>() else { return truth::incomparable("Residues", "tolist()", other) };
            let other = &other.get().residues;
            let is_same = core::ptr::eq(&self.residues, other)
                || self.residues.len() == other.len()
                    && self.residues.modulus().value() == other.modulus().value()
                    && self.compute(py, &Given::default(), |residues, options| {
                        Ok(residues.to_naturals(options)? == other.to_naturals(options)?)
                    })?;
            Ok(Truth::Known(is_same))
        }

        fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
            let ends = match self.residues.len() {
                0 => None,
                count => Some((number::int(py, &self.residues.get(0).raised(py)?)?, number::int(py, &self.residues.get(count - 1).raised(py)?)?)),
            };
            (&self.modulus, self.residues.len(), ends).into_pyobject(py)?.hash()
        }

        /// The modulus.
        #[getter]
        fn modulus(&self, py: Python<'_>) -> Py<Modulus> {
            self.modulus.clone_ref(py)
        }

        fn __repr__(&self) -> String {
            let count = self.residues.len();
            let bits = self.residues.modulus().value().bits();
            format!("<Residues: {count} modulo a number of {bits} bits>")
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            pickle::reduced(py, "residues", (self.modulus.clone_ref(py), self.tolist(py)?).into_pyobject(py)?)
        }
    }

    /// The squares of all residues, as Residues.
    ///
    /// threads, progress, timeout: as in Modulus.mul_list.
    fn square(&this, *, threads, progress, timeout) -> Self = |py, given| {
        let this = this.get();
        Ok(this.with(py, this.compute(py, &given, |residues, options| residues.square(options))?))
    }

    /// The product of all residues, as an int; of none it is 1 modulo the modulus.
    ///
    /// threads, progress, timeout: as in Modulus.mul_list.
    fn product(&this, *, threads, progress, timeout) -> Bound<'py, PyAny> = |py, given| {
        let product = this.get().compute(py, &given, |residues, options| residues.product(options))?;
        Ok(number::int(py, &product)?.into_any())
    }

    /// The product of the residues up to each place, as Residues. It uses one thread.
    ///
    /// progress, timeout: as in Modulus.mul_list.
    fn running_product(&this, *, progress, timeout) -> Self = |py, given| {
        let this = this.get();
        Ok(this.with(py, this.compute(py, &given, |residues, options| residues.running_product(options))?))
    }
}
