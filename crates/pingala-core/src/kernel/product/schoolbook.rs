//! The schoolbook product: operand scanning, row by row (HAC 14.12, 14.16), a tile of rows at a time.
//!
//! Operands are cut into tiles of S words and a row of tiles is run through before the next one starts. Within a tile S
//! rows pass over a window of S words in registers, so that a word of the sum is loaded and stored once for S rows; and
//! S rows in flight hide the latency of the carry that one row must wait for. S = 1 is the plain product of the books.
//! S = 8 takes two thirds of the time of S = 1 (docs/records/thresholds.md).
//!
//! Count for n words, n a multiple of S: n^2 products with 4 additions each, n^2 (1 + 2/S) + n loads, n^2 / S + n stores.
//!
//! Lemmas: Columns.multiply_add_carry, Columns.tile_step, small.plain_products (proofs/README.md).

use crate::natural::linear;
use crate::natural::word::Word;

/// The largest tile: beyond 8 words the window no longer fits the registers.
pub const TILE: usize = 8;

/// The tiles for lengths beyond [`TILE`], best first, as measured at 28 to 32 words (docs/records/thresholds.md).
const PREFERENCE: [usize; 5] = [6, 5, 4, 8, 7];

/// The tile for `n` words: one tile up to [`TILE`] words; beyond, the best that divides n, or 1.
pub const fn tile_words(n: usize) -> usize {
    if cfg!(target_arch = "wasm32") {
        return if n.is_multiple_of(4) { 4 } else { 1 };
    }
    if n <= TILE {
        return n;
    }
    let mut choice = 0;
    while choice < PREFERENCE.len() {
        if n.is_multiple_of(PREFERENCE[choice]) {
            return PREFERENCE[choice];
        }
        choice += 1;
    }
    1
}

/// Runs an expression with the constant `$S` that equals the tile. A module for WebAssembly is to be small: it has two tiles.
macro_rules! with_tile {
    ($tile:expr, $S:ident, $run:expr) => {
        if cfg!(target_arch = "wasm32") {
            $crate::natural::linear::with_constant!($tile, $S in [1 4], $run)
        } else {
            $crate::natural::linear::with_constant!($tile, $S in [1 2 3 4 5 6 7 8], $run)
        }
    };
}
pub(crate) use with_tile;

/// The shortest length of at least `n` words that tiles of 4 to 8 words divide (any length up to 8 is one tile).
pub(crate) const fn padded_words(n: usize) -> usize {
    let mut padded = n;
    while padded > TILE && tile_words(padded) == 1 {
        padded += 1;
    }
    padded
}

/// `t = a * b`.
pub fn mul<W: Word>(t: &mut [W], a: &[W], b: &[W], tile: usize) {
    debug_assert!(b.len() == a.len() && t.len() == 2 * a.len());
    with_tile!(tile, S, mul_tiles::<W, S>(t, a, b))
}

fn mul_tiles<W: Word, const S: usize>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    debug_assert!(n.is_multiple_of(S));
    linear::clear(&mut t[..n]);
    let (t, _) = t.as_chunks_mut::<S>();
    let (a, _) = a.as_chunks::<S>();
    for (i, factor) in b.as_chunks::<S>().0.iter().enumerate() {
        W::turn();
        let factor = load(factor);
        let (row, above) = t[i..].split_at_mut(a.len());
        let mut carry = [W::ZERO; S];
        for (t, a) in row.iter_mut().zip(a) {
            W::turn();
            carry = add_tile(t, a, &factor, &carry);
        }
        store(&mut above[0], &carry);
    }
}

/// `t = a * b`, row by row: see [`add_rows`].
pub(crate) fn mul_rows<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    linear::clear(t);
    add_rows(t, a, b);
}

/// `t += a * b`, row by row, for lengths that may differ and need not be multiples of a tile. On entry t is below b^n, n the
/// length of `a`. The top word of t may be missing if the sum does not reach it.
pub(crate) fn add_rows<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    debug_assert!(t.len() + 1 >= a.len() + b.len() && t.len() <= a.len() + b.len());
    debug_assert!(t[a.len()..].iter().all(|word| word.is_zero()));
    for (i, b) in b.iter().enumerate() {
        W::turn();
        let carry = add_row(&mut t[i..i + a.len()], a, b.load());
        match t.get_mut(i + a.len()) {
            Some(top) => top.store(carry),
            None => debug_assert!(carry.is_zero(), "the sum fits"),
        }
    }
}

/// `t = a^2`: the products a_i * a_j with i < j once, then `double_and_add_squares`. (HAC 14.16 doubles inside the row
/// and so needs a carry of more than a word.)
///
/// Count: n(n+1)/2 products.
pub fn sqr<W: Word>(t: &mut [W], a: &[W], tile: usize) {
    debug_assert_eq!(t.len(), 2 * a.len());
    with_tile!(tile, S, sqr_tiles::<W, S>(t, a))
}

