//! The class `FixedExponent`.

use crate::call::{self, Divisor};
use crate::errors::{self, Raised};
use crate::list::{self, ANY_BITS, BASE};
use crate::number;
use crate::pickle;
use crate::secret;
use crate::watch::Caller;
use pingala_chains::Search;
use pingala_core::{Limits, Options, PlannedPower};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The longest exponent of a search, in bits, and the longest expression.
const MOST_BITS: u64 = 1 << 16;
const MOST_TEXT: usize = 1 << 18;

/// An exponent that is known in advance, with a short addition chain that is searched once.
///
/// exponent: an integer from 1 up, or an expression such as "2^255-21". moves: of the search; the same moves and seed find the
/// same chain everywhere. Twenty million take some ten seconds. Immutable and safe to share between threads. The exponent is public;
/// only pow_sec is for secret bases.
///
/// Raises ArgumentError for an exponent below 1 or text that is no expression, and TooLongError.
#[pyclass(frozen, module = "pingala", name = "FixedExponent")]
#[derive(Debug)]
pub struct FixedExponent {
    fixed: pingala_chains::FixedExponent,
    /// The plan for the modulus of the last call.
    planned: Mutex<Option<(pingala_core::Modulus, Arc<PlannedPower>)>>,
}

impl FixedExponent {
    fn with(fixed: pingala_chains::FixedExponent) -> Self {
        Self { fixed, planned: Mutex::new(None) }
    }

    fn modulo(&self, py: Python<'_>, divisor: &Divisor) -> PyResult<Arc<PlannedPower>> {
        if divisor.is_negative() {
            return Err(errors::raise(py, pingala_core::Error::NegativeModulus));
        }
        // Does not wait: a fork copies a lock that another thread holds. If it is held, the plan is made and not kept.
        let mut planned = self.planned.try_lock().ok();
        if let Some(Some((known, power))) = planned.as_deref()
            && known.value() == divisor.magnitude()
        {
            return Ok(power.clone());
        }
        let made = divisor.kept(&Limits::default()).and_then(|modulus| {
            let power = Arc::new(self.fixed.modulo(&modulus)?);
            Ok((modulus, power))
        });
        let (modulus, power) = made.raised(py)?;
        if let Some(planned) = &mut planned {
            **planned = Some((modulus, power.clone()));
        }
        Ok(power)
    }
}

