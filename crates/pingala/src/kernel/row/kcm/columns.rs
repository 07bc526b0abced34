//! The steps of Karatsuba's product between its leaves, on columns: words that represent signed numbers.
//!
//! **Bound.** A leaf leaves columns of 0 .. B, B = 2^52 + 2^12: at most 2m 2^52 < 2^64 before one parallel carry, m < 2^11. A
//! level of Karatsuba, of the low or of the cyclic product makes at most four times that, see there: |column| <= 4^levels B.
//! A reduction adds three such numbers. With at most four levels that is 3 * 2^8 B < 2^62.

#![allow(unsafe_code)]

use super::layout::{MAX_VECTORS, PieceLayout};
use crate::kernel::row::shape::{LANES, Shape};
use crate::kernel::row::vectors::{MASK, VectorProgram, Vectors};
use crate::kernel::row::{carry, product};

/// The product or the square of two pieces.
pub(super) struct PieceProduct<'a> {
    pub(super) piece: usize,
    /// Two pieces of columns; or one piece, which receives only the lower half.
    pub(super) out: &'a mut [u64],
    /// Operands of one piece.
    pub(super) a: &'a [u64],
    pub(super) b: Option<&'a [u64]>,
}

impl VectorProgram for PieceProduct<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { piece, out, a, b } = self;
        let limbs = LANES * piece;
        let whole = out.len() == 2 * limbs;
        assert!(whole || (out.len() == limbs && b.is_some()), "one piece or two");
        assert!([a, b.unwrap_or(a)].iter().all(|operand| operand.len() == limbs + 2 * LANES), "operands of one piece");
        let shape = Shape { limbs, vectors: piece, bits: 52 * limbs };
        let (low, vectors) = (out.as_mut_ptr(), out.len() / LANES);
        let high = low.wrapping_add(limbs);
        // SAFETY: the lengths are as asserted: a piece between vectors of zeros is a residue of this shape.
        unsafe {
            let a = a.as_ptr().add(LANES);
            match b {
                Some(b) => {
                    let b = b.as_ptr().add(LANES);
                    product::half::<O, false, false, 0>(ops, &shape, low, a, b);
                    if whole {
                        product::half::<O, true, false, 0>(ops, &shape, high, a, b);
                    }
                }
                None => {
                    product::squares(ops, &shape, low, a);
                    product::half::<O, false, true, 0>(ops, &shape, low, a, a);
                    product::half::<O, true, true, 0>(ops, &shape, high, a, a);
                }
            }
            // The carry out of the top is 0, or belongs to columns that are not computed.
            carry::carry_in_part(ops, low, vectors);
        }
    }
}

/// `out = |a - b|` for operands; `negative` becomes all ones where a < b, otherwise zeros. Constant-time.
///
/// A limb where a is less borrows, equal limbs pass a borrow on: as bits of two long integers, G where a > b and L where a < b,
/// a < b exactly if G < L, and one addition finds all limbs that are borrowed from. The padding counts as equal limbs.
pub(super) struct Difference<'a> {
    pub(super) layout: PieceLayout,
    pub(super) out: &'a mut [u64],
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    pub(super) negative: &'a mut u64,
}

/// Groups of eight vectors, whose lanes are the bits of a word, in the longest number. Differences are of halves, which have fewer
/// vectors than the number even with the zeros around their pieces.
const GROUPS: usize = MAX_VECTORS.div_ceil(LANES);

impl VectorProgram for Difference<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { layout, out, a, b, negative } = self;
        let words = layout.words();
        assert!(out.len() == words && a.len() == words && b.len() == words, "operands of this layout");
        let vectors = words / LANES;
        let (mut above, mut below) = ([0u64; GROUPS], [0u64; GROUPS]);
        for k in 0..vectors {
            // SAFETY: vector k of operands of this length.
            let (a, b) = unsafe { (ops.load(a.as_ptr().add(LANES * k)), ops.load(b.as_ptr().add(LANES * k))) };
            above[k / LANES] |= u64::from(ops.above(a, b)) << (LANES * (k % LANES));
            below[k / LANES] |= u64::from(ops.above(b, a)) << (LANES * (k % LANES));
        }
        let groups = vectors.div_ceil(LANES);
        let mut borrow = false;
        for (above, below) in above[..groups].iter().zip(&below) {
            let (rest, less) = above.overflowing_sub(*below);
            borrow = less | (borrow & (rest == 0));
        }
        *negative = u64::from(borrow).wrapping_neg();
        let mut carry = 0;
        for (above, below) in above[..groups].iter_mut().zip(&below) {
            let less = (*above & *negative) | (below & !*negative);
            (*above, carry) = receivers(less, !(*above | below), carry);
        }
        let (sign, one, mask) = (ops.splat(*negative), ops.splat(1), ops.splat(MASK));
        for (k, at) in out.chunks_exact_mut(LANES).enumerate() {
            // SAFETY: vector k of operands of this length.
            unsafe {
                let (a, b) = (ops.load(a.as_ptr().add(LANES * k)), ops.load(b.as_ptr().add(LANES * k)));
                let difference = negate(ops, ops.sub_signed(a, b), sign);
                let borrowed = ops.keep((above[k / LANES] >> (LANES * (k % LANES))) as u8, one);
                ops.store(at.as_mut_ptr(), ops.and(ops.sub_signed(difference, borrowed), mask));
            }
        }
        pad(ops, layout, out);
    }
}

