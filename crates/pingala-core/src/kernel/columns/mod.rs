//! Digits of 27 to 29 bits whose products are summed in columns of 64 bits: Montgomery products for processors and engines that have no product of
//! two words of 64 bits with all its bits, as WebAssembly.
//!
//! A digit has a sign, so that its size is at most half of the radix: a column in two's complement then holds four times as many products as one of
//! digits without signs, and only the end of a product carries. The radix is the largest whose columns hold the products of a number of that
//! length, see [`shape`]. No operation branches on a value or reads at an address that depends on one.

mod product;
mod ring;
mod shape;

#[cfg(test)]
#[path = "../../../tests/inside/kernel/columns.rs"]
mod tests;

use super::form::Form;
use super::threshold::Threshold;
use super::{ModulusParts, SharedRing};
use crate::error::Error;
use alloc::sync::Arc;
use shape::ColumnShape;

/// Longest modulus, in limbs: the most digits that the columns of the smallest radix hold, see [`shape`].
pub(super) const MAX_LIMBS: usize = shape::MOST_BITS / 64;

pub(super) const THRESHOLDS: &[Threshold] = &[
    Threshold {
        name: "halve_from",
        summary: "shortest factors, in digits, that Karatsuba's method halves",
        usual: 64,
        least: 8,
        most: 255,
        of_entering: false,
        tried: &[48, 80],
        lengths: &[24, 32, 64],
    },
    Threshold {
        name: "halve_squares_from",
        summary: "shortest numbers, in digits, whose squares it halves",
        usual: 120,
        least: 8,
        most: 255,
        of_entering: false,
        tried: &[96, 160],
        lengths: &[48, 64, 128],
    },
];

/// Prepares the ring of an odd modulus.
pub(super) fn prepare(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    let [halve_from, halve_squares_from] = [0, 1].map(|place| form.settings.get(place));
    Ok(Arc::new(ring::ColumnRing::new(parts, halve_from, halve_squares_from)))
}

/// Digits of a residue in a table, and its words in an arena, modulo an odd number of `bits` bits.
pub(super) fn residue_lengths(bits: usize) -> [usize; 2] {
    [ColumnShape::new(bits).digits; 2]
}

/// Bits of a digit of these residues.
pub(super) fn radix_bits(bits: usize) -> u32 {
    ColumnShape::new(bits).radix_bits
}
