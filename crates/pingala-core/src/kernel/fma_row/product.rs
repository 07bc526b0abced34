//! Products of signed residues modulo m, in n digits of 52 bits: Q blocks of V vectors.
//!
//! T = a b = sum over c < 2n of T_c 2^(52c). The columns from n on become digits H_i, i < n, and are folded with rows of a table,
//! C_i = 2^(52(n+i)) mod m in digits, |C_i| <= m/2:
//!
//!   S = sum over c < n of T_c 2^(52c) + sum of H_i C_i - q 2^s m, q = about S / (2^s m).
//!
//! All rows of the fold are independent; only q waits for the others, and it is one row.
//!
//! **Bounds.** With z = 52n - bits spare bits: s is at least 8 for n <= 180, at least 9 for n <= 360, and z - 34; z >= s + 2. The low columns are not carried, |T_c| <
//! 1.3 n 2^52, and |H_i| <= 2^51 + 2^10. So before q, |S| < 1.31 n 2^(52n) + n (2^51 + 2^10) m/2, and as m >= 2^(52n-z-1),
//! |S| / (2^s m) < n (2.62 2^(z-s) + 2^(50-s) + 1) < 11760 2^36 < 2^49.6: a digit, and small enough to be rounded.
//! q is this but for
//! 1. less than 1 for being cut;
//! 2. five roundings of less than 2^-52 each (the column n, two sums, the ratio, the product): 5 11760 2^-16 < 0.9;
//! 3. the rounding of column n - 1, 2^11 of its units of at most 2^(z-s-51) 2^s m, and the columns below n - 2: less than 2^-5.
//!
//! So the result is |V| < 1.94 2^s m < 2^(s+1) m < 2^(52n-1), and n digits hold it. Then |a b| < 2^(2s+2) m^2 < 2^(104n - 2 (z-s-1)) <= 2^(104n-2), whose top
//! digit is below 2^51.
//!
//! **Squares** count each pair of digits once and double the columns with their biases; then the squares of the digits are added.
//!
//! **Order.** The lowest digits of H wait for the low half's highest column, but only in the lowest lane; so high blocks come before most low ones. If
//! there is one block, low columns come first, its top vector is folded first, and q is found while the others are folded; otherwise the whole
//! top block is.
//!
//! Lemmas: Fold.doubles_fold_congruent, Fold.doubles_result_fits, Fold.doubles_product_top, formal.fma_row_columns,
//! FmaQuotient.relative_rounding, FmaQuotient.whole_part, FmaQuotient.quotient_within, FmaQuotient.sum_of_shapes,
//! FmaQuotient.ratio_of_leading_bits, FmaQuotient.whole_of_code (proofs/README.md).

#![allow(unsafe_code)]

use super::shape::RowShape;
use super::unit::{
    BLOCK, BlockSums, CORNER, ColumnChain, DoubleRows, Fold, FourWords, HIGH_BIAS, HIGH_PRODUCT, HIGH_SQUARE, HIGHEST,
    LANES, LOW_BIAS, LOW_PRODUCT, LOW_SQUARE, MOST, REST, START_WORDS, TOP,
};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// The constants of a modulus.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowModulus {
    pub(super) shape: RowShape,
    /// C_i, block by block.
    pub(super) table: *const u64,
    /// The digits of -2^s m.
    pub(super) multiple: *const u64,
    /// The starts of products and of squares, [`START_WORDS`] for each vector.
    pub(super) starts: [*const u64; 2],
    /// 2^(52(n-1)) / (2^s m).
    pub(super) ratio: f64,
}

/// The starts of the sums of products, or of squares, which will be doubled.
pub(super) fn starts(shape: &RowShape, square: bool) -> Vec<u64> {
    let RowShape { vectors: v, blocks, digits: n, .. } = *shape;
    let minus = |count: usize, bias: u64| (count as u64).wrapping_mul(bias).wrapping_neg();
    let of_vector = |index: usize| {
        let (b, w) = (index / v, index % v);
        // Rows that meet the vector: of the factors, of the fold with that of q.
        let rows = match (square, b < blocks) {
            (true, true) => 2 * v * b + 2 * w + 2,
            (true, false) => n + 1 - 2 * v * b - 2 * w,
            (false, true) => 4 * v * b + 4 * w + 4,
            (false, false) => n - 4 * v * (b - blocks) - 4 * w - 1,
        };
        let fold = if b < blocks { n + 1 } else { 0 };
        if square {
            // A low half of a square in an even column, a high one in an odd one. The biases are even.
            let [even, odd] = [minus(fold + 1, LOW_BIAS / 2), minus(fold, LOW_BIAS / 2).wrapping_sub(HIGH_BIAS / 2)];
            let low = minus(rows, LOW_BIAS);
            let high = minus(rows, HIGH_BIAS);
            [low.wrapping_add(even), low.wrapping_add(odd), high, high]
        } else {
            let (low, high) = (minus(rows + fold, LOW_BIAS), minus(rows, HIGH_BIAS));
            [low, low, high, high]
        }
    };
    (0..2 * blocks * v).flat_map(of_vector).collect()
}

