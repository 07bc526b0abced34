//! Tests of `natural/odd_inverse.rs`.

use super::*;
use crate::natural::testing::plain;

#[test]
fn every_short_modulus() {
    for m in (1..200u64).step_by(2) {
        for a in 0..m {
            let (inverse, fails) = inverse(&[a, 0], &[m, 0], 8);
            let want = (0..m).find(|x| (u128::from(a * x)) % u128::from(m) == 1 % u128::from(m));
            assert_eq!((fails == 0).then_some(inverse[0]), want.filter(|_| m > 1).or((m == 1).then_some(inverse[0])));
        }
    }
}

#[test]
fn long_ones() {
    use crate::natural::{Natural, chores, euclid};
    let number = |seed: u64, n: u64| -> Vec<u64> {
        (0..n).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left((seed % 64) as u32)).collect()
    };
    for n in [1, 2, 3, 8] {
        for seed in 1..20 {
            let mut m = number(seed, n);
            m[0] |= 1;
            m[n as usize - 1] |= 1 << 63;
            let modulus = Natural::from_limbs(&m);
            let value = chores::rem(&Natural::from_limbs(&number(seed + 77, n)), &modulus);
            let mut a = value.limbs().to_vec();
            a.resize(n as usize, 0);
            let (inverse, fails) = inverse(&a, &m, 64 * n as usize);
            let want = euclid::inverse(&value, &modulus, plain()).unwrap();
            assert_eq!((fails == 0).then(|| Natural::from_limbs(&inverse)), want, "{value} mod {modulus}");
        }
    }
}
