//! The class `FixedBase`.

use crate::call::{self, Divisor};
use crate::columns::{self, ResultColumn};
use crate::errors::Raised;
use crate::explanation::{explained, explanation};
use crate::keywords::{Given, Keywords};
use crate::list;
use crate::number::{self, Count};
use crate::pickle;
use crate::secret::{self, SecretKeywords};
use crate::watch::Caller;
use pingala_core::{Expected, Integer, Limits, Options, Uses};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A base, a modulus, and a table of powers of the base that makes every further power cheaper.
///
/// base: any integer. modulus: an integer from 1 up, or a Modulus. exponent_bits: the length of the longest exponent, of
/// either sign. memory: the limit on the table's bytes. uses: about how many powers to expect; they share the cost of
/// building. lists: whether most of them come in lists. secret: make a table for pow_sec and pow_sec_list; the modulus must be odd.
/// threads: the most threads of pow_list, unless that call names its own limit; all cores by default. kernel, plan: force a kernel or a
/// plan such as "comb(h=8, v=4)". The environment variable PINGALA_KERNEL applies here, PINGALA_PLAN does not.
///
/// The planner takes the cheapest method and parameters that fit the memory. explain() shows the candidates;
/// explain_fixed_base shows them before a table is built. Immutable and safe to share between threads. Only pow_sec and pow_sec_list
/// are for secrets.
///
/// A pickle contains the arguments except kernel and plan, and no table: loading it builds the table that is cheapest on the
/// loading machine. save() and load() keep the table itself.
///
/// Raises ZeroModulusError, NegativeModulusError, TooLongError, PlanError, ArgumentError if no table fits the memory,
/// and TypeError for an argument that is not an integer.
#[pyclass(frozen, module = "pingala", name = "FixedBase")]
#[derive(Debug)]
pub struct FixedBase {
    table: pingala_core::FixedBase,
    /// The kernel and the plan that were forced; of a table that was loaded, its own plan.
    forced: [Option<String>; 2],
    /// The most threads of `pow_list` unless the call gives a number.
    threads: Option<NonZeroUsize>,
    /// What the table may hold, in bytes, and what it is for.
    memory: u64,
    uses: Uses,
}

functions! {
    /// What FixedBase(base, modulus, exponent_bits, memory) would build, and why: an Explanation, which prints. Its
    /// candidates have entries, bytes, counts, and estimated seconds of a power and of building.
    ///
    /// base, modulus, exponent_bits, memory, uses, lists, secret, kernel, plan: as in FixedBase; nothing is built. Raises the errors of
    /// FixedBase.
    fn explain_fixed_base(
        base, modulus, #[pyo3(from_py_with = number::count)] exponent_bits: u64,
        #[pyo3(from_py_with = number::count)] memory: u64 = 262_144, *,
        #[pyo3(from_py_with = number::count)] uses: u64 = 10_000, lists: bool = false, secret: bool = false, kernel,
        plan
    ) -> Bound<'py, PyAny> = |py, given| {
        let (base, modulus) = (number::integer("base", base)?, read_modulus(modulus)?);
        let uses = expected(uses, lists, secret);
        explained(py, &given, |options| {
            Ok(pingala_core::FixedBase::explain(&base, &modulus, exponent_bits, memory, uses, options)?.summary())
        })
    }
}

/// The use that the keywords describe.
fn expected(powers: u64, in_lists: bool, secret: bool) -> Uses {
    let mut uses = Uses::new(powers, in_lists);
    uses.secret = secret;
    uses
}

/// A modulus from 1 up.
fn read_modulus(object: &Bound<'_, PyAny>) -> PyResult<pingala_core::Modulus> {
    let limits = Limits::default();
    Divisor::of(object, &limits)?.positive(object.py(), &limits)
}

