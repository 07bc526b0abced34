//! One level of Karatsuba for long residues: the product in columns in memory, then reduced as others are.
//!
//! With a = a0 + a1 b^h, L = a0 b0, H = a1 b1 and D = |a0 - a1| |b0 - b1|: a b = L + (L + H -+ D) b^h + H b^2h, columns and all.
//! The upper halves are one limb shorter where n is odd; then their copies have a zero on top.
//!
//! **Bound.** Columns of L, H and D are at most 2h (b - 1), those of the middle between -2h (b - 1) and 8h b. To make them positive
//! each is lent 2h b by the column above, which loses 2h: they are below 10h b then, and the reduction adds less than
//! (2n + 4) b: below 2^64 = 4096 b as long as 7n + 9 <= 4096: [`MAX_LIMBS`].
#![allow(clippy::absurd_extreme_comparisons, reason = "the copies of an unrolled block compare constants")]

use super::columns::{Columns, WIDTH, unroll};
use super::product::{ColumnSource, Reduction, Square, TwoFactors};
use crate::kernel::vector::{Lanes, Task, VectorUnit};
use core::cell::Cell;

/// The longest residues, in limbs, that the bound of the columns allows.
pub(super) const MAX_LIMBS: usize = 583;

/// Vectors of scratch in addition to those of the quotient.
pub(super) const fn scratch_vectors(n: usize) -> usize {
    10 * n.div_ceil(2)
}

/// Runs of h vectors in the scratch.
#[derive(Clone, Copy)]
struct Rooms<'a> {
    h: usize,
    /// Columns of the product, 4h.
    t: &'a [Cell<Lanes>],
    /// Columns of D, 2h.
    d: &'a [Cell<Lanes>],
    /// |a0 - a1|, |b0 - b1|, a1 and b1.
    differences: [&'a [Cell<Lanes>]; 2],
    uppers: [&'a [Cell<Lanes>]; 2],
}

impl<'a> Rooms<'a> {
    fn new(n: usize, scratch: &'a [Cell<Lanes>]) -> Self {
        let h = n.div_ceil(2);
        let (t, rest) = scratch.split_at(4 * h);
        let (d, rest) = rest.split_at(2 * h);
        let room = |index: usize| &rest[index * h..(index + 1) * h];
        Self { h, t, d, differences: [room(0), room(1)], uppers: [room(2), room(3)] }
    }

    /// Copies the upper half of factor number `which` and computes |lower - upper|; all ones in the lanes where lower < upper.
    ///
    /// Both differences are computed at once, one of them in D's memory, so that nothing waits for the last borrow.
    #[inline(always)]
    fn split<U: VectorUnit>(&self, unit: U, which: usize, a: &[Cell<Lanes>]) -> U::Vector {
        let (low, high) = a.split_at(self.h);
        let (upper, difference, other) = (self.uppers[which], self.differences[which], &self.d[..self.h]);
        let (mask, zero) = (unit.splat((1 << 52) - 1), unit.splat(0));
        let (mut borrow, mut other_borrow) = (zero, zero);
        for (index, low) in low.iter().enumerate() {
            let low = unit.and(unit.load(low), mask);
            let high = high.get(index).map_or(zero, |high| unit.and(unit.load(high), mask));
            let rest = unit.add(unit.sub(low, high), borrow);
            let other_rest = unit.add(unit.sub(high, low), other_borrow);
            (borrow, other_borrow) = (unit.signed_carry(rest), unit.signed_carry(other_rest));
            unit.store(&upper[index], high);
            unit.store(&difference[index], unit.and(rest, mask));
            unit.store(&other[index], unit.and(other_rest, mask));
        }
        for (difference, other) in difference.iter().zip(other) {
            unit.store(difference, unit.select(borrow, unit.load(other), unit.load(difference)));
        }
        borrow
    }

    /// Computes T from L, H and D. D is added in the lanes where `negative` is all ones, and subtracted in the others.
    #[inline(always)]
    fn combine<U: VectorUnit>(&self, unit: U, negative: U::Vector) {
        let (h, t, d, zero) = (self.h, self.t, self.d, unit.splat(0));
        let signed = |d: &Cell<Lanes>| {
            let d = unit.load(d);
            unit.select(negative, d, unit.sub(zero, d))
        };
        let (low, high) = t.split_at(2 * h);
        let ((l0, l1), (h0, h1), (d0, d1)) = (low.split_at(h), high.split_at(h), d.split_at(h));
        for index in 0..h {
            let both = unit.add(unit.load(&l1[index]), unit.load(&h0[index]));
            let first = unit.add(both, unit.add(unit.load(&l0[index]), signed(&d0[index])));
            let second = unit.add(both, unit.add(unit.load(&h1[index]), signed(&d1[index])));
            unit.store(&l1[index], first);
            unit.store(&h0[index], second);
        }
    }
}

/// Stores all columns of a product of h limbs.
#[inline(always)]
fn columns<U: VectorUnit>(unit: U, source: &impl ColumnSource, h: usize, t: &[Cell<Lanes>]) {
    let (mut end, mut skip) = ((h - 1) % WIDTH + 1, WIDTH - 1 - (h - 1) % WIDTH);
    while end <= h {
        let columns = source.low::<U, 0>(unit, end, skip, unit.splat(0));
        unroll!(C, {
            if C >= skip {
                unit.store(&t[end + C - WIDTH], unit.add(columns.lo[C], columns.hi[C]));
            }
        });
        skip = 0;
        end += WIDTH;
    }
    let mut k = 0;
    while k < h {
        let columns = source.high::<U, 0>(unit, k);
        let t = &t[h + k..];
        unroll!(C, {
            if C < h - k {
                unit.store(&t[C], unit.add(columns.lo[C], columns.hi[C]));
            }
        });
        k += WIDTH;
    }
}

/// Columns in memory, each made positive by a loan from the next one; the lowest column lends nothing.
struct StoredColumns<'a> {
    n: usize,
    t: &'a [Cell<Lanes>],
}

