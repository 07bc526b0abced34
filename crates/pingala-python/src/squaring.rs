//! `repeated_square`.

use crate::call::{self, Divisor, Keywords};
use crate::watch::{Caller, Progress};
use crate::{errors, number};
use pingala::{MOST_SQUARINGS, RepeatedSquare};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// x^(2^t) mod modulus, by t squarings one after the other (by none, if modulus is a Modulus whose factors are all known
/// and prime).
///
/// t: from 0 to 2**40. checkpoint: a file for the state, written every checkpoint_seconds, when the call is stopped by
/// Ctrl-C or by what progress raised, and at the end; if it is there, the call goes on from it. It is always replaced as a
/// whole. progress: called as progress(done, t) on this thread, at most about ten times a second and once at the end; what
/// it raises stops the call.
///
/// kernel, plan, max_modulus_bits: as in powmod; of a plan only the kernels count.
///
/// Raises FileError for a checkpoint that is damaged, or of another x, t or modulus, or that cannot be written;
/// ArgumentError, ZeroModulusError, TooLongError, PlanError, TypeError.
#[pyfunction]
#[pyo3(signature = (
    x, t, modulus, *, checkpoint=None, checkpoint_seconds=30.0, progress=None, kernel=None, plan=None,
    max_modulus_bits=None
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
    max_modulus_bits: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let x = number::integer(x)?;
    let squarings: Option<u64> = number::index(t)?.extract().ok().filter(|&t| t <= MOST_SQUARINGS);
    let squarings = squarings.ok_or_else(|| errors::bad_argument(py, "t is not in 0..=2**40"))?;
    let every = Duration::try_from_secs_f64(checkpoint_seconds)
        .map_err(|_| errors::bad_argument(py, "checkpoint_seconds is no time"))?;
    let divisor = Divisor::of(modulus)?;
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, None);
    let progress = progress.map(|callable| Progress {
        callable: callable.clone().unbind(),
        settled: 0,
        total: squarings as usize,
    });
    let caller = Caller::new(progress);
    let result = call::run(py, Some(&caller), |watch| {
        let job = RepeatedSquare::new(&divisor.kept(&keywords.limits)?, &x, squarings)?;
        let mut job = match &checkpoint {
            Some(path) => job.with_checkpoint(path, every)?,
            None => job,
        };
        job.run(&keywords.options(watch))
    })?;
    caller.tell(py, squarings as usize)?;
    divisor.result(py, &result)
}
