//! A modulus with its prepared constants. Each kind of work adds its own methods to it.

use crate::engine::execute::Prepared;
use crate::error::Error;
use crate::kernel::matrix_products::means;
use crate::modulus::Facts;
use crate::natural::Natural;
use crate::text::SHOWN_BITS;
use crate::work::{Limits, Options};
use core::fmt;
use std::sync::Arc;

/// A modulus with its prepared constants; cheap to clone, shared between threads.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Integer, Modulus};
/// let modulus = Modulus::new("0xffffffff00000001".parse()?)?;
/// let power = modulus.pow(&Integer::from(3u64), &"-12345678901234567890".parse()?)?;
/// assert_eq!(format!("{power:#x}"), "0xa385fc9d46396ef1");
/// # Ok::<(), pingala::Error>(())
/// ```
#[derive(Clone)]
pub struct Modulus {
    pub(super) prepared: Arc<Prepared<'static>>,
}

/// The number, or the length of a number of more than 256 bits; neither factors nor constants.
impl fmt::Debug for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value().bits() {
            bits if bits > SHOWN_BITS => write!(f, "<Modulus of {bits} bits>"),
            _ => write!(f, "Modulus({:?})", self.value()),
        }
    }
}

impl Modulus {
    /// A modulus m >= 1. Errors: `zero_modulus`, `too_long` (default [`Limits`]).
    pub fn new(value: Natural) -> Result<Self, Error> {
        Self::with_limits(value, &Limits::default())
    }

    /// A modulus m >= 1 under other caps. Errors as [`Modulus::new`].
    pub fn with_limits(value: Natural, limits: &Limits) -> Result<Self, Error> {
        limits.check_modulus(&value)?;
        Ok(Self { prepared: Arc::new(Prepared::new(Facts::new(value))) })
    }

    /// A modulus with its factors `(base, multiplicity)`, which are pairwise coprime and have this product; the bases need not
    /// be prime. Powers are then computed modulo each factor and recombined. Errors: those of [`Modulus::new`], and
    /// `wrong_factors`, whose message says what is wrong.
    ///
    /// Modulo p^k with p prime, exponents are reduced modulo p^(k-1) (p-1). Each p of up to 2^14 bits is tested before the
    /// first power with an exponent longer than p^k: Miller-Rabin with 40 random bases, which any composite passes with
    /// probability 2^-80 at most.
    ///
    /// Leaks: the factors, here and in every power; this library treats them as public, like the modulus. For secret factors
    /// use [`Modulus::with_secret_factors`].
    pub fn with_factors(value: Natural, factors: &[(Natural, u32)]) -> Result<Self, Error> {
        Self::with_factors_and_options(value, factors, &Options::default())
    }

    /// A modulus with its factors, as [`Modulus::with_factors`], under the limits and the watch of the options. Further error:
    /// `interrupted`.
    pub fn with_factors_and_options(
        value: Natural,
        factors: &[(Natural, u32)],
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        options.limits.check_modulus(&value)?;
        let go_on = || !options.watch().is_some_and(|watch| watch.stop());
        Ok(Self { prepared: Arc::new(Prepared::new(Facts::with_factors(value, factors, means(&go_on))?)) })
    }

    /// The modulus as a number.
    pub fn value(&self) -> &Natural {
        self.prepared.facts().value()
    }
}
