//! The Python module `pingala._pingala`: converts arguments, calls the library, maps errors. No arithmetic.

mod call;
mod errors;
mod list;
mod modulus;
mod number;
mod planning;
mod watch;

use call::Divisor;
use list::{Settings, Source};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::ffi::OsString;
use std::io::Write;

/// base^exponent mod modulus, as the built-in pow(base, exponent, modulus) gives it, for all integers.
///
/// Integers are int, bool, and whatever has __index__ (gmpy2.mpz, NumPy's); modulus may be a Modulus. The result is an int
/// in 0..modulus, or in modulus+1..0 for a negative modulus. A negative exponent takes the inverse of the base.
///
/// kernel: force a kernel by name. plan: force a plan by its line, as plan() prints it.
///
/// Raises ZeroModulusError, NotInvertibleError, TooLongError, PlanError (all ValueErrors); TypeError for what is no integer.
/// Long calls release the GIL, and Ctrl-C stops them.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus, *, kernel=None, plan=None))]
fn powmod<'py>(
    base: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    call::power(base, exponent, &Divisor::of(modulus)?, kernel, plan)
}

/// base^exponent mod modulus in constant time in base and exponent, for modulus >= 1, odd or even.
///
/// exponent >= 0. exponent_bits: its declared width in bits, which is public; by default the length of the modulus. Python's
/// own copies of the numbers are out of this function's reach: it cannot wipe them, and reading an int takes time by its
/// length.
///
/// Leaks: the modulus, exponent_bits, and the lengths of the ints given.
///
/// Raises SecretError for an exponent that is negative or wider than declared, ZeroModulusError, NegativeModulusError,
/// TooLongError, TypeError.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus, exponent_bits=None))]
fn powmod_sec<'py>(
    base: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    exponent_bits: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    call::secret_power(base, exponent, &Divisor::of(modulus)?, exponent_bits)
}

/// The inverse of value modulo modulus, as pow(value, -1, modulus) gives it.
///
/// Raises NotInvertibleError, ZeroModulusError, TooLongError, TypeError.
#[pyfunction]
fn invert<'py>(value: &Bound<'py, PyAny>, modulus: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    call::inverse(value, &Divisor::of(modulus)?)
}

/// [bases[i]^exponents[i] mod moduli[i] for each i], as a list of int.
///
/// Each of bases, exponents and moduli is an iterable of integers, all of one length, or one integer for all; at least one
/// is an iterable. Text and bytes are refused. Elements are checked before any work begins.
///
/// kernel, plan: force one, as in powmod. threads: how many to use at most; by default all cores, and none are started for
/// tiny lists or for threads=1. progress: called as progress(done, total) on this thread, at most about ten times a second
/// and once at the end; what it raises stops the list.
///
/// errors: "raise" raises the error of a bad element, with its index in the message and in .index (the first bad one);
/// "return" puts the exception in its place. Such errors are PingalaErrors, and ElementTypeError for what is no integer.
///
/// Raises ArgumentError (a ValueError) for lengths or settings that cannot be, TypeError for an argument that is neither an
/// integer nor an iterable, PlanError. Ctrl-C stops the list.
#[pyfunction]
#[pyo3(signature = (
    bases, exponents, moduli, *, kernel=None, plan=None, threads=None, errors="raise", progress=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
fn powmod_list<'py>(
    py: Python<'py>,
    bases: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    moduli: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'py, PyAny>>,
    errors: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let bases = Source::either("bases", bases)?;
    let exponents = Source::either("exponents", exponents)?;
    let moduli = Source::either("moduli", moduli)?;
    list::powers(py, bases, exponents, moduli, &Settings { kernel, plan, threads, errors, progress })
}

/// [base^exponent mod modulus for base in bases]: gmpy2's name and order. Keywords and errors as in powmod_list.
#[pyfunction]
#[pyo3(signature = (
    bases, exponent, modulus, *, kernel=None, plan=None, threads=None, errors="raise", progress=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
fn powmod_base_list<'py>(
    py: Python<'py>,
    bases: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'py, PyAny>>,
    errors: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let (bases, exponent, modulus) = (Source::many("bases", bases)?, Source::one(exponent), Source::one(modulus));
    list::powers(py, bases, exponent, modulus, &Settings { kernel, plan, threads, errors, progress })
}

/// [base^exponent mod modulus for exponent in exponents]: gmpy2's name and order. Keywords and errors as in powmod_list.
#[pyfunction]
#[pyo3(signature = (
    base, exponents, modulus, *, kernel=None, plan=None, threads=None, errors="raise", progress=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
fn powmod_exp_list<'py>(
    py: Python<'py>,
    base: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'py, PyAny>>,
    errors: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let (base, exponents, modulus) = (Source::one(base), Source::many("exponents", exponents)?, Source::one(modulus));
    list::powers(py, base, exponents, modulus, &Settings { kernel, plan, threads, errors, progress })
}

/// The command: main(["pingala", "pow", "3", "5", "7"]) does what the shell would, and returns the exit status.
///
/// Not for use inside a program: Ctrl-C and SIGTERM then end the whole process. `pingala.__main__` calls it.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> i32 {
    py.detach(|| {
        let status = pingala_cli::run(arguments);
        // Rust's own flush at exit belongs to its main function, which is not there. Who closed the pipe was told by
        // then.
        let _ = std::io::stdout().flush();
        status
    })
}

/// The compiled part of the package pingala.
#[pymodule(gil_used = false)]
fn _pingala(module: &Bound<'_, PyModule>) -> PyResult<()> {
    number::check_layout(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<modulus::Modulus>()?;
    module.add_function(wrap_pyfunction!(powmod, module)?)?;
    module.add_function(wrap_pyfunction!(powmod_sec, module)?)?;
    module.add_function(wrap_pyfunction!(invert, module)?)?;
    module.add_function(wrap_pyfunction!(powmod_list, module)?)?;
    module.add_function(wrap_pyfunction!(powmod_base_list, module)?)?;
    module.add_function(wrap_pyfunction!(powmod_exp_list, module)?)?;
    module.add_function(wrap_pyfunction!(planning::plan, module)?)?;
    module.add_function(wrap_pyfunction!(planning::explain, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    Ok(())
}
