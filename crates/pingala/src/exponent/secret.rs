//! Secret exponents: the width is public, the value never shows.

use super::{DEFAULT_EXPONENT_BITS_CAP, Digits, bits_at};
use crate::error::Error;
use crate::natural::Natural;
use core::fmt;
use core::hint::black_box;
use zeroize::Zeroize;

/// An exponent whose value is secret and whose declared width is public.
///
/// It may be 0: uniform algorithms give 1 then. Its limbs are padded to the declared width, so that reading a digit
/// never depends on the value's own length; they are zeroised on drop. It offers digits to uniform algorithms and
/// nothing else: no `Display`, no `Clone`, no way back to a plain number.
pub struct SecretExponent {
    /// On the heap, so that moving the exponent leaves no copy behind.
    limbs: Box<[u64]>,
    exponent_bits: usize,
}

impl SecretExponent {
    /// From a value and its declared width. Without a width the value's own bit length (at least 1) is declared, and
    /// is public from then on.
    ///
    /// The caller's `value` is not zeroised.
    ///
    /// # Errors
    /// [`Error::BadSecret`] if the value is wider than declared; [`Error::TooLong`] if the declared width is over
    /// [`DEFAULT_EXPONENT_BITS_CAP`], before memory is taken.
    ///
    /// Leaks: the number of limbs of `value`, and whether it fits.
    pub fn new(value: &Natural, exponent_bits: Option<u64>) -> Result<Self, Error> {
        let declared = exponent_bits.unwrap_or(value.bits().max(1));
        if declared > DEFAULT_EXPONENT_BITS_CAP {
            return Err(Error::TooLong { what: "exponent", length: declared, cap: DEFAULT_EXPONENT_BITS_CAP });
        }
        if value.bits() > declared {
            return Err(Error::BadSecret("the secret exponent is wider than declared"));
        }
        let mut limbs = vec![0; declared.div_ceil(64) as usize].into_boxed_slice();
        limbs[..value.limbs().len()].copy_from_slice(value.limbs());
        Ok(Self { limbs, exponent_bits: declared as usize })
    }
}

impl Digits<SecretDigit> for SecretExponent {
    #[inline]
    fn bits(&self) -> usize {
        self.exponent_bits
    }

    #[inline]
    fn digit(&self, position: usize, width: u32) -> SecretDigit {
        SecretDigit(bits_at(&self.limbs, position, width))
    }
}

impl Drop for SecretExponent {
    fn drop(&mut self) {
        self.limbs.zeroize();
    }
}

impl fmt::Debug for SecretExponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretExponent({} bits, value hidden)", self.exponent_bits)
    }
}

/// A digit of a [`SecretExponent`]. It can only be compared, and the answer is a mask.
#[derive(Clone, Copy)]
pub struct SecretDigit(u64);

impl SecretDigit {
    /// All ones if the digit equals `index`, otherwise 0, without a branch: what a kernel needs to read a whole table
    /// and keep one entry. The result passes an optimisation barrier, so that a selection by mask stays one.
    #[inline]
    pub fn mask_eq(self, index: usize) -> u64 {
        let difference = self.0 ^ index as u64;
        // The top bit of d | -d is set exactly for d != 0.
        let differs = (difference | difference.wrapping_neg()) >> 63;
        black_box(differs).wrapping_sub(1)
    }
}

impl fmt::Debug for SecretDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigit(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_the_width_and_hides_the_value() {
        let secret = SecretExponent::new(&Natural::from(0xdead_beefu64), Some(40)).unwrap();
        let text = format!("{secret:?} {:?}", secret.digit(0, 16));
        assert_eq!(text, "SecretExponent(40 bits, value hidden) SecretDigit(hidden)");
        for value in ["3735928559", "deadbeef", "beef", "48879"] {
            assert!(!text.contains(value));
        }
    }

    #[test]
    fn a_value_wider_than_declared_is_refused() {
        let value = Natural::from(256u64);
        assert_eq!(SecretExponent::new(&value, Some(8)).unwrap_err().code(), "bad_secret");
        assert_eq!(SecretExponent::new(&value, Some(9)).unwrap().bits(), 9);
        assert_eq!(SecretExponent::new(&value, None).unwrap().bits(), 9);
        assert_eq!(SecretExponent::new(&value, Some(u64::MAX)).unwrap_err().code(), "too_long");
        assert_eq!(SecretExponent::new(&Natural::from(0u64), Some(0)).unwrap().bits(), 0);
        assert_eq!(SecretExponent::new(&Natural::from(0u64), None).unwrap().bits(), 1);
    }

    #[test]
    fn masks_are_all_or_nothing() {
        let secret = SecretExponent::new(&Natural::from(0xa5f0u64), Some(200)).unwrap();
        for (position, digit) in [(0, 0), (4, 15), (8, 5), (12, 10), (16, 0), (196, 0), (900, 0)] {
            for index in 0..16 {
                let want = if index == digit { u64::MAX } else { 0 };
                assert_eq!(secret.digit(position, 4).mask_eq(index), want);
            }
        }
        assert_eq!(SecretDigit(0).mask_eq(1 << 63), 0);
    }
}
