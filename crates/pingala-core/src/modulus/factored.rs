//! Known factors, checked once: a wrong factorisation is an error, never a wrong result.

use super::Facts;
use crate::error::{Error, pairs};
use crate::natural::euclid::Means;
use crate::natural::{Natural, chores, euclid};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Longest base that is tested for primality: the test runs once and takes seconds at this length (docs/records/thresholds.md).
/// For a longer base it could take hours; its exponents are not reduced.
pub(crate) const TESTED_BITS: u64 = 1 << 14;

/// One coprime part `base^multiplicity` of a modulus, with the facts of that power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    base: Natural,
    multiplicity: u32,
    power: Facts<'static>,
    /// The product of all parts before this one.
    previous: Natural,
    /// Its inverse modulo this one (Garner's constant); 0 for the first part.
    inverse_of_previous: Natural,
    /// base^(multiplicity - 1) (base - 1), if the base was tested and found prime.
    group_order: OnceLock<Option<Natural>>,
}

impl Factor {
    /// The facts of base^multiplicity.
    pub fn power(&self) -> &Facts<'static> {
        &self.power
    }

    /// k of base^k.
    pub(crate) fn multiplicity(&self) -> u32 {
        self.multiplicity
    }

    /// base^(multiplicity - 1) (base - 1), if the base was tested and found prime.
    pub(crate) fn group_order(&self) -> Option<&Natural> {
        self.group_order.get()?.as_ref()
    }

    /// Has the base tested, once, if an exponent of `bits` bits would gain by it. (Exponents modulo a power of two are
    /// reduced without.)
    pub(crate) fn learn(
        &self,
        exponent_bits: u64,
        is_prime: impl FnOnce(&Natural) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let gains = exponent_bits > self.power.bits() && !self.base.is_even() && self.base.bits() <= TESTED_BITS;
        if gains && self.group_order.get().is_none() {
            // Two threads may test at the same time, and find the same.
            let _ = self.group_order.set(is_prime(&self.base)?.then(|| {
                let one_less = chores::sub(&self.base, &Natural::from(1u64));
                chores::mul(&chores::pow(&self.base, self.multiplicity - 1), &one_less)
            }));
        }
        Ok(())
    }

    /// The exponent that gives every base the same power as 2^count does, count >= 1, if the base of this part was
    /// found prime; `power_of_two(m)` is 2^count mod m.
    pub(crate) fn reduce_power_of_two(
        &self,
        count: u64,
        power_of_two: impl FnOnce(&Natural) -> Result<Natural, Error>,
    ) -> Option<Result<Natural, Error>> {
        let order = self.group_order()?;
        if count < order.bits() {
            return Some(Ok(Natural::power_of_two(count)));
        }
        // 2^count >= L > k: an odd p^k is 3 at least.
        Some(power_of_two(order).map(|residue| self.reduced(&chores::add(&residue, order), order)))
    }

    /// Whether this is a power of two.
    pub(crate) fn is_power_of_two(&self) -> bool {
        self.power.odd().is_one()
    }

    /// An exponent that gives every base the same power modulo this part, shorter if the base was found prime.
    ///
    /// Modulo p^k, with L = p^(k-1) (p - 1) >= k: an e > L becomes k + (e - k mod L). If p does not divide g, g^L = 1
    /// (Euler); if it does, both powers are 0, as both exponents are k at least.
    pub(crate) fn reduce_exponent<'e>(&self, exponent: &'e Natural) -> Cow<'e, Natural> {
        match self.group_order() {
            Some(order) if exponent.bits() > order.bits() => Cow::Owned(self.reduced(exponent, order)),
            _ => Cow::Borrowed(exponent),
        }
    }

    /// k + (e - k mod L) for an e of k or more, which may be known modulo L only.
    fn reduced(&self, exponent: &Natural, order: &Natural) -> Natural {
        let k = Natural::from(u64::from(self.multiplicity));
        chores::add(&chores::rem(&chores::sub(exponent, &k), order), &k)
    }
}

impl Facts<'static> {
    /// The facts of `value` with its factors `(base, multiplicity)`: each base at least 2, each multiplicity at least
    /// 1, pairwise coprime, product `value`. The bases need not be prime.
    ///
    /// Errors: `wrong_factors`, which says what does not hold; `interrupted`.
    pub(crate) fn with_factors(value: Natural, factors: &[(Natural, u32)], means: Means<'_>) -> Result<Self, Error> {
        let mut facts = Facts::new(value);
        let one = Natural::from(1u64);
        let mut product = one.clone();
        for (base, multiplicity) in factors {
            if !(means.go_on)() {
                return Err(Error::Interrupted);
            }
            if base.bits() < 2 {
                return Err(Error::WrongFactors(format!("the factor {base} is below 2")));
            }
            if *multiplicity == 0 {
                return Err(Error::WrongFactors(format!("the factor {base} has multiplicity 0")));
            }
            // base^multiplicity has more than (bits - 1) * multiplicity bits: refuse before computing it.
            if (base.bits() - 1).saturating_mul(u64::from(*multiplicity)) >= facts.bits() {
                return Err(Error::WrongFactors(format!("{base}^{multiplicity} is larger than the modulus")));
            }
            let power = chores::pow(base, *multiplicity);
            let inverse = if product.is_one() {
                Natural::default()
            } else {
                match euclid::inverse(&product, &power, means)? {
                    Some(inverse) => inverse,
                    None => {
                        let shared = euclid::gcd(&product, base, means)?;
                        let why = format!("{base} shares the divisor {shared} with another factor");
                        return Err(Error::WrongFactors(why));
                    }
                }
            };
            let longer = chores::mul(&product, &power);
            facts.factors.push(Factor {
                base: base.clone(),
                multiplicity: *multiplicity,
                power: Facts::new(power),
                previous: core::mem::replace(&mut product, longer),
                inverse_of_previous: inverse,
                group_order: OnceLock::new(),
            });
        }
        if product != *facts.value {
            return Err(Error::WrongFactors("their product is not the modulus".into()));
        }
        Ok(facts)
    }
}

impl Facts<'_> {
    /// Garner's recombination: the residue modulo m from one canonical residue per factor, in the order of
    /// [`Facts::factors`]. [menezes1996handbook, 14.71]
    ///
    /// Error: `fault` if there is not one residue for each factor, of which there is at least one.
    pub(crate) fn recombine(&self, residues: &[Natural]) -> Result<Natural, Error> {
        if self.factors.is_empty() {
            return Err(Error::Fault("residues modulo factors that the modulus does not have"));
        }
        let mut result = Natural::default();
        for (factor, residue) in pairs(&self.factors, residues)? {
            let modulus = factor.power.value();
            if factor.previous.is_one() {
                result = residue.clone();
                continue;
            }
            // result + previous * t with t = (residue - result) / previous modulo this factor.
            let known = chores::rem(&result, modulus);
            let difference = if *residue >= known {
                chores::sub(residue, &known)
            } else {
                chores::sub(&chores::add(residue, modulus), &known)
            };
            let t = chores::rem(&chores::mul(&difference, &factor.inverse_of_previous), modulus);
            result = chores::add(&result, &chores::mul(&factor.previous, &t));
        }
        Ok(result)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/modulus/factored.rs"]
mod tests;
