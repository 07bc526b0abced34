//! One number along 256-bit vectors of doubles: digits of 52 bits, the exact halves of a product by two fused multiply-adds rounded toward zero, the
//! reduction by folding. For single powers on CPUs that have no integer multiply-add on vectors.
//!
//! For public numbers: the time of a floating-point instruction may depend on its operands.

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod texts;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/fma_row_plain.rs"]
mod plain;
mod product;
mod ring;
mod shape;
mod unit;

#[cfg(test)]
#[path = "../../../tests/inside/kernel/fma_row_formal.rs"]
mod formal;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/fma_row.rs"]
mod tests;

use super::form::Form;
use super::threshold::Threshold;
use super::{ModulusParts, SharedRing};
use crate::error::Error;
#[cfg(target_arch = "x86_64")]
use alloc::sync::Arc;
use shape::RowShape;

/// Longest modulus, in limbs: 360 digits, for which bounds are proved, see [`product`].
pub(super) const MAX_LIMBS: usize = 292;

pub(super) const THRESHOLDS: &[Threshold] = &[Threshold {
    name: "load_twice",
    summary: "1 if rows read each vector of an operand twice, which takes an instruction less; 0 if once",
    usual: 0,
    least: 0,
    most: 1,
    of_entering: false,
    tried: &[1],
    lengths: &[16, 32, 64],
}];

/// Prepares the ring of an odd modulus.
///
/// Error: `bad_plan` if the CPU lacks the instructions.
pub(super) fn prepare(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    #[cfg(target_arch = "x86_64")]
    if !cfg!(pingala_without = "rows") {
        let twice = form.settings.get(0) == 1;
        if let (false, Some(unit)) = (twice, avx2::DoubleRowUnit::<false>::detected()) {
            return Ok(Arc::new(ring::FmaRow::new(unit, parts)));
        }
        if let (true, Some(unit)) = (twice, avx2::DoubleRowUnit::<true>::detected()) {
            return Ok(Arc::new(ring::FmaRow::new(unit, parts)));
        }
    }
    let _ = (form, parts);
    Err(Error::BadPlan("this CPU has no fused multiply-add on vectors".into()))
}

/// Digits of a residue in a table, and its words in an arena, modulo an odd number of `bits` bits.
pub(super) fn residue_lengths(bits: usize) -> [usize; 2] {
    let shape = RowShape::new(bits);
    [shape.digits, shape.words()]
}

/// The longest modulus, in limbs, of the same number of digits.
pub(super) fn padded_limbs(limbs: usize) -> usize {
    RowShape::new(64 * limbs).most_bits() / 64
}
