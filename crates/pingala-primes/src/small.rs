//! Small primes, and the residues of a long number modulo all of them.

use std::sync::OnceLock;

/// Bits of the largest prime that is kept.
pub(crate) const MAX_BITS: u32 = 24;

/// Primes below 2^`FIRST_BITS` make the first level, and each further level has those of one more bit.
const FIRST_BITS: u32 = 10;

const LEVELS: usize = (MAX_BITS - FIRST_BITS) as usize + 1;

/// Groups of primes whose residues are computed side by side, because each waits for the product before.
const TOGETHER: usize = 4;

/// Words of a sieve of odd numbers that is marked at once.
const SEGMENT: usize = 1 << 15;

/// A level of odd primes, in order.
#[derive(Clone, Copy, Debug)]
struct Level {
    primes: &'static [u32],
    /// Every prime has this many bits at most.
    bits: u32,
}

/// Returns the primes of a level, which the first caller computes.
fn level(index: usize) -> Level {
    static KEPT: [OnceLock<Vec<u32>>; LEVELS] = [const { OnceLock::new() }; LEVELS];
    let bits = FIRST_BITS + index as u32;
    // Made before it is put there: a fork meanwhile leaves the child an empty place, which it does not wait for.
    let primes = KEPT[index].get().unwrap_or_else(|| {
        let made = if index == 0 { first_level() } else { segmented(1 << (bits - 1), 1 << bits) };
        KEPT[index].get_or_init(|| made)
    });
    Level { primes, bits }
}

/// The odd primes below 2^`FIRST_BITS`, by trial division.
fn first_level() -> Vec<u32> {
    (3..1 << FIRST_BITS).step_by(2).filter(|&n: &u32| (3..).take_while(|d| d * d <= n).all(|d| n % d != 0)).collect()
}

/// The primes from `from` to `to` - 1, both even, by the sieve of Eratosthenes in segments of odd numbers.
fn segmented(from: u32, to: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut start = from;
    while start < to {
        let count = SEGMENT.min(((to - start) / 2) as usize);
        // Place k is the number start + 1 + 2k.
        let mut composite = vec![false; count];
        let end = u64::from(start) + 2 * count as u64;
        for p in odd_primes(1 << MAX_BITS.div_ceil(2)).map(u64::from).take_while(|p| p * p <= end) {
            let first = u64::from(start) + 1;
            let mut multiple = first.div_ceil(p).max(p) * p;
            if multiple % 2 == 0 {
                multiple += p;
            }
            let mut at = ((multiple - first) / 2) as usize;
            while at < count {
                composite[at] = true;
                at += p as usize;
            }
        }
        found.extend((0..count).filter(|&at| !composite[at]).map(|at| start + 1 + 2 * at as u32));
        start += 2 * count as u32;
    }
    found
}

/// The levels of odd primes below `bound`, 2^`MAX_BITS` at most; the last one is cut.
fn levels(bound: u32) -> impl Iterator<Item = Level> {
    debug_assert!(bound <= 1 << MAX_BITS);
    let above = move |index: usize| index == 0 || bound > 1 << (FIRST_BITS + index as u32 - 1);
    (0..LEVELS).take_while(move |&index| above(index)).map(level).map(move |Level { primes, bits }| {
        let count = if bound >= 1 << bits { primes.len() } else { primes.partition_point(|&p| p < bound) };
        Level { primes: &primes[..count], bits }
    })
}

/// The odd primes below `bound`, in order.
pub(crate) fn odd_primes(bound: u32) -> impl Iterator<Item = u32> {
    levels(bound.min(1 << MAX_BITS)).flat_map(|level| level.primes.iter().copied())
}

#[cfg(test)]
/// The primes below `bound`, in order; 2^24 is the largest bound.
pub(crate) fn primes_below(bound: u32) -> Vec<u32> {
    (bound > 2).then_some(2).into_iter().chain(odd_primes(bound)).collect()
}

