//! Digits of D bits, a word each: carries that leave at the top, sums, comparisons, and the change to and from limbs.

use super::length::{SHORT_DIGIT, largest_digit};
use super::transform::Wrapping;
use crate::kernel::limbs;
use crate::natural::linear;

/// Adds c to the digits; what leaves them at the top.
pub(super) fn add_small(digits: &mut [u64], mut c: i128, digit_bits: u32) -> i128 {
    for digit in digits {
        if c == 0 {
            break;
        }
        // |c| < 2^100, so no sum overflows.
        let sum = i128::from(*digit) + c;
        *digit = sum as u64 & largest_digit(digit_bits);
        c = sum >> digit_bits;
    }
    c
}

/// Brings a carry c out of the digits, at 2^(DL), back into them: it is added at the bottom modulo 2^(DL) - 1, and subtracted modulo
/// 2^(DL) + 1. Whether the number is 2^(DL) modulo 2^(DL) + 1, which no L digits are; the digits are 0 then.
///
/// Modulo 2^(DL) + 1 a carry of 1 counts as -1: if the digits are 0 it is the number 2^(DL) itself.
pub(super) fn wrap(digits: &mut [u64], mut carry: i128, kind: Wrapping, digit_bits: u32) -> bool {
    while carry != 0 {
        match kind {
            Wrapping::Cyclic => carry = add_small(digits, carry, digit_bits),
            Wrapping::Negacyclic if carry == 1 && digits.iter().all(|&digit| digit == 0) => return true,
            Wrapping::Negacyclic => carry = add_small(digits, -carry, digit_bits),
        }
    }
    false
}

/// The number modulo 2^D - 1, from 0 to 2^D - 2.
#[inline(never)]
pub(super) fn digit_sum(digits: &[u64], digit_bits: u32) -> u64 {
    // Fewer than 2^32 digits, a multiple of 64. Four sums, because an addition waits for the one before.
    debug_assert!(digits.len().is_multiple_of(4));
    let mut sums = [0u128; 4];
    for group in digits.chunks_exact(4) {
        for (sum, &digit) in sums.iter_mut().zip(group) {
            *sum += u128::from(digit);
        }
    }
    fold(sums.iter().sum(), digit_bits)
}

/// a b modulo 2^D - 1.
pub(super) fn product_of_sums(a: u64, b: u64, digit_bits: u32) -> u64 {
    fold(u128::from(a) * u128::from(b), digit_bits)
}

fn fold(mut sum: u128, digit_bits: u32) -> u64 {
    let largest = u128::from(largest_digit(digit_bits));
    while sum > largest {
        sum = (sum & largest) + (sum >> digit_bits);
    }
    if sum == largest { 0 } else { sum as u64 }
}

/// `a = a + b`; the carry.
pub(super) fn add(a: &mut [u64], b: &[u64], digit_bits: u32) -> bool {
    if digit_bits == 64 {
        return linear::add_assign(a, b, false);
    }
    limbs::add_assign(a, b, digit_bits) == 1
}

/// `a = a - b`; the borrow.
pub(super) fn sub(a: &mut [u64], b: &[u64], digit_bits: u32) -> bool {
    if digit_bits == 64 {
        return linear::sub_assign(a, b, false);
    }
    let mut borrow = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let difference = a.wrapping_sub(*b).wrapping_sub(borrow);
        *a = difference & largest_digit(digit_bits);
        borrow = difference >> 63;
    }
    borrow == 1
}

/// `digits` = the bits of the number of these limbs from `from` on, as many as fit.
pub(super) fn from_limbs(digits: &mut [u64], number: &[u64], from: usize, digit_bits: u32) {
    if digit_bits == 64 && from == 0 {
        return copy(digits, number);
    }
    limbs::split(digits, number, from, digit_bits);
}

/// `number` = the limbs of the number of these digits, as many as fit.
pub(super) fn to_limbs(number: &mut [u64], digits: &[u64], digit_bits: u32) {
    if digit_bits == 64 {
        return copy(number, digits);
    }
    debug_assert!(digit_bits == SHORT_DIGIT);
    limbs::join_all::<{ SHORT_DIGIT as usize }>(number, digits);
}

/// Copies as many words as fit, with zeros above.
fn copy(out: &mut [u64], words: &[u64]) {
    let (whole, rest) = out.split_at_mut(words.len().min(out.len()));
    whole.copy_from_slice(&words[..whole.len()]);
    rest.fill(0);
}
