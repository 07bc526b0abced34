//! Random primes, public ones.

use crate::arith::{from_ubig, to_u64, to_ubig};
use crate::base_two::strong_base_two;
use crate::certificate::Certificate;
use crate::division::Divisors;
use crate::primality::Primality;
use crate::provable::provable;
use crate::range::{Progression, SHORTEST, least, lone};
use crate::secret::{bound, share_of_primes};
use crate::settings::PrimeOptions;
use crate::sieve::{Form, Sieve, bound_for_threads};
use crate::team::{Team, numbers_at_once, threads_of_search};
use crate::test::{ROUNDS, go_on, is_prime, passes_the_rest};
use crate::words::is_prime_word;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use pingala_core::plan::Planner;
use pingala_core::{Error, Integer, Modulus, Natural, Options, is_prime_secret};
use std::time::Instant;

/// Primes that a window has on average.
const IN_WINDOW: f64 = 8.0;

/// The longest window, in numbers of the progression.
const LONGEST_WINDOW: f64 = 4_194_304.0;

/// Numbers that are sieved at once: their marks fit the caches next to a core.
const SEGMENT: usize = 1 << 18;

/// Each window or number of a set is drawn so often on average before the set counts as without a prime: one is missed with probability
/// e^-64.
const DRAWS: u64 = 64;

/// Numbers of more bits are not tested for an estimate.
const MOST_MEASURED_BITS: u64 = 1 << 13;

/// Runs that an estimate measures.
const MEASURED: usize = 3;

/// A random prime.
#[derive(Clone, Debug)]
pub struct RandomPrime {
    value: Natural,
    primality: Primality,
    certificate: Option<Certificate>,
}

impl RandomPrime {
    pub(crate) fn new(value: Natural, primality: Primality, certificate: Option<Certificate>) -> Self {
        Self { value, primality, certificate }
    }

    /// The prime.
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// How sure it is that it is prime.
    pub fn primality(&self) -> Primality {
        self.primality
    }

    /// The proof, if one was asked for.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// The prime, by value.
    pub fn into_value(self) -> Natural {
        self.value
    }
}

/// Draws a random prime of exactly `bits` bits, 2 at least, under the conditions of `prime`. It passes [`is_prime`](crate::is_prime()) with one
/// round, or the rounds of the options; for a safe prime so does (p - 1) / 2.
///
/// By default a random window of the numbers that fit is sieved, which has eight primes on average, and its numbers are tested in a random
/// order: the first prime is the result. A prime that is alone in its window is thus likelier than others: about eight times as likely
/// as under [`PrimeOptions::with_uniform`] at most, so that about 3 bits of min-entropy are lost (more with a residue or for safe primes, whose windows may have more primes). (The first prime after a random number has lost
/// all that the longest gap has, and 0.6 bits on average.) Where one window has all numbers that fit, each prime has the same probability.
/// With `uniform` each candidate is drawn afresh, and that holds for all lengths.
/// Below 17 bits the primes are listed, and one is chosen.
///
/// With [`PrimeOptions::with_proof`] a prime above 2^64 is built from the bottom up, after Maurer \[maurer1995fast\]: p - 1 has a prime factor of
/// random length, half of p's at least, that was built in the same way, or of a third if there is a residue. These primes are fewer than all:
/// no other p can be the result.
///
/// As many threads of the options work as the search is worth; the watch receives the numbers tested, and how many are expected.
///
/// Errors: `bad_argument` for fewer than 2 bits, for a proof with `uniform`, and where no prime fits; `too_long`, `interrupted`, `zero_modulus` (of a residue);
/// `fault` if the system has no random numbers.
///
/// Leaks: the prime, by its timing. [`random_secret_prime`](crate::random_secret_prime) is for secrets.
///
/// ```
/// use pingala::Options;
/// use pingala_primes::{PrimeOptions, random_prime};
/// let p = random_prime(256, &PrimeOptions::default().with_safe(true), &Options::default())?;
/// assert_eq!(p.value().bits(), 256);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn random_prime(bits: u64, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<RandomPrime, Error> {
    short_enough(bits, options)?;
    if prime.proof {
        none_built_uniformly(prime)?;
        return provable(bits, prime, options);
    }
    let (value, mut primality) = drawn(bits, prime, options)?;
    // The bound for random numbers is one for uniform odd numbers of the length.
    if !prime.uniform || prime.safe || prime.residue.is_some() || prime.top_bits > 1 || prime.source.is_some() {
        primality.random_error_bound = primality.error_bound;
    }
    Ok(RandomPrime::new(value, primality, None))
}

