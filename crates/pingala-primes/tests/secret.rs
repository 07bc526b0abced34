//! Secret primes, one and two.

mod common;

use common::{is_prime, less_1, rest, shifted, stops_and_reports};
use pingala_core::{Error, Natural, Options};
use pingala_primes::{PairKind, PrimeOptions, SecretPrime, prime_pair, random_secret_prime, secret_rounds};
use std::num::NonZeroUsize;
use std::time::Instant;

fn value(prime: &SecretPrime) -> Natural {
    let n = Natural::from_be_bytes(prime.as_be_bytes());
    assert_eq!(n.bits(), prime.bits());
    assert_eq!(prime.as_be_bytes().len() as u64, prime.bits().div_ceil(8));
    assert_eq!(format!("{prime:?}"), format!("<SecretPrime of {} bits>", prime.bits()));
    n
}

#[test]
fn every_combination_of_conditions_is_kept() {
    for bits in [64, 65, 80, 127, 128, 129, 192, 256] {
        for safe in [false, true] {
            for (r, q) in [(0u64, 1u64), (3, 4), (11, 12), (23, 120), (47, 100), (1_000_003, 65_537), (5, 6), (7, 8)] {
                for top_bits in [1, 2] {
                    for threads in [1, 2] {
                        let residue = (r.into(), q.into());
                        let prime = PrimeOptions::default()
                            .with_safe(safe)
                            .with_residue(Some((&residue.0, &residue.1)))
                            .with_top_bits(top_bits);
                        let options = Options::default().with_threads(NonZeroUsize::new(threads));
                        let p = value(&random_secret_prime(bits, &prime, &options).unwrap());
                        assert!(is_prime(&p), "{p}");
                        assert!(!safe || is_prime(&shifted(&p, 1)), "{p}");
                        assert!(p.bits() == bits && (top_bits == 1 || p.bit(bits - 2)), "{p}");
                        assert_eq!(rest(&p, q), r % q, "{p}");
                    }
                }
            }
        }
    }
}

#[test]
fn conditions_that_no_secret_fits_are_refused() {
    let of = |bits, prime: &PrimeOptions<'_>| random_secret_prime(bits, prime, &Options::default()).unwrap_err();
    let residue = |r: u64, q: u64| (Natural::from(r), Natural::from(q));
    let usual = PrimeOptions::default();
    assert_eq!(of(63, &usual).code(), "bad_argument");
    assert_eq!(of(0, &usual).code(), "bad_argument");
    assert_eq!(of(128, &usual.with_top_bits(3)).code(), "bad_argument");
    assert_eq!(of(128, &usual.with_proof(true)).code(), "bad_argument");
    assert_eq!(of(128, &usual.with_rounds(Some(0))).code(), "bad_argument");
    assert_eq!(of(1 << 25, &usual).code(), "too_long");
    for (safe, r, q, code) in [
        (false, 0, 0, "zero_modulus"),
        (false, 2, 4, "bad_argument"),
        (false, 0, 3, "bad_argument"),
        (false, 4, 8, "bad_argument"),
        (false, 1 << 40, 1 << 50, "bad_argument"),
        (false, 1, 1 << 33, "bad_argument"),
        (true, 1, 4, "bad_argument"),
        (true, 1, 3, "bad_argument"),
        (true, 1, 5, "bad_argument"),
        (true, 11, 35, "bad_argument"),
        (true, 5, 8, "bad_argument"),
    ] {
        let residue = residue(r, q);
        let prime = usual.with_safe(safe).with_residue(Some((&residue.0, &residue.1)));
        let error = of(64, &prime);
        assert_eq!(error.code(), code, "{r} modulo {q}: {error}");
    }
    let late = Options::default().with_deadline(Some(Instant::now()));
    assert!(matches!(random_secret_prime(512, &usual, &late), Err(Error::Interrupted)));
    let broken = |_: &mut [u8]| Err(Error::Fault("no numbers"));
    let error = random_secret_prime(512, &usual.with_source(Some(&broken)), &Options::default());
    assert_eq!(error.unwrap_err().code(), "fault");
}

