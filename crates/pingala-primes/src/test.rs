//! Primality of one number and of lists.

use crate::arith::to_u64;
use crate::base_two::strong_base_two;
use crate::lucas::is_strong_lucas_probable_prime;
use crate::miller_rabin::{at, is_strong_probable_prime, random_rounds};
use crate::primality::Primality;
use crate::sieve::{bound_of_trial, bound_of_trial_alone};
use crate::small::odd_factor_while;
use crate::team::in_parallel;
use crate::words::is_prime_word;
use pingala_core::plan::Planner;
use pingala_core::{Error, Integer, Modulus, Natural, Options, Watch, has_memory, pairs};

/// Numbers that a thread tries by division at once.
const NUMBERS_AT_ONCE: usize = 64;

/// An estimate that was not measured apart: it only decides how many threads divide.
const NANOSECONDS_OF_PRIME_AND_LIMB: f64 = 0.5;

/// The rounds with random bases that a test has if nothing else is asked for.
pub const ROUNDS: u32 = 1;

/// The time that a number of this length takes at most before a power of it, to decide how many threads a list is worth: each limb is reduced
/// modulo groups of primes, some of them in a word.
fn division_nanoseconds(bits: u64) -> f64 {
    let bound = f64::from(bound_of_trial(bits));
    let (primes, limbs) = (bound / bound.ln(), bits.div_ceil(64) as f64);
    NANOSECONDS_OF_PRIME_AND_LIMB * primes * limbs
}

/// Error: `interrupted` if the watch says stop.
pub(crate) fn go_on(watch: Option<&dyn Watch>) -> Result<(), Error> {
    if watch.is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

/// The answer that no power needs: below 2^64, and for multiples of primes below the bound for this length. Error: `interrupted`.
fn by_division(n: &Integer, bound: fn(u64) -> u32, watch: Option<&dyn Watch>) -> Result<Option<Primality>, Error> {
    if n.is_negative() {
        return Ok(Some(Primality::proved(false)));
    }
    let n = n.magnitude();
    if let Some(word) = to_u64(n) {
        return Ok(Some(Primality::proved(is_prime_word(word))));
    }
    let goes_on = || go_on(watch).is_ok();
    let has_factor = || odd_factor_while(n.limbs(), bound(n.bits()), &goes_on).ok_or(Error::Interrupted);
    let divisible = n.is_even() || has_factor()?.is_some();
    Ok(divisible.then_some(Primality::proved(false)))
}

/// Whether n is prime.
///
/// Below 2^64 the answer is proved: the strong test to seven bases \[sinclair2011bases\]. From there on n has to pass trial division, the
/// Baillie-PSW test \[baillie1980lucas\] (the strong test to the base 2, the strong Lucas test with Selfridge's parameters) and then `rounds`
/// rounds of Miller and Rabin's test [menezes1996handbook, 4.24] with bases from the system's generator; [`ROUNDS`] is the usual number.
/// [`Primality`] says how sure the answer is. A number below 2 is not prime. The watch receives the progress of the powers.
///
/// Errors: `too_long` for a number above the limit on moduli; `fault` if the system has no random numbers; `interrupted`, `bad_plan`.
/// Leaks: n, by its timing.
///
/// ```
/// use pingala_primes::{ROUNDS, is_prime};
/// let answer = is_prime(&"170141183460469231731687303715884105727".parse()?, ROUNDS, &pingala::Options::default())?;
/// assert!(answer.prime && !answer.proved && answer.error_bound == 0.25);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn is_prime(n: &Integer, rounds: u32, options: &Options<'_>) -> Result<Primality, Error> {
    within_limits(n, options)?;
    if let Some(answer) = by_division(n, bound_of_trial_alone, options.watch())? {
        return Ok(answer);
    }
    let n = n.magnitude();
    let modulus = Modulus::with_limits(n.clone(), options.limits())?;
    let passes = is_strong_probable_prime(&modulus, &Integer::from(2u64), options)?
        && is_strong_lucas_probable_prime(&modulus, options)?
        && random_rounds(core::slice::from_ref(n), rounds, options)?[0];
    Ok(if passes { Primality::probable(n.bits(), rounds) } else { Primality::proved(false) })
}

/// Error: `too_long` for a number above the limit on moduli.
pub(crate) fn within_limits(n: &Integer, options: &Options<'_>) -> Result<(), Error> {
    let (length, cap) = (n.magnitude().bits(), options.limits().modulus_bits);
    if length > cap { Err(Error::TooLong { what: "number", length, cap }) } else { Ok(()) }
}

