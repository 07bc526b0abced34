//! Digits in any radix, the columns of a comb, and exponents put together from their parts.

use super::{Digits, Exponent, MAX_DIGIT_BITS};
use crate::natural::{Natural, chores};
use alloc::vec;
use alloc::vec::Vec;

/// The digits of an exponent in a radix of 2 to 2^16, least significant first, without leading zeros.
///
/// In radices that are no power of two by division, a word of digits at a time: quadratic in the length.
pub fn base_digits(exponent: &Exponent, radix: u32) -> Vec<u32> {
    debug_assert!((2..=1 << MAX_DIGIT_BITS).contains(&radix));
    if radix.is_power_of_two() {
        let width = radix.ilog2();
        let count = exponent.bits().div_ceil(width as usize);
        let digit = |index: usize| Digits::<usize>::digit(exponent, index * width as usize, width) as u32;
        return (0..count).map(digit).collect();
    }
    // The most digits whose values fit half a word, so that one division of two words by one is enough for each limb.
    let per_word = 63 / (radix.ilog2() + 1);
    let word = u64::from(radix).pow(per_word);
    let mut limbs = exponent.magnitude.limbs().to_vec();
    let mut digits = Vec::new();
    while !limbs.is_empty() {
        let mut rest = 0u64;
        for limb in limbs.iter_mut().rev() {
            let both = u128::from(rest) << 64 | u128::from(*limb);
            (*limb, rest) = ((both / u128::from(word)) as u64, (both % u128::from(word)) as u64);
        }
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        for _ in 0..per_word {
            digits.push((rest % u64::from(radix)) as u32);
            rest /= u64::from(radix);
        }
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits
}

/// e_i with exponent = sum of e_i b_i, greedily from the last and largest weight down; the first weight is 1. Every quotient fits
/// a word.
pub fn weighted_digits(exponent: &Exponent, weights: &[Exponent]) -> Vec<u64> {
    let mut rest = exponent.magnitude.clone();
    let mut digits: Vec<u64> = Vec::with_capacity(weights.len());
    for weight in weights.iter().rev() {
        let (quotient, remainder) = chores::div_rem(&rest, &weight.magnitude);
        debug_assert!(quotient.limbs().len() <= 1);
        digits.push(quotient.limbs().first().copied().unwrap_or(0));
        rest = remainder;
    }
    debug_assert!(rest.is_zero());
    digits.reverse();
    digits
}

/// The exponent as a matrix of `rows` (at most 16) rows of `columns` bits, the first row the lowest bits: column by column,
/// bit i of a column standing in row i.
pub fn comb_columns(exponent: &Exponent, rows: usize, columns: usize) -> Vec<u16> {
    const PIECE: usize = MAX_DIGIT_BITS as usize;
    debug_assert!(rows <= PIECE && exponent.bits() <= rows * columns);
    let mut out = vec![0; columns];
    for row in 0..rows {
        for (piece, out) in out.chunks_mut(PIECE).enumerate() {
            let bits: usize = exponent.digit(row * columns + piece * PIECE, MAX_DIGIT_BITS);
            for (place, column) in out.iter_mut().enumerate() {
                *column |= ((bits >> place & 1) << row) as u16;
            }
        }
    }
    out
}

impl Exponent {
    /// Whether it is at most `factor` times the other.
    pub fn is_at_most(&self, factor: u64, other: &Self) -> bool {
        self.magnitude <= chores::mul(&other.magnitude, &Natural::from(factor))
    }

    /// radix^power, for a radix of 1 or more.
    pub fn power_of(radix: u32, power: usize) -> Self {
        debug_assert!(radix > 0);
        Self { magnitude: chores::pow(&Natural::from(u64::from(radix)), power as u32) }
    }

    /// The sum of 2^position for these positions, one or more, all different.
    pub fn of_bits(positions: impl IntoIterator<Item = usize>) -> Self {
        let mut limbs = Vec::new();
        for position in positions {
            if limbs.len() <= position / 64 {
                limbs.resize(position / 64 + 1, 0);
            }
            limbs[position / 64] |= 1 << (position % 64);
        }
        debug_assert!(!limbs.is_empty());
        Self { magnitude: Natural::from_limbs(&limbs) }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/exponent/radix.rs"]
mod tests;
