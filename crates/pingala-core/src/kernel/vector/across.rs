//! Operations in which the lanes of a vector meet: what the kernels for one long number are written over.

#![allow(unsafe_code)]

use super::VectorUnit;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;

/// The lower of the two marks of each lane, for four vectors.
pub(crate) const LOWER_MARKS: u64 = 0x5555_5555_5555_5555;

/// Code that is compiled for one instruction family.
pub(crate) trait VectorProgram {
    /// Runs the code. It must be `inline(always)`, like everything that it calls: only then is it compiled for those instructions.
    fn run<O: Vectors>(self, ops: O);
}

/// Code that is compiled once for each instruction family, and called by several programs. Its arguments are passed in registers, so
/// that the check of the machine code can tell lengths from residues.
pub(crate) trait SharedCode {
    /// Runs the code for two lengths and three places.
    ///
    /// # Safety
    /// As the implementation says.
    unsafe fn run<O: Vectors>(ops: O, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64);
}

/// A unit for which code is compiled as a whole.
pub(crate) trait Compiles: Copy {
    /// Runs a program compiled for these instructions.
    fn run(self, program: impl VectorProgram);
    /// Calls the function of `C` compiled for these instructions.
    ///
    /// # Safety
    /// As for [`SharedCode::run`] of `C`.
    unsafe fn call<C: SharedCode>(self, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64);
}

#[cfg(target_arch = "x86_64")]
impl Compiles for Avx512 {
    fn run(self, program: impl VectorProgram) {
        // SAFETY: a value of this type exists only if the CPU has the instructions.
        unsafe { run_with_features(self, program) }
    }
    #[inline(always)]
    unsafe fn call<C: SharedCode>(self, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64) {
        // SAFETY: the caller keeps the contract of `C`; the CPU has the instructions.
        unsafe { call_with_features::<C>(self, limbs, vectors, out, a, b) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma")]
fn run_with_features(unit: Avx512, program: impl VectorProgram) {
    program.run(unit);
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma")]
unsafe fn call_with_features<C: SharedCode>(
    unit: Avx512,
    limbs: usize,
    vectors: usize,
    out: *mut u64,
    a: *const u64,
    b: *const u64,
) {
    // SAFETY: the caller keeps the contract of `C`.
    unsafe { C::run(unit, limbs, vectors, out, a, b) }
}

/// A unit that has all eight words in a register.
///
/// Masks have one bit for each lane, lane 0 lowest.
pub(crate) trait Vectors: VectorUnit + Compiles {
    /// A set of lanes that is kept for many uses.
    type Lanes: Copy;
    /// One bit or two for each lane of some vectors, lane 0 of the first vector lowest: an integer of 64 bits that stays in
    /// a vector register. Secret masks have this type.
    type Marks: Copy;

    /// One word of memory in all lanes.
    ///
    /// # Safety
    /// It may be read.
    #[inline(always)]
    unsafe fn broadcast(self, from: *const u64) -> Self::Vector {
        // SAFETY: the caller says that the word may be read.
        self.splat(unsafe { from.read() })
    }
    /// The lanes of a mask.
    fn lanes(self, mask: u8) -> Self::Lanes;
    /// [`VectorUnit::madd_low`] for sums modulo 2^64.
    fn madd_low_modulo(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`VectorUnit::madd_low`] in these lanes, `sum` elsewhere.
    fn madd_low_lanes(self, lanes: Self::Lanes, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`VectorUnit::madd_high`] in these lanes, `sum` elsewhere.
    fn madd_high_lanes(self, lanes: Self::Lanes, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
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
    /// The lanes in which a = b.
    fn equal(self, a: Self::Vector, b: Self::Vector) -> u8;
    /// The sum of all lanes, in all lanes.
    fn sum(self, a: Self::Vector) -> Self::Vector;
    /// The lanes in which a > b.
    fn above(self, a: Self::Vector, b: Self::Vector) -> u8;
    /// Two marks for each lane, 0 to 15: the lower one if the low 32 bits are not 0, the upper one if bit 52 is set.
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
    /// All ones in the lanes in which a = b, zeros elsewhere. A selection by the result keeps all its loads.
    fn lanes_where_equal(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}
