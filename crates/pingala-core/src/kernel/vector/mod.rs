//! Eight 64-bit lanes with the 52-bit multiply-accumulate of AVX-512 IFMA: what the vector kernels are written over.
//!
//! A kernel's code is generic over [`VectorUnit`] or, if lanes meet, over [`across::Vectors`], and `#[inline(always)]`. It reaches the
//! instructions by [`VectorUnit::run_task`] or [`across::Compiles::run`], which inline it into one function that has the CPU's features
//! enabled. If generic code were called from elsewhere, every operation would be a call. In tests the
//! same code runs in plain Rust.

/// Methods that are one expression of safe intrinsics each, of a type whose values prove that the CPU has the instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! instructions {
    ($($name:ident $(<$at:ident: $of:ty>)?($($argument:ident: $type:ty),*) -> $result:ty = $run:expr;)+) => {
        $(#[inline(always)]
        fn $name$(<const $at: $of>)?(self, $($argument: $type),*) -> $result {
            // SAFETY: a value of this type exists only if the CPU has the instructions.
            unsafe { $run }
        })+
    };
}
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel) use instructions;

pub(crate) mod across;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx_ifma;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/formal.rs"]
pub(crate) mod formal;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/vector.rs"]
pub(crate) mod plain;

use crate::kernel::cpu::Feature;
use core::cell::Cell;
use core::fmt::Debug;

/// The features that a CPU must have for vectors of 512 bits.
pub(crate) const AVX512: &[Feature] = &[Feature::Avx512f, Feature::Avx512bw, Feature::Avx512ifma];

/// Lanes of a vector.
pub(crate) const LANES: usize = 8;

/// The low 52 bits of a word: the largest limb52.
pub(crate) const MASK: u64 = (1 << 52) - 1;

/// One word of each lane, in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u64; LANES]);

/// The words of vectors, one vector after the other.
#[allow(unsafe_code)]
pub(crate) fn words(vectors: &[Lanes]) -> &[u64] {
    // SAFETY: `Lanes` has the layout of its array, without padding: the array's size is a multiple of the alignment.
    unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), LANES * vectors.len()) }
}

/// The words of vectors, mutable.
#[allow(unsafe_code)]
pub(crate) fn words_mut(vectors: &mut [Lanes]) -> &mut [u64] {
    // SAFETY: as above; the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), LANES * vectors.len()) }
}

/// Memory from which a vector can be read: a shared vector, or a cell that the result may share.
pub(crate) trait Place {
    /// Its address, valid for reads as long as the place is borrowed.
    fn address(&self) -> *const Lanes;
}

impl Place for Lanes {
    #[inline(always)]
    fn address(&self) -> *const Lanes {
        self
    }
}

impl Place for Cell<Lanes> {
    #[inline(always)]
    fn address(&self) -> *const Lanes {
        self.as_ptr()
    }
}

/// The vector instructions of one CPU family, lane by lane. A value of the type proves that this CPU has them.
///
/// A unit of fewer than eight lanes has a part of each eight words, and reads and writes only this part.
#[allow(unsafe_code)]
pub(crate) trait VectorUnit: Copy + Debug + Send + Sync + 'static {
    /// One word of each lane, in a register.
    type Vector: Copy;

    /// Runs `task` on all lanes with the unit's instructions inlined.
    fn run_task<T: Task>(self, task: T);
    /// One word in every lane.
    fn splat(self, word: u64) -> Self::Vector;
    /// Eight words of memory, of any alignment.
    ///
    /// # Safety
    /// All of them may be read.
    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> Self::Vector {
        const { assert!(size_of::<Self::Vector>() == size_of::<Lanes>()) };
        // SAFETY: the caller says that the words may be read; they are the vector.
        unsafe { from.cast::<Self::Vector>().read_unaligned() }
    }
    /// Writes eight words, at any alignment.
    ///
    /// # Safety
    /// All of them may be written.
    #[inline(always)]
    unsafe fn store(self, to: *mut u64, value: Self::Vector) {
        const { assert!(size_of::<Self::Vector>() == size_of::<Lanes>()) };
        // SAFETY: the caller says that the words may be written; they are the vector.
        unsafe { to.cast::<Self::Vector>().write_unaligned(value) }
    }
    /// The transposed rows: lane l of vector i has word i of row l.
    fn transposed(self, rows: [&[u64; LANES]; LANES]) -> [Self::Vector; LANES];
    /// `a + b`, below 2^64.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a + b` of numbers in two's complement.
    fn add_signed(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a - b` of numbers in two's complement.
    fn sub_signed(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// floor(a / 2^52), unsigned.
    fn carry(self, a: Self::Vector) -> Self::Vector;
    /// floor(a / 2^52) of a number in two's complement.
    fn signed_carry(self, a: Self::Vector) -> Self::Vector;
    /// `sum + a b mod 2^52`, below 2^64, of the low 52 bits of a and b.
    fn madd_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `sum + floor(a b / 2^52)`, below 2^64, of the low 52 bits of a and b.
    fn madd_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `value` with one lane taken from `other`; `lane` is a constant of the unrolled code.
    fn with_lane(self, value: Self::Vector, other: Self::Vector, lane: usize) -> Self::Vector;
    /// `if_negative` in the lanes where `sign` is negative in two's complement, elsewhere `otherwise`. No branch.
    fn select(self, sign: Self::Vector, if_negative: Self::Vector, otherwise: Self::Vector) -> Self::Vector;

    /// Zeros.
    #[inline(always)]
    fn zero(self) -> Self::Vector {
        self.splat(0)
    }
    /// [`VectorUnit::load`] of a vector in memory.
    #[inline(always)]
    fn get(self, from: &impl Place) -> Self::Vector {
        // SAFETY: [`Place::address`] says that the eight words are readable while `from` is borrowed.
        unsafe { self.load(from.address().cast()) }
    }
    /// [`VectorUnit::store`] to a vector in memory.
    #[inline(always)]
    fn set(self, to: &Cell<Lanes>, value: Self::Vector) {
        // SAFETY: a cell is writable through its shared reference.
        unsafe { self.store(to.as_ptr().cast(), value) }
    }
    /// [`VectorUnit::store`] to eight words.
    #[inline(always)]
    fn set_words(self, to: &[Cell<u64>; LANES], value: Self::Vector) {
        // SAFETY: eight cells are writable through their shared reference.
        unsafe { self.store(to.as_ptr().cast_mut().cast(), value) }
    }
}

/// Code over vectors. No lane that it writes may depend on another lane: a unit of fewer lanes runs it more than once.
pub(crate) trait Task: Copy {
    /// Runs the code; `#[inline(always)]`, like every function that it calls.
    fn run<U: VectorUnit>(self, unit: U);
}
