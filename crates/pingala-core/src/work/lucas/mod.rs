//! Lucas sequences modulo an odd number.

mod plan;
mod run;

use crate::engine::execute::Poll;
use crate::engine::plan::Planner;
use crate::error::Error;
use crate::natural::{Integer, Natural, chores};
use crate::work::{Modulus, Options};

impl Modulus {
    /// V_k and V_(k+1) of the Lucas sequence with parameters P and Q = 1 modulo an odd m: V_0 = 2, V_1 = P, V_(k+1) = P V_k - V_(k-1). Both
    /// are at least 0 and below m. One product and one squaring for each bit of k, by the ladder of \[joye2003montgomery\], on the kernel that
    /// is cheapest for one of each; a kernel or plan that is forced does not apply. The modulus is taken as a whole, also if its factors are
    /// known.
    ///
    /// Errors: `bad_argument` for an even modulus; `too_long` for k above the limit on exponents; `interrupted`, `bad_plan`. Leaks: all
    /// arguments, by its timing.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Modulus, Natural, Options};
    /// // 2, 3, 7, 18, 47, 123
    /// let pair = Modulus::new(101u64.into())?.lucas(&3u64.into(), &4u64.into(), &Options::default())?;
    /// assert_eq!(pair, [Natural::from(47u64), Natural::from(22u64)]);
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn lucas(&self, p: &Integer, k: &Natural, options: &Options<'_>) -> Result<[Natural; 2], Error> {
        let options = options.resolved()?;
        options.limits.check_exponent_bits(k.bits())?;
        let modulus = self.value();
        if modulus.is_even() {
            return Err(Error::BadArgument("Lucas sequences need an odd modulus".into()));
        }
        if modulus.is_one() {
            return Ok([Natural::default(), Natural::default()]);
        }
        let form = Planner::of_this_machine().plan_lucas(modulus.bits())?;
        let p = chores::reduce(p, modulus);
        run::run(&*self.prepared.ring(&form)?, modulus, &p, k, &Poll::new(options.watch(), None))
    }
}
