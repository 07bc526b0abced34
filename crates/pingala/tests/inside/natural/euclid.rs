use super::*;
use crate::natural::testing::{from_oracle, structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

/// gcd and inverse against the oracle's extended gcd, whose remainders are its own.
fn check(value: &BigUint, modulus: &BigUint) {
    let (zero, one) = (BigUint::ZERO, BigUint::from(1u8));
    let reduced = value % modulus;
    if reduced == zero {
        return;
    }
    let (mut g, mut h) = (modulus.clone(), reduced.clone());
    while h != zero {
        (g, h) = (h.clone(), g % h);
    }
    let [v, m] = [&reduced, modulus].map(from_oracle);
    assert_eq!(to_oracle(&gcd(&v, &m, &|| true).unwrap()), g, "gcd({value}, {modulus})");
    assert_eq!(to_oracle(&gcd(&m, &v, &|| true).unwrap()), g);
    match inverse(&v, &m, &|| true).unwrap() {
        Some(inverse) => {
            assert_eq!(g, one);
            assert!(inverse < m && reduced * to_oracle(&inverse) % modulus == one, "{value} mod {modulus}");
        }
        None => assert_ne!(g, one, "{value} mod {modulus}"),
    }
}

/// All quotients are 1: most steps to a window, and remainders as close as they come.
#[test]
fn consecutive_fibonacci_numbers() {
    let (mut a, mut b) = (BigUint::from(1u8), BigUint::from(2u8));
    for _ in 0..1500 {
        check(&a, &b);
        check(&(&b - &a), &b);
        check(&(&a * 6u8), &(&b * 6u8));
        (a, b) = (b.clone(), a + b);
    }
}

#[test]
fn numbers_next_to_powers_of_two() {
    let power = |k: u32| BigUint::from(1u8) << k;
    for k in 2..=330u32 {
        let edges = [power(k) - 1u8, power(k), power(k) + 1u8];
        for j in [1, 2, k / 3, k / 2, k - 1, k, 2 * k] {
            for modulus in &edges {
                for value in [power(j) - 1u8, power(j), power(j) + 1u8] {
                    check(&value, modulus);
                }
            }
        }
    }
}

#[test]
fn lengths_around_the_edges_of_words() {
    for limbs in [1u32, 2, 3, 4, 9, 10, 33] {
        for bits in [64 * limbs - 1, 64 * limbs, 64 * limbs + 1] {
            let ones = (BigUint::from(1u8) << bits) - 1u8;
            for value in
                [&ones - 1u8, &ones / 2u8, &ones / 3u8, BigUint::from(u64::MAX), BigUint::from(1u8) << (bits - 1)]
            {
                check(&value, &ones);
                check(&value, &(&ones - 1u8));
                // A long factor in common, and numbers that agree in all but the lowest limb.
                check(&(&value * &ones), &(&ones * &(&ones - 2u8)));
                check(&((&ones << 64) + 1u8), &((&ones << 64) + 3u8));
            }
        }
    }
}

#[test]
fn words_exhaustively_below_two_hundred() {
    for m in 2u64..200 {
        for value in 1..m {
            let found = inverse_of_word(value, m);
            assert_eq!(found.is_some(), gcd(&value.into(), &m.into(), &|| true).unwrap().is_one());
            assert!(found.is_none_or(|inverse| inverse < m && value * inverse % m == 1));
        }
    }
    let m = u64::MAX - 58;
    for value in [2, 3, m / 2, m / 3, m - 1, 1 << 63, (1 << 32) - 1] {
        check(&value.into(), &m.into());
    }
}

/// Both numbers stay positive whatever follows the window: the parts below it at their extremes.
fn check_steps(a: u128, b: u128) {
    let Some(steps) = Steps::of_windows(a, b) else { return };
    let [u, v] = [steps.u, steps.v].map(|c| c.map(i128::from).map(num_bigint::BigInt::from));
    let sign = if steps.odd { -1 } else { 1 };
    assert_eq!(&u[0] * &v[1] - &u[1] * &v[0], sign.into());
    let below = 200u32;
    for ends in 0..4u8 {
        let [x, y] = [(a, ends & 1), (b, ends & 2)].map(|(window, end)| {
            let rest = if end == 0 { BigUint::ZERO } else { (BigUint::from(1u8) << below) - 1u8 };
            num_bigint::BigInt::from((BigUint::from(window) << below) + rest)
        });
        let first = (&u[0] * &x - &v[0] * &y) * sign;
        let second = (&v[1] * &y - &u[1] * &x) * sign;
        let zero = num_bigint::BigInt::from(0);
        assert!(first > zero && second > zero, "{a:#x} {b:#x} {ends}");
        assert!(&first + &second < x + y);
    }
}

/// One window of numbers in the ratio of Fibonacci's takes some 60 bits off both.
#[test]
fn a_window_takes_sixty_bits() {
    let (mut a, mut b) = (2u128, 1u128);
    while a >> 125 == 0 {
        (a, b) = (a + b, a);
    }
    let steps = Steps::of_windows(a, b).unwrap();
    check_steps(a, b);
    assert!(steps.applied(a, b).into_iter().all(|rest| rest >> 72 == 0), "{steps:?}");
}

proptest! {
    #[test]
    fn any_numbers(value in structured_natural(30), modulus in structured_natural(30)) {
        prop_assume!(modulus > Natural::from(1u64));
        check(&to_oracle(&value), &to_oracle(&modulus));
    }

    #[test]
    fn numbers_that_are_close(modulus in structured_natural(20), away in structured_natural(3)) {
        prop_assume!(modulus > Natural::from(1u64) && away < modulus);
        check(&to_oracle(&chores::sub(&modulus, &away)), &to_oracle(&modulus));
    }

    /// Chains of quotients, of which some are long: the numbers come from the end.
    #[test]
    fn any_quotients(quotients in proptest::collection::vec(prop_oneof![
        6 => 1..4u64, 2 => 1..1000u64, 1 => (1 << 28)..(1u64 << 36), 1 => any::<u64>(),
    ], 1..300)) {
        let (mut a, mut b) = (BigUint::from(1u8), BigUint::ZERO);
        for quotient in quotients {
            (a, b) = (&a * quotient.max(1) + b, a);
        }
        check(&b, &a);
    }

    #[test]
    fn windows(a in any::<u128>(), b in any::<u128>(), close in 0..127u32) {
        let (a, b) = (a >> 2 | 1 << 125, b >> 2);
        check_steps(a, b.min(a));
        check_steps(a, a - (b >> close).min(a));
        check_steps(a, (b >> close.min(125)).min(a));
    }
}
