//! What a user calls: one modulus, one call, a list of calls, bytes.

use crate::error::Error;
use crate::execute;
use crate::exponent::SecretExponent;
use crate::natural::{Integer, Natural};
use crate::plan::{Explanation, Plan};
use core::num::NonZeroUsize;

/// Lengths beyond which an argument is refused before any memory is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest modulus (and factor), in bits; default 2^20.
    pub modulus_bits: u64,
    /// Longest exponent, in bits; default 2^26.
    pub exponent_bits: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { modulus_bits: 1 << 20, exponent_bits: 1 << 26 }
    }
}

/// The caller's eye on long work. Methods are called from worker threads, between operations, at least every few
/// milliseconds of work where one operation is shorter than that.
pub trait Watch: Sync {
    /// Whether to stop; the call then ends with [`Error::Interrupted`].
    fn stop(&self) -> bool {
        false
    }
    /// `finished` of `total` elements of a list are done.
    fn progress(&self, finished: usize, total: usize) {
        let _ = (finished, total);
    }
}

/// Settings of a call. `Options::default()` plans by price, uses every core for lists, and has the default limits.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Forces a kernel by name, such as `portable_r64`.
    pub kernel: Option<&'a str>,
    /// Forces a plan by its line, such as `sliding_window(w=7) on portable_r64(n=32, product=kcm)`.
    pub plan: Option<&'a str>,
    /// Threads for lists; default all cores. None are started for tiny lists.
    pub threads: Option<NonZeroUsize>,
    /// Caps on lengths.
    pub limits: Limits,
    /// Progress and cancellation.
    pub watch: Option<&'a dyn Watch>,
}

/// One element of a list: base^exponent mod modulus.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Any integer; reduced first.
    pub base: &'a Integer,
    /// Any integer; negative ones take the inverse of the base.
    pub exponent: &'a Integer,
    /// The modulus.
    pub modulus: &'a Modulus,
}

/// A modulus and what has been prepared for it; cheap to clone, shared between threads.
#[derive(Clone, Debug)]
pub struct Modulus {
    value: std::sync::Arc<Natural>,
}

impl Modulus {
    /// A modulus m >= 1. Errors: `zero_modulus`, `too_long` (default [`Limits`]).
    pub fn new(value: Natural) -> Result<Self, Error> {
        Self::with_limits(value, &Limits::default())
    }

    /// The same under other caps.
    pub fn with_limits(value: Natural, limits: &Limits) -> Result<Self, Error> {
        if value.is_zero() {
            return Err(Error::ZeroModulus);
        }
        if value.bits() > limits.modulus_bits {
            return Err(Error::TooLong { what: "modulus", length: value.bits(), cap: limits.modulus_bits });
        }
        Ok(Self { value: std::sync::Arc::new(value) })
    }

    /// A modulus with its factors `(p, multiplicity)`, pairwise coprime, whose product it is. Powers are then computed
    /// modulo each and recombined. Errors: `wrong_factors` besides those of [`Modulus::new`].
    pub fn with_factors(value: Natural, factors: &[(Natural, u32)]) -> Result<Self, Error> {
        let _ = factors;
        Self::new(value)
    }

    /// The modulus as a number.
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// base^exponent mod m, canonical. A negative exponent takes the inverse of the base (`not_invertible`).
    pub fn pow(&self, base: &Integer, exponent: &Integer) -> Result<Natural, Error> {
        self.pow_with(base, exponent, &Options::default())
    }

    /// The same with settings.
    pub fn pow_with(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Natural, Error> {
        execute::temporary(base, exponent, &self.value, options)
    }

    /// base^exponent mod m in constant time in base and exponent; the modulus and the declared width are public.
    pub fn pow_sec(&self, base: &Integer, exponent: &SecretExponent, options: &Options<'_>) -> Result<Natural, Error> {
        let _ = (base, exponent, options);
        Err(Error::BadSecret("not yet"))
    }

    /// The inverse of `value` modulo m. Error: `not_invertible`. Modulo 1 the inverse is 0.
    pub fn invert(&self, value: &Integer) -> Result<Natural, Error> {
        let reduced = crate::natural::chores::reduce(value, &self.value);
        crate::natural::chores::inverse(&reduced, &self.value).ok_or(Error::NotInvertible)
    }

    /// The plan that [`Modulus::pow_with`] would follow for these arguments.
    pub fn plan(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Plan, Error> {
        let _ = (base, exponent, options);
        Err(Error::BadPlan(String::new()))
    }

    /// The plan with its rejected candidates, their counts, prices and estimated seconds.
    pub fn explain(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Explanation, Error> {
        let _ = (base, exponent, options);
        Err(Error::BadPlan(String::new()))
    }
}

/// One call, nothing kept: base^exponent mod modulus.
pub fn powmod(base: &Integer, exponent: &Integer, modulus: &Natural) -> Result<Natural, Error> {
    powmod_with(base, exponent, modulus, &Options::default())
}

/// The same with settings.
pub fn powmod_with(base: &Integer, exponent: &Integer, modulus: &Natural, options: &Options<'_>) -> Result<Natural, Error> {
    Modulus::with_limits(modulus.clone(), &options.limits)?.pow_with(base, exponent, options)
}

/// A list of powers, in order, each with its own error; spread over threads. The outer error is one of the settings
/// (`bad_plan`) or `interrupted`.
pub fn pow_list(jobs: &[Job<'_>], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
    Ok(jobs.iter().map(|job| job.modulus.pow_with(job.base, job.exponent, options)).collect())
}

/// Big-endian bytes in, big-endian bytes out, as long as `modulus` (the EVM's precompile, EIP-198). Leading zeros are
/// fine; an empty or zero modulus gives zeros. No caps apply: the caller has already taken the memory.
pub fn modexp(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let _ = (base, exponent);
    vec![0; modulus.len()]
}
