//! Tests of `kernel/ntt/matrix.rs`: sums and differences of products, at the edges of digits and of signs.

use super::super::scalar::Scalar;
use super::*;
use crate::natural::Natural;
use crate::natural::testing::to_oracle;
use num_bigint::{BigInt, Sign};

fn whole(limbs: &[u64]) -> BigInt {
    to_oracle(&Natural::from_limbs(limbs)).into()
}

/// All of them for entries of `h` limbs and a pair of `n`, all limbs `x`, `y` and `m`.
fn check(transforms: &mut MatrixTransforms, [h, n]: [usize; 2], [x, y]: [u64; 2], m: [u64; 4]) {
    let entries = m.map(|limb| vec![limb; h]);
    let pair = [vec![x; n], vec![y; n]];
    let go_on = || true;
    transforms.set(entries.each_ref().map(Vec::as_slice), h + n + 1, &go_on).unwrap();
    let [m00, m01, m10, m11] = entries.each_ref().map(|entry| whole(entry));
    let [p, q] = pair.each_ref().map(|limbs| whole(limbs));
    let pair = pair.each_ref().map(Vec::as_slice);
    let row = transforms.row(pair, &go_on).unwrap();
    assert_eq!(row.map(|limbs| whole(&limbs)), [&p * &m00 + &q * &m10, &p * &m01 + &q * &m11]);
    let solved = transforms.solved(pair, &go_on).unwrap();
    let wanted = [&p * &m11 - &q * &m01, &q * &m00 - &p * &m10];
    for ((negative, limbs), wanted) in solved.into_iter().zip(wanted) {
        assert_eq!(whole(&limbs), BigInt::from(wanted.magnitude().clone()), "{h} {n}");
        assert!(wanted.magnitude().bits() == 0 || negative == (wanted.sign() == Sign::Minus), "{h} {n}");
    }
}

#[test]
fn sums_and_differences() {
    let ones = u64::MAX;
    for field in [Some(Scalar.into()), Instructions::doubles(), Instructions::ifma()].into_iter().flatten() {
        let mut transforms = MatrixTransforms::on(field, 1500);
        for lengths in [[1, 1], [3, 60], [63, 64], [60, 66], [64, 64], [200, 311], [500, 1000]] {
            check(&mut transforms, lengths, [ones; 2], [ones; 4]);
            check(&mut transforms, lengths, [ones, 1], [1, ones, ones, 1]);
            check(&mut transforms, lengths, [1, ones], [ones, ones, 1, 1]);
            check(&mut transforms, lengths, [0, 0], [ones, 0, 0, ones]);
            check(&mut transforms, lengths, [5, 0x1234_5678_9abc_def1], [7, ones - 4, 1 << 63, 9]);
        }
    }
}

/// Digits of 60 bits, and the longest of 64.
#[test]
fn long_sums_and_differences() {
    let mut transforms = MatrixTransforms::new(40_000);
    for lengths in [[12_287, 12_288], [9000, 15_575], [13_000, 13_000], [3000, 35_000]] {
        check(&mut transforms, lengths, [u64::MAX; 2], [u64::MAX; 4]);
        check(&mut transforms, lengths, [u64::MAX, 3], [1, u64::MAX, u64::MAX, 5]);
    }
}