methods! {
    FixedBase {
        /// base^exponent mod modulus. For a negative exponent the power is inverted.
        ///
        /// Raises TooLongError for an exponent longer than exponent_bits, NotInvertibleError, TypeError.
        fn pow<'py>(&self, exponent: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let py = exponent.py();
            let exponent = number::exponent(exponent, self.table.exponent_bits())?;
            let modulus = self.table.modulus().value();
            // A short call clones nothing.
            let power = if exponent.is_negative() && call::runs_apart(modulus.bits()) {
                let table = self.table.clone();
                call::run_apart(py, Caller::new(None), move |watch| {
                    table.pow_with(&exponent, &Options::default().with_watch(Some(watch)))
                })?
            } else {
                let caller = call::is_long([exponent.magnitude(), modulus]).then(|| Caller::new(None));
                call::run(py, caller.as_ref(), |watch| {
                    self.table.pow_with(&exponent, &Options::default().with_watch(watch))
                })?
            };
            Ok(number::int(py, &power)?.into_any())
        }

        /// Writes the table to the file at path, which appears under its name when it is complete and on the disk. Symbolic links are
        /// refused. Raises FileError.
        fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
            py.detach(|| self.table.save(&path)).raised(py)
        }

        /// Computes every entry again and compares. Raises FaultError if one differs.
        fn verify(&self, py: Python<'_>) -> PyResult<()> {
            call::watched(py, |watch| self.table.verify(&Options::default().with_watch(watch)))
        }

        /// Why the plan was chosen: an Explanation, which prints. The plan of a loaded table counts as forced.
        fn explain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            let (base, modulus) = (Integer::from(self.table.base().clone()), self.table.modulus());
            let [kernel, plan] = &self.forced;
            let options = Options::default().with_kernel(kernel.as_deref()).with_plan(plan.as_deref());
            let (bits, memory) = (self.table.exponent_bits(), self.memory);
            let explained = pingala_core::FixedBase::explain(&base, modulus, bits, memory, self.uses, &options);
            explanation(py, &explained.raised(py)?.summary())
        }

        /// Whether the other one computes the same powers: base, modulus, exponent_bits and secret are equal, whatever the tables are.
        fn __eq__(&self, other: &Self) -> bool {
            let content = |this: &Self| (this.table.base().clone(), this.table.exponent_bits(), this.uses.secret);
            content(self) == content(other) && self.table.modulus().value() == other.table.modulus().value()
        }

        fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
            (self.base(py)?, self.modulus(py)?, self.table.exponent_bits()).into_pyobject(py)?.hash()
        }

        /// The base, in 0..modulus.
        #[getter]
        fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            Ok(number::int(py, self.table.base())?.into_any())
        }

        /// The modulus as an int.
        #[getter]
        fn modulus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            Ok(number::int(py, self.table.modulus().value())?.into_any())
        }

        /// The length of the longest exponent.
        #[getter]
        fn exponent_bits(&self) -> u64 {
            self.table.exponent_bits()
        }

        /// The plan, one line that `plan=` accepts.
        #[getter]
        fn plan(&self) -> String {
            self.table.plan().to_string()
        }

        /// The bytes that the table occupies.
        #[getter]
        fn table_bytes(&self) -> u64 {
            self.table.table_bytes()
        }

        /// The number of powers in the table.
        #[getter]
        fn entries(&self) -> u64 {
            self.table.entries()
        }

        /// Remarks about how the table was loaded.
        #[getter]
        fn notes(&self) -> Vec<String> {
            self.table.notes().to_vec()
        }

        fn __repr__(&self) -> String {
            let modulus_bits = self.table.modulus().value().bits();
            let (exponent_bits, plan) = (self.table.exponent_bits(), self.table.plan());
            format!("<FixedBase modulo {modulus_bits} bits, exponents of {exponent_bits} bits: {plan}>")
        }

        /// A pickle contains no table: loading it builds one, by the plan that is cheapest on the loading machine.
        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            let (base, modulus) = (self.base(py)?, self.modulus(py)?);
            let Uses { powers, in_lists, secret, .. } = self.uses;
            let threads = self.threads.map(NonZeroUsize::get);
            let parameters = (base, modulus, self.exponent_bits(), self.memory, powers, in_lists, threads, secret);
            pickle::reduced(py, "fixed_base", parameters.into_pyobject(py)?)
        }
    }

    #[new]
    fn new(
        base, modulus, #[pyo3(from_py_with = number::count)] exponent_bits: u64,
        #[pyo3(from_py_with = number::count)] memory: u64 = 262_144, *,
        #[pyo3(from_py_with = number::count)] uses: u64 = 10_000, lists: bool = false, secret: bool = false, threads, kernel,
        plan
    ) -> Self = |py, given| {
        let keywords = given.keywords()?;
        let (base, modulus) = (number::integer("base", base)?, read_modulus(modulus)?);
        let uses = expected(uses, lists, secret);
        let options = Keywords { threads: None, ..keywords };
        call::watched(py, |watch| {
            let options = options.options(watch);
            let table = pingala_core::FixedBase::for_uses(&base, &modulus, exponent_bits, memory, uses, &options)?;
            let forced = [keywords.kernel, keywords.plan].map(|forced| forced.map(String::from));
            Ok(Self { table, forced, threads: keywords.threads, memory, uses })
        })
    }

    /// base^exponent mod modulus in constant time in the exponent, from a table made with secret=True, or from a comb of another one.
    /// The whole of a block of the table is read at each step. The base is public.
    ///
    /// exponent: an int from 0 up, or a SecretInt. exponent_bits: its declared width; by default that of a SecretInt, otherwise that of
    /// the table. Raises SecretError, TooLongError, PlanError for a table that cannot be read so, TypeError.
    fn pow_sec(&this, exponent, exponent_bits) -> Bound<'py, PyAny> = |py, given| {
        secret::table_power(exponent, &this.get().table, &this.get().secrets(py, &given)?)
    }

    /// [pow_sec(exponent) for exponent in exponents], on several threads. threads: the limit given to FixedBase by default. Raises
    /// what pow_sec raises, with the index of the element.
    fn pow_sec_list(
        &this, exponents, exponent_bits, *, threads
    ) -> Bound<'py, PyList> = |py, given| {
        secret::table_list(exponents, &this.get().table, &this.get().secrets(py, &given)?)
    }

    /// base^exponent mod modulus in each row of a column, as a Column. exponents, width, errors, byteorder, progress: as in
    /// powmod_column.
    /// threads: the limit given to FixedBase by default. Raises what powmod_column raises, and TooLongError for an exponent longer
    /// than exponent_bits.
    fn pow_column(
        &this, exponents, *, width, errors, byteorder, threads, progress
    ) -> ResultColumn = |_py, given| {
        columns::table_powers(&this.get().table, this.get().threads, exponents, &given)
    }

    /// [base^exponent mod modulus for exponent in exponents], as a list of int.
    ///
    /// threads: the limit given to FixedBase by default. errors, progress: as in powmod_list. kernel, plan: force a kernel, or
    /// a plan line such as plan_list returns. Raises what pow raises, with the index of the element; ElementTypeError for an
    /// element that is not an integer; ArgumentError; PlanError.
    fn pow_list(
        &this, exponents, *, threads, errors, progress, kernel, plan
    ) -> Bound<'py, PyList> = |_py, given| {
        list::table_powers(exponents, &this.get().table, this.get().threads, &given)
    }

    /// The plan line of pow_list for count powers with valid exponents other than 0, on at most as many threads as FixedBase was given.
    /// kernel, plan: force a choice. Raises PlanError.
    fn plan_list(
        &this, #[pyo3(from_py_with = number::count)] count: u64, *, kernel, plan
    ) -> String = |py, given| {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let options = given.keywords()?.options(None).with_threads(this.get().threads);
        let plan = this.get().table.plan_list(count, &options);
        plan.map(|plan| plan.to_string()).raised(py)
    }

    /// The table of the file at path, which save() wrote. Checked before it is used: lengths, SHA-256, the expected base and modulus, the range
    /// of every entry, and six entries by computing them again. This finds damage, not forgery: for the file of somebody else call
    /// verify() too.
    ///
    /// base, modulus: the base and the modulus that the file must have. map: map the table from the file, if this CPU can use
    /// its format. While it is mapped the file must not be changed (wrong powers) or truncated (the process ends); without map the
    /// table is a private copy. max_bytes: refuse a longer file (2**32 by default). threads, kernel: as
    /// in FixedBase. notes says whether the table was converted.
    ///
    /// Raises FileError, which names the failed check, PlanError, TypeError.
    #[staticmethod]
    fn load(
        path: PathBuf, *, base: Option<&Bound<'py, PyAny>> = None, modulus: Option<&Bound<'py, PyAny>> = None,
        map: bool = false, max_bytes: Option<Count> = None, threads, kernel
    ) -> Self = |py, given| {
        let keywords = given.keywords()?;
        let base = base.map(|base| number::integer("base", base)).transpose()?;
        let modulus = modulus.map(read_modulus).transpose()?;
        let expected = Expected::default()
            .with_modulus(modulus.as_ref().map(pingala_core::Modulus::value))
            .with_base(base.as_ref())
            .with_max_bytes(max_bytes.map_or(pingala_core::FixedBase::MAX_FILE_BYTES, u64::from));
        // SAFETY: the docstring obliges the caller to keep a mapped file unchanged.
        #[allow(unsafe_code)]
        let expected = unsafe { expected.with_map(map) };
        let options = Keywords { threads: None, ..keywords };
        call::watched(py, |watch| {
            let table = pingala_core::FixedBase::load(&path, &expected, &options.options(watch))?;
            let (memory, uses) = (table.table_bytes(), Uses::default());
            let forced = [None, Some(table.plan().to_string())];
            Ok(Self { table, forced, threads: keywords.threads, memory, uses })
        })
    }
}

impl FixedBase {
    /// The settings of secret powers.
    fn secrets<'a>(&'a self, py: Python<'_>, given: &Given<'a, '_>) -> PyResult<SecretKeywords<'a>> {
        let mut settings = SecretKeywords::of(py, given)?;
        settings.keywords.kernel = self.forced[0].as_deref();
        settings.keywords.threads = settings.keywords.threads.or(self.threads);
        Ok(settings)
    }
}
