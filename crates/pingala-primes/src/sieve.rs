//! Which numbers of an arithmetic progression have a small factor.

use crate::arith::{inverse_word, progression, to_u64};
use crate::small::{MAX_BITS, odd_primes, residues_while};
use pingala_core::Natural;

/// What is sieved for each number n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// n.
    Number,
    /// n and (n - 1) / 2, as for safe primes. Every n is odd.
    NumberAndHalf,
}

/// No place: the prime divides none of the numbers.
const NONE: u64 = u64::MAX;

/// The numbers start + k * step, k = 0, 1, ..., in segments, without those that have a factor below a bound.
#[derive(Clone, Debug)]
pub(crate) struct Sieve {
    start: Natural,
    step: Natural,
    /// Primes, with the next place that each divides, counted from the end of the last segment: place k of n, and of (n - 1) / 2.
    primes: Vec<u32>,
    next: Vec<u64>,
    next_half: Vec<u64>,
    /// The primes that divide the step: all numbers have the same residue modulo one of them.
    of_step: Vec<u32>,
    /// The number of places before the next segment.
    done: u64,
    composite: Vec<bool>,
}

/// Primes between two questions whether to go on.
const PRIMES_PER_POLL: usize = 1 << 16;

/// The longest step whose inverses are taken from a table.
const LONGEST_SHORT_STEP: u64 = 1 << 10;

impl Sieve {
    #[cfg(test)]
    /// Prepares the sieve by the primes below `bound`, 2^24 at most: a product for each limb of the start and some primes together.
    /// The step is above 0.
    pub(crate) fn new(start: &Natural, step: &Natural, bound: u32, form: Form) -> Self {
        let sieve = Self::new_while(start, step, bound, form, &|| true);
        sieve.unwrap_or_else(|| unreachable!("it may always go on"))
    }

    /// Prepares the sieve; none if it may not go on, for which it asks every few milliseconds.
    pub(crate) fn new_while(
        start: &Natural,
        step: &Natural,
        bound: u32,
        form: Form,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let bound = bound.min(1 << MAX_BITS);
        let two = (bound > 2).then_some(2);
        let primes: Vec<u32> = two.into_iter().chain(odd_primes(bound)).collect();
        let of = |n: &Natural| {
            let even = two.map(|_| u32::from(!n.is_even()));
            Some(even.into_iter().chain(residues_while(n.limbs(), bound, go_on)?).collect::<Vec<u32>>())
        };
        let (at_start, small) = (of(start)?, to_u64(step));
        let steps = if small.is_some() { Vec::new() } else { of(step)? };
        // -1 / r modulo a short step, for each r: the inverse of a short step modulo a longer prime needs no Euclid.
        let short = small.filter(|&step| step <= LONGEST_SHORT_STEP).unwrap_or(0);
        let negated: Vec<u64> =
            (0..short).map(|r| inverse_word(r, short).map_or(0, |inverse| short - inverse)).collect();
        let mut sieve = Self {
            start: start.clone(),
            step: step.clone(),
            next: Vec::with_capacity(primes.len()),
            next_half: Vec::new(),
            of_step: Vec::new(),
            primes: Vec::new(),
            done: 0,
            composite: Vec::new(),
        };
        for (index, (&p, &r)) in primes.iter().zip(&at_start).enumerate() {
            if index % PRIMES_PER_POLL == 0 && !go_on() {
                return None;
            }
            let (p, r) = (u64::from(p), u64::from(r));
            // A division for each prime would take as long as all the rest.
            let step = match small {
                Some(step) if step < p => step,
                Some(step) => step % p,
                None => u64::from(steps[index]),
            };
            if step == 0 {
                sieve.of_step.push(p as u32);
            }
            // The first k with start + k step = residue (mod p).
            let first = |residue: u64| {
                let distance = if residue >= r { residue - r } else { residue + p - r };
                match step {
                    _ if distance == 0 => 0,
                    0 => NONE,
                    1 => distance,
                    // Half of what is even, p being odd.
                    2 => (distance + if distance % 2 == 0 { 0 } else { p }) / 2,
                    step if step == negated.len() as u64 => {
                        // 1 + p k is a multiple of the step for this k, and the quotient is the inverse.
                        distance * ((1 + p * negated[(p % step) as usize]) / step) % p
                    }
                    step => inverse_word(step, p).map_or(NONE, |inverse| distance * inverse % p),
                }
            };
            sieve.next.push(first(0));
            if form == Form::NumberAndHalf {
                // An odd p divides (n - 1) / 2 if it divides n - 1; two does if four divides n - 1.
                sieve.next_half.push(if p > 2 { first(1) } else { NONE });
            }
        }
        sieve.primes = primes;
        Some(sieve)
    }

