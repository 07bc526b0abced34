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
    bytes.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte))
}

/// One to eight bytes, least significant first.
fn limb_from_le(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natural::testing::{structured_natural, to_oracle};
    use num_bigint::BigUint;
    use proptest::prelude::*;

    #[test]
    fn zero_has_no_bytes() {
        let zero = Natural::default();
        assert_eq!(zero.to_be_bytes(), b"");
        assert_eq!(zero.to_le_bytes(), b"");
        assert_eq!(zero.to_be_bytes_padded(0), Some(vec![]));
        assert_eq!(zero.to_be_bytes_padded(3), Some(vec![0; 3]));
        assert_eq!(Natural::from_be_bytes(b""), zero);
        assert_eq!(Natural::from_le_bytes(&[0; 17]), zero);
        assert_eq!(Natural::from_be_bytes(&[0; 17]), zero);
    }

    #[test]
    fn the_order_is_the_named_one() {
        let value = Natural::from(0x0102_0304_0506_0708_090a_u128);
        assert_eq!(value.to_be_bytes(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(value.to_le_bytes(), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(value.to_be_bytes_padded(12), Some(vec![0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
        assert_eq!(value.to_be_bytes_padded(10), Some(value.to_be_bytes()));
        assert_eq!(value.to_be_bytes_padded(9), None);
    }

    #[test]
    fn a_width_beyond_memory_is_refused() {
        assert_eq!(Natural::from(1u64).to_be_bytes_padded(usize::MAX), None);
    }

    #[test]
    fn every_bit_length_round_trips() {
        for bits in 1..=600usize {
            // The powers of two and the runs of ones are the least and the greatest number of each length.
            for oracle in [BigUint::from(1u8) << (bits - 1), (BigUint::from(1u8) << bits) - 1u8] {
                let value = Natural::from_be_bytes(&oracle.to_bytes_be());
                assert_eq!(value.bits(), bits as u64);
                assert_eq!(to_oracle(&value), oracle);
                assert_eq!(value.to_be_bytes(), oracle.to_bytes_be());
                assert_eq!(value.to_le_bytes(), oracle.to_bytes_le());
                assert_eq!(Natural::from_le_bytes(&value.to_le_bytes()), value);
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_agree_with_the_oracle(value in structured_natural(12), zeros in 0..20usize) {
            let oracle = to_oracle(&value);
            if !value.is_zero() {
                prop_assert_eq!(value.to_be_bytes(), oracle.to_bytes_be());
                prop_assert_eq!(value.to_le_bytes(), oracle.to_bytes_le());
            }
            let width = value.to_be_bytes().len() + zeros;
            let padded = value.to_be_bytes_padded(width).unwrap();
            prop_assert_eq!(padded.len(), width);
            prop_assert_eq!(Natural::from_be_bytes(&padded), value.clone());
            let reversed: Vec<u8> = padded.into_iter().rev().collect();
            prop_assert_eq!(Natural::from_le_bytes(&reversed), value);
        }
    }
}
