//! Products and squares as columns of sums of two products of digits.
//!
//! Digits have signs, and a digit is at most D = 2^12 + 33 in size, see [`super::reduction`]. Pairs of digits (a_2p, a_2p+1) meet lanes (b_k, b_k-1): their
//! dot belongs to column 2p + k. A column of at most [`MOST_PRODUCTS`] products is below 112 D^2 < 2^31 - 2^27; one that has more is carried on the way,
//! and what it carries, below 2^18 each time, is added one column higher.
//!
//! Lemmas: Dots.rows_of_product, Dots.column_of_square, Dots.column_of_carried_square, Dots.column_with_carried, Dots.short_needs_no_carries
//! (proofs/README.md).
//!
//! Count of dots of four lanes, for n a multiple of 16: n^2 / 8 + n / 2 of a product, n^2 / 16 + 7 n / 4 of a square, n^2 / 8 + 3 n / 2 of a reduction.

#![allow(unsafe_code)]

use super::shape::{RADIX_BITS, TURN};
use super::unit::{DotUnit, LANES};

/// Columns of a tile, whose sums are in four vectors.
pub(super) const TILE: usize = 4 * LANES;

/// Products that a column may have between carries.
pub(super) const MOST_PRODUCTS: usize = 112;

/// Products that rows add between carries, besides the 16 of an edge.
const MOST_ROWS: usize = MOST_PRODUCTS - TILE;

/// Products of a half of a square that may be doubled, and the 16 of its middle be added, without carries.
const MOST_DOUBLED: usize = (MOST_PRODUCTS - TILE) / 2 / TURN * TURN;

/// Digits of factors of which no column is carried on the way.
const SHORT: usize = 2 * MOST_DOUBLED;

/// Lanes of zeros below and above those of a number: turns read two below lane 0 and seven above lane n, and their pointers start up to 14 below lane 0.
const EDGE: usize = 24;

pub(super) const SHIFT: u32 = RADIX_BITS as u32;
pub(super) const ROUND: i32 = 1 << (RADIX_BITS - 1);
pub(super) const REMAINDER: i32 = (1 << RADIX_BITS) - 1;

/// Lanes that a number of n digits takes, with zeros around.
pub(super) const fn lanes(n: usize) -> usize {
    n + 2 * EDGE
}

/// Writes the zeros around a number of n digits.
///
/// # Safety
/// [`lanes`] of it can be written.
#[inline(always)]
pub(super) unsafe fn clear_edges<U: DotUnit>(unit: U, to: *mut i32, n: usize) {
    for at in (0..EDGE).step_by(LANES) {
        // SAFETY: the caller's promise.
        unsafe {
            unit.store(to.add(at), unit.splat(0));
            unit.store(to.add(EDGE + n + at), unit.splat(0));
        }
    }
}

/// Writes the lanes of a number of n digits between its edges.
///
/// # Safety
/// [`lanes`] of it can be written, and the digits be read.
#[inline(always)]
pub(super) unsafe fn spread<U: DotUnit>(unit: U, to: *mut i32, digits: *const i16, n: usize) {
    // SAFETY: the caller's promise; n is a multiple of eight.
    unsafe {
        let to = to.add(EDGE);
        let mut before = 0;
        for at in (0..n).step_by(TURN) {
            unit.neighbours(to.add(at), digits.add(at), before);
            before = digits.add(at + TURN - 1).read();
        }
        to.add(n).write(i32::from(before) << 16);
    }
}

