//! Whether a key is what it claims to be: subgroups and primality.

use crate::key::DsaKey;
use crate::verdict::coded;
use crate::{PublicKey, RsaKey};
use pingala_core::{Error, Integer, Natural, Options, perfect_power};

/// How deep a key is looked into. Each depth includes those before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Depth {
    /// The ranges, which the constructor has checked already: nothing more.
    Ranges,
    /// DSA: q divides p - 1, and g and y have order q. About two verifications.
    #[default]
    Subgroup,
    /// p and q of DSA are prime; n of RSA is composite, no power, and without a prime factor below 752 (NIST SP 800-89). Miller-Rabin with 40
    /// bases: a composite passes with probability 2^-80 at most. Tens of milliseconds at 2048 bits.
    Primes,
}

coded! {
    /// What is wrong with a key.
    Defect {
        /// q does not divide p - 1.
        OrderDoesNotDivide "order_does_not_divide" "q does not divide p - 1";
        /// g^q is not 1 modulo p.
        GeneratorNotInSubgroup "generator_not_in_subgroup" "g^q is not 1 modulo p";
        /// y^q is not 1 modulo p.
        PublicValueNotInSubgroup "public_value_not_in_subgroup" "y^q is not 1 modulo p";
        /// p is not prime.
        FieldNotPrime "field_not_prime" "p is not prime";
        /// q is not prime.
        OrderNotPrime "order_not_prime" "q is not prime";
        /// n of RSA is prime.
        ModulusPrime "modulus_prime" "n is prime";
        /// n of RSA has a small prime factor.
        SmallFactor "small_factor" "n has a prime factor below 752";
        /// n of RSA is a power of a smaller number, such as p^2.
        ModulusPower "modulus_power" "n is a power of a smaller number";
        /// p is not the first prime that the seed leads to, or not with this counter.
        FieldNotFromSeed "field_not_from_seed" "p does not come from the seed and the counter";
        /// q does not follow from the seed, or is no prime.
        OrderNotFromSeed "order_not_from_seed" "q does not come from the seed";
        /// g does not follow from the seed and the index.
        GeneratorNotFromSeed "generator_not_from_seed" "g does not come from the seed and the index";
    }
}

impl PublicKey {
    /// What is wrong with the key, as far as this depth shows; empty for a sound key. Verifying does not do this: do it once for each
    /// key that is not trusted.
    pub fn validate(&self, depth: Depth) -> Result<Vec<Defect>, Error> {
        self.validate_with(depth, &Options::default())
    }

    /// Validates with options, of which threads, kernel and watch apply. The primality of the longest keys takes seconds. Error:
    /// `interrupted`.
    pub fn validate_with(&self, depth: Depth, options: &Options<'_>) -> Result<Vec<Defect>, Error> {
        let options = &options.with_plan(None);
        match self {
            PublicKey::Dsa(key) => of_dsa(key, depth, options),
            PublicKey::Rsa(key) => of_rsa(key, depth, options),
        }
    }
}

fn of_dsa(key: &DsaKey, depth: Depth, options: &Options<'_>) -> Result<Vec<Defect>, Error> {
    let mut defects = Vec::new();
    if depth >= Depth::Subgroup {
        let one = Natural::from(1u64);
        let q = Integer::from(key.q().clone());
        // p = 1 modulo q.
        if key.shared.q.mul(&key.p().clone().into(), &1u64.into()) != one {
            defects.push(Defect::OrderDoesNotDivide);
        }
        let powers = key.shared.p.pow_base_list(&key.shared.bases, &q, options)?;
        let both = [Defect::GeneratorNotInSubgroup, Defect::PublicValueNotInSubgroup];
        for (power, defect) in powers.into_iter().zip(both) {
            if power? != one {
                defects.push(defect);
            }
        }
    }
    if depth >= Depth::Primes {
        for (number, defect) in [(&key.shared.p, Defect::FieldNotPrime), (&key.shared.q, Defect::OrderNotPrime)] {
            if !number.is_prime(options)? {
                defects.push(defect);
            }
        }
    }
    Ok(defects)
}

fn of_rsa(key: &RsaKey, depth: Depth, options: &Options<'_>) -> Result<Vec<Defect>, Error> {
    let mut defects = Vec::new();
    if depth >= Depth::Primes {
        if small_primes().any(|prime| key.n() % prime == 0) {
            defects.push(Defect::SmallFactor);
        }
        if key.shared.n.is_prime(options)? {
            defects.push(Defect::ModulusPrime);
        } else if perfect_power(key.n(), options)?.is_some() {
            defects.push(Defect::ModulusPower);
        }
    }
    Ok(defects)
}

/// The odd primes below 752.
pub(crate) fn small_primes() -> impl Iterator<Item = u64> {
    (3..752u64).step_by(2).filter(|n| (3..*n).step_by(2).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d)))
}
