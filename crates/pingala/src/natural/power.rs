//! Whether a number is a power of a smaller one.

use super::{Natural, chores};

/// A number that no prime below this one divides has powers with small exponents only.
const LEAST: u64 = 752;

/// Primes that a number has to pass for each exponent before its root is computed.
const SIEVES: usize = 8;

impl Natural {
    /// The smallest b and the largest k >= 2 with b^k equal to this number; none if there are none, and for 0 and 1.
    ///
    /// Exact. For each prime exponent a number that is no power nearly always fails to be a residue of it modulo a small prime
    /// [cohen1993course, 1.7]; only otherwise the root is computed and raised again. Leaks: everything, by its timing.
    ///
    /// ```
    /// use pingala::Natural;
    /// assert_eq!(Natural::from(3u64.pow(40)).perfect_power(), Some((3u64.into(), 40)));
    /// assert_eq!(Natural::from(3u64.pow(39) * 2).perfect_power(), None);
    /// ```
    pub fn perfect_power(&self) -> Option<(Natural, u32)> {
        if self.bits() < 3 {
            return None;
        }
        // The exponent divides that of every prime factor.
        let small =
            primes(2).take_while(|&p| p < LEAST).map(|p| (p, self.multiplicity(p))).find(|&(_, times)| times > 0);
        let most = match small {
            Some((_, times)) => times,
            None => (self.bits() - 1) / u64::from(LEAST.ilog2()),
        };
        let divides = |&k: &u64| small.is_none_or(|(_, times)| times.is_multiple_of(k));
        let found = primes(2).take_while(|&k| k <= most).filter(divides).find_map(|k| Some((self.root(k)?, k as u32)));
        found.map(|(root, k)| match root.perfect_power() {
            Some((base, more)) => (base, k * more),
            None => (root, k),
        })
    }

    /// How often a prime divides this number, which is not 0.
    fn multiplicity(&self, p: u64) -> u64 {
        if p == 2 {
            return self.trailing_zeros();
        }
        if self.rest(p) != 0 {
            return 0;
        }
        let (p, mut number, mut times) = (Natural::from(p), self.clone(), 0);
        loop {
            let (quotient, rest) = chores::div_rem(&number, &p);
            if !rest.is_zero() {
                return times;
            }
            (number, times) = (quotient, times + 1);
        }
    }

    /// The remainder modulo a word.
    fn rest(&self, by: u64) -> u64 {
        let step = |rest, &limb| ((u128::from(rest) << 64 | u128::from(limb)) % u128::from(by)) as u64;
        self.limbs().iter().rev().fold(0, step)
    }

    /// The root of this order, a prime, if it is a whole number.
    fn root(&self, k: u64) -> Option<Natural> {
        // Modulo a prime r = 1 mod k only one residue in k is a power.
        let sieves = (1..).map(|j| 2 * j * k + 1).filter(|&r| is_prime(r)).take(SIEVES);
        let is_power = |rest: u64, r: u64| rest == 0 || power(rest, (r - 1) / k, r) == 1;
        if !sieves.into_iter().all(|r| is_power(self.rest(r), r)) {
            return None;
        }
        let root = chores::root(self, k as usize);
        (chores::pow(&root, k as u32) == *self).then_some(root)
    }
}

/// The primes from `first` on.
fn primes(first: u64) -> impl Iterator<Item = u64> {
    (first..).filter(|&n| is_prime(n))
}

/// By trial division: numbers of some 20 bits.
fn is_prime(n: u64) -> bool {
    n == 2 || n > 2 && n % 2 == 1 && (3..).step_by(2).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    let mul = |a, b| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
    let bits = (0..u64::BITS - exponent.leading_zeros()).rev();
    bits.fold(1, |power, bit| if exponent >> bit & 1 == 1 { mul(mul(power, power), base) } else { mul(power, power) })
}

#[cfg(test)]
#[path = "../../tests/inside/natural/power.rs"]
mod tests;
