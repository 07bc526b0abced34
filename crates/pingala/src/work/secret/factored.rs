//! Powers modulo a number whose factors are known.

use crate::engine::execute::blinding::Blinding;
use crate::engine::execute::guarded::{FactorInput, Guarded, differing};
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::Prepared;
use crate::engine::execute::secret::SecretPower;
use crate::engine::execute::{self, crt, secret_factor};
use crate::engine::plan::{Planner, Problem};
use crate::error::{Error, pairs};
use crate::exponent::{Exponent, SecretExponent};
use crate::modulus::factored::TESTED_BITS;
use crate::modulus::{Facts, SecretFactor, prime};
use crate::natural::{Integer, Natural, Wiped};
use crate::secrecy::released;
use crate::work::secret::{secret_plan, whole_secret_power};
use crate::work::{Modulus, Options, positive_power};

/// Tests which factors are prime, if an exponent of `exponent_bits` bits becomes shorter by it. Error: `interrupted`.
pub(crate) fn learn(modulus: &Prepared, exponent_bits: u64, poll: &Poll<'_>) -> Result<(), Error> {
    modulus.facts().factors().iter().try_for_each(|factor| factor.learn(exponent_bits, |base| is_prime(base, poll)))
}

/// Whether a number is prime, by this library's own powers. Error: `interrupted`.
fn is_prime(n: &Natural, poll: &Poll<'_>) -> Result<bool, Error> {
    let n = Prepared::new(Facts::new(n.clone()));
    prime::is_prime(n.facts().value(), |bases, exponent| {
        let exponent = Exponent::new(exponent.clone()).ok_or(Error::Fault("n - 1 has an odd part"))?;
        bases.iter().map(|base| positive_power(&n, base, &exponent, &Options::default(), poll)).collect()
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

/// Whether a drawn number of 64 bits is prime. Errors: `interrupted`; `fault` if the system has no random numbers.
fn is_drawn_prime(n: &[u64], poll: &Poll<'_>) -> Result<bool, Error> {
    let plan = Planner::of_this_machine().plan(&Problem { secret: true, ..Problem::new(64, 63) })?;
    secret_factor::is_drawn_prime(n, 64, &plan, poll)
}

/// Computes the power modulo each factor by the cheapest plan of that part, and recombines: as a plan `crt(...)` says, which is made
/// only if parts may run side by side.
pub(crate) fn power(
    modulus: &Prepared,
    base: &Natural,
    exponent: &Exponent,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    let planner = Planner::of_this_machine();
    if let Some(plan) = planner.parts_side_by_side(&modulus.problem(base, exponent.magnitude()))? {
        return execute::power(modulus, &plan, base, exponent, poll);
    }
    let parts = pairs(modulus.parts(), modulus.facts().factors())?;
    let residues = parts.map(|(part, factor)| {
        positive_power(part, base, &crt::exponent(factor, exponent, None), &Options::default(), poll)
    });
    modulus.facts().recombine(&residues.collect::<Result<Vec<_>, _>>()?)
}

/// Whether a secret power is computed by the factors: there are several, all odd. (A power of two among them gains little and would
/// need a check of its own.)
pub(crate) fn guards(modulus: &Prepared) -> bool {
    modulus.has_guarded() || modulus.parts().len() > 1 && modulus.facts().trailing_zeros() == 0
}

/// Prepares a modulus with its secret factors, which must be those of an RSA key if the options have a public exponent. Errors:
/// `wrong_factors`; those of [`Guarded::new`].
pub(crate) fn with_secret_factors(
    value: Natural,
    factors: &[SecretFactor],
    options: &Options<'_>,
) -> Result<Prepared<'static>, Error> {
    let facts = Facts::new(value);
    let wrong = |why: &str| Err(Error::WrongFactors(why.into()));
    if factors.len() < 2 || facts.trailing_zeros() > 0 {
        return wrong("an odd modulus needs at least two secret factors");
    }
    // p^k has more than (bits - 1) k bits: refused before it is computed.
    let shortest = |factor: &SecretFactor| (factor.bits() as u64 - 1).saturating_mul(factor.multiplicity().into());
    if factors.iter().map(shortest).fold(0, u64::saturating_add) >= facts.bits() {
        return wrong("their product is longer than the modulus");
    }
    let (planner, poll) = (Planner::of_this_machine(), Poll::new(options.watch, None));
    let given = |factor: &SecretFactor| {
        let bits = factor.bits() as u64;
        let problem = Problem { secret: true, ..Problem::new(bits, bits - 1) };
        let plan = (bits <= TESTED_BITS).then(|| planner.plan(&problem)).transpose()?;
        secret_factor::given(factor, plan.as_ref(), &poll)
    };
    let given = factors.iter().map(given).collect::<Result<Vec<FactorInput>, Error>>()?;
    if let Some(e) = options.public_exponent {
        if *e >= *facts.value() {
            return wrong("the public exponent is not below the modulus");
        }
        for factor in &given {
            let Some(order) = &factor.group_order else {
                return wrong("a factor is not prime, or longer than 2^14 bits and not known to be");
            };
            if !secret_factor::has_inverse(e, order) {
                return wrong(
                    "the public exponent shares a divisor with p - 1 or with a factor p of multiplicity above 1",
                );
            }
        }
    }
    let guarded = Guarded::new(&facts, given, |n| is_drawn_prime(n, &poll))?;
    Ok(Prepared::with_guarded(facts, guarded))
}

/// Computes a secret power by the factors, checked: [`crate::engine::execute::guarded`]. The base is blinded if the blinding is known
/// to come off.
pub(crate) fn secret_power(
    modulus: &Prepared,
    power: SecretPower<'_>,
    out: &mut [u64],
    options: &Options<'_>,
) -> Result<(), Error> {
    let SecretPower { base, poll, .. } = power;
    let exponent = power.exponent.ok_or(Error::Fault("a power by secret factors has no secret exponent"))?;
    learn(modulus, exponent.bits() as u64, poll)?;
    let guarded = modulus.guarded(|n| is_drawn_prime(n, poll))?;
    let plan = |modulus_bits: u64, exponent_bits: usize| {
        let problem = Problem { secret: true, ..Problem::new(modulus_bits, exponent_bits.max(1) as u64) };
        Planner::of_this_machine().plan_with(&problem, options.kernel, None)
    };
    let halves = guarded.halves(modulus.facts(), exponent, options.public_exponent, !options.unblinded, plan)?;
    let Some(e) = options.public_exponent.filter(|_| halves.inverse && !options.unblinded) else {
        return guarded.power(&halves, power, out);
    };
    let plan = secret_plan(modulus, e.bits(), (None, None))?;
    let blinding = Blinding::new(modulus, &plan, e, base, poll)?;
    guarded.power(&halves, SecretPower { base: &blinding.blinded(base)?, ..power }, out)?;
    blinding.unblind(out)
}

/// Checks that result^public_exponent is the base modulo m: takes both in constant time, and releases only whether they are equal.
///
/// Errors: `fault` if they differ; those of any secret power.
pub(crate) fn verify(
    modulus: &Prepared,
    of: SecretPower<'_>,
    result: &[u64],
    public_exponent: &Natural,
) -> Result<(), Error> {
    let power = |base: &[u64], negative: bool, exponent: &Natural| {
        let exponent = SecretExponent::new(exponent, None)?;
        let mut out = Wiped::new(vec![0; modulus.facts().value().limbs().len()]);
        let power = SecretPower { base, negative, exponent: Some(&exponent), ..of };
        whole_secret_power(modulus, power, &mut out, (None, None))?;
        Ok::<_, Error>(out)
    };
    let (back, base) = (power(result, false, public_exponent)?, power(of.base, of.negative, &Natural::from(1u64))?);
    if released(differing(&back, &base)) != 0 {
        return Err(Error::Fault("the result raised to the public exponent is not the base; nothing is released"));
    }
    Ok(())
}

#[cfg(test)]
#[path = "../../../tests/inside/api/factored.rs"]
mod tests;