impl StoredColumns<'_> {
    /// The amount that a column is lent: 2h times a factor.
    fn lent(&self, factor: u64) -> u64 {
        self.t.len() as u64 / 2 * factor
    }
}

impl ColumnSource for StoredColumns<'_> {
    #[inline(always)]
    fn low<U: VectorUnit, const N: usize>(&self, unit: U, end: usize, skip: usize, bias: U::Vector) -> Columns<U> {
        let lent = unit.splat(self.lent((1 << 52) - 1));
        let mut columns = Columns::new(unit, bias);
        unroll!(C, {
            if C >= skip {
                columns.lo[C] = unit.add(unit.load(&self.t[end + C - WIDTH]), lent);
            }
        });
        if end <= WIDTH {
            // Column 0 is the first of this block that exists.
            unroll!(C, {
                if C == skip {
                    columns.lo[C] = unit.add(columns.lo[C], unit.splat(self.lent(1)));
                }
            });
        }
        columns
    }

    #[inline(always)]
    fn high<U: VectorUnit, const N: usize>(&self, unit: U, k: usize) -> Columns<U> {
        let lent = unit.splat(self.lent((1 << 52) - 1));
        let mut columns = Columns::new(unit, unit.splat(0));
        let t = &self.t[self.n + k..2 * self.n];
        unroll!(C, {
            if C < t.len() {
                columns.lo[C] = unit.add(unit.load(&t[C]), lent);
            }
        });
        columns
    }
}

/// `out = t / R` for columns t in memory; `out` does not overlap them.
#[derive(Clone, Copy)]
pub(super) struct Redc<'a> {
    pub(super) reduction: Reduction<'a>,
    pub(super) out: &'a [Cell<Lanes>],
    /// 2n columns; what is behind them is not read.
    pub(super) t: &'a [Cell<Lanes>],
}

impl Task for Redc<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        self.reduction.reduce::<U, 0>(unit, &StoredColumns { n: self.out.len(), t: self.t }, self.out);
    }
}

/// Where [`HalvedColumns`] leaves the columns of a product of numbers of n limbs.
pub(super) fn columns_of_product(n: usize, scratch: &[Cell<Lanes>]) -> &[Cell<Lanes>] {
    Rooms::new(n, scratch).t
}

/// The columns of `a * b`, without b those of `a^2`, for [`Redc`].
#[derive(Clone, Copy)]
pub(super) struct HalvedColumns<'a> {
    pub(super) a: &'a [Cell<Lanes>],
    pub(super) b: Option<&'a [Cell<Lanes>]>,
    pub(super) scratch: &'a [Cell<Lanes>],
}

impl Task for HalvedColumns<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let Self { a, b, scratch } = self;
        let rooms = Rooms::new(a.len(), scratch);
        let h = rooms.h;
        let [differences, uppers] = [rooms.differences, rooms.uppers];
        let mut negative = rooms.split(unit, 0, a);
        if let Some(b) = b {
            let b_negative = rooms.split(unit, 1, b);
            // Exclusive or: all ones where the signs differ.
            negative = unit.select(negative, unit.sub(unit.splat(u64::MAX), b_negative), b_negative);
        } else {
            negative = unit.splat(0);
        }
        let factors = [&a[..h], uppers[0], differences[0]];
        let others = b.map(|b| [&b[..h], uppers[1], differences[1]]);
        for (index, t) in [&rooms.t[..2 * h], &rooms.t[2 * h..], rooms.d].into_iter().enumerate() {
            let factor = factors[index];
            match others {
                Some(others) => columns(unit, &TwoFactors(factor, others[index]), h, t),
                None if h.is_multiple_of(2) => columns(unit, &Square::<false>(factor), h, t),
                None => columns(unit, &Square::<true>(factor), h, t),
            }
        }
        rooms.combine(unit, negative);
    }
}
