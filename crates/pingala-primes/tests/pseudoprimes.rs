//! Strong pseudoprimes to the base 2 below 2^64, by the thousand: products (k + 1)(r k + 1), as most of those with two prime factors are
//! \[pomerance1980pseudoprimes\], and all numbers of a file.
//!
//! `PINGALA_PSEUDOPRIMES_SECONDS=600` goes on for so long; `PINGALA_PSEUDOPRIMES_FILE=PATH` names a list such as Feitsma's
//! \[feitsma2013pseudoprimes\], decimal numbers with a line each, or words of 8 bytes, least significant first: `make -C hardening pseudoprimes`.

mod common;

use common::Seeded;
use pingala_core::{Integer, Options};
use pingala_primes::{is_prime, is_prime_list, is_prime_words};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

/// Whether n, an odd number above 2, passes the strong test to the base 2.
fn is_strong_to_two(n: u64) -> bool {
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    let mut x = 1;
    for position in (0..64 - odd.leading_zeros()).rev() {
        x = mul(x, x);
        if odd >> position & 1 == 1 {
            x = mul(x, 2);
        }
    }
    (0..twos).any(|round| {
        let passes = x == n - 1 || round == 0 && x == 1;
        x = mul(x, x);
        passes
    })
}

/// None of these composites is called prime, alone, in a list or in a column.
fn are_refused(composites: &[u64]) {
    let mut out = vec![true; composites.len()];
    is_prime_words(composites, &mut out, &Options::default()).unwrap();
    let called_prime = composites.iter().zip(&out).find(|(_, prime)| **prime);
    assert_eq!(called_prime, None);
    let numbers: Vec<Integer> = composites.iter().map(|&n| n.into()).collect();
    assert!(is_prime_list(&numbers, 0, &Options::default()).unwrap().iter().all(|answer| !answer.prime));
    assert!(numbers.iter().step_by(16).all(|n| !is_prime(n, 0, &Options::default()).unwrap().prime));
}

#[test]
fn products_of_two() {
    const AT_ONCE: usize = 4096;
    let seconds = std::env::var("PINGALA_PSEUDOPRIMES_SECONDS").ok();
    let seconds: u64 = seconds.as_ref().map_or(0, |seconds| seconds.parse().expect("seconds"));
    // Other numbers in each long run.
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let random = Seeded::new(if seconds > 0 { since_1970.as_nanos() as u64 } else { 43 });
    let started = Instant::now();
    let mut found = Vec::new();
    let (mut tested, mut batches) = (0u64, 0);
    while batches < 60 || started.elapsed() < Duration::from_secs(seconds) {
        batches += 1;
        let r = 2 + random.next() % 30;
        // r k^2 < 2^64; shorter ones too.
        let most = ((u64::MAX / r) as f64).sqrt() as u64 - 2;
        let first = (random.next() % (most >> (random.next() % 12)).max(1 << 14)) & !1;
        let ks = (first.max(2)..).step_by(2).take_while(|&k| k < most).take(AT_ONCE);
        let ks: Vec<u64> = ks.collect();
        let primes = |of: &dyn Fn(u64) -> u64| {
            let words: Vec<u64> = ks.iter().map(|&k| of(k)).collect();
            let mut out = vec![false; words.len()];
            is_prime_words(&words, &mut out, &Options::default()).unwrap();
            out
        };
        let (left, right) = (primes(&|k| k + 1), primes(&|k| r * k + 1));
        for ((&k, left), right) in ks.iter().zip(left).zip(right) {
            if left && right {
                tested += 1;
                let n = (k + 1) * (r * k + 1);
                if is_strong_to_two(n) {
                    found.push(n);
                }
            }
        }
        if found.len() > AT_ONCE {
            are_refused(&found);
            found.clear();
        }
    }
    are_refused(&found);
    println!("{tested} products of two primes, the last {} strong pseudoprimes: {:?}", found.len(), found.iter().max());
    assert!(tested > 500 && (seconds > 0 || found.len() > 50), "{tested} {}", found.len());
}

/// No number of the file that the environment names is called prime. Of each line the first number counts, whatever letters stand before it
/// and factors behind; or the file has words of 8 bytes.
#[test]
fn the_numbers_of_a_file() {
    let Ok(path) = std::env::var("PINGALA_PSEUDOPRIMES_FILE") else { return };
    let mut file = BufReader::with_capacity(1 << 20, File::open(&path).expect("the file"));
    let is_mark = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace() || b"CS".contains(byte);
    let is_text = file.fill_buf().expect("the file").iter().take(1000).all(is_mark);
    let (mut numbers, mut count, mut strong) = (Vec::new(), 0u64, 0u64);
    let mut refuse = |numbers: &mut Vec<u64>| {
        are_refused(numbers);
        count += numbers.len() as u64;
        strong += numbers.iter().filter(|&&n| is_strong_to_two(n)).count() as u64;
        numbers.clear();
    };
    let mut line = Vec::new();
    while !file.fill_buf().expect("the file").is_empty() {
        let number = if is_text {
            line.clear();
            file.read_until(b'\n', &mut line).expect("a line");
            let text = core::str::from_utf8(&line).expect("text");
            let first = text.split_ascii_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            first.map(|number| number.parse().expect("a number below 2^64"))
        } else {
            let mut word = [0; 8];
            file.read_exact(&mut word).expect("a whole word");
            Some(u64::from_le_bytes(word))
        };
        numbers.extend(number);
        if numbers.len() == 1 << 16 {
            refuse(&mut numbers);
        }
    }
    refuse(&mut numbers);
    assert!(strong > 0, "{path} has no strong pseudoprime");
    println!("{count} numbers of {path}, {strong} of them strong pseudoprimes");
}
