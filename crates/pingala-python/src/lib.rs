//! The Python module `pingala._pingala`: converts arguments, calls the library, maps errors. No arithmetic.

// `functions!` and `methods!` call themselves for each parameter, and a class has more of them than the default limit of 128.
#![recursion_limit = "512"]

#[macro_use]
mod keywords;
#[macro_use]
mod truth;

mod call;
mod columns;
mod errors;
mod explanation;
mod fixed_base;
mod fixed_exponent;
mod job;
mod list;
mod modulus;
mod number;
mod pickle;
mod planning;
mod primes;
mod private;
mod proofs;
mod public;
mod residues;
mod secret;
mod shared_work;
mod squaring;
mod verify;
mod watch;

use call::Divisor;
use list::Source;
use pyo3::prelude::*;
use pyo3::types::PyList;
use secret::SecretKeywords;
use std::ffi::OsString;
use std::io::Write;

functions! {
    /// base^exponent mod modulus, equal to the built-in pow(base, exponent, modulus) for all integers.
    ///
    /// Integers are int, bool, and every type with __index__ (gmpy2.mpz, NumPy integers); modulus may be a Modulus. The result is
    /// an int, 0 <= result < modulus, or modulus < result <= 0 for a negative modulus. A negative exponent needs a base with an
    /// inverse.
    ///
    /// kernel: force a kernel by name. plan: force a plan, by a line such as plan() returns. Without both, the environment
    /// variables PINGALA_KERNEL and PINGALA_PLAN apply. max_modulus_bits, max_exponent_bits: refuse longer numbers before memory
    /// is allocated (2**24 and 2**26 by default); a Modulus was checked when it was created.
    ///
    /// progress: called as progress(done, total) on this thread, in bits of the exponent, at most about ten times a second and once
    /// at the end; an exception from it stops the call. For a Modulus with factors it is called only at the end.
    ///
    /// timeout: the seconds that the call may take. Then it ends with TimeLimitError, as soon as the operation that it computes is done.
    ///
    /// Raises ZeroModulusError, NotInvertibleError, TooLongError, PlanError (all ValueErrors); TypeError for an argument that is not an
    /// integer. Long calls release the GIL, and Ctrl-C stops them.
    fn powmod(
        base, exponent, modulus, *, kernel, plan, progress, timeout, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        match call::word_power(base, exponent, modulus, &given) {
            Some(power) => Ok(power.into_pyobject(py)?.into_any()),
            None => call::power(base, exponent, &Divisor::of(modulus, &given.limits())?, &given),
        }
    }

    /// base^exponent mod modulus in constant time in base and exponent, for modulus >= 1, odd or even.
    ///
    /// exponent >= 0. exponent_bits: its declared width in bits, which is public; by default the length of the modulus. This
    /// function cannot wipe Python's own copies of the numbers, and the time to read an int depends on its length: base and exponent may
    /// be SecretInts, which have neither weakness. The result of a base that is a SecretInt is one.
    ///
    /// public_exponent: the inverse e of exponent, as in RSA; the result is returned only if result^e = base. Otherwise ArgumentError is
    /// raised if e does not belong to exponent, and FaultError if the computer erred. blinding: modulo known prime factors, a random
    /// multiple of the order is added to the exponent, and with public_exponent the base is multiplied by a power of a random number, by
    /// which the result is divided.
    ///
    /// kernel, plan, max_modulus_bits, max_exponent_bits: as in powmod; a plan or kernel that is not constant-time is refused,
    /// and no secret exponent is wider than 2**26 bits.
    ///
    /// Leaks: the modulus, exponent_bits, and the lengths of the ints given.
    ///
    /// Raises SecretError for an exponent that is negative or wider than declared, ZeroModulusError, NegativeModulusError,
    /// TooLongError, PlanError, TypeError.
    fn powmod_sec(
        base, exponent, modulus, exponent_bits, *, public_exponent, blinding, kernel, plan,
        max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let settings = SecretKeywords::of(py, &given)?;
        secret::power(base, exponent, &Divisor::of(modulus, &settings.keywords.limits)?, &settings)
    }

    /// The inverse of value modulo modulus, equal to pow(value, -1, modulus).
    ///
    /// timeout, max_modulus_bits: as in powmod. Raises NotInvertibleError, ZeroModulusError, TooLongError, TypeError.
    fn invert(value, modulus, *, timeout, max_modulus_bits) -> Bound<'py, PyAny> = |_py, given| {
        let keywords = given.keywords()?;
        call::inverse(value, &Divisor::of(modulus, &keywords.limits)?, keywords.deadline)
    }

    /// [bases[i]^exponents[i] mod moduli[i] for each i], as a list of int.
    ///
    /// Each of bases, exponents and moduli is an iterable of integers, all of the same length, or one integer for all elements;
    /// at least one is an iterable. Text and bytes are refused. Elements are checked before any work begins.
    ///
    /// kernel, plan, timeout, max_modulus_bits, max_exponent_bits: as in powmod. threads: the most threads to use; all cores by default.
    /// Tiny lists and threads=1 start no thread. progress: called as progress(done, total) on this thread, at most about ten times
    /// a second and once at the end; an exception from it stops the list.
    ///
    /// errors: "raise" raises the error of a bad element, with its index in the message and in .index (the first bad one);
    /// "return" puts the exception in its place. Such errors are PingalaErrors, or ElementTypeError for an element that
    /// is not an integer.
    ///
    /// Inverses modulo one number, powmod_list(values, -1, modulus), share inversions; see Modulus.invert_list.
    ///
    /// Raises ArgumentError (a ValueError) for lengths that differ or invalid settings, TypeError for an argument that is neither an
    /// integer nor an iterable, PlanError. Ctrl-C stops the list.
    fn powmod_list(
        bases, exponents, moduli, *, kernel, plan, threads, errors, progress, timeout, max_modulus_bits,
        max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        list::powers(py, Source::powers([bases, exponents, moduli])?, &given)
    }

    /// [base^exponent mod modulus for base in bases], with gmpy2's name and argument order.
    ///
    /// kernel, plan, threads, errors, progress, timeout, max_modulus_bits, max_exponent_bits: as in powmod_list. Raises what powmod_list
    /// raises.
    fn powmod_base_list(
        bases, exponent, modulus, *, kernel, plan, threads, errors, progress, timeout, max_modulus_bits,
        max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        list::powers(py, [Source::many("bases", bases)?, Source::one(exponent), Source::one(modulus)], &given)
    }

    /// [base^exponent mod modulus for exponent in exponents], with gmpy2's name and argument order.
    ///
    /// The powers share work if that is cheaper: common squarings or common bits. memory: the most bytes for the residues of
    /// shared work (2**30 by default). kernel, plan, threads, errors, progress, timeout, max_modulus_bits,
    /// max_exponent_bits: as in powmod_list. Raises what powmod_list raises.
    fn powmod_exp_list(
        base, exponents, modulus, *, kernel, plan, threads, errors, progress, timeout, memory, max_modulus_bits,
        max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        list::powers(py, [Source::one(base), Source::many("exponents", exponents)?, Source::one(modulus)], &given)
    }
}

