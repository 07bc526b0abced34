//! Secret primes: candidates in memory that is wiped, all tests in constant time.

use crate::division::{Divisors, shares_divisor_less_1};
use crate::primality::random_log2;
use crate::random::short_enough;
use crate::range::{Progression, SHORTEST, least};
use crate::settings::PrimeOptions;
use crate::team::{Team, race};
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use pingala_core::plan::{Planner, Problem};
use pingala_core::{Error, Options, is_prime_secret, release_secret};
use std::fmt;
use zeroize::Zeroizing;

/// The shortest secret prime, in bits.
pub(crate) const MIN_BITS: u64 = 64;

/// Limbs of a secret number, least significant first, wiped when they are dropped; they never grow.
pub(crate) type Secret = Zeroizing<Vec<u64>>;

/// A prime whose value is secret and whose length is public. Its bytes are wiped when it is dropped.
pub struct SecretPrime {
    bytes: Zeroizing<Vec<u8>>,
    bits: u64,
}

impl SecretPrime {
    /// The prime, most significant byte first, without zeros in front.
    pub fn as_be_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its length in bits.
    pub fn bits(&self) -> u64 {
        self.bits
    }
}

impl fmt::Debug for SecretPrime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<SecretPrime of {} bits>", self.bits)
    }
}

/// Draws a secret prime of exactly `bits` bits, 64 at least. Each candidate is drawn afresh, so that each prime that fits has the same
/// probability, as [`PrimeOptions::with_uniform`] has it. No branch and no memory address depends on a bit of the prime.
///
/// A candidate is divided by primes below 2^16, then takes [`secret_rounds`] rounds of Miller and Rabin's test, or those of the options.
/// If it has to be safe, (p - 1) / 2 takes as many.
///
/// Errors: `bad_argument` for fewer bits, for conditions that no prime fits, and for `proof`, whose certificate is no secret; `too_long`;
/// `interrupted`; `fault` if the system has no random numbers.
///
/// Leaks: the conditions; how many candidates were drawn, where each that fails did so, and the time; of the prime, whether 2^16 divides it
/// less 1.
pub fn random_secret_prime(bits: u64, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<SecretPrime, Error> {
    short_enough(bits, options)?;
    let search = Search::new(bits, &least(bits, prime.top_bits)?, prime, None)?;
    Ok(search.released(&search.run(options)?))
}

/// Rounds of Miller and Rabin's test, random bases, after which a random odd number of `bits` bits that passes is composite with probability
/// 2^-112 at most, 2^-128 from 1536 bits on, and 2^-144 from 2048: for these lengths the numbers of FIPS 186-5, table B.1 \[nist2023dss\].
///
/// The bounds are those of Damgard, Landrock and Pomerance \[damgard1993average\], as in HAC 4.48 \[menezes1996handbook\], or 4^-rounds.
pub fn secret_rounds(bits: u64) -> u32 {
    rounds_for(bits, 0.0)
}

/// The rounds for candidates among which a random one is 2^`lost` times as rare as among odd numbers.
pub(crate) fn rounds_for(bits: u64, lost: f64) -> u32 {
    let wanted = lost
        + if bits < 1536 {
            112.0
        } else if bits < 2048 {
            128.0
        } else {
            144.0
        };
    (2..=200u32).find(|&rounds| random_log2(bits as f64, f64::from(rounds)) <= -wanted).unwrap_or(200)
}

/// The bound of trial division of a candidate, of which no other use is made: below any half of a candidate.
pub(crate) fn bound(bits: u64) -> u32 {
    (40 * bits.min(1 << 20) as u32).clamp(1 << 10, 1 << 16)
}

/// The share of primes among numbers of a length without a prime factor below a bound, by Mertens' theorem.
pub(crate) fn share_of_primes(bits: u64, bound: u32) -> f64 {
    (1.781 * f64::from(bound).ln() / (bits as f64 * std::f64::consts::LN_2)).min(1.0)
}

/// A search for secret primes of one kind.
pub(crate) struct Search<'a> {
    prime: &'a PrimeOptions<'a>,
    /// A public exponent that has to be prime to p - 1.
    exponent: Option<u64>,
    bits: u64,
    rounds: u32,
    /// first + step t for a random t below `count`, in limbs.
    first: Vec<u64>,
    step: Vec<u64>,
    count: Vec<u64>,
    random_bits: usize,
    divisors: Divisors,
    /// Tests that are expected.
    expected: f64,
}

fn limbs(number: &UBig, length: usize) -> Vec<u64> {
    let bytes = number.to_le_bytes();
    let mut limbs: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    limbs.resize(length.max(limbs.len()), 0);
    limbs
}

