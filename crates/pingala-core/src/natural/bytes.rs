//! Bytes, in and out, in both orders.

use super::Natural;
use alloc::vec::Vec;

/// Bytes of one limb.
const LIMB_BYTES: usize = 8;

impl Natural {
    /// From bytes, most significant first. Leading zeros are allowed; no bytes are 0.
    pub fn from_be_bytes(bytes: &[u8]) -> Self {
        let used = bytes.iter().position(|&byte| byte != 0).map_or(&[][..], |top| &bytes[top..]);
        // Whole limbs by whole words: bytes one by one would take as long as a short power.
        let (top, limbs) = used.as_rchunks();
        let whole = limbs.iter().rev().map(|&bytes| u64::from_be_bytes(bytes));
        let top = top.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
        Self::from_limb_buffer(whole.chain((top > 0).then_some(top)).collect())
    }

    /// From bytes, least significant first. Leading zeros (the last bytes) are allowed; no bytes are 0.
    pub fn from_le_bytes(bytes: &[u8]) -> Self {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |top| top + 1);
        let (limbs, top) = bytes[..used].as_chunks();
        let whole = limbs.iter().map(|&bytes| u64::from_le_bytes(bytes));
        let top = top.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
        Self::from_limb_buffer(whole.chain((top > 0).then_some(top)).collect())
    }

    /// The bytes, most significant first, without leading zeros; empty for 0.
    pub fn to_be_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_le_bytes();
        bytes.reverse();
        bytes
    }

    /// The bytes, least significant first, without leading zeros; empty for 0.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.limbs().len() * LIMB_BYTES);
        self.limbs().iter().for_each(|limb| bytes.extend_from_slice(&limb.to_le_bytes()));
        bytes.truncate(self.n_bytes());
        bytes
    }

    /// Exactly `width_bytes` bytes, most significant first, zeros in front; `None` if the number needs more than that, or
    /// if that much memory is not to be had.
    pub fn to_be_bytes_padded(&self, width_bytes: usize) -> Option<Vec<u8>> {
        width_bytes.checked_sub(self.n_bytes())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(width_bytes).ok()?;
        bytes.resize(width_bytes, 0);
        write_be(self.limbs(), &mut bytes);
        Some(bytes)
    }

    /// Bytes that the number needs: ceil(bits / 8), 0 for 0.
    fn n_bytes(&self) -> usize {
        self.bits().div_ceil(8) as usize
    }
}

/// Writes limbs as bytes, most significant first, with zeros in front; of more limbs those that fit. Branches on lengths only.
pub(crate) fn write_be(limbs: &[u64], out: &mut [u8]) {
    let (top, words) = out.as_rchunks_mut::<LIMB_BYTES>();
    let limb = |index: usize| limbs.get(index).map_or([0; LIMB_BYTES], |limb| limb.to_be_bytes());
    words.iter_mut().rev().enumerate().for_each(|(index, word)| *word = limb(index));
    top.copy_from_slice(&limb(words.len())[LIMB_BYTES - top.len()..]);
}

/// One to eight bytes, most significant first. Branches on their number only.
pub(crate) fn limb_from_be(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(whole) => u64::from_be_bytes(whole),
        Err(_) => bytes.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
#[path = "../../tests/inside/natural/bytes.rs"]
mod tests;