/// Some columns of a product of numbers of n digits, those from `from` to `to` and up to 15 more.
#[derive(Clone, Copy, Debug)]
pub(super) struct DotColumns {
    pub(super) n: usize,
    /// Digits.
    pub(super) a: *const i16,
    /// The lanes of the other factor.
    pub(super) b: *const i32,
    pub(super) out: *mut i32,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The sums of a tile.
type DotSums<V> = [V; 4];

/// Which dots of a turn are computed: all.
const WHOLE: u8 = 0;
/// The first digit meets lane n, the highest one that is not zero, in the lowest column.
const TOP: u8 = 1;
/// The first digit meets lane 0 in the lowest column.
const BOTTOM: u8 = 2;
/// The first digit meets some lane h in the lowest column. The lanes below h, and in lane h the digit below h, count as zero.
const DIAGONAL: u8 = 3;

/// The lowest vector of lanes of [`DIAGONAL`] without what counts as zero: from 2 on that of even pairs, from 0 on that of odd ones.
static KEPT: [i32; LANES + 2] = [0, 0, 0xffff, -1, -1, -1];

/// Adds every second pair of 4 P digits times lanes: `b` is 4 (P - 1) lanes below that of the first pair. All lanes of a turn are at multiples of a
/// vector from there, so that each is loaded once. `kept` is a vector for [`DIAGONAL`].
#[expect(clippy::needless_range_loop, reason = "vectors stay in registers")]
#[inline(always)]
unsafe fn turn<U: DotUnit, const P: usize, const WHICH: u8>(
    unit: U,
    s: &mut DotSums<U::Vector>,
    a: *const i16,
    b: *const i32,
    kept: *const i32,
) {
    // SAFETY: the caller's promise: 4 P digits, 4 (P + 3) lanes.
    unsafe {
        let mut x = [unit.splat(0); P];
        for i in 0..P {
            x[i] = unit.pair(a.add(4 * i));
        }
        let vectors = match WHICH {
            WHOLE => 0..P + 3,
            TOP => 0..P,
            _ => P - 1..P + 3,
        };
        for j in vectors {
            let mut lanes = unit.load(b.add(LANES * j));
            if WHICH == DIAGONAL && j == P - 1 {
                lanes = unit.and(lanes, unit.load(kept));
            }
            for i in 0..P {
                if j + i + 1 >= P && j + i + 1 < P + 4 {
                    let k = j + i + 1 - P;
                    s[k] = unit.add(s[k], unit.dot(x[i], lanes));
                }
            }
        }
    }
}

/// Adds `count` digits, a multiple of eight, times lanes; `b` is the lane of the first digit. First the pairs at multiples of four digits, then the
/// others: with both at once V8 has too few registers, and a product takes a twelfth longer (docs/records/wasm.md).
///
/// No pointer lies above what is read, and both change in loops only: a pointer that the compiler knows as another one less a constant costs an
/// instruction at each load.
#[inline(always)]
unsafe fn turns<U: DotUnit>(unit: U, s: &mut DotSums<U::Vector>, a: *const i16, b: *const i32, count: usize) {
    let (mut a, mut b, mut pairs) = (a, b.wrapping_sub(3 * LANES), 0);
    while pairs < 2 {
        // SAFETY: the caller's promise.
        unsafe {
            let (mut a, mut b, mut rest) = (a, b, count);
            while rest >= 2 * TURN {
                turn::<U, 4, WHOLE>(unit, s, a, b, KEPT.as_ptr());
                (a, b, rest) = (a.wrapping_add(2 * TURN), b.wrapping_sub(2 * TURN), rest - 2 * TURN);
            }
            if rest > 0 {
                turn::<U, 2, WHOLE>(unit, s, a, b.add(2 * LANES), KEPT.as_ptr());
            }
        }
        (a, b, pairs) = (a.wrapping_add(2), b.wrapping_sub(2), pairs + 1);
    }
}

/// Adds the first 16 of `count` digits, or all of eight, as [`turns`] does, at an edge of the lanes.
#[inline(always)]
unsafe fn edge<U: DotUnit, const WHICH: u8>(
    unit: U,
    s: &mut DotSums<U::Vector>,
    a: *const i16,
    b: *const i32,
    count: usize,
) {
    let (mut a, mut b, mut pairs) = (a, b.wrapping_sub(3 * LANES), 0);
    let mut kept = KEPT.as_ptr().wrapping_add(2);
    while pairs < 2 {
        // SAFETY: the caller's promise.
        unsafe {
            if count >= 2 * TURN {
                turn::<U, 4, WHICH>(unit, s, a, b, kept);
            } else {
                turn::<U, 2, WHICH>(unit, s, a, b.add(2 * LANES), kept);
            }
        }
        (a, b, kept, pairs) = (a.wrapping_add(2), b.wrapping_sub(2), kept.wrapping_sub(2), pairs + 1);
    }
}

/// Leaves the remainders of the sums and adds the quotients to `carried`.
#[inline(always)]
fn carry_sums<U: DotUnit>(unit: U, s: &mut DotSums<U::Vector>, carried: &mut DotSums<U::Vector>) {
    let (round, remainder) = (unit.splat(ROUND), unit.splat(REMAINDER));
    for k in 0..4 {
        let rounded = unit.add(s[k], round);
        carried[k] = unit.add(carried[k], unit.shift_right::<SHIFT>(rounded));
        s[k] = unit.sub(unit.and(rounded, remainder), round);
    }
}

impl DotColumns {
    /// The columns of a product, or of the square of `a`, by the text for these factors.
    ///
    /// In short ones no column is carried on the way: a product of rows of at most 96 digits, a square of halves of 48. Without that loop products modulo
    /// 512 and 1024 bits take an eighth less time in V8.
    ///
    /// # Safety
    /// As for [`DotColumns::product`].
    #[inline(always)]
    pub(super) unsafe fn compute<U: DotUnit>(&self, unit: U, square: bool) {
        // SAFETY: the caller's promise.
        unsafe {
            match (square, self.n <= SHORT) {
                (false, true) => unit.product::<false>(self),
                (false, false) => unit.product::<true>(self),
                (true, true) => unit.square::<false>(self),
                (true, false) => unit.square::<true>(self),
            }
        }
    }

