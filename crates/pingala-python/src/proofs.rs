//! Proofs of repeated squaring, and witnesses of accumulators.

use crate::call::{self, Divisor};
use crate::errors;
use crate::keywords::{Given, Keywords};
use crate::list::{self, Names};
use crate::number::{self, Count};
use crate::primes::ints;
use crate::watch::Caller;
use pingala_core::{Integer, Limits, Modulus, Natural, Options};
use pingala_proofs::{ProvedSquaring, Refusal, SMALLEST_MODULUS_BITS, SquaringProof, Witnesses};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The proof of the squarings in the way of this name, with the result.
pub fn proved<'py>(
    py: Python<'py>,
    (way, memory): (&str, Option<Count>),
    (x, squarings, modulus): (&Integer, u64, &Modulus),
    checkpoint: Option<(&Path, Duration)>,
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    if way != "wesolowski" {
        return Err(errors::bad_argument(py, format!("proof must be 'wesolowski' or None, not {way:?}")));
    }
    warn_of_weakness(py, modulus)?;
    let (result, proof) = told(py, given, |options| {
        let mut job = ProvedSquaring::new(modulus, x, squarings)?;
        if let Some(bytes) = memory {
            job = job.with_memory(bytes.into());
        }
        if let Some((path, every)) = checkpoint {
            job = job.with_checkpoint(path, every)?;
        }
        job.run(options)
    })?;
    (number::int(py, &result)?, proof.to_string()).into_pyobject(py)
}

/// Has the library do work whose total only the work knows, and tells `progress` the end.
fn told<T: Send>(
    py: Python<'_>,
    given: &Given<'_, '_>,
    work: impl FnOnce(&Options<'_>) -> Result<T, pingala_core::Error> + Send,
) -> PyResult<T> {
    // The memory is that of the proof, not of a power.
    let keywords = Keywords { memory_bytes: None, ..given.keywords()? };
    let caller = Caller::new(given.progress(0)?);
    let done = call::run(py, Some(&caller), |watch| work(&keywords.options(watch)))?;
    if caller.total() > 0 {
        given.tell_end(caller.total())?;
    }
    Ok(done)
}

/// Warns if verify_squaring refuses proofs modulo this number. An even modulus is an error of the call itself.
fn warn_of_weakness(py: Python<'_>, modulus: &Modulus) -> PyResult<()> {
    let bits = modulus.value().bits();
    let why = if bits < SMALLEST_MODULUS_BITS {
        Some(format!(
            "the modulus has {bits} bits; verify_squaring refuses those below {SMALLEST_MODULUS_BITS}, unless it gets smallest_modulus_bits"
        ))
    } else {
        let weakness =
            call::watched(py, |watch| pingala_proofs::weakness(modulus, &Options::default().with_watch(watch)))?;
        weakness
            .filter(|why| *why != Refusal::Modulus)
            .map(|why| format!("verify_squaring refuses this modulus: {why}"))
    };
    let Some(why) = why else { return Ok(()) };
    let sentence = CString::new(why).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &sentence, 1)
}

