//! One power: of a modulus that is prepared, and in one call that keeps nothing.

use crate::engine::execute::{Answer, Poll, Power, Prepared, few_products, normalise, run};
use crate::engine::plan::{Explanation, Plan, Planner, Problem};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::natural::{Integer, Natural, chores};
use crate::work::{Limits, Modulus, Options, factored};

impl Modulus {
    /// base^exponent mod m, at least 0 and below m. A negative exponent needs a base with an inverse (error
    /// `not_invertible`). Modulo 1 every result is 0; an exponent of 0 gives 1 mod m.
    pub fn pow(&self, base: &Integer, exponent: &Integer) -> Result<Natural, Error> {
        self.pow_with(base, exponent, &Options::default())
    }

    /// [`Modulus::pow`] with settings. Further errors: `too_long`, `bad_plan`, `interrupted`. The watch receives the number of exponent
    /// bits done, about a hundred times a second if products are short, and at the end; modulo known factors, and modulo numbers
    /// that fit registers, only at the end.
    pub fn pow_with(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Natural, Error> {
        let (mut room, poll) = (None, Poll::of_one_power(options.watch()));
        let call = Call { base, exponent, options: options.resolved_in(&mut room)?, poll: &poll };
        call.reported(call.power(&self.prepared))
    }

    /// The plan that the next [`Modulus::pow_with`] follows for these arguments; from the second power on it counts no set-up, because a modulus
    /// keeps what plans prepare. (An exponent of 0 or 1, a base of 0, 1 or -1, and a modulus
    /// of 1 need no plan; what is returned would serve another base and exponent of these lengths. Squares and cubes modulo at most 256 bits, and
    /// some modulo long numbers, are computed without a plan, unless a kernel or a plan is forced.)
    ///
    /// Errors: `bad_plan`; `not_invertible`, because a negative exponent is planned with the inverse of the base.
    pub fn plan(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Plan, Error> {
        let options = options.resolved()?;
        Planner::of_this_machine().plan_with(&self.problem(base, exponent)?, options.kernel, options.plan)
    }

    /// Why the plan is chosen. `Display` prints two sentences and at most twelve candidates; `{:#}` prints all candidates. Errors
    /// as [`Modulus::plan`].
    pub fn explain(&self, base: &Integer, exponent: &Integer, options: &Options<'_>) -> Result<Explanation, Error> {
        let options = options.resolved()?;
        Planner::of_this_machine().explain(&self.problem(base, exponent)?, options.kernel, options.plan)
    }

    /// The problem of one power with these arguments; with the inverse of the base if the exponent is negative.
    ///
    /// Error: `not_invertible`.
    // Not promised: a `Problem` is a value of the planner.
    #[doc(hidden)]
    pub fn problem(&self, base: &Integer, exponent: &Integer) -> Result<Problem, Error> {
        factored::learn(&self.prepared, exponent.magnitude().bits(), &Poll::none())?;
        if exponent.is_negative() && !self.value().is_one() {
            return Ok(self.prepared.problem(&self.invert(base)?, exponent.magnitude()));
        }
        Ok(self.prepared.problem(base.magnitude(), exponent.magnitude()))
    }
}

/// base^exponent mod modulus, in one call that keeps nothing. Errors as [`Modulus::new`] and [`Modulus::pow`].
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Natural, powmod};
/// assert_eq!(powmod(&3u64.into(), &200u64.into(), &Natural::from(13u64))?, Natural::from(9u64));
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn powmod(base: &Integer, exponent: &Integer, modulus: &Natural) -> Result<Natural, Error> {
    powmod_with(base, exponent, modulus, &Options::default())
}

/// [`powmod`] with settings. Errors as [`Modulus::with_limits`] and [`Modulus::pow_with`].
pub fn powmod_with(
    base: &Integer,
    exponent: &Integer,
    modulus: &Natural,
    options: &Options<'_>,
) -> Result<Natural, Error> {
    options.limits.check_modulus(modulus)?;
    let (mut room, poll) = (None, Poll::of_one_power(options.watch()));
    let call = Call { base, exponent, options: options.resolved_in(&mut room)?, poll: &poll };
    call.reported(call.power_once(modulus))
}

/// base^exponent mod modulus on big-endian bytes, like the EVM's precompile (EIP-198). The result is as long as `modulus`.
/// Leading zeros are allowed; an empty or zero modulus gives zeros. No limits apply, because the caller has already allocated
/// the memory. `PINGALA_KERNEL` and `PINGALA_PLAN` have no effect here. `PINGALA_CPU` and the file of this machine's prices
/// are read once in a process; they affect only the time.
///
/// ```
/// # use pingala_core as pingala;
/// assert_eq!(pingala::modexp(&[3], &[1, 0], &[0, 13]), [0, 3]);
/// ```
pub fn modexp(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let modulus_value = Natural::from_be_bytes(modulus);
    if modulus_value.is_zero() {
        return vec![0; modulus.len()];
    }
    let base = Natural::from_be_bytes(base).into();
    let exponent = Natural::from_be_bytes(exponent).into();
    let options = Options { limits: Limits { modulus_bits: u64::MAX, exponent_bits: u64::MAX }, ..Options::default() };
    let call = Call { base: &base, exponent: &exponent, options: &options, poll: &Poll::none() };
    let result =
        call.power_once(&modulus_value).expect("without caps, plan, watch or a negative exponent a power has no error");
    result.to_be_bytes_padded(modulus.len()).expect("the result is below the modulus")
}

/// One power with its settings, which are resolved.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) base: &'a Integer,
    pub(super) exponent: &'a Integer,
    pub(super) options: &'a Options<'a>,
    pub(super) poll: &'a Poll<'a>,
}

