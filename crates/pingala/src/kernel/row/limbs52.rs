//! Between 64-bit limbs and limb52s; all branch-free in the values.

use super::vectors::MASK;

/// `out` = the number `words` in limb52s; `out` is long enough for it, and what is left over becomes 0.
pub(super) fn from_limbs64(out: &mut [u64], words: &[u64]) {
    debug_assert!(out.len() * 52 >= words.len() * 64 || words[out.len() * 52 / 64 + 1..].iter().all(|&word| word == 0));
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    for (index, limb) in out.iter_mut().enumerate() {
        let (at, shift) = (52 * index / 64, 52 * index % 64);
        let both = u128::from(word(at)) | u128::from(word(at + 1)) << 64;
        *limb = (both >> shift) as u64 & MASK;
    }
}

/// `out` = the number `limbs`, each below 2^52, in 64-bit limbs, as many as `out` has; the rest of the number is 0.
pub(super) fn to_limbs64(out: &mut [u64], limbs: &[u64]) {
    let limb = |index: usize| limbs.get(index).copied().unwrap_or(0);
    for (index, word) in out.iter_mut().enumerate() {
        let (at, shift) = (64 * index / 52, 64 * index % 52);
        let low = u128::from(limb(at)) | u128::from(limb(at + 1)) << 52;
        *word = (low >> shift) as u64 | ((u128::from(limb(at + 2)) << 104) >> shift) as u64;
    }
}

/// `a += b`, both of limbs below 2^52; the sum fits.
pub(super) fn add_assign(a: &mut [u64], b: &[u64]) {
    let mut carry = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let sum = *a + b + carry;
        *a = sum & MASK;
        carry = sum >> 52;
    }
    debug_assert_eq!(carry, 0);
}
