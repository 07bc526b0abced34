//! Tests of `exponent/radix.rs`.

use super::*;

#[test]
fn digits_of_every_radix_sum_to_the_exponent() {
    let mut limbs = [0x0123_4567_89ab_cdef, u64::MAX, 0, 0x8000_0000_0000_0001];
    for length in 1..=4 {
        limbs.rotate_left(1);
        let exponent = Exponent::new(Natural::from_limbs(&limbs[..length])).unwrap_or_else(Exponent::one);
        for radix in [2, 3, 4, 5, 7, 8, 10, 63, 64, 65, 1000, 65_535, 65_536] {
            let digits = base_digits(&exponent, radix);
            assert!(digits.iter().all(|&digit| digit < radix) && digits.last() != Some(&0));
            let radix = Natural::from(u64::from(radix));
            let sum = digits.iter().rev().fold(Natural::default(), |sum, &digit| {
                chores::add(&chores::mul(&sum, &radix), &Natural::from(u64::from(digit)))
            });
            assert_eq!(&sum, exponent.magnitude());
        }
    }
}

#[test]
fn columns_are_the_bits_that_stand_apart() {
    let exponent = Exponent::of_bits((0..200).filter(|bit| bit * bit % 7 < 3));
    for (rows, columns) in [(1, 200), (2, 100), (3, 67), (7, 29), (16, 13), (16, 50)] {
        let got = comb_columns(&exponent, rows, columns);
        for (place, column) in got.into_iter().enumerate() {
            for row in 0..16 {
                let want = row < rows && exponent.bit(row * columns + place);
                assert_eq!(column >> row & 1 == 1, want, "{rows} rows, column {place}");
            }
        }
    }
}
