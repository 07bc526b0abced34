//! What the row kernel runs: products, squarings in a row, and products by a word, as programs over [`Vectors`].

use super::fold::{self, Table};
use super::product;
use super::shape::{LANES, Shape};
use super::vectors::{Program, Vectors};

/// A product of residues, or squarings in a row: by themselves they would pay the call again and again, a tenth of a squaring of
/// 512 bits.
pub(super) struct Product<const CT: bool> {
    pub(super) shape: Shape,
    pub(super) way: Way,
    pub(super) table: Table,
    pub(super) product: *mut u64,
    pub(super) out: *mut u64,
    pub(super) a: *const u64,
    pub(super) b: Option<*const u64>,
    /// 1 with b.
    pub(super) count: usize,
}

/// What thresholds say of one shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Squares count each pair of limbs once; otherwise they are products.
    pub(super) squares: bool,
    /// Secret numbers' low half is carried in part.
    pub(super) in_part: bool,
}

impl Way {
    /// From so many limbs on, and up to so many vectors.
    pub(super) fn new(shape: &Shape, square_from: usize, part_to: usize) -> Self {
        Self { squares: shape.limbs >= square_from, in_part: shape.vectors <= part_to }
    }
}

impl<const CT: bool> Product<CT> {
    /// A function for each number of vectors that is worth one: all of them in one took the compiler a minute.
    pub(super) fn run<O: Vectors>(self, ops: O) {
        let in_part = CT && self.way.in_part;
        match self.shape.vectors {
            2 => ops.run(OfVectors::<CT, CT, 2>(self)),
            3 if in_part => ops.run(OfVectors::<CT, CT, 3>(self)),
            4 if in_part => ops.run(OfVectors::<CT, CT, 4>(self)),
            5 if in_part => ops.run(OfVectors::<CT, CT, 5>(self)),
            3 => ops.run(OfVectors::<CT, false, 3>(self)),
            4 => ops.run(OfVectors::<CT, false, 4>(self)),
            5 => ops.run(OfVectors::<CT, false, 5>(self)),
            // Longer sums have no registers to spare, and the carries are less of them.
            8 => ops.run(OfVectors::<CT, false, 8>(self)),
            _ => ops.run(OfVectors::<CT, false, 0>(self)),
        }
    }

    /// The text, for V vectors, or any number of them with V = 0.
    #[inline(always)]
    fn with_vectors<O: Vectors, const PART: bool, const V: usize>(self, ops: O) {
        let Self { shape, way, table, product: low, out, mut a, b, count } = self;
        let v = if V > 0 { V } else { shape.vectors };
        let shape = Shape { vectors: v, ..shape };
        let high = low.wrapping_add(shape.span());
        for _ in 0..count {
            let b = if way.squares { b } else { Some(b.unwrap_or(a)) };
            // SAFETY: what `RowRing::product` was promised, and its scratch and table; from the second turn on a is `out`.
            unsafe {
                let (out, a) = (out.add(LANES), a.add(LANES));
                match b {
                    Some(b) => product::half::<O, false, false, V>(ops, &shape, low, a, b.add(LANES)),
                    None => {
                        product::squares(ops, &shape, low, a);
                        product::half::<O, false, true, V>(ops, &shape, low, a, a);
                    }
                }
                // The low half is carried while the high half is summed.
                let carry =
                    if PART { fold::carry_in_part(ops, low, v) } else { fold::carry::<O, CT>(ops, low, low, v) };
                let q = fold::quotient(ops, &shape, low, table);
                match b {
                    Some(b) => product::half::<O, true, false, V>(ops, &shape, high, a, b.add(LANES)),
                    None => product::half::<O, true, true, V>(ops, &shape, high, a, a),
                }
                fold::fold::<O, PART, V>(ops, &shape, out, low, q, carry, table);
                fold::carry::<O, CT>(ops, out, out, v);
                pad(ops, out, v);
            }
            a = out;
        }
    }
}

/// A product of V vectors, of any number of them with V = 0. With `PART` the low half is carried in part.
struct OfVectors<const CT: bool, const PART: bool, const V: usize>(Product<CT>);

impl<const CT: bool, const PART: bool, const V: usize> Program for OfVectors<CT, PART, V> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        self.0.with_vectors::<O, PART, V>(ops);
    }
}

/// `small a - q N` in m limbs, see [`RowRing::short_product`].
pub(super) struct ShortProduct<const CT: bool> {
    pub(super) shape: Shape,
    pub(super) complement: *const u64,
    pub(super) q: u64,
    pub(super) small: u64,
    pub(super) out: *mut u64,
    pub(super) a: *const u64,
}

impl<const CT: bool> Program for ShortProduct<CT> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { shape, complement, q, small, out, a } = self;
        let v = shape.vectors;
        let (factor, quotient) = (ops.splat(small), ops.splat(q));
        let mut below = ops.zero();
        // Columns are below 4 2^52 + q.
        let mut first = ops.keep(1, quotient);
        // SAFETY: what `RowRing::short_product` was promised; the complement has V vectors. Each vector of a is read before the
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
            fold::carry::<O, CT>(ops, out, out, v);
            // Modulo 2^(52m).
            let top = out.add(LANES * (v - 1));
            let lanes = (1u32 << (LANES - shape.shift())) - 1;
            ops.store(top, ops.keep(lanes as u8, ops.load(top)));
            pad(ops, out, v);
        }
    }
}

/// Writes the vectors of zeros around the V vectors at `limbs`.
///
/// # Safety
/// The caller's residue has them.
#[inline(always)]
pub(super) unsafe fn pad<O: Vectors>(ops: O, limbs: *mut u64, v: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        ops.store(limbs.sub(LANES), ops.zero());
        ops.store(limbs.add(LANES * v), ops.zero());
    }
}
