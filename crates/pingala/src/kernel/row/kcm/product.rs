//! Products of long numbers by halves, down to leaves of one piece: full, low, and cyclic.
//!
//! Columns at the end of a level are at most four times those of the level below, see [`super::columns`]. With
//! F(1) = 1 leaf product and n pieces: F(n) = 3 F(n/2), Lo(n) = F(n/2) + 2 Lo(n/2) with Lo(1) = 1/2, and
//! Cy(n) = F(n/2) + Cy(n/2) with Cy(1) = 1: at n = 8 that is 27, 23 and 14.

use super::columns::{Combine, Difference, Normalise, PieceProduct, add, butterfly, sum};
use super::layout::PieceLayout;
use crate::kernel::row::vectors::Vectors;

/// Words of scratch of [`mul`] and [`sqr`].
pub(super) fn scratch_words(layout: PieceLayout) -> usize {
    if layout.levels == 0 {
        return 0;
    }
    let half = layout.half();
    2 * half.limbs() + 2 * half.words() + scratch_words(half)
}

/// `out = a b`, 2n columns, for operands: by Karatsuba's three products, with differences.
///
/// With a = a0 + a1 b^h, L = a0 b0, H = a1 b1 and D = (a0 - a1)(b0 - b1): a b = L + (L + H - D) b^h + H b^2h.
pub(super) fn mul<O: Vectors>(ops: O, layout: PieceLayout, out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
    if layout.levels == 0 {
        return ops.run(PieceProduct { piece: layout.piece, out, a, b: Some(b) });
    }
    let half = layout.half();
    let ((a0, a1), (b0, b1)) = (half.halves(a), half.halves(b));
    let (d, scratch) = scratch.split_at_mut(2 * half.limbs());
    let (a_diff, rest) = scratch.split_at_mut(half.words());
    let (b_diff, rest) = rest.split_at_mut(half.words());
    let a_negative = difference(ops, half, a_diff, a0, a1);
    let b_negative = difference(ops, half, b_diff, b0, b1);
    mul(ops, half, d, a_diff, b_diff, rest);
    let (low, high) = out.split_at_mut(2 * half.limbs());
    mul(ops, half, low, a0, b0, scratch);
    mul(ops, half, high, a1, b1, scratch);
    // D is subtracted where both signs agree.
    ops.run(Combine { out, d, sign: !(a_negative ^ b_negative) });
}

/// `out = a^2`, 2n columns, for an operand.
pub(super) fn sqr<O: Vectors>(ops: O, layout: PieceLayout, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
    if layout.levels == 0 {
        return ops.run(PieceProduct { piece: layout.piece, out, a, b: None });
    }
    let half = layout.half();
    let (a0, a1) = half.halves(a);
    let (d, scratch) = scratch.split_at_mut(2 * half.limbs());
    let (a_diff, rest) = scratch.split_at_mut(half.words());
    difference(ops, half, a_diff, a0, a1);
    sqr(ops, half, d, a_diff, rest);
    let (low, high) = out.split_at_mut(2 * half.limbs());
    sqr(ops, half, low, a0, scratch);
    sqr(ops, half, high, a1, scratch);
    ops.run(Combine { out, d, sign: u64::MAX });
}

/// `out = |a - b|`; all ones where a < b, otherwise zeros.
fn difference<O: Vectors>(ops: O, layout: PieceLayout, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
    let mut negative = 0;
    ops.run(Difference { layout, out, a, b, negative: &mut negative });
    negative
}

/// Words of scratch of [`mul_low`].
pub(super) fn low_scratch_words(layout: PieceLayout) -> usize {
    if layout.levels == 0 {
        return 0;
    }
    let half = layout.half();
    scratch_words(half).max(half.limbs() + low_scratch_words(half))
}

