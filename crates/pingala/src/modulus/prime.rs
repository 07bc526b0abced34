//! Whether a number is prime.

use crate::error::Error;
use crate::natural::{Natural, chores, random};

/// Rounds with random bases. At most a quarter of the bases lie for a composite [menezes1996handbook, 4.24], whoever
/// built it, and nobody can foresee these: one passes with probability 4^-40 = 2^-80 at most.
const ROUNDS: usize = 40;

/// The primes that are tried by division; what they leave below the square of the next, 257, is prime.
const SMALL: [u8; 54] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
    113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
    241, 251,
];

/// Whether n is prime, by Miller and Rabin with the base 2 and with random bases of the system's generator
/// [menezes1996handbook, 4.24]. A prime is always found prime; `power(base, exponent)` is taken modulo n.
///
/// Errors: those of `power`; `fault` where the system has no random numbers.
pub(crate) fn is_prime(
    n: &Natural,
    power: impl Fn(&Natural, &Natural) -> Result<Natural, Error>,
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
    let last = chores::sub(n, &Natural::from(1u64));
    let s = last.trailing_zeros();
    let mut d = Natural::default();
    d.set_shifted_right(&last, s);
    // 2 <= base <= n - 2; 64 bits more than n has make the remainder uniform but for 2^-64.
    let bases = chores::sub(n, &Natural::from(3u64));
    let mut drawn = vec![0; n.limbs().len() + 1];
    for round in 0..=ROUNDS {
        let base = if round == 0 {
            small(2)
        } else {
            random::fill(&mut drawn)?;
            chores::add(&chores::rem(&Natural::from_limbs(&drawn), &bases), &small(2))
        };
        let mut x = power(&base, &d)?;
        let mut squarings = 1;
        while !(x == last || squarings == 1 && x.is_one()) {
            if squarings == s {
                return Ok(false);
            }
            x = chores::rem(&chores::mul(&x, &x), n);
            squarings += 1;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_prime(n: &Natural) -> bool {
        is_prime(n, |base, exponent| {
            let mut power = Natural::from(1u64);
            for bit in (0..exponent.bits()).rev() {
                power = chores::rem(&chores::mul(&power, &power), n);
                if exponent.bit(bit) {
                    power = chores::rem(&chores::mul(&power, base), n);
                }
            }
            Ok(power)
        })
        .unwrap()
    }

    #[test]
    fn every_number_of_seventeen_bits() {
        const END: usize = 1 << 17;
        let mut composite = vec![false; END];
        for p in 2..END {
            if !composite[p] {
                (p * p..END).step_by(p).for_each(|multiple| composite[multiple] = true);
            }
        }
        // All but the middle, where only time passes.
        for n in (0..1 << 11).chain(65_000..68_000).chain(END - 500..END) {
            assert_eq!(found_prime(&Natural::from(n as u64)), n > 1 && !composite[n], "{n}");
        }
    }

    /// The probability that is documented belongs to this many rounds.
    #[test]
    fn a_prime_passes_forty_random_bases() {
        // 2^61 - 1: each power is -1 or 1, and says so without a squaring, as 2 divides n - 1 once.
        let n = Natural::from((1u64 << 61) - 1);
        let bases = core::cell::RefCell::new(Vec::new());
        let prime = is_prime(&n, |base, _| {
            bases.borrow_mut().push(base.clone());
            Ok(Natural::from(1u64))
        });
        assert!(prime.unwrap());
        let mut bases: Vec<Natural> = bases.into_inner();
        assert_eq!(bases.remove(0), Natural::from(2u64));
        assert_eq!(bases.len(), 40);
        // Drawn, not listed.
        bases.sort_by(|a, b| a.limbs().cmp(b.limbs()));
        bases.dedup();
        assert!(bases.len() >= 39);
    }

    /// Strong pseudoprimes to many small bases, and primes of the same lengths.
    #[test]
    fn composites_that_lie_to_fixed_bases_are_found() {
        for composite in [
            // To the base 2; to the first nine primes; to the first twelve; to the first thirteen.
            "3215031751",
            "3825123056546413051",
            "318665857834031151167461",
            "3317044064679887385961981",
            // Arnault's Carmichael number, strong to every prime base below 307.
            "2887148238050771212671429597130393991977609459279722700926516024197432303799152733116328983144639225941977\
             8033110929656555414116112034245447250059165253263",
        ] {
            let text: String = composite.split_whitespace().collect();
            assert!(!found_prime(&text.parse().unwrap()), "{composite}");
        }
        // The largest prime below 2^64, and two of Mersenne's.
        for prime in
            ["0xffffffffffffffc5".into(), format!("0x7{}", "f".repeat(31)), format!("0x1ff{}", "f".repeat(128))]
        {
            assert!(found_prime(&prime.parse().unwrap()), "{prime}");
        }
    }
}
