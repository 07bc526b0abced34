//! Modulo a power of two along vectors: the low half of a product, carried, and nothing to reduce.

#![allow(unsafe_code)]

use super::shape::{LANES, Shape};
use super::{carry, limbs52, pad, product, residues, scan, split_scratch};
use crate::exponent::SecretDigit;
use crate::kernel::Ring;
use crate::kernel::vector::across::{VectorProgram, Vectors};
use crate::natural::linear;

/// The residues modulo 2^k, kept modulo 2^(52m) for m = 8V: limb52s in the layout of a [`Shape`], without spare lanes.
///
/// Constant-time in the residues; k is public.
#[derive(Debug)]
pub(super) struct LowRow<O: Vectors> {
    ops: O,
    shape: Shape,
    square_from: usize,
}

impl<O: Vectors> LowRow<O> {
    /// The ring modulo 2^k, k >= 1. It prepares no constants. The threshold is the value of [`super::SQUARE_FROM`].
    pub(super) fn new(ops: O, k: usize, square_from: usize) -> Self {
        Self { ops, shape: Shape::of_power_of_two(k), square_from }
    }

    /// `out = a b` (`a^2` without b) for residues with their padding.
    ///
    /// # Safety
    /// The pointers are to whole residues and the same or disjoint; `out` may be written.
    unsafe fn product(&self, out: *mut u64, a: *const u64, b: Option<*const u64>, product: &mut [u64]) {
        debug_assert_eq!(product.len(), 2 * self.shape.span());
        let square_from = self.square_from;
        self.ops.run(LowProduct { shape: self.shape, square_from, product: product.as_mut_ptr(), out, a, b });
    }
}

struct LowProduct {
    shape: Shape,
    square_from: usize,
    product: *mut u64,
    out: *mut u64,
    a: *const u64,
    b: Option<*const u64>,
}

impl VectorProgram for LowProduct {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        match self.shape.vectors {
            1 => self.with_vectors::<O, 1>(ops),
            2 => self.with_vectors::<O, 2>(ops),
            3 => self.with_vectors::<O, 3>(ops),
            5 => self.with_vectors::<O, 5>(ops),
            _ => self.with_vectors::<O, 0>(ops),
        }
    }
}

impl LowProduct {
    /// The code for V vectors, or for any number of them with V = 0. Columns are below 2m 2^52, see [`product`].
    #[inline(always)]
    fn with_vectors<O: Vectors, const V: usize>(self, ops: O) {
        let Self { shape, square_from, product: low, out, a, b } = self;
        let v = if V > 0 { V } else { shape.vectors };
        let shape = Shape { vectors: v, limbs: LANES * v, ..shape };
        let b = if shape.limbs < square_from { Some(b.unwrap_or(a)) } else { b };
        // SAFETY: the contract of `LowRow::product`, and its scratch.
        unsafe {
            let (out, a) = (out.add(LANES), a.add(LANES));
            match b {
                Some(b) => product::half::<O, false, false, V>(ops, &shape, low, a, b.add(LANES)),
                None => {
                    product::squares(ops, &shape, low, a);
                    product::half::<O, false, true, V>(ops, &shape, low, a, a);
                }
            }
            // The carry out of the top is a multiple of 2^(52m).
            carry::carry::<O, true>(ops, low, out, v);
            pad(ops, out, v);
        }
    }
}

impl<O: Vectors> Ring<u64> for LowRow<O> {
    fn words(&self) -> usize {
        self.shape.words()
    }

    fn bytes(&self) -> usize {
        0
    }

    fn scratch_words(&self) -> usize {
        2 * self.shape.span() + self.shape.words() + LANES - 1
    }

    fn packed_words(&self) -> usize {
        self.shape.limbs
    }

    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        self.shape.pack(packed, &arena[from..]);
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        self.shape.unpack(&mut arena[out..], packed);
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        let out = &mut arena[out..][..self.words()];
        out.fill(0);
        out[LANES] = 1;
    }

    /// A value longer than a residue is reduced modulo 2^(52m).
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _scratch: &mut [u64]) {
        let out = &mut arena[out..][..self.shape.words()];
        out.fill(0);
        limbs52::from_limbs64(&mut out[LANES..][..self.shape.limbs], value, 0);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _scratch: &mut [u64]) {
        limbs52::to_limbs64(value, &arena[from..][LANES..][..self.shape.limbs]);
        linear::truncate(value, self.shape.bits);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let (product, _) = split_scratch(&self.shape, scratch);
        let [out, a, b] = residues(arena, [out, a, b], self.shape.words());
        // SAFETY: the three are within the arena, and the same or disjoint by the contract of `Ring`.
        unsafe { self.product(out, a, Some(b), product) };
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let (product, _) = split_scratch(&self.shape, scratch);
        let [out, a] = residues(arena, [out, a], self.shape.words());
        // SAFETY: as in `mul`.
        unsafe { self.product(out, a, None, product) };
    }

    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let (product, factor) = split_scratch(&self.shape, scratch);
        factor.fill(0);
        limbs52::from_limbs64(&mut factor[LANES..][..self.shape.limbs], &[small], 0);
        let [out, a] = residues(arena, [out, a], self.shape.words());
        // SAFETY: as in `mul`; the factor is a residue by its length.
        unsafe { self.product(out, a, Some(factor.as_ptr()), product) };
    }

    fn scan(&self, arena: &mut [u64], out: usize, table: usize, length: usize, digit: SecretDigit) {
        scan::scan(self.ops, &self.shape, arena, [out, table], length, digit);
    }
}
