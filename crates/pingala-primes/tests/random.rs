//! Random primes.

mod common;

use common::{Seeded, is_prime, rest, shifted, stops_and_reports};
use pingala_core::{Error, Natural, Options};
use pingala_primes::{Certificate, PrimeOptions, estimate_random_prime, random_prime, random_secret_prime};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Instant;

fn check(p: &Natural, bits: u64, safe: bool, (r, q): (u64, u64), top_bits: u32) {
    assert!(is_prime(p), "{p}");
    assert!(!safe || is_prime(&shifted(p, 1)), "{p} is not safe");
    assert!(p.bits() == bits && (top_bits == 1 || p.bit(bits - 2)), "{p}");
    assert_eq!(rest(p, q), r % q, "{p} modulo {q}");
}

#[test]
fn every_combination_of_conditions_is_kept() {
    let residues = [(0, 1), (3, 4), (11, 12), (23, 120), (5, 6), (7, 8), (1_000_003, 65_537), (17, 1 << 20)];
    for bits in [17, 18, 24, 31, 32, 33, 48, 63, 64, 65, 66, 80, 100, 128, 129, 160, 255, 256] {
        for safe in [false, true] {
            for (r, q) in residues {
                for top_bits in [1, 2] {
                    for (uniform, proof) in [(false, false), (true, false), (false, true)] {
                        let residue = (r.into(), q.into());
                        let prime = PrimeOptions::default()
                            .with_safe(safe)
                            .with_residue(Some((&residue.0, &residue.1)))
                            .with_top_bits(top_bits)
                            .with_uniform(uniform)
                            .with_proof(proof);
                        let threads = NonZeroUsize::new(1 + bits as usize % 2);
                        let options = Options::default().with_threads(threads);
                        // Nothing but 17 modulo 2^20 fits where there are few numbers.
                        let found = random_prime(bits, &prime, &options);
                        let p = match found {
                            Err(Error::BadArgument(_)) if q > 65_000 && bits < 66 || q == 1 << 20 && safe => continue,
                            found => found.unwrap_or_else(|error| panic!("{bits} bits, {prime:?}: {error}")),
                        };
                        check(p.value(), bits, safe, (r, q), top_bits);
                        assert!(p.primality().prime && p.primality().proved == (proof || bits <= 64));
                        assert_eq!(p.certificate().is_some(), proof);
                        if let Some(certificate) = p.certificate() {
                            let read = Certificate::check(&certificate.to_string(), &options).unwrap();
                            assert!(read == *certificate && read.prime() == *p.value());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn middle_lengths() {
    for bits in [384, 512, 768] {
        for uniform in [false, true] {
            let prime = PrimeOptions::default().with_uniform(uniform);
            check(random_prime(bits, &prime, &Options::default()).unwrap().value(), bits, false, (0, 1), 1);
        }
        let prime = PrimeOptions::default().with_safe(true);
        check(random_prime(bits, &prime, &Options::default()).unwrap().value(), bits, true, (0, 1), 1);
        let prime = PrimeOptions::default().with_proof(true);
        check(random_prime(bits, &prime, &Options::default()).unwrap().value(), bits, false, (0, 1), 1);
    }
}

/// All primes of the shortest lengths, safe or not, and nothing else.
#[test]
fn short_primes_are_exactly_those_that_fit() {
    let source = Seeded::new(1);
    let fill = |bytes: &mut [u8]| source.fill(bytes);
    for bits in 2..=9u64 {
        for safe in [false, true] {
            for top_bits in [1, 2] {
                for q in 1..=8u64 {
                    for r in 0..q {
                        let fits = |&p: &u64| {
                            let n = Natural::from(p);
                            (top_bits == 1 || n.bit(bits - 2))
                                && p % q == r
                                && is_prime(&n)
                                && (!safe || is_prime(&((p - 1) / 2).into()))
                        };
                        let all: Vec<u64> = (1 << (bits - 1)..1 << bits).filter(fits).collect();
                        let residue = (r.into(), q.into());
                        let prime = PrimeOptions::default()
                            .with_safe(safe)
                            .with_top_bits(top_bits)
                            .with_residue(Some((&residue.0, &residue.1)))
                            .with_source(Some(&fill));
                        let draw = || random_prime(bits, &prime, &Options::default());
                        if all.is_empty() {
                            assert_eq!(draw().unwrap_err().code(), "bad_argument", "{bits} {prime:?}");
                            continue;
                        }
                        let mut found: Vec<u64> =
                            (0..20 * all.len()).map(|_| draw().unwrap().value().limbs()[0]).collect();
                        found.sort_unstable();
                        found.dedup();
                        // One of a few hundred is missed with probability e^-20.
                        assert_eq!(found, all, "{bits} {prime:?}");
                    }
                }
            }
        }
    }
    // 2 and 3, and the first safe primes, 5 to 23.
    let of = |bits, safe| {
        let prime = PrimeOptions::default().with_safe(safe);
        random_prime(bits, &prime, &Options::default()).map(|p| p.value().limbs()[0])
    };
    assert!(matches!(of(2, false), Ok(2 | 3)) && matches!(of(3, true), Ok(5 | 7)));
    assert!(matches!(of(4, true), Ok(11)) && matches!(of(5, true), Ok(23)));
    assert!(of(2, true).is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    let of = |bits, prime: &PrimeOptions<'_>| random_prime(bits, prime, &Options::default()).unwrap_err();
    let usual = PrimeOptions::default();
    for bits in [0, 1] {
        assert_eq!(of(bits, &usual).code(), "bad_argument");
        assert_eq!(of(bits, &usual.with_proof(true)).code(), "bad_argument");
    }
    assert_eq!(of(64, &usual.with_top_bits(0)).code(), "bad_argument");
    assert_eq!(of(64, &usual.with_top_bits(3)).code(), "bad_argument");
    for bits in [1 << 30, 1 << 40, u64::MAX] {
        assert_eq!(of(bits, &usual).code(), "too_long");
        assert_eq!(random_secret_prime(bits, &usual, &Options::default()).unwrap_err().code(), "too_long");
        for secret in [false, true] {
            let estimate = estimate_random_prime(bits, &usual, secret, &Options::default());
            assert_eq!(estimate.unwrap_err().code(), "too_long");
        }
    }
    assert_eq!(of(100, &usual.with_proof(true).with_uniform(true)).code(), "bad_argument");
    for bits in [16, 17, 64, 65, 200] {
        for proof in [false, true] {
            for uniform in [false, !proof] {
                for (safe, r, q, code) in [
                    (false, 1u64, 0u64, "zero_modulus"),
                    (false, 2, 4, "bad_argument"),
                    (false, 0, 3, "bad_argument"),
                    (false, 21, 49, "bad_argument"),
                    (true, 1, 4, "bad_argument"),
                    (true, 1, 3, "bad_argument"),
                    (true, 1, 5, "bad_argument"),
                    (true, 11, 35, "bad_argument"),
                    (true, 5, 8, "bad_argument"),
                ] {
                    let residue = (Natural::from(r), Natural::from(q));
                    let residue = Some((&residue.0, &residue.1));
                    let prime = usual.with_safe(safe).with_residue(residue).with_uniform(uniform).with_proof(proof);
                    let error = of(bits, &prime);
                    assert_eq!(error.code(), code, "{bits} {prime:?}: {error}");
                }
            }
        }
    }
    // Few numbers fit, and none is prime: the multiples of 3 next to 2^100, and one number.
    let (r, q) = ("0x8000000000000000000000001".parse().unwrap(), "0x8000000000000000000000000".parse().unwrap());
    for uniform in [false, true] {
        let prime = usual.with_residue(Some((&r, &q))).with_uniform(uniform);
        let found = random_prime(100, &prime, &Options::default());
        assert_eq!(found.unwrap_err().code(), "bad_argument");
    }
    let broken = |_: &mut [u8]| Err(Error::Fault("no numbers"));
    for bits in [10, 30, 300] {
        assert_eq!(of(bits, &usual.with_source(Some(&broken))).code(), "fault");
    }
}

/// A source of the caller gives one prime, on however many threads.
#[test]
fn a_source_gives_one_prime_on_any_number_of_threads() {
    for (bits, safe) in [(70, false), (300, true), (2048, false)] {
        let drawn = |threads| {
            let state = std::sync::Mutex::new(bits | 1);
            let fill = |bytes: &mut [u8]| {
                let mut state = state.lock().unwrap();
                for byte in bytes {
                    *state =
                        u64::wrapping_mul(*state, 6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    *byte = (*state >> 56) as u8;
                }
                Ok(())
            };
            let prime = PrimeOptions::default().with_safe(safe).with_source(Some(&fill));
            let options = Options::default().with_threads(NonZeroUsize::new(threads));
            random_prime(bits, &prime, &options).unwrap().value().clone()
        };
        let one = drawn(1);
        assert!([2, 3, 16].into_iter().all(|threads| drawn(threads) == one), "{bits}");
    }
}

/// A prime that divides the modulus of its residue is the only one that fits.
#[test]
fn a_prime_that_divides_the_modulus_of_its_residue_is_found() {
    let options = Options::default();
    let mersenne: Natural = "170141183460469231731687303715884105727".parse().unwrap();
    assert_eq!(mersenne.bits(), 127);
    let double = Natural::from_be_bytes(&[&[0], &[0xff; 15][..], &[0xfe]].concat());
    let (zero, one) = (Natural::default(), Natural::from(1u64));
    let safe = Natural::from(100_043u64);
    let three_times = Natural::from(300_129u64);
    for uniform in [false, true] {
        let of = |bits, r, q, safe| {
            let prime = PrimeOptions::default().with_residue(Some((r, q))).with_uniform(uniform).with_safe(safe);
            random_prime(bits, &prime, &options).map(|found| found.value().clone())
        };
        assert_eq!(of(127, &zero, &mersenne, false).unwrap(), mersenne);
        assert_eq!(of(127, &mersenne, &double, false).unwrap(), mersenne);
        assert_eq!(of(17, &safe, &three_times, true).unwrap(), safe);
        for (bits, r, q, is_safe) in [(126, &zero, &mersenne, false), (127, &zero, &mersenne, true)] {
            let prime = PrimeOptions::default().with_residue(Some((r, q))).with_uniform(uniform).with_safe(is_safe);
            assert_eq!(of(bits, r, q, is_safe).unwrap_err().code(), "bad_argument", "{bits} {r}");
            let estimate = estimate_random_prime(bits, &prime, false, &options);
            assert!(estimate.is_err(), "{bits} {r}");
        }
        assert_eq!(of(127, &one, &one, true).unwrap().bits(), 127);
    }
}

/// Pearson's chi-squared against equal probabilities: mean k - 1, variance 2 (k - 1).
fn chi_squared(counts: &BTreeMap<u64, u64>, cells: usize) -> f64 {
    let total: u64 = counts.values().sum();
    let expected = total as f64 / cells as f64;
    let seen: f64 = counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let statistic = seen + (cells - counts.len()) as f64 * expected;
    (statistic - (cells as f64 - 1.0)) / (2.0 * (cells as f64 - 1.0)).sqrt()
}

#[test]
fn uniform_primes_have_equal_probabilities() {
    let source = Seeded::new(4);
    let fill = |bytes: &mut [u8]| source.fill(bytes);
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    // Listed; from a window with all; safe ones; and, with a residue, from the greatest lengths whose numbers are few.
    for (bits, safe, r, q) in [
        (8u64, false, 0u64, 1u64),
        (12, true, 0, 1),
        (17, true, 0, 1),
        (20, false, 1, 1001),
        (24, true, 23, 5040),
        (40, false, 1, 1 << 27),
    ] {
        let residue = (r.into(), q.into());
        let prime = PrimeOptions::default()
            .with_uniform(true)
            .with_safe(safe)
            .with_residue(Some((&residue.0, &residue.1)))
            .with_source(Some(&fill));
        let first = (1u64 << (bits - 1)) / q * q;
        let numbers = (0..=(1 << (bits - 1)) / q + 1).map(|k| first + k * q + r % q);
        let fits = |&p: &u64| {
            64 - p.leading_zeros() as u64 == bits && is_prime(&p.into()) && (!safe || is_prime(&((p - 1) / 2).into()))
        };
        let cells = numbers.filter(fits).count();
        let mut counts = BTreeMap::new();
        for _ in 0..cells * 60 {
            let p = random_prime(bits, &prime, &options).unwrap();
            *counts.entry(p.value().limbs()[0]).or_insert(0) += 1;
        }
        let z = chi_squared(&counts, cells);
        assert!(counts.len() <= cells && z.abs() < 4.0, "{bits} bits, {cells} cells: {z}");
    }
}

/// Primes of 36 bits modulo a word: classes have equal numbers of primes, nearly, and so equal probabilities when each is drawn afresh.
#[test]
fn primes_that_are_drawn_afresh_fill_classes_equally() {
    let source = Seeded::new(9);
    let fill = |bytes: &mut [u8]| source.fill(bytes);
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    let prime = PrimeOptions::default().with_uniform(true).with_source(Some(&fill));
    let (mut of_210, mut high) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..10_000 {
        let p = random_prime(36, &prime, &options).unwrap().value().limbs()[0];
        *of_210.entry(p % 210).or_insert(0) += 1;
        // The share of primes falls by 2% from 2^35 to 2^36: less than what so few show.
        *high.entry(p >> 30).or_insert(0) += 1;
    }
    for (counts, cells) in [(of_210, 48), (high, 32)] {
        let z = chi_squared(&counts, cells);
        assert!(z.abs() < 4.0, "{z}");
    }
}

/// The search for a safe prime of this length would take minutes.
#[test]
fn a_search_reports_and_stops() {
    for (uniform, proof) in [(false, false), (true, false), (false, true)] {
        let prime = PrimeOptions::default().with_safe(true).with_uniform(uniform).with_proof(proof);
        stops_and_reports(|options| random_prime(5000, &prime, options).map(drop));
    }
    let late = Options::default().with_deadline(Some(Instant::now()));
    assert!(matches!(random_prime(512, &PrimeOptions::default(), &late), Err(Error::Interrupted)));
}

#[test]
fn estimates() {
    let options = Options::default();
    let of = |bits, prime: &PrimeOptions<'_>, secret| estimate_random_prime(bits, prime, secret, &options).unwrap();
    let usual = PrimeOptions::default();
    let (plain, safe) = (of(512, &usual, false), of(512, &usual.with_safe(true), false));
    assert!((5.0..60.0).contains(&plain.tests) && (30.0..2000.0).contains(&safe.tests), "{plain:?} {safe:?}");
    assert!(plain.seconds > 0.0 && safe.seconds > plain.seconds);
    assert!(of(512, &usual, true).seconds > 0.0 && of(10, &usual, false).seconds == 0.0);
    assert_eq!(estimate_random_prime(1, &usual, false, &options).unwrap_err().code(), "bad_argument");
    assert_eq!(estimate_random_prime(1 << 30, &usual, false, &options).unwrap_err().code(), "too_long");
    for (bits, prime) in [(63, usual), (64, usual.with_proof(true)), (64, usual.with_rounds(Some(0)))] {
        assert_eq!(estimate_random_prime(bits, &prime, true, &options).unwrap_err().code(), "bad_argument");
    }
}
