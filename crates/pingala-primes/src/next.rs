//! The next prime, the previous one, and all primes of an interval: a sieve, then the survivors in lanes.

use crate::arith::to_u64;
use crate::interval::Interval;
use crate::sieve::{Form, Sieve, bound_for_threads, bound_of_search};
use crate::team::{numbers_at_once, threads_of_search};
use crate::test::{ROUNDS, go_on, probable_primes, within_limits};
use crate::words::{are_prime, is_prime_word};
use pingala_core::{Error, Integer, Natural, Options, pairs};

/// Numbers that one thread tests side by side: as many as the longest vectors have lanes.
const TOGETHER: usize = 8;

/// The numbers of a segment for each bit of the numbers: about three times the mean distance of primes, which is 0.35 odd numbers a bit.
const PLACES_PER_BIT: u64 = 1;

/// Most bytes of a list of primes.
const MAX_BYTES: u64 = 1 << 30;

/// Places of a segment of an interval.
const INTERVAL_SEGMENT: u64 = 1 << 16;

/// The largest prime below 2^64.
const LAST_WORD: u64 = u64::MAX - 58;

/// The least prime above n, as sure as [`is_prime`](crate::is_prime) says with [`ROUNDS`] rounds; 2 for any n below 2.
///
/// The odd numbers above n are sieved by small primes, up to a bound that grows with the length, and what is left is tested in lanes, eight
/// numbers at a time on each thread that the search is worth. Errors: `too_long` if n or that prime is above the limit on moduli;
/// `interrupted`, `bad_plan`, `fault` if the system has no random numbers. Leaks: n, by its timing.
///
/// ```
/// use pingala_primes::next_prime;
/// let next = next_prime(&"18446744073709551557".parse()?, &pingala::Options::default())?;
/// assert_eq!(next.to_string(), "18446744073709551629");
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn next_prime(n: &Integer, options: &Options<'_>) -> Result<Natural, Error> {
    if n.is_negative() || n.magnitude().bits() < 2 {
        return Ok(Natural::from(2u64));
    }
    within_limits(n, options)?;
    let n = n.magnitude();
    let start = match to_u64(n) {
        Some(word) if word < LAST_WORD => return Ok(next_word(word).into()),
        // 2^64 + 1.
        Some(_) => Natural::from_limbs(&[1, 1]),
        None => n + (1 + u64::from(!n.is_even())),
    };
    let two = Natural::from(2u64);
    let threads = threads_of_search(start.bits(), TOGETHER, options)?;
    let together = numbers_at_once(threads * TOGETHER, threads, start.bits());
    let bound = bound_for_threads(bound_of_search(start.bits()), threads);
    let mut sieve = prepared(&start, &two, bound, options)?;
    let cap = options.limits().modulus_bits;
    loop {
        sieve.segment((PLACES_PER_BIT * start.bits()) as usize);
        let survivors: Vec<u64> = sieve.survivors().collect();
        for places in survivors.chunks(together) {
            let mut numbers = numbers_at(&sieve, places);
            let short = numbers.iter().take_while(|number| number.bits() <= cap).count();
            numbers.truncate(short);
            if let Some(prime) = first_prime(numbers, options)? {
                return Ok(prime);
            }
            if short < places.len() {
                return Err(Error::TooLong { what: "number", length: cap + 1, cap });
            }
        }
    }
}

/// The numbers at these places. A long number is made when it is tested, not before: a segment has about one place for each bit.
fn numbers_at(sieve: &Sieve, places: &[u64]) -> Vec<Natural> {
    places.iter().map(|&k| sieve.number(k)).collect()
}

/// A sieve of numbers, whose residues take long for long numbers. Error: `interrupted`.
fn prepared(start: &Natural, step: &Natural, bound: u32, options: &Options<'_>) -> Result<Sieve, Error> {
    let goes_on = || go_on(options.watch()).is_ok();
    Sieve::new_while(start, step, bound, Form::Number, &goes_on).ok_or(Error::Interrupted)
}

/// The first prime of a few odd numbers above 2^64. Errors: those of [`probable_primes`].
fn first_prime(ns: Vec<Natural>, options: &Options<'_>) -> Result<Option<Natural>, Error> {
    go_on(options.watch())?;
    let passed = probable_primes(&ns, ROUNDS, options)?;
    Ok(pairs(ns, passed)?.find(|(_, passed)| *passed).map(|(n, _)| n))
}

