//! Tests of `kernel/dots/`: columns and reductions at their bounds, against big integers.

#![allow(unsafe_code)]

use super::product::{DotColumns, clear_edges, lanes, spread};
use super::reduction::{DotTask, DotWork, room_lanes};
use super::shape::{MOST_BITS, RADIX_BITS, digits, most_bits};
use super::unit::{DotUnit, PlainDots};
use crate::kernel::conformance::{Dice, cases};
use num_bigint::{BigInt, BigUint};

/// The largest size of a digit: 2^12 + 33.
const LARGEST: i16 = (1 << (RADIX_BITS - 1)) + 33;

/// The lengths of residues in digits: all short ones, those around the changes of carries, the longest ones.
fn lengths() -> impl Iterator<Item = usize> {
    let long = [112, 120, 128, 160, 192, 200, 208, 216, 224, 232, 240, 304, 312, 320, 336, 344, 640, digits(MOST_BITS)];
    cases(6, (8..=104).step_by(8).chain(long))
}

fn value(digits: impl DoubleEndedIterator<Item = i64>) -> BigInt {
    digits.rev().fold(BigInt::ZERO, |sum, digit| (sum << RADIX_BITS) + digit)
}

fn value_of(digits: &[i16]) -> BigInt {
    value(digits.iter().map(|&digit| i64::from(digit)))
}

/// Digits at the ends of their range, of one sign or of both, or within it.
fn numbers(n: usize, dice: &mut Dice) -> Vec<Vec<i16>> {
    let mixed = (0..n).map(|_| [LARGEST, -LARGEST, 0, LARGEST - 1][dice.below(4)]).collect();
    let alternating = (0..n).map(|i| if i % 2 == 0 { LARGEST } else { -LARGEST }).collect();
    let random = (0..n).map(|_| (dice.roll() % (2 * LARGEST as u64)) as i16 - LARGEST).collect();
    vec![vec![LARGEST; n], vec![-LARGEST; n], mixed, alternating, random]
}

fn lanes_of(digits: &[i16]) -> Vec<i32> {
    let mut out = vec![7; lanes(digits.len())];
    // SAFETY: both have the lengths for these digits.
    unsafe {
        clear_edges(PlainDots, out.as_mut_ptr(), digits.len());
        spread(PlainDots, out.as_mut_ptr(), digits.as_ptr(), digits.len());
    }
    out
}

/// The columns of a product or a square, which overflow nowhere: the plain operations would panic.
fn columns(a: &[i16], b: &[i16], [from, to]: [usize; 2], square: bool) -> Vec<i64> {
    let (n, lanes) = (a.len(), lanes_of(b));
    let mut out = vec![7; to - from + 16];
    let columns = DotColumns { n, a: a.as_ptr(), b: lanes.as_ptr(), out: out.as_mut_ptr(), from, to };
    // SAFETY: the places have the lengths for these columns, and 16 more.
    unsafe { columns.compute(PlainDots, square) };
    out[..to - from].iter().map(|&column| i64::from(column)).collect()
}

#[test]
fn columns_are_those_of_the_product() {
    let mut dice = Dice::new(61);
    for n in lengths() {
        let all = numbers(n, &mut dice);
        let r = BigInt::from(1) << (RADIX_BITS * n);
        for (i, a) in all.iter().enumerate() {
            for b in &all[i..] {
                let want = value_of(a) * value_of(b);
                let full = columns(a, b, [0, 2 * n], false);
                assert_eq!(value(full.iter().copied()), want, "{n} digits");
                assert!(full.iter().all(|column| column.unsigned_abs() < (1 << 31) - (1 << 26)), "{n} digits");
                let low = value(columns(a, b, [0, n], false).into_iter());
                assert_eq!((low - &want) % &r, BigInt::ZERO, "the low half, {n} digits");
                // Without the columns below, and what they carry.
                let high = value(columns(a, b, [n - 8, 2 * n], false).into_iter()) << (RADIX_BITS * (n - 8));
                let below = BigUint::from(n) << (RADIX_BITS * (n - 7) + 12);
                assert!((high - &want).magnitude() < &below, "the high half, {n} digits");
                if i == 0 || a == b {
                    let square = columns(b, b, [0, 2 * n], true);
                    assert_eq!(value(square.into_iter()), value_of(b).pow(2), "a square, {n} digits");
                }
            }
        }
    }
}

