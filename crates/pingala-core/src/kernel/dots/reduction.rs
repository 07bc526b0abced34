//! Montgomery's reduction by two half products, without a chain of carries.
//!
//! B = 2^13, R = B^n. Digits have signs, and a digit is at most D = 2^12 + 33 in size.
//!
//! 1. *Carries.* Twice each column keeps its remainder by B and gives its quotient to the next one. The highest one gives it to none: numbers
//!    are right modulo R.
//! 2. *Reduction.* q = (T mod R) m' mod R, m' = m^-1 mod R, from the lowest n columns, and the result (T - q m) / R. Its columns below n make a
//!    multiple c R. The three highest of them say which: those below are less than n D^2 B^(n-4) 1.01 < 2^-16 R.
//! 3. *Range.* |q| <= D (R - 1) / (B - 1) < 0.505 R. For |T| <= 4 m^2 and R >= 16 m the result is less than (4/16 + 0.505) m in size: a residue,
//!    |r| < m. The number of its digits is at most 0.505 R in size and right modulo R, so it is r.
//!
//! Lemmas: Dots.digit_of_two_passes, Dots.difference_without_pass, Dots.difference_with_pass, Dots.number_of_digits, Dots.quotient_below_half,
//! Dots.reduced_is_residue, Dots.left_is_residue, Dots.digits_are_the_result, Dots.multiple_of_r, Dots.multiple_is_small (proofs/README.md).

#![allow(unsafe_code)]

use super::product::{DotColumns, MOST_PRODUCTS, REMAINDER, ROUND, SHIFT, TILE, clear_edges, lanes, spread};
use super::shape::{RADIX_BITS, TURN};
use super::unit::{DotUnit, LANES};

/// Columns below R that are computed of q m.
const BELOW: usize = TURN;

/// Digits of factors whose columns are so small that the difference of two fits in a lane.
const MOST_WITHOUT_PASS: usize = MOST_PRODUCTS / 2;

/// What two passes carry: the quotients of the vector below, of both passes.
///
/// The columns are below 2^31 - 2^13 in size. After the first pass they are at most 2^12 + 2^18 in size, so that the second carries at most 33, and what
/// it leaves is at most D.
#[derive(Clone, Copy)]
struct DotCarries<V>([V; 2]);

impl<V: Copy> DotCarries<V> {
    #[inline(always)]
    fn new<U: DotUnit<Vector = V>>(unit: U) -> Self {
        Self([unit.splat(0); 2])
    }

    /// One pass: columns with 2^12 added become columns with 2^12 added.
    #[inline(always)]
    fn pass<U: DotUnit<Vector = V>>(&mut self, unit: U, index: usize, rounded: V) -> V {
        let quotient = unit.shift_right::<SHIFT>(rounded);
        let kept = unit.and(rounded, unit.splat(REMAINDER));
        let sum = unit.add(kept, unit.up(quotient, self.0[index]));
        self.0[index] = quotient;
        sum
    }

    /// The digits of columns with 2^12 added.
    #[inline(always)]
    fn digits<U: DotUnit<Vector = V>>(&mut self, unit: U, rounded: V) -> V {
        let once = self.pass(unit, 0, rounded);
        let twice = self.pass(unit, 1, once);
        unit.sub(twice, unit.splat(ROUND))
    }
}

/// What is computed. Places are of residues, n digits each.
#[derive(Clone, Copy, Debug)]
pub(super) enum DotTask {
    Product([*const i16; 2]),
    /// a^(2^count).
    Squarings(*const i16, usize),
    /// a R^-1.
    Leave(*const i16),
}

/// A computation of the ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct DotWork {
    pub(super) n: usize,
    /// The lanes of m and of m'.
    pub(super) m: *const i32,
    pub(super) m_inverse: *const i32,
    pub(super) task: DotTask,
    pub(super) out: *mut i16,
    /// [`room_lanes`] lanes.
    pub(super) room: *mut i32,
}

/// Lanes of 32 bits that a computation needs: the columns of T, those of q and of q m, digits of T and q, lanes of a factor.
pub(super) const fn room_lanes(n: usize) -> usize {
    2 * n + (n + BELOW + TILE).next_multiple_of(TILE) + n + lanes(n)
}

