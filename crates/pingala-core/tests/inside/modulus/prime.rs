//! Tests of `modulus/prime.rs`.

use super::*;

fn found_prime(n: &Natural) -> bool {
    let power = |base: &Natural, exponent: &Natural| {
        let mut power = Natural::from(1u64);
        for bit in (0..exponent.bits()).rev() {
            power = chores::rem(&chores::mul(&power, &power), n);
            if exponent.bit(bit) {
                power = chores::rem(&chores::mul(&power, base), n);
            }
        }
        power
    };
    is_prime(n, |bases, exponent| Ok(bases.iter().map(|base| power(base, exponent)).collect())).unwrap()
}

#[test]
fn every_number_of_seventeen_bits() {
    const END: usize = 1 << 17;
    let mut composite = vec![false; END];
    for p in 2..END {
        if !composite[p] {
            (p * p..END).step_by(p).for_each(|multiple| composite[multiple] = true);
        }
    }
    // All but the middle, where only time passes.
    for n in (0..1 << 11).chain(65_000..68_000).chain(END - 500..END) {
        assert_eq!(found_prime(&Natural::from(n as u64)), n > 1 && !composite[n], "{n}");
    }
}

/// The probability that is documented belongs to this many rounds.
#[test]
fn a_prime_passes_forty_random_bases() {
    // 2^61 - 1: each power is -1 or 1, and says so without a squaring, as 2 divides n - 1 once.
    let n = Natural::from((1u64 << 61) - 1);
    let bases = core::cell::RefCell::new(Vec::new());
    let prime = is_prime(&n, |drawn, _| {
        let ones = vec![Natural::from(1u64); drawn.len()];
        bases.borrow_mut().extend(drawn);
        Ok(ones)
    });
    assert!(prime.unwrap());
    let mut bases: Vec<Natural> = bases.into_inner();
    assert_eq!(bases.remove(0), Natural::from(2u64));
    assert_eq!(bases.len(), 40);
    // Drawn, not listed.
    bases.sort_by(|a, b| a.limbs().cmp(b.limbs()));
    bases.dedup();
    assert!(bases.len() >= 39);
}

/// Strong pseudoprimes to many small bases, and primes of the same lengths.
#[test]
fn composites_that_lie_to_fixed_bases_are_found() {
    for composite in [
        // To the base 2; to the first nine primes; to the first twelve; to the first thirteen.
        "3215031751",
        "3825123056546413051",
        "318665857834031151167461",
        "3317044064679887385961981",
        // Arnault's Carmichael number, strong to every prime base below 307.
        "2887148238050771212671429597130393991977609459279722700926516024197432303799152733116328983144639225941977\
         8033110929656555414116112034245447250059165253263",
    ] {
        let text: String = composite.split_whitespace().collect();
        assert!(!found_prime(&text.parse().unwrap()), "{composite}");
    }
    // The largest prime below 2^64, and two of Mersenne's.
    for prime in ["0xffffffffffffffc5".into(), format!("0x7{}", "f".repeat(31)), format!("0x1ff{}", "f".repeat(128))] {
        assert!(found_prime(&prime.parse().unwrap()), "{prime}");
    }
}
