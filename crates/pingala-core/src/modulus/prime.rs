//! Whether a number is prime.

use crate::error::Error;
use crate::natural::{Natural, chores, random};

/// Rounds with random bases. At most a quarter of the bases of any composite are strong liars [menezes1996handbook, 4.24], and random
/// bases cannot be foreseen, so a composite passes with probability 4^-40 = 2^-80 at most.
const ROUNDS: usize = 40;

/// The primes that are tried by division. A number below 257^2 that none of them divides is prime.
const SMALL: [u8; 54] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
    113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
    241, 251,
];

/// Whether n is prime, by Miller and Rabin's test with the base 2 and then with random bases of the system's generator
/// [menezes1996handbook, 4.24]. A prime always passes. `powers` raises several bases below n to one exponent modulo n.
///
/// Errors: those of `powers`; `fault` if the system has no random numbers.
pub(crate) fn is_prime(
    n: &Natural,
    powers: impl Fn(Vec<Natural>, &Natural) -> Result<Vec<Natural>, Error>,
) -> Result<bool, Error> {
    let small = |p: u8| Natural::from(u64::from(p));
    if n.bits() < 2 {
        return Ok(false);
    }
    if let Some(&p) = SMALL.iter().find(|&&p| chores::rem(n, &small(p)).is_zero()) {
        return Ok(*n == small(p));
    }
    if n.bits() <= 16 {
        return Ok(true);
    }
    // n - 1 = 2^s d
    let last = chores::sub(n, &small(1));
    let s = last.trailing_zeros();
    let mut d = Natural::default();
    d.set_shifted_right(&last, s);
    let passes = |mut x: Natural| {
        let mut squarings = 1;
        while !(x == last || squarings == 1 && x.is_one()) {
            if squarings == s {
                return false;
            }
            x = chores::rem(&chores::mul(&x, &x), n);
            squarings += 1;
        }
        true
    };
    // Almost every composite fails here.
    if !powers(vec![small(2)], &d)?.into_iter().all(passes) {
        return Ok(false);
    }
    // 2 <= base <= n - 2; 64 bits more than n has make the remainder uniform but for 2^-64.
    let bases = chores::sub(n, &small(3));
    let mut drawn = vec![0; n.limbs().len() + 1];
    let draw = |_| {
        random::fill(&mut drawn)?;
        Ok(chores::add(&chores::rem(&Natural::from_limbs(&drawn), &bases), &small(2)))
    };
    let bases = (0..ROUNDS).map(draw).collect::<Result<_, Error>>()?;
    Ok(powers(bases, &d)?.into_iter().all(passes))
}

#[cfg(test)]
#[path = "../../tests/inside/modulus/prime.rs"]
mod tests;
