//! Almost-Montgomery products of four pairs of residues by product scanning, in blocks of eight columns.
//!
//! M = k m with k = -m^-1 mod b, b = 2^51, so that M = -1 mod b. R = b^n, n even, and a, b with a b <= M R: the result
//! (a b + Q M) / R is below 2M. Steps:
//!
//! 1. For each block of the low half: the columns of a b, then those of Q (M + 1) for the quotient limbs already known, then limb by
//!    limb q = x mod b: as x + q M = x - q + q (M + 1), the carry is floor(x / b), and q (M + 1) begins one limb higher, because the
//!    lowest limb of M + 1 is 0. So a quotient limb needs no product, and M + 1 is what is stored.
//! 2. For each block of the high half: the columns of a b and of Q (M + 1), and the carries.
//!
//! **Bound.** Column c of 2n gets c low halves of Q (M + 1) and c + 1 of a b for c < n, otherwise 2n - 1 - c of both; and
//! the high halves of column c - 1. A low half l has |l| < b, a high half 0 <= h <= b ([`Doubles`]). Bits are added, one word for each
//! product or two of them, so that a column starts at minus the biases of these words, modulo 2^64 ([`starts`]). Each column is lent 2n b by the column above, which loses 2n; the lowest
//! loses nothing, and the loan to the highest is a multiple of b^2n, which is not read. As a column has less than 2n halves of each kind
//! its sum with the carry is at least 2n b - (2n - 1) b - 2n > 0, and less than 2n b for each kind, 2n b lent, and a carry
//! below 2^13: 6n b + 2^13 < 2^64 as long as n <= 1365, so the sum modulo 2^64 is the sum.
//!
//! **Squares.** The products of two different limbs are summed once and doubled together with their biases; then the squares are added.
//! That leaves the same halves in a column as a product does, and the same bound; words and biases are others.
//!
//! **Digits.** A limb x < b becomes a double as (bits of 2^52) + x - 2^52, which is exact. Only biased sums are read as bits.
//!
//! **Registers.** Nine sums: the ninth is the column above the block, for the high halves of its last column; it goes on to the next
//! block, so that no product is formed twice.
//!
//! **Weaving.** A quotient limb waits for the one before. The rows of a b of the next block are spread over the limbs of a block, so that
//! the processor has work meanwhile: more of them over the first limbs, as what follows the last ones is work, too.
//!
//! The first block of the low half is the short one, the last of the high half ends early, so that every length costs its own products.
//! n is even, so every block starts at an even column, and limbs i and j of a square meet in column i + j on the same side of it.
//!
//! Lemmas: Montgomery.quotient_is_column, Montgomery.ends_in_ones_is_row, Columns.fma_lanes_column,
//! Columns.low_halves_below_2n, formal.fma_lanes_products (proofs/README.md).

use super::unit::{
    Doubles, FourLimbs, FourSums, HIGH_BIAS, LOW_BIAS, LimbPlace, Number, Quotients, RADIX_BITS, Sums, WIDTH,
};
use alloc::boxed::Box;
use alloc::vec;
use core::cell::Cell;

/// A product to be computed: numbers of n limbs, n even. `out` may be a factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct FmaOperands<'a> {
    pub(super) out: Number<'a>,
    pub(super) a: Number<'a>,
    pub(super) b: Number<'a>,
    /// M + 1.
    pub(super) m: &'a [FourLimbs],
    /// Memory for the quotient.
    pub(super) q: Number<'a>,
    /// As [`starts`] has them: of products, of squares.
    pub(super) starts: [&'a [u64]; 2],
}

impl FmaOperands<'_> {
    /// One product, or some squarings.
    #[inline(always)]
    pub(super) fn run<U: Doubles>(mut self, unit: U, squarings: Option<usize>) {
        let mut room = Room::default();
        let Some(count) = squarings else { return montgomery::<U, false>(unit, &self, &mut room) };
        for _ in 0..count {
            montgomery::<U, true>(unit, &self, &mut room);
            self.a = self.out;
        }
    }
}

/// The sums of two blocks, and the carry.
#[derive(Debug, Default)]
pub(super) struct Room {
    sums: [Sums; 2],
    carry: FourSums,
}

/// What the columns start at, block by block; the columns that the first block lacks are 0. In squares that will be doubled.
pub(super) fn starts(n: usize, square: bool) -> Box<[u64]> {
    // Words of low halves in a column. Full rows come by twos, a last one singly. So do the rows of the edges of products, and in a column
    // they do not differ from full rows, which are even in number; in squares and where limbs of the quotient are found, they come
    // one by one.
    let words = |column: usize| {
        let block = column.saturating_sub((column + WIDTH - n % WIDTH) % WIDTH);
        let (all, rows) = match column < n {
            true => (column + 1, block),
            false => (2 * n - 1 - column, (2 * n).saturating_sub(block + WIDTH)),
        };
        let pairs = all / 2;
        let of_factors =
            if square { 2 * (pairs - rows / 2 + (rows / 2).div_ceil(2)) + all % 2 } else { all.div_ceil(2) };
        of_factors + if column < n { rows / 2 + column - rows } else { all.div_ceil(2) }
    };
    let lent = 2 * n as u64;
    let start = |column: usize| {
        let high = column.checked_sub(1).map_or(0, words) as u64;
        let biases = (words(column) as u64).wrapping_mul(LOW_BIAS).wrapping_add(high.wrapping_mul(HIGH_BIAS));
        let loss = if column > 0 { lent } else { 0 };
        let start = (lent << RADIX_BITS).wrapping_sub(loss).wrapping_sub(biases);
        // All terms are even.
        if square { start / 2 } else { start }
    };
    let mut all = vec![0; n.next_multiple_of(WIDTH) - n];
    all.extend((0..2 * n).map(start));
    all.resize(all.len().next_multiple_of(WIDTH), 0);
    all.into()
}

