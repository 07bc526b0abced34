//! `repeated_square`, and what it would do.

use crate::call::{self, Divisor, Keywords};
use crate::errors;
use crate::explanation::explanation;
use crate::list::read_threads;
use crate::number::{self, Count};
use crate::watch::{Caller, Progress};
use pingala::{MOST_SQUARINGS, RepeatedSquare};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// x^(2^t) mod modulus, by t successive squarings (by none, if modulus is a Modulus whose factors are all known and prime).
///
/// t: from 0 to 2**40. checkpoint: a file for the state. The call writes it at the start, every checkpoint_seconds, when
/// Ctrl-C or an exception from progress stops the call, and at the end. If the file exists, the call resumes from it; a call
/// with a larger t continues from the checkpoint of a finished one. The file is always replaced as a whole. progress: called
/// as progress(done, t) on this thread, at most about ten times a second and once at the end; an exception from it stops the
/// call.
///
/// kernel, plan, max_modulus_bits: as in powmod; a plan crt(...) goes by the factors of a Modulus, of any other only the
/// kernels count. threads: as in powmod_list; squarings depend on one another, so only one thread is used.
///
/// Raises FileError for a checkpoint that is damaged, or of another x, t or modulus, or that cannot be written;
/// ArgumentError, ZeroModulusError, TooLongError, PlanError, TypeError.
#[pyfunction]
#[pyo3(signature = (
    x, t, modulus, *, checkpoint=None, checkpoint_seconds=30.0, progress=None, kernel=None, plan=None,
    threads=None, max_modulus_bits=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn repeated_square<'py>(
    x: &Bound<'py, PyAny>,
    t: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    checkpoint: Option<PathBuf>,
    checkpoint_seconds: f64,
    progress: Option<&Bound<'py, PyAny>>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'py, PyAny>>,
    max_modulus_bits: Option<Count>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let x = number::integer(x)?;
    let squarings = read_squarings(t)?;
    let threads = threads.map(read_threads).transpose()?;
    let every = Duration::try_from_secs_f64(checkpoint_seconds)
        .map_err(|_| errors::bad_argument(py, "checkpoint_seconds is no time"))?;
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, None);
    let divisor = Divisor::of(modulus, &keywords.limits)?;
    let caller = Caller::new(progress.map(|callable| Progress::of(callable, squarings as usize)).transpose()?);
    let result = call::run(py, Some(&caller), |watch| {
        let job = RepeatedSquare::new(&divisor.kept(&keywords.limits)?, &x, squarings)?;
        let mut job = match &checkpoint {
            Some(path) => job.with_checkpoint(path, every)?,
            None => job,
        };
        job.run(&keywords.options(watch).with_threads(threads))
    })?;
    caller.tell(py, squarings as usize)?;
    divisor.result(py, &result)
}

/// The plan of repeated_square(x, t, modulus) for any x, and its reasons: an Explanation, which can be printed.
///
/// kernel, plan, threads, max_modulus_bits: as in repeated_square. Raises the errors of that call.
#[pyfunction]
#[pyo3(signature = (t, modulus, *, kernel=None, plan=None, threads=None, max_modulus_bits=None))]
pub fn explain_repeated_square<'py>(
    t: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'_, PyAny>>,
    max_modulus_bits: Option<Count>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = t.py();
    let threads = threads.map(read_threads).transpose()?;
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, None);
    let (squarings, divisor) = (read_squarings(t)?, Divisor::of(modulus, &keywords.limits)?);
    let explained = call::run(py, Some(&Caller::new(None)), |watch| {
        divisor
            .kept(&keywords.limits)?
            .explain_repeated_square(squarings, &keywords.options(watch).with_threads(threads))
    })?;
    explanation(py, &explained.summary())
}

fn read_squarings(t: &Bound<'_, PyAny>) -> PyResult<u64> {
    let squarings = number::index(t)?.extract().ok().filter(|&t| t <= MOST_SQUARINGS);
    squarings.ok_or_else(|| errors::bad_argument(t.py(), "t is not in 0..=2**40"))
}
