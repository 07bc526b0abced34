//! Bytes and limbs.

use core::iter::repeat;
use core::mem::MaybeUninit;
use pingala_core::Natural;

/// What numbers are made of at the border: bytes, most significant first, or limbs, least significant first.
pub(crate) trait Unit: Copy + Eq {
    /// What errors call several of them.
    const NAME: &'static str;
    fn natural(units: &[Self]) -> Natural;
    /// The length of the number in bits, without a copy.
    fn bits(units: &[Self]) -> u64;
    /// Writes a number that fits, with zeros on top.
    fn write(number: &Natural, out: &mut [MaybeUninit<Self>]);
    /// Units that the number needs.
    fn width(number: &Natural) -> usize;
    /// All units as bytes, for secrets: nothing is trimmed.
    fn to_be_bytes(units: &[Self]) -> Vec<u8>;
    /// The way back: zeros on top, and bytes on top left out where `out` is shorter.
    fn of_be_bytes(bytes: &[u8], out: &mut [MaybeUninit<Self>]);
}

impl Unit for u8 {
    const NAME: &'static str = "bytes";

    #[inline]
    fn natural(units: &[u8]) -> Natural {
        // One limb stays in a register: moves are measurable in short calls.
        match <[u8; 8]>::try_from(units) {
            Ok(limb) => Natural::from_limbs(&[u64::from_be_bytes(limb)]),
            Err(_) => Natural::from_be_bytes(units),
        }
    }

    fn bits(units: &[u8]) -> u64 {
        // The first byte that is not 0 ends the look.
        let top = units.iter().position(|&byte| byte != 0);
        top.map_or(0, |top| {
            ((units.len() - top) as u64).saturating_mul(8).saturating_sub(units[top].leading_zeros().into())
        })
    }

    #[inline]
    fn write(number: &Natural, out: &mut [MaybeUninit<u8>]) {
        let limbs = number.limbs().iter().copied().chain(repeat(0));
        for (chunk, limb) in out.rchunks_mut(8).zip(limbs) {
            chunk.iter_mut().rev().zip(limb.to_le_bytes()).for_each(|(to, from)| _ = to.write(from));
        }
    }

    #[inline]
    fn width(number: &Natural) -> usize {
        number.bits().div_ceil(8) as usize
    }

    #[inline(never)]
    fn to_be_bytes(units: &[u8]) -> Vec<u8> {
        units.to_vec()
    }

    fn of_be_bytes(bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
        let bytes = bytes.iter().rev().copied().chain(repeat(0));
        out.iter_mut().rev().zip(bytes).for_each(|(to, from)| _ = to.write(from));
    }
}

impl Unit for u64 {
    const NAME: &'static str = "limbs";

    #[inline]
    fn natural(units: &[u64]) -> Natural {
        Natural::from_limbs(units)
    }

    fn bits(units: &[u64]) -> u64 {
        let top = units.iter().rposition(|&limb| limb != 0);
        top.map_or(0, |top| 64 * (top as u64 + 1) - u64::from(units[top].leading_zeros()))
    }

    #[inline]
    fn write(number: &Natural, out: &mut [MaybeUninit<u64>]) {
        let limbs = number.limbs().iter().copied().chain(repeat(0));
        out.iter_mut().zip(limbs).for_each(|(to, from)| _ = to.write(from));
    }

    #[inline]
    fn width(number: &Natural) -> usize {
        number.limbs().len()
    }

    #[inline(never)]
    fn to_be_bytes(units: &[u64]) -> Vec<u8> {
        // All room at once: growing would leave copies behind.
        let mut bytes = Vec::with_capacity(size_of_val(units));
        units.iter().rev().for_each(|limb| bytes.extend_from_slice(&limb.to_be_bytes()));
        bytes
    }

    fn of_be_bytes(bytes: &[u8], out: &mut [MaybeUninit<u64>]) {
        let limbs = bytes.rchunks(8).map(|bytes| bytes.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte)));
        out.iter_mut().zip(limbs.chain(repeat(0))).for_each(|(to, from)| _ = to.write(from));
    }
}
