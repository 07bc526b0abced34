//! The test of secret numbers for primality.

use super::common::Random;
use pingala_core::{Error, Limits, Natural, Options, is_prime_secret};

fn passes(n: &Natural, rounds: u32) -> bool {
    is_prime_secret(&n.to_be_bytes(), n.bits(), rounds, &Options::default()).unwrap()
}

/// k 2^s + c.
fn sum(k: u64, s: u64, c: u64) -> Natural {
    let mut limbs = vec![0; s as usize / 64 + 2];
    let wide = u128::from(k) << (s % 64);
    limbs[s as usize / 64] = wide as u64;
    limbs[s as usize / 64 + 1] = (wide >> 64) as u64;
    limbs[0] += c;
    Natural::from_limbs(&limbs)
}

/// Primes with each number of trailing zeros of p - 1, around the 16 that decide how many squarings there are.
#[test]
fn primes_pass_whatever_power_of_two_divides_them_less_1() {
    // The least k of 62 bits or more such that k 2^s + 1 is prime.
    let primes = [
        (1u64 << 61 | 7, 2),
        (1 << 61 | 7, 5),
        (1 << 61 | 95, 14),
        (1 << 61 | 3, 15),
        (1 << 61 | 55, 16),
        (1 << 61 | 69, 17),
        (1 << 61 | 133, 63),
        (1 << 61 | 683, 64),
        (1 << 61 | 83, 100),
    ];
    for (k, s) in primes {
        assert!(passes(&sum(k, s, 1), 5), "{k} 2^{s} + 1");
    }
    // Proth primes and primes of Mersenne.
    for (k, s) in [(3, 189), (3, 201), (5, 127), (7, 120), (9, 67), (3, 408)] {
        assert!(passes(&sum(k, s, 1), 5), "{k} 2^{s} + 1");
    }
    for bits in [89u64, 107, 127, 521, 607] {
        let all_ones = vec![u8::MAX; bits as usize / 8];
        let bytes: Vec<u8> = [(1u8 << (bits % 8)) - 1].into_iter().chain(all_ones).collect();
        assert!(is_prime_secret(&bytes, bits, 5, &Options::default()).unwrap(), "2^{bits} - 1");
    }
}

#[test]
fn composites_fail() {
    // Numbers of Proth that are composite, also where 2^16 divides n - 1.
    for (k, s) in [(1, 64), (1, 128), (3, 190), (5, 128), (7, 121), (9, 68), (3, 409), (1, 512)] {
        assert!(!passes(&sum(k, s, 1), 40), "{k} 2^{s} + 1");
    }
    // Strong pseudoprimes to the first thirteen primes, and to all bases below 307; the latter is a Carmichael number. A square.
    for text in [
        "3317044064679887385961981",
        "28871482380507712126714295971303939919776094592797227009265160241974322303799152733116328983144639225941977803311\
         0929656555414116112034245447250059165253263",
        "340282366920938461286658806734041124249",
    ] {
        let text: String = text.split_whitespace().collect();
        assert!(!passes(&text.parse().unwrap(), 40), "{text}");
    }
    // Even, and as long as declared.
    assert!(!passes(&sum(1, 64, 0), 1) && !passes(&sum(1 << 40, 100, 0), 1));
}

/// Random words against bases that decide below 2^64 [sorenson2017strong].
#[test]
fn words_are_told_apart() {
    let mut random = Random::new(16);
    let mut primes = 0;
    for round in 0..600u64 {
        // n - 1 with any number of trailing zeros up to 31.
        let n = (random.next() | 1 << 63) >> (round % 32) << (round % 32) | 1;
        let n = if n >> 63 == 0 { n | 1 << 63 } else { n };
        let is_prime = {
            let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
            let s = (n - 1).trailing_zeros();
            [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
                let mut x = (0..64 - s).rev().fold(1, |x, bit| {
                    let square = product(x, x);
                    if n >> s >> bit & 1 == 1 { product(square, base) } else { square }
                });
                (0..s).any(|round| {
                    let passes = x == n - 1 || round == 0 && x == 1;
                    x = product(x, x);
                    passes
                })
            })
        };
        primes += usize::from(is_prime);
        assert_eq!(passes(&n.into(), 20), is_prime, "{n}");
    }
    assert!(primes > 10, "{primes}");
}

#[test]
fn wrong_arguments_are_refused() {
    let of = |bytes: &[u8], bits, rounds| is_prime_secret(bytes, bits, rounds, &Options::default()).unwrap_err().code();
    assert_eq!(of(&[127, 255, 255, 255], 31, 1), "bad_argument");
    assert_eq!(of(&[255; 9], 64, 1), "bad_argument");
    assert_eq!(of(&[255; 8], 65, 1), "bad_argument");
    assert_eq!(of(&[0, 255, 255, 255, 255, 255, 255, 255, 255], 65, 1), "bad_argument");
    assert_eq!(of(&[3, 255, 255, 255, 255, 255, 255, 255, 255], 65, 1), "bad_argument");
    assert_eq!(of(&[255; 8], 64, 0), "bad_argument");
    let options = Options::default().with_limits(Limits::new(63, 63));
    let too_long = is_prime_secret(&[255; 8], 64, 1, &options);
    assert_eq!(too_long, Err(Error::TooLong { what: "number", length: 64, cap: 63 }));
    let options = Options::default().with_plan(Some("k_ary(w=3) on portable_r64(n=1)"));
    assert_eq!(is_prime_secret(&[255; 8], 64, 1, &options).unwrap_err().code(), "bad_plan");
    let options = Options::default().with_deadline(Some(std::time::Instant::now()));
    assert_eq!(is_prime_secret(&[255; 1024], 8192, 1, &options), Err(Error::Interrupted));
}