/// The lanes of a group of 64 that receive a carry, and the carry out of the group. A lane may generate a carry or pass one on, not
/// both; `carry` comes in from below.
///
/// As bits of two integers G and P, lane 0 lowest: in P + 2G + carry in, a carry runs through exactly the lanes it should, and
/// the bits that differ from P are the lanes that receive one.
#[inline(always)]
fn receivers(generate: u64, pass: u64, carry: u64) -> (u64, u64) {
    debug_assert!(generate & pass == 0 && carry <= 1);
    let incoming = u128::from(generate) << 1 | u128::from(carry);
    let changed = (incoming + u128::from(pass)) ^ u128::from(pass);
    (changed as u64, (changed >> 64) as u64)
}

/// a where the sign is zeros, -a where it is ones.
#[inline(always)]
fn negate<O: Vectors>(ops: O, a: O::Vector, sign: O::Vector) -> O::Vector {
    ops.sub_signed(ops.xor(a, sign), sign)
}

/// Writes the vectors of zeros between the pieces.
#[inline(always)]
fn pad<O: Vectors>(ops: O, layout: PieceLayout, operand: &mut [u64]) {
    for at in operand.chunks_mut(LANES * (layout.piece + 1)) {
        // SAFETY: each chunk starts with the vector below a piece, or is the vector above the last.
        unsafe { ops.store(at.as_mut_ptr(), ops.zero()) };
    }
}

/// The step of Karatsuba's product: `out` = L | H becomes L + (L + H + D) b^h + H b^2h, D negated where `sign` is ones.
///
/// The two middle quarters have L1 + H0 in common. Each becomes a sum of four columns.
pub(super) struct Combine<'a> {
    pub(super) out: &'a mut [u64],
    pub(super) d: &'a [u64],
    pub(super) sign: u64,
}

impl VectorProgram for Combine<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { out, d, sign } = self;
        let h = out.len() / 4;
        assert!(out.len() == 4 * h && d.len() == 2 * h && h.is_multiple_of(LANES), "quarters of whole vectors");
        let (sign, at, d) = (ops.splat(sign), out.as_mut_ptr(), d.as_ptr());
        for k in (0..h).step_by(LANES) {
            // SAFETY: vector k of each quarter, and of each half of d, by the assertion.
            unsafe {
                let at = at.add(k);
                let (l0, l1) = (ops.load(at), ops.load(at.add(h)));
                let (h0, h1) = (ops.load(at.add(2 * h)), ops.load(at.add(3 * h)));
                let (d0, d1) = (negate(ops, ops.load(d.add(k)), sign), negate(ops, ops.load(d.add(h + k)), sign));
                let both = ops.add_signed(l1, h0);
                ops.store(at.add(h), ops.add_signed(both, ops.add_signed(l0, d0)));
                ops.store(at.add(2 * h), ops.add_signed(both, ops.add_signed(h1, d1)));
            }
        }
    }
}

/// `out = a + b`, b negated where `sign` is ones; where `difference` is given, it becomes a - b with the same sign.
struct Sum {
    out: *mut u64,
    difference: Option<*mut u64>,
    a: *const u64,
    b: *const u64,
    words: usize,
    sign: u64,
}

impl VectorProgram for Sum {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { out, difference, a, b, words, sign } = self;
        let sign = ops.splat(sign);
        for k in (0..words).step_by(LANES) {
            // SAFETY: the functions below pass whole vectors; each is read before it is written.
            unsafe {
                let (a, b) = (ops.load(a.add(k)), negate(ops, ops.load(b.add(k)), sign));
                ops.store(out.add(k), ops.add_signed(a, b));
                if let Some(difference) = difference {
                    ops.store(difference.add(k), ops.sub_signed(a, b));
                }
            }
        }
    }
}

/// `out = a + b`, or a - b where `sign` is ones.
pub(super) fn sum(ops: impl Vectors, out: &mut [u64], a: &[u64], b: &[u64], sign: u64) {
    let words = out.len();
    assert!(a.len() == words && b.len() == words && words.is_multiple_of(LANES), "whole vectors, all of one length");
    ops.run(Sum { out: out.as_mut_ptr(), difference: None, a: a.as_ptr(), b: b.as_ptr(), words, sign });
}

