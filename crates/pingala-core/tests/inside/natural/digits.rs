//! Tests of `natural/digits.rs`.

use super::*;
use crate::natural::testing::{structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

/// In and out at one width, against the sum of digit * 2^(width * place).
fn digits_are_right<const DIGIT_BITS: usize>(value: &Natural) {
    let mut digits = vec![u32::MAX; value.count_digits::<DIGIT_BITS>()];
    value.write_digits::<DIGIT_BITS>(&mut digits);
    let mut more = vec![u32::MAX; digits.len() + 40];
    value.write_digits::<DIGIT_BITS>(&mut more);
    assert!(more.starts_with(&digits) && more[digits.len()..] == [0; 40]);
    assert!(digits.iter().all(|&digit| u64::from(digit) <= mask(DIGIT_BITS)) && digits.last() != Some(&0));
    let sum = digits.iter().rev().fold(BigUint::ZERO, |sum, &digit| (sum << DIGIT_BITS) + digit);
    assert_eq!(sum, to_oracle(value), "{DIGIT_BITS} bits");
    // Zeros on top change nothing, nor do bits above the width.
    digits.extend([0; 7]);
    digits.iter_mut().for_each(|digit| *digit |= !mask(DIGIT_BITS) as u32);
    assert_eq!(&Natural::from_digits::<DIGIT_BITS>(&digits), value, "{DIGIT_BITS} bits");
}

#[test]
fn every_length_of_some_limbs() {
    let step = if cfg!(miri) { 97 } else { 1 };
    for bits in (0..=320).chain(900..1030).chain(1860..2000).step_by(step) {
        let ones = Natural::from_limbs(&[u64::MAX; 32][..bits / 64]);
        let lone = (0..=bits / 64).map(|at| if at == bits / 64 { 1 << (bits % 64) } else { 0 }).collect::<Vec<_>>();
        for value in [ones, Natural::from_limbs(&lone)] {
            digits_are_right::<1>(&value);
            digits_are_right::<15>(&value);
            digits_are_right::<30>(&value);
            digits_are_right::<32>(&value);
        }
    }
}

proptest! {
    #[test]
    fn any_number(value in structured_natural(80)) {
        digits_are_right::<15>(&value);
        digits_are_right::<30>(&value);
        digits_are_right::<31>(&value);
    }
}
