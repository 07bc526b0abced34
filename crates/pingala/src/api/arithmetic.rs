//! Products and inverses modulo one number, without a power.

use super::{Modulus, Options};
use crate::error::Error;
use crate::execute::inverses;
use crate::execute::pulse::Pulse;
use crate::execute::threads::{Answering, Answers};
use crate::natural::{Integer, Natural, chores};
use crate::plan::Planner;
use crate::plan::schedule::{self, PricedClass, Take};

#[cfg(any(test, feature = "study"))]
/// The inverse of `value` modulo `modulus`, in one call that keeps nothing; modulo 1 it is 0. Of the options only the limits apply. Errors:
/// those of [`Modulus::new`], and `not_invertible`. Leaks: everything, by its timing.
///
/// ```
/// use pingala::{Options, invert};
/// assert_eq!(invert(&3u64.into(), &7u64.into(), &Options::default())?, 5u64.into());
/// # Ok::<(), pingala::Error>(())
/// ```
#[cfg(any(test, feature = "study"))]
pub fn invert(value: &Integer, modulus: &Natural, options: &Options<'_>) -> Result<Natural, Error> {
    options.limits.check_modulus(modulus)?;
    chores::inverse(&chores::reduce(value, modulus), modulus).ok_or(Error::NotInvertible)
}

impl Modulus {
    /// a b mod m, at least 0 and below m. Leaks: everything, by its timing.
    ///
    /// ```
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

    /// The inverse of `value` modulo m. Error: `not_invertible`. Modulo 1 the inverse is 0.
    pub fn invert(&self, value: &Integer) -> Result<Natural, Error> {
        chores::inverse(&chores::reduce(value, self.value()), self.value()).ok_or(Error::NotInvertible)
    }

    /// The inverse of each value modulo m, in order, each with its own error. About a hundred values share one inversion
    /// (Montgomery's trick), so that each costs little more than three products. A value without an inverse does not affect the
    /// others. Only the options for threads and watch apply.
    ///
    /// The outer error is `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// use pingala::{Error, Modulus, Options};
    /// let modulus = Modulus::new(1000u64.into())?;
    /// let inverses = modulus.invert_list(&[7u64.into(), 8u64.into(), (-7i64).into()], &Options::default())?;
    /// assert_eq!(inverses, [Ok(143u64.into()), Err(Error::NotInvertible), Ok(857u64.into())]);
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn invert_list(&self, values: &[Integer], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
        let facts = self.prepared.facts();
        let odd_bits = facts.odd().bits() as usize;
        let shared = if odd_bits > 1 { Some(Planner::of_this_machine().share_out_inverses(odd_bits)?) } else { None };
        // Modulo a power of two nothing is shared: what a product modulo it costs has no say in how few numbers go at once.
        let (form, most, nanoseconds) =
            shared.map_or((None, values.len(), 0.0), |shared| (Some(shared.form), shared.at_once, shared.nanoseconds));
        let threads = options.crew().for_work(nanoseconds * values.len() as f64);
        let at_once = most.min(values.len().div_ceil(threads)).max(1);
        let class = PricedClass { count: values.len(), unit: at_once, nanoseconds: nanoseconds * at_once as f64 };
        let takes = schedule::takes(&[class], threads, 0);
        let work = |(): &mut (), take: &Take, pulse: &Pulse<'_>, answer: Answering<'_>| {
            for first in take.elements.clone().step_by(at_once) {
                let block = first..(first + at_once).min(take.elements.end);
                let reduced = values[block.clone()].iter().map(|value| chores::reduce(value, facts.value()));
                match inverses::inverses(&self.prepared, form.as_ref(), &reduced.collect::<Vec<_>>(), pulse) {
                    Ok(inverses) => block.zip(inverses).for_each(|(place, inverse)| {
                        answer(place, inverse.ok_or(Error::NotInvertible));
                    }),
                    Err(error) => block.for_each(|place| answer(place, Err(error.clone()))),
                }
            }
        };
        let mut answers = Answers::new(values.len(), Vec::new(), options.watch);
        answers.take(&takes, threads, work)?;
        answers.finish()
    }
}