/// Whether each number is prime: the answers of [`is_prime`], with the powers of all numbers side by side. The numbers may have any
/// lengths; those of one length share lanes. Errors: as [`is_prime`], with the index of the number if it is to blame.
///
/// ```
/// use pingala_primes::is_prime_list;
/// let numbers = ["-7".parse()?, "18446744073709551629".parse()?, "18446744073709551631".parse()?];
/// let answers = is_prime_list(&numbers, 1, &pingala::Options::default())?;
/// assert_eq!(answers.iter().map(|answer| answer.prime).collect::<Vec<_>>(), [false, true, false]);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn is_prime_list(numbers: &[Integer], rounds: u32, options: &Options<'_>) -> Result<Vec<Primality>, Error> {
    // Copies, halves and powers of those that are not divided.
    has_memory(numbers.iter().fold(0, |sum, n| sum + 3 * n.magnitude().bits().div_ceil(8)))?;
    let mut answers = vec![Primality::proved(false); numbers.len()];
    let (mut places, mut left) = (Vec::new(), Vec::new());
    let chunks: Vec<&[Integer]> = numbers.chunks(NUMBERS_AT_ONCE).collect();
    let longest = numbers.iter().map(|n| n.magnitude().bits()).max().unwrap_or(0);
    let nanoseconds = numbers.len() as f64 * division_nanoseconds(longest);
    let divided = in_parallel(chunks.len(), nanoseconds, 0, options, |index, options| {
        let answer = |(place, n)| {
            within_limits(n, options).and_then(|()| by_division(n, bound_of_trial, options.watch())).map_err(at(place))
        };
        (NUMBERS_AT_ONCE * index..).zip(chunks[index]).map(answer).collect::<Result<Vec<_>, Error>>()
    })?;
    for (place, answer) in divided.into_iter().flatten().enumerate() {
        match answer {
            Some(answer) => answers[place] = answer,
            None => {
                places.push(place);
                left.push(numbers[place].magnitude().clone());
            }
        }
    }
    let passed = probable_primes(&left, rounds, options)?;
    for ((place, n), passed) in pairs(pairs(places, &left)?, passed)? {
        if passed {
            answers[place] = Primality::probable(n.bits(), rounds);
        }
    }
    Ok(answers)
}

/// Whether each n passes the strong test to the base 2, the strong Lucas test and the rounds; each is odd and above 2^64.
pub(crate) fn probable_primes(ns: &[Natural], rounds: u32, options: &Options<'_>) -> Result<Vec<bool>, Error> {
    let mut passed = strong_base_two(ns, options)?;
    let (places, left): (Vec<usize>, Vec<Natural>) =
        ns.iter().enumerate().filter(|(place, _)| passed[*place]).map(|(place, n)| (place, n.clone())).unzip();
    for (place, rest) in pairs(places, passes_the_rest(&left, rounds, options)?)? {
        passed[place] = rest;
    }
    Ok(passed)
}

/// Whether each n, which passed the strong test to the base 2, passes the strong Lucas test and the rounds; each is odd and above 2^64.
pub(crate) fn passes_the_rest(ns: &[Natural], rounds: u32, options: &Options<'_>) -> Result<Vec<bool>, Error> {
    let longest = ns.iter().map(Natural::bits).max().unwrap_or(2);
    let lucas_nanoseconds = ns.len() as f64 * Planner::of_this_machine().lucas_nanoseconds(longest, longest)?;
    let lucas = |n: &Natural, options: &Options<'_>| {
        is_strong_lucas_probable_prime(&Modulus::with_limits(n.clone(), options.limits())?, options)
    };
    // One number keeps one thread busy in each test, so that another one begins with the rounds. Hardly any number fails the Lucas test.
    if let [n] = ns
        && rounds > 0
        && options.threads_for(lucas_nanoseconds) > 1
    {
        let both = in_parallel(2, f64::INFINITY, 0, options, |index, options| match index {
            0 => lucas(n, options),
            _ => random_rounds(ns, rounds, options).map(|passed| passed[0]),
        });
        return both.map(|passed| vec![!passed.contains(&false)]);
    }
    let mut passed = in_parallel(ns.len(), lucas_nanoseconds, 0, options, |index, options| lucas(&ns[index], options))?;
    let (places, left): (Vec<usize>, Vec<Natural>) =
        ns.iter().enumerate().filter(|(place, _)| passed[*place]).map(|(place, n)| (place, n.clone())).unzip();
    for (place, round) in pairs(places, random_rounds(&left, rounds, options)?)? {
        passed[place] = round;
    }
    Ok(passed)
}