fn sqr_tiles<W: Word, const S: usize>(t: &mut [W], a: &[W]) {
    let n = a.len();
    debug_assert!(n.is_multiple_of(S));
    linear::clear(&mut t[..n]);
    {
        // The rest of both. This row of tiles is the lowest of the sum: its carry goes above it, to which no row has added yet.
        let (mut t, _) = t.as_chunks_mut::<S>();
        let (mut a, _) = a.as_chunks::<S>();
        while let [first, rest @ ..] = a {
            W::turn();
            let factor = load(first);
            let (row, above) = t.split_at_mut(a.len());
            let mut carry = add_pairs_tile(&mut row[0], &factor);
            for (t, a) in row[1..].iter_mut().zip(rest) {
                W::turn();
                carry = add_tile(t, a, &factor, &carry);
            }
            store(&mut above[0], &carry);
            (t, a) = (&mut t[2..], rest);
        }
    }
    double_and_add_squares(t, a);
}

/// `t + carry_out b^S = t + a * factor + carry`, at most (b^S - 1)^2 + 2 (b^S - 1) = b^2S - 1.
///
/// Row i adds a * factor_i; the window holds the words i to i + S of the sum, and word i of the incoming carry is the
/// first carry of the row.
#[inline(always)]
pub(crate) fn add_tile<W: Word, const S: usize>(t: &mut [W; S], a: &[W; S], factor: &[W; S], carry: &[W; S]) -> [W; S] {
    let mut window = load(t);
    for i in 0..S {
        let (low, mut carry) = a[0].load().mul_add_carry(factor[i], window[0], carry[i]);
        t[i].store(low);
        for j in 1..S {
            let (low, high) = a[j].load().mul_add_carry(factor[i], window[j], carry);
            window[j - 1] = low;
            carry = high;
        }
        window[S - 1] = carry;
    }
    window
}

/// `t + carry_out b^S = t + sum of a_i a_j b^(i+j) over i < j`, below b^S + b^2S / 2; word 0 has no such product.
#[inline(always)]
pub(crate) fn add_pairs_tile<W: Word, const S: usize>(t: &mut [W; S], a: &[W; S]) -> [W; S] {
    let mut low_words: [W; S] = core::array::from_fn(|i| if i == 0 { W::ZERO } else { t[i].load() });
    let mut high_words = [W::ZERO; S];
    for i in 0..S {
        let mut carry = W::ZERO;
        for j in i + 1..S {
            let word = if i + j < S { &mut low_words[i + j] } else { &mut high_words[i + j - S] };
            let (low, high) = a[i].mul_add_carry(a[j], *word, carry);
            *word = low;
            carry = high;
        }
        // Word i + S, which no earlier row has reached.
        high_words[i] = carry;
    }
    for (t, &word) in t.iter_mut().zip(&low_words).skip(1) {
        t.store(word);
    }
    high_words
}

/// Loads a tile into registers.
#[inline(always)]
pub(crate) fn load<W: Word, const S: usize>(tile: &[W; S]) -> [W; S] {
    core::array::from_fn(|i| tile[i].load())
}

/// Stores a tile to memory.
#[inline(always)]
pub(crate) fn store<W: Word, const S: usize>(tile: &mut [W; S], words: &[W; S]) {
    for (word, &value) in tile.iter_mut().zip(words) {
        word.store(value);
    }
}

/// `t = 2t + sum of a_i^2 b^2i`: turns the sum of the products a_i a_j b^(i+j) with i < j into a^2.
///
/// That sum is below b^2n / 2, so doubling it moves no bit out; neither does adding the squares, because the whole is
/// a^2 < b^2n.
#[inline(always)]
pub(crate) fn double_and_add_squares<W: Word>(t: &mut [W], a: &[W]) {
    let mut moved = W::ZERO;
    let mut carry = false;
    for (pair, a) in t.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        W::turn();
        let a = a.load();
        let (square_low, square_high) = a.mul_wide(a);
        let (low, high) = (pair[0].load(), pair[1].load());
        // (x << 1) and the incoming bit have no bit in common: no carry.
        let twice_low = low.shift_left(1).add_out(moved).0;
        let twice_high = high.shift_left(1).add_out(low.shift_right(W::BITS - 1)).0;
        moved = high.shift_right(W::BITS - 1);
        let (low, next) = twice_low.add_carry(square_low, carry);
        let (high, next) = twice_high.add_carry(square_high, next);
        pair[0].store(low);
        pair[1].store(high);
        carry = next;
    }
    debug_assert!(moved == W::ZERO && !carry, "a^2 < b^2n");
}

/// `row += a * factor`, returns the carry word; `row` and `a` have equal lengths. This is a single row, as
/// the interleaved Montgomery products need it.
#[inline(always)]
pub fn add_row<W: Word>(row: &mut [W], a: &[W], factor: W) -> W {
    debug_assert_eq!(row.len(), a.len());
    let mut carry = W::ZERO;
    let (row, row_rest) = row.as_chunks_mut::<4>();
    let (a, a_rest) = a.as_chunks::<4>();
    for (row, a) in row.iter_mut().zip(a) {
        W::turn();
        for i in 0..4 {
            let (low, high) = a[i].load().mul_add_carry(factor, row[i].load(), carry);
            row[i].store(low);
            carry = high;
        }
    }
    for (row, a) in row_rest.iter_mut().zip(a_rest) {
        W::turn();
        let (low, high) = a.load().mul_add_carry(factor, row.load(), carry);
        row.store(low);
        carry = high;
    }
    carry
}
