//! Primality of single words, proved.

use crate::small::{inverse_mod_word, mont_mul};
use crate::team::in_parallel;
use pingala_core::{Error, Options, pairs};

/// With these bases, reduced modulo n and 0 left out, the strong test is right for every odd n above 1 below 2^64 \[sinclair2011bases\],
/// checked against the table of all strong pseudoprimes to the base 2 there \[feitsma2013pseudoprimes\]. The base 2 is the first.
const BASES: [u64; 6] = [325, 9375, 28178, 450_775, 9_780_504, 1_795_265_022];

/// Numbers whose powers of 2 are computed side by side: a product waits for the one before, and others do not.
const TOGETHER: usize = 4;

/// Words that a thread takes at once, between two questions of the watch: a third of a millisecond.
const WORDS_AT_ONCE: usize = 1 << 12;

/// The time of a word among others, to decide how many threads a list is worth (docs/records/primes.md).
const NANOSECONDS_EACH: f64 = 70.0;

/// The primes of the trial division, 3 to 61.
const SMALL: [u64; 17] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61];

/// The inverse of each modulo 2^64, and the largest multiple's quotient: p divides n exactly if n p^-1 mod 2^64 is at most that.
const DIVISORS: [(u64, u64); SMALL.len()] = {
    let mut divisors = [(0, 0); SMALL.len()];
    let mut at = 0;
    while at < SMALL.len() {
        divisors[at] = (inverse_mod_word(SMALL[at]), u64::MAX / SMALL[at]);
        at += 1;
    }
    divisors
};

/// What trial division says of a number, if it decides.
#[inline(always)]
fn by_division(n: u64) -> Option<bool> {
    if n.is_multiple_of(2) || n < 64 * 64 {
        return Some(is_small_prime(n));
    }
    // Three blocks: a branch for each prime would be foreseen less often.
    for block in [&DIVISORS[..3], &DIVISORS[3..8], &DIVISORS[8..]] {
        if block.iter().fold(false, |any, &(inverse, most)| any | (n.wrapping_mul(inverse) <= most)) {
            return Some(false);
        }
    }
    None
}

/// Whether an even number, or a number below 64^2, is prime.
fn is_small_prime(n: u64) -> bool {
    n == 2 || n > 2 && n % 2 == 1 && SMALL.iter().all(|&p| n == p || !n.is_multiple_of(p))
}

/// The ring modulo an odd word: the word, its inverse modulo 2^64, and 2^64 modulo it.
#[derive(Clone, Copy, Debug, Default)]
struct Ring {
    n: u64,
    inverse: u64,
    one: u64,
}

impl Ring {
    #[inline(always)]
    fn new(n: u64) -> Self {
        // An odd n above 1 does not divide 2^64.
        Self { n, inverse: inverse_mod_word(n), one: u64::MAX % n + 1 }
    }

    #[inline(always)]
    fn mul(&self, a: u64, b: u64) -> u64 {
        mont_mul(a, b, self.n, self.inverse)
    }

    /// 2a, for a below n.
    #[inline(always)]
    fn double(&self, a: u64) -> u64 {
        let (difference, under) = a.overflowing_sub(self.n - a);
        if under { difference.wrapping_add(self.n) } else { difference }
    }
}

/// 2^((n - 1) / 2) modulo each n, in Montgomery form, by squarings and doublings from left to right.
#[inline(always)]
fn halfway_powers<const K: usize>(rings: &[Ring; K]) -> [u64; K] {
    let mut x = rings.map(|ring| ring.one);
    let most = rings.iter().map(|ring| 64 - ring.n.leading_zeros()).max().unwrap_or(1);
    // Leading zeros of an exponent leave 1 as it is.
    for bit in (1..most).rev() {
        for (x, ring) in x.iter_mut().zip(rings) {
            let square = ring.mul(*x, *x);
            let twice = ring.double(square);
            *x = if ring.n >> bit & 1 == 1 { twice } else { square };
        }
    }
    x
}

/// Whether the strong test to the base 2 passes, from y = 2^((n - 1) / 2), as [`strong_base_two`](crate::base_two::strong_base_two)
/// explains.
#[inline(always)]
fn passes_base_two(ring: &Ring, y: u64) -> bool {
    if y == ring.n - ring.one {
        return true;
    }
    y == ring.one
        && match ring.n % 8 {
            3 | 7 => true,
            5 => false,
            _ => passes(ring, [ring.double(ring.one)]),
        }
}