/// `out = a b` modulo b^n, n columns, for operands: a full product of the lower halves, two low products across.
pub(super) fn mul_low<O: Vectors>(
    ops: O,
    layout: PieceLayout,
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    scratch: &mut [u64],
) {
    if layout.levels == 0 {
        return ops.run(PieceProduct { piece: layout.piece, out, a, b: Some(b) });
    }
    let half = layout.half();
    let ((a0, a1), (b0, b1)) = (half.halves(a), half.halves(b));
    mul(ops, half, out, a0, b0, scratch);
    let (across, scratch) = scratch.split_at_mut(half.limbs());
    for (a, b) in [(a0, b1), (a1, b0)] {
        mul_low(ops, half, across, a, b, scratch);
        add(ops, &mut out[half.limbs()..], across);
    }
}

/// A fixed factor m of products modulo b^n - 1, prepared for [`mul_cyclic`].
///
/// For each level above the lowest, b^n - 1 = (b^h - 1)(b^h + 1): the absolute value of m/2 modulo b^h + 1 as an operand, and
/// its sign; then the same of m/2 modulo b^h - 1, and at the lowest level the operand itself.
#[derive(Clone, Copy)]
pub(super) struct CyclicFactor<'a> {
    pub(super) operands: &'a [u64],
    /// A word for each level, from the highest down: all ones where the factor is negative.
    pub(super) signs: &'a [u64],
}

/// Words of the operands of a [`CyclicFactor`].
pub(super) fn cyclic_factor_words(layout: PieceLayout) -> usize {
    if layout.levels == 0 { layout.words() } else { layout.half().words() + cyclic_factor_words(layout.half()) }
}

/// Words of scratch of [`mul_cyclic`].
pub(super) fn cyclic_scratch_words(layout: PieceLayout) -> usize {
    if layout.levels == 0 {
        return 2 * layout.limbs();
    }
    let half = layout.half();
    half.words() + (2 * half.limbs() + scratch_words(half)).max(half.limbs()).max(cyclic_scratch_words(half))
}

/// `out = a m` modulo b^n - 1, n columns, for an operand a.
///
/// With a = a0 + a1 b^h, u = (a0 + a1) m/2 modulo b^h - 1 and v = (a0 - a1) m/2 modulo b^h + 1, the product is
/// (u + v) + (u - v) b^h: twice u modulo b^h - 1, twice v modulo b^h + 1.
pub(super) fn mul_cyclic<O: Vectors>(
    ops: O,
    layout: PieceLayout,
    out: &mut [u64],
    a: &[u64],
    m: CyclicFactor<'_>,
    scratch: &mut [u64],
) {
    if layout.levels == 0 {
        let (whole, _) = scratch.split_at_mut(2 * layout.limbs());
        mul(ops, layout, whole, a, m.operands, &mut []);
        let (low, high) = whole.split_at(layout.limbs());
        return sum(ops, out, low, high, 0);
    }
    let half = layout.half();
    let (a0, a1) = half.halves(a);
    let (operand, scratch) = scratch.split_at_mut(half.words());
    let (m_minus, m_plus) = m.operands.split_at(half.words());
    let (u, v) = out.split_at_mut(half.limbs());
    let negative = difference(ops, half, operand, a0, a1);
    {
        let (whole, scratch) = scratch.split_at_mut(2 * half.limbs());
        mul(ops, half, whole, operand, m_minus, scratch);
        // b^h = -1.
        let (low, high) = whole.split_at(half.limbs());
        sum(ops, v, low, high, u64::MAX);
    }
    let (columns, _) = scratch.split_at_mut(half.limbs());
    for (piece, columns) in columns.chunks_exact_mut(half.limbs() >> half.levels).enumerate() {
        let part = half.start(piece)..half.start(piece) + columns.len();
        sum(ops, columns, &a0[part.clone()], &a1[part], 0);
    }
    ops.run(Normalise { layout: half, cyclic: true, out: operand, columns });
    let rest = CyclicFactor { operands: m_plus, signs: &m.signs[1..] };
    mul_cyclic(ops, half, u, operand, rest, scratch);
    butterfly(ops, u, v, negative ^ m.signs[0]);
}