/// m with digits at the ends of their range: positive, odd, less than R / 16 and at least R / 40.
fn moduli(n: usize, dice: &mut Dice) -> Vec<Vec<i16>> {
    let mut all = numbers(n, dice);
    for m in &mut all {
        m[0] |= 1;
        m[n - 1] = (1 << (RADIX_BITS - 4)) - 1;
        m[n - 2] = m[n - 2].min(0);
    }
    all
}

/// The digits of a number modulo R, at most 2^12 in size.
fn balanced(mut number: BigInt, n: usize) -> Vec<i16> {
    let radix = BigInt::from(1 << RADIX_BITS);
    let mut digit = || {
        let low = i16::try_from((&number % &radix + &radix) % &radix).unwrap();
        let digit = if low >= 1 << (RADIX_BITS - 1) { low - (1 << RADIX_BITS) } else { low };
        number = (&number - digit) >> RADIX_BITS;
        digit
    };
    (0..n).map(|_| digit()).collect()
}

/// Whether the result is T R^-1 modulo m, in range.
#[track_caller]
fn check(out: &[i16], t: &BigInt, m: &BigInt) {
    let n = out.len();
    let result = value_of(out);
    assert_eq!(((&result << (RADIX_BITS * n)) - t) % m, BigInt::ZERO, "{n} digits");
    assert!(out.iter().all(|digit| digit.unsigned_abs() <= LARGEST as u16), "{n} digits");
    // |T| / R + 0.505 m.
    let bound = (t.magnitude() >> (RADIX_BITS * n)) + m.magnitude() * 505u32 / 1000u32 + 1u32;
    assert!(result.magnitude() <= &bound, "{n} digits");
}

#[test]
fn reductions_hold_at_the_bounds() {
    let mut dice = Dice::new(67);
    for n in lengths() {
        let r = BigInt::from(1) << (RADIX_BITS * n);
        for m in moduli(n, &mut dice) {
            let m_value = value_of(&m);
            let inverse = balanced(m_value.modinv(&r).unwrap(), n);
            let (m_lanes, inverse_lanes) = (lanes_of(&m), lanes_of(&inverse));
            let compute = |task| {
                let (mut room, mut out) = (vec![7; room_lanes(n)], vec![7; n]);
                let [m, m_inverse] = [&m_lanes, &inverse_lanes].map(|lanes| lanes.as_ptr());
                PlainDots.run(&DotWork { n, m, m_inverse, task, out: out.as_mut_ptr(), room: room.as_mut_ptr() });
                out
            };
            // Factors far beyond 2m, up to R / 2, give what the bound says.
            let all = numbers(n, &mut dice);
            for (i, a) in all.iter().enumerate() {
                let b = &all[(i + 1) % all.len()];
                let [a_value, b_value] = [a, b].map(|digits| value_of(digits));
                check(&compute(DotTask::Product([a.as_ptr(), b.as_ptr()])), &(&a_value * &b_value), &m_value);
                check(&compute(DotTask::Squarings(a.as_ptr(), 1)), &a_value.pow(2), &m_value);
                check(&compute(DotTask::Leave(a.as_ptr())), &a_value, &m_value);
            }
        }
    }
}

#[test]
fn every_length_has_digits() {
    for bits in 1..=MOST_BITS {
        let n = digits(bits);
        assert!(n.is_multiple_of(8) && RADIX_BITS * n >= bits + 4 && (n == 8 || RADIX_BITS * (n - 8) < bits + 4));
        assert!(digits(most_bits(n)) == n && digits(most_bits(n) + 1) > n);
    }
}
