//! What kernels offer that compute modulo several numbers side by side in vectors.

use super::form::{Form, Layout};
use super::vector::{LANES, Lanes};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::{Deref, DerefMut};

/// Arithmetic modulo several odd numbers at once, one number to a lane: the first `Entry::lanes` of [`LANES`] places; the other
/// places are not looked at.
///
/// A residue is [`vectors`](LaneRing::vectors) consecutive vectors of an arena and is named by its offset; `out`, `a` and `b` must
/// coincide or be disjoint. Every function gets `scratch_vectors` vectors of scratch, whose content does not matter.
pub(crate) trait LaneRing: Debug + Send + Sync {
    /// Vectors of one residue.
    fn vectors(&self) -> usize;
    /// Vectors of scratch.
    fn scratch_vectors(&self) -> usize;
    /// Bits of the longest number that enters.
    fn entering_bits(&self) -> u64;
    /// Prepares the constants for other moduli of lengths that the form takes. `room` is memory for the set-up; it grows if needed.
    fn change(&mut self, moduli: &[&[u64]; LANES], room: &mut Vec<Lanes>);
    /// `out = 1`.
    fn one(&self, arena: &mut [Lanes], out: usize);
    /// Brings a number into each lane, least significant limb first.
    fn enter(&self, arena: &mut [Lanes], out: usize, values: &[&[u64]; LANES], scratch: &mut [Lanes]);
    /// Takes the residues out of Montgomery form, for [`lane`](LaneRing::lane) to read.
    fn leave<'a>(&self, arena: &mut [Lanes], from: usize, scratch: &'a mut [Lanes]) -> &'a [Lanes];
    /// The canonical number in a lane of what [`leave`](LaneRing::leave) returned, in the number of limbs of the modulus, or in more.
    fn lane(&self, left: &[Lanes], lane: usize, out: &mut [u64]);
    /// `out = a * b`.
    fn mul(&self, arena: &mut [Lanes], out: usize, a: usize, b: usize, scratch: &mut [Lanes]);
    /// `out = a^(2^count)`, count > 0.
    fn sqr_n(&self, arena: &mut [Lanes], out: usize, a: usize, count: usize, scratch: &mut [Lanes]);
    /// Multiplies each lane by 2^count, at most [`LaneFamily::shift_bits`], without a reduction. What it leaves is squared, left or shifted no
    /// further.
    fn shift(&self, _arena: &mut [Lanes], _at: usize, _counts: [u32; LANES]) {
        unreachable!("the family says that its rings do not shift");
    }
    /// In each lane `out` = the residue at that lane's offset in `from`; `out` may be one of them. Leaks: the offsets, through
    /// addresses.
    fn select(&self, arena: &mut [Lanes], out: usize, from: [usize; LANES]);

    /// Rearranges a residue, so that [`select_arranged`](LaneRing::select_arranged) finds a lane's own limbs close together.
    fn arrange(&self, _arena: &mut [Lanes], _at: usize, _scratch: &mut [Lanes]) {}

    /// [`select`](LaneRing::select) among rearranged residues, all of them below `out`.
    fn select_arranged(&self, arena: &mut [Lanes], out: usize, from: [usize; LANES]) {
        self.select(arena, out, from);
    }

    /// Loads a residue of a table into each lane; the table is in a layout that [`LaneFamily::limbs_for_table`] accepts. Leaks: which
    /// residues, through addresses.
    ///
    /// Of the factors of a product one at most may be gathered, as long as nothing [`settle`](LaneRing::settle)s it.
    fn gather(&self, arena: &mut [Lanes], out: usize, from: [&[u64]; LANES]);
    /// Makes what was gathered a residue.
    fn settle(&self, _arena: &mut [Lanes], _at: usize, _scratch: &mut [Lanes]) {}
    /// 1 modulo the number of the first lane, as a table of this layout has it.
    fn packed_one(&self, layout: &Layout) -> Box<[u64]>;

    /// The most products by gathered factors without a squaring in between.
    fn most_gathered(&self) -> usize {
        usize::MAX
    }
}

/// Prepares the ring of the moduli in the lanes.
pub(crate) type PrepareLanes = fn(&Form, &[&[u64]; LANES]) -> Option<Box<dyn LaneRing>>;

/// Whether there are such kernels. In WebAssembly there are none, so that no code for lanes is linked.
pub(crate) const HAS_LANES: bool = cfg!(not(target_arch = "wasm32"));

/// A witness of [`HAS_LANES`], which no value can be where it is false: what needs one is not linked there.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasLanes;
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum HasLanes {}

/// A ring of such a kernel.
#[derive(Debug)]
pub(crate) struct BoxedLaneRing {
    ring: Box<dyn LaneRing>,
    exists: Exists,
}

/// The witness, for what stands on such a ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exists(HasLanes);

impl BoxedLaneRing {
    pub(crate) fn witness(&self) -> Exists {
        self.exists
    }
}

impl LaneFamily {
    /// Prepares the ring of these moduli; none if this CPU lacks the kernel.
    pub(crate) fn ring(&self, form: &Form, moduli: &[&[u64]; LANES]) -> Option<BoxedLaneRing> {
        Some(BoxedLaneRing { ring: (self.prepare)(form, moduli)?, exists: Exists(self.exists) })
    }
}

impl Deref for BoxedLaneRing {
    type Target = dyn LaneRing;

    fn deref(&self) -> &Self::Target {
        &*self.ring
    }
}

impl DerefMut for BoxedLaneRing {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.ring
    }
}

/// A kernel of such rings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneFamily {
    /// That there is one; only its type is looked at.
    pub(crate) exists: HasLanes,
    /// The ring of these moduli; none if this CPU lacks the kernel.
    pub(crate) prepare: PrepareLanes,
    /// Bits of the longest modulus that this number of limbs takes; none if no form has that length.
    pub(crate) modulus_bits: fn(usize) -> Option<usize>,
    /// From the limbs of a form and the bits of the longest modulus, the most bits that [`LaneRing::shift`] may shift by; 0 if it may not.
    pub(crate) shift_bits: fn(usize, usize) -> u32,
    /// The limbs of the form that takes the residues of a table without conversion; none if there is no such form.
    pub(crate) limbs_for_table: fn(&Layout) -> Option<usize>,
}
