//! Options that several subcommands share.

use clap::Args;
use pingala::{Limits, Options};
use std::num::NonZeroUsize;

/// Forces a choice that the planner would make by price.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Forced {
    /// Force a kernel by name (see `pingala info`; environment: PINGALA_KERNEL)
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Force a plan by its line, as `pingala plan` prints it (environment: PINGALA_PLAN)
    #[arg(long, value_name = "LINE")]
    pub(crate) plan: Option<String>,
}

/// Lengths beyond which a number is refused before any memory is taken.
#[derive(Args, Clone, Debug)]
pub(crate) struct Caps {
    /// Refuse a longer modulus
    #[arg(long, value_name = "BITS", default_value_t = Limits::default().modulus_bits)]
    pub(crate) max_modulus_bits: u64,
    /// Refuse a longer exponent
    #[arg(long, value_name = "BITS", default_value_t = Limits::default().exponent_bits)]
    pub(crate) max_exponent_bits: u64,
}

impl Caps {
    pub(crate) fn limits(&self) -> Limits {
        Limits::new(self.max_modulus_bits, self.max_exponent_bits)
    }
}

impl Forced {
    /// Kernel and plan line: those of the command line, or if it names neither those of the environment, as the library
    /// has it.
    pub(crate) fn wishes(&self) -> (Option<String>, Option<String>) {
        if self.kernel.is_some() || self.plan.is_some() {
            return (self.kernel.clone(), self.plan.clone());
        }
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        (variable("PINGALA_KERNEL"), variable("PINGALA_PLAN"))
    }

    /// The library's settings for these.
    pub(crate) fn options(&self, limits: Limits, threads: Option<NonZeroUsize>) -> Options<'_> {
        Options::default()
            .with_kernel(self.kernel.as_deref())
            .with_plan(self.plan.as_deref())
            .with_threads(threads)
            .with_limits(limits)
    }
}
