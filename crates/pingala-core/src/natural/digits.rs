//! Digits narrower than a limb, in and out, as interpreters keep their integers.

use super::Natural;
use smallvec::SmallVec;

/// Digits of 30 bits, two to a pair of 60 bits, and the limbs that they fill without a rest.
const BLOCK_DIGITS: usize = 32;
const BLOCK_LIMBS: usize = 15;

impl Natural {
    /// From digits of `DIGIT_BITS` bits, 1 to 32, least significant first. Leading zeros (the last digits) are allowed;
    /// bits above the width of a digit do not count.
    // Not promised: such are the digits of Python's integers, which its package reads and writes.
    #[doc(hidden)]
    #[inline]
    pub fn from_digits<const DIGIT_BITS: usize>(digits: &[u32]) -> Self {
        const { assert!(1 <= DIGIT_BITS && DIGIT_BITS <= 32) }
        if DIGIT_BITS == 30 && digits.len() <= 6 {
            let digit = |i: usize| digits.get(i).map_or(0, |&digit| u64::from(digit) & mask(30));
            let [a, b, c] = [0, 2, 4].map(|i| digit(i) | digit(i + 1) << 30);
            return Self::from_limbs(&[a | b << 60, b >> 4 | c << 56, c >> 8]);
        }
        let mut limbs = SmallVec::from_elem(0, (digits.len() * DIGIT_BITS).div_ceil(64));
        let (mut out, mut rest) = (&mut limbs[..], digits);
        if DIGIT_BITS == 30 {
            while let Some((block, above)) = rest.split_first_chunk() {
                let (filled, free) = out.split_at_mut(BLOCK_LIMBS);
                limbs_of_block(filled, block);
                (out, rest) = (free, above);
            }
        }
        let mut out = out.iter_mut();
        let (mut limb, mut filled) = (0u64, 0);
        for &digit in rest {
            let digit = u64::from(digit) & mask(DIGIT_BITS);
            limb |= digit << filled;
            filled += DIGIT_BITS;
            if filled >= 64 {
                filled -= 64;
                if let Some(slot) = out.next() {
                    *slot = limb;
                }
                // The digit's upper `filled` bits did not fit.
                limb = digit >> (DIGIT_BITS - filled);
            }
        }
        if let Some(slot) = out.next() {
            *slot = limb;
        }
        Self::from_limb_buffer(limbs)
    }

    /// How many digits of `DIGIT_BITS` bits, 1 to 32, the number has; none for 0.
    // Not promised, as `from_digits`.
    #[doc(hidden)]
    #[inline]
    pub fn count_digits<const DIGIT_BITS: usize>(&self) -> usize {
        const { assert!(1 <= DIGIT_BITS && DIGIT_BITS <= 32) }
        (self.bits() as usize).div_ceil(DIGIT_BITS)
    }

    /// The digits of `DIGIT_BITS` bits, 1 to 32, least significant first, into `out`, zeros on top of them.
    ///
    /// # Panics
    /// If `out` has less than [`count_digits`](Self::count_digits).
    // Not promised, as `from_digits`.
    #[doc(hidden)]
    #[inline]
    pub fn write_digits<const DIGIT_BITS: usize>(&self, out: &mut [u32]) {
        assert!(out.len() >= self.count_digits::<DIGIT_BITS>(), "room for all digits");
        let (mut rest, mut limbs) = (out, self.limbs());
        if DIGIT_BITS == 30 {
            while let (Some((block, above)), true) = (limbs.split_first_chunk(), rest.len() >= BLOCK_DIGITS) {
                let (digits, free) = rest.split_at_mut(BLOCK_DIGITS);
                digits_of_block(digits, block);
                (limbs, rest) = (above, free);
            }
        }
        for (index, digit) in rest.iter_mut().enumerate() {
            let (at, below) = (index * DIGIT_BITS / 64, index * DIGIT_BITS % 64);
            let low = limbs.get(at).map_or(0, |limb| limb >> below);
            let is_split = below + DIGIT_BITS > 64;
            let high = if is_split { limbs.get(at + 1).map_or(0, |limb| limb << (64 - below)) } else { 0 };
            *digit = ((low | high) & mask(DIGIT_BITS)) as u32;
        }
    }
}

/// 32 digits of 30 bits: limb i begins 4i bits above the lowest of pair i. They go straight to their place, as in the reverse: the number
/// may be secret, and an array on the stack is not wiped.
#[inline]
fn limbs_of_block(out: &mut [u64], digits: &[u32; BLOCK_DIGITS]) {
    let digit = |i: usize| u64::from(digits[i]) & mask(30);
    let pair = |i: usize| digit(2 * i) | digit(2 * i + 1) << 30;
    for (i, limb) in out[..BLOCK_LIMBS].iter_mut().enumerate() {
        *limb = pair(i) >> (4 * i) | pair(i + 1) << (60 - 4 * i);
    }
}

/// The reverse: pair i begins 4i bits below the lowest of limb i.
#[inline]
fn digits_of_block(out: &mut [u32], limbs: &[u64; BLOCK_LIMBS]) {
    let pair = |i: usize| match i {
        0 => limbs[0],
        BLOCK_LIMBS => limbs[BLOCK_LIMBS - 1] >> 4,
        _ => limbs[i - 1] >> (64 - 4 * i) | limbs[i] << (4 * i),
    };
    for (i, digit) in out[..BLOCK_DIGITS].iter_mut().enumerate() {
        *digit = (pair(i / 2) >> (30 * (i % 2)) & mask(30)) as u32;
    }
}

/// The low `bits` bits, 1 to 32.
const fn mask(bits: usize) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
#[path = "../../tests/inside/natural/digits.rs"]
mod tests;
