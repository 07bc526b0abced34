//! Trial division by many primes without a branch on the number, by word products.

use crate::small::{inverse_mod_word, odd_primes};
use crate::test::go_on;
use pingala_core::{Error, Watch, release_secret};

/// Groups that are divided by side by side, so that the processor overlaps their products; a bit is released after each.
const SIDE_BY_SIDE: usize = 8;

/// The limbs of a number from which on each step of a division asks the watch: it takes longer than the question.
const LONG_LIMBS: usize = 1 << 10;

/// A product of odd primes below 2^64, with what divides by it.
#[derive(Clone, Copy, Default)]
struct Group {
    product: u64,
    /// product^-1 modulo 2^64.
    inverse: u64,
    first: u32,
    n_primes: u32,
}

/// An odd prime: q divides x if x q^-1 modulo 2^64 is at most floor((2^64 - 1) / q).
struct Divisor {
    inverse: u64,
    greatest: u64,
}

/// Odd primes to divide by.
pub(crate) struct Divisors {
    groups: Vec<[Group; SIDE_BY_SIDE]>,
    primes: Vec<Divisor>,
}

impl Divisors {
    /// The odd primes below `limit` that are `wanted`.
    pub(crate) fn below(limit: u32, wanted: impl Fn(u64) -> bool) -> Self {
        let (mut primes, mut groups) = (Vec::new(), Vec::new());
        let mut group = Group { product: 1, ..Group::default() };
        for q in odd_primes(limit).map(u64::from).filter(|&q| wanted(q)) {
            match group.product.checked_mul(q) {
                Some(product) => group.product = product,
                None => {
                    groups.push(group);
                    group = Group { product: q, first: primes.len() as u32, ..Group::default() };
                }
            }
            group.n_primes += 1;
            primes.push(Divisor { inverse: inverse_mod_word(q), greatest: u64::MAX / q });
        }
        groups.push(group);
        groups.iter_mut().for_each(|group| group.inverse = inverse_mod_word(group.product));
        let neutral = Group { product: 1, inverse: 1, ..Group::default() };
        let groups = groups.chunks(SIDE_BY_SIDE).map(|chunk| {
            let mut side_by_side = [neutral; SIDE_BY_SIDE];
            side_by_side[..chunk.len()].copy_from_slice(chunk);
            side_by_side
        });
        Self { groups: groups.collect(), primes }
    }

    /// Whether one of the primes divides one of the numbers, which are given by their limbs. Error: `interrupted`, for long numbers.
    ///
    /// Leaks: lengths; among which primes the first divisor is.
    pub(crate) fn divide_any(&self, numbers: &[&[u64]], watch: Option<&dyn Watch>) -> Result<bool, Error> {
        let is_long = numbers.iter().any(|number| number.len() >= LONG_LIMBS);
        for groups in &self.groups {
            if is_long {
                go_on(watch)?;
            }
            let divided = numbers.iter().fold(0, |all, number| all | self.divided(groups, number));
            if release_secret(divided) != 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Not 0 exactly if a prime of one of the groups divides the number.
    ///
    /// For each group g a remainder r, at most g: from r = 0, r <- (r - limb) / 2^64 modulo g for each limb from the lowest on. It
    /// computes q = (limb - r) / g modulo 2^64, and the high half of q g, plus the borrow, is the next r. In the end r is the number times
    /// a unit.
    fn divided(&self, groups: &[Group; SIDE_BY_SIDE], number: &[u64]) -> u64 {
        let mut remainders = [0u64; SIDE_BY_SIDE];
        for &limb in number {
            for (r, group) in remainders.iter_mut().zip(groups) {
                let (difference, borrow) = limb.overflowing_sub(*r);
                let quotient = difference.wrapping_mul(group.inverse);
                *r = ((u128::from(quotient) * u128::from(group.product)) >> 64) as u64 + u64::from(borrow);
            }
        }
        remainders.iter().zip(groups).fold(0, |all, (r, group)| {
            let primes = &self.primes[group.first as usize..][..group.n_primes as usize];
            primes.iter().fold(all, |all, q| {
                // The borrow of greatest - x, without a comparison that might become a branch.
                let (_, above) = q.greatest.overflowing_sub(r.wrapping_mul(q.inverse));
                all | u64::from(!above)
            })
        })
    }
}

/// The greatest common divisor of an odd e and (number - 1): 1 exactly if the result is 0. Stein's algorithm on words, all steps.
///
/// Leaks: e and the length of the number.
pub(crate) fn shares_divisor_less_1(number: &[u64], e: u64) -> u64 {
    let (inverse, mut borrow) = (inverse_mod_word(e), true);
    let mut a = 0u64;
    for &limb in number {
        let less;
        (less, borrow) = limb.overflowing_sub(u64::from(borrow));
        let (difference, carry) = less.overflowing_sub(a);
        let quotient = difference.wrapping_mul(inverse);
        a = ((u128::from(quotient) * u128::from(e)) >> 64) as u64 + u64::from(carry);
    }
    let mut b = e;
    // a and b have at most 128 bits together, and each step removes one of them, until a is 0 and b the divisor.
    for _ in 0..128 {
        let odd = core::hint::black_box(a & 1).wrapping_neg();
        let (difference, borrow) = a.overflowing_sub(b);
        let less = core::hint::black_box(u64::from(borrow)).wrapping_neg();
        let absolute = (difference ^ less).wrapping_sub(less);
        b ^= (b ^ a) & less & odd;
        a ^= (a ^ absolute) & odd;
        a >>= 1;
    }
    b ^ 1
}