/// A computation, for residues with a vector of zeros on either side: places of their digits, the same or disjoint.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowTask {
    Product([*const u64; 2]),
    /// So many squarings.
    Squarings(*const u64, usize),
    /// A product by a digit below 2^48.
    Short(*const u64, f64),
}

/// A task with its constants and its memory.
#[derive(Debug)]
pub(super) struct RowWork {
    pub(super) constants: RowModulus,
    pub(super) task: RowTask,
    pub(super) out: *mut u64,
    /// [`ROOM_WORDS`] for each digit: the low columns; H; the columns of the squares of the digits.
    pub(super) room: *mut u64,
}

pub(super) const ROOM_WORDS: usize = 4;

impl RowWork {
    /// # Safety
    /// The places may be read, and `out` and `room` written.
    #[inline(always)]
    pub(super) unsafe fn run<U: DoubleRows>(&self, unit: U) {
        // SAFETY: the contract of [`RowWork::run`].
        unsafe {
            match self.constants.shape.vectors {
                3 => self.of_vectors::<U, 3>(unit),
                4 => self.of_vectors::<U, 4>(unit),
                _ => self.of_vectors::<U, 5>(unit),
            }
        }
    }

    #[inline(always)]
    unsafe fn of_vectors<U: DoubleRows, const V: usize>(&self, u: U) {
        let Self { constants: c, task, out, room } = self;
        let n = c.shape.digits;
        let (high, squares) = (room.wrapping_add(n), room.wrapping_add(2 * n));
        let blocks = Blocks::<U, V> { u, c, out: *out, low: *room, high, squares };
        // SAFETY: the contract of [`RowWork::run`].
        unsafe {
            match *task {
                RowTask::Product([a, b]) => blocks.product(a, b),
                RowTask::Short(a, small) => blocks.short(a, small),
                RowTask::Squarings(mut a, count) => {
                    for _ in 0..count {
                        blocks.square(a);
                        a = *out;
                    }
                }
            }
            out.sub(LANES).cast::<[u64; LANES]>().write([0; LANES]);
            out.add(n).cast::<[u64; LANES]>().write([0; LANES]);
        }
    }
}

/// One computation in blocks of V vectors.
struct Blocks<'a, U, const V: usize> {
    u: U,
    c: &'a RowModulus,
    out: *mut u64,
    low: *mut u64,
    high: *mut u64,
    squares: *mut u64,
}

