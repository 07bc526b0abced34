//! Settings of a call, and caps on its arguments.

use crate::engine::execute::{Watch, Workers};
use crate::engine::plan::line::check;
use crate::engine::plan::{Planner, ThreadBudget};
use crate::error::Error;
use crate::kernel::cpu;
use crate::natural::{Integer, Natural};
use crate::once::once;
use core::fmt;
use core::num::NonZeroUsize;
use std::sync::OnceLock;
use std::time::Instant;

/// Limits on lengths: a longer argument is refused before memory is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest modulus (and factor), in bits; default 2^24.
    pub modulus_bits: u64,
    /// Longest exponent, in bits; default 2^26.
    pub exponent_bits: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { modulus_bits: 1 << 24, exponent_bits: 1 << 26 }
    }
}

impl Limits {
    /// These caps, in bits.
    #[inline]
    pub fn new(modulus_bits: u64, exponent_bits: u64) -> Self {
        Self { modulus_bits, exponent_bits }
    }

    pub(crate) fn check_modulus(&self, value: &Natural) -> Result<(), Error> {
        if value.is_zero() {
            return Err(Error::ZeroModulus);
        }
        let (length, cap) = (value.bits(), self.modulus_bits);
        if length > cap { Err(Error::TooLong { what: "modulus", length, cap }) } else { Ok(()) }
    }

    pub(crate) fn check_exponent_bits(&self, length: u64) -> Result<(), Error> {
        let cap = self.exponent_bits;
        if length > cap { Err(Error::TooLong { what: "exponent", length, cap }) } else { Ok(()) }
    }

    /// Error: `too_long` at the first exponent above the cap.
    pub(crate) fn check_exponents(&self, exponents: &[Integer]) -> Result<(), Error> {
        exponents.iter().enumerate().try_for_each(|(index, exponent)| {
            let checked = self.check_exponent_bits(exponent.magnitude().bits());
            checked.map_err(|error| Error::At { index, error: Box::new(error) })
        })
    }
}

