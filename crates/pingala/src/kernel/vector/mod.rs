//! Eight 64-bit lanes with the 52-bit multiply-accumulate of AVX-512 IFMA: what the vector kernels are written over.
//!
//! A kernel's text is generic over [`VectorUnit`] and `#[inline(always)]`. It reaches the instructions by
//! [`VectorUnit::run`], which inlines a [`Task`] into one function that has the CPU's features switched on: nothing of
//! the text may be called from elsewhere, or every operation becomes a call. `Plain` runs the same text on any machine.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx_ifma;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain;

use core::cell::Cell;
use core::fmt::Debug;

#[cfg(target_arch = "x86_64")]
use avx_ifma::{Half, Vex};

/// Lanes of a vector.
pub(crate) const LANES: usize = 8;

/// One word of each lane, in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u64; LANES]);

/// The words of vectors, one vector after the other.
#[allow(unsafe_code)]
pub(crate) fn words(vectors: &[Lanes]) -> &[u64] {
    // SAFETY: `Lanes` is its array, without padding, as an array's size is a multiple of its alignment.
    unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), LANES * vectors.len()) }
}

/// [`words`], to be written.
#[allow(unsafe_code)]
pub(crate) fn words_mut(vectors: &mut [Lanes]) -> &mut [u64] {
    // SAFETY: as above, and borrowed alone.
    unsafe { core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), LANES * vectors.len()) }
}

/// Where a vector can be read from: memory that nobody writes, or memory that the result may share.
pub(crate) trait Place {
    /// Its address, good for reading as long as the place is borrowed.
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

/// The vector instructions of one CPU family. A value of the type is the proof that this CPU has them.
///
/// Lane by lane, modulo 2^64; `madd` and nothing else looks at 52 bits.
pub(crate) trait VectorUnit: Copy + Debug + Send + Sync {
    /// One word of each lane, in a register.
    type Vector: Copy;

    /// Runs `task` on all lanes with the unit's instructions inlined.
    fn run<T: Task>(self, task: T);
    /// The same word in every lane.
    fn splat(self, word: u64) -> Self::Vector;
    fn load(self, from: &impl Place) -> Self::Vector;
    fn store(self, to: &Cell<Lanes>, value: Self::Vector);
    /// Stores a vector where words lie that are no `Lanes`.
    fn store_words(self, to: &[Cell<u64>; LANES], value: Self::Vector);
    /// Vector i has word i of every row, that of row l in lane l.
    fn transposed(self, rows: [&[u64; LANES]; LANES]) -> [Self::Vector; LANES];
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a / 2^52`, without sign.
    fn carry(self, a: Self::Vector) -> Self::Vector;
    /// floor(a / 2^52) of a number in two's complement.
    fn signed_carry(self, a: Self::Vector) -> Self::Vector;
    /// `sum` + the low 52 bits of a * b, of whose factors the low 52 bits count.
    fn madd_lo(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `sum` + floor(a * b / 2^52), of whose factors the low 52 bits count.
    fn madd_hi(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `value` with one lane taken from memory; `lane` is a constant of the unrolled text.
    fn with_lane(self, value: Self::Vector, from: &impl Place, lane: usize) -> Self::Vector;
    /// `value` with one lane from a word by itself; `lane` is a constant of the unrolled text.
    fn with_word(self, value: Self::Vector, from: &u64, lane: usize) -> Self::Vector;
    /// `if_negative` in the lanes where `sign` is negative in two's complement, elsewhere `otherwise`. No branch.
    fn select(self, sign: Self::Vector, if_negative: Self::Vector, otherwise: Self::Vector) -> Self::Vector;
}

/// A text over vectors. No lane of what it writes may depend on another lane: a unit of fewer lanes runs it more than once.
pub(crate) trait Task: Copy {
    /// The text; `#[inline(always)]`, as is all that it calls.
    fn run<U: VectorUnit>(self, unit: U);
}

/// A unit that this machine has, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    /// Vectors of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    /// Vectors of 256 bits on a CPU without AVX-512.
    #[cfg(target_arch = "x86_64")]
    AvxIfma(Half<Vex>),
    /// Vectors of 256 bits on a CPU with it, which has longer ones: for tests and for study.
    #[cfg(all(target_arch = "x86_64", any(test, feature = "study")))]
    Avx512Vl(Half<avx_ifma::Evex>),
    /// No vectors at all.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    Plain(plain::Plain),
}

impl Unit {
    /// Eight lanes in a register.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn of_512_bits() -> Option<Self> {
        avx512::Avx512::detected().map(Unit::Avx512)
    }

    /// Four lanes in a register, in the encoding that this CPU has.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn of_256_bits() -> Option<Self> {
        let unit = Half::<Vex>::detected().map(Unit::AvxIfma);
        #[cfg(any(test, feature = "study"))]
        let unit = unit.or_else(|| Half::<avx_ifma::Evex>::detected().map(Unit::Avx512Vl));
        unit
    }

    /// A stand-in, so that the texts are compiled where no vectors are.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn of_512_bits() -> Option<Self> {
        Some(Self::plain())
    }

    /// None here.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn of_256_bits() -> Option<Self> {
        None
    }

    /// Every machine has it.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    pub(crate) fn plain() -> Self {
        Unit::Plain(plain::Plain)
    }

    /// [`VectorUnit::run`] on this unit.
    #[inline]
    pub(crate) fn run(self, task: impl Task) {
        if cfg!(pingala_without = "lanes") {
            unreachable!("builds of the constant-time gate have no lanes: secrets do not use them");
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512(unit) => unit.run(task),
            #[cfg(target_arch = "x86_64")]
            Unit::AvxIfma(unit) => unit.run(task),
            #[cfg(all(target_arch = "x86_64", any(test, feature = "study")))]
            Unit::Avx512Vl(unit) => unit.run(task),
            #[cfg(any(test, not(target_arch = "x86_64")))]
            Unit::Plain(unit) => unit.run(task),
        }
    }
}