/// How long a search is expected to take.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PrimeEstimate {
    /// Numbers that are tested by powers.
    pub tests: f64,
    /// Seconds of the search on the threads of the options: its sieve, these tests in the sets in which they are made, and the last tests of
    /// the prime (docs/records/primes.md). The division of each number of a `uniform` search and the last tests of a secret one come on top.
    /// The time of a search is random: one in a hundred takes 4.6 times as long.
    pub seconds: f64,
}

/// Error: `too_long` for a length over the cap, before anything of this length is made.
pub(crate) fn short_enough(bits: u64, options: &Options<'_>) -> Result<(), Error> {
    let cap = options.limits().modulus_bits;
    if bits > cap { Err(Error::TooLong { what: "number", length: bits, cap }) } else { Ok(()) }
}

/// Error: `bad_argument` for a prime that is to be uniform and have a proof: those that are built are fewer than all.
fn none_built_uniformly(prime: &PrimeOptions<'_>) -> Result<(), Error> {
    match prime.proof && prime.uniform {
        true => Err(Error::BadArgument("a prime with a proof is built, and so not uniform".into())),
        false => Ok(()),
    }
}

/// Whether the standard library has a clock here; on others asking for the time panics.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Estimates a search of [`random_prime`], or of [`random_secret_prime`](crate::random_secret_prime) if it is `secret`, from the tests that it is
/// expected to take and the measured time of some: some tenths of a second at most. Above 8,192 bits, and on WebAssembly without a system, which has
/// no clock, the prices of the planner take the place of the measured time. A proof is not counted. Errors: as those of the search.
pub fn estimate_random_prime(
    bits: u64,
    prime: &PrimeOptions<'_>,
    secret: bool,
    options: &Options<'_>,
) -> Result<PrimeEstimate, Error> {
    short_enough(bits, options)?;
    let least = least(bits, prime.top_bits)?;
    none_built_uniformly(prime)?;
    if secret {
        crate::secret::Search::new(bits, &least, prime, None)?;
        return estimate_secret(bits, prime, options);
    }
    if bits < SHORTEST {
        listed(bits, &least, prime)?;
        return Ok(PrimeEstimate { tests: 1.0, seconds: 0.0 });
    }
    if alone(bits, &least, prime, options)?.is_some() {
        return Ok(PrimeEstimate { tests: 1.0, seconds: 0.0 });
    }
    let range = Progression::new(bits, &least, prime)?;
    let threads = threads_of_search(bits, numbers_of_thread(prime.safe), options)?;
    let bound = bound_of_draw(bits, prime, threads);
    let tests = share_of_primes(bits, bound).powi(if prime.safe { -2 } else { -1 });
    let together = numbers_at_once(threads * numbers_of_thread(prime.safe), threads, bits);
    let in_sets = tests_in_sets(tests, together);
    let last = last_tests(bits, prime, options)?;
    if !is_measured(bits) {
        let each = price(&odd_number(bits, 0), &Integer::from(2u64), options)? / options.threads() as f64;
        return Ok(PrimeEstimate { tests, seconds: in_sets * each + last });
    }
    // Odd composites: a multiple of 3 in all other respects.
    let count = together.min(8 * threads.min(32));
    let numbers: Vec<Natural> = (0..count).map(|index| odd_number(bits, index as u8)).collect();
    let each = least_seconds(|| strong_base_two(&numbers, &options.with_plan(None)).map(drop))? / count as f64;
    let sieve = if is_drawn_afresh(&range, prime) {
        0.0
    } else {
        let (length, _) = window(&range, prime);
        least_seconds(|| sieved(&range, &UBig::ZERO, length, bound, prime.safe, options).map(drop))?
    };
    Ok(PrimeEstimate { tests, seconds: sieve + in_sets * each + last })
}

