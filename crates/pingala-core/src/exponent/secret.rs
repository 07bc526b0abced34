//! Secret exponents: the width is public, the value is never revealed.
//!
//! Lemmas: Blinding.blinded_exponent_of_any, Blinding.reduced_gives_the_power, Blinding.reduced_bits, Fermat.fermat,
//! Fermat.order_of_units, Fermat.order_of_units_of_power, Fermat.blinded_by_order (proofs/README.md).

use super::{CombColumns, DEFAULT_EXPONENT_BITS_CAP, Digits, bits_at, column_at};
use crate::error::Error;
use crate::natural::linear::add_masked;
use crate::natural::{Natural, add_digits, check_secret_digits};
use crate::secrecy::released;
use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use core::hint::black_box;
use zeroize::Zeroize;

/// An exponent whose value is secret and whose declared width is public.
///
/// It may be 0: uniform algorithms give 1 then. Its limbs are padded to the declared width, so that reading a digit
/// never depends on the value's own length; they are zeroised on drop. It offers only digits, to uniform algorithms:
/// no `Display`, no `Clone`, no way back to a plain number.
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
    /// 2^26, before memory is taken.
    ///
    /// Leaks: the number of limbs of `value`, and whether it fits.
    pub fn new(value: &Natural, exponent_bits: Option<u64>) -> Result<Self, Error> {
        let mut secret = Self::zero(exponent_bits.unwrap_or_else(|| value.bits().max(1)), DEFAULT_EXPONENT_BITS_CAP)?;
        let n_kept = secret.limbs.len().min(value.limbs().len());
        let (kept, excess) = value.limbs().split_at(n_kept);
        secret.limbs[..n_kept].copy_from_slice(kept);
        secret.fitting(excess.iter().fold(0, |all, limb| all | limb))
    }

    /// From bytes, most significant first, and the declared width, without a plain number in between.
    ///
    /// The caller's `bytes` are not zeroised.
    ///
    /// # Errors
    /// As [`SecretExponent::new`].
    ///
    /// Leaks: the number of bytes, and whether the value fits.
    pub fn from_be_bytes(bytes: &[u8], exponent_bits: u64) -> Result<Self, Error> {
        let mut secret = Self::zero(exponent_bits, DEFAULT_EXPONENT_BITS_CAP)?;
        let (excess, kept) = bytes.split_at(bytes.len().saturating_sub(8 * secret.limbs.len()));
        for (index, &byte) in kept.iter().rev().enumerate() {
            secret.limbs[index / 8] |= u64::from(byte) << (8 * (index % 8));
        }
        secret.fitting(excess.iter().fold(0, |all, &byte| all | u64::from(byte)))
    }

    /// From decimal or `0x` hexadecimal text without a sign, the declared width, and the longest accepted width. The digits go
    /// directly into limbs that are zeroised; the caller's `text` is not zeroised.
    ///
    /// # Errors
    /// As [`SecretExponent::new`]; [`Error::NotANumber`] with the byte where reading stopped; [`Error::TooLong`] for
    /// more than 2^20 decimal digits, whose conversion takes quadratic time (hexadecimal has no such cap).
    ///
    /// Leaks: the notation, the number of digits, and whether the value fits.
    pub fn parse_capped(text: &str, exponent_bits: u64, max_bits: u64) -> Result<Self, Error> {
        let (radix, digits) = check_secret_digits(text, 0)?;
        let mut secret = Self::zero(exponent_bits, max_bits)?;
        let excess = add_digits(&mut secret.limbs, radix, digits);
        secret.fitting(excess)
    }

    /// From limbs, of which as many as the declared width takes are there.
    pub(crate) fn from_limbs(limbs: &[u64], exponent_bits: usize) -> Self {
        Self { limbs: limbs[..exponent_bits.div_ceil(64)].into(), exponent_bits }
    }

    fn zero(declared: u64, cap: u64) -> Result<Self, Error> {
        if declared > cap {
            return Err(Error::TooLong { what: "exponent", length: declared, cap });
        }
        let limbs = vec![0; declared.div_ceil(64) as usize].into_boxed_slice();
        Ok(Self { limbs, exponent_bits: declared as usize })
    }

    /// This exponent, unless a bit above the declared width is set: `excess` has those above the limbs. That one fact is
    /// revealed, and nothing of the bits below the width.
    fn fitting(self, excess: u64) -> Result<Self, Error> {
        let in_top_limb = match (self.limbs.last(), self.exponent_bits % 64) {
            (Some(top), used @ 1..) => top >> used,
            _ => 0,
        };
        if released(excess | in_top_limb) != 0 {
            return Err(Error::BadSecret("the secret exponent is wider than declared"));
        }
        Ok(self)
    }

    /// The exponent that gives the same powers in every group whose order divides L, and of L bits and one at most, if
    /// this one may be longer: e mod L, and L more if e is not below L (so that the exponent exceeds what an element that is no
    /// unit needs to become 0). None if this one is short enough. L has exactly `order_bits` bits, which are public, and is at
    /// least 1; its value may be secret too. `remainder` writes e mod L, as long as L, without a branch.
    pub(crate) fn reduced(
        &self,
        order: &[u64],
        order_bits: usize,
        remainder: impl FnOnce(&[u64], &mut [u64]),
    ) -> Option<Self> {
        if self.exponent_bits <= order_bits + 1 {
            return None;
        }
        let n = order_bits.div_ceil(64);
        let order = &order[..n];
        let mut reduced = Self { limbs: vec![0; (order_bits + 1).div_ceil(64)].into(), exponent_bits: order_bits + 1 };
        let (low, top) = reduced.limbs.split_at_mut(n);
        remainder(&self.limbs, low);
        // e is below L exactly if it is its own remainder.
        let rest = low.iter().chain(core::iter::repeat(&0));
        let difference = self.limbs.iter().zip(rest).fold(0, |all, (e, rest)| all | (e ^ rest));
        let at_least_order = black_box((difference | difference.wrapping_neg()) >> 63).wrapping_neg();
        let carry = add_masked(low, order, at_least_order);
        if let [top] = top {
            *top = u64::from(carry);
        }
        Some(reduced)
    }

    /// The exponent with `multiple` times L added, if it is at least `least`: the same power in every group whose order divides
    /// L, and of the other elements if their powers from `least` on are 0 or 1. The width is that of both sums, and public. L has
    /// `order_bits` bits at most.
    pub(crate) fn blinded(&self, order: &[u64], order_bits: usize, multiple: u64, least: u32) -> Self {
        let exponent_bits = self.exponent_bits.max(order_bits + 64) + 1;
        let mut limbs = vec![0; exponent_bits.div_ceil(64)].into_boxed_slice();
        limbs[..self.limbs.len()].copy_from_slice(&self.limbs);
        let above = self.limbs.iter().skip(1).fold(0, |all, limb| all | limb);
        let (_, below) = self.limbs.first().copied().unwrap_or(0).overflowing_sub(u64::from(least));
        let is_above = (above | above.wrapping_neg()) >> 63;
        let multiple = multiple & black_box(is_above | u64::from(!below)).wrapping_neg();
        let (mut carry, mut over) = (0, false);
        for (limb, order) in limbs.iter_mut().zip(order.iter().chain(core::iter::repeat(&0))) {
            let (product, high) = order.carrying_mul(multiple, carry);
            carry = high;
            (*limb, over) = limb.carrying_add(product, over);
        }
        debug_assert!(carry == 0 && !over);
        Self { limbs, exponent_bits }
    }

    /// The limbs, for arithmetic without branches.
    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The declared width in bits.
    pub fn bits(&self) -> usize {
        self.exponent_bits
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

impl CombColumns<SecretDigit> for SecretExponent {
    fn column(&self, position: usize, stride: usize, rows: usize) -> SecretDigit {
        SecretDigit(column_at(&self.limbs, position, stride, rows))
    }
}

impl Drop for SecretExponent {
    fn drop(&mut self) {
        self.limbs.zeroize();
    }
}

impl fmt::Debug for SecretExponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<SecretExponent of {} bits>", self.exponent_bits)
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

    /// The value, for a kernel that compares it with many indices at once, in vectors: the kernel must turn it into masks, as
    /// those of [`SecretDigit::mask_eq`].
    #[inline]
    pub(crate) fn for_vectors(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for SecretDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<SecretDigit>")
    }
}

#[cfg(test)]
#[path = "../../tests/inside/exponent/secret.rs"]
mod tests;
