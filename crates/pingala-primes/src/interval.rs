//! The primes of an interval of words: the sieve of Eratosthenes over odd numbers, in segments that fit a cache.

use crate::small::odd_primes;
use crate::words::are_prime;

/// Fewest and most odd numbers of a segment. Each takes a byte, so that the shortest fits a first-level cache.
const SEGMENTS: [u32; 2] = [1 << 15, 1 << 18];

/// Survivors that are tested at once.
const TESTED_AT_ONCE: usize = 1 << 10;

/// Odd numbers whose test takes as long as a prime of a sieve: how much more than the interval's own length a sieve may have, so that it
/// proves each of its survivors.
const PLACES_OF_TEST: u64 = 8;

/// Odd numbers start, start + 2, ... up to a last one below 2^64, of which the first are done.
#[derive(Debug)]
pub(crate) struct Interval {
    /// The first number that is not done.
    start: u64,
    /// How many are left.
    left: u64,
    /// The primes of the sieve, and for those whose squares were reached the next place that each divides, from `start` on.
    primes: Vec<u32>,
    next: Vec<u32>,
    composite: Vec<bool>,
    /// Whether the sieve leaves nothing but primes.
    proves: bool,
}

impl Interval {
    /// The interval of `places` odd numbers from the odd `start` on, 3 at least, to be sieved by primes below `bound`, or by all that it needs
    /// if that is cheaper than tests. None of the numbers is above 2^64.
    pub(crate) fn new(start: u64, places: u64, bound: u32) -> Self {
        let last = start + 2 * places.saturating_sub(1);
        // Beyond its root no prime is needed, and up to there all together prove.
        let root = last.isqrt() + 1;
        let all = root <= u64::from(bound).max(places.saturating_mul(PLACES_OF_TEST)) && root < 1 << 24;
        let bound = if all { root as u32 } else { bound };
        let count = bound.next_power_of_two().clamp(SEGMENTS[0], SEGMENTS[1]);
        Self {
            start,
            left: places,
            primes: odd_primes(bound).collect(),
            next: Vec::new(),
            composite: vec![false; u64::from(count).min(places) as usize],
            proves: all,
        }
    }

    /// Whether there is another segment.
    pub(crate) fn has_more(&self) -> bool {
        self.left > 0
    }

    /// The odd numbers of a segment, at most.
    pub(crate) fn segment_places(&self) -> usize {
        self.composite.len()
    }

    /// How many segments are left.
    pub(crate) fn segments(&self) -> u64 {
        self.left.div_ceil((self.composite.len() as u64).max(1))
    }

    /// Appends the primes of the next segment, proved.
    pub(crate) fn segment(&mut self, found: &mut Vec<u64>) {
        let count = self.left.min(self.composite.len() as u64) as usize;
        let (start, last) = (self.start, self.start + 2 * (count as u64 - 1));
        let composite = &mut self.composite[..count];
        composite.fill(false);
        while let Some(&p) = self.primes.get(self.next.len())
            && u64::from(p) * u64::from(p) <= last
        {
            self.next.push(first_place(start, p));
        }
        for (&p, next) in self.primes.iter().zip(&mut self.next) {
            let mut at = *next as usize;
            while at < count {
                composite[at] = true;
                at += p as usize;
            }
            *next = (at - count) as u32;
        }
        let survivors = composite.iter().zip(0u64..).filter(|(composite, _)| !**composite).map(|(_, k)| start + 2 * k);
        if self.proves {
            found.extend(survivors);
        } else {
            append_primes(survivors, found);
        }
        self.left -= count as u64;
        // Behind the last segment it is of no use, and might not fit.
        self.start = last.wrapping_add(2);
    }
}

/// The place of the first odd multiple of p that is neither below `start` nor below p^2, counted from `start`. It is at most p if p^2 is not
/// above `start`, and otherwise below the segment's end.
fn first_place(start: u64, p: u32) -> u32 {
    let p = u64::from(p);
    let distance = match (p * p).checked_sub(start) {
        Some(distance) => distance,
        None => match start % p {
            0 => 0,
            // An odd multiple is an even distance away from an odd start.
            r if (p - r).is_multiple_of(2) => p - r,
            r => 2 * p - r,
        },
    };
    (distance / 2) as u32
}

/// Appends those of the odd numbers that are prime.
fn append_primes(mut numbers: impl Iterator<Item = u64>, found: &mut Vec<u64>) {
    let mut passed = [false; TESTED_AT_ONCE];
    loop {
        let some: Vec<u64> = numbers.by_ref().take(TESTED_AT_ONCE).collect();
        if some.is_empty() {
            return;
        }
        are_prime(&some, &mut passed[..some.len()]);
        found.extend(some.iter().zip(&passed).filter(|(_, passed)| **passed).map(|(&n, _)| n));
    }
}

#[cfg(test)]
#[path = "../tests/inside/interval.rs"]
mod tests;