/// Rows that meet all columns of a block: row i of k adds b\[i\] a\[k - 1 - i + c\] to every column c; a has k + 7 limbs.
#[derive(Clone, Copy, Debug)]
pub(super) struct FullRows<'a, P> {
    pub(super) b: Number<'a>,
    pub(super) a: &'a [P],
}

impl<'a> FullRows<'a, Cell<FourLimbs>> {
    /// Those of a b for the block that ends before column `end`.
    #[inline(always)]
    fn of_block<const SQUARE: bool>(operands: &FmaOperands<'a>, end: usize) -> Self {
        let (n, a, b) = (operands.a.len(), operands.a, operands.b);
        if end <= n {
            // In a square the limbs below half of the first column meet others.
            let full = end.saturating_sub(WIDTH);
            return if SQUARE {
                Self { b: &a[..full / 2], a: &a[full / 2 + 1..end] }
            } else {
                Self { b: &b[..full], a: &a[1..end] }
            };
        }
        let k = end - n - WIDTH;
        let first = if SQUARE { (n + k + WIDTH) / 2 } else { k + WIDTH };
        let rows = a.len().saturating_sub(first);
        let rows = if SQUARE { &a[n - rows..] } else { &b[n - rows..] };
        Self { b: rows, a: &a[k + 1..if SQUARE { first.min(n) } else { n }] }
    }
}

impl<P: LimbPlace> FullRows<'_, P> {
    /// An even number of rows, and the one that may follow.
    #[inline(always)]
    fn by_twos(self) -> [Self; 2] {
        let (b, last) = self.b.split_at(self.b.len() & !1);
        let a = |rows: usize| &self.a[..if rows == 0 { 0 } else { rows + WIDTH - 1 }];
        [Self { b, a: &self.a[last.len()..] }, Self { b: last, a: a(last.len()) }]
    }
}

/// Adds to x the last of the [`FullRows::of_block`] and the rest of a b in the block that ends before column `end`.
#[inline(always)]
fn add_edge<'a, U: Doubles, const SQUARE: bool>(
    unit: U,
    x: &mut Sums,
    operands: &FmaOperands<'a>,
    end: usize,
    rows: FullRows<'a, Cell<FourLimbs>>,
) {
    let (n, a, b) = (operands.a.len(), operands.a, operands.b);
    if end <= n {
        let first = end.saturating_sub(WIDTH);
        let columns = end - first;
        if SQUARE {
            unit.low_square(x, rows, &a[first / 2..][..columns]);
        } else {
            unit.low_triangle(x, rows, &b[first..end], &a[..columns]);
        }
        return;
    }
    let k = end - n - WIDTH;
    if SQUARE {
        let half = (n + k) / 2;
        let count = (n - half).min(WIDTH / 2);
        unit.high_square(x, rows, &a[half + 1 - count..half + count]);
    } else {
        let count = (n - k - 1).min(WIDTH - 1);
        unit.high_triangle(x, rows, &b[k + 1..][..count], &a[n - count..]);
    }
}

/// `out = a b / R mod M`, or the square of a: below 2M if a b <= M R.
#[inline(always)]
pub(super) fn montgomery<U: Doubles, const SQUARE: bool>(unit: U, operands: &FmaOperands<'_>, room: &mut Room) {
    let FmaOperands { out, a, b, m, q, starts } = *operands;
    let n = a.len();
    let alike = m.len() == n && [b, out, q].iter().all(|number| number.len() == n);
    assert!(alike && n >= 2 && n.is_multiple_of(2), "numbers of one even length");
    let mut starts = starts[usize::from(SQUARE)];
    let (Room { sums, carry }, mut end) = (room, (n - 1) % WIDTH + 1);
    let [mut x, mut next] = sums.each_mut();
    unit.start(x, Some(carry), &starts[..WIDTH]);
    let none = FullRows { b: &a[..0], a };
    add_edge::<U, SQUARE>(unit, x, operands, end, none);
    // Step 1. Here x has the columns of a b.
    loop {
        let first = end.saturating_sub(WIDTH);
        unit.rows(x, FullRows { b: &q[..first], a: &m[1..end] });
        starts = &starts[WIDTH..];
        let quotients = Quotients { q: &q[first..end], m: &m[..end - first], starts: &starts[..WIDTH] };
        let [woven, last] = FullRows::of_block::<SQUARE>(operands, end + WIDTH).by_twos();
        unit.quotients(x, carry, quotients, next, woven);
        add_edge::<U, SQUARE>(unit, next, operands, end + WIDTH, last);
        (x, next) = (next, x);
        if end == n {
            break;
        }
        end += WIDTH;
    }
    // Step 2. A block's limbs are stored when the blocks above need no limb of the factors below them.
    let mut k = 0;
    loop {
        let count = (n - k - 1).min(WIDTH - 1);
        let rows = FullRows { b: &q[(k + WIDTH).min(n)..], a: &m[k + 1..] };
        unit.high_triangle(x, rows, &q[k + 1..][..count], &m[n - count..]);
        unit.finish(x, carry, &out[k..n.min(k + WIDTH)]);
        k += WIDTH;
        if k >= n {
            break;
        }
        starts = &starts[WIDTH..];
        unit.start(x, None, &starts[..WIDTH]);
        let (end, rows) = (n + k + WIDTH, FullRows::of_block::<SQUARE>(operands, n + k + WIDTH));
        add_edge::<U, SQUARE>(unit, x, operands, end, rows);
    }
}
