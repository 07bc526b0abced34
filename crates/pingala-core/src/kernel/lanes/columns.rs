//! Ten columns of a product at a time, in registers: the tiles that product scanning is made of.
//!
//! Lemmas: formal.lanes_products (proofs/README.md).
#![allow(clippy::absurd_extreme_comparisons, reason = "the copies of an unrolled block compare constants")]

use crate::kernel::vector::{Lanes, Place, VectorUnit};
use core::cell::Cell;
use core::ops::Range;

/// Columns of a block. Twenty accumulators, five row operands and the current limb take 26 of 32 registers.
pub(super) const WIDTH: usize = 10;

/// Rows of a full tile. Each limb is loaded once for five rows, so that a tile of 100 multiply-adds has 20 loads.
const ROWS: usize = 5;

/// Repeats a block with a different constant in each copy. The compiler does not always unroll loops over arrays of this size,
/// and it keeps an accumulator that is indexed at run time in memory.
macro_rules! unroll {
    ($i:ident, $body:block) => { unroll!($i in [0 1 2 3 4 5 6 7 8 9], $body) };
    ($i:ident in [$($k:literal)*], $body:block) => { $({ const $i: usize = $k; $body })* };
}
pub(super) use unroll;

/// Whether the block of low columns of a number of N limbs, ten at most, has this column; always true for N = 0. The condition is
/// a constant, so that the optimiser never sees the code of missing columns: short lengths compile faster.
pub(super) const fn has_low(n: usize, column: usize) -> bool {
    n == 0 || column + n >= WIDTH
}

/// Whether the block of high columns has this column.
pub(super) const fn has_high(n: usize, column: usize) -> bool {
    n == 0 || column < n
}

/// The sums of ten adjacent columns. The halves of a product go to different sums, so that at most one in nine multiply-adds
/// uses the same sum: their latency is hidden.
#[derive(Clone, Copy)]
pub(super) struct Columns<U: VectorUnit> {
    pub(super) lo: [U::Vector; WIDTH],
    pub(super) hi: [U::Vector; WIDTH],
}

impl<U: VectorUnit> Columns<U> {
    /// Ten sums; each starts at `bias`.
    #[inline(always)]
    pub(super) fn new(unit: U, bias: U::Vector) -> Self {
        Self { lo: [unit.splat(0); WIDTH], hi: [bias; WIDTH] }
    }

    /// Adds a * b, whose low half belongs to column `at` and whose high half to the next, clipped to `lo` and `hi`. All
    /// arguments but the vectors are constants of the unrolled text.
    #[inline(always)]
    pub(super) fn madd(&mut self, unit: U, at: usize, lo: bool, hi: bool, a: U::Vector, b: U::Vector) {
        if lo && at < WIDTH {
            self.lo[at] = unit.madd_low(self.lo[at], a, b);
        }
        if hi && at + 1 < WIDTH {
            self.hi[at + 1] = unit.madd_high(self.hi[at + 1], a, b);
        }
    }

    /// Adds a carry to column `at`, if the block has it.
    #[inline(always)]
    pub(super) fn carry_into(&mut self, unit: U, at: usize, carry: U::Vector) {
        if at < WIDTH {
            self.lo[at] = unit.add(self.lo[at], carry);
        }
    }

    /// Adds b[i] * a for i in `rows`: column c of the block gets the low halves of b[i] * a[first + c - i] and the high
    /// halves of b[i] * a[first + c - 1 - i], all of which exist.
    #[inline(always)]
    pub(super) fn rows(&mut self, unit: U, b: &[impl Place], rows: Range<usize>, a: &[impl Place], first: usize) {
        let mut i = rows.start;
        while i + ROWS <= rows.end {
            let start = first - i - ROWS;
            self.tile(unit, &b[i..i + ROWS], &a[start..start + WIDTH + ROWS]);
            i += ROWS;
        }
        while i < rows.end {
            let start = first - i - 1;
            self.row(unit, &b[i], &a[start..start + WIDTH + 1]);
            i += 1;
        }
    }