/// The modulus that members of an accumulator are taken by.
fn positive(object: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Modulus> {
    Divisor::of(object, limits)?.positive(object.py(), limits)
}

/// Numbers from 0 up, none of more bits.
fn naturals(names: Names, object: &Bound<'_, PyAny>, most_bits: u64) -> PyResult<Vec<Natural>> {
    let numbers = list::integers(names, object, most_bits)?;
    let natural = |(index, value): (usize, Integer)| {
        if value.is_negative() {
            let why = format!("{} must not be negative", names[0]);
            return Err(errors::exception(object.py(), &pingala_core::Error::BadArgument(why), Some(index)));
        }
        Ok(value.into_magnitude())
    };
    numbers.into_iter().enumerate().map(natural).collect()
}

/// The witnesses of others. A negative one is wrong, as one of the modulus or more is, and such a one stands for it.
fn untrusted_witnesses(object: &Bound<'_, PyAny>, modulus: &Modulus, limits: &Limits) -> PyResult<Vec<Natural>> {
    let witnesses = list::integers(WITNESS, object, limits.modulus_bits)?;
    let unsigned =
        |witness: Integer| if witness.is_negative() { modulus.value().clone() } else { witness.into_magnitude() };
    Ok(witnesses.into_iter().map(unsigned).collect())
}

/// What the members of an accumulator are called.
const MEMBER: Names = ["exponent", "exponents"];
/// What their witnesses are called.
const WITNESS: Names = ["witness", "witnesses"];

/// A number from 0 up.
fn natural(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Natural> {
    let value = number::integer(name, object)?;
    if value.is_negative() {
        return Err(errors::bad_argument(object.py(), format!("{name} must not be negative")));
    }
    Ok(value.into_magnitude())
}

/// What an accumulator is made of: the number that is raised, the exponents and the modulus.
fn parts(
    [g, exponents, modulus]: [&Bound<'_, PyAny>; 3],
    limits: &Limits,
) -> PyResult<(Integer, Vec<Natural>, Modulus)> {
    let (g, modulus) = (number::integer("g", g)?, positive(modulus, limits)?);
    Ok((g, naturals(MEMBER, exponents, limits.exponent_bits)?, modulus))
}

/// An accumulator, its exponents, the witnesses of others, and the modulus.
type Claimed = (Natural, Vec<Natural>, Vec<Natural>, Modulus);

/// What somebody else claims of an accumulator.
fn claimed([accumulator, exponents, witnesses, modulus]: [&Bound<'_, PyAny>; 4], limits: &Limits) -> PyResult<Claimed> {
    let (accumulator, modulus) = (natural("accumulator", accumulator)?, positive(modulus, limits)?);
    let exponents = naturals(MEMBER, exponents, limits.exponent_bits)?;
    let witnesses = untrusted_witnesses(witnesses, &modulus, limits)?;
    Ok((accumulator, exponents, witnesses, modulus))
}

/// Seconds between checkpoints.
pub fn interval(py: Python<'_>, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| errors::bad_argument(py, "checkpoint_seconds is no time"))
}

functions! {
    /// Whether proof shows that result is x^(2^t) modulo modulus; repeated_square(x, t, modulus, proof="wesolowski") makes it.
    ///
    /// False for every proof and result that do not belong together, for an even modulus, for one of fewer than smallest_modulus_bits
    /// bits (1024), for one modulo which elements of small order are known, such as 2**1277 - 1, for an x that shares a divisor with it, and
    /// for a result or a proof that is negative or not reduced. smallest_modulus_bits=0 takes every odd modulus. Whoever knows the factors
    /// of the modulus can prove anything; docs/time-lock.md says what is refused and what else is assumed.
    ///
    /// timeout, max_modulus_bits: as in powmod. Raises ArgumentError for a text that is no proof, ZeroModulusError, NegativeModulusError, TypeError.
    fn verify_squaring(
        x, t, modulus, result, proof: &str, *, smallest_modulus_bits: Option<Count> = None, timeout, max_modulus_bits
    ) -> bool = |py, given| {
        let (x, squarings) = (number::integer("x", x)?, crate::squaring::read_squarings(t)?);
        let modulus = positive(modulus, &given.limits())?;
        let result = number::integer("result", result)?;
        let proof: SquaringProof = errors::Raised::raised(proof.parse(), py)?;
        if result.is_negative() {
            return Ok(false);
        }
        let least = smallest_modulus_bits.map_or(SMALLEST_MODULUS_BITS, u64::from);
        let refusal = given.run(py, 0, |options| {
            pingala_proofs::refusal(&x, squarings, &modulus, result.magnitude(), &proof, least, options)
        })?;
        Ok(refusal.is_none())
    }

    /// Whether each of proofs shows that its result is x^(2^t) modulo modulus, as a list of bool: as verify_squaring, with the powers side by side.
    ///
    /// xs, results, proofs: iterables of as many, all of one t. smallest_modulus_bits: as in verify_squaring. threads, timeout, max_modulus_bits: as
    /// in powmod_list. Raises ArgumentError for lists of different lengths, and what verify_squaring raises. Ctrl-C stops it.
    fn verify_squaring_list(
        xs, t, modulus, results, proofs, *, smallest_modulus_bits: Option<Count> = None, threads, timeout, max_modulus_bits
    ) -> Vec<bool> = |py, given| {
        let limits = given.limits();
        let (modulus, squarings) = (positive(modulus, &limits)?, crate::squaring::read_squarings(t)?);
        let xs = list::integers(["x", "xs"], xs, limits.modulus_bits)?;
        let results = list::integers(["result", "results"], results, limits.modulus_bits)?;
        let read = |proof: PyResult<Bound<'py, PyAny>>| -> PyResult<SquaringProof> {
            errors::Raised::raised(proof?.extract::<&str>()?.parse(), py)
        };
        let proofs = proofs.try_iter()?.map(read).collect::<PyResult<Vec<_>>>()?;
        let least = smallest_modulus_bits.map_or(SMALLEST_MODULUS_BITS, u64::from);
        let refused = given.run(py, xs.len(), |options| {
            pingala_proofs::refusals(&xs, squarings, &modulus, (&results, &proofs), least, options)
        })?;
        Ok(refused.iter().map(Option::is_none).collect())
    }

    /// The accumulator g^(product of exponents) mod modulus, as an int.
    ///
    /// exponents: an iterable of integers from 0 up, usually primes. threads, progress, timeout, max_modulus_bits, max_exponent_bits: as in
    /// powmod_list; the cap on exponents holds for each of them. Raises ArgumentError, ZeroModulusError, NegativeModulusError,
    /// TooLongError, TypeError. Ctrl-C stops it.
    fn accumulate(
        g, exponents, modulus, *, threads, progress, timeout, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let (g, exponents, modulus) = parts([g, exponents, modulus], &given.limits())?;
        let power = told(py, &given, |options| pingala_proofs::accumulate(&g, &exponents, &modulus, options))?;
        Ok(number::int(py, &power)?.into_any())
    }

    /// A witness for each of the exponents: g to the product of all others, modulo modulus, as a list of int.
    ///
    /// It takes n log n work by a product tree. memory: the most bytes for its numbers. checkpoint: a file for the state, as in
    /// repeated_square; checkpoint_seconds: how often it is written. threads, progress, timeout, max_modulus_bits, max_exponent_bits: as in
    /// powmod_list. Raises FileError for a checkpoint that is damaged or belongs to another call, and what accumulate raises.
    fn witnesses(
        g, exponents, modulus, *, checkpoint: Option<PathBuf> = None, checkpoint_seconds: f64 = 30.0, threads, progress,
        timeout, memory, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        let (g, exponents, modulus) = parts([g, exponents, modulus], &given.limits())?;
        let every = interval(py, checkpoint_seconds)?;
        let found = told(py, &given, |options| {
            let mut job = Witnesses::new(&g, &exponents, &modulus)?;
            if let Some(bytes) = given.memory {
                job = job.with_memory(bytes.into());
            }
            if let Some(path) = &checkpoint {
                job = job.with_checkpoint(path, every)?;
            }
            job.run(options)
        })?;
        ints(py, &found)
    }

    /// The witnesses after the exponents `added` have come into the accumulator: each to the product of these, modulo modulus.
    ///
    /// threads, progress, timeout, max_modulus_bits, max_exponent_bits: as in powmod_list. Raises what accumulate raises.
    fn update_witnesses(
        witnesses, added, modulus, *, threads, progress, timeout, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        let limits = given.limits();
        let modulus = positive(modulus, &limits)?;
        let witnesses = naturals(WITNESS, witnesses, limits.modulus_bits)?;
        let added = naturals(["an exponent", "added"], added, limits.exponent_bits)?;
        ints(py, &given.run(py, witnesses.len(), |options| {
            pingala_proofs::update_witnesses(&witnesses, &added, &modulus, options)
        })?)
    }

    /// Whether each witness to its exponent is the accumulator, or its negative, modulo modulus: all are checked at once by random coefficients.
    ///
    /// exponents, witnesses: iterables of as many integers. False for a witness that is negative, or the modulus or more. docs/recipes/accumulator.md says what that proves; failing_witnesses finds the wrong ones. threads, timeout, max_modulus_bits,
    /// max_exponent_bits: as in powmod_list. Raises what accumulate raises.
    fn verify_witnesses(
        accumulator, exponents, witnesses, modulus, *, threads, timeout, max_modulus_bits, max_exponent_bits
    ) -> bool = |py, given| {
        let (accumulator, exponents, witnesses, modulus) =
            claimed([accumulator, exponents, witnesses, modulus], &given.limits())?;
        given.run(py, 0, |options| {
            pingala_proofs::verify_witnesses(&accumulator, &exponents, &witnesses, &modulus, options)
        })
    }

    /// The places of the witnesses that are wrong: each power is computed and compared exactly. A witness that is negative, or the modulus or
    /// more, is wrong.
    ///
    /// accumulator, exponents, witnesses, modulus, threads, timeout, max_modulus_bits, max_exponent_bits: as in verify_witnesses. Raises what
    /// accumulate raises.
    fn failing_witnesses(
        accumulator, exponents, witnesses, modulus, *, threads, timeout, max_modulus_bits, max_exponent_bits
    ) -> Vec<usize> = |py, given| {
        let (accumulator, exponents, witnesses, modulus) =
            claimed([accumulator, exponents, witnesses, modulus], &given.limits())?;
        given.run(py, 0, |options| {
            pingala_proofs::failing_witnesses(&accumulator, &exponents, &witnesses, &modulus, options)
        })
    }
}
