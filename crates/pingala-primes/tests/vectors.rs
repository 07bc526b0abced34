//! Numbers of known kinds: `is_prime`, `is_prime_list` and `is_prime_words` give the right answer, and the same one.

use pingala_core::{Integer, Natural, Options};
use pingala_primes::{ROUNDS, is_prime, is_prime_list, is_prime_words, next_prime, previous_prime};

/// The kind, whether it is prime, and the number.
fn numbers() -> Vec<(String, bool, Integer)> {
    let lines = include_str!("data/numbers.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (kind, digits) = line.rsplit_once(' ').expect("a kind and a number");
            (kind.to_string(), kind == "prime", format!("0x{digits}").parse().expect("hexadecimal digits"))
        })
        .collect()
}

#[test]
fn every_kind_is_told() {
    let options = Options::default();
    let all = numbers();
    assert!(all.len() > 500);
    let values: Vec<Integer> = all.iter().map(|(.., n)| n.clone()).collect();
    for rounds in [0, 1, 3] {
        let list = is_prime_list(&values, rounds, &options).unwrap();
        for ((kind, prime, n), answer) in all.iter().zip(&list) {
            assert_eq!(answer.prime, *prime, "{kind} {n}");
            assert_eq!(*answer, is_prime(n, rounds, &options).unwrap(), "{kind} {n}");
            assert_eq!(answer.proved, !prime || n.magnitude().bits() <= 64, "{kind} {n}");
            let bound = if answer.proved { 0.0 } else { 0.25f64.powi(rounds as i32) };
            assert_eq!(answer.error_bound, bound);
            assert!(answer.random_error_bound <= bound && (bound == 0.0) == (answer.random_error_bound == 0.0));
        }
    }
    let words: Vec<(bool, u64)> = all
        .iter()
        .filter(|(.., n)| n.magnitude().bits() <= 64)
        .map(|(_, prime, n)| (*prime, n.magnitude().limbs().first().copied().unwrap_or(0)))
        .collect();
    for skipped in 0..5 {
        let column: Vec<u64> = words[skipped..].iter().map(|(_, n)| *n).collect();
        let mut out = vec![false; column.len()];
        is_prime_words(&column, &mut out, &options).unwrap();
        assert!(out.iter().zip(&words[skipped..]).all(|(out, (prime, _))| out == prime));
    }
}

#[test]
fn negatives_and_the_least_numbers() {
    let options = Options::default();
    for (n, prime) in
        [(-7i64, false), (-2, false), (-1, false), (0, false), (1, false), (2, true), (3, true), (4, false)]
    {
        let answer = is_prime(&n.into(), ROUNDS, &options).unwrap();
        assert!(answer.prime == prime && answer.proved, "{n}");
    }
    let long: Integer = "-170141183460469231731687303715884105727".parse().unwrap();
    assert!(!is_prime(&long, ROUNDS, &options).unwrap().prime);
    assert!(is_prime_list(&[], ROUNDS, &options).unwrap().is_empty());
}

#[test]
fn neighbours_of_primes_are_found() {
    let options = Options::default();
    for (kind, prime, n) in numbers() {
        let bits = n.magnitude().bits();
        if !prime || bits > 520 || n.magnitude().limbs() == [2] {
            continue;
        }
        let before = previous_prime(&n, &options).unwrap();
        assert_eq!(Integer::from(next_prime(&Integer::from(&before), &options).unwrap()), n, "{kind} {n}");
        let after = next_prime(&n, &options).unwrap();
        assert_eq!(Integer::from(previous_prime(&Integer::from(&after), &options).unwrap()), n, "{kind} {n}");
    }
    for n in 0..200u64 {
        let next = next_prime(&n.into(), &options).unwrap();
        let plain = (n + 1..).find(|m| *m > 1 && (2..*m).all(|d| m % d != 0)).unwrap();
        assert_eq!(next, Natural::from(plain));
    }
}
