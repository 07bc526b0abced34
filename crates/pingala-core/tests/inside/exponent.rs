//! Tests of `exponent/mod.rs`.

use super::*;

fn exponent(limbs: &[u64]) -> Exponent {
    Exponent::new(Natural::from_limbs(limbs)).unwrap()
}

#[test]
fn zero_is_no_public_exponent() {
    assert_eq!(Exponent::new(Natural::from(0u64)), None);
    assert_eq!(Exponent::one().bits(), 1);
}

/// Digits of every width at every position agree with the bits one by one, across limbs and beyond the top.
#[test]
fn digits_are_the_bits() {
    let e = exponent(&[0x0123_4567_89ab_cdef, u64::MAX, 0x8000_0000_0000_0001, 0x5a5a]);
    for width in 1..=MAX_DIGIT_BITS {
        for position in 0..e.bits() + 70 {
            let want = (0..width as usize).map(|i| usize::from(e.bit(position + i)) << i).sum::<usize>();
            assert_eq!(e.digit(position, width), want, "{width} bits at {position}");
        }
    }
}

#[test]
fn addition_carries_to_a_new_limb() {
    let all_ones = exponent(&[u64::MAX, u64::MAX]);
    assert_eq!(&all_ones + &Exponent::one(), exponent(&[0, 0, 1]));
    assert_eq!(&Exponent::one() + &all_ones, exponent(&[0, 0, 1]));
    assert_eq!((&all_ones + &Exponent::one()).to_string(), "340282366920938463463374607431768211456");
}