    /// Adds the digits from `at` to `last`, multiples of eight, times lanes, and carries where there are many; `b` is the lane that the digit 0 meets in
    /// the lowest column.
    #[inline(always)]
    unsafe fn rows<U: DotUnit, const LONG: bool>(
        &self,
        unit: U,
        s: &mut DotSums<U::Vector>,
        carried: &mut DotSums<U::Vector>,
        b: *const i32,
        [mut at, last]: [usize; 2],
    ) {
        loop {
            let stop = if LONG { last.min(at + MOST_ROWS) } else { last };
            // SAFETY: the caller's promise.
            unsafe { turns(unit, s, self.a.wrapping_add(at), b.wrapping_sub(at), stop - at) };
            if !LONG || stop >= last {
                break;
            }
            carry_sums(unit, s, carried);
            at = stop;
        }
    }

    /// Writes the columns of a tile with what is carried from those below, and returns what it carries.
    #[expect(clippy::needless_range_loop, reason = "vectors stay in registers")]
    #[inline(always)]
    unsafe fn finish<U: DotUnit>(
        &self,
        unit: U,
        t: usize,
        mut s: DotSums<U::Vector>,
        carried: DotSums<U::Vector>,
        below: U::Vector,
        carries: bool,
    ) -> U::Vector {
        s[0] = unit.add(s[0], unit.up(carried[0], below));
        if carries {
            for k in 1..4 {
                s[k] = unit.add(s[k], unit.up(carried[k], carried[k - 1]));
            }
        }
        // SAFETY: the caller's promise.
        unsafe {
            let out = self.out.add(t - self.from);
            for k in 0..4 {
                unit.store(out.add(LANES * k), s[k]);
            }
        }
        carried[3]
    }

    /// Computes the columns; `LONG` unless no column is carried on the way.
    ///
    /// Lanes reach from 0 to n: column t has digits from t - n to t, and the 16 columns of a tile have an edge of 16 digits at which a part of the dots
    /// is zero.
    ///
    /// # Safety
    /// The factors can be read, and 15 columns more than asked for can be written. `from` is a multiple of eight.
    #[inline(always)]
    pub(super) unsafe fn product<U: DotUnit, const LONG: bool>(&self, unit: U) {
        let zero = unit.splat(0);
        let (mut t, mut below) = (self.from, zero);
        while t < self.to {
            let (mut s, mut carried) = ([zero; 4], [zero; 4]);
            let b = self.b.wrapping_add(EDGE + t);
            // SAFETY: the caller's promise.
            unsafe {
                let range = if t < self.n {
                    edge::<U, BOTTOM>(unit, &mut s, self.a.add(t), b.wrapping_sub(t), self.n - t);
                    [0, t]
                } else {
                    let first = t - self.n;
                    edge::<U, TOP>(unit, &mut s, self.a.add(first), b.wrapping_sub(first), self.n - first);
                    [self.n.min(first + TILE), self.n]
                };
                self.rows::<U, LONG>(unit, &mut s, &mut carried, b, range);
                let carries = LONG && range[1] > range[0] + MOST_ROWS;
                below = self.finish(unit, t, s, carried, below, carries);
            }
            t += TILE;
        }
    }

    /// Computes the columns of the square of `a`, whose lanes are `b`: from 0 to 2n; `LONG` as above.
    ///
    /// With h = t / 2 for the first column t of a tile, the products of digits below h with others stand twice in these columns, and those that are
    /// left are of digits from h to h + 15 and lanes from h on, lane h without the digit below h.
    ///
    /// # Safety
    /// As for [`DotColumns::product`].
    #[inline(always)]
    pub(super) unsafe fn square<U: DotUnit, const LONG: bool>(&self, unit: U) {
        let zero = unit.splat(0);
        let (mut t, mut below) = (0, zero);
        while t < 2 * self.n {
            let (mut s, mut carried) = ([zero; 4], [zero; 4]);
            let half = t / 2;
            let mut first = t.saturating_sub(self.n);
            let carries = LONG && half - first > MOST_DOUBLED;
            let b = self.b.wrapping_add(EDGE + t);
            // SAFETY: the caller's promise.
            unsafe {
                if t >= self.n {
                    edge::<U, TOP>(unit, &mut s, self.a.add(first), b.wrapping_sub(first), half - first);
                    first = half.min(first + TILE);
                }
                self.rows::<U, LONG>(unit, &mut s, &mut carried, b, [first, half]);
                if carries {
                    carry_sums(unit, &mut s, &mut carried);
                }
                for k in 0..4 {
                    s[k] = unit.add(s[k], s[k]);
                    carried[k] = unit.add(carried[k], carried[k]);
                }
                edge::<U, DIAGONAL>(unit, &mut s, self.a.add(half), b.wrapping_sub(half), self.n - half);
                below = self.finish(unit, t, s, carried, below, carries);
            }
            t += TILE;
        }
    }
}
