//! Between 64-bit limbs and limb52s; all branch-free in the values.

use crate::kernel::vector::MASK;

/// `out` = the bits of the number `words` from bit `start` on, in limb52s, as many as fit.
pub(super) fn from_limbs64(out: &mut [u64], words: &[u64], start: usize) {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    for (index, limb) in out.iter_mut().enumerate() {
        let bit = start + 52 * index;
        let both = u128::from(word(bit / 64)) | u128::from(word(bit / 64 + 1)) << 64;
        *limb = (both >> (bit % 64)) as u64 & MASK;
    }
}

/// `out` = the number `limbs`, each below 2^52, in the 64-bit limbs of `out`, which the number fits.
pub(super) fn to_limbs64(out: &mut [u64], limbs: &[u64]) {
    let limb = |index: usize| limbs.get(index).copied().unwrap_or(0);
    for (index, word) in out.iter_mut().enumerate() {
        let (at, shift) = (64 * index / 52, 64 * index % 52);
        let low = u128::from(limb(at)) | u128::from(limb(at + 1)) << 52;
        *word = (low >> shift) as u64 | ((u128::from(limb(at + 2)) << 104) >> shift) as u64;
    }
}

/// `a += b` for limbs below 2^52; returns the carry out, 0 or 1.
pub(super) fn add_assign(a: &mut [u64], b: &[u64]) -> u64 {
    let mut carry = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let sum = *a + b + carry;
        *a = sum & MASK;
        carry = sum >> 52;
    }
    carry
}

/// `a -= 2 n` modulo 2^(52 length) if `condition` is 1, unchanged if it is 0; n by its complement in limbs, all ones
/// minus n.
pub(super) fn subtract_twice_if(a: &mut [u64], complement: &[u64], condition: u64) {
    // a + 2 (2^(52 length) - 1 - n) + 2
    let mask = condition.wrapping_neg();
    let mut carry = 2 & mask;
    for (a, c) in a.iter_mut().zip(complement) {
        let sum = *a + ((2 * c) & mask) + carry;
        *a = sum & MASK;
        carry = sum >> 52;
    }
}