impl<'a> Search<'a> {
    /// Error: `bad_argument`, `zero_modulus`.
    pub(crate) fn new(
        bits: u64,
        least: &UBig,
        prime: &'a PrimeOptions<'a>,
        exponent: Option<u64>,
    ) -> Result<Self, Error> {
        let refused = |why: &str| Err(Error::BadArgument(why.into()));
        if bits < MIN_BITS {
            return refused(&format!("a secret prime has at least {MIN_BITS} bits, not {bits}"));
        }
        if prime.proof {
            return refused("a certificate is no secret, so that a secret prime has none");
        }
        const { assert!(MIN_BITS > SHORTEST) };
        let range = Progression::new(bits, least, prime)?;
        if range.count.bit_len() <= 32 {
            return refused("fewer than 2^32 numbers have the residue, so that a prime among them is no secret");
        }
        // A prime q divides one candidate in q and saves a test then; the test takes 1/40 as long as a division for each bit.
        let limit = bound(bits);
        let divisors = Divisors::below(limit, |q| (&range.step % q) != 0);
        let share = share_of_primes(bits, limit);
        let lost = (range.step.bit_len() as f64 - 2.0) + if prime.safe { (bits as f64).log2() } else { 0.0 };
        let rounds = match prime.rounds {
            Some(0) => return refused("a test of no round"),
            Some(rounds) => rounds,
            None => rounds_for(bits, lost),
        };
        let last = &range.count - UBig::ONE;
        let n_limbs = bits.div_ceil(64) as usize;
        let draw = last.bit_len().div_ceil(64);
        Ok(Self {
            prime,
            exponent,
            bits,
            rounds,
            first: limbs(&range.first, n_limbs),
            step: limbs(&range.step, 1),
            count: limbs(&range.count, draw),
            random_bits: last.bit_len(),
            divisors,
            expected: share.powi(if prime.safe { -2 } else { -1 }),
        })
    }

    /// A prime that fits. Errors: `interrupted`, `fault`.
    pub(crate) fn run(&self, options: &Options<'_>) -> Result<Secret, Error> {
        let power = Problem { secret: true, ..Problem::new(self.bits, self.bits) };
        let nanoseconds = 1e9 * Planner::of_this_machine().seconds(&power)?;
        race(options, (self.expected, nanoseconds), |team, options| {
            let candidate = self.draw()?;
            Ok(self.fits(&candidate, team, options)?.then_some(candidate))
        })
    }

    /// A random candidate.
    fn draw(&self) -> Result<Secret, Error> {
        let n = self.random_bits.div_ceil(64).max(1);
        let mut bytes = Zeroizing::new(vec![0u8; 8 * n]);
        let mut t: Secret = Zeroizing::new(vec![0; n]);
        loop {
            self.prime.fill(&mut bytes)?;
            for (limb, bytes) in t.iter_mut().zip(bytes.chunks_exact(8)) {
                *limb = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            }
            if !self.random_bits.is_multiple_of(64) {
                t[n - 1] &= u64::MAX >> (64 - self.random_bits % 64);
            }
            // A number that is not below the count tells nothing of the next one.
            let is_below = t.iter().zip(&self.count).fold(false, |borrow, (&a, &b)| a.borrowing_sub(b, borrow).1);
            let is_short = self.count.len() > n;
            if is_short || release_secret(u64::from(is_below)) == 1 {
                break;
            }
        }
        let mut candidate: Secret = Zeroizing::new(self.first.clone());
        for (i, &step) in self.step.iter().enumerate() {
            let mut carry = 0;
            for (j, limb) in candidate.iter_mut().skip(i).enumerate() {
                let t = t.get(j).copied().unwrap_or(0);
                let sum = u128::from(t) * u128::from(step) + u128::from(*limb) + u128::from(carry);
                (*limb, carry) = (sum as u64, (sum >> 64) as u64);
            }
        }
        Ok(candidate)
    }

    /// Whether a candidate passes all tests.
    fn fits(&self, p: &Secret, team: &Team<'_>, options: &Options<'_>) -> Result<bool, Error> {
        let half: Option<Secret> = self.prime.safe.then(|| {
            let above = p.iter().skip(1).copied().chain([0]);
            Zeroizing::new(p.iter().zip(above).map(|(limb, above)| limb >> 1 | above << 63).collect())
        });
        let both: &[&[u64]] = match &half {
            Some(half) => &[&p[..], &half[..]],
            None => &[&p[..]],
        };
        if self.divisors.divide_any(both, options.watch())? {
            return Ok(false);
        }
        if let Some(e) = self.exponent
            && release_secret(shares_divisor_less_1(p, e)) != 0
        {
            return Ok(false);
        }
        team.count(1);
        let (bytes, half) = (self.bytes(p, self.bits), half.map(|half| self.bytes(&half, self.bits - 1)));
        let Some(half) = half else { return is_prime_secret(&bytes, self.bits, self.rounds, options) };
        let both = [(&half, self.bits - 1), (&bytes, self.bits)];
        for rounds in [1, self.rounds - 1] {
            for (number, bits) in both {
                if rounds > 0 && !is_prime_secret(number, bits, rounds, options)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The bytes of a number of `bits` bits.
    fn bytes(&self, number: &Secret, bits: u64) -> Zeroizing<Vec<u8>> {
        let length = bits.div_ceil(8) as usize;
        let mut bytes = Zeroizing::new(vec![0; length]);
        for (place, byte) in bytes.iter_mut().rev().enumerate() {
            *byte = (number[place / 8] >> (8 * (place % 8))) as u8;
        }
        bytes
    }

    /// A prime that was found, for the caller.
    pub(crate) fn released(&self, prime: &Secret) -> SecretPrime {
        SecretPrime { bytes: self.bytes(prime, self.bits), bits: self.bits }
    }
}
