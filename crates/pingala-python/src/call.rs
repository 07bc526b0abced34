//! One call: arguments in, work with or without the interpreter, result out.

use crate::errors::{self, Raised};
use crate::keywords::Given;
use crate::modulus::Modulus;
use crate::number;
use crate::watch::Caller;
use pingala_core::{Error, Integer, Limits, Natural, Options, Watch};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest argument, in bits, of a call that keeps the interpreter: such calls take microseconds, no longer than
/// it takes to hand it over and get it back.
const BRIEF_BITS: u64 = 256;

/// Whether other threads should run meanwhile.
pub fn is_long<'a>(numbers: impl IntoIterator<Item = &'a Natural>) -> bool {
    numbers.into_iter().any(|number| number.bits() > BRIEF_BITS)
}

/// Whether other threads should run during work on numbers of these lengths in bits.
pub fn are_long(bits: &[u64]) -> bool {
    bits.iter().any(|&bits| bits > BRIEF_BITS)
}

/// Products of limbs, about, in a power that is as brief: some microseconds.
const BRIEF_PRODUCTS: u64 = 1 << 12;

/// Whether other threads should run during a power.
fn is_long_power(base: &Natural, exponent: &Natural, modulus: &Natural) -> bool {
    is_long([base, exponent, modulus]) && {
        let limbs = |number: &Natural| number.limbs().len() as u64;
        let (base, modulus) = (limbs(base), limbs(modulus));
        modulus.saturating_mul((2 * modulus).saturating_mul(exponent.bits()).saturating_add(base)) > BRIEF_PRODUCTS
    }
}

/// Runs `work`; a long one without the interpreter and under the eye of this thread. What a signal handler or
/// `progress` raised wins over a result.
pub fn run<T: Send>(
    py: Python<'_>,
    caller: Option<&Caller>,
    work: impl FnOnce(Option<&dyn Watch>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let Some(caller) = caller else {
        return work(None).raised(py);
    };
    let outcome = py.detach(|| work(Some(caller)));
    match caller.raised() {
        Some(raised) => Err(raised),
        None => outcome.raised(py),
    }
}

/// Runs `work`, which may be long, as [`run`] does.
pub fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Option<&dyn Watch>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    run(py, Some(&Caller::new(None)), work)
}

/// The longest number, in bits, of work that has no poll and is not run apart: some milliseconds.
const UNPOLLED_BITS: u64 = 1 << 16;

/// Whether work with numbers of this length that does not ask its watch, such as an inverse or a set-up, is run apart.
pub fn runs_apart(bits: u64) -> bool {
    bits > UNPOLLED_BITS
}

/// Between two looks of a thread that waits for another one.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The time that work has to stop after a signal.
const STOP_WITHIN: Duration = Duration::from_millis(300);

/// Runs `work` on a thread of its own, while this one looks for signals: for work that asks its watch rarely, or never. What does not
/// stop soon is left behind, and ends by itself. What a signal handler or `progress` raised wins over a result.
pub fn run_apart<T: Send + 'static>(
    py: Python<'_>,
    caller: Caller,
    work: impl FnOnce(&dyn Watch) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let caller = Arc::new(caller);
    let (sender, receiver) = mpsc::sync_channel(1);
    let watch = caller.clone();
    let thread = thread::Builder::new().name("pingala".into()).spawn(move || {
        // The receiver is gone if the work was left behind.
        let _ = sender.send(work(&*watch));
    });
    let thread = thread.map_err(|error| PyMemoryError::new_err(format!("no thread can be started: {error}")))?;
    let looker = caller.clone();
    let outcome = py.detach(move || {
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Timeout) if looker.stop() => {
                    // The outcome does not matter: the call is interrupted.
                    let _ = receiver.recv_timeout(STOP_WITHIN);
                    return Ok(Err(Error::Interrupted));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Ok(outcome) => return Ok(outcome),
                Err(RecvTimeoutError::Disconnected) => return Err(thread.join()),
            }
        }
    });
    match (caller.raised(), outcome) {
        (Some(raised), _) => Err(raised),
        (None, Ok(outcome)) => outcome.raised(py),
        (None, Err(Err(panic))) => std::panic::resume_unwind(panic),
        (None, Err(Ok(()))) => Err(errors::raise(py, Error::Interrupted)),
    }
}

/// Runs `work` on a thread of its own if it is watched and `apart`, otherwise as [`run`].
pub fn run_or_apart<T: Send + 'static>(
    py: Python<'_>,
    caller: Option<Caller>,
    apart: bool,
    work: impl FnOnce(Option<&dyn Watch>) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    debug_assert!(!apart || caller.is_some(), "who runs work apart watches it");
    match caller {
        Some(caller) if apart => run_apart(py, caller, |watch| work(Some(watch))),
        caller => run(py, caller.as_ref(), work),
    }
}

/// Objects of Python that work without the interpreter reads. The thread that drops them takes the interpreter for it.
pub struct Lent<T>(Option<T>);

impl<T> Lent<T> {
    pub fn new(objects: T) -> Self {
        Self(Some(objects))
    }
}

impl<T> Deref for Lent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("they are there until the drop")
    }
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        let objects = self.0.take();
        // An interpreter that shuts down frees no objects.
        Python::try_attach(|_| drop(objects));
    }
}

/// A modulus as a Python argument: a [`Modulus`] with what it keeps, or a number with its sign.
#[derive(Clone)]
pub enum Divisor {
    /// Any `__index__`; `negative` as in the built-in pow.
    Number {
        /// Whether the result takes the sign of a negative modulus.
        negative: bool,
        /// The absolute value.
        magnitude: Natural,
    },
    /// The class.
    Kept(pingala_core::Modulus),
}

