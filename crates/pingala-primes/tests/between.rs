//! The primes of intervals, the next ones and the previous ones agree.

use pingala_core::{Integer, Natural, Options, Watch};
use pingala_primes::{
    ROUNDS, is_prime, is_prime_list, next_prime, previous_prime, prime_words_between, primes_between,
};

fn number(text: &str) -> Integer {
    text.parse().unwrap()
}

fn plus(n: &Integer, offset: u64) -> Integer {
    let sum = n.magnitude().to_string().parse::<u128>().unwrap() + u128::from(offset);
    Natural::from(sum).into()
}

#[test]
fn intervals_agree_with_the_list() {
    let options = Options::default();
    for start in [
        "0",
        "1",
        "2",
        "3",
        "1000",
        "65521",
        "4294967000",
        "281474976710000",
        "18446744073709551000",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617",
        "340282366920938463463374607431768200000",
    ] {
        let a = number(start);
        for width in [0u64, 1, 2, 3, 50, 1500] {
            let b = match width {
                0 => a.clone(),
                width => plus(&a, width),
            };
            let primes = primes_between(&a, &b, &options).unwrap();
            let all: Vec<Integer> = (0..width).map(|offset| plus(&a, offset)).collect();
            let answers = is_prime_list(&all, ROUNDS, &options).unwrap();
            let plain: Vec<Natural> = all
                .iter()
                .zip(answers)
                .filter(|(_, answer)| answer.prime)
                .map(|(n, _)| n.magnitude().clone())
                .collect();
            assert_eq!(primes, plain, "{start} + {width}");
            for pair in primes.windows(2) {
                assert_eq!(next_prime(&Integer::from(&pair[0]), &options).unwrap(), pair[1]);
                assert_eq!(previous_prime(&Integer::from(&pair[1]), &options).unwrap(), pair[0]);
            }
        }
    }
    assert_eq!(primes_between(&0u64.into(), &10_000_000u64.into(), &options).unwrap().len(), 664_579);
    assert!(primes_between(&9u64.into(), &2u64.into(), &options).unwrap().is_empty());
    assert_eq!(primes_between(&number("-9"), &3u64.into(), &options).unwrap(), [Natural::from(2u64)]);
}

/// The primes of words are those of the sieve of longer numbers, next to 2^64 too, where one list has both.
#[test]
fn words_and_longer_numbers_agree() {
    let options = Options::default();
    for (a, b) in [
        ("-5", "100000"),
        ("2", "3"),
        ("3", "4"),
        ("999999000000", "1000000100000"),
        ("18446744073709500000", "18446744073709551615"),
        ("18446744073709551556", "18446744073709551557"),
        ("18446744073709551557", "18446744073709551558"),
    ] {
        let (a, b) = (number(a), number(b));
        let primes = primes_between(&a, &b, &options).unwrap();
        let words = prime_words_between(&a, &b, &options).unwrap().unwrap();
        assert_eq!(words.iter().map(|&word| Natural::from(word)).collect::<Vec<_>>(), primes);
        // Up to above 2^64 it is the sieve of longer numbers.
        let beyond = plus(&b, 0).magnitude().bits() == 64;
        if beyond {
            let more = primes_between(&a, &number("18446744073709551700"), &options).unwrap();
            assert_eq!(more[..primes.len()], primes);
            assert!(more.len() > primes.len());
        }
    }
    let counted = prime_words_between(&number("1000000000000"), &number("1000001000000"), &options).unwrap().unwrap();
    assert_eq!((counted.len(), counted[0], counted[36_248]), (36_249, 1_000_000_000_039, 1_000_000_999_999));
    assert_eq!(prime_words_between(&number("0"), &number("18446744073709551616"), &options).unwrap(), None);
    assert_eq!(prime_words_between(&number("9"), &number("2"), &options).unwrap(), Some(Vec::new()));
    let refused = prime_words_between(&number("0"), &number("18446744073709551615"), &options);
    assert_eq!(refused.unwrap_err().code(), "too_long");
}

