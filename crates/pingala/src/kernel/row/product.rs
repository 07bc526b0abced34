//! Columns of a product and of a square, eight columns to a vector.
//!
//! T = a b in columns of lo and hi halves: column c holds lo(a_i b_l) for i + l = c and hi(a_i b_l) for i + l + 1 = c. Eight
//! columns are one vector; the row of limb a_s adds to it a *window* of b, eight limbs at any offset: window(s) gives lo
//! with a_s and, one row further, hi with a_(s-1). So every window is loaded once, nothing is shifted, and the rows are
//! independent of each other.
//!
//! Block k holds the columns 8k - d .. 8k - d + 7 (frame of [`Shape::shift`]), and its window of row s starts at limb
//! 8k - d - s. Rows s where that window lies within -7 .. m - 1 add something, s = 0 .. m.
//!
//! **Bound.** A column has at most m lo and m hi halves below 2^52: below 2m 2^52. A square counts pairs of different limbs
//! once and doubles: the same sum. With the 2m of the reduction that is 4m 2^52 < 2^64 for m < 1024.

#![allow(unsafe_code)]

use super::shape::{LANES, Shape, tiles_downwards};
use super::vectors::Vectors;

/// Most blocks that are summed together: two sums each, so that they do not wait for each other, and a window.
const MOST: usize = 10;

/// Sums of G blocks of columns: of lo halves and of hi halves.
struct Columns<V, const G: usize> {
    low: [V; G],
    high: [V; G],
}

/// The operands of one tile: limb 0 of a, and where the window of row 0 of the tile's first block starts.
#[derive(Clone, Copy)]
struct Operands {
    a: *const u64,
    windows: *const u64,
}

impl Operands {
    /// For the tile whose first block is `k`.
    #[inline(always)]
    fn new(shape: &Shape, a: *const u64, b: *const u64, k: usize) -> Self {
        Self { a, windows: b.wrapping_add(LANES * k).wrapping_sub(shape.shift()) }
    }
}

/// Adds rows `start..end` to the blocks FROM..TO of a tile, and to block `MASKED` (if below G) the lanes that `masks` says:
/// for the row start + t the lanes masks[t] as (lo, hi).
///
/// # Safety
/// The windows of these rows and blocks may be read; so may limbs start - 1 .. end of a.
#[inline(always)]
unsafe fn rows<O: Vectors, const G: usize, const FROM: usize, const TO: usize, const MASKED: usize>(
    ops: O,
    columns: &mut Columns<O::Vector, G>,
    operands: Operands,
    start: isize,
    end: isize,
    masks: [(u8, u8); 4],
) {
    // SAFETY: the caller's promise covers every load.
    unsafe {
        let mut previous = ops.broadcast(operands.a.offset(start - 1));
        let mut s = start;
        while s < end {
            let limb = ops.broadcast(operands.a.offset(s));
            let window = operands.windows.wrapping_offset(-s);
            for g in FROM..TO {
                let window = ops.load(window.wrapping_add(LANES * g));
                columns.low[g] = ops.madd_low(columns.low[g], window, limb);
                columns.high[g] = ops.madd_high(columns.high[g], window, previous);
            }
            if MASKED < G {
                let (low, high) = masks[(s - start) as usize];
                let window = window.wrapping_add(LANES * MASKED);
                columns.low[MASKED] = ops.madd_low(columns.low[MASKED], ops.load_masked(low, window), limb);
                columns.high[MASKED] = ops.madd_high(columns.high[MASKED], ops.load_masked(high, window), previous);
            }
            previous = limb;
            s += 1;
        }
    }
}

/// No block is masked.
const NONE: usize = usize::MAX;
const NO_MASKS: [(u8, u8); 4] = [(0, 0); 4];

/// Runs `$run` with `$g` = 0, 1, .. as a constant while it is below `$G`, or from the top down.
macro_rules! each_block {
    ($g:ident < $G:ident, $run:expr) => {
        each_block!(@ $g < $G, $run, 0 1 2 3 4 5 6 7 8 9)
    };
    (@ $g:ident < $G:ident, $run:expr, $($known:literal)+) => {
        $(if $known < $G { const $g: usize = $known; $run })+
    };
}

