//! The vector operations that the row kernel is written over, and their instance in plain Rust.

#![allow(unsafe_code)]

use core::fmt::Debug;

/// The low 52 bits of a word: the largest limb52.
pub(in crate::kernel) const MASK: u64 = (1 << 52) - 1;

/// The lower of the two marks of each lane, for four vectors.
pub(in crate::kernel) const LOWER_MARKS: u64 = 0x5555_5555_5555_5555;

/// Code that is compiled for one instruction family.
pub(in crate::kernel) trait VectorProgram {
    /// Runs the code. It must be `inline(always)`, like everything that it calls: only then is it compiled for those instructions.
    fn run<O: Vectors>(self, ops: O);
}

/// Vectors of eight words. A value of the implementing type proves that the machine has the instructions.
///
/// Masks have one bit for each lane, lane 0 lowest.
pub(in crate::kernel) trait Vectors: Copy + Debug + Send + Sync + 'static {
    /// Eight words.
    type Vector: Copy;
    /// A set of lanes that is kept for many uses.
    type Lanes: Copy;
    /// One bit or two for each lane of some vectors, lane 0 of the first vector lowest: an integer of 64 bits that stays in
    /// a vector register. Secret masks have this type.
    type Marks: Copy;

    /// Runs a program compiled for these instructions.
    fn run(self, program: impl VectorProgram);

    /// [`super::product::half`] compiled for these instructions as one function for each V, which the products of four kernels share.
    /// Lengths are passed in registers, so that the check of the machine code can tell them from residues.
    ///
    /// # Safety
    /// As for [`super::product::half`], of numbers of so many limbs in so many vectors.
    unsafe fn half<const HIGH: bool, const SQUARE: bool, const V: usize>(
        self,
        limbs: usize,
        vectors: usize,
        out: *mut u64,
        a: *const u64,
        b: *const u64,
    );

    /// The lanes of a mask.
    fn lanes(self, mask: u8) -> Self::Lanes;
    /// Zeros.
    fn zero(self) -> Self::Vector;
    /// One word in all lanes.
    fn splat(self, word: u64) -> Self::Vector;
    /// Eight words of memory, of any alignment.
    ///
    /// # Safety
    /// All of them may be read.
    unsafe fn load(self, from: *const u64) -> Self::Vector;
    /// One word of memory in all lanes.
    ///
    /// # Safety
    /// It may be read.
    unsafe fn broadcast(self, from: *const u64) -> Self::Vector;
    /// Writes eight words, at any alignment.
    ///
    /// # Safety
    /// All of them may be written.
    unsafe fn store(self, to: *mut u64, a: Self::Vector);
    /// `sum + a b mod 2^52` of the low 52 bits of each lane of a and b.
    fn madd_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The same for sums modulo 2^64.
    fn madd_low_modulo(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `sum + floor(a b / 2^52)` of the low 52 bits of each lane of a and b.
    fn madd_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`Vectors::madd_low`] in these lanes, `sum` elsewhere.
    fn madd_low_lanes(self, lanes: Self::Lanes, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`Vectors::madd_high`] in these lanes, `sum` elsewhere.
    fn madd_high_lanes(self, lanes: Self::Lanes, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a + b` for lanes that count as signed.
    fn add_signed(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a - b` for lanes that count as signed.
    fn sub_signed(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a >> 52`.
    fn carries(self, a: Self::Vector) -> Self::Vector;
    /// `a << AT`.
    fn shift_left<const AT: u32>(self, a: Self::Vector) -> Self::Vector;
    /// `a >> AT`.
    fn shift_right<const AT: u32>(self, a: Self::Vector) -> Self::Vector;
    /// `a >> AT` for lanes that count as signed.
    fn shift_right_signed<const AT: u32>(self, a: Self::Vector) -> Self::Vector;
    /// Lane `index` of the table for each lane of indices below 8.
    fn look_up(self, table: Self::Vector, index: Self::Vector) -> Self::Vector;
    /// Moves each lane up by two; lanes 0 and 1 receive lanes 6 and 7 of `below`.
    fn up_two(self, a: Self::Vector, below: Self::Vector) -> Self::Vector;
    /// `a + b` modulo 2^64.
    fn add_modulo(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a + b` modulo 2^64 in the lanes of the mask, `a` elsewhere.
    fn add_in(self, mask: u8, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Moves each lane up by one; lane 0 receives lane 7 of `below`.
    fn up(self, a: Self::Vector, below: Self::Vector) -> Self::Vector;
    /// Moves each lane down by one; lane 7 receives lane 0 of `above`.
    fn down(self, above: Self::Vector, a: Self::Vector) -> Self::Vector;
    /// Lanes 0 to 3 of both, alternating: a0 b0 a1 b1 a2 b2 a3 b3.
    fn interleave_low(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Lanes 4 to 7 of both, alternating.
    fn interleave_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The lanes of the mask, zeros elsewhere.
    fn keep(self, mask: u8, a: Self::Vector) -> Self::Vector;
    /// The lanes where a = b.
    fn equal(self, a: Self::Vector, b: Self::Vector) -> u8;
    /// The sum of all lanes, in all lanes.
    fn sum(self, a: Self::Vector) -> Self::Vector;
    /// The lanes where a > b.
    fn above(self, a: Self::Vector, b: Self::Vector) -> u8;
    /// Two marks for each lane, 0 to 15: the lower one where the low 32 bits are not 0, the upper one where bit 52 is set.
    fn edges(self, a: Self::Vector) -> Self::Marks;
    /// The lower of the two marks of each lane, for G vectors.
    fn lower_marks<const G: usize>(self) -> Self::Marks;
    /// 1 in the lanes whose lower mark is set, 0 elsewhere; of marks 0 to 15.
    fn ones_at(self, marks: Self::Marks) -> Self::Vector;
    /// Marks 0 to 15 of both, those of `above` as 16 to 31.
    fn beside_16(self, below: Self::Marks, above: Self::Marks) -> Self::Marks;
    /// Marks 0 to 31 of both, those of `above` as 32 to 63.
    fn beside_32(self, below: Self::Marks, above: Self::Marks) -> Self::Marks;
    /// The marks moved down by AT places.
    fn marks_down<const AT: u32>(self, marks: Self::Marks) -> Self::Marks;
    /// The marks that are set in only one of both: exclusive or.
    fn differing(self, a: Self::Marks, b: Self::Marks) -> Self::Marks;
    /// The sum of both as integers.
    fn sum_of_marks(self, a: Self::Marks, b: Self::Marks) -> Self::Marks;
    /// All ones in the lanes where a = b, zeros elsewhere. A selection by the result keeps all its loads.
    fn lanes_where_equal(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// PlainVectors Rust: for tests of the arithmetic on any machine.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct PlainVectors;

#[cfg(test)]
#[path = "../../../tests/inside/kernel/row/vectors.rs"]
mod plain;