/// The command: main(["pingala", "pow", "3", "5", "7"]) runs `pingala pow 3 5 7` and returns the exit status.
///
/// Not for use inside a program: afterwards Ctrl-C and SIGTERM end the whole process. `pingala.__main__` calls it.
#[pyfunction(name = "_main")]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> i32 {
    py.detach(|| {
        let status = pingala_cli::run(arguments);
        // Rust's own flush at exit belongs to its main function, which does not run here. A closed pipe was reported before.
        let _ = std::io::stdout().flush();
        status
    })
}

/// Adds classes, the functions of files of this crate, and others to the module.
macro_rules! add {
    ($module:ident: classes $($class:path),*; files $($($file:ident)::+),*; functions $($($name:ident)::+),*;) => {
        $($module.add_class::<$class>()?;)*
        $($($file)::+::add_functions($module)?;)*
        $($module.add_function(wrap_pyfunction!($($name)::+, $module)?)?;)*
    };
}

/// The compiled part of the package pingala.
#[pymodule(gil_used = false)]
fn _pingala(module: &Bound<'_, PyModule>) -> PyResult<()> {
    number::check_layout(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    add! { module:
        classes columns::ResultColumn, public::DSAPublicKey, fixed_base::FixedBase, fixed_exponent::FixedExponent, job::Job,
            modulus::Modulus, primes::Primality, private::PrivateKey, public::RSAPublicKey, residues::Residues, secret::SecretInt, verify::Verdict;
        files self, columns, columns::primes, columns::verdicts, fixed_base, planning, primes, proofs, shared_work, squaring, verify;
        functions private::load_private_key, public::load_public_key;
    }
    // For other modules of the package only.
    module.setattr("_main", wrap_pyfunction!(main, module)?)?;
    module.setattr("_powmod_batch", wrap_pyfunction!(columns::powmod_batch, module)?)?;
    module.setattr("_Primalities", module.py().get_type::<primes::Primalities>())?;
    module.setattr("_JobHold", module.py().get_type::<job::JobHold>())?;
    module.setattr("_column", wrap_pyfunction!(columns::result::column_of_pickle, module)?)?;
    module.setattr("_fixed_exponent", wrap_pyfunction!(fixed_exponent::exponent_of_pickle, module)?)?;
    module.setattr("_primality", wrap_pyfunction!(primes::primality_of_pickle, module)?)?;
    module.setattr("_verdict", wrap_pyfunction!(verify::verdict_of_pickle, module)?)?;
    pingala_cli::set_cluster(job::on_cluster);
    Ok(())
}
