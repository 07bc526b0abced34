//! Between 64-bit limbs and limbs of other lengths; all branch-free in the values.

/// 64 bits, from bit `at` on, of the number `words` * 2^`shift`.
#[inline(always)]
pub(super) fn bits_from(words: &[u64], shift: usize, at: usize) -> u64 {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    match at.checked_sub(shift) {
        Some(at) => word(at / 64) >> (at % 64) | (word(at / 64 + 1) << 1) << (63 - at % 64),
        None if shift - at < 64 => word(0) << (shift - at),
        None => 0,
    }
}

/// `out` = the bits of the number `words` from bit `start` on, in limbs of `radix_bits` bits, 1 to 64, as many as fit.
#[inline]
pub(super) fn split(out: &mut [u64], words: &[u64], start: usize, radix_bits: u32) {
    for (index, limb) in out.iter_mut().enumerate() {
        *limb = bits_from(words, 0, start + radix_bits as usize * index) & (u64::MAX >> (64 - radix_bits));
    }
}

/// `a += b` for limbs of `radix_bits` bits, at most 63; the carry out, 0 or 1.
#[inline]
pub(super) fn add_assign(a: &mut [u64], b: &[u64], radix_bits: u32) -> u64 {
    let mut carry = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let sum = *a + *b + carry;
        *a = sum & (u64::MAX >> (64 - radix_bits));
        carry = sum >> radix_bits;
    }
    carry
}

/// `out` = the number whose limbs of RADIX bits, 32 to 63, `limb` returns, in the 64-bit limbs of `out`, which the number fits.
#[inline]
pub(super) fn join<const RADIX: usize>(out: &mut [u64], limb: impl Fn(usize) -> u64) {
    // Three limbs hold the 63 bits above those that the first one loses.
    const { assert!(32 <= RADIX && RADIX < 64) };
    for (index, word) in out.iter_mut().enumerate() {
        // The bits from 64 index on: what one limb has above them, then the next ones.
        let (at, low) = (64 * index / RADIX, 64 * index % RADIX);
        let pieces = limb(at) >> low | limb(at + 1) << (RADIX - low);
        *word = if low > 2 * RADIX - 64 { pieces | limb(at + 2) << (2 * RADIX - low) } else { pieces };
    }
}

/// `join` of the limbs of a slice, and of zeros above them.
#[inline]
pub(super) fn join_all<const RADIX: usize>(out: &mut [u64], limbs: &[u64]) {
    join::<RADIX>(out, |index| limbs.get(index).copied().unwrap_or(0));
}