/// The estimate of a search for a secret prime.
fn estimate_secret(bits: u64, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<PrimeEstimate, Error> {
    let tests = share_of_primes(bits, bound(bits)).powi(if prime.safe { -2 } else { -1 });
    let number = odd_number(bits, 0);
    let each = if is_measured(bits) {
        let bytes = number.to_be_bytes();
        least_seconds(|| is_prime_secret(&bytes, bits, 1, options).map(drop))?
    } else {
        // A secret test takes a base of the length of the number.
        price(&number, &Integer::from(number.clone()), options)?
    };
    Ok(PrimeEstimate { tests, seconds: tests * each / options.threads() as f64 })
}

/// Whether tests of this length are measured for an estimate.
fn is_measured(bits: u64) -> bool {
    HAS_CLOCK && bits <= MOST_MEASURED_BITS
}

/// The least seconds of some runs: of them all but the first have what is prepared once, and other programs delay some.
fn least_seconds(run: impl Fn() -> Result<(), Error>) -> Result<f64, Error> {
    let mut least = f64::INFINITY;
    for _ in 0..MEASURED {
        let started = Instant::now();
        run()?;
        least = least.min(started.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// The numbers that a search tests on average, if one of `tests` is a prime and they are tested in sets of `together`: the last set is tested
/// whole. With q = 1 - 1/tests a set has no prime with probability q^together.
fn tests_in_sets(tests: f64, together: usize) -> f64 {
    let none = (together as f64 * (-1.0 / tests).ln_1p()).exp();
    together as f64 / (1.0 - none)
}

/// The seconds that the planner expects of the tests that follow the one to the base 2; only a prime takes them. A safe prime takes them twice,
/// and the test to the base 2 once more. A quarter of the primes takes that test outside of the lanes (`strong_base_two`).
fn last_tests(bits: u64, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<f64, Error> {
    let number = odd_number(bits, 0);
    let rounds = f64::from(prime.rounds.unwrap_or(ROUNDS)) * price(&number, &Integer::from(number.clone()), options)?;
    let lucas = Planner::of_this_machine().lucas_nanoseconds(bits, bits)? / 1e9;
    let base_two = price(&number, &Integer::from(2u64), options)?;
    let once = rounds + lucas + base_two / 4.0;
    Ok(if prime.safe { 2.0 * once + base_two } else { once })
}

/// The seconds of a power of a base, modulo an odd number with that number as exponent, that the planner expects.
fn price(n: &Natural, base: &Integer, options: &Options<'_>) -> Result<f64, Error> {
    let modulus = Modulus::with_limits(n.clone(), options.limits())?;
    Ok(modulus.explain(base, &Integer::from(n.clone()), &options.with_plan(None))?.seconds())
}

/// An odd number of a length.
fn odd_number(bits: u64, index: u8) -> Natural {
    let mut number = vec![0x5a; bits.div_ceil(8) as usize];
    let last = number.len() - 1;
    number[0] = 1 << ((bits - 1) % 8);
    number[last] |= index.wrapping_mul(2) | 1;
    Natural::from_be_bytes(&number)
}

/// A prime that fits, and how sure it is. Errors: those of [`random_prime`].
pub(crate) fn drawn(bits: u64, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<(Natural, Primality), Error> {
    let least = least(bits, prime.top_bits)?;
    if bits < SHORTEST {
        let primes = listed(bits, &least, prime)?;
        let index = random_below(&UBig::from(primes.len()), prime)?;
        return Ok((primes[usize::try_from(&index).unwrap_or(0)].into(), Primality::proved(true)));
    }
    if let Some(found) = alone(bits, &least, prime, options)? {
        return Ok(found);
    }
    let range = Progression::new(bits, &least, prime)?;
    let threads = threads_of_search(bits, numbers_of_thread(prime.safe), options)?;
    let bound = bound_of_draw(bits, prime, threads);
    let expected = share_of_primes(bits, bound).powi(if prime.safe { -2 } else { -1 });
    let team = &Team::new(options.watch(), expected);
    let inner = options.with_watch(Some(team)).with_deadline(None).with_plan(None);
    let search = Search { bits, range, prime, bound, team, options: &inner, threads };
    let found = if is_drawn_afresh(&search.range, prime) { search.afresh()? } else { search.in_windows()? };
    team.finish();
    Ok(found)
}

fn none<T>() -> Result<T, Error> {
    Err(Error::BadArgument("no prime of this length fits the conditions".into()))
}

/// The one number of [`lone`], if it is a prime that fits, and how sure it is. Errors: `zero_modulus`, and those of the tests.
fn alone(bits: u64, least: &UBig, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<Option<Found>, Error> {
    let Some(p) = lone(bits, least, prime)?.map(|p| from_ubig(&p)) else { return Ok(None) };
    let rounds = prime.rounds.unwrap_or(ROUNDS);
    let primality = is_prime(&(&p).into(), rounds, options)?;
    let half = &p >> 1;
    let fits = primality.prime && (!prime.safe || is_prime(&half.into(), rounds, options)?.prime);
    Ok(fits.then_some((p, primality)))
}

/// The primes of a short length that fit. Error: `bad_argument` if there is none.
fn listed(bits: u64, least: &UBig, prime: &PrimeOptions<'_>) -> Result<Vec<u64>, Error> {
    let least = u64::try_from(least).unwrap_or(u64::MAX);
    let residue = match prime.residue {
        None => None,
        Some((_, q)) if q.is_zero() => return Err(Error::ZeroModulus),
        Some((r, q)) => Some((to_ubig(r) % to_ubig(q), to_ubig(q))),
    };
    let fits = |&p: &u64| {
        is_prime_word(p)
            && (!prime.safe || p > 2 && is_prime_word((p - 1) / 2))
            && residue.as_ref().is_none_or(|(r, q)| UBig::from(p) % q == *r)
    };
    let primes: Vec<u64> = (least..1 << bits).filter(fits).collect();
    if primes.is_empty() { none() } else { Ok(primes) }
}

/// A random number below `count`, which is not 0.
pub(crate) fn random_below(count: &UBig, prime: &PrimeOptions<'_>) -> Result<UBig, Error> {
    let bits = (count - UBig::ONE).bit_len();
    let mut bytes = vec![0; bits.div_ceil(8)];
    loop {
        prime.fill(&mut bytes)?;
        if let Some(top) = bytes.last_mut()
            && !bits.is_multiple_of(8)
        {
            *top &= u8::MAX >> (8 - bits % 8);
        }
        let number = UBig::from_le_bytes(&bytes);
        if number < *count {
            return Ok(number);
        }
    }
}

fn to_f64(number: &UBig) -> f64 {
    number.to_f64().value()
}

/// The bound of the sieve of a window: where a prime takes as long to prepare as it saves of tests. A safe prime takes as many tests as
/// another to the power of two.
pub(crate) fn bound_of_window(bits: u64, safe: bool) -> u32 {
    let doublings = (bits.max(64) as f64 / 256.0).log2();
    let exponent = if safe { 16.0 + 2.3 * doublings } else { 11.0 + 3.2 * doublings };
    exponent.exp2().clamp(64.0, if safe { 16_777_216.0 } else { 4_194_304.0 }) as u32
}

/// Whether p is prime, as [`is_prime`] says; what `has_passed` the strong test to the base 2 does not take it again. Errors: those of tests.
fn after_base_two(p: &Natural, has_passed: bool, rounds: u32, options: &Options<'_>) -> Result<Primality, Error> {
    if !has_passed || to_u64(p).is_some() {
        return is_prime(&p.into(), rounds, options);
    }
    let passes = passes_the_rest(core::slice::from_ref(p), rounds, options)?[0];
    Ok(if passes { Primality::probable(p.bits(), rounds) } else { Primality::proved(false) })
}

/// Numbers that a thread tests together: lanes. Most of those of a safe prime fail.
fn numbers_of_thread(is_safe: bool) -> usize {
    if is_safe { 64 } else { 8 }
}

/// The bound of the primes that candidates are divided or sieved by. From a source of the caller the prime is the same for every number of
/// threads, so that its bound is.
fn bound_of_draw(bits: u64, prime: &PrimeOptions<'_>, threads: usize) -> u32 {
    let threads = if prime.source.is_some() { 1 } else { threads };
    if prime.uniform { bound(bits) } else { bound_for_threads(bound_of_window(bits, prime.safe), threads) }
}

/// Whether each number of a search is drawn by itself, and not from windows.
fn is_drawn_afresh(range: &Progression, prime: &PrimeOptions<'_>) -> bool {
    prime.uniform && to_f64(&range.count) > LONGEST_WINDOW
}

/// How many numbers of the progression a window has, and whether these are all.
fn window(range: &Progression, prime: &PrimeOptions<'_>) -> (usize, bool) {
    let wanted = (IN_WINDOW / range.density(prime.safe)).clamp(1.0, LONGEST_WINDOW).ceil();
    let all = to_f64(&range.count);
    let is_whole = all <= if prime.uniform { LONGEST_WINDOW } else { wanted };
    (if is_whole { all } else { wanted } as usize, is_whole)
}

/// The sieve of a window that begins at this place of the progression, and the places that it leaves. Error: `interrupted`.
fn sieved(
    range: &Progression,
    start: &UBig,
    length: usize,
    bound: u32,
    is_safe: bool,
    options: &Options<'_>,
) -> Result<(Sieve, Vec<u64>), Error> {
    let form = if is_safe { Form::NumberAndHalf } else { Form::Number };
    let go_on_now = || go_on(options.watch()).is_ok();
    let sieve = Sieve::new_while(&from_ubig(&range.at(start)), &from_ubig(&range.step), bound, form, &go_on_now);
    let mut sieve = sieve.ok_or(Error::Interrupted)?;
    let mut places: Vec<u64> = Vec::new();
    for first in (0..length).step_by(SEGMENT) {
        go_on(options.watch())?;
        sieve.segment(SEGMENT.min(length - first));
        places.extend(sieve.survivors());
    }
    Ok((sieve, places))
}

/// A search among the numbers of a progression.
struct Search<'a> {
    bits: u64,
    range: Progression,
    prime: &'a PrimeOptions<'a>,
    /// Of the primes that candidates are divided or sieved by.
    bound: u32,
    team: &'a Team<'a>,
    options: &'a Options<'a>,
    threads: usize,
}

type Found = (Natural, Primality);

impl Search<'_> {
    /// Numbers that are tested together.
    fn together(&self) -> usize {
        numbers_at_once(self.threads * numbers_of_thread(self.prime.safe), self.threads, self.bits)
    }

    /// The first of these numbers, in order, that is a prime and fits. Errors: those of the tests.
    fn first_prime(&self, candidates: &[Natural]) -> Result<Option<Found>, Error> {
        self.team.count(candidates.len());
        let safe = self.prime.safe;
        let halves: Vec<Natural> = candidates.iter().filter(|_| safe).map(|p| p >> 1).collect();
        let passed = strong_base_two(if safe { &halves } else { candidates }, self.options)?;
        let rounds = self.prime.rounds.unwrap_or(ROUNDS);
        for (at, p) in candidates.iter().enumerate().filter(|(at, _)| passed[*at]) {
            let primality = after_base_two(p, !safe, rounds, self.options)?;
            if primality.prime && (!safe || after_base_two(&halves[at], true, rounds, self.options)?.prime) {
                return Ok(Some((p.clone(), primality)));
            }
        }
        Ok(None)
    }

    /// Draws each candidate afresh.
    fn afresh(&self) -> Result<Found, Error> {
        let divisors = Divisors::below(self.bound, |q| (&self.range.step % q) != 0);
        let most = &self.range.count * DRAWS;
        let (mut n_drawn, mut candidates) = (0u64, Vec::with_capacity(self.together()));
        while most > UBig::from(n_drawn) {
            n_drawn += 1;
            let p = from_ubig(&self.range.at(&random_below(&self.range.count, self.prime)?));
            let half = self.prime.safe.then(|| &p >> 1);
            let watch = self.options.watch();
            let divided = match &half {
                Some(half) => divisors.divide_any(&[p.limbs(), half.limbs()], watch)?,
                None => divisors.divide_any(&[p.limbs()], watch)?,
            };
            if n_drawn.is_multiple_of(64) {
                go_on(watch)?;
            }
            if divided {
                continue;
            }
            candidates.push(p);
            if candidates.len() == self.together() {
                if let Some(found) = self.first_prime(&candidates)? {
                    return Ok(found);
                }
                candidates.clear();
            }
        }
        self.first_prime(&candidates)?.map_or_else(none, Ok)
    }

    /// Sieves random windows, and tests what is left of each in a random order.
    fn in_windows(&self) -> Result<Found, Error> {
        let (length, is_whole) = window(&self.range, self.prime);
        let starts = &self.range.count - UBig::from(length - 1);
        let most = if is_whole { UBig::ONE } else { (&starts / length + UBig::ONE) * DRAWS };
        let mut n_windows = 0u64;
        while most > UBig::from(n_windows) {
            n_windows += 1;
            go_on(self.options.watch())?;
            // Where windows overlap at both ends, numbers at the ends are in fewer of them: less than a window of them.
            let start = random_below(&starts, self.prime)?;
            let (sieve, mut places) = sieved(&self.range, &start, length, self.bound, self.prime.safe, self.options)?;
            // Fisher and Yates' shuffle, as far as it is needed.
            let mut done = 0;
            while done < places.len() {
                let end = places.len().min(done + self.together());
                for at in done..end {
                    let left = UBig::from(places.len() - at);
                    let other = at + usize::try_from(&random_below(&left, self.prime)?).unwrap_or(0);
                    places.swap(at, other);
                }
                let candidates: Vec<Natural> = places[done..end].iter().map(|&place| sieve.number(place)).collect();
                if let Some(found) = self.first_prime(&candidates)? {
                    debug_assert_eq!(found.0.bits(), self.bits);
                    return Ok(found);
                }
                done = end;
            }
        }
        none()
    }
}

#[cfg(test)]
#[path = "../tests/inside/random.rs"]
mod tests;
