//! The challenge of a proof: a prime that SHA-256 draws from the statement.
//!
//! Version 1. A number has as many bytes as the modulus, big-endian; an integer of 8 bytes is big-endian too.
//!
//! ```text
//! seed   = SHA-256("pingala wesolowski v1" || w || m || x || t || y)
//!          w: the bytes of a number, 8 bytes; the modulus, the base below it, the squarings in 8 bytes, the result
//! c(k)   = SHA-256("pingala wesolowski v1 prime" || seed || k), k = 0, 1, 2, ... in 8 bytes,
//!          as a big-endian number whose first and last bit are set to 1
//! l      = the first c(k) that is prime
//! ```
//!
//! Prime means: it passes the Baillie-PSW test \[baillie1980lucas\], of which no composite is known to pass. It passes a round of Miller and
//! Rabin's test with a random base too. l has 256 bits: a prover who tries statements meets one of 2^247 primes each time.

use dashu_int::UBig;
use pingala_core::{Error, Integer, Natural, Options, to_ubig};
use pingala_primes::{ROUNDS, is_prime};
use sha2::{Digest, Sha256};

const DOMAIN: &[u8] = b"pingala wesolowski v1";
const PRIME_DOMAIN: &[u8] = b"pingala wesolowski v1 prime";

/// Odd primes below 277: most candidates have one of them as a divisor.
const PRODUCTS: [u64; 6] = [
    3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37 * 41 * 43 * 47 * 53,
    59 * 61 * 67 * 71 * 73 * 79 * 83 * 89 * 97 * 101,
    103 * 107 * 109 * 113 * 127 * 131 * 137 * 139 * 149,
    151 * 157 * 163 * 167 * 173 * 179 * 181 * 191,
    193 * 197 * 199 * 211 * 223 * 227 * 229 * 233,
    239 * 241 * 251 * 257 * 263 * 269 * 271,
];

/// The challenge of the statement that `result` is base^(2^squarings) modulo `modulus`, all numbers reduced.
///
/// Error: `fault` if the system has no random numbers.
pub(crate) fn challenge(modulus: &Natural, base: &Natural, squarings: u64, result: &Natural) -> Result<UBig, Error> {
    let width = modulus.bits().div_ceil(8) as usize;
    let mut hash = Sha256::new_with_prefix(DOMAIN);
    hash.update((width as u64).to_be_bytes());
    let padded =
        |number: &Natural| number.to_be_bytes_padded(width).ok_or(Error::Fault("a number is longer than the modulus"));
    hash.update(padded(modulus)?);
    hash.update(padded(base)?);
    hash.update(squarings.to_be_bytes());
    hash.update(padded(result)?);
    let seed = hash.finalize();
    for count in 0u64.. {
        let mut hash = Sha256::new_with_prefix(PRIME_DOMAIN);
        hash.update(seed);
        hash.update(count.to_be_bytes());
        let mut bytes: [u8; 32] = hash.finalize().into();
        bytes[0] |= 0x80;
        bytes[31] |= 1;
        if has_small_divisor(&bytes) {
            continue;
        }
        let candidate = Natural::from_be_bytes(&bytes);
        if is_prime(&Integer::from(candidate.clone()), ROUNDS, &Options::default())?.prime {
            return Ok(to_ubig(&candidate));
        }
    }
    Err(Error::Fault("no prime was found"))
}

/// Whether one of the primes of [`PRODUCTS`] divides the number.
fn has_small_divisor(bytes: &[u8; 32]) -> bool {
    let words = bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_be_bytes(*bytes));
    PRODUCTS.iter().any(|&product| {
        let rest = words
            .clone()
            .fold(0, |rest, word| ((u128::from(rest) << 64 | u128::from(word)) % u128::from(product)) as u64);
        gcd(product, rest) != 1
    })
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