/// The low V blocks of a b (columns 0 .. m - 1), V vectors at `out`.
///
/// # Safety
/// a and b are residues of this shape, pointed to at limb 0; `out` has V vectors.
#[inline(always)]
pub(super) unsafe fn mul_low<O: Vectors>(ops: O, shape: &Shape, out: *mut u64, a: *const u64, b: *const u64) {
    tiles_downwards!(shape.vectors, MOST, |k, G| {
        // SAFETY: block k has rows up to 8k - d + 7, whose window starts at limb -7, within the padding; the window of row 0
        // ends at limb 8k - d + 7 <= m - 1. Limb -1 of a is padding.
        unsafe {
            let mut columns = Columns { low: [ops.zero(); G], high: [ops.zero(); G] };
            let operands = Operands::new(shape, a, b, k);
            // All blocks have the rows of the first one; then they end, eight rows apart.
            let first_end = (LANES * (k + 1)) as isize - shape.shift() as isize;
            rows::<O, G, 0, G, NONE>(ops, &mut columns, operands, 0, first_end, NO_MASKS);
            each_block!(EIGHTH < G, {
                let start = first_end + (LANES * EIGHTH) as isize;
                let end = start + LANES as isize;
                rows::<O, G, { EIGHTH + 1 }, G, NONE>(ops, &mut columns, operands, start, end, NO_MASKS);
            });
            store(ops, out.add(LANES * k), &columns);
        }
    });
}

/// The high V blocks of a b (columns m .. 2m - 1 and zeros above), V vectors at `out`.
///
/// # Safety
/// As for [`mul_low`].
#[inline(always)]
pub(super) unsafe fn mul_high<O: Vectors>(ops: O, shape: &Shape, out: *mut u64, a: *const u64, b: *const u64) {
    let v = shape.vectors;
    let end = shape.limbs as isize + 1;
    tiles_downwards!(v, MOST, |k, G| {
        // SAFETY: block V + k has rows from 8k + 1 on, whose window starts at limb 8V - d - 1 = m - 1 and reads up to m + 6,
        // within the padding; in row m it starts at 8k >= 0. Limb m of a is padding.
        unsafe {
            let mut columns = Columns { low: [ops.zero(); G], high: [ops.zero(); G] };
            let operands = Operands::new(shape, a, b, v + k);
            // The blocks begin eight rows apart; then all of them have the rest.
            each_block!(BLOCK < G, {
                let start = (LANES * (k + BLOCK) + 1) as isize;
                let stop = if BLOCK + 1 < G { end.min(start + LANES as isize) } else { end };
                rows::<O, G, 0, { BLOCK + 1 }, NONE>(ops, &mut columns, operands, start, stop, NO_MASKS);
            });
            store(ops, out.add(LANES * k), &columns);
        }
    });
}

#[inline(always)]
unsafe fn store<O: Vectors, const G: usize>(ops: O, out: *mut u64, columns: &Columns<O::Vector, G>) {
    for g in 0..G {
        // SAFETY: the caller's `out` has G vectors.
        unsafe { ops.store(out.add(LANES * g), ops.add(columns.low[g], columns.high[g])) }
    }
}

/// `out = 2 columns + out`, where `out` holds the squares of single limbs.
#[inline(always)]
unsafe fn store_doubled<O: Vectors, const G: usize>(ops: O, out: *mut u64, columns: &Columns<O::Vector, G>) {
    for g in 0..G {
        // SAFETY: the caller's `out` has G vectors.
        unsafe {
            let out = out.add(LANES * g);
            let pairs = ops.add(columns.low[g], columns.high[g]);
            ops.store(out, ops.add(ops.load(out), ops.add(pairs, pairs)));
        }
    }
}

/// The squares of single limbs in all 2V blocks at `out`: lo(a_i^2) in column 2i, hi(a_i^2) in column 2i + 1.
///
/// # Safety
/// As for [`mul_low`]; `out` has 2V vectors.
#[inline(always)]
pub(super) unsafe fn squares<O: Vectors>(ops: O, shape: &Shape, out: *mut u64, a: *const u64) {
    // Columns 16k - d .. 16k - d + 15, two blocks, belong to limbs 8k - d/2 .. 8k - d/2 + 7; d is even.
    let a = a.wrapping_sub(shape.shift() / 2);
    for k in 0..shape.vectors {
        // SAFETY: limbs from -d/2 >= -3 on, below 8V; the caller's `out` has 2V vectors.
        unsafe {
            let limbs = ops.load(a.add(LANES * k));
            let low = ops.madd_low(ops.zero(), limbs, limbs);
            let high = ops.madd_high(ops.zero(), limbs, limbs);
            ops.store(out.add(2 * LANES * k), ops.interleave_low(low, high));
            ops.store(out.add(2 * LANES * k + LANES), ops.interleave_high(low, high));
        }
    }
}

