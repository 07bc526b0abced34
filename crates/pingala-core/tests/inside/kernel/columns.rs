//! Tests of `kernel/columns/`: the columns at their bounds, products against sums of 128 bits, the radix for every length.

use super::product::{carry_in_place, mul, redc, scratch_words, sqr};
use super::shape::{ColumnShape, MOST_BITS};
use crate::kernel::conformance::{Dice, cases};
use crate::kernel::montgomery::neg_mod_inv_limb;
use num_bigint::BigInt;

/// The lengths around each change of the radix, and some between.
fn lengths() -> impl Iterator<Item = usize> {
    let changes =
        (1..MOST_BITS).filter(|&bits| ColumnShape::new(bits).radix_bits != ColumnShape::new(bits + 1).radix_bits);
    let around = changes.chain([MOST_BITS - 1]).flat_map(|bits| [bits, bits + 1]);
    cases(24, (1..=70).map(|n| 29 * n - 4).chain([2048, 4096, 8192]).chain(around))
}

fn value(digits: &[u64], radix_bits: u32) -> BigInt {
    digits.iter().rev().fold(BigInt::ZERO, |sum, &digit| (sum << radix_bits) + digit as i64)
}

/// Digits at the ends of their range, of one sign or of both, or within it.
fn numbers(shape: &ColumnShape, dice: &mut Dice) -> Vec<Vec<u64>> {
    let (n, half) = (shape.digits, 1u64 << (shape.radix_bits - 1));
    let mixed = (0..n).map(|_| [half, half.wrapping_neg(), 0, half - 1][dice.below(4)]).collect();
    let random = (0..n).map(|_| (dice.roll() & (2 * half - 1)).wrapping_sub(half)).collect();
    vec![vec![half; n], vec![half.wrapping_neg(); n], mixed, random]
}

/// No column of a product leaves its 63 bits, and each is the sum that it should be, halved or not.
#[test]
fn products_are_the_sums_of_their_columns() {
    let mut dice = Dice::new(41);
    for bits in lengths().filter(|&bits| bits < 16_000) {
        let shape = ColumnShape::new(bits);
        let n = shape.digits;
        let all = numbers(&shape, &mut dice);
        for (i, a) in all.iter().enumerate() {
            for b in &all[i..] {
                let want: Vec<u64> = (0..2 * n)
                    .map(|k| {
                        let product = |i: usize| i128::from(a[i] as i64) * i128::from(b[k - i] as i64);
                        let sum = ((k + 1).saturating_sub(n)..n.min(k + 1)).map(product).sum::<i128>();
                        i64::try_from(sum).unwrap() as u64
                    })
                    .collect();
                for from in [8, 9, 20, 48, usize::MAX] {
                    let (mut t, mut scratch) = (vec![7; 2 * n], vec![7; scratch_words(n, from)]);
                    mul(&mut t, a, b, from, &mut scratch);
                    assert_eq!(t, want, "{shape:?}, halved from {from}");
                    if a == b {
                        sqr(&mut t, a, from, &mut scratch);
                        assert_eq!(t, want, "a square, {shape:?}, halved from {from}");
                    }
                }
            }
        }
    }
}

/// The reduction of the largest products: below the modulus in size, digits in range, and R times it is T modulo m.
#[test]
fn reductions_hold_at_the_bounds() {
    let mut dice = Dice::new(43);
    for bits in lengths() {
        let shape = ColumnShape::new(bits);
        let ColumnShape { radix_bits: r, digits: n } = shape;
        let half = 1u64 << (r - 1);
        for mut m in numbers(&shape, &mut dice) {
            m[0] |= 1;
            if m[0] == half + 1 {
                m[0] = half - 1;
            }
            // Positive, below R / 16 and at least R / 32.
            m[n - 1] = ((1 << (r - 4)) - 1).max(1);
            let m_value = value(&m, r);
            for a in numbers(&shape, &mut dice) {
                let mut t = vec![0; 2 * n];
                mul(&mut t, &a, &a, usize::MAX, &mut []);
                let want = value(&t, r);
                let mut out = vec![7; n];
                redc(&mut out, &mut t, &m, neg_mod_inv_limb(m[0]), &shape);
                let result = value(&out, r);
                let difference = (&result << (r as usize * n)) - &want;
                assert_eq!(difference % &m_value, BigInt::ZERO, "{shape:?}");
                assert!(out[..n - 1].iter().all(|&digit| (digit as i64).unsigned_abs() <= half), "{shape:?}");
                // |T| / R + (1/2 + 1/B) m.
                let bound = (want.magnitude() >> (r as usize * n)) + (m_value.magnitude() * 9u32 / 16u32) + 1u32;
                assert!(result.magnitude() <= &bound, "{shape:?}");
            }
        }
    }
}

#[test]
fn every_length_has_a_radix() {
    for bits in 1..=MOST_BITS {
        let shape = ColumnShape::new(bits);
        let ColumnShape { radix_bits: r, digits: n } = shape;
        assert!(r as usize * n >= bits + 4 && r as usize * (n - 1) < bits + 4, "{shape:?}");
        assert!(bits == MOST_BITS || ColumnShape::new(bits + 1).radix_bits <= r);
        // A column of n products at most 2^(2r-2), a digit before and a carry.
        assert!(((n + 2) as u128) << (2 * r - 2) < 1 << 63, "{shape:?}");
    }
    assert_eq!(super::MAX_LIMBS, 862);
}

#[test]
fn carries_keep_the_number() {
    let mut dice = Dice::new(47);
    for n in 1..40 {
        let columns: Vec<u64> = (0..n).map(|_| ((dice.roll() as i64) >> 2) as u64).collect();
        let mut digits = columns.clone();
        carry_in_place(&mut digits, 29);
        assert_eq!(value(&digits, 29), value(&columns, 29));
        assert!(digits[..n - 1].iter().all(|&digit| (-(1 << 28)..1 << 28).contains(&(digit as i64))));
    }
}
