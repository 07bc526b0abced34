//! Digits narrower than a limb, in and out, as interpreters keep their integers.

use super::Natural;
use smallvec::SmallVec;

impl Natural {
    /// From digits of `DIGIT_BITS` bits, 1 to 32, least significant first. Leading zeros (the last digits) are allowed;
    /// bits above the width of a digit do not count.
    #[inline]
    pub fn from_digits<const DIGIT_BITS: usize>(digits: &[u32]) -> Self {
        const { assert!(1 <= DIGIT_BITS && DIGIT_BITS <= 32) }
        let mut limbs = SmallVec::from_elem(0, (digits.len() * DIGIT_BITS).div_ceil(64));
        let mut out = limbs.iter_mut();
        let (mut limb, mut filled) = (0u64, 0);
        for &digit in digits {
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

    /// The digits of `DIGIT_BITS` bits, 1 to 32, least significant first, without leading zeros; none for 0.
    pub fn digits<const DIGIT_BITS: usize>(&self) -> impl ExactSizeIterator<Item = u32> {
        const { assert!(1 <= DIGIT_BITS && DIGIT_BITS <= 32) }
        let limbs = self.limbs();
        (0..(self.bits() as usize).div_ceil(DIGIT_BITS)).map(|at| {
            let (limb, shift) = (at * DIGIT_BITS / 64, at * DIGIT_BITS % 64);
            let straddles = shift + DIGIT_BITS > 64;
            let above = limbs.get(limb + 1).filter(|_| straddles).map_or(0, |next| next << (64 - shift));
            ((limbs[limb] >> shift | above) & mask(DIGIT_BITS)) as u32
        })
    }
}

/// The low `bits` bits, 1 to 32.
const fn mask(bits: usize) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
#[path = "../../tests/inside/natural/digits.rs"]
mod tests;
