//! Products, inverses and Jacobi symbols modulo one number, without a power; and whether a number is a power.

use crate::engine::execute::{Poll, Watch, has_memory_for_results, normalise};
use crate::error::Error;
use crate::kernel::matrix_products::means;
use crate::natural::{Integer, Natural, chores, euclid, power};
use crate::work::{Modulus, Options};

/// The inverse of `value` modulo `modulus`, in one call that keeps nothing; modulo 1 it is 0. Only the limits and the watch of the options apply. Errors:
/// those of [`Modulus::new`], `not_invertible`, `interrupted`. Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Options, invert};
/// assert_eq!(invert(&3u64.into(), &7u64.into(), &Options::default())?, 5u64.into());
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn invert(value: &Integer, modulus: &Natural, options: &Options<'_>) -> Result<Natural, Error> {
    options.limits.check_modulus(modulus)?;
    normalise::inverse(value, modulus, &Poll::new(options.watch(), None))
}

/// The Jacobi symbol (value/modulus): 1, -1, or 0 if the two have a factor in common [menezes1996handbook, 2.149]. For a prime modulus it says whether
/// the value is a square there. Of the options only the watch applies.
///
/// Errors: `bad_argument` for an even modulus, or 0; `interrupted`. Leaks: both numbers, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Options, jacobi};
/// assert_eq!(jacobi(&(-5i64).into(), &21u64.into(), &Options::default())?, 1);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn jacobi(value: &Integer, modulus: &Natural, options: &Options<'_>) -> Result<i32, Error> {
    if modulus.is_even() {
        let what = match *modulus.limbs() {
            [] => "0".into(),
            [limb] => limb.to_string(),
            _ => format!("an even number of {} bits", modulus.bits()),
        };
        return Err(Error::BadArgument(format!("n must be odd and positive, not {what}")));
    }
    let watch = options.watch();
    euclid::jacobi(value, modulus, means(&|| !watch.is_some_and(Watch::stop)))
}

/// The smallest b and the largest k >= 2 with b^k equal to the number; none if there are none, and for 0 and 1. Exact. Of the options only
/// the watch applies.
///
/// Error: `interrupted`. Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Options, perfect_power};
/// let options = Options::default();
/// assert_eq!(perfect_power(&3u64.pow(40).into(), &options)?, Some((3u64.into(), 40)));
/// assert_eq!(perfect_power(&(3u64.pow(39) * 2).into(), &options)?, None);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn perfect_power(number: &Natural, options: &Options<'_>) -> Result<Option<(Natural, u32)>, Error> {
    let watch = options.watch();
    power::perfect_power(number, &|| !watch.is_some_and(Watch::stop))
}

impl Modulus {
    /// a b mod m, at least 0 and below m. Leaks: everything, by its timing.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::Modulus;
    /// let modulus = Modulus::new(1009u64.into())?;
    /// assert_eq!(modulus.mul(&(-2i64).into(), &600u64.into()), 818u64.into());
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn mul(&self, a: &Integer, b: &Integer) -> Natural {
        let product = chores::mul(a.magnitude(), b.magnitude());
        chores::reduce(&Integer::new(a.is_negative() != b.is_negative(), product), self.value())
    }

    /// a^2 mod m, at least 0 and below m. Leaks: everything, by its timing.
    pub fn sqr(&self, a: &Integer) -> Natural {
        self.mul(a, a)
    }

    /// The inverse of `value` modulo m. Error: `not_invertible`. Modulo 1 the inverse is 0. ([`invert`] may be stopped by a watch.)
    pub fn invert(&self, value: &Integer) -> Result<Natural, Error> {
        normalise::inverse(value, self.value(), &Poll::none())
    }

    /// The inverse of each value modulo m, in order, each with its own error. About a hundred values share one inversion
    /// (Montgomery's trick), so that each costs little more than three products. A value without an inverse does not affect the
    /// others. Only the options for threads and watch apply.
    ///
    /// The outer error is `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Error, Modulus, Options};
    /// let modulus = Modulus::new(1000u64.into())?;
    /// let inverses = modulus.invert_list(&[7u64.into(), 8u64.into(), (-7i64).into()], &Options::default())?;
    /// assert_eq!(inverses, [Ok(143u64.into()), Err(Error::NotInvertible), Ok(857u64.into())]);
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn invert_list(&self, values: &[Integer], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
        has_memory_for_results(values.iter().map(|_| self.value().bits()))?;
        let residues = values.iter().map(|value| chores::reduce(value, self.value())).collect();
        normalise::inverses_of(&[(&self.prepared, residues)], options.workers())
    }
}
