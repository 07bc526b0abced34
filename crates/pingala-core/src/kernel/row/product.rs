//! ColumnSums of a product and of a square, eight columns to a vector.
//!
//! T = a b in columns of lo and hi halves: column c holds lo(a_i b_l) for i + l = c and hi(a_i b_l) for i + l + 1 = c. Eight
//! columns are one vector; the row of limb a_s adds to it a *window* of b, eight limbs at any offset: window(s) gives lo
//! with a_s and, one row further, hi with a_(s-1). So every window is loaded once, nothing is shifted, and the rows are
//! independent of each other.
//!
//! Block k holds the columns 8k - d .. 8k - d + 7 (frame of [`Shape::shift`]), and its window of row s starts at limb
//! 8k - d - s. Rows s whose window lies within -7 .. m - 1 add something, s = 0 .. m.
//!
//! **Bound.** A column has at most m lo and m hi halves below 2^52: below 2m 2^52. A square counts pairs of different limbs
//! once and doubles: the same sum. With the 3m of the reduction that is 5m 2^52 < 2^64 for m < 819.
//!
//! Lemmas: Columns.row_product_column, Columns.row_square_column, formal.row_columns (proofs/README.md).

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::shape::{LANES, Shape, tiles_downwards};
use crate::kernel::vector::across::{SharedCode, Vectors};

/// Sums of G blocks of columns, of lo halves and of hi halves. Consecutive rows add to SETS different sets in turn, so that a
/// row need not wait for the one before.
struct ColumnSums<V, const G: usize, const SETS: usize> {
    low: [[V; G]; SETS],
    high: [[V; G]; SETS],
}

impl<V: Copy, const G: usize, const SETS: usize> ColumnSums<V, G, SETS> {
    #[inline(always)]
    fn zero<O: Vectors<Vector = V>>(ops: O) -> Self {
        Self { low: [[ops.zero(); G]; SETS], high: [[ops.zero(); G]; SETS] }
    }

    #[inline(always)]
    fn set(&mut self, set: usize) -> (&mut [V; G], &mut [V; G]) {
        (&mut self.low[set], &mut self.high[set])
    }

    /// The columns of block g.
    #[inline(always)]
    fn sum<O: Vectors<Vector = V>>(&self, ops: O, g: usize) -> V {
        let mut sum = ops.add(self.low[0][g], self.high[0][g]);
        for set in 1..SETS {
            sum = ops.add(sum, ops.add(self.low[set][g], self.high[set][g]));
        }
        sum
    }
}

/// The operands of one tile: limb 0 of a, and the start of the window of row 0 of the tile's first block.
#[derive(Clone, Copy)]
struct TileOperands {
    a: *const u64,
    windows: *const u64,
}

impl TileOperands {
    /// For the tile whose first block is `k`.
    #[inline(always)]
    fn new(shape: &Shape, a: *const u64, b: *const u64, k: usize) -> Self {
        Self { a, windows: b.wrapping_add(LANES * k).wrapping_sub(shape.shift()) }
    }
}

/// Adds row s to the blocks FROM..TO of one set; block MASKED (if below G) receives only the lanes `lanes`, for lo and hi, where
/// none means all. Returns limb s.
///
/// # Safety
/// The windows of this row and these blocks may be read; so may limb s of a.
#[inline(always)]
unsafe fn row<O: Vectors, const G: usize, const FROM: usize, const TO: usize, const MASKED: usize>(
    ops: O,
    (low, high): (&mut [O::Vector; G], &mut [O::Vector; G]),
    operands: TileOperands,
    s: isize,
    previous: O::Vector,
    lanes: [Option<O::Lanes>; 2],
) -> O::Vector {
    // SAFETY: the caller's promise.
    unsafe {
        let limb = ops.broadcast(operands.a.offset(s));
        let windows = operands.windows.wrapping_offset(-s);
        for g in FROM..TO {
            let window = ops.load(windows.wrapping_add(LANES * g));
            low[g] = ops.madd_low(low[g], window, limb);
            high[g] = ops.madd_high(high[g], window, previous);
        }
        if MASKED < G {
            let window = ops.load(windows.wrapping_add(LANES * MASKED));
            low[MASKED] = match lanes[0] {
                None => ops.madd_low(low[MASKED], window, limb),
                Some(lanes) => ops.madd_low_lanes(lanes, low[MASKED], window, limb),
            };
            high[MASKED] = match lanes[1] {
                None => ops.madd_high(high[MASKED], window, previous),
                Some(lanes) => ops.madd_high_lanes(lanes, high[MASKED], window, previous),
            };
        }
        limb
    }
}

#[inline(always)]
fn some<O: Vectors>(ops: O, mask: u8) -> Option<O::Lanes> {
    Some(ops.lanes(mask))
}