#[pymethods]
impl FixedExponent {
    #[new]
    #[pyo3(signature = (exponent, *, moves=20_000_000, seed=1))]
    fn new(
        exponent: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::count)] moves: u64,
        #[pyo3(from_py_with = number::count)] seed: u64,
    ) -> PyResult<Self> {
        let py = exponent.py();
        let text = match exponent.cast::<PyString>() {
            Ok(text) if text.len()? > MOST_TEXT => {
                let why = format!("an expression has at most {MOST_TEXT} characters, not {}", text.len()?);
                return Err(errors::bad_argument(py, why));
            }
            Ok(text) => text.to_string(),
            Err(_) => number::exponent(exponent, MOST_BITS)?.to_string(),
        };
        let exponent = pingala_chains::evaluate(&text).raised(py)?;
        // The threads of the search ask whether to stop, and this one would wait for them.
        call::run_apart(py, Caller::new(None), move |watch| {
            let found = Search { steps: moves, seed, ..Search::new(&exponent) }.run_with(&Stop(watch))?;
            if watch.stop() {
                return Err(pingala_core::Error::Interrupted);
            }
            Ok(Self::with(pingala_chains::FixedExponent::new(found.chain)))
        })
    }

    /// Reads a chain from the file at path, which save() or the command wrote; one whose steps do not lead to its exponent is refused.
    /// Raises FileError.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = pingala_chains::FixedExponent::load(&path);
        read.map(Self::with).raised(py)
    }

    /// Writes the chain to the file at path, as JSON, which appears under its name when it is complete. Raises FileError.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.fixed.save(&path)).raised(py)
    }

    /// base^exponent mod modulus, which is an integer from 1 up or a Modulus. The plan for the last modulus is kept.
    fn pow<'py>(&self, base: &Bound<'py, PyAny>, modulus: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = base.py();
        let base = number::integer("base", base)?;
        let planned = self.modulo(py, &Divisor::of(modulus, &Limits::default())?)?;
        let power = call::watched(py, |watch| {
            let options = Options::default().with_threads(Some(NonZeroUsize::MIN)).with_watch(watch);
            planned
                .pow_list(core::slice::from_ref(&base), &options)?
                .pop()
                .unwrap_or(Err(pingala_core::Error::Interrupted))
        })?;
        Ok(number::int(py, &power)?.into_any())
    }

    /// [base^exponent mod modulus for base in bases], as a list of int.
    fn pow_list<'py>(&self, bases: &Bound<'py, PyAny>, modulus: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = bases.py();
        let numbers = list::integers(BASE, bases, ANY_BITS)?;
        let planned = self.modulo(py, &Divisor::of(modulus, &Limits::default())?)?;
        let powers = call::watched(py, |watch| planned.pow_list(&numbers, &Options::default().with_watch(watch)))?;
        list::answers(py, &powers, false)
    }

    /// base^exponent mod modulus in constant time in the base, whose length and sign are public, as the modulus is.
    ///
    /// base: an integer, or a SecretInt, whose power is one. modulus: an integer from 1 up, or a Modulus.
    fn pow_sec<'py>(&self, base: &Bound<'py, PyAny>, modulus: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let modulus = Divisor::of(modulus, &Limits::default())?;
        secret::chain_power(base, &self.modulo(base.py(), &modulus)?, modulus.magnitude().bits())
    }

    /// What the chain saves for this modulus against the planner's choice for one call, and when a search pays.
    fn explain(&self, modulus: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = modulus.py();
        let kept = Divisor::of(modulus, &Limits::default())?.kept(&Limits::default());
        let saving = kept.and_then(|modulus| self.fixed.explain(&modulus));
        saving.map(|saving| saving.to_string()).raised(py)
    }

    /// The exponent.
    #[getter]
    fn exponent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(number::int(py, self.fixed.exponent().magnitude())?.into_any())
    }

    /// The chain: pairs of places, where place 0 is 1 and place k + 1 the sum of step k.
    #[getter]
    fn steps(&self) -> Vec<(usize, usize)> {
        self.fixed.chain().pairs().to_vec()
    }

    /// Whether the other one has the same chain, step by step, and so the same exponent.
    fn __eq__(&self, other: &Self) -> bool {
        self.fixed.chain().pairs() == other.fixed.chain().pairs()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.exponent(py)?.hash()
    }

    /// A pickle contains the chain, and no plan.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let text = pingala_chains::write_json(self.fixed.chain());
        pickle::reduced(py, "fixed_exponent", (text,).into_pyobject(py)?)
    }

    fn __len__(&self) -> usize {
        self.fixed.chain().length()
    }

    fn __repr__(&self) -> String {
        let chain = self.fixed.chain();
        format!("<pingala.FixedExponent of {} bits, {} steps>", chain.target().bits(), chain.length())
    }
}

/// What `FixedExponent.__reduce__` wrote. ArgumentError for steps that do not lead to the exponent.
#[pyfunction]
#[pyo3(name = "_fixed_exponent")]
pub fn exponent_of_pickle(py: Python<'_>, chain: &str) -> PyResult<FixedExponent> {
    let chain = pingala_chains::read_json(chain).raised(py)?;
    Ok(FixedExponent::with(pingala_chains::FixedExponent::new(chain)))
}

/// Ends a search when the caller's signal handler raised.
struct Stop<'a>(&'a dyn pingala_core::Watch);

impl pingala_chains::Progress for Stop<'_> {
    fn goes_on(&self, _: u64, _: usize) -> bool {
        !self.0.stop()
    }
}
