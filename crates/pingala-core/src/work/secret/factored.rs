//! Secret powers modulo a number whose factors are known.

use crate::engine::execute::blinding::Blinding;
use crate::engine::execute::guarded_factors::{FactorInput, Guarded, differing};
use crate::engine::execute::{Poll, Prepared, SecretPower, secret_factor};
use crate::engine::plan::{Planner, Problem};
use crate::error::Error;
use crate::exponent::SecretExponent;
use crate::modulus::factored::TESTED_BITS;
use crate::modulus::{Facts, SecretFactor};
use crate::natural::{Natural, Wiped};
use crate::secrecy::{released, wipe_stack};
use crate::work::factored::learn;
use crate::work::secret::{secret_plan, whole_secret_power};
use crate::work::{Modulus, Options};
use std::sync::Arc;

/// Whether a drawn number of 64 bits is prime. Errors: `interrupted`; `fault` if the system has no random numbers.
fn is_drawn_prime(n: &[u64], poll: &Poll<'_>) -> Result<bool, Error> {
    let plan = Planner::of_this_machine().plan(&Problem { secret: true, ..Problem::new(64, 63) })?;
    secret_factor::is_drawn_prime(n, 64, &plan, poll)
}

/// Whether a secret power is computed by the factors: there are several, all odd. (A power of two among them gains little and would
/// need a check of its own.)
pub(crate) fn guards(modulus: &Prepared) -> bool {
    modulus.has_guarded() || modulus.parts().len() > 1 && modulus.facts().trailing_zeros() == 0
}

impl Modulus {
    /// A modulus with secret factors. Powers with a [`SecretExponent`](crate::SecretExponent) use the factors, as with
    /// [`Modulus::with_factors`]; set-up and powers branch on none of their bits. All other powers are computed modulo the
    /// whole modulus, which must be odd. This modulus and its clones own the values computed from the factors, which are
    /// wiped with the last clone.
    ///
    /// This call tests each p of up to 2^14 bits for primality: 80 powers modulo p; a composite passes with probability 2^-80 at
    /// most. Exponents are reduced if p is prime.
    ///
    /// With [`Options::with_public_exponent`] the factors have to be those of an RSA key: each p known to be prime, and the public
    /// exponent below m and prime to the order of each group.
    ///
    /// Errors: `wrong_factors` for fewer than two factors, for factors with a common divisor or another product, and for those of
    /// no key; those of [`Modulus::new`] with the limits of the options; `interrupted`, if their watch says so; `fault` if the
    /// system has no random numbers.
    ///
    /// Leaks: how many factors there are, their multiplicities, the lengths in bits of p, of p^k and its products, and whether p
    /// is prime. docs/constant-time.md has the whole list.
    pub fn with_secret_factors(value: Natural, factors: &[SecretFactor], options: &Options<'_>) -> Result<Self, Error> {
        options.limits.check_modulus(&value)?;
        let prepared = prepared_with(value, factors, options);
        wipe_stack();
        Ok(Self { prepared: Arc::new(prepared?) })
    }
}

/// Prepares a modulus with its secret factors, which must be those of an RSA key if the options have a public exponent. Errors:
/// `wrong_factors`; those of [`Guarded::new`].
///
/// Never part of its caller: [`wipe_stack`] overwrites what lies below the caller's own frame.
#[inline(never)]
fn prepared_with(value: Natural, factors: &[SecretFactor], options: &Options<'_>) -> Result<Prepared<'static>, Error> {
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
    let (planner, poll) = (Planner::of_this_machine(), Poll::new(options.watch(), None));
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
pub(crate) fn secret_power(modulus: &Prepared, power: SecretPower<'_>, options: &Options<'_>) -> Result<Wiped, Error> {
    let (SecretPower { base, poll, .. }, words) = (power, modulus.facts().value().limbs().len());
    let exponent = power.exponent.ok_or(Error::Fault("a power by secret factors has no secret exponent"))?;
    learn(modulus, exponent.bits() as u64, poll)?;
    let guarded = modulus.guarded(|n| is_drawn_prime(n, poll))?;
    let plan = |modulus_bits: u64, exponent_bits: usize| {
        let problem = Problem { secret: true, ..Problem::new(modulus_bits, exponent_bits.max(1) as u64) };
        Planner::of_this_machine().plan_with(&problem, options.kernel, None)
    };
    let halves = guarded.halves(modulus.facts(), exponent, options.public_exponent, !options.unblinded, plan)?;
    let Some(e) = options.public_exponent.filter(|_| halves.inverse && !options.unblinded) else {
        return guarded.power(&halves, power, words);
    };
    let plan = secret_plan(modulus, e.bits(), (None, None))?;
    let blinding = Blinding::new(modulus, &plan, e, base, poll)?;
    let blinded = guarded.power(&halves, SecretPower { base: &blinding.blinded(base)?, ..power }, words)?;
    blinding.unblinded(&blinded)
}

/// Checks that result^public_exponent is the base modulo m. If it is not, computes the power again, modulo the whole modulus: an exponent
/// that does not belong to the secret one gives the same power, which fails again. Releases only whether numbers are equal.
///
/// Errors: `bad_argument` for such an exponent; `fault` if the computer erred; those of any secret power.
pub(crate) fn verify(
    modulus: &Prepared,
    of: SecretPower<'_>,
    result: &[u64],
    public_exponent: &Natural,
) -> Result<(), Error> {
    if is_confirmed(modulus, of, result, public_exponent)? {
        return Ok(());
    }
    let again = whole_secret_power(modulus, of, (None, None))?;
    if released(differing(&again, result)) != 0 || is_confirmed(modulus, of, &again, public_exponent)? {
        return Err(Error::Fault("the result raised to the public exponent is not the base; nothing is released"));
    }
    Err(Error::BadArgument("the public exponent is not the inverse of the secret one; nothing is released".into()))
}

/// Whether result^public_exponent is the base modulo m, both taken in constant time.
fn is_confirmed(
    modulus: &Prepared,
    of: SecretPower<'_>,
    result: &[u64],
    public_exponent: &Natural,
) -> Result<bool, Error> {
    let power = |base: &[u64], negative: bool, exponent: &Natural| {
        let exponent = SecretExponent::new(exponent, None)?;
        let power = SecretPower { base, negative, exponent: Some(&exponent), ..of };
        whole_secret_power(modulus, power, (None, None))
    };
    let (back, base) = (power(result, false, public_exponent)?, power(of.base, of.negative, &Natural::from(1u64))?);
    Ok(released(differing(&back, &base)) == 0)
}

#[cfg(test)]
#[path = "../../../tests/inside/work/secret/factored.rs"]
mod tests;