    /// Marks the next `count` numbers: true for those with a factor below the bound, that number itself excepted; for
    /// [`Form::NumberAndHalf`] also those whose (n - 1) / 2 has one, or is even.
    pub(crate) fn segment(&mut self, count: usize) -> &[bool] {
        self.composite.clear();
        self.composite.resize(count, false);
        let fits = self.start.bits() <= u64::from(MAX_BITS) + 1;
        let (small, step) = (to_u64(&self.start).filter(|_| fits), to_u64(&self.step));
        let number = |k: u64| match k {
            0 => small,
            k => small.and_then(|start| start.checked_add(step?.checked_mul(k)?)),
        };
        let (done, composite) = (self.done, &mut self.composite);
        for (nexts, half) in [(&mut self.next, false), (&mut self.next_half, true)] {
            for (&p, next) in self.primes.iter().zip(nexts) {
                if *next >= count as u64 {
                    *next = if *next == NONE { NONE } else { *next - count as u64 };
                    continue;
                }
                let stride = if self.of_step.contains(&p) { 1 } else { p as usize };
                let own = if half { 2 * u64::from(p) + 1 } else { u64::from(p) };
                let mut at = *next as usize;
                while at < count {
                    if small.is_none() || number(done + at as u64) != Some(own) {
                        composite[at] = true;
                    }
                    at += stride;
                }
                *next = (at - count) as u64;
            }
        }
        if !self.next_half.is_empty() && !self.primes.is_empty() {
            self.mark_even_halves(count);
        }
        self.done += count as u64;
        &self.composite
    }

    /// Marks n = 1 (mod 4), whose half is even, but for n = 5.
    fn mark_even_halves(&mut self, count: usize) {
        let low = |n: &Natural| n.limbs().first().copied().unwrap_or(0);
        let (start, step) = (low(&self.start), low(&self.step));
        let five = |k: u64| progression(&self.start, k, &self.step).limbs() == [5];
        for at in 0..count {
            let k = self.done + at as u64;
            if start.wrapping_add(step.wrapping_mul(k)) % 4 == 1 && !(self.start.bits() <= 3 && five(k)) {
                self.composite[at] = true;
            }
        }
    }

    /// The places of the last segment that are left, counted from the start of the progression.
    pub(crate) fn survivors(&self) -> impl Iterator<Item = u64> {
        let first = self.done - self.composite.len() as u64;
        let left = self.composite.iter().enumerate().filter(|(_, composite)| !**composite);
        left.map(move |(at, _)| first + at as u64)
    }

    /// The number at place k.
    pub(crate) fn number(&self, k: u64) -> Natural {
        progression(&self.start, k, &self.step)
    }
}

/// The bound up to which sieving for one prime near 2^bits pays: where twice the bound would save tests that take less time than the
/// residues modulo the further primes. With ln n numbers to a prime, t nanoseconds to a test and c to a residue this is where
/// B ln B = 0.39 t ln(n) / c, and t grows as the power 2.8 of the length.
pub(crate) fn bound_of_search(bits: u64) -> u32 {
    let doublings = (bits.max(64) as f64 / 256.0).log2();
    (11.0 + 3.2 * doublings).exp2().clamp(64.0, f64::from(1 << 22)) as u32
}

/// The bound up to which trial division pays for a number of this length in a list: a test in lanes takes as long as the residues modulo the
/// primes from the bound to twice the bound, divided by the odds that one of them divides.
pub(crate) fn bound_of_trial(bits: u64) -> u32 {
    let doublings = (bits.max(64) as f64 / 256.0).log2();
    (7.6 + 2.2 * doublings).exp2().clamp(54.0, f64::from(MOST_TRIAL)) as u32
}

/// The longest bound of trial division.
const MOST_TRIAL: u32 = 1 << 18;

/// [`bound_of_trial`] for a single number, whose test takes longer than one in lanes: eight times as high, by measurement
/// (docs/records/small-primes.md).
pub(crate) fn bound_of_trial_alone(bits: u64) -> u32 {
    (8 * bound_of_trial(bits)).min(MOST_TRIAL)
}

/// The bound of a sieve where threads share the tests that it saves; the sieve itself is the work of one.
pub(crate) fn bound_for_threads(bound: u32, threads: usize) -> u32 {
    (bound / u32::try_from(threads).unwrap_or(u32::MAX)).max(64)
}

#[cfg(test)]
#[path = "../tests/inside/sieve.rs"]
mod tests;
