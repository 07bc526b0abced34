use super::*;
use crate::natural::testing::{structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

proptest! {
    #[test]
    fn as_the_oracle(a in structured_natural(9), b in structured_natural(5), word: u64, bits in 0u64..200) {
        let (x, y) = (to_oracle(&a), to_oracle(&b));
        prop_assert_eq!(to_oracle(&(&a + &b)), &x + &y);
        prop_assert_eq!(to_oracle(&(&a * &b)), &x * &y);
        prop_assert_eq!(a.checked_sub(&b).is_some(), x >= y);
        prop_assert_eq!(b.checked_sub(&a).is_some(), y >= x);
        let (long, short) = if a < b { (&b, &a) } else { (&a, &b) };
        prop_assert_eq!(to_oracle(&(long - short)), to_oracle(long) - to_oracle(short));
        if !b.is_zero() {
            prop_assert_eq!(to_oracle(&(&a / &b)), &x / &y);
            prop_assert_eq!(to_oracle(&(&a % &b)), &x % &y);
            prop_assert_eq!(&a / &b * &b + &a % &b, a.clone());
        }
        prop_assert_eq!(to_oracle(&(&a + word)), &x + word);
        prop_assert_eq!(to_oracle(&(&a * word)), &x * word);
        if word > 0 {
            prop_assert_eq!(to_oracle(&(&a / word)), &x / word);
            prop_assert_eq!(BigUint::from(&a % word), &x % word);
        }
        prop_assert_eq!(to_oracle(&(&a << bits)), &x << bits);
        prop_assert_eq!(to_oracle(&(&a >> bits)), &x >> bits);
        prop_assert_eq!(&(&a << bits) >> bits, a);
    }
}

#[test]
fn values_and_references() {
    let (a, b) = (Natural::from(1000u64), Natural::from(7u64));
    assert_eq!(a.clone() + b.clone(), a.clone() + &b);
    assert_eq!(&a - b.clone(), Natural::from(993u64));
    assert_eq!(a.clone() * 7, &a * &b);
    assert_eq!(a.clone() / b.clone(), Natural::from(142u64));
    assert_eq!(a.clone() % b.clone(), Natural::from(6u64));
    assert_eq!(a.clone() - 1000, Natural::default());
}

#[test]
fn zeros_and_whole_limbs() {
    let zero = Natural::default();
    for bits in [0, 1, 63, 64, 65, 640] {
        assert_eq!(&zero << bits, zero);
        assert_eq!(&zero >> bits, zero);
        let power = &Natural::from(1u64) << bits;
        assert_eq!(to_oracle(&power), BigUint::from(1u8) << bits);
        assert_eq!(&power >> bits, Natural::from(1u64));
        assert_eq!(&power >> (bits + 1), zero);
    }
    assert_eq!(&Natural::from(u64::MAX) >> u64::MAX, zero);
    assert_eq!(zero.checked_sub(&zero), Some(zero.clone()));
}

#[test]
#[should_panic(expected = "not negative")]
fn a_negative_difference() {
    let _ = Natural::from(1u64) - 2;
}

#[test]
#[should_panic(expected = "division by 0")]
fn a_division_by_zero() {
    let _ = Natural::from(1u64) / 0;
}

#[test]
#[should_panic(expected = "division by 0")]
fn a_rest_by_zero() {
    let _ = &Natural::from(1u64) % 0;
}