impl Call<'_> {
    fn power(&self, modulus: &Prepared) -> Answer {
        self.trivial(modulus.facts().value(), Some(modulus)).unwrap_or_else(|| self.planned(modulus))
    }

    /// Modulo a number that serves one call. Without a plan the parts of the modulus are not computed.
    pub(super) fn power_once(&self, modulus: &Natural) -> Answer {
        self.trivial(modulus, None).unwrap_or_else(|| Prepared::for_one_call(modulus, |modulus| self.planned(modulus)))
    }

    /// What needs no plan: exponents above the cap, modulus 1, exponents of 0, 1 and -1, bases of 0, 1 and -1; and [short](Self::few_products) squares and
    /// cubes. `prepared` is the modulus, if it is for more than this call.
    #[inline]
    fn trivial(&self, m: &Natural, prepared: Option<&Prepared>) -> Option<Answer> {
        let &Self { base, exponent, options, poll } = self;
        if let Some(answer) = normalise::trivial(m, exponent, options.limits.exponent_bits) {
            return Some(answer);
        }
        if options.forces() {
            return None;
        }
        if let Some(answer) = normalise::of_unit(m, base, exponent) {
            return Some(answer);
        }
        match *exponent.magnitude().limbs() {
            [1] if exponent.is_negative() => Some(normalise::inverse(base, m, poll)),
            [1] => {
                let residue = residue(base.magnitude(), m, poll);
                Some(if base.is_negative() { residue.map(|residue| chores::negate(residue, m)) } else { residue })
            }
            [few @ (2 | 3)] if !exponent.is_negative() => {
                let power = Self::few_products(base.magnitude(), few == 3, m, prepared)?;
                Some(Ok(if base.is_negative() && few == 3 { chores::negate(power, m) } else { power }))
            }
            _ => None,
        }
    }

    /// A square or a cube modulo a number without known factors, if its plan need not be followed.
    #[inline]
    fn few_products(base: &Natural, cube: bool, m: &Natural, prepared: Option<&Prepared>) -> Option<Natural> {
        if base.limbs().len() > m.limbs().len() || prepared.is_some_and(|modulus| !modulus.parts().is_empty()) {
            return None;
        }
        few_products::of_few_limbs(base, cube, m).or_else(|| Self::divided(base, cube, m, prepared))
    }

    /// A square or a cube by division, if its plan says so.
    #[inline(never)]
    fn divided(base: &Natural, cube: bool, m: &Natural, prepared: Option<&Prepared>) -> Option<Natural> {
        let keeps = prepared.is_some_and(Prepared::has_kept);
        let divides = base.bits() > Problem::SHORT_BASE_BITS
            && Planner::of_this_machine().divides(m.limbs().len(), m.trailing_zeros(), cube, keeps);
        divides.then(|| {
            prepared.inspect(|modulus| modulus.note_use());
            few_products::by_division(base, cube, m)
        })
    }

    /// A power that needs a plan.
    fn planned(&self, modulus: &Prepared) -> Answer {
        let &Self { base, exponent, options, poll } = self;
        let (m, positive) = (modulus.facts().value(), Exponent::of_nonzero(exponent.magnitude().clone()));
        let of = Power { modulus, base: base.magnitude(), exponent: &positive, poll };
        if exponent.is_negative() {
            return positive_power(&Power { base: &normalise::inverse(base, m, poll)?, ..of }, options);
        }
        // Avoids a copy of the usual result, which is measurable in short calls.
        if normalise::negates(base, exponent) {
            return Ok(chores::negate(positive_power(&of, options)?, m));
        }
        positive_power(&of, options)
    }

    /// Reports to the watch that all bits of the exponent are done, unless the power is an error.
    #[inline(always)]
    pub(super) fn reported(&self, power: Answer) -> Answer {
        if let (Some(watch), Ok(_)) = (self.options.watch(), &power) {
            let bits = self.exponent.magnitude().bits() as usize;
            watch.progress(bits, bits);
        }
        power
    }
}

/// A base modulo m. Error: `interrupted`, because a base may be far longer than m.
fn residue(base: &Natural, m: &Natural, poll: &Poll<'_>) -> Answer {
    let reduced = run::reduced_base(base, m, poll);
    if poll.halted() { Err(Error::Interrupted) } else { Ok(chores::rem(&reduced, m)) }
}

/// Computes the power for an exponent that is not negative, by the factors of the modulus or by a plan.
pub(super) fn positive_power(of: &Power<'_>, options: &Options<'_>) -> Answer {
    let Power { modulus, base, exponent, poll } = *of;
    if !modulus.parts().is_empty() {
        factored::learn(modulus, exponent.bits() as u64, poll)?;
        if !options.forces() {
            return factored::power(&Power { poll: &poll.silent(), ..*of });
        }
    }
    let (planner, problem) = (Planner::of_this_machine(), modulus.problem(base, exponent.magnitude()));
    if options.forces() {
        return match planner.plan_with(&problem, options.kernel, options.plan)? {
            plan @ Plan::Crt(_) => Power { poll: &poll.silent(), ..*of }.by(&plan),
            plan => of.by(&plan),
        };
    }
    let runs = planner.plan_power(&problem)?;
    if exponent.magnitude().limbs() == [2] && planner.takes_reciprocal(&problem, &runs) {
        modulus.note_use();
        let m = modulus.facts().value();
        return few_products::by_reciprocal(&residue(base, m, poll)?, m, poll);
    }
    // In their place: moving them is a good part of a short call.
    let [odd, two] = &runs;
    of.by_parts(odd.as_deref(), two.as_deref())
}
