//! The strong test to the base 2 of many numbers, in lanes.

use crate::miller_rabin::{at, is_strong_probable_prime};
use pingala_core::{Error, Integer, Modulus, Natural, Options, pairs, pow_two_list};

/// Whether each n is a prime or a strong pseudoprime to the base 2. Each n is odd and at least 3.
///
/// With n - 1 = 2^s d, d odd, n passes if 2^d = 1 or 2^(2^r d) = -1 for some r < s [menezes1996handbook, 4.20]. All powers have the
/// exponent (n - 1) / 2, so that those of equally long n share lanes. Let y be that power. A number that passes has y = (2/n), because a
/// strong pseudoprime is an Euler pseudoprime \[pomerance1980pseudoprimes\]. So:
///
/// 1. y is neither 1 nor -1: n fails.
/// 2. y = -1: n passes, with r = s - 1.
/// 3. y = 1 and n = 3 (mod 4): n passes, as d = (n - 1) / 2.
/// 4. y = 1 and n = 5 (mod 8): n fails, as (2/n) = -1.
/// 5. y = 1 and n = 1 (mod 8): one power of n alone decides. That is a quarter of the primes and hardly any composite.
///
/// Errors: those of [`pow_two_list`]; `too_long` with the index of a number above the cap.
pub(crate) fn strong_base_two(ns: &[Natural], options: &Options<'_>) -> Result<Vec<bool>, Error> {
    let halves: Vec<Natural> = ns.iter().map(|n| n >> 1).collect();
    let powers = pow_two_list(&halves, ns, options)?;
    let mut passed = Vec::with_capacity(ns.len());
    for (index, (n, power)) in pairs(ns, powers)?.enumerate() {
        let y = power.map_err(at(index))?;
        passed.push(if Some(&y) == n.checked_sub(&Natural::from(1u64)).as_ref() {
            true
        } else if !y.is_one() {
            false
        } else {
            match n.limbs()[0] % 8 {
                3 | 7 => true,
                5 => false,
                _ => {
                    let modulus = Modulus::with_limits(n.clone(), options.limits()).map_err(at(index))?;
                    is_strong_probable_prime(&modulus, &Integer::from(2u64), options)?
                }
            }
        });
    }
    Ok(passed)
}
