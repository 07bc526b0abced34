//! Tests of `engine/execute/secret_factor.rs`.

use super::*;
use crate::engine::plan::{Planner, Problem};
use crate::natural::Natural;

fn found_prime(text: &str) -> bool {
    let p: Natural = text.parse().unwrap();
    let problem = Problem { secret: true, ..Problem::new(p.bits(), p.bits() - 1) };
    let plan = Planner::of_this_machine().plan(&problem).unwrap();
    let factor = SecretFactor::new(&p, 2).unwrap();
    let given = given(&factor, Some(&plan), &Poll::none()).unwrap();
    let square = crate::natural::chores::mul(&p, &p);
    assert_eq!(Natural::from_limbs(&given.power), square);
    assert_eq!(given.bits as u64, square.bits());
    given
        .group_order
        .inspect(|order| {
            let less = crate::natural::chores::sub(&square, &p);
            assert_eq!(Natural::from_limbs(order), less);
        })
        .is_some()
}

/// The largest primes below 2^64 and 2^192, two of Mersenne's; squares, products, numbers that lie to fixed bases.
#[test]
fn primes_are_told_from_composites() {
    for prime in [
        "0xffffffffffffffc5",
        "0xffffffffffffffffffffffffffffffffffffffffffffff13",
        "0x7fffffffffffffffffffffffffffffff",
        &format!("0x1ff{}", "f".repeat(128)),
    ] {
        assert!(found_prime(prime), "{prime}");
    }
    for composite in [
        // (2^64 - 59)^2, a product of two primes, 2^67 - 1 and 2^64 + 1.
        "340282366920938461286658806734041124249",
        "0x7fffffffffffffffffffffffffffffff00000000000000ffffffffffffffff0f",
        "0x7ffffffffffffffff",
        "0x10000000000000001",
        // Strong pseudoprimes to the first thirteen primes, and to all bases below 307; the latter is a Carmichael number.
        "3317044064679887385961981",
        "2887148238050771212671429597130393991977609459279722700926516024197432303799152733116328983144639225941977\
         8033110929656555414116112034245447250059165253263",
    ] {
        let text: String = composite.split_whitespace().collect();
        assert!(!found_prime(&text), "{composite}");
    }
}

/// Whether an odd number of one word is prime, by the bases that decide it below 2^64 [sorenson2017strong].
fn is_prime_word(n: u64) -> bool {
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
}

#[test]
fn drawn_numbers_of_a_word_are_told_apart() {
    let plan = Planner::of_this_machine().plan(&Problem { secret: true, ..Problem::new(64, 63) }).unwrap();
    let mut random = crate::suite::common::Random::new(64);
    let drawn = (0..500).map(|_| random.next() | 1 << 63 | 1);
    // The first four primes below 2^64, the first above 2^63, squares and products of primes of 32 bits, 2^64 - 1.
    let below = [59u64, 83, 95, 179].map(u64::wrapping_neg);
    let others = [(1 << 63) + 29, 4294967291 * 4294967291, 4294967291 * 4294967279, u64::MAX];
    let mut primes = 0;
    for n in drawn.chain(below).chain(others) {
        let is_prime = is_prime_word(n);
        primes += usize::from(is_prime);
        assert_eq!(is_drawn_prime(&[n], 64, &plan, &Poll::none()).unwrap(), is_prime, "{n}");
    }
    assert!(primes > 10 && below.into_iter().all(is_prime_word), "{primes}");
    // p (2 p - 1) for p = 2301616729 passes a round with a probability of 1/4.
    for _ in 0..40 {
        assert!(!is_drawn_prime(&[10594879132123702153], 64, &plan, &Poll::none()).unwrap());
    }
}