/// The low V blocks of a^2, V vectors at `out`, which holds the squares of single limbs.
///
/// Of a row s only the limbs l > s (lo with a_s) and l > s - 1 (hi with a_(s-1)) count, pairs of different limbs, once. In
/// block k that cuts lanes off where delta = 2s + d - 8k >= 0: lane x stays if x > delta (lo), x >= delta (hi). With d even
/// delta is 0, 2, 4, 6 in the four rows from 4k - d/2 on, and after them the block has no more.
///
/// # Safety
/// As for [`mul_low`].
#[inline(always)]
pub(super) unsafe fn sqr_low<O: Vectors>(ops: O, shape: &Shape, out: *mut u64, a: *const u64) {
    const MASKS: [(u8, u8); 4] = [(0xfe, 0xff), (0xf8, 0xfc), (0xe0, 0xf0), (0x80, 0xc0)];
    tiles_downwards!(shape.vectors, MOST, |k, G| {
        // SAFETY: in row s <= 4k - d/2 + 3 the window starts at limb 8k - d - s = s - delta >= -6; the rest as in `mul_low`.
        unsafe {
            let mut columns = Columns { low: [ops.zero(); G], high: [ops.zero(); G] };
            let operands = Operands::new(shape, a, a, k);
            let first = (4 * k) as isize - (shape.shift() / 2) as isize;
            rows::<O, G, 0, G, NONE>(ops, &mut columns, operands, 0, first, NO_MASKS);
            each_block!(BLOCK < G, {
                let start = first + 4 * BLOCK as isize;
                boundary::<O, G, { BLOCK + 1 }, G, BLOCK>(ops, &mut columns, operands, start, MASKS, shape);
            });
            store_doubled(ops, out.add(LANES * k), &columns);
        }
    });
}

/// The high V blocks of a^2, V vectors at `out`, which holds the squares of single limbs.
///
/// Here row s is the larger limb of its pairs: the limbs l < s (lo with a_s) and l < s - 1 (hi with a_(s-1)) count. In block
/// k lane x stays if x < delta (lo), x < delta - 1 (hi); delta is 2, 4, 6, 8 in the four rows from 4k - d/2 + 1 on, before
/// them there is nothing, after them all lanes stay up to row m.
///
/// # Safety
/// As for [`mul_low`].
#[inline(always)]
pub(super) unsafe fn sqr_high<O: Vectors>(ops: O, shape: &Shape, out: *mut u64, a: *const u64) {
    const MASKS: [(u8, u8); 4] = [(0x03, 0x01), (0x0f, 0x07), (0x3f, 0x1f), (0xff, 0x7f)];
    let v = shape.vectors;
    let end = shape.limbs as isize + 1;
    tiles_downwards!(v, MOST, |k, G| {
        // SAFETY: the window of row s starts at limb 8(V + k) - d - s = s - delta, which is at most m - 2 as delta >= 2, so
        // that it reads up to m + 5 at most, and at least 0 as in `mul_high`.
        unsafe {
            let mut columns = Columns { low: [ops.zero(); G], high: [ops.zero(); G] };
            let operands = Operands::new(shape, a, a, v + k);
            let first = (4 * (v + k)) as isize - (shape.shift() / 2) as isize + 1;
            each_block!(BLOCK < G, {
                let start = first + 4 * BLOCK as isize;
                boundary::<O, G, 0, BLOCK, BLOCK>(ops, &mut columns, operands, start, MASKS, shape);
            });
            let start = first + 4 * G as isize;
            rows::<O, G, 0, G, NONE>(ops, &mut columns, operands, start, end, NO_MASKS);
            store_doubled(ops, out.add(LANES * k), &columns);
        }
    });
}

/// The four rows from `start` on of which block MASKED has only some lanes, as far as they lie within 0 .. m.
///
/// # Safety
/// As for [`rows`].
#[inline(always)]
unsafe fn boundary<O: Vectors, const G: usize, const FROM: usize, const TO: usize, const MASKED: usize>(
    ops: O,
    columns: &mut Columns<O::Vector, G>,
    operands: Operands,
    start: isize,
    masks: [(u8, u8); 4],
    shape: &Shape,
) {
    let rows_end = shape.limbs as isize + 1;
    // SAFETY: the caller's promise.
    unsafe {
        if start >= 0 && start + 4 <= rows_end {
            rows::<O, G, FROM, TO, MASKED>(ops, columns, operands, start, start + 4, masks);
        } else {
            for t in 0..4 {
                if (0..rows_end).contains(&(start + t)) {
                    let mask = [masks[t as usize]; 4];
                    rows::<O, G, FROM, TO, MASKED>(ops, columns, operands, start + t, start + t + 1, mask);
                }
            }
        }
    }
}