impl<U: DoubleRows, const V: usize> Blocks<'_, U, V> {
    /// The digits of a block.
    const WIDTH: usize = LANES * V;

    /// A block of columns: the low ones first, then the high ones.
    #[inline(always)]
    unsafe fn rows<const KIND: u8>(
        &self,
        chain: &mut ColumnChain,
        block: usize,
        p: *const u64,
        x: *const u64,
        count: usize,
    ) {
        let (square, q) = (matches!(KIND, LOW_SQUARE | HIGH_SQUARE | CORNER), self.c.shape.blocks);
        let starts = self.c.starts[usize::from(square)].wrapping_add(START_WORDS * V * block);
        let squares = self.squares.wrapping_add(Self::WIDTH * block);
        let out = if block < q {
            self.low.wrapping_add(Self::WIDTH * block)
        } else {
            self.high.wrapping_add(Self::WIDTH * (block - q))
        };
        // SAFETY: the contract of [`RowWork::run`].
        unsafe { self.u.rows::<V, KIND>(chain, starts, p, x, count, squares, out) };
    }

    #[inline(always)]
    unsafe fn square(&self, a: *const u64) {
        let RowShape { blocks: q, digits: n, .. } = self.c.shape;
        let (mut of_high, mut of_low, mut lowest) =
            (MaybeUninit::uninit(), MaybeUninit::uninit(), MaybeUninit::uninit());
        let of_high = self.u.begin(&mut of_high);
        // SAFETY: the contract of [`RowWork::run`].
        unsafe {
            self.u.squares(self.squares, a, n);
            let low_block = |b: usize, chain: &mut ColumnChain| {
                self.rows::<LOW_SQUARE>(chain, b, a, a.add(Self::WIDTH * b), 2 * V * b);
            };
            if q == 1 {
                low_block(0, of_high);
                self.rows::<CORNER>(of_high, 1, a, a.add(n), 0);
                return self.fold(None);
            }
            let of_low = self.u.begin(&mut of_low);
            low_block(0, of_low);
            for b in 0..q {
                let (p, x) = (a.add(Self::WIDTH * b), a.add(n));
                if b < q - 1 {
                    self.rows::<HIGH_SQUARE>(of_high, q + b, p, x, n / 2 - 2 * V * b - Self::WIDTH);
                } else {
                    self.rows::<CORNER>(of_high, q + b, p, x, 0);
                }
                if b == 0 {
                    self.u.copy(&of_high.lowest, &mut lowest);
                }
            }
            for b in 1..q {
                low_block(b, of_low);
            }
            self.fold(Some((lowest.assume_init_ref(), of_low.high.0[0].wrapping_mul(2))));
        }
    }

    #[inline(always)]
    unsafe fn product(&self, a: *const u64, b: *const u64) {
        let RowShape { blocks: q, digits: n, .. } = self.c.shape;
        let (mut of_high, mut of_low, mut lowest) =
            (MaybeUninit::uninit(), MaybeUninit::uninit(), MaybeUninit::uninit());
        let of_high = self.u.begin(&mut of_high);
        // SAFETY: the contract of [`RowWork::run`].
        unsafe {
            if q == 1 {
                self.rows::<LOW_PRODUCT>(of_high, 0, a, b, LANES);
                self.rows::<HIGH_PRODUCT>(of_high, 1, a, b.add(n), 0);
                return self.fold(None);
            }
            let of_low = self.u.begin(&mut of_low);
            for block in 0..q {
                let at = Self::WIDTH * block;
                self.rows::<HIGH_PRODUCT>(of_high, q + block, a.add(at), b.add(n), n - at - Self::WIDTH);
                if block == 0 {
                    self.u.copy(&of_high.lowest, &mut lowest);
                }
            }
            for block in 0..q {
                let at = Self::WIDTH * block;
                self.rows::<LOW_PRODUCT>(of_low, block, a, b.add(at), at + LANES);
            }
            self.fold(Some((lowest.assume_init_ref(), of_low.high.0[0])));
        }
    }

    /// Folds H into the low columns, and stores the digits of the result. If high blocks came first, the lowest column of H, the first of these, lacks
    /// what the low half leaves; the carry out of its vector is right without.
    #[inline(always)]
    unsafe fn fold(&self, lowest: Option<(&FourWords, u64)>) {
        let Self { u, c, high, .. } = *self;
        let RowShape { blocks, digits: n, .. } = c.shape;
        let start = HIGH_BIAS.wrapping_mul(n as u64 + 1).wrapping_neg();
        let (mut sums, mut chain, mut quotient) = (MaybeUninit::<BlockSums>::uninit(), MaybeUninit::uninit(), 0);
        let (sums, chain) = (sums.as_mut_ptr(), u.begin(&mut chain));
        // SAFETY: the contract of [`RowWork::run`].
        unsafe {
            if let Some((lowest, lacking)) = lowest {
                u.lowest_digits(lowest, lacking, high);
            }
            let fold = |block: usize| {
                let at = Self::WIDTH * block;
                let rows = c.table.add(n * at);
                Fold {
                    low: self.low.add(at),
                    high: &raw const start,
                    rows,
                    multiple: c.multiple.add(at),
                    out: self.out.add(at),
                }
            };
            let highest = fold(blocks - 1);
            let (low, above) = (&raw const (*sums).low[V - 1], &raw const (*sums).high[V - 1]);
            if blocks == 1 {
                u.fold::<V, TOP>(sums, &highest, high, n, chain, &0);
                u.quotient(&*low, &*above, c.ratio, &mut quotient);
                return u.fold::<V, REST>(sums, &highest, high, n, chain, &quotient);
            }
            u.fold::<V, HIGHEST>(sums, &highest, high, n, chain, &0);
            u.quotient(&*low, &*above, c.ratio, &mut quotient);
            let mut others = MaybeUninit::uninit();
            (0..blocks - 1)
                .for_each(|block| u.fold::<V, BLOCK>(others.as_mut_ptr(), &fold(block), high, n, chain, &quotient));
            u.last::<V>(sums, &quotient, highest.multiple, chain, highest.out);
        }
    }

    /// |small a| < 2^48 2^(s+1) m, so that |q| < 2^49: one row and the quotient, whose bounds are as in a fold.
    #[inline(always)]
    unsafe fn short(&self, a: *const u64, small: f64) {
        let Self { u, c, .. } = *self;
        // That row, and the row of q.
        let start = |bias: u64| FourWords([bias.wrapping_mul(2).wrapping_neg(); LANES]);
        let start = BlockSums { low: [start(LOW_BIAS); MOST], high: [start(HIGH_BIAS); MOST] };
        // SAFETY: the contract of [`RowWork::run`].
        let sums = |block: usize| unsafe {
            let mut s = start;
            u.row::<V>(&mut s, &small.to_bits(), a.add(Self::WIDTH * block));
            s
        };
        let (highest, mut quotient, mut chain) = (c.shape.blocks - 1, 0, MaybeUninit::uninit());
        let chain = u.begin(&mut chain);
        let mut top = sums(highest);
        // SAFETY: the contract of [`RowWork::run`].
        let mut last = |s: &mut BlockSums, quotient: &u64, block: usize| unsafe {
            let at = Self::WIDTH * block;
            u.last::<V>(s, quotient, c.multiple.add(at), chain, self.out.add(at));
        };
        // SAFETY: the contract of [`RowWork::run`].
        unsafe { u.quotient(&top.low[V - 1], &top.high[V - 1], c.ratio, &mut quotient) };
        (0..highest).for_each(|block| last(&mut sums(block), &quotient, block));
        last(&mut top, &quotient, highest);
    }
}
