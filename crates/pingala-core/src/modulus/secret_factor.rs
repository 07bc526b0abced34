//! Secret factors of a modulus.

use crate::error::Error;
use crate::natural::bytes::limb_from_be;
use crate::natural::{Natural, Wiped};
use core::fmt;

/// A factor p^k of a modulus whose value is secret and whose length in bits is public; p is odd and need not be prime.
///
/// It goes to [`Modulus::with_secret_factors`](crate::Modulus::with_secret_factors). Its limbs are zeroised on drop, and there
/// is no way back to a plain number.
pub struct SecretFactor {
    limbs: Wiped,
    bits: usize,
    multiplicity: u32,
}

impl SecretFactor {
    /// The shortest p, in bits: shorter ones are found by trial.
    pub(crate) const MIN_BITS: u64 = 64;

    /// p from a number. The caller's `value` is not zeroised. Error: `wrong_factors` for a p that is even or of fewer than
    /// 64 bits, and for a multiplicity of 0.
    ///
    /// Leaks: the length of `value` in bits.
    pub fn new(value: &Natural, multiplicity: u32) -> Result<Self, Error> {
        Self::checked(Wiped::new(value.limbs().to_vec()), value.bits(), multiplicity)
    }

    /// p from bytes, most significant first, and its length in bits: no plain number is made on the way. The caller's `bytes`
    /// are not zeroised. Error: `wrong_factors`, as [`SecretFactor::new`], and for a p that does not have that length.
    ///
    /// Leaks: the number of bytes, and whether p is odd and as long as declared.
    pub fn from_be_bytes(bytes: &[u8], factor_bits: u64, multiplicity: u32) -> Result<Self, Error> {
        if bytes.len() as u64 != factor_bits.div_ceil(8) {
            return Err(Error::WrongFactors(format!("{} bytes for a factor of {factor_bits} bits", bytes.len())));
        }
        Self::checked(Wiped::new(bytes.rchunks(8).map(limb_from_be).collect()), factor_bits, multiplicity)
    }

    fn checked(limbs: Wiped, factor_bits: u64, multiplicity: u32) -> Result<Self, Error> {
        let refused = |why: &str| Err(Error::WrongFactors(why.into()));
        if factor_bits < Self::MIN_BITS || multiplicity == 0 {
            return refused("a secret factor has 64 bits or more, and a multiplicity of 1 or more");
        }
        // The bits that decide, and no other.
        let (low, top) = (limbs[0] & 1, limbs[limbs.len() - 1] >> ((factor_bits - 1) % 64));
        if low == 0 || top != 1 {
            return refused("a secret factor is even, or not as long as declared");
        }
        Ok(Self { limbs, bits: factor_bits as usize, multiplicity })
    }

    /// Limbs of p, least significant first.
    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// Bits of p.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// k.
    pub(crate) fn multiplicity(&self) -> u32 {
        self.multiplicity
    }
}

impl fmt::Debug for SecretFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<SecretFactor of {} bits, multiplicity {}>", self.bits, self.multiplicity)
    }
}
