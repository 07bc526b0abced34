//! Tests of `execute/secret_factor.rs`.

use super::*;
use crate::natural::Natural;
use crate::plan::{Planner, Problem};

fn found_prime(text: &str) -> bool {
    let p: Natural = text.parse().unwrap();
    let problem = Problem { secret: true, ..Problem::new(p.bits(), p.bits() - 1) };
    let plan = Planner::of_this_machine().plan(&problem).unwrap();
    let factor = SecretFactor::new(&p, 2).unwrap();
    let given = given(&factor, Some(&plan), &Pulse::none()).unwrap();
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
