//! Products of signed residues modulo m, in n digits of 52 bits: Q blocks of V vectors.
//!
//! T = a b = sum over c < 2n of T_c 2^(52c). The columns from n on become digits H_i, i < n, and are folded with rows of a table,
//! C_i = 2^(52(n+i)) mod m in digits, |C_i| <= m/2:
//!
//!   S = sum over c < n of T_c 2^(52c) + sum of H_i C_i - q 2^s m, q = about S / (2^s m).
//!
//! All rows of the fold are independent; only q waits for the others, and it is one row.
//!
//! **Bounds.** With z = 52n - bits >= 10 spare bits, s = max(8, z - 40). Before q, |S| < 2^(52n+1) + n (2^51 + 2^10) m/2, so that
//! |q| < 2^(z+2-s) + n 2^(50.1-s) < 2^51 for n <= 480: a digit, and small enough to be rounded. Its error is below 1 for being cut, and below
//! 2^-52 4 |q| < 1 - 2^-9 for the roundings of its sum and products; the columns below n - 2 are 2^-40 of 2^s m. So the result is
//! |V| < 2^(s+1) m. Then |a b| < 2^(2s+2) m^2 < 2^(104n - 2 (z-s-1)) <= 2^(104n-2), whose top digit is below 2^51.
//!
//! **Squares** count each pair of digits once and double the columns with their biases; then the squares of the digits are added.
//!
//! **Order.** The lowest digits of H wait for the low half's highest column, but only in the lowest lane; so high blocks come before most low ones. If
//! there is one block, its top vector is folded first, and q is found while the others are folded; otherwise the whole top block is.

#![allow(unsafe_code)]

use super::shape::Shape;
use super::unit::{
    ALL, CORNER, Chain, Doubles, Four, HIGH_BIAS, HIGH_PRODUCT, HIGH_SQUARE, LANES, LOW_BIAS, LOW_PRODUCT, LOW_SQUARE,
    MOST, REST, START_WORDS, Sums, TOP,
};

/// The constants of a modulus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    pub(super) shape: Shape,
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
pub(super) fn starts(shape: &Shape, square: bool) -> Vec<u64> {
    let Shape { vectors: v, blocks, digits: n, .. } = *shape;
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
            let [even, odd] =
                [minus(fold + 1, LOW_BIAS / 2), minus(fold, LOW_BIAS / 2).wrapping_sub(HIGH_BIAS / 2)];
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
pub(super) enum Task {
    Product([*const u64; 2]),
    /// So many squarings.
    Squarings(*const u64, usize),
    /// A product by a digit below 2^48.
    Short(*const u64, f64),
}

/// A task with its constants and its memory.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) constants: Constants,
    pub(super) task: Task,
    pub(super) out: *mut u64,
    /// [`ROOM_WORDS`] for each digit: the low columns; H; the columns of the squares of the digits.
    pub(super) room: *mut u64,
}

pub(super) const ROOM_WORDS: usize = 4;

impl Work {
    /// # Safety
    /// The places may be read, and `out` and `room` written.
    #[inline(always)]
    pub(super) unsafe fn run<U: Doubles>(&self, unit: U) {
        unsafe {
            match self.constants.shape.vectors {
                3 => self.of_vectors::<U, 3>(unit),
                4 => self.of_vectors::<U, 4>(unit),
                _ => self.of_vectors::<U, 5>(unit),
            }
        }
    }