/// Whether the strong test passes to all bases, in Montgomery form.
#[inline(always)]
fn passes<const K: usize>(ring: &Ring, bases: [u64; K]) -> bool {
    let (one, minus_one) = (ring.one, ring.n - ring.one);
    let s = (ring.n - 1).trailing_zeros();
    let d = (ring.n - 1) >> s;
    let mut x = [one; K];
    for bit in (0..64 - d.leading_zeros()).rev() {
        for (x, &base) in x.iter_mut().zip(&bases) {
            *x = ring.mul(*x, *x);
            if d >> bit & 1 == 1 {
                *x = ring.mul(*x, base);
            }
        }
    }
    let mut passed = x.map(|x| x == one || x == minus_one);
    for _ in 1..s {
        for (x, passed) in x.iter_mut().zip(&mut passed) {
            *x = ring.mul(*x, *x);
            *passed |= *x == minus_one;
        }
    }
    passed.iter().all(|&passed| passed)
}

/// Whether a strong pseudoprime to the base 2, or a prime, passes to the other bases.
fn passes_other_bases(ring: &Ring) -> bool {
    // A base that n divides is left out: 1 passes always.
    let enter = |base: u64| match base % ring.n {
        0 => ring.one,
        base => ((u128::from(base) << 64) % u128::from(ring.n)) as u64,
    };
    passes(ring, BASES.map(enter))
}

/// Whether a word is prime: by trial division below 4096, otherwise by the strong test to seven bases.
pub(crate) fn is_prime_word(n: u64) -> bool {
    by_division(n).unwrap_or_else(|| {
        let ring = Ring::new(n);
        let [y] = halfway_powers(&[ring]);
        passes_base_two(&ring, y) && passes_other_bases(&ring)
    })
}

/// Whether each word is prime, into `out`; both are equally long.
pub(crate) fn are_prime(words: &[u64], out: &mut [bool]) {
    debug_assert_eq!(words.len(), out.len());
    let (mut rings, mut places, mut waiting) = ([Ring::default(); TOGETHER], [0; TOGETHER], 0);
    for (place, &n) in words.iter().enumerate() {
        if let Some(prime) = by_division(n) {
            out[place] = prime;
            continue;
        }
        (rings[waiting], places[waiting]) = (Ring::new(n), place);
        waiting += 1;
        if waiting == TOGETHER {
            waiting = 0;
            let powers = halfway_powers(&rings);
            for ((ring, y), &place) in rings.iter().zip(powers).zip(&places) {
                out[place] = passes_base_two(ring, y) && passes_other_bases(ring);
            }
        }
    }
    for &place in &places[..waiting] {
        out[place] = is_prime_word(words[place]);
    }
}

/// Whether each word is prime, into `out`: proved, by the strong test to the seven bases of \[sinclair2011bases\]. The words are
/// tested on the threads of the options. The watch receives the number of words done.
///
/// Errors: `bad_argument` if the lengths differ; `interrupted`, and then all of `out` is false. Leaks: the words, by its timing.
///
/// ```
/// use pingala_primes::is_prime_words;
/// let mut out = [false; 4];
/// is_prime_words(&[0, 2, 561, u64::MAX - 58], &mut out, &pingala::Options::default())?;
/// assert_eq!(out, [false, true, false, true]);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn is_prime_words(words: &[u64], out: &mut [bool], options: &Options<'_>) -> Result<(), Error> {
    if words.len() != out.len() {
        return Err(Error::BadArgument(format!("{} words and room for {} answers", words.len(), out.len())));
    }
    let count = words.len().div_ceil(WORDS_AT_ONCE);
    let chunk = |index: usize| &words[index * WORDS_AT_ONCE..words.len().min((index + 1) * WORDS_AT_ONCE)];
    let nanoseconds = words.len() as f64 * NANOSECONDS_EACH;
    let answers = in_parallel(count, nanoseconds, WORDS_AT_ONCE, options, |index, _| {
        let mut part = vec![false; chunk(index).len()];
        are_prime(chunk(index), &mut part);
        Ok(part)
    });
    match answers {
        Ok(parts) => {
            pairs(out.chunks_mut(WORDS_AT_ONCE), parts)?.for_each(|(out, part)| out.copy_from_slice(&part));
            Ok(())
        }
        Err(error) => {
            out.fill(false);
            Err(error)
        }
    }
}
