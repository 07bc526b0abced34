//! Powers modulo a number whose factors are known, and whether numbers are prime.

use crate::algorithm::ShapeBits;
use crate::engine::execute::{Poll, Power, Prepared, crt};
use crate::engine::plan::{Planner, ShapeProblem};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::modulus::{Facts, prime};
use crate::natural::{Integer, Natural, chores};
use crate::work::power::positive_power;
use crate::work::{Modulus, Options};

/// Tests which factors are prime, if an exponent of `exponent_bits` bits becomes shorter by it. Error: `interrupted`.
pub(crate) fn learn(modulus: &Prepared, exponent_bits: u64, poll: &Poll<'_>) -> Result<(), Error> {
    modulus.facts().factors().iter().try_for_each(|factor| factor.learn(exponent_bits, |base| is_prime(base, poll)))
}

/// The problem of powers that share work modulo this number; tests which of its factors are prime as [`learn`] does. Error: `interrupted`.
pub(crate) fn shape_problem(
    modulus: &Prepared<'_>,
    work: ShapeBits,
    options: &Options<'_>,
) -> Result<ShapeProblem, Error> {
    learn(modulus, work.max_bits as u64, &Poll::new(options.watch(), None))?;
    let (modulus_bits, trailing_zeros) = (modulus.facts().bits(), modulus.facts().trailing_zeros());
    let memory_bytes = options.memory_bytes.unwrap_or(Options::MEMORY_BYTES);
    Ok(ShapeProblem { modulus_bits, trailing_zeros, factors: modulus.factor_shapes(), memory_bytes, work })
}

/// Whether a number is prime, by this library's own powers. Error: `interrupted`.
fn is_prime(n: &Natural, poll: &Poll<'_>) -> Result<bool, Error> {
    let n = Prepared::new(Facts::new(n.clone()));
    prime::is_prime(n.facts().value(), |bases, exponent| {
        let exponent = Exponent::new(exponent.clone()).ok_or(Error::Fault("n - 1 has an odd part"))?;
        let of = |base| Power { modulus: &n, base, exponent: &exponent, poll };
        bases.iter().map(|base| positive_power(&of(base), &Options::default())).collect()
    })
}

impl Modulus {
    /// Whether the modulus is prime, by Miller and Rabin's test with the base 2 and 40 random bases [menezes1996handbook, 4.24]: a prime
    /// always passes, a composite with probability 2^-80 at most. The powers go by [`Modulus::pow_base_list`] with these options.
    ///
    /// Errors: those of [`Modulus::pow_base_list`]; `fault` if the system has no random numbers.
    pub fn is_prime(&self, options: &Options<'_>) -> Result<bool, Error> {
        prime::is_prime(self.value(), |bases, exponent| {
            let bases: Vec<Integer> = bases.into_iter().map(Integer::from).collect();
            self.pow_base_list(&bases, &exponent.clone().into(), options)?.into_iter().collect()
        })
    }
}

impl Modulus {
    /// How many residues have an inverse: the product of p^(k - 1) (p - 1) over the parts p^k of the modulus, if its factors were given
    /// and each is found prime; otherwise `None`. Factors are tested as for [`Modulus::with_factors`], those beyond 2^14 bits are not.
    ///
    /// Error: `interrupted`.
    pub fn units(&self, options: &Options<'_>) -> Result<Option<Natural>, Error> {
        learn(&self.prepared, u64::MAX, &Poll::new(options.watch(), None))?;
        let factors = self.prepared.facts().factors();
        let orders = factors.iter().map(|factor| match factor.is_power_of_two() {
            true => Some(Natural::power_of_two(factor.power().trailing_zeros() - 1)),
            false => factor.group_order().cloned(),
        });
        let product = orders.reduce(|product, order| Some(chores::mul(&product?, &order?)));
        Ok(product.flatten())
    }
}

/// Computes the power modulo each factor by the cheapest plan of that part, and recombines: as a plan `crt(...)` says, which is made
/// only if parts may run side by side.
pub(crate) fn power(of: &Power<'_>) -> Result<Natural, Error> {
    let Power { modulus, base, exponent, poll } = *of;
    let planner = Planner::of_this_machine();
    if let Some(plan) = planner.parts_side_by_side(&modulus.problem(base, exponent.magnitude()))? {
        return of.by(&plan);
    }
    let parts = pairs(modulus.parts(), modulus.facts().factors())?;
    let residues = parts.map(|(part, factor)| {
        let exponent = &crt::exponent(factor, exponent, None);
        positive_power(&Power { modulus: part, base, exponent, poll }, &Options::default())
    });
    modulus.facts().recombine(&residues.collect::<Result<Vec<_>, _>>()?)
}