/// The least prime above a word that is above 1 and below the last prime of a word.
fn next_word(n: u64) -> u64 {
    let mut candidate = n + 1 + n % 2;
    if n == 2 {
        return 3;
    }
    while !is_prime_word(candidate) {
        candidate += 2;
    }
    candidate
}

/// The greatest prime below n, as sure as [`next_prime`]. Errors: `bad_argument` for n of 2 or less; those of [`next_prime`].
///
/// ```
/// use pingala_primes::previous_prime;
/// let options = pingala::Options::default();
/// assert_eq!(previous_prime(&"18446744073709551629".parse()?, &options)?.to_string(), "18446744073709551557");
/// assert_eq!(previous_prime(&2u64.into(), &options).unwrap_err().code(), "bad_argument");
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn previous_prime(n: &Integer, options: &Options<'_>) -> Result<Natural, Error> {
    if n.is_negative() || n.magnitude().bits() < 2 || n.magnitude().limbs() == [2] {
        return Err(Error::BadArgument("no prime is below 2".into()));
    }
    within_limits(n, options)?;
    // The greatest odd number below n, or a word.
    let mut end = n.magnitude().checked_sub(&Natural::from(1u64)).unwrap_or_default();
    let two = Natural::from(2u64);
    while to_u64(&end).is_none() {
        if end.is_even() {
            end = end.checked_sub(&Natural::from(1u64)).unwrap_or_default();
            continue;
        }
        let floor = Natural::from_limbs(&[1, 1]);
        let places = PLACES_PER_BIT * end.bits();
        let start = end
            .checked_sub(&Natural::from(2 * (places - 1)))
            .filter(|start| *start >= floor)
            .unwrap_or_else(|| floor.clone());
        let count = (to_u64(&(&end - &start)).unwrap_or(0) / 2 + 1) as usize;
        let threads = threads_of_search(end.bits(), TOGETHER, options)?;
        let bound = bound_for_threads(bound_of_search(end.bits()), threads);
        let mut sieve = prepared(&start, &two, bound, options)?;
        sieve.segment(count);
        let mut survivors: Vec<u64> = sieve.survivors().collect();
        survivors.reverse();
        for places in survivors.chunks(numbers_at_once(threads * TOGETHER, threads, end.bits())) {
            if let Some(prime) = first_prime(numbers_at(&sieve, places), options)? {
                return Ok(prime);
            }
        }
        end = start.checked_sub(&Natural::from(2u64)).unwrap_or_default();
    }
    let mut word = to_u64(&end).unwrap_or(0);
    while !is_prime_word(word) {
        word -= 1;
    }
    Ok(word.into())
}

/// The primes p with a <= p < b, in order, each as sure as [`next_prime`]; proved below 2^64. An interval is cut into segments, each is
/// sieved, and what is left is tested in lanes. The watch receives the number of segments done.
///
/// Errors: `too_long` if the list would take more than 2^30 bytes, before anything is tested where the length of the interval shows it;
/// those of [`next_prime`].
///
/// ```
/// use pingala_primes::primes_between;
/// let primes = primes_between(&(-3i64).into(), &20u64.into(), &pingala::Options::default())?;
/// assert_eq!(primes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), "2 3 5 7 11 13 17 19");
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn primes_between(a: &Integer, b: &Integer, options: &Options<'_>) -> Result<Vec<Natural>, Error> {
    if let Some(words) = prime_words_between(a, b, options)? {
        let mut primes = Vec::new();
        with_room(&mut primes, words.len())?;
        primes.extend(words.into_iter().map(Natural::from));
        return Ok(primes);
    }
    let (mut a, b) = (floor(a), floor(b));
    if b <= a {
        return Ok(Vec::new());
    }
    within_limits(&Integer::from(&b), options)?;
    // An interval of so many numbers has more primes than the list may have: at least one in two for each bit, if it is long.
    let each = (size_of::<Natural>() as u64).max(b.limbs().len() as u64 * 8);
    let most = MAX_BYTES / each;
    let too_long = |count: u64| Error::TooLong {
        what: "list of primes",
        length: count.saturating_mul(8 * each),
        cap: 8 * MAX_BYTES,
    };
    let width = &b - &a;
    match to_u64(&width) {
        Some(width) if width / b.bits() < most => {}
        _ => return Err(too_long(to_u64(&width).unwrap_or(u64::MAX) / b.bits())),
    }
    let mut primes = Vec::new();
    if a.bits() < 2 || a.limbs() == [2] {
        if to_u64(&b).is_none_or(|b| b > 2) {
            primes.push(Natural::from(2u64));
        }
        a = Natural::from(3u64);
    } else if a.is_even() {
        a = &a + 1;
    }
    if b <= a {
        return Ok(primes);
    }
    // The odd numbers from a on.
    let places = to_u64(&(&b - &a)).unwrap_or(0).div_ceil(2);
    let mut sieve = prepared(&a, &Natural::from(2u64), bound_of_interval(b.bits(), places), options)?;
    let mut done = 0;
    while done < places {
        go_on(options.watch())?;
        let count = INTERVAL_SEGMENT.min(places - done);
        sieve.segment(count as usize);
        done += count;
        let survivors: Vec<u64> = sieve.survivors().collect();
        for places in survivors.chunks(numbers_at_once(count as usize, options.threads(), b.bits())) {
            primes.extend(primes_of(numbers_at(&sieve, places), options)?);
            if primes.len() as u64 > most {
                return Err(too_long(primes.len() as u64));
            }
        }
        if let Some(watch) = options.watch() {
            watch.progress(done.div_ceil(INTERVAL_SEGMENT) as usize, places.div_ceil(INTERVAL_SEGMENT) as usize);
        }
    }
    Ok(primes)
}