    #[inline(always)]
    unsafe fn of_vectors<U: Doubles, const V: usize>(&self, u: U) {
        let Self { constants: c, task, out, room } = self;
        let n = c.shape.digits;
        let (high, squares) = (room.wrapping_add(n), room.wrapping_add(2 * n));
        let blocks = Blocks::<U, V> { u, c, out: *out, low: *room, high, squares };
        unsafe {
            match *task {
                Task::Product([a, b]) => blocks.product(a, b),
                Task::Short(a, small) => blocks.short(a, small),
                Task::Squarings(mut a, count) => {
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
    c: &'a Constants,
    out: *mut u64,
    low: *mut u64,
    high: *mut u64,
    squares: *mut u64,
}

impl<U: Doubles, const V: usize> Blocks<'_, U, V> {
    /// The digits of a block.
    const WIDTH: usize = LANES * V;

    /// Adds rows to the starts of a block.
    #[inline(always)]
    unsafe fn rows<const KIND: u8>(&self, s: &mut Sums, block: usize, p: *const u64, x: *const u64, count: usize) {
        let starts = self.c.starts[usize::from(matches!(KIND, LOW_SQUARE | HIGH_SQUARE | CORNER))];
        unsafe { self.u.rows::<V, KIND>(s, starts.add(START_WORDS * V * block), p, x, count) };
    }

    #[inline(always)]
    unsafe fn square(&self, a: *const u64) {
        let Self { u, low, high, squares, .. } = *self;
        let Shape { blocks: q, digits: n, .. } = self.c.shape;
        let (mut s, mut of_low, mut of_high) = (Sums::default(), Chain::START, Chain::START);
        let mut pending = Four::default();
        unsafe {
            u.squares(squares, a, n);
            let low_block = |s: &mut Sums, b: usize, chain: &mut Chain| {
                let at = Self::WIDTH * b;
                self.rows::<LOW_SQUARE>(s, b, a, a.add(at), 2 * V * b);
                u.columns::<V, false>(s, chain, Some(squares.add(at)), low.add(at));
            };
            if q > 1 {
                low_block(&mut s, 0, &mut of_low);
            }
            for b in 0..q {
                let (p, x) = (a.add(Self::WIDTH * b), a.add(n));
                if b < q - 1 {
                    self.rows::<HIGH_SQUARE>(&mut s, q + b, p, x, n / 2 - 2 * V * b - Self::WIDTH);
                } else {
                    self.rows::<CORNER>(&mut s, q + b, p, x, 0);
                }
                let at = Self::WIDTH * b;
                u.columns::<V, true>(&mut s, &mut of_high, Some(squares.add(n + at)), high.add(at));
                if b == 0 {
                    // What its lowest column still lacks stays in that lane: the carry into the next vector is right.
                    pending = s.low[0];
                }
            }
            for b in usize::from(q > 1)..q {
                low_block(&mut s, b, &mut of_low);
            }
            pending.0[0] = pending.0[0].wrapping_add(of_low.high.0[0].wrapping_mul(2));
            u.lowest_digits(&pending, high);
            self.fold();
        }
    }

    #[inline(always)]
    unsafe fn product(&self, a: *const u64, b: *const u64) {
        let Self { u, low, high, .. } = *self;
        let Shape { blocks: q, digits: n, .. } = self.c.shape;
        let (mut s, mut of_low, mut of_high) = (Sums::default(), Chain::START, Chain::START);
        let mut pending = Four::default();
        unsafe {
            for block in 0..q {
                let at = Self::WIDTH * block;
                self.rows::<HIGH_PRODUCT>(&mut s, q + block, a.add(at), b.add(n), n - at - Self::WIDTH);
                u.columns::<V, true>(&mut s, &mut of_high, None, high.add(at));
                if block == 0 {
                    pending = s.low[0];
                }
            }
            for block in 0..q {
                let at = Self::WIDTH * block;
                self.rows::<LOW_PRODUCT>(&mut s, block, a, b.add(at), at + LANES);
                u.columns::<V, false>(&mut s, &mut of_low, None, low.add(at));
            }
            pending.0[0] = pending.0[0].wrapping_add(of_low.high.0[0]);
            u.lowest_digits(&pending, high);
            self.fold();
        }
    }

    /// Folds H into the low columns, and stores the digits of the result.
    #[inline(always)]
    unsafe fn fold(&self) {
        let Self { u, c, low, high, .. } = *self;
        let Shape { blocks, digits: n, .. } = c.shape;
        let start = HIGH_BIAS.wrapping_mul(n as u64 + 1).wrapping_neg();
        let (mut s, mut chain, mut quotient, top) = (Sums::default(), Chain::START, 0, blocks - 1);
        unsafe {
            let fold = |block: usize| {
                let at = Self::WIDTH * block;
                ([low.add(at).cast_const(), &raw const start], c.table.add(n * at), c.multiple.add(at))
            };
            let (starts, rows, multiple) = fold(top);
            let none = [core::ptr::null(); 2];
            if top == 0 {
                u.fold::<V, TOP>(&mut s, starts, high, rows, n, none);
                u.quotient(&s.low[V - 1], &s.high[V - 1], c.ratio, &mut quotient);
                u.fold::<V, REST>(&mut s, starts, high, rows, n, [&raw const quotient, multiple]);
                return u.columns::<V, true>(&mut s, &mut chain, None, self.out);
            }
            let mut of_top = Sums::default();
            u.fold::<V, ALL>(&mut of_top, starts, high, rows, n, none);
            u.quotient(&of_top.low[V - 1], &of_top.high[V - 1], c.ratio, &mut quotient);
            self.finish(&quotient, of_top, |s, block| {
                let (starts, rows, _) = fold(block);
                u.fold::<V, ALL>(s, starts, high, rows, n, none);
            });
        }
    }

    /// Adds -q 2^s m to the sums of all blocks, of which the top one is there, and stores the digits.
    #[inline(always)]
    unsafe fn finish(&self, quotient: &u64, mut of_top: Sums, mut sums: impl FnMut(&mut Sums, usize)) {
        let (u, mut chain, mut s, top) = (self.u, Chain::START, Sums::default(), self.c.shape.blocks - 1);
        let mut add = |s: &mut Sums, block: usize| unsafe {
            let at = Self::WIDTH * block;
            u.row::<V>(s, quotient, self.c.multiple.add(at));
            u.columns::<V, true>(s, &mut chain, None, self.out.add(at));
        };
        for block in 0..top {
            sums(&mut s, block);
            add(&mut s, block);
        }
        add(&mut of_top, top);
    }

    /// |small a| < 2^48 2^(s+1) m, so that |q| < 2^50: one row and the quotient.
    #[inline(always)]
    unsafe fn short(&self, a: *const u64, small: f64) {
        let Self { u, c, .. } = *self;
        // That row, and the row of q.
        let start = |bias: u64| Four([bias.wrapping_mul(2).wrapping_neg(); LANES]);
        let start = Sums { low: [start(LOW_BIAS); MOST], high: [start(HIGH_BIAS); MOST] };
        let sums = |s: &mut Sums, block: usize| unsafe {
            *s = start;
            u.row::<V>(s, &small.to_bits(), a.add(Self::WIDTH * block));
        };
        let (mut top, mut quotient) = (Sums::default(), 0);
        sums(&mut top, c.shape.blocks - 1);
        unsafe {
            u.quotient(&top.low[V - 1], &top.high[V - 1], c.ratio, &mut quotient);
            self.finish(&quotient, top, sums);
        }
    }
}
