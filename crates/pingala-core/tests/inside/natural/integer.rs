//! Tests of `natural/integer.rs`.

use super::*;
use crate::natural::testing::{structured_natural, to_oracle};
use proptest::prelude::*;

#[test]
fn leading_zeros_are_dropped() {
    assert_eq!(Natural::from_limbs(&[5, 0, 0]).limbs(), [5]);
    assert_eq!(Natural::from_limb_buffer(SmallVec::from_slice(&[0, 7, 0, 0, 0])).limbs(), [0, 7]);
    for zero in [Natural::from_limbs(&[]), Natural::from_limbs(&[0; 6]), Natural::from(0u64), Natural::from(0u128)] {
        assert_eq!(zero, Natural::default());
        assert!(zero.is_zero() && zero.is_even() && !zero.is_one());
        assert_eq!((zero.bits(), zero.weight(), zero.trailing_zeros(), zero.bit(0)), (0, 0, 0, false));
    }
    assert!(Natural::from(1u64).is_one() && !Natural::from_limbs(&[1, 1]).is_one());
    assert!(!Natural::from(1u64).bit(u64::MAX));
}

#[test]
fn zero_has_no_sign() {
    assert_eq!(Integer::new(true, Natural::default()), Integer::from(0u64));
    assert!(!Integer::from(0i64).is_negative());
    let least = Integer::from(i64::MIN);
    assert_eq!((least.is_negative(), least.into_magnitude()), (true, Natural::from(1u64 << 63)));
}

#[test]
fn every_bit_length_is_told() {
    for bits in 1..=600u64 {
        let mut limbs = vec![0; bits.div_ceil(64) as usize];
        limbs[(bits as usize - 1) / 64] = 1 << ((bits - 1) % 64);
        let value = Natural::from_limbs(&limbs);
        assert_eq!((value.bits(), value.trailing_zeros(), value.weight()), (bits, bits - 1, 1));
        assert!(value.bit(bits - 1) && !value.bit(bits) && (bits == 1 || !value.bit(bits - 2)));
    }
}

proptest! {
    #[test]
    fn facts_agree_with_the_oracle(a in structured_natural(10), b in structured_natural(10), at in 0..700u64) {
        let (x, y) = (to_oracle(&a), to_oracle(&b));
        prop_assert_eq!(a.bits(), x.bits());
        prop_assert_eq!(a.weight(), x.count_ones());
        prop_assert_eq!(a.trailing_zeros(), x.trailing_zeros().unwrap_or(0));
        prop_assert_eq!(a.bit(at), x.bit(at));
        prop_assert_eq!(a.is_even(), !x.bit(0));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
    }
}
