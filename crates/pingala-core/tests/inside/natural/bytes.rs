//! Tests of `natural/bytes.rs`.

use super::*;
use crate::natural::testing::{structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

#[test]
fn zero_has_no_bytes() {
    let zero = Natural::default();
    assert_eq!(zero.to_be_bytes(), b"");
    assert_eq!(zero.to_le_bytes(), b"");
    assert_eq!(zero.to_be_bytes_padded(0), Some(vec![]));
    assert_eq!(zero.to_be_bytes_padded(3), Some(vec![0; 3]));
    assert_eq!(Natural::from_be_bytes(b""), zero);
    assert_eq!(Natural::from_le_bytes(&[0; 17]), zero);
    assert_eq!(Natural::from_be_bytes(&[0; 17]), zero);
}

#[test]
fn the_order_is_the_named_one() {
    let value = Natural::from(0x0102_0304_0506_0708_090a_u128);
    assert_eq!(value.to_be_bytes(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(value.to_le_bytes(), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(value.to_be_bytes_padded(12), Some(vec![0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    assert_eq!(value.to_be_bytes_padded(10), Some(value.to_be_bytes()));
    assert_eq!(value.to_be_bytes_padded(9), None);
}

#[test]
fn a_width_beyond_memory_is_refused() {
    assert_eq!(Natural::from(1u64).to_be_bytes_padded(usize::MAX), None);
}

#[test]
fn every_bit_length_round_trips() {
    for bits in 1..=600usize {
        // The powers of two and the runs of ones are the least and the greatest number of each length.
        for oracle in [BigUint::from(1u8) << (bits - 1), (BigUint::from(1u8) << bits) - 1u8] {
            let value = Natural::from_be_bytes(&oracle.to_bytes_be());
            assert_eq!(value.bits(), bits as u64);
            assert_eq!(to_oracle(&value), oracle);
            assert_eq!(value.to_be_bytes(), oracle.to_bytes_be());
            assert_eq!(value.to_le_bytes(), oracle.to_bytes_le());
            assert_eq!(Natural::from_le_bytes(&value.to_le_bytes()), value);
        }
    }
}

proptest! {
    #[test]
    fn bytes_agree_with_the_oracle(value in structured_natural(12), zeros in 0..20usize) {
        let oracle = to_oracle(&value);
        if !value.is_zero() {
            prop_assert_eq!(value.to_be_bytes(), oracle.to_bytes_be());
            prop_assert_eq!(value.to_le_bytes(), oracle.to_bytes_le());
        }
        let width = value.to_be_bytes().len() + zeros;
        let padded = value.to_be_bytes_padded(width).unwrap();
        prop_assert_eq!(padded.len(), width);
        prop_assert_eq!(Natural::from_be_bytes(&padded), value.clone());
        let reversed: Vec<u8> = padded.into_iter().rev().collect();
        prop_assert_eq!(Natural::from_le_bytes(&reversed), value);
    }
}