/// FIPS 186-5, table B.1 \[nist2023dss\], has these numbers of rounds for p and q of RSA of these lengths, at errors of 2^-112, 2^-128 and
/// 2^-144; its other column, at 2^-100, has 4, 3 and 2.
#[test]
fn rounds_are_those_of_the_standard() {
    assert_eq!([1024, 1536, 2048].map(secret_rounds), [5, 4, 4]);
    assert_eq!(secret_rounds(64), 50);
    assert!((64..4096).all(|bits| (2..=56).contains(&secret_rounds(bits))));
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[test]
fn pairs_keep_their_conditions() {
    let exponents = [3u64, 5, 15, 17, 65_537, 3 * 5 * 7 * 11 * 13, (1 << 32) + 1, u64::MAX];
    for bits in [128, 130, 256, 384, 512] {
        for e in exponents {
            let kind = PairKind::Rsa(e.into());
            let pair = prime_pair(bits, &kind, &PrimeOptions::default(), &Options::default()).unwrap();
            let (p, q) = (value(&pair.p), value(&pair.q));
            check_pair(bits, &p, &q);
            for p in [p, q] {
                assert_eq!(greatest_common_divisor(rest(&less_1(&p), e), e), 1, "{p}, {e}");
            }
        }
        for (kind, safe) in [(PairKind::Paillier, false), (PairKind::Safe, true), (PairKind::Rsa(7u64.into()), true)] {
            if safe && bits > 256 {
                continue;
            }
            let prime = PrimeOptions::default().with_safe(safe);
            let pair = prime_pair(bits, &kind, &prime, &Options::default()).unwrap();
            let (p, q) = (value(&pair.p), value(&pair.q));
            check_pair(bits, &p, &q);
            assert!(!safe || is_prime(&shifted(&p, 1)) && is_prime(&shifted(&q, 1)));
        }
    }
}

fn check_pair(bits: u64, p: &Natural, q: &Natural) {
    assert!(p != q && is_prime(p) && is_prime(q), "{p} {q}");
    for p in [p, q] {
        assert_eq!(p.bits(), bits / 2);
        // 0xb504f333f9de6484 2^-64 is the square root of 1/2.
        let top: u64 = (1..=64).fold(0, |top, place| top << 1 | u64::from(p.bit(bits / 2 - place)));
        assert!(top >= 0xb504_f333_f9de_6484, "{p}");
    }
}

#[test]
fn pairs_that_cannot_be_are_refused() {
    let of = |bits, kind: &PairKind, residue: Option<(u64, u64)>| {
        let residue = residue.map(|(r, q)| (Natural::from(r), Natural::from(q)));
        let prime = PrimeOptions::default().with_residue(residue.as_ref().map(|(r, q)| (r, q)));
        prime_pair(bits, kind, &prime, &Options::default()).unwrap_err().code()
    };
    let rsa = |e: u64| PairKind::Rsa(e.into());
    assert_eq!(of(127, &rsa(3), None), "bad_argument");
    assert_eq!(of(126, &rsa(3), None), "bad_argument");
    for e in [0, 1, 2, 4, 65_536] {
        assert_eq!(of(512, &rsa(e), None), "bad_argument", "{e}");
    }
    assert_eq!(of(512, &PairKind::Rsa(Natural::from_limbs(&[1, 1])), None), "bad_argument");
    assert_eq!(of(512, &rsa(3), Some((1, 3))), "bad_argument");
    assert_eq!(of(512, &rsa(15), Some((11, 20))), "bad_argument");
    assert_eq!(of(512, &rsa(3), Some((1, 0))), "zero_modulus");
}

/// The search for a safe prime of this length would take minutes.
#[test]
fn a_search_reports_and_stops() {
    let prime = PrimeOptions::default().with_safe(true);
    stops_and_reports(|options| random_secret_prime(6000, &prime, options).map(drop));
}
