//! Four residues in doubles, multiplied exactly by fused multiply-add.
//!
//! A residue is an integer, negative or not; its bound is that of its absolute value, so sums below 16p < 2^52 are exact. Every product
//! a b is h + l, h = a b rounded and l = a b - h, which is a double in every rounding mode. Roundings to integers name their mode. So
//! results stay within their bounds in every mode of the thread, and as no number but 1 / p and w / p is below 1, flushing to zero changes
//! nothing.
//!
//! Lemmas: TransformDoubles.rounding_error, TransformDoubles.double_finish, TransformDoubles.double_times, TransformDoubles.double_reduce,
//! TransformDoubles.double_mul, TransformDoubles.double_mul_sub, TransformDoubles.double_digits, TransformDoubles.double_add_sub,
//! TransformDoubles.double_split_pair (proofs/README.md).

#![allow(unsafe_code)]

use super::compiled::{CompiledField, FieldProgram};
use super::field::{FactorWords, Field};
use super::primes::Prime;
use crate::kernel::cpu::Feature;
use core::fmt::Debug;

/// The features of doubles with fused multiply-add.
pub(super) const AVX2_FMA: &[Feature] = &[Feature::Avx2, Feature::Fma];

/// Four doubles. A value of the implementing type proves that the machine has the instructions.
pub(super) trait Four: Copy + Debug + Send + Sync + 'static {
    /// Four doubles, or four words if a method says so.
    type Vector: Copy;

    /// Runs a program compiled for these instructions.
    fn run(self, program: impl FieldProgram);
    /// One double in all lanes.
    fn splat(self, x: f64) -> Self::Vector;
    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a - b`.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a b`, rounded.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a b - c`, rounded once.
    fn mul_sub(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// `c - a b`, rounded once.
    fn sub_product(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The nearest integer.
    fn round(self, a: Self::Vector) -> Self::Vector;
    /// Words x as the doubles x mod 2^32 and x - x mod 2^32.
    fn halves(self, words: Self::Vector) -> [Self::Vector; 2];
    /// Integers from 0 to 2^52 - 1 as words.
    fn words(self, x: Self::Vector) -> Self::Vector;
    /// Exchanges lanes and places.
    fn transpose(self, x: [Self::Vector; 4]) -> [Self::Vector; 4];
}

/// Residues in the doubles of an instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoubleField<O>(pub(super) O);

/// p and 1 / p, in all lanes.
#[derive(Clone, Copy)]
pub(super) struct DoublePrime<V> {
    p: V,
    reciprocal: V,
}

impl<O: Four> DoubleField<O> {
    /// h + l - q p, for the product a b = h + l. The result is below 2p and l below 2^46, so h - q p is an integer below 2^53: one
    /// exact operation.
    #[inline(always)]
    fn finish(self, m: &DoublePrime<O::Vector>, a: O::Vector, b: O::Vector, h: O::Vector, q: O::Vector) -> O::Vector {
        let l = self.0.mul_sub(a, b, h);
        self.0.add(self.0.sub_product(h, q, m.p), l)
    }
}

impl<O: Four> Field for DoubleField<O> {
    const LOG: u32 = 2;
    const FACTORS: FactorWords = FactorWords::Balanced;
    type Vector = O::Vector;
    type Modulus = DoublePrime<O::Vector>;

    #[inline(always)]
    fn modulus(self, prime: &Prime) -> Self::Modulus {
        let p = prime.p as f64;
        DoublePrime { p: self.0.splat(p), reciprocal: self.0.splat(1.0 / p) }
    }
    #[inline(always)]
    unsafe fn broadcast(self, from: *const u64) -> O::Vector {
        // SAFETY: the caller's promise.
        self.0.splat(unsafe { from.cast::<f64>().read() })
    }
    /// The upper half is a multiple of 2^32 below 2^64, so its quotient is below 2^17 and right to the next integer.
    #[inline(always)]
    unsafe fn digits(self, m: &Self::Modulus, from: *const u64) -> O::Vector {
        // SAFETY: the caller's promise.
        let [low, high] = self.0.halves(unsafe { self.load(from) });
        self.0.add(self.reduce(m, high), low)
    }
    /// q = x (w / p) rounded to an integer. |w / p| < 1/2 has an error below 2^-54, which x < 2^52 makes less than 1/4, and the product,
    /// below 2^51, one below 1/4, in any mode. So |x w - q p| < (1/2 + 1/2) p.
    #[inline(always)]
    fn times(self, m: &Self::Modulus, x: O::Vector, [w, quotient]: [O::Vector; 2]) -> O::Vector {
        let q = self.0.round(self.0.mul(x, quotient));
        self.finish(m, x, w, self.0.mul(x, w), q)
    }
    /// |x| <= 2^64, and x / p is found with an error below 2^-33: |x - q p| < p/2 + 2^14.
    #[inline(always)]
    fn reduce(self, m: &Self::Modulus, x: O::Vector) -> O::Vector {
        self.0.sub_product(x, self.0.round(self.0.mul(x, m.reciprocal)), m.p)
    }
    #[inline(always)]
    fn zero(self) -> O::Vector {
        self.0.splat(0.0)
    }
    #[inline(always)]
    fn add(self, x: O::Vector, y: O::Vector) -> O::Vector {
        self.0.add(x, y)
    }
    #[inline(always)]
    fn sub<const LEVEL: u32>(self, _: &Self::Modulus, x: O::Vector, y: O::Vector) -> O::Vector {
        self.0.sub(x, y)
    }
    /// a b / p < 4p < 2^50, with an error below 1/2 in any mode: 1/8 by h < 2^98, 1/4 by 1 / p > 2^-48, 1/8 by the product. So below p.
    #[inline(always)]
    fn mul(self, m: &Self::Modulus, a: O::Vector, b: O::Vector) -> O::Vector {
        let h = self.0.mul(a, b);
        self.finish(m, a, b, h, self.0.round(self.0.mul(h, m.reciprocal)))
    }
    /// Twice the bound of a product: below 2p.
    #[inline(always)]
    fn mul_sub(self, m: &Self::Modulus, [a, b]: [O::Vector; 2], [c, d]: [O::Vector; 2]) -> O::Vector {
        self.0.sub(self.mul(m, c, d), self.mul(m, a, b))
    }
    #[inline(always)]
    fn transpose(self, x: &mut [O::Vector; 8]) {
        let [a, b, c, d, ..] = *x;
        let y = self.0.transpose([a, b, c, d]);
        (x[0], x[1], x[2], x[3]) = (y[0], y[1], y[2], y[3]);
    }
    /// Between -p and p, plus p.
    #[inline(always)]
    unsafe fn store_integers(self, m: &Self::Modulus, to: *mut u64, x: O::Vector) {
        let words = self.0.words(self.0.add(self.reduce(m, x), m.p));
        // SAFETY: the caller's promise.
        unsafe { self.store(to, words) }
    }
}

impl<O: Four> CompiledField for DoubleField<O> {
    fn run(self, program: impl FieldProgram) {
        self.0.run(program);
    }
}