/// A number from 0 up.
fn floor(n: &Integer) -> Natural {
    if n.is_negative() { Natural::default() } else { n.magnitude().clone() }
}

/// Takes memory for more primes. Error: `bad_argument` if there is none.
fn with_room<T>(primes: &mut Vec<T>, more: usize) -> Result<(), Error> {
    let count = primes.len() + more;
    primes.try_reserve(more).map_err(|_| Error::BadArgument(format!("there is no memory for {count} primes")))
}

/// The list of [`primes_between`] as words, for b below 2^64; otherwise none. Errors: those of [`primes_between`].
pub fn prime_words_between(a: &Integer, b: &Integer, options: &Options<'_>) -> Result<Option<Vec<u64>>, Error> {
    let (Some(a), Some(b)) = (to_u64(&floor(a)), to_u64(&floor(b))) else { return Ok(None) };
    let mut primes = Vec::new();
    if b <= a {
        return Ok(Some(primes));
    }
    within_limits(&b.into(), options)?;
    let bits = u64::from(u64::BITS - b.leading_zeros());
    let each = size_of::<Natural>() as u64;
    let most = MAX_BYTES / each;
    let too_long = |count: u64| Error::TooLong {
        what: "list of primes",
        length: count.saturating_mul(8 * each),
        cap: 8 * MAX_BYTES,
    };
    if (b - a) / bits >= most {
        return Err(too_long((b - a) / bits));
    }
    if a <= 2 && b > 2 {
        primes.push(2);
    }
    // The odd numbers from here on.
    let start = a.max(3) | 1;
    if b <= start {
        return Ok(Some(primes));
    }
    let places = (b - start).div_ceil(2);
    let mut interval = Interval::new(start, places, bound_of_interval(bits, places));
    let segments = interval.segments();
    while interval.has_more() {
        go_on(options.watch())?;
        with_room(&mut primes, interval.segment_places())?;
        interval.segment(&mut primes);
        if primes.len() as u64 > most {
            return Err(too_long(primes.len() as u64));
        }
        if let Some(watch) = options.watch() {
            watch.progress((segments - interval.segments()) as usize, segments as usize);
        }
    }
    Ok(Some(primes))
}

/// The bound of the sieve of an interval of so many odd numbers: that of a search if they are few. More numbers share what the residues
/// cost, and only marks are left.
fn bound_of_interval(bits: u64, places: u64) -> u32 {
    let most = if bits <= 48 { 1u64 << bits.div_ceil(2) } else { 1 << 24 };
    u64::from(bound_of_search(bits)).max(places).min(most) as u32
}

/// Those of a segment's survivors that are prime. Errors: those of [`probable_primes`].
fn primes_of(survivors: Vec<Natural>, options: &Options<'_>) -> Result<Vec<Natural>, Error> {
    let words: Vec<u64> = survivors.iter().map_while(to_u64).collect();
    let mut passed = vec![false; words.len()];
    are_prime(&words, &mut passed);
    passed.extend(probable_primes(&survivors[words.len()..], ROUNDS, options)?);
    Ok(pairs(survivors, passed)?.filter(|(_, passed)| *passed).map(|(n, _)| n).collect())
}
