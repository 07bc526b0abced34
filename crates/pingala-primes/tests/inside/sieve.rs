//! The sieve against remainders by each prime.

use super::{Form, Sieve};
use crate::arith::{from_ubig, to_u64, to_ubig};
use crate::small::primes_below;
use pingala_core::Natural;
use std::cell::Cell;

/// Whether a prime below the bound divides n and is not n.
fn has_factor(n: &Natural, bound: u32) -> bool {
    primes_below(bound).iter().any(|&p| n % u64::from(p) == 0 && to_u64(n) != Some(u64::from(p)))
}

fn check(start: &Natural, step: &Natural, bound: u32, form: Form) {
    let mut sieve = Sieve::new(start, step, bound, form);
    let mut k = 0u64;
    for count in [1usize, 2, 70, 333] {
        let marks = sieve.segment(count).to_vec();
        let survivors: Vec<u64> = sieve.survivors().collect();
        let mut expected = Vec::new();
        for mark in marks {
            let n = from_ubig(&(to_ubig(start) + to_ubig(step) * k));
            assert_eq!(sieve.number(k), n);
            let half = from_ubig(&(to_ubig(&n) >> 1));
            let composite = has_factor(&n, bound) || form == Form::NumberAndHalf && has_factor(&half, bound);
            assert_eq!(mark, composite, "{n} of {start} + {k} {step}, {bound}, {form:?}");
            if !composite {
                expected.push(k);
            }
            k += 1;
        }
        assert_eq!(survivors, expected);
    }
}

#[test]
fn marks_are_divisors() {
    let long = Natural::from_limbs(&[0xdead_beef_1234_5679, u64::MAX, 77, 1 << 63]);
    for start in [Natural::from(3u64), Natural::from(1_000_001u64), Natural::from(u64::MAX - 400), long.clone()] {
        for step in [1u64, 2, 4, 6, 12, 30, 1009, u64::MAX] {
            for bound in [3, 54, 1200] {
                check(&start, &step.into(), bound, Form::Number);
                if step % 2 == 0 && !start.is_even() {
                    check(&start, &step.into(), bound, Form::NumberAndHalf);
                }
            }
        }
        check(&start, &Natural::from_limbs(&[6, 5, 4]), 1200, Form::Number);
        check(&start, &Natural::from_limbs(&[6, 5, 4]), 1200, Form::NumberAndHalf);
    }
}

/// The set-up of a long number asks whether to go on as often as its length takes steps, and ends at once if not.
#[test]
fn a_long_set_up_asks() {
    let asked = Cell::new(0u64);
    let (two, bound) = (Natural::from(2u64), 1 << 16);
    let mut before = 0;
    for limbs in [16usize, 512, 8192] {
        let start = Natural::from_limbs(&vec![u64::MAX; limbs]);
        asked.set(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            true
        };
        assert!(Sieve::new_while(&start, &two, bound, Form::Number, &go_on).is_some());
        // About 1,700 groups of primes, of a step for each limb.
        assert!(asked.get() >= 1700 * limbs as u64 / (1 << 21), "{limbs}: {}", asked.get());
        assert!(asked.get() >= before);
        before = asked.get();
        for stop_at in 1..=asked.get() {
            let left = Cell::new(stop_at);
            let go_on = || {
                left.set(left.get().checked_sub(1).expect("it asked after the answer no"));
                left.get() > 0
            };
            assert!(Sieve::new_while(&start, &two, bound, Form::Number, &go_on).is_none());
        }
    }
    assert!(before >= 6);
}
