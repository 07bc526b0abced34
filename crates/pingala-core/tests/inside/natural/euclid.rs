use super::*;
use crate::natural::testing::{from_oracle, plain, structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

/// Jacobi's symbol step by step, by the definition of the binary algorithm.
fn slow_symbol(a: &BigUint, n: &BigUint) -> i32 {
    let low = |x: &BigUint| x.iter_u64_digits().next().unwrap_or(0) % 8;
    let (mut a, mut n, mut sign) = (a % n, n.clone(), 1);
    while a != BigUint::ZERO {
        let twos = a.trailing_zeros().unwrap_or(0);
        a >>= twos;
        if twos % 2 == 1 && matches!(low(&n), 3 | 5) {
            sign = -sign;
        }
        if low(&a) % 4 == 3 && low(&n) % 4 == 3 {
            sign = -sign;
        }
        (a, n) = (&n % &a, a);
    }
    if n == BigUint::from(1u8) { sign } else { 0 }
}

/// gcd, inverse and symbol against the oracle's extended gcd, whose remainders are its own.
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
    if !m.is_even() {
        assert_eq!(
            jacobi(&v.clone().into(), &m, plain()).unwrap(),
            slow_symbol(&reduced, modulus),
            "({value}/{modulus})"
        );
    }
    assert_eq!(to_oracle(&gcd(&v, &m, plain()).unwrap()), g, "gcd({value}, {modulus})");
    assert_eq!(to_oracle(&gcd(&m, &v, plain()).unwrap()), g);
    match inverse(&v, &m, plain()).unwrap() {
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
            assert_eq!(found.is_some(), gcd(&value.into(), &m.into(), plain()).unwrap().is_one());
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
    let Some(steps) = Steps::of_windows(a, b, &mut ()) else { return };
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
        let least = num_bigint::BigInt::from(1) << (below + 32);
        assert!(first >= least && second >= least, "{a:#x} {b:#x} {ends}");
        assert!(&first + &second < x + y);
    }
}

/// Symbols of all small numbers, and each state of the machine by the definition.
#[test]
fn symbols_of_small_numbers() {
    for n in (1..400u64).step_by(2) {
        for a in 0..n {
            let wanted = slow_symbol(&a.into(), &n.into());
            assert_eq!(jacobi(&a.into(), &n.into(), plain()).unwrap(), wanted, "({a}/{n})");
        }
    }
    // (x, y) becomes (y, x - q y), with either number below.
    let symbol = |a: u64, n: u64| slow_symbol(&a.into(), &n.into());
    for x in 1..40u64 {
        for y in 1..40u64 {
            for q in 0..=x / y {
                let rest = x - q * y;
                if rest == 0 || symbol(1, x | y) * slow_gcd(x, y) != 1 {
                    continue;
                }
                if x % 2 == 1 {
                    let mut state = Symbol::of_first(x, y);
                    state.step(q);
                    let after = if y % 2 == 1 { symbol(rest, y) } else { symbol(y, rest) };
                    assert_eq!(symbol(y, x), state.sign() * after, "({y}/{x}) {q}");
                }
            }
        }
    }
}

fn slow_gcd(a: u64, b: u64) -> i32 {
    if b == 0 { i32::try_from(a).unwrap() } else { slow_gcd(b, a % b) }
}

/// One window of numbers in the ratio of Fibonacci's takes some 60 bits off both.
#[test]
fn a_window_takes_sixty_bits() {
    let (mut a, mut b) = (2u128, 1u128);
    while a >> 125 == 0 {
        (a, b) = (a + b, a);
    }
    let steps = Steps::of_windows(a, b, &mut ()).unwrap();
    check_steps(a, b);
    assert!(steps.applied(a, b).into_iter().all(|rest| rest >> 72 == 0), "{steps:?}");
}

/// Long numbers, whose quotients come from halves: random ones, those of chains of quotients of any kind, with a factor in common, and of very
/// different lengths.
#[test]
fn halves() {
    let random = |limbs: usize, seed: u64| {
        let mut state = seed | 1;
        let digits = (0..limbs).map(|_| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state ^ state >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        from_digits(&digits.collect::<Vec<_>>())
    };
    let one = BigUint::from(1u8);
    for (seed, limbs) in [699, 701, 1000].into_iter().enumerate() {
        let (a, n) = (random(limbs, seed as u64 + 7), random(limbs, seed as u64 + 77) | &one);
        check(&a, &n);
        check(&(&n >> (64 * limbs as u64 / 2)), &n);
        check(&(&n >> (64 * limbs as u64 / 3 * 2)), &n);
        check(&(&n - 2u8), &n);
        check(&(&n / 3u8), &n);
        let shared = random(limbs / 3, 5) | &one;
        check(&(&a * &shared), &(&n * &shared));
        let edge = &one << (64 * limbs as u64);
        check(&(&edge - 1u8 - (&one << (32 * limbs as u64))), &(&edge - 1u8));
        check(&(&edge - 2u8), &(&edge + 1u8));
    }
    // Chains of small quotients with a long one among them, at each place.
    for place in [1u64, 4, 7] {
        let (mut a, mut b) = (one.clone(), BigUint::ZERO);
        let mut count = 0;
        while a.bits() < 64 * 760 {
            count += 1;
            let quotient = if a.bits() / 6400 == place && b.bits() / 6400 < place {
                random(1 + 40 * place as usize, count)
            } else {
                BigUint::from(1 + (((count * count) >> 3) & 3))
            };
            (a, b) = (&a * quotient + &b, a);
        }
        check(&b, &a);
        check(&a, &(&a + &b));
    }
    // All quotients 1.
    let (mut a, mut b) = (one.clone(), one);
    while a.bits() < 64 * 720 {
        (a, b) = (&a + &b, a);
    }
    check(&b, &a);
    check(&a, &(&a + &b));
}

fn from_digits(digits: &[u64]) -> BigUint {
    to_oracle(&Natural::from_limbs(digits))
}

/// Whatever poll says stop, the outcome is an error, and the next poll is not far.
#[test]
fn every_poll_may_stop() {
    let n = from_oracle(&((BigUint::from(1u8) << (64 * 900)) / 7u8));
    let a = from_oracle(&((BigUint::from(1u8) << (64 * 900)) / 11u8 * 3u8 / 5u8));
    let polls = core::cell::Cell::new(0);
    let count = || {
        polls.set(polls.get() + 1);
        true
    };
    let means = Means { go_on: &count, ..plain() };
    let _ = gcd(&a, &n, means).unwrap();
    let all = polls.get();
    for last in 0..all {
        polls.set(0);
        let stop = || {
            polls.set(polls.get() + 1);
            polls.get() <= last
        };
        let means = Means { go_on: &stop, ..plain() };
        assert_eq!(gcd(&a, &n, means), Err(Error::Interrupted));
        assert_eq!(polls.get(), last + 1);
    }
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
