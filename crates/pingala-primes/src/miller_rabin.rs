//! Miller and Rabin's test with bases of the system's generator.

use crate::arith::{from_ubig, to_ubig};
use crate::test::go_on;
use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, Watch, pairs, pow_list};

/// Rounds of one number that go to the lanes together.
const ROUNDS_AT_ONCE: u32 = 64;

/// The error of an element of a list.
pub(crate) fn at(index: usize) -> impl Fn(Error) -> Error {
    move |error| match error {
        Error::Interrupted | Error::At { .. } => error,
        error => Error::At { index, error: Box::new(error) },
    }
}

/// Fills words with bits of the system's generator. Error: `fault` if it has none.
pub(crate) fn random_words(words: &mut [u64]) -> Result<(), Error> {
    for word in words {
        *word = getrandom::u64().map_err(|_| Error::Fault("the system gave no random numbers"))?;
    }
    Ok(())
}

/// A number from 2 to n - 2, n at least 5: the remainder of 64 bits more than n has is uniform but for 2^-64. Error: `fault`.
fn random_base(n: &Natural) -> Result<Natural, Error> {
    let mut drawn = vec![0; n.limbs().len() + 1];
    random_words(&mut drawn)?;
    let rest = to_ubig(&Natural::from_limbs(&drawn)) % (to_ubig(n) - 3u8);
    Ok(from_ubig(&rest) + 2)
}

/// n - 1 = 2^s d with d odd, for an odd n above 1.
struct Split {
    last: Natural,
    s: u64,
    d: Natural,
}

impl Split {
    fn of(n: &Natural) -> Self {
        let last = n.checked_sub(&Natural::from(1u64)).unwrap_or_default();
        let s = last.trailing_zeros();
        let d = &last >> s;
        Self { last, s, d }
    }

    /// Whether n passes with the base whose power to d is x. Error: `interrupted`; s may be as large as n is long.
    fn passes(&self, mut x: Natural, modulus: &Modulus, watch: Option<&dyn Watch>) -> Result<bool, Error> {
        if x.is_one() {
            return Ok(true);
        }
        for round in 0..self.s {
            if x == self.last {
                return Ok(true);
            }
            if round + 1 < self.s {
                go_on(watch)?;
                x = modulus.sqr(&x.into());
            }
        }
        Ok(false)
    }
}

/// Whether n, odd and above 1, is a prime or a strong pseudoprime to the base [menezes1996handbook, 4.20]. Errors: those of a power.
pub(crate) fn is_strong_probable_prime(
    modulus: &Modulus,
    base: &Integer,
    options: &Options<'_>,
) -> Result<bool, Error> {
    let split = Split::of(modulus.value());
    let x = modulus.pow_with(base, &Integer::from(&split.d), options)?;
    split.passes(x, modulus, options.watch())
}

/// Whether each number passes `rounds` rounds with random bases, all in lanes; each is odd and at least 5. A composite passes a round with
/// probability 1/4 at most [menezes1996handbook, 4.23]. Errors: those of [`pow_list`], `fault`.
pub(crate) fn random_rounds(ns: &[Natural], rounds: u32, options: &Options<'_>) -> Result<Vec<bool>, Error> {
    let moduli = ns.iter().map(|n| Modulus::with_limits(n.clone(), options.limits())).collect::<Result<Vec<_>, _>>()?;
    let splits: Vec<Split> = ns.iter().map(Split::of).collect();
    let exponents: Vec<Integer> = splits.iter().map(|split| Integer::from(&split.d)).collect();
    let mut passed = vec![true; ns.len()];
    let mut left = rounds;
    // Rounds may be 2^32 - 1.
    while left > 0 && passed.contains(&true) {
        let each = left.min((ROUNDS_AT_ONCE / ns.len().max(1) as u32).max(1));
        let mut tasks = Vec::new();
        for index in (0..ns.len()).filter(|&index| passed[index]) {
            for _ in 0..each {
                tasks.push((index, Integer::from(random_base(&ns[index])?)));
            }
        }
        let jobs: Vec<Job<'_>> = tasks
            .iter()
            .map(|(index, base)| Job { base, exponent: &exponents[*index], modulus: &moduli[*index] })
            .collect();
        for ((index, _), power) in pairs(&tasks, pow_list(&jobs, options)?)? {
            passed[*index] &= splits[*index].passes(power?, &moduli[*index], options.watch())?;
        }
        left -= each;
    }
    Ok(passed)
}