/// Adds rows `start..end` to the blocks FROM..TO of a tile.
///
/// # Safety
/// The windows of these rows and blocks may be read; so may limbs start - 1 .. end of a.
#[inline(always)]
unsafe fn rows<O: Vectors, const G: usize, const SETS: usize, const FROM: usize, const TO: usize>(
    ops: O,
    columns: &mut ColumnSums<O::Vector, G, SETS>,
    operands: TileOperands,
    start: isize,
    end: isize,
) {
    // SAFETY: the caller's promise covers every load.
    unsafe {
        let mut previous = ops.broadcast(operands.a.offset(start - 1));
        let mut s = start;
        while s + SETS as isize <= end {
            for set in 0..SETS {
                let sums = columns.set(set);
                previous = row::<O, G, FROM, TO, NONE>(ops, sums, operands, s, previous, [None; 2]);
                s += 1;
            }
        }
        while s < end {
            previous = row::<O, G, FROM, TO, NONE>(ops, columns.set(0), operands, s, previous, [None; 2]);
            s += 1;
        }
    }
}

/// Adds the four rows from `start` on, of which block MASKED receives only some lanes: those for lo and hi of each row.
///
/// # Safety
/// As for [`rows`].
#[inline(always)]
unsafe fn boundary<O, const G: usize, const SETS: usize, const FROM: usize, const TO: usize, const MASKED: usize>(
    ops: O,
    columns: &mut ColumnSums<O::Vector, G, SETS>,
    operands: TileOperands,
    start: isize,
    lanes: [[Option<O::Lanes>; 2]; 4],
) where
    O: Vectors,
{
    // SAFETY: the caller's promise covers every load.
    unsafe {
        let mut previous = ops.broadcast(operands.a.offset(start - 1));
        for t in 0..4 {
            let (sums, s) = (columns.set(t % SETS), start + t as isize);
            previous = row::<O, G, FROM, TO, MASKED>(ops, sums, operands, s, previous, lanes[t]);
        }
    }
}

/// The value of MASKED if no block is masked.
const NONE: usize = usize::MAX;

/// Runs `$run` with `$g` = 0, 1, .. as a constant while it is below `$G`, or from the top down.
macro_rules! each_block {
    ($g:ident < $G:ident, $run:expr) => {
        each_block!(@ $g < $G, $run, 0 1 2 3 4)
    };
    (@ $g:ident < $G:ident, $run:expr, $($known:literal)+) => {
        $(if $known < $G { const $g: usize = $known; $run })+
    };
}

/// In shorter products the call of a half is measurable: those of two vectors took an eighth longer, of three a tenth, of five a fortieth.
const SHORT: usize = 5;

/// The low V blocks of a b (columns 0 .. m - 1), or the high ones (columns m .. 2m - 1 and zeros above), V vectors at `out`; of a^2,
/// which ignores b, at `out`, which must hold the [`squares`] of single limbs. The parameter is V, or 0 where V is known only at run time. All kernels share one function unless V is
/// known and at most [`SHORT`].
///
/// # Safety
/// a and b are residues of this shape, pointed to at limb 0; `out` has V vectors. The parameter is V, or 0.
#[inline(always)]
pub(super) unsafe fn half<O: Vectors, const HIGH: bool, const SQUARE: bool, const V: usize>(
    ops: O,
    shape: &Shape,
    out: *mut u64,
    a: *const u64,
    b: *const u64,
) {
    let Shape { limbs, vectors, .. } = *shape;
    // SAFETY: the caller's promise.
    unsafe {
        if const { V == 0 || V > SHORT } {
            ops.call::<ProductHalf<HIGH, SQUARE, V>>(limbs, vectors, out, a, b);
        } else {
            ProductHalf::<HIGH, SQUARE, V>::run(ops, limbs, vectors, out, a, b);
        }
    }
}

/// The code of [`half`].
///
/// **Squares.** Pairs of different limbs are added once. In the low half row s has only the limbs l > s (lo with a_s) and l > s - 1 (hi
/// with a_(s-1)). In block k this removes lanes where delta = 2s + d - 8k >= 0: lane x stays if x > delta (lo), x >= delta (hi). As d is even,
/// delta is 0, 2, 4, 6 in the four rows from 4k - d/2 on; the block has no rows after them.
///
/// In the high half row s is the larger limb of its pairs: it has the limbs l < s (lo with a_s) and l < s - 1 (hi with a_(s-1)). In block
/// k lane x stays if x < delta (lo), x < delta - 1 (hi); delta is 2, 4, 6, 8 in the four rows from 4k - d/2 + 1 on. The block has
/// no rows before them; after them all lanes stay up to row m.
struct ProductHalf<const HIGH: bool, const SQUARE: bool, const V: usize>;

