//! Times of tests of primality, of the next prime and of words, on one thread. Reads numbers in hexadecimal from the file that is named: the lines
//! `test N`, `next N`; prints the seconds of each kind and a sum of the answers, for a script to compare.

use pingala_core::{Integer, Natural, Options};
use pingala_primes::{ROUNDS, is_prime_list, is_prime_words, next_prime};
use std::num::NonZeroUsize;
use std::time::Instant;

fn main() {
    let path = std::env::args().nth(1).expect("the name of a file");
    let text = std::fs::read_to_string(path).expect("a file");
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    let of = |kind: &str| -> Vec<Integer> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        lines.map(|number| format!("0x{}", number.trim()).parse().expect("a number")).collect()
    };
    let tests = of("test ");
    if !tests.is_empty() {
        is_prime_list(&tests[..tests.len().min(64)], ROUNDS, &options).expect("answers");
        let start = Instant::now();
        let answers = is_prime_list(&tests, ROUNDS, &options).expect("answers");
        println!("test {:.6} {}", start.elapsed().as_secs_f64(), answers.iter().filter(|answer| answer.prime).count());
    }
    let starts = of("next ");
    if !starts.is_empty() {
        next_prime(&starts[0], &options).expect("a prime");
        let start = Instant::now();
        let primes: Vec<Natural> = starts.iter().map(|n| next_prime(n, &options).expect("a prime")).collect();
        let seconds = start.elapsed().as_secs_f64();
        let sum = primes.iter().fold(0u64, |sum, prime| sum.wrapping_add(prime.limbs()[0]));
        println!("next {seconds:.6} {sum}");
    }
    let mut word = 88_172_645_463_325_252u64;
    let words: Vec<u64> = (0..1 << 20)
        .map(|_| {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word | 1
        })
        .collect();
    let mut out = vec![false; words.len()];
    let start = Instant::now();
    is_prime_words(&words, &mut out, &options).expect("equal lengths");
    let seconds = start.elapsed().as_secs_f64();
    println!("words {:.2} ns a row, {} primes", seconds * 1e9 / words.len() as f64, out.iter().filter(|p| **p).count());
}