#[test]
fn long_intervals_are_refused() {
    let refused = primes_between(&0u64.into(), &number("1000000000000000000000"), &Options::default());
    assert_eq!(refused.unwrap_err().code(), "too_long");
    let long: Integer = Natural::from_limbs(&[1; 20]).into();
    let capped = Options::default().with_limits(pingala_core::Limits::new(1000, 1000));
    assert_eq!(next_prime(&long, &capped).unwrap_err().code(), "too_long");
    assert_eq!(previous_prime(&long, &capped).unwrap_err().code(), "too_long");
    assert_eq!(primes_between(&long, &plus(&3u64.into(), 4), &capped).unwrap().len(), 0);
    assert_eq!(primes_between(&3u64.into(), &long, &capped).unwrap_err().code(), "too_long");
    assert_eq!(is_prime(&long, 1, &capped).unwrap_err().code(), "too_long");
    assert!(is_prime_list(&[3u64.into(), long], 1, &capped).is_err());
    for n in ["2", "1", "0", "-5"] {
        assert_eq!(previous_prime(&number(n), &Options::default()).unwrap_err().code(), "bad_argument");
    }
    assert_eq!(next_prime(&number("-5"), &Options::default()).unwrap(), Natural::from(2u64));
    assert_eq!(previous_prime(&number("3"), &Options::default()).unwrap(), Natural::from(2u64));
}

/// Says stop.
struct Stop;

impl Watch for Stop {
    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn all_calls_stop() {
    let options = Options::default().with_watch(Some(&Stop));
    let long: Integer = Natural::from_limbs(&[1; 33]).into();
    assert_eq!(next_prime(&long, &options).unwrap_err().code(), "interrupted");
    assert_eq!(previous_prime(&long, &options).unwrap_err().code(), "interrupted");
    assert_eq!(primes_between(&1u64.into(), &100u64.into(), &options).unwrap_err().code(), "interrupted");
    assert_eq!(is_prime_list(&[long.clone(), long], ROUNDS, &options).unwrap_err().code(), "interrupted");
    let mut out = [true; 3];
    assert!(pingala_primes::is_prime_words(&[3, 5, 7], &mut out, &options).is_err());
    assert_eq!(out, [false; 3]);
}

/// Numbers above the cap are not tested with those below it.
#[test]
fn the_next_prime_may_be_next_to_the_cap() {
    let options = Options::default().with_limits(pingala_core::Limits::new(127, 127));
    let mersenne = number("170141183460469231731687303715884105727");
    let before = previous_prime(&mersenne, &options).unwrap();
    assert_eq!(next_prime(&before.into(), &options).unwrap(), *mersenne.magnitude());
    assert_eq!(next_prime(&mersenne, &options).unwrap_err().code(), "too_long");
}

/// A factor above 1,000 is found before a power, which would hear the stop.
#[test]
fn small_factors_need_no_power() {
    let options = Options::default().with_watch(Some(&Stop));
    for (bits, factors) in [(256, vec![1009u64, 1531]), (512, vec![1009, 7129]), (1024, vec![1009, 10_007, 32_749])] {
        // With the factor about so many bits.
        let limbs = [vec![u64::MAX; bits / 64 - 1], vec![u64::MAX >> 11]].concat();
        let prime = previous_prime(&Natural::from_limbs(&limbs).into(), &Options::default()).unwrap();
        for factor in factors {
            let product = prime.to_string().parse::<dashu_int::UBig>().unwrap() * factor;
            let answer = is_prime(&number(&product.to_string()), ROUNDS, &options).unwrap();
            assert!(!answer.prime && answer.proved, "{factor}, {bits} bits");
        }
        assert_eq!(is_prime(&prime.into(), ROUNDS, &options).unwrap_err().code(), "interrupted");
    }
}
