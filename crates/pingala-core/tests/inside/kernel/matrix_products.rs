//! Products by a matrix, on rows and by transforms; and Euclid's algorithm over them, where the lengths change the way.

use super::*;
use crate::natural::euclid;
use crate::natural::testing::to_oracle;
use crate::suite::common::Random;
use num_bigint::BigUint;

fn random(random: &mut Random, limbs: usize) -> Vec<u64> {
    (0..limbs).map(|_| random.next()).collect()
}

#[test]
fn products_of_any_lengths() {
    let draw = &mut Random::new(3);
    let mut products = LongOrShort { limbs: 4000, ..LongOrShort::default() };
    for [n, m] in [[0, 3], [1, 1], [5, 40], [33, 7], [64, 100], [299, 301], [300, 300], [700, 2000], [2000, 310]] {
        let (a, b) = (random(draw, n), random(draw, m));
        let [x, y] = [&a, &b].map(|limbs| Natural::from_limbs(limbs));
        assert_eq!(to_oracle(&Natural::from_limbs(&products.mul(&a, &b))), to_oracle(&x) * to_oracle(&y));
    }
}

#[test]
fn divisions_by_reciprocals() {
    let draw = &mut Random::new(4);
    let mut products = LongOrShort { limbs: 4000, ..LongOrShort::default() };
    for [n, m] in [[5100, 2550], [5001, 2500], [8000, 2600], [2600, 2600], [100, 2600]] {
        let (mut a, mut b) = (random(draw, n), random(draw, m));
        for top in [1, u64::MAX] {
            (a[n - 1], b[m - 1]) = (top, u64::MAX / top);
            let [x, y] = [&a, &b].map(|limbs| Natural::from_limbs(limbs));
            let (quotient, rest) = products.div_rem(&x, &y);
            assert!(rest < y);
            assert_eq!(chores::add(&chores::mul(&quotient, &y), &rest), x);
            // No rest, and the greatest one.
            let multiple = chores::sub(&x, &rest);
            assert_eq!(products.div_rem(&multiple, &y), (quotient.clone(), Natural::default()));
        }
    }
}

/// An inverse times the number is 1, and symbols are multiplicative, at lengths of all ways.
#[test]
fn inverses_and_symbols_of_long_numbers() {
    let draw = &mut Random::new(5);
    let go_on = || true;
    let means = means(&go_on);
    for limbs in [300, 599, 700, 1300, 2601, 4100] {
        let mut number = |limbs: usize| {
            let mut limbs = random(draw, limbs);
            limbs[0] |= 1;
            Natural::from_limbs(&limbs)
        };
        let (n, m, a, b) = (number(limbs), number(limbs / 3), number(limbs), number(limbs / 2));
        let [x, y] = [&a, &n].map(to_oracle);
        if let Some(inverse) = euclid::inverse(&a, &n, means).unwrap() {
            assert_eq!(x * to_oracle(&inverse) % &y, BigUint::from(1u8));
        }
        let symbol = |a: &Natural, n: &Natural| euclid::jacobi(&a.clone().into(), n, means).unwrap();
        assert_eq!(symbol(&chores::mul(&a, &b), &n), symbol(&a, &n) * symbol(&b, &n));
        assert_eq!(symbol(&a, &chores::mul(&n, &m)), symbol(&a, &n) * symbol(&a, &m));
        assert_eq!(symbol(&chores::mul(&chores::mul(&a, &a), &b), &n), symbol(&a, &n).pow(2) * symbol(&b, &n));
        // Reciprocity, and a factor in common.
        let low = |x: &Natural| x.limbs()[0] % 4;
        let sign = if low(&a) == 3 && low(&n) == 3 { -1 } else { 1 };
        assert_eq!(symbol(&a, &n), sign * symbol(&n, &a));
        let (shared, other) = (chores::mul(&a, &m), chores::mul(&n, &m));
        assert_eq!(symbol(&shared, &other), 0);
        let gcd = euclid::gcd(&shared, &other, means).unwrap();
        assert_eq!(chores::rem(&gcd, &m), Natural::default());
    }
    let stop = || false;
    let n = Natural::from_limbs(&vec![u64::MAX; 2000]);
    let a = Natural::from_limbs(&vec![0x5555_1111_7777_3333; 2000]);
    assert_eq!(euclid::inverse(&a, &n, Means { go_on: &stop, ..means }), Err(Error::Interrupted));
}