impl Divisor {
    /// Reads the argument. TooLongError, TypeError.
    #[inline]
    pub fn of(object: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Self> {
        Self::read(object, limits)?.raised(object.py())
    }

    /// Reads the argument, unless it is too long, which is an error before it is copied. A [`Modulus`] was let in when it was made.
    #[inline]
    pub fn read(object: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Result<Self, Error>> {
        if !object.is_instance_of::<PyInt>()
            && let Ok(modulus) = object.cast::<Modulus>()
        {
            return Ok(Ok(Self::Kept(modulus.get().library().clone())));
        }
        let number = number::capped("modulus", object, "modulus", limits.modulus_bits)?;
        Ok(number.map(|number| Self::Number { negative: number.is_negative(), magnitude: number.into_magnitude() }))
    }

    /// The absolute value.
    pub fn magnitude(&self) -> &Natural {
        match self {
            Self::Number { magnitude, .. } => magnitude,
            Self::Kept(modulus) => modulus.value(),
        }
    }

    /// Whether results take a negative sign.
    pub fn is_negative(&self) -> bool {
        matches!(self, Self::Number { negative: true, .. })
    }

    /// A modulus to keep for several calls. The caps are for numbers: a [`Modulus`] was let in when it was made.
    pub fn kept(&self, limits: &Limits) -> Result<pingala_core::Modulus, Error> {
        match self {
            Self::Number { magnitude, .. } => pingala_core::Modulus::with_limits(magnitude.clone(), limits),
            Self::Kept(modulus) => Ok(modulus.clone()),
        }
    }

    /// A modulus from 1 up to keep. NegativeModulusError, ZeroModulusError, TooLongError.
    pub fn positive(&self, py: Python<'_>, limits: &Limits) -> PyResult<pingala_core::Modulus> {
        if self.is_negative() { Err(Error::NegativeModulus) } else { self.kept(limits) }.raised(py)
    }

    /// The power.
    #[inline]
    pub fn pow(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Natural, Error> {
        match self {
            Self::Number { magnitude, .. } => pingala_core::powmod_with(base, exponent, magnitude, options),
            Self::Kept(modulus) => modulus.pow_with(base, exponent, options),
        }
    }

    /// The result with the sign of the modulus, in modulus < result <= 0 or 0 <= result < modulus.
    #[inline]
    pub fn result<'py>(&self, py: Python<'py>, result: &Natural) -> PyResult<Bound<'py, PyAny>> {
        if self.is_negative() {
            below_zero(py, result, self.magnitude())
        } else {
            Ok(number::int(py, result)?.into_any())
        }
    }
}

/// The residue of a negative modulus: 0, or `result` - |modulus|, left to Python.
pub fn below_zero<'py>(py: Python<'py>, result: &Natural, magnitude: &Natural) -> PyResult<Bound<'py, PyAny>> {
    let result = number::int(py, result)?;
    if result.is_truthy()? { result.sub(number::int(py, magnitude)?) } else { Ok(result.into_any()) }
}

/// One power of words from 0 on, without settings: most of such a call are its arguments. None of others.
#[inline]
pub fn word_power(
    base: &Bound<'_, PyAny>,
    exponent: &Bound<'_, PyAny>,
    modulus: &Bound<'_, PyAny>,
    given: &Given<'_, '_>,
) -> Option<u64> {
    if !given.are_none() {
        return None;
    }
    pingala_core::powmod_word(number::word(base)?, number::word(exponent)?, number::word(modulus)?)
}

/// One power, for `powmod` and `Modulus.pow`.
#[inline]
pub fn power<'py>(
    base: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    divisor: &Divisor,
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, keywords) = (base.py(), given.keywords()?);
    let base = number::integer("base", base)?;
    let exponent = number::exponent(exponent, keywords.limits.exponent_bits)?;
    let bits = exponent.magnitude().bits() as usize;
    let progress = given.progress(bits)?;
    // A short call clones nothing and moves nothing.
    let result = if exponent.is_negative() && runs_apart(divisor.magnitude().bits()) {
        let (divisor, keywords) = (divisor.clone(), keywords.owned());
        run_apart(py, Caller::new(progress), move |watch| {
            divisor.pow(&base, &exponent, &keywords.options(Some(watch)))
        })?
    } else {
        let long = is_long_power(base.magnitude(), exponent.magnitude(), divisor.magnitude());
        let caller = (long || progress.is_some()).then(|| Caller::new(progress));
        run(py, caller.as_ref(), |watch| divisor.pow(&base, &exponent, &keywords.options(watch)))?
    };
    given.tell_end(bits)?;
    divisor.result(py, &result)
}

/// One inverse, for `invert` and `Modulus.invert`, whose modulus was checked.
pub fn inverse<'py>(
    value: &Bound<'py, PyAny>,
    divisor: &Divisor,
    deadline: Option<Instant>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = Options::default().with_limits(Limits::new(u64::MAX, u64::MAX)).with_deadline(deadline);
    let py = value.py();
    let value = number::integer("value", value)?;
    let modulus = divisor.magnitude();
    let result = if runs_apart(value.magnitude().bits().max(modulus.bits())) {
        let modulus = modulus.clone();
        run_apart(py, Caller::new(None), move |watch| {
            pingala_core::invert(&value, &modulus, &options.with_watch(Some(watch)))
        })?
    } else {
        let caller = is_long([value.magnitude(), modulus]).then(|| Caller::new(None));
        run(py, caller.as_ref(), |watch| pingala_core::invert(&value, modulus, &options.with_watch(watch)))?
    };
    divisor.result(py, &result)
}
