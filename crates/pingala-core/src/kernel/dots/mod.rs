//! Digits of 13 bits along vectors of 128 bits, whose instruction adds two products of 16 bits in each lane of 32: Montgomery products for engines that
//! have it and no product of two words with all its bits, as WebAssembly (`i32x4.dot_i16x8_s`).
//!
//! No carry waits for another one: a product is its columns, two passes of carries, and a reduction by two more products, of which each needs half
//! of its columns. Elsewhere the same text runs without vectors, for tests and comparisons.

mod product;
mod reduction;
mod ring;
mod shape;
#[cfg(target_arch = "wasm32")]
mod simd128;
mod unit;

#[cfg(test)]
#[path = "../../../tests/inside/kernel/dots.rs"]
mod tests;

use super::form::Form;
use super::{ModulusParts, SharedRing};
use crate::error::Error;
use alloc::sync::Arc;

/// Longest modulus, in limbs, see [`shape`].
pub(super) const MAX_LIMBS: usize = shape::MOST_BITS / 64;

/// Prepares the ring of an odd modulus.
pub(super) fn prepare(_form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    #[cfg(target_arch = "wasm32")]
    let unit = simd128::Simd128;
    #[cfg(not(target_arch = "wasm32"))]
    let unit = unit::PlainDots;
    Ok(Arc::new(ring::DotRing::new(unit, parts)))
}

/// Digits of a residue in a table, and its words in an arena, modulo an odd number of `bits` bits.
pub(super) fn residue_lengths(bits: usize) -> [usize; 2] {
    let n = shape::digits(bits);
    [n, shape::words(n)]
}

/// Bits of a digit.
pub(super) fn radix_bits(_bits: usize) -> u32 {
    shape::RADIX_BITS as u32
}

/// The longest modulus, in limbs, of the same number of digits.
pub(super) fn padded_limbs(limbs: usize) -> usize {
    shape::most_bits(shape::digits(64 * limbs)) / 64
}
