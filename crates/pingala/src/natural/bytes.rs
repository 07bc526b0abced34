//! Bytes, in and out, in both orders.

use super::Natural;

/// Bytes of one limb.
const LIMB_BYTES: usize = 8;

impl Natural {
    /// From bytes, most significant first. Leading zeros are allowed; no bytes are 0.
    pub fn from_be_bytes(bytes: &[u8]) -> Self {
        let used = bytes.iter().position(|&byte| byte != 0).map_or(&[][..], |top| &bytes[top..]);
        Self::from_limb_buffer(used.rchunks(LIMB_BYTES).map(limb_from_be).collect())
    }

    /// From bytes, least significant first. Leading zeros (the last bytes) are allowed; no bytes are 0.
    pub fn from_le_bytes(bytes: &[u8]) -> Self {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |top| top + 1);
        Self::from_limb_buffer(bytes[..used].chunks(LIMB_BYTES).map(limb_from_le).collect())
    }

    /// The bytes, most significant first, without leading zeros; empty for 0.
    pub fn to_be_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_le_bytes();
        bytes.reverse();
        bytes
    }

    /// The bytes, least significant first, without leading zeros; empty for 0.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
        bytes.truncate(self.n_bytes());
        bytes
    }

    /// Exactly `width_bytes` bytes, most significant first, zeros in front; `None` if the number needs more than that, or
    /// if that much memory is not to be had.
    pub fn to_be_bytes_padded(&self, width_bytes: usize) -> Option<Vec<u8>> {
        let padding = width_bytes.checked_sub(self.n_bytes())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(width_bytes).ok()?;
        bytes.resize(padding, 0);
        let top_limb_first = self.limbs().iter().rev().flat_map(|limb| limb.to_be_bytes());
        bytes.extend(top_limb_first.skip(self.limbs().len() * LIMB_BYTES - self.n_bytes()));
        Some(bytes)
    }

    /// Bytes that the number needs: ceil(bits / 8), 0 for 0.
    fn n_bytes(&self) -> usize {
        self.bits().div_ceil(8) as usize
    }
}

/// One to eight bytes, most significant first.
fn limb_from_be(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(whole) => u64::from_be_bytes(whole),
        Err(_) => bytes.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte)),
    }
}

/// One to eight bytes, least significant first.
fn limb_from_le(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(whole) => u64::from_le_bytes(whole),
        Err(_) => bytes.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
#[path = "../../tests/inside/natural/bytes.rs"]
mod tests;
