//! One exponent modulo one number by an algorithm that the caller names, planned once for many bases.

use crate::algorithm::Algorithm;
use crate::engine::execute::{Poll, Power, SecretPower};
use crate::engine::plan::line::READS;
use crate::engine::plan::{Plan, Planner};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::natural::{Integer, Natural, Wiped, chores};
use crate::work::secret::secret_plan;
use crate::work::{Modulus, Options};
use core::fmt;

/// Powers with one exponent modulo one number by a given algorithm, for example an addition chain that was searched for.
///
/// ```
/// use pingala_core::algorithm::{AdditionChain, Chain};
/// use pingala_core::{Modulus, Natural, PlannedPower};
/// let chain = Chain::from_pairs(vec![(0, 0), (0, 1), (2, 2), (3, 3), (0, 4)])?;
/// let exponent = chain.target().clone();
/// let modulus = Modulus::new("1000003".parse()?)?;
/// let power = PlannedPower::new(&modulus, &exponent, &AdditionChain::new(chain).into())?;
/// assert_eq!(power.pow(&2u64.into())?, Natural::from(8192u64));
/// # Ok::<(), pingala_core::Error>(())
/// ```
pub struct PlannedPower {
    modulus: Modulus,
    exponent: Exponent,
    algorithm: Algorithm,
    plan: Plan,
}

/// Lengths, without the numbers and the steps.
impl fmt::Debug for PlannedPower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (modulus_bits, exponent_bits) = (self.modulus.value().bits(), self.exponent.magnitude().bits());
        write!(f, "<PlannedPower modulo {modulus_bits} bits, exponent of {exponent_bits} bits>")
    }
}

impl PlannedPower {
    /// The planner chooses the kernels. Error: [`Error::BadPlan`] if the algorithm does not serve the exponent.
    pub fn new(modulus: &Modulus, exponent: &Exponent, algorithm: &Algorithm) -> Result<Self, Error> {
        if !algorithm.serves(exponent) {
            return Err(Error::BadPlan(format!("{algorithm} leads to another exponent")));
        }
        // Priced for bases as long as the modulus.
        let problem = modulus.prepared.problem(modulus.value(), exponent.magnitude());
        let plan = Planner::of_this_machine().plan_with(&problem, None, Some(&algorithm.to_string()))?;
        Ok(Self { modulus: modulus.clone(), exponent: exponent.clone(), algorithm: algorithm.clone(), plan })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// base^exponent mod m, canonical.
    pub fn pow(&self, base: &Integer) -> Result<Natural, Error> {
        let modulus = self.modulus.value();
        if modulus.is_one() {
            return Ok(Natural::default());
        }
        let power = |base: &Natural| {
            let poll = &Poll::of_one_power(None);
            Power { modulus: &self.modulus.prepared, base, exponent: &self.exponent, poll }.by(&self.plan)
        };
        if base.is_negative() { power(&chores::reduce(base, modulus)) } else { power(base.magnitude()) }
    }

    /// The powers of several bases, side by side if that is expected to be faster. Errors as [`Modulus::pow_base_list`].
    pub fn pow_list(&self, bases: &[Integer], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
        let algorithm = match &self.plan {
            // Without plan lines the list is planned by price: the results are the same.
            Plan::Run { algorithm, .. } if READS => Some(algorithm.to_string()),
            _ => None,
        };
        let exponent = Integer::from(self.exponent.magnitude().clone());
        self.modulus.pow_base_list(bases, &exponent, &options.with_plan(algorithm.as_deref()))
    }

    /// The power of a secret base in constant time: no branch and no address depends on its value. Public are the modulus, the
    /// exponent, and the length and sign of the base. Only for an addition chain, whose steps depend on nothing but the exponent.
    ///
    /// Error: [`Error::BadPlan`] for another algorithm.
    pub fn pow_sec(&self, base: &Integer) -> Result<Natural, Error> {
        let mut out = Wiped::new(vec![0; self.modulus.value().limbs().len()]);
        self.secret_power(base.magnitude().limbs(), base.is_negative(), &mut out)?;
        Ok(Natural::from_limbs(&out))
    }

    /// [`PlannedPower::pow_sec`] for callers who must not reveal the length of a number: words, the least significant first, of which
    /// nothing is trimmed. `out` is at least as long as the modulus.
    ///
    /// # Errors
    /// [`Error::BadArgument`] for a shorter one, and as [`PlannedPower::pow_sec`].
    pub fn pow_sec_words(&self, base: &[u64], out: &mut [u64]) -> Result<(), Error> {
        self.secret_power(base, false, out)
    }

    fn secret_power(&self, base: &[u64], negative: bool, out: &mut [u64]) -> Result<(), Error> {
        let prepared = &self.modulus.prepared;
        let words = self.modulus.value().limbs().len();
        if out.len() < words {
            return Err(Error::BadArgument(format!("the result takes {words} words, there are {}", out.len())));
        }
        out.fill(0);
        let Algorithm::AdditionChain(_) = &self.algorithm else {
            return Err(Error::BadPlan(format!("{} is no addition chain, so it takes no secret base", self.algorithm)));
        };
        if self.modulus.value().is_one() {
            return Ok(());
        }
        // On the kernels of a secret power of this length.
        let plan = by(&self.algorithm, secret_plan(prepared, self.exponent.bits() as u64, (None, None))?);
        let power = SecretPower { base, negative, exponent: None, poll: &Poll::none() };
        let power = power.modulo(prepared, &plan)?;
        out[..power.len()].copy_from_slice(&power);
        Ok(())
    }
}

/// A plan of one power on the same kernels by another algorithm.
fn by(algorithm: &Algorithm, plan: Plan) -> Plan {
    match plan {
        Plan::Run { form, .. } => Plan::Run { algorithm: algorithm.clone(), form },
        Plan::Even { odd, two } => Plan::Even { odd: by(algorithm, *odd).into(), two: by(algorithm, *two).into() },
        plan => plan,
    }
}
