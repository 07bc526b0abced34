//! Known factors: checked once, so that a wrong factorisation is an error and never a wrong answer.

use super::Facts;
use crate::error::Error;
use crate::natural::{Natural, chores};

/// One coprime part `base^multiplicity` of a modulus, with the facts of that power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    power: Facts,
    /// The inverse of the product of all parts before this one, modulo this one (Garner's constant).
    inverse_of_previous: Natural,
}

impl Factor {
    /// The facts of base^multiplicity.
    pub fn power(&self) -> &Facts {
        &self.power
    }
}

impl Facts {
    /// The facts of `value` with its factors `(base, multiplicity)`: each base at least 2, each multiplicity at least
    /// 1, pairwise coprime, product `value`. The bases need not be prime.
    ///
    /// Error: `wrong_factors`, which says what does not hold.
    pub(crate) fn with_factors(value: Natural, factors: &[(Natural, u32)]) -> Result<Self, Error> {
        let mut facts = Facts::new(value);
        let one = Natural::from(1u64);
        let mut product = one.clone();
        for (base, multiplicity) in factors {
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
                chores::inverse(&chores::rem(&product, &power), &power).ok_or_else(|| {
                    let shared = chores::gcd(&product, base);
                    Error::WrongFactors(format!("{base} shares the divisor {shared} with another factor"))
                })?
            };
            product = chores::mul(&product, &power);
            facts.factors.push(Factor { power: Facts::new(power), inverse_of_previous: inverse });
        }
        if product != facts.value {
            return Err(Error::WrongFactors("their product is not the modulus".into()));
        }
        Ok(facts)
    }

    /// Garner's recombination: the residue modulo m from one canonical residue per factor, in the order of
    /// [`Facts::factors`]. [menezes1996handbook, 14.71]
    pub(crate) fn recombine(&self, residues: &[Natural]) -> Natural {
        debug_assert_eq!(residues.len(), self.factors.len());
        let mut result = Natural::default();
        let mut product = Natural::from(1u64);
        for (factor, residue) in self.factors.iter().zip(residues) {
            let modulus = factor.power.value();
            // result + product * t with t = (residue - result) / product modulo this factor.
            let known = chores::rem(&result, modulus);
            let difference = if *residue >= known {
                chores::sub(residue, &known)
            } else {
                chores::sub(&chores::add(residue, modulus), &known)
            };
            let t = if product.is_one() {
                difference
            } else {
                chores::rem(&chores::mul(&difference, &factor.inverse_of_previous), modulus)
            };
            result = chores::add(&result, &chores::mul(&product, &t));
            product = chores::mul(&product, modulus);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(value: u64) -> Natural {
        Natural::from(value)
    }

    #[test]
    fn garner_is_exact_for_every_residue() {
        let facts = Facts::with_factors(n(2 * 2 * 9 * 5), &[(n(3), 2), (n(2), 2), (n(5), 1)]).unwrap();
        for x in 0..180u64 {
            assert_eq!(facts.recombine(&[n(x % 9), n(x % 4), n(x % 5)]), n(x));
        }
    }

    #[test]
    fn wrong_factors_are_refused() {
        for factors in [
            vec![(n(3), 1), (n(7), 1)],
            vec![(n(3), 1), (n(15), 1)],
            vec![(n(45), 2)],
            vec![(n(1), 1), (n(45), 1)],
            vec![(n(45), 0)],
            vec![(n(0), 1)],
            vec![(n(3), u32::MAX), (n(5), 1)],
        ] {
            assert_eq!(Facts::with_factors(n(45), &factors).unwrap_err().code(), "wrong_factors", "{factors:?}");
        }
        assert_eq!(Facts::with_factors(n(45), &[(n(3), 2), (n(5), 1)]).unwrap().factors().len(), 2);
        assert_eq!(Facts::with_factors(n(45), &[(n(9), 1), (n(5), 1)]).unwrap().factors().len(), 2);
    }
}
