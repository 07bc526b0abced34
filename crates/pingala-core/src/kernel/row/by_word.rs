//! Products of a residue by one word.

#![allow(unsafe_code)]

use super::carry::carry;
use super::constants::RowConstants;
use super::pad;
use super::ring::RowRing;
use super::shape::{LANES, Shape};
use crate::kernel::vector::across::{VectorProgram, Vectors};

impl<O: Vectors, const CT: bool> RowRing<O, CT> {
    /// `out = small a` modulo N, below 2N, for small of at most 32 bits and residues with their padding, the same or disjoint.
    ///
    /// 1. h = floor(a / 2^(L-44)), below 2^55 because a < 2mN < 2^(L+11).
    /// 2. q = floor(floor(h r / 2^64) small / 2^43) with r = about 2^(127+L-64) / N: a lower estimate of small a / N, too low
    ///    by less than 1 + 2^-9 (truncating h and the first floor cost 2^-11 each, r costs 2^-18).
    /// 3. small a - q N < 2N, as small a + q (2^(52m) - 1 - N) + q modulo 2^(52m).
    ///
    /// # Safety
    /// The pointers are to whole residues of this ring, the same or disjoint; `out` may be written; `constants` are those of this ring.
    pub(super) unsafe fn short_product(&self, constants: &RowConstants, out: *mut u64, a: *const u64, small: u64) {
        debug_assert!(small >> 32 == 0);
        // SAFETY: the caller's residue; m limbs of it.
        let limbs = unsafe { core::slice::from_raw_parts(a.add(LANES), self.shape.limbs) };
        let at = self.shape.bits.saturating_sub(44);
        let limb = |index: usize| u128::from(limbs.get(index).copied().unwrap_or(0));
        let high = limb(at / 52) | limb(at / 52 + 1) << 52 | limb(at / 52 + 2) << 104;
        let high = ((high >> (at % 52)) as u64) << (44 - self.shape.bits.min(44));
        debug_assert!(high >> 55 == 0);
        let ratio = (u128::from(high) * u128::from(constants.reciprocal)) >> 64;
        let q = ((ratio * u128::from(small)) >> 43) as u64;
        let complement = constants.complement().as_ptr();
        self.ops.run(ShortProduct::<CT> { shape: self.shape, complement, q, small, out, a });
    }
}

/// `small a - q N` in m limbs, see [`RowRing::short_product`].
struct ShortProduct<const CT: bool> {
    shape: Shape,
    complement: *const u64,
    q: u64,
    small: u64,
    out: *mut u64,
    a: *const u64,
}

impl<const CT: bool> VectorProgram for ShortProduct<CT> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { shape, complement, q, small, out, a } = self;
        let v = shape.vectors;
        let (factor, quotient) = (ops.splat(small), ops.splat(q));
        let mut below = ops.zero();
        // Columns are below 4 2^52 + q.
        let mut first = ops.keep(1, quotient);
        // SAFETY: the contract of `RowRing::short_product`; the complement has V vectors. Each vector of a is read before the
        // same one of out is written.
        unsafe {
            let (out, a) = (out.add(LANES), a.add(LANES));
            for k in 0..v {
                let (a, n) = (ops.load(a.add(LANES * k)), ops.load(complement.add(LANES * k)));
                let low = ops.madd_low(ops.madd_low(first, a, factor), n, quotient);
                let high = ops.madd_high(ops.madd_high(ops.zero(), a, factor), n, quotient);
                ops.store(out.add(LANES * k), ops.add(low, ops.up(high, below)));
                (below, first) = (high, ops.zero());
            }
            carry::<O, CT>(ops, out, out, v);
            // Modulo 2^(52m).
            let top = out.add(LANES * (v - 1));
            let lanes = (1u32 << (LANES - shape.shift())) - 1;
            ops.store(top, ops.keep(lanes as u8, ops.load(top)));
            pad(ops, out, v);
        }
    }
}
