//! Four residues side by side at radix 2^51, each modulo its own odd number, on vectors of doubles: the exact halves of a product by
//! two fused multiply-adds, for CPUs that have no integer multiply-add on vectors. The trick is that of [emmart2018faster], here with
//! sums of bits as integers; the product is [`product`].
//!
//! For public numbers: the time of a floating-point instruction may depend on its operands.
//!
//! Lemmas: Montgomery.fma_lanes_room (proofs/README.md).

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod texts;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/fma_plain.rs"]
mod plain;
mod product;
mod ring;
mod unit;

#[cfg(test)]
#[path = "../../../tests/inside/kernel/fma_lanes_formal.rs"]
mod formal;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/fma_lanes.rs"]
mod tests;

use super::form::{Form, Layout};
use super::lane_ring::LaneRing;
#[cfg(not(target_arch = "wasm32"))]
use super::lane_ring::{HasLanes, LaneFamily};
use super::threshold::Threshold;
use super::vector::LANES;
use alloc::boxed::Box;
use unit::RADIX_BITS;

/// The longest residue, in limbs of 51 bits, whose columns are proved not to overflow: see [`product`].
const MAX_LIMBS: usize = 1364;

pub(super) const THRESHOLDS: &[Threshold] = &[Threshold {
    name: "load_twice",
    summary: "1 if rows read a limb each time that they need it, which takes an instruction less; 0 if once",
    usual: 1,
    least: 0,
    most: 1,
    of_entering: false,
    tried: &[0],
    lengths: &[16, 32, 64],
}];

/// Residues along this kernel's lanes.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const FAMILY: LaneFamily =
    LaneFamily { exists: HasLanes, prepare, modulus_bits, shift_bits: |_, _| 0, limbs_for_table };

/// The ring on the vectors of this CPU; none in builds of the constant-time gate, as secrets do not use lanes.
#[cfg(target_arch = "x86_64")]
fn prepare(form: &Form, moduli: &[&[u64]; LANES]) -> Option<Box<dyn LaneRing>> {
    if cfg!(pingala_without = "lanes") {
        return None;
    }
    Some(match form.settings.get(0) {
        0 => Box::new(ring::FmaRing::new(avx2::Avx2::<false>::detected()?, moduli, form.n)),
        _ => Box::new(ring::FmaRing::new(avx2::Avx2::<true>::detected()?, moduli, form.n)),
    })
}

/// No ring on this architecture.
#[cfg(not(target_arch = "x86_64"))]
fn prepare(_: &Form, _: &[&[u64]; LANES]) -> Option<Box<dyn LaneRing>> {
    None
}

/// Bits that residues have in addition to those of the modulus: a limb for the multiple that ends in ones, and 2 so that R > 4M.
const MORE_BITS: usize = RADIX_BITS + 2;

/// FourLimbs of a modulus of this many limbs of 64 bits: an even number.
pub(super) fn limbs(limbs64: usize) -> usize {
    limbs_for_bits(64 * limbs64 + MORE_BITS)
}

fn limbs_for_bits(bits: usize) -> usize {
    bits.div_ceil(RADIX_BITS).next_multiple_of(2)
}

/// See [`LaneFamily::modulus_bits`].
fn modulus_bits(n: usize) -> Option<usize> {
    let legal = n.is_multiple_of(2) && n <= MAX_LIMBS;
    legal.then(|| (RADIX_BITS * n).checked_sub(MORE_BITS)).flatten()
}

/// Bits by which R exceeds M in a form for tables, at least: factors from tables let residues grow (see [`ring::FmaRing`]). So
/// many do not lengthen the residues of the usual moduli.
const TABLE_BITS: usize = 34;

/// See [`LaneFamily::limbs_for_table`]: Montgomery's form in whole words.
fn limbs_for_table(layout: &Layout) -> Option<usize> {
    let n = limbs_for_bits(64 * layout.limbs + RADIX_BITS + TABLE_BITS);
    (layout.odd && layout.limb_bits == 64 && n <= MAX_LIMBS).then_some(n)
}