/// The inverse of an odd word modulo 2^64, by Newton's iteration: 5 bits are right at first, and each step doubles them.
#[inline(always)]
pub(crate) const fn inverse_mod_word(q: u64) -> u64 {
    let mut inverse = q.wrapping_mul(3) ^ 2;
    let mut step = 0;
    while step < 4 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(q.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// a b / 2^64 mod q, below q, for a b < 2^64 q; `inverse` = q^-1 mod 2^64.
#[inline(always)]
pub(crate) const fn mont_mul(a: u64, b: u64, q: u64, inverse: u64) -> u64 {
    let product = a as u128 * b as u128;
    let quotient = (product as u64).wrapping_mul(inverse);
    let reduced = ((quotient as u128 * q as u128) >> 64) as u64;
    let (difference, under) = ((product >> 64) as u64).overflowing_sub(reduced);
    if under { difference.wrapping_add(q) } else { difference }
}

/// The products of primes in groups that share a word, some groups side by side.
#[derive(Clone, Copy)]
struct Groups {
    q: [u64; TOGETHER],
    inverse: [u64; TOGETHER],
}

impl Groups {
    /// The groups of `size` primes; missing ones are 1.
    #[inline(always)]
    fn new(primes: &[u32], size: usize) -> Self {
        let mut q = [1; TOGETHER];
        for (q, group) in q.iter_mut().zip(primes.chunks(size)) {
            *q = group.iter().map(|&p| u64::from(p)).product();
        }
        Self { q, inverse: q.map(inverse_mod_word) }
    }

    /// -n / 2^(64 k) modulo each product, from 0 to q, for n of k limbs: an exact division by each limb's quotient, as in
    /// [menezes1996handbook, 14.32]. With c the sum so far, limb - c = quotient q - borrow 2^64 - high 2^64.
    #[inline(always)]
    fn scaled(&self, n: &[u64]) -> [u64; TOGETHER] {
        let mut c = [0; TOGETHER];
        for &limb in n {
            for ((c, &q), &inverse) in c.iter_mut().zip(&self.q).zip(&self.inverse) {
                let (difference, borrow) = limb.overflowing_sub(*c);
                let quotient = difference.wrapping_mul(inverse);
                *c = ((u128::from(quotient) * u128::from(q)) >> 64) as u64 + u64::from(borrow);
            }
        }
        c
    }

    /// 2^(64 (k + 1)) modulo each product.
    #[inline(always)]
    fn scale(&self, k: usize) -> [u64; TOGETHER] {
        // 2^64 and 2^65 modulo q: 1 and 2 in Montgomery form.
        let mut power = self.q.map(|q| if q == 1 { 0 } else { u64::MAX % q + 1 });
        let exponent = 64 * k as u64;
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            for ((x, &q), &inverse) in power.iter_mut().zip(&self.q).zip(&self.inverse) {
                *x = mont_mul(*x, *x, q, inverse);
                if exponent >> bit & 1 == 1 {
                    // 2x mod q without overflow.
                    *x = if *x >= q - *x { x.wrapping_sub(q - *x) } else { *x + *x };
                }
            }
        }
        power
    }
}

/// Calls `each` with the primes of a run of groups and with what `of` gives for each group, until it returns false.
#[inline(always)]
fn groups(bound: u32, of: impl Fn(&Groups) -> [u64; TOGETHER], mut each: impl FnMut(&[u32], u64) -> bool) {
    for Level { primes, bits } in levels(bound) {
        let size = (64 / bits) as usize;
        for together in primes.chunks(size * TOGETHER) {
            let values = of(&Groups::new(together, size));
            for (group, value) in together.chunks(size).zip(values) {
                if !each(group, value) {
                    return;
                }
            }
        }
    }
}

/// The residues of n modulo the odd primes below `bound`, in their order: 2^24 is the largest bound. A word holds the product of some
/// primes, so that each limb of n costs two products for all of them.
#[cfg(test)]
pub(crate) fn residues(n: &[u64], bound: u32) -> Vec<u32> {
    residues_while(n, bound, &|| true).unwrap_or_default()
}

/// Steps of a limb and a group of primes between two questions whether to go on: a few milliseconds.
const STEPS_PER_POLL: usize = 1 << 21;

/// The steps of a group besides those of the limbs, about: its products, its scale, a remainder for each prime.
const STEPS_OF_GROUP: usize = 64;

/// Asks whether to go on once in [`STEPS_PER_POLL`] steps, each group of primes taking one for each limb.
struct Poll<'a> {
    go_on: &'a dyn Fn() -> bool,
    steps: usize,
    left: usize,
}

impl<'a> Poll<'a> {
    fn new(limbs: usize, go_on: &'a dyn Fn() -> bool) -> Self {
        Self { go_on, steps: limbs.saturating_add(STEPS_OF_GROUP), left: STEPS_PER_POLL }
    }

    /// Counts a group; false if the work may not go on.
    #[inline(always)]
    fn counts_group(&mut self) -> bool {
        match self.left.checked_sub(self.steps) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = STEPS_PER_POLL;
                (self.go_on)()
            }
        }
    }
}

/// The [`residues`]; none if it may not go on, for which it asks every few milliseconds.
pub(crate) fn residues_while(n: &[u64], bound: u32, go_on: &dyn Fn() -> bool) -> Option<Vec<u32>> {
    let (mut all, mut poll, mut goes_on) = (Vec::new(), Poll::new(n.len(), go_on), true);
    let residue = |groups: &Groups| {
        let (c, scale) = (groups.scaled(n), groups.scale(n.len()));
        core::array::from_fn(|at| {
            let q = groups.q[at];
            let negative = mont_mul(if c[at] == q { 0 } else { c[at] }, scale[at], q, groups.inverse[at]);
            if negative == 0 { 0 } else { q - negative }
        })
    };
    groups(bound, residue, |primes, residue| {
        all.extend(primes.iter().map(|&p| (residue % u64::from(p)) as u32));
        goes_on = poll.counts_group();
        goes_on
    });
    goes_on.then_some(all)
}

/// The least odd prime below `bound` that divides n; none if there is none. n = 0 has the factor 3.
#[cfg(test)]
pub(crate) fn odd_factor(n: &[u64], bound: u32) -> Option<u32> {
    odd_factor_while(n, bound, &|| true).flatten()
}

/// The least odd prime below `bound` that divides n, if there is one; none if it may not go on, for which it asks every few milliseconds.
/// n = 0 has the factor 3.
pub(crate) fn odd_factor_while(n: &[u64], bound: u32, go_on: &dyn Fn() -> bool) -> Option<Option<u32>> {
    let (mut found, mut poll, mut goes_on) = (None, Poll::new(n.len(), go_on), true);
    // A power of two makes no difference to whether an odd prime divides.
    groups(
        bound,
        |groups| groups.scaled(n),
        |primes, scaled| {
            found = primes.iter().copied().find(|&p| scaled % u64::from(p) == 0);
            goes_on = found.is_some() || poll.counts_group();
            found.is_none() && goes_on
        },
    );
    goes_on.then_some(found)
}

#[cfg(test)]
#[path = "../tests/inside/small.rs"]
mod tests;