/// `to += b`.
pub(super) fn add(ops: impl Vectors, to: &mut [u64], b: &[u64]) {
    let words = to.len();
    assert!(b.len() == words && words.is_multiple_of(LANES), "whole vectors, all of one length");
    ops.run(Sum { out: to.as_mut_ptr(), difference: None, a: to.as_ptr(), b: b.as_ptr(), words, sign: 0 });
}

/// `(a, b) = (a + b, a - b)`, b negated before where `sign` is ones.
pub(super) fn butterfly(ops: impl Vectors, a: &mut [u64], b: &mut [u64], sign: u64) {
    let words = a.len();
    assert!(b.len() == words && words.is_multiple_of(LANES), "whole vectors, all of one length");
    let (a, b) = (a.as_mut_ptr(), b.as_mut_ptr());
    ops.run(Sum { out: a, difference: Some(b), a, b, words, sign });
}

/// Converts columns to an operand of the same value modulo b^n, b = 2^52, or with `cyclic` modulo b^n - 1. Columns that are all 0
/// give limbs that are all 0. The columns are overwritten. Constant-time.
///
/// 1. To make the columns positive, 2^62 is added to each and 2^10 is subtracted from the next one. With `cyclic` that adds a
///    multiple of b^n - 1.
/// 2. One parallel carry, with `cyclic` from the top to the bottom too. Limbs are below 2^52 + 2^12 afterwards.
/// 3. All remaining carries, by one addition of bit masks. With `cyclic` the carry out of the top is added at the bottom, and
///    limbs that are all ones become zeros.
pub(super) struct Normalise<'a> {
    pub(super) layout: PieceLayout,
    pub(super) cyclic: bool,
    pub(super) out: &'a mut [u64],
    pub(super) columns: &'a mut [u64],
}

/// The amount that a column lends to the one below, at least the largest |column| / 2^52.
const LENT: u64 = 1 << 10;

impl VectorProgram for Normalise<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { layout, cyclic, out, columns } = self;
        assert!(columns.len() == layout.limbs() && out.len() == layout.words(), "a number of this layout");
        let vectors = columns.len() / LANES;
        let (mask, lent) = (ops.splat(MASK), ops.splat((LENT << 52) - LENT));
        let mut first = if cyclic { ops.zero() } else { ops.keep(1, ops.splat(LENT)) };
        let mut below = ops.zero();
        for at in columns.chunks_exact_mut(LANES) {
            // SAFETY: a whole vector.
            unsafe {
                let positive = ops.add_signed(ops.add_signed(ops.load(at.as_ptr()), lent), first);
                let carries = ops.carries(positive);
                ops.store(at.as_mut_ptr(), ops.add(ops.and(positive, mask), ops.up(carries, below)));
                (below, first) = (carries, ops.zero());
            }
        }
        if cyclic {
            // SAFETY: there is a first vector.
            unsafe {
                let at = columns.as_mut_ptr();
                ops.store(at, ops.add(ops.load(at), ops.up(ops.zero(), below)));
            }
        }
        let (mut generate, mut pass) = ([0u64; GROUPS], [0u64; GROUPS]);
        for (k, at) in columns.chunks_exact(LANES).enumerate() {
            // SAFETY: a whole vector.
            let limbs = unsafe { ops.load(at.as_ptr()) };
            generate[k / LANES] |= u64::from(ops.above(limbs, mask)) << (LANES * (k % LANES));
            pass[k / LANES] |= u64::from(ops.equal(limbs, mask)) << (LANES * (k % LANES));
        }
        let groups = vectors.div_ceil(LANES);
        // The last group may have lanes above the top; they pass a carry on, so that it leaves the group.
        pass[groups - 1] |= if vectors.is_multiple_of(LANES) { 0 } else { u64::MAX << (LANES * (vectors % LANES)) };
        let mut carry = 0;
        if cyclic {
            let mut all = u64::MAX;
            for (generate, pass) in generate[..groups].iter().zip(&pass) {
                (_, carry) = receivers(*generate, *pass, carry);
                all &= pass;
            }
            carry |= u64::from(all == u64::MAX);
        }
        for (generate, pass) in generate[..groups].iter_mut().zip(&pass) {
            (*generate, carry) = receivers(*generate, *pass, carry);
        }
        let mut k = 0;
        for piece in 0..layout.pieces() {
            for at in out[layout.start(piece)..][..LANES * layout.piece].chunks_exact_mut(LANES) {
                // SAFETY: whole vectors; there are as many of columns as of all pieces.
                unsafe {
                    let limbs = ops.load(columns.as_ptr().add(LANES * k));
                    let more = (generate[k / LANES] >> (LANES * (k % LANES))) as u8;
                    ops.store(at.as_mut_ptr(), ops.and(ops.increment(more, limbs), mask));
                }
                k += 1;
            }
        }
        pad(ops, layout, out);
    }
}