/// Defines the settings, each a field with the method that changes it.
macro_rules! settings {
    ($(#[$doc:meta])* $options:ident<$a:lifetime> { $($(#[$of:meta])* $set:ident($field:ident: $type:ty);)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[non_exhaustive]
        pub struct $options<$a> {
            $(pub(crate) $field: $type,)*
            pub(crate) unblinded: bool,
        }

        impl<$a> $options<$a> {
            $($(#[$of])*
            #[inline]
            pub fn $set(self, $field: $type) -> Self {
                Self { $field, ..self }
            })*
        }
    };
}

settings! {
    /// Settings of a call. `Options::default()` plans by price, uses every core for lists, and has the default limits; each `with_`
    /// method changes one setting, and `None` restores its default.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Limits, Options};
    /// let options = Options::default().with_kernel(Some("portable_r64")).with_limits(Limits::new(4096, 4096));
    /// ```
    Options<'a> {
        /// Forces a kernel by name, such as `portable_r64`.
        with_kernel(kernel: Option<&'a str>);
        /// Forces a plan by its line, such as `sliding_window(w=7) on portable_r64(n=32, product=kcm)`.
        with_plan(plan: Option<&'a str>);
        /// The most threads of a call; by default all cores that the system gave this process when it first asked. A thread starts where its
        /// measured price says that it gains, and nothing does without the feature `threads`.
        with_threads(threads: Option<NonZeroUsize>);
        /// Caps on lengths.
        with_limits(limits: Limits);
        /// Most bytes for the residues of powers that share work (several powers of one base, products); default 2^30. Separate
        /// powers have no such limit.
        with_memory_bytes(memory_bytes: Option<u64>);
        /// Progress and cancellation.
        with_watch(watch: Option<&'a dyn Watch>);
        /// The time at which the call ends with [`Interrupted`](Error::Interrupted) unless it has its result. It ends some
        /// milliseconds later: work polls the clock where it polls a [`Watch`].
        with_deadline(deadline: Option<Instant>);
        /// The inverse e of a secret exponent d, as in RSA: a result is released only if result^e = base (mod m). Otherwise the error
        /// is `fault` if a second computation differs, and `bad_argument` if e does not belong to d. Used by powers with a
        /// [`SecretExponent`](crate::SecretExponent), and by
        /// [`Modulus::with_secret_factors`](crate::Modulus::with_secret_factors), whose factors then have to be those of an RSA key.
        with_public_exponent(public_exponent: Option<&'a Natural>);
    }
}

/// The settings that are not those of `Options::default()`.
impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, plan, threads, limits, memory_bytes, watch, deadline, public_exponent, unblinded } = self;
        let mut settings = f.debug_struct("Options");
        let given: [(&str, Option<&dyn fmt::Debug>); 8] = [
            ("kernel", kernel.as_ref().map(|kernel| kernel as _)),
            ("plan", plan.as_ref().map(|plan| plan as _)),
            ("threads", threads.as_ref().map(|threads| threads as _)),
            ("limits", (*limits != Limits::default()).then_some(limits)),
            ("memory_bytes", memory_bytes.as_ref().map(|bytes| bytes as _)),
            ("watch", watch.as_ref().map(|watch| watch as _)),
            ("public_exponent", public_exponent.as_ref().map(|exponent| exponent as _)),
            ("blinding", unblinded.then_some(&false)),
        ];
        for (name, value) in given {
            value.map(|value| settings.field(name, value));
        }
        if let Some(deadline) = deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            settings.field("deadline", &format_args!("in {left:.1?}"));
        }
        settings.finish()
    }
}

/// The watch of a call with a deadline.
impl Watch for Options<'_> {
    fn stop(&self) -> bool {
        self.watch.is_some_and(Watch::stop) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn progress(&self, finished: usize, total: usize) {
        self.watch.inspect(|watch| watch.progress(finished, total));
    }

    #[cfg(test)]
    fn recorder(&self) -> usize {
        self.watch.map_or(0, |watch| watch.recorder())
    }
}

impl<'a> Options<'a> {
    /// The caps on lengths.
    #[inline]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What stops the call, for a crate that prepares a list before it calls this one: the watch that was given, or these settings if
    /// they have a deadline.
    #[inline]
    pub fn watch(&self) -> Option<&dyn Watch> {
        if self.deadline.is_some() { Some(self) } else { self.watch }
    }

    /// How many threads long work may use, for a crate that does its own: those that were set, or one for each core; 1 without the
    /// feature `threads`.
    pub fn threads(&self) -> usize {
        self.thread_budget().for_work(f64::INFINITY)
    }

    /// How many of [`Options::threads`] work of this time is worth, for a crate that does its own: by the price of starting one.
    // Not promised: for crates of ours that start threads.
    #[doc(hidden)]
    pub fn threads_for(&self, nanoseconds: f64) -> usize {
        self.thread_budget().for_work(nanoseconds)
    }

    /// Whether powers with a [`SecretExponent`](crate::SecretExponent) are blinded (default): exponents modulo
    /// factors that are known to be prime by random multiples of the order, and the base where all are and the exponent is the
    /// inverse of the public one that is given. [`Modulus::pow_sec`](crate::Modulus::pow_sec) says when a factor is known to be prime.
    #[inline]
    pub fn with_blinding(self, blinding: bool) -> Self {
        Self { unblinded: !blinding, ..self }
    }

    /// The default of `memory_bytes`.
    pub(crate) const MEMORY_BYTES: u64 = 1 << 30;

    /// The threads that a call may use.
    pub(crate) fn thread_budget(&self) -> ThreadBudget {
        ThreadBudget::new(self.threads)
    }

    /// These settings with the kernel and the plan line that `PINGALA_KERNEL` and `PINGALA_PLAN` force, which are read
    /// once per process. The environment does not affect a call that names either one.
    ///
    /// Errors: `bad_plan` for an invalid kernel or line, even if the call needs no plan; `bad_argument` for an invalid
    /// `PINGALA_CPU`.
    pub(crate) fn resolved(&self) -> Result<Self, Error> {
        cpu::masked()?;
        let mut options = *self;
        if self.kernel.is_none() && self.plan.is_none() {
            let [kernel, plan] = Self::environment();
            (options.kernel, options.plan) = (kernel.as_deref(), plan.as_deref());
        }
        if options.kernel.is_some() || options.plan.is_some() {
            check(options.kernel, options.plan)?;
        }
        Ok(options)
    }

    /// Whether the caller forces a kernel or a plan.
    pub(crate) fn forces(&self) -> bool {
        self.kernel.is_some() || self.plan.is_some()
    }

    /// Who works on a list, how inverses are planned, and who may stop it.
    pub(crate) fn workers(&self) -> Workers<'_> {
        let plan_inverses = |odd_bits, count| Planner::of_this_machine().plan_inverses(odd_bits, count);
        Workers { budget: self.thread_budget(), plan_inverses, watch: self.watch() }
    }

    /// Whether [`Options::resolved`] would change nothing; for a short call this check is faster than a copy.
    #[inline]
    pub(crate) fn are_resolved(&self) -> bool {
        static IS_EMPTY: OnceLock<bool> = OnceLock::new();
        let environment_is_empty =
            || *once(&IS_EMPTY, || *Self::environment() == [None, None] && cpu::masked().is_ok());
        self.kernel.is_none() && self.plan.is_none() && environment_is_empty()
    }

    /// The settings [resolved](Options::resolved), in `room` unless they are so already.
    #[inline(always)]
    pub(crate) fn resolved_in<'o>(&'o self, room: &'o mut Option<Self>) -> Result<&'o Self, Error> {
        Ok(if self.are_resolved() { self } else { room.insert(self.resolved()?) })
    }

    /// The kernel and the plan line of the environment.
    fn environment() -> &'static [Option<String>; 2] {
        static ENVIRONMENT: OnceLock<[Option<String>; 2]> = OnceLock::new();
        once(&ENVIRONMENT, || {
            if !cpu::HAS_ENVIRONMENT {
                return [None, None];
            }
            ["PINGALA_KERNEL", "PINGALA_PLAN"].map(|name| {
                // What is no text is kept, and refused as a plan.
                let value = std::env::var_os(name).filter(|value| !value.is_empty());
                value.map(|value| value.to_string_lossy().into_owned())
            })
        })
    }
}
