//! All numbers below a million, and around powers of two.

use pingala_core::{Integer, Options};
use pingala_primes::{ROUNDS, is_prime, is_prime_list, is_prime_words};

#[test]
fn all_below_a_million() {
    let count = 1_000_000;
    let mut prime = vec![true; count];
    prime[..2].fill(false);
    for d in 2..1000 {
        if prime[d] {
            (d * d..count).step_by(d).for_each(|at| prime[at] = false);
        }
    }
    let words: Vec<u64> = (0..count as u64).collect();
    let mut out = vec![false; count];
    is_prime_words(&words, &mut out, &Options::default()).unwrap();
    assert!(out == prime);
    let numbers: Vec<Integer> = words[..3000].iter().map(|&n| n.into()).collect();
    let list = is_prime_list(&numbers, ROUNDS, &Options::default()).unwrap();
    for (n, answer) in numbers.iter().zip(list) {
        let word = n.magnitude().limbs().first().copied().unwrap_or(0);
        assert_eq!(answer, is_prime(n, ROUNDS, &Options::default()).unwrap());
        assert!(answer.prime == prime[word as usize] && answer.proved && answer.error_bound == 0.0);
    }
}

/// Beyond the length at which powers go to transforms, whose ring does not add: the Lucas test takes another kernel.
#[test]
fn a_long_prime() {
    // 2^19937 - 1
    let mut bytes = vec![0xff; 19937_usize.div_ceil(8)];
    bytes[0] = 1;
    let options = Options::default();
    let answer = is_prime(&pingala_core::Natural::from_be_bytes(&bytes).into(), 1, &options).unwrap();
    assert!(answer.prime && !answer.proved);
}