impl DotWork {
    /// Computes.
    ///
    /// # Safety
    /// Its places can be read and written.
    #[inline(always)]
    pub(super) unsafe fn run<U: DotUnit>(&self, unit: U) {
        let n = self.n;
        let t = self.room;
        let b = t.wrapping_add(3 * n + (n + BELOW + TILE).next_multiple_of(TILE));
        // SAFETY: the caller's promise.
        unsafe {
            clear_edges(unit, b, n);
            let mut columns = DotColumns { n, a: self.out, b, out: t, from: 0, to: 2 * n };
            let mut squarings = 0;
            match self.task {
                DotTask::Product([a, other]) => {
                    columns.a = a;
                    spread(unit, b, other, n);
                    columns.compute(unit, false);
                }
                DotTask::Squarings(a, count) => {
                    columns.a = a;
                    squarings = count;
                }
                DotTask::Leave(a) => {
                    for index in 0..n {
                        t.add(index).write(i32::from(a.add(index).read()));
                        t.add(n + index).write(0);
                    }
                }
            }
            loop {
                if squarings > 0 {
                    spread(unit, b, columns.a, n);
                    columns.compute(unit, true);
                    columns.a = self.out;
                }
                self.reduce(unit);
                if squarings <= 1 {
                    break;
                }
                squarings -= 1;
            }
        }
    }

    /// Reduces the columns in the room.
    ///
    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn reduce<U: DotUnit>(&self, unit: U) {
        let n = self.n;
        // SAFETY: the caller's promise.
        unsafe {
            let t = self.room;
            let u = t.add(2 * n);
            let low = u.add((n + BELOW + TILE).next_multiple_of(TILE)).cast::<i16>();
            let q = low.add(n);
            let (zero, round) = (unit.splat(0), unit.splat(ROUND));
            // The digits of T below R; what they carry is added to the columns above. Where columns may be large, one pass makes those above R small, so
            // that the difference fits in a lane.
            let mut carries = DotCarries::new(unit);
            digits(unit, &mut carries, low, t, n);
            let mut carried = unit.up(zero, carries.0[1]);
            let mut rounding = round;
            if n > MOST_WITHOUT_PASS {
                for at in (n..2 * n).step_by(LANES) {
                    let rounded = unit.add(unit.load(t.add(at)), round);
                    unit.store(t.add(at), unit.add(carries.pass(unit, 0, rounded), carried));
                    carried = zero;
                }
                rounding = zero;
            } else {
                carried = unit.add(carried, unit.add(round, unit.up(zero, carries.0[0])));
            }
            DotColumns { n, a: low, b: self.m_inverse, out: u, from: 0, to: n }.compute(unit, false);
            digits(unit, &mut DotCarries::new(unit), q, u, n);
            DotColumns { n, a: q, b: self.m, out: u, from: n - BELOW, to: 2 * n }.compute(unit, false);
            // c B^3 from the three highest columns below R, each less than 2^31 + D in size: less than 2^58.
            let column = |depth: usize| i64::from(low.add(n - depth).read()) - i64::from(u.add(BELOW - depth).read());
            let top = (column(1) << (2 * RADIX_BITS)) + (column(2) << RADIX_BITS) + column(3);
            let c = (top + (1 << (3 * RADIX_BITS - 1))) >> (3 * RADIX_BITS);
            debug_assert!((top - (c << (3 * RADIX_BITS))).unsigned_abs() < 1 << (3 * RADIX_BITS - 10));
            let mut carried = unit.add(carried, unit.up(zero, unit.splat(c as i32)));
            let mut carries = DotCarries::new(unit);
            for at in (0..n).step_by(2 * LANES) {
                let mut two = [unit.splat(0); 2];
                for (k, two) in two.iter_mut().enumerate() {
                    let at = at + LANES * k;
                    // T above R has 2^12 added by its pass, if there was one.
                    let rounded = unit.sub(unit.load(t.add(n + at)), unit.load(u.add(BELOW + at)));
                    *two = carries.digits(unit, unit.add(rounded, carried));
                    carried = rounding;
                }
                unit.narrow(self.out.add(at), two[0], two[1]);
            }
        }
    }
}

/// Writes the digits of n columns.
#[inline(always)]
unsafe fn digits<U: DotUnit>(
    unit: U,
    carries: &mut DotCarries<U::Vector>,
    out: *mut i16,
    columns: *const i32,
    n: usize,
) {
    let round = unit.splat(ROUND);
    for at in (0..n).step_by(2 * LANES) {
        // SAFETY: the caller's promise; n is a multiple of eight.
        unsafe {
            let mut two = [round; 2];
            for (k, two) in two.iter_mut().enumerate() {
                *two = carries.digits(unit, unit.add(unit.load(columns.add(at + LANES * k)), round));
            }
            unit.narrow(out.add(at), two[0], two[1]);
        }
    }
}