    /// Adds five rows; `window` has the 15 limbs that they are multiplied by.
    #[inline(always)]
    fn tile(&mut self, unit: U, b: &[impl Place], window: &[impl Place]) {
        let b = [unit.get(&b[0]), unit.get(&b[1]), unit.get(&b[2]), unit.get(&b[3]), unit.get(&b[4])];
        // Row r meets limb v in column v - 5 + r. The rows run from the last to the first, so that each limb adds to a sum once.
        unroll!(V in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14], {
            let limb = unit.get(&window[V]);
            unroll!(R in [0 1 2 3 4], {
                let row = ROWS - 1 - R;
                if V + row >= ROWS {
                    self.madd(unit, V + row - ROWS, true, true, limb, b[row]);
                } else if V + row + 1 == ROWS {
                    self.hi[0] = unit.madd_high(self.hi[0], limb, b[row]);
                }
            });
        });
    }

    /// Adds one row; `window` has the 11 limbs that it is multiplied by.
    #[inline(always)]
    fn row(&mut self, unit: U, b: &impl Place, window: &[impl Place]) {
        let b = unit.get(b);
        self.hi[0] = unit.madd_high(self.hi[0], unit.get(&window[0]), b);
        unroll!(C, { self.madd(unit, C, true, true, unit.get(&window[C + 1]), b) });
    }

    /// The triangle at the low end of a product whose block ends before column `end`: rows end - 10 + j of b, j from
    /// `skip`, meet a[0..10 - j] in the columns from j on. With `skip` rows left out the columns below `skip` stay empty.
    #[inline(always)]
    pub(super) fn low_triangle<const N: usize>(
        &mut self,
        unit: U,
        b: &[impl Place],
        a: &[impl Place],
        end: usize,
        skip: usize,
    ) {
        unroll!(J, {
            if const { has_low(N, J) } && J >= skip {
                let (b, a) = (unit.get(&b[end + J - WIDTH]), &a[..WIDTH - J]);
                unroll!(V, {
                    if V + J < WIDTH {
                        self.madd(unit, V + J, true, true, unit.get(&a[V]), b);
                    }
                });
            }
        });
    }

    /// The triangle at the high end, of the block from column n + k on, n = a.len(): rows k + j of b, j below `count`, meet
    /// the last j + 1 limbs of a in the columns up to j.
    #[inline(always)]
    pub(super) fn high_triangle<const N: usize>(
        &mut self,
        unit: U,
        b: &[impl Place],
        a: &[impl Place],
        k: usize,
        count: usize,
    ) {
        // The lower half of the columns comes first: their carries propagate while the others are still summed.
        unroll!(J, {
            if const { has_high(N, J) } && J < count {
                let (b, a) = (unit.get(&b[k + J]), &a[a.len() - 1 - J..]);
                self.hi[0] = unit.madd_high(self.hi[0], unit.get(&a[0]), b);
                unroll!(V in [0 1 2 3 4], {
                    if V < J {
                        self.lo[V] = unit.madd_low(self.lo[V], unit.get(&a[V + 1]), b);
                        if V < 4 {
                            self.hi[V + 1] = unit.madd_high(self.hi[V + 1], unit.get(&a[V + 1]), b);
                        }
                    }
                });
            }
        });
        unroll!(J in [5 6 7 8 9], {
            if const { has_high(N, J) } && J < count {
                let (b, a) = (unit.get(&b[k + J]), &a[a.len() - 1 - J..]);
                self.hi[5] = unit.madd_high(self.hi[5], unit.get(&a[5]), b);
                unroll!(V in [5 6 7 8], {
                    if V < J {
                        self.madd(unit, V, true, true, unit.get(&a[V + 1]), b);
                    }
                });
            }
        });
    }

    /// Adds the sums of both halves and doubles them; the high halves start again at `bias`.
    #[inline(always)]
    pub(super) fn double(&mut self, unit: U, bias: U::Vector) {
        unroll!(C, {
            let sum = unit.add(self.lo[C], self.hi[C]);
            self.lo[C] = unit.add(sum, sum);
            self.hi[C] = bias;
        });
    }

    /// Stores the first `count` columns as limbs, of which only the low 52 bits are significant, and returns the carry.
    #[inline(always)]
    pub(super) fn finish<const N: usize>(
        &self,
        unit: U,
        mut carry: U::Vector,
        out: &[Cell<Lanes>],
        count: usize,
    ) -> U::Vector {
        unroll!(C, {
            if const { has_high(N, C) } && C < count {
                let sum = unit.add(unit.add(self.lo[C], self.hi[C]), carry);
                carry = unit.carry(sum);
                unit.set(&out[C], sum);
            }
        });
        carry
    }
}