impl<const HIGH: bool, const SQUARE: bool, const V: usize> SharedCode for ProductHalf<HIGH, SQUARE, V> {
    /// # Safety
    /// As for [`half`], of numbers of this many limbs in this many vectors.
    #[inline(always)]
    unsafe fn run<O: Vectors>(ops: O, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64) {
        let shape = &Shape { limbs, vectors, bits: 52 * limbs };
        let (shift, end) = (shape.shift() as isize, limbs as isize + 1);
        let b = if SQUARE { a } else { b };
        // Of the four rows of a square that a block has in part.
        let lanes = if HIGH {
            [
                [some(ops, 0x03), some(ops, 0x01)],
                [some(ops, 0x0f), some(ops, 0x07)],
                [some(ops, 0x3f), some(ops, 0x1f)],
                [None, some(ops, 0x7f)],
            ]
        } else {
            [
                [some(ops, 0xfe), None],
                [some(ops, 0xf8), some(ops, 0xfc)],
                [some(ops, 0xe0), some(ops, 0xf0)],
                [some(ops, 0x80), some(ops, 0xc0)],
            ]
        };
        tiles_downwards!(vectors, V, [1 4] [2 4] [3 2] [4 2] [5 2], |k, G, SETS| {
            let block = if HIGH { vectors + k } else { k };
            let operands = TileOperands::new(shape, a, b, block);
            let mut columns = ColumnSums::<_, G, SETS>::zero(ops);
            if const { !HIGH && !SQUARE } {
                // All blocks have the rows of the first block; after that they end eight rows apart.
                let first_end = (LANES * (k + 1)) as isize - shift;
                // SAFETY: block k has rows up to 8k - d + 7, whose window starts at limb -7, within the padding; the window of row 0
                // ends at limb 8k - d + 7 <= m - 1. Limb -1 of a is padding.
                unsafe {
                    rows::<O, G, SETS, 0, G>(ops, &mut columns, operands, 0, first_end);
                    each_block!(EIGHTH < G, {
                        let start = first_end + (LANES * EIGHTH) as isize;
                        let end = start + LANES as isize;
                        rows::<O, G, SETS, { EIGHTH + 1 }, G>(ops, &mut columns, operands, start, end);
                    });
                }
            } else if const { !SQUARE } {
                // SAFETY: block V + k has rows from 8k + 1 on, whose window starts at limb 8V - d - 1 = m - 1 and reads up to m + 6,
                // within the padding; in row m it starts at 8k >= 0. Limb m of a is padding.
                unsafe {
                    // The blocks begin eight rows apart; all of them have the remaining rows.
                    each_block!(BLOCK < G, {
                        let start = (LANES * (k + BLOCK) + 1) as isize;
                        let stop = if BLOCK + 1 < G { end.min(start + LANES as isize) } else { end };
                        rows::<O, G, SETS, 0, { BLOCK + 1 }>(ops, &mut columns, operands, start, stop);
                    });
                }
            } else if const { !HIGH } {
                let first = (4 * block) as isize - shift / 2;
                // SAFETY: in row s <= 4k - d/2 + 3 the window starts at limb 8k - d - s = s - delta >= -6. Rows s < 0, at least -3, of
                // the first block read zeros of the padding as limbs. The rest as in a product.
                unsafe {
                    rows::<O, G, SETS, 0, G>(ops, &mut columns, operands, 0, first);
                    each_block!(BLOCK < G, {
                        let start = first + 4 * BLOCK as isize;
                        boundary::<O, G, SETS, { BLOCK + 1 }, G, BLOCK>(ops, &mut columns, operands, start, lanes);
                    });
                }
            } else {
                let first = (4 * block) as isize - shift / 2 + 1;
                // SAFETY: the window of row s starts at limb 8(V + k) - d - s = s - delta, which is at most m - 2 as delta >= 2, so
                // that it reads up to m + 5 at most. Rows s > m, at most m + d/2 <= m + 3, read zeros of the padding as limbs, and
                // their windows start at -3 at least.
                unsafe {
                    each_block!(BLOCK < G, {
                        let start = first + 4 * BLOCK as isize;
                        boundary::<O, G, SETS, 0, BLOCK, BLOCK>(ops, &mut columns, operands, start, lanes);
                    });
                    rows::<O, G, SETS, 0, G>(ops, &mut columns, operands, first + 4 * G as isize, end);
                }
            }
            // SAFETY: the caller's `out` has V vectors.
            unsafe { store::<O, SQUARE, _, _>(ops, out.add(LANES * k), &columns) };
        });
    }
}

/// `out = columns`, or of a square `2 columns + out`, where `out` holds the squares of single limbs.
///
/// # Safety
/// `out` has G vectors.
#[inline(always)]
unsafe fn store<O: Vectors, const SQUARE: bool, const G: usize, const SETS: usize>(
    ops: O,
    out: *mut u64,
    columns: &ColumnSums<O::Vector, G, SETS>,
) {
    for g in 0..G {
        // SAFETY: the caller's promise.
        unsafe {
            let out = out.add(LANES * g);
            let mut sum = columns.sum(ops, g);
            if SQUARE {
                sum = ops.add(ops.load(out), ops.add(sum, sum));
            }
            ops.store(out, sum);
        }
    }
}

/// The squares of single limbs in all 2V blocks at `out`: lo(a_i^2) in column 2i, hi(a_i^2) in column 2i + 1.
///
/// # Safety
/// a is a residue of this shape, pointed to at limb 0; `out` has 2V vectors.
#[inline(always)]
pub(super) unsafe fn squares<O: Vectors>(ops: O, shape: &Shape, out: *mut u64, a: *const u64) {
    // ColumnSums 16k - d .. 16k - d + 15, two blocks, belong to limbs 8k - d/2 .. 8k - d/2 + 7; d is even.
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
