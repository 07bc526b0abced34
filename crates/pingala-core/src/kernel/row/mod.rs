//! One number along vectors: residues of 52-bit limbs, eight to a vector, reduced by folding.
//!
//! For single exponentiations on CPUs with 512-bit multiply-accumulate. Every product has two halves that do not wait
//! for one another: columns of a b ([`product`]), and a reduction by a table of the modulus instead of a chain of quotients
//! ([`ring::fold`]). The text is written once over [`Vectors`].

#![allow(unsafe_code)]

mod by_word;
mod carry;
mod constants;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/row_formal.rs"]
mod formal;
mod product;
mod ring;
mod scan;
mod shape;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/row.rs"]
mod tests;

use super::form::Form;
use super::threshold::Threshold;
use super::vector::across::Vectors;
#[cfg(target_arch = "x86_64")]
use super::vector::avx512::Avx512;
use super::{ModulusParts, SharedRing, cache_line};
use crate::error::Error;
#[cfg(target_arch = "x86_64")]
use alloc::sync::Arc;
#[cfg(target_arch = "x86_64")]
use ring::RowRing;
use shape::{LANES, Shape};

/// Longest modulus, in limbs.
pub(super) const MAX_LIMBS: usize = shape::MAX_BITS / 64;

/// The first threshold of each kernel of this folder (docs/records/thresholds.md has all thresholds).
const SQUARE_FROM: Threshold = Threshold {
    name: "square_from",
    summary: "shortest numbers, in limbs of 52 bits, whose squares count each pair of limbs once",
    usual: 14,
    least: 1,
    most: 255,
    of_entering: false,
    tried: &[10, 20, 28],
    lengths: &[8, 12, 16, 24],
};

/// The thresholds of [`prepare`] for public numbers.
pub(super) const THRESHOLDS: &[Threshold] = &[
    SQUARE_FROM,
    Threshold {
        name: "divide_to",
        summary: "longest modulus and number, in limbs, for which the number of a single power enters by a division",
        usual: 16,
        least: 0,
        most: 64,
        of_entering: true,
        tried: &[8, 12, 24],
        lengths: &[10, 14, 16, 20],
    },
];

/// The thresholds of [`prepare`] for secret numbers, and modulo powers of two.
pub(super) const SQUARE_THRESHOLDS: &[Threshold] = &[SQUARE_FROM];

/// Prepares the ring of an odd modulus, or modulo the power of two in a modulus; with `CT` its operations are constant-time in the values.
///
/// Error: `bad_plan` if the CPU lacks the instructions.
pub(super) fn prepare<const CT: bool>(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    #[cfg(target_arch = "x86_64")]
    if !cfg!(pingala_without = "rows")
        && let Some(ops) = Avx512::detected()
    {
        let square_from = form.settings.get(0);
        if !form.kernel.odd() {
            return Ok(Arc::new(RowRing::of_power_of_two(ops, parts.trailing_zeros, square_from)));
        }
        let divide_to = if CT { 0 } else { form.settings.get(1) };
        let divides = parts.once.is_some_and(|words| words.max(parts.odd.len()) <= divide_to);
        let short = parts.short_factor();
        return Ok(Arc::new(RowRing::<_, CT>::new(ops, parts.odd, parts.odd_bits, short, divides, square_from)));
    }
    let _ = (form, parts);
    Err(Error::BadPlan("this CPU has no 512-bit multiply-accumulate".into()))
}

/// Limbs of a residue in a table, and its words in an arena, modulo an odd number of `bits` bits or modulo 2^`bits`.
pub(super) fn residue_lengths(odd: bool, bits: usize) -> [usize; 2] {
    let shape = if odd { Shape::new(bits) } else { Shape::of_power_of_two(bits) };
    [shape.limbs, shape.words()]
}

/// Splits scratch into the 2V vectors of a product, which start at a multiple of 64 bytes, and a residue.
fn split_scratch<'s>(shape: &Shape, scratch: &'s mut [u64]) -> (&'s mut [u64], &'s mut [u64]) {
    let (product, rest) = cache_line::aligned(scratch).split_at_mut(2 * shape.span());
    (product, &mut rest[..shape.words()])
}

/// Pointers to residues of an arena. Panics if one is not inside it.
fn residues<const COUNT: usize>(arena: &mut [u64], at: [usize; COUNT], words: usize) -> [*mut u64; COUNT] {
    assert!(at.iter().all(|&at| at <= arena.len() && words <= arena.len() - at), "residues lie within the arena");
    let start = arena.as_mut_ptr();
    at.map(|at| start.wrapping_add(at))
}

/// Writes the vectors of zeros around the V vectors at `limbs`.
///
/// # Safety
/// These vectors belong to a residue of the caller.
#[inline(always)]
unsafe fn pad<O: Vectors>(ops: O, limbs: *mut u64, v: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        ops.store(limbs.sub(LANES), ops.zero());
        ops.store(limbs.add(LANES * v), ops.zero());
    }
}
