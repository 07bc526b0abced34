//! The Comba product: product scanning, column by column, the column's sum in three registers.
//!
//! One text serves every length. Run with a length known at compile time it is unrolled into straight-line code
//! (`mul_fixed`, lengths up to [`UNROLLED`]); beyond that the straight line outgrows the registers and the instruction
//! cache, and the loops are faster.
//!
//! Count for n words: n^2 products with 3 additions each, 2n^2 loads, 2n stores. Squaring: n(n+1)/2 products.
//!
//! Lemmas: Columns.comba_column, Columns.comba_square_column, small.plain_products (proofs/README.md).

use super::schoolbook::double_and_add_squares;
use super::{Leaf, each};
use crate::natural::linear::with_constant;
use crate::natural::word::{Accumulator, Word};

/// The longest operand that runs as straight-line code: at 16 words the loop is quicker (docs/records/thresholds.md).
pub const UNROLLED: usize = 8;

/// The longest operands of straight-line code that a processor of 13 registers should load once, even if it spills them to the
/// stack.
const KEPT: usize = 4;

/// Comba leaves; the field is their greatest length in words.
#[derive(Clone, Copy, Debug)]
pub struct Comba(pub usize);

impl<W: Word> Leaf<W> for Comba {
    fn words(self) -> usize {
        self.0
    }

    #[inline(always)]
    fn mul(self, t: &mut [W], a: &[W], b: &[W]) {
        mul(t, a, b);
    }

    #[inline(always)]
    fn sqr(self, t: &mut [W], a: &[W]) {
        sqr(t, a);
    }

    #[inline(always)]
    fn mul_each(self, t: &mut [W], a: &[W], b: &[W], n: usize) {
        mul_each(t, a, b, n);
    }

    #[inline(always)]
    fn sqr_each(self, t: &mut [W], a: &[W], n: usize) {
        sqr_each(t, a, n);
    }

    #[inline(always)]
    fn low_mul(self, t: &mut [W], a: &[W], b: &[W]) {
        low_mul(t, a, b);
    }

    #[inline(always)]
    fn low_sqr(self, t: &mut [W], a: &[W]) {
        low_sqr(t, a);
    }
}

/// Adds the column `sum of a[i] * b[n-1-i]` of two equal-length runs.
#[inline(always)]
pub fn column<W: Word>(sum: &mut Accumulator<W>, a: &[W], b: &[W]) {
    debug_assert_eq!(a.len(), b.len());
    // With equal lengths the compiler tests for one end.
    let b = &b[..a.len()];
    for (a, b) in a.iter().zip(b.iter().rev()) {
        W::turn();
        sum.add_product(a.load(), b.load());
    }
}

/// Adds the column `sum of a[i] * a[n-1-i]` with i < n-1-i: the products that count twice in a square. It runs from both ends
/// to the middle, so that a loop needs only one length.
#[inline(always)]
pub fn column_of_pairs<W: Word>(sum: &mut Accumulator<W>, mut a: &[W]) {
    while let [first, rest @ .., last] = a {
        W::turn();
        sum.add_product(first.load(), last.load());
        a = rest;
    }
}

/// `t = a * b`, any length.
#[inline(always)]
fn mul_loops<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    let b = &b[..n];
    let (low, high) = t[..2 * n].split_at_mut(n);
    let mut sum = Accumulator::ZERO;
    for k in 0..n {
        W::turn();
        column(&mut sum, &a[..=k], &b[..=k]);
        low[k].store(sum.shift_out());
    }
    for k in 0..n {
        W::turn();
        column(&mut sum, &a[k + 1..], &b[k + 1..]);
        high[k].store(sum.shift_out());
    }
    debug_assert!(sum == Accumulator::ZERO, "a * b < b^2n");
}

/// `t = a^2`, any length: the columns of the products a_i a_j with i < j, then one pass that doubles them and adds the
/// squares. (Doubling each finished column costs two additions of three words for each column, and spills.)
#[inline(always)]
fn sqr_loops<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    let (low, high) = t[..2 * n].split_at_mut(n);
    let mut sum = Accumulator::ZERO;
    for k in 0..n {
        W::turn();
        column_of_pairs(&mut sum, &a[..=k]);
        low[k].store(sum.shift_out());
    }
    let mut rest = a;
    for t in high {
        W::turn();
        rest = &rest[1..];
        column_of_pairs(&mut sum, rest);
        t.store(sum.shift_out());
    }
    debug_assert!(sum == Accumulator::ZERO, "a^2 < b^2n");
    double_and_add_squares(t, a);
}

/// Adds one product, in straight-line code for N words.
#[inline(always)]
fn add_fixed<W: Word, const N: usize>(sum: &mut Accumulator<W>, a: &W, b: &W) {
    if N <= KEPT {
        sum.add_product(a.load(), b.load());
    } else {
        W::accumulate_from(sum, a, b);
    }
}

/// `t = a * b` for a length known to the compiler: the same columns, indexed so that they unroll. The loops
/// have no marker of an iteration, because the compiled code has no loops.
#[inline(always)]
pub(crate) fn mul_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N], b: &[W; N]) {
    let t = &mut t[..2 * N];
    let mut sum = Accumulator::ZERO;
    for k in 0..N {
        for i in 0..=k {
            add_fixed::<W, N>(&mut sum, &a[i], &b[k - i]);
        }
        t[k].store(sum.shift_out());
    }
    for k in N..2 * N {
        for i in k - N + 1..N {
            add_fixed::<W, N>(&mut sum, &a[i], &b[k - i]);
        }
        t[k].store(sum.shift_out());
    }
}

/// `t = a^2` for a length known to the compiler.
#[inline(always)]
pub(crate) fn sqr_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N]) {
    let t = &mut t[..2 * N];
    let mut sum = Accumulator::ZERO;
    for k in 0..N {
        for i in 0..k.div_ceil(2) {
            sum.add_product(a[i].load(), a[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
    for k in N..2 * N {
        for i in k - N + 1..k.div_ceil(2) {
            sum.add_product(a[i].load(), a[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
    double_and_add_squares(t, a);
}

/// `low = a * b` mod b^N for a length known to the compiler: the lower columns; the last column adds low words only.
#[inline(always)]
pub(crate) fn low_mul_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N], b: &[W; N]) {
    let t = &mut t[..N];
    let mut sum = Accumulator::ZERO;
    for k in 0..N - 1 {
        for i in 0..=k {
            add_fixed::<W, N>(&mut sum, &a[i], &b[k - i]);
        }
        t[k].store(sum.shift_out());
    }
    let mut top = sum.low;
    for i in 0..N {
        top = top.add_out(a[i].load().mul_low(b[N - 1 - i].load())).0;
    }
    t[N - 1].store(top);
}

/// The slice as an array of N words; the caller has checked its length.
#[inline(always)]
pub fn array<W, const N: usize>(a: &[W]) -> &[W; N] {
    a.first_chunk().expect("the caller matched the length")
}

/// [`with_constant`], but for WebAssembly, where the code is to be small.
macro_rules! unrolled {
    ($n:expr, $N:ident in [$($known:literal)+], $run:expr, $otherwise:expr) => {
        if cfg!(target_arch = "wasm32") {
            $otherwise
        } else {
            with_constant!($n, $N in [$($known)+], $run, $otherwise)
        }
    };
}

/// `t = a * b`.
pub fn mul<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == 2 * n);
    unrolled!(n, N in [1 2 3 4 5 6 7 8], mul_fixed::<W, N>(t, array(a), array(b)), mul_loops(t, a, b))
}

/// `t = a^2`.
pub fn sqr<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    debug_assert!(t.len() == 2 * n);
    unrolled!(n, N in [1 2 3 4 5 6 7 8], sqr_fixed::<W, N>(t, array(a)), sqr_loops(t, a))
}

/// The products of pieces of `n` words, as by [`mul`], with a separate loop for each length.
fn mul_each<W: Word>(t: &mut [W], a: &[W], b: &[W], n: usize) {
    unrolled!(n, N in [1 2 3 4 5 6 7 8], mul_each_fixed::<W, N>(t, a, b), each(t, a, b, n, |t, a, b| mul_loops(t, a, b)))
}

/// The squares of pieces of `n` words.
fn sqr_each<W: Word>(t: &mut [W], a: &[W], n: usize) {
    unrolled!(n, N in [1 2 3 4 5 6 7 8], sqr_each_fixed::<W, N>(t, a), each(t, a, a, n, |t, a, _| sqr_loops(t, a)))
}

#[inline(always)]
fn mul_each_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W], b: &[W]) {
    let (t, _) = t.as_chunks_mut::<N>().0.as_chunks_mut::<2>();
    for ((t, a), b) in t.iter_mut().zip(a.as_chunks::<N>().0).zip(b.as_chunks::<N>().0) {
        W::turn();
        mul_fixed(t.as_flattened_mut(), a, b);
    }
}

#[inline(always)]
fn sqr_each_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W]) {
    let (t, _) = t.as_chunks_mut::<N>().0.as_chunks_mut::<2>();
    for (t, a) in t.iter_mut().zip(a.as_chunks::<N>().0) {
        W::turn();
        sqr_fixed(t.as_flattened_mut(), a);
    }
}

/// `t = a * b` mod b^n by columns: n(n+1)/2 products, those of the last column by low words only.
pub(crate) fn low_mul<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == n);
    unrolled!(n, N in [1 2 3 4 5 6 7 8], low_mul_fixed::<W, N>(t, array(a), array(b)), low_mul_loops(t, a, b))
}

/// `t = a * b` mod b^n, any length of at least 1.
#[inline(always)]
fn low_mul_loops<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let Some((last, low)) = t.split_last_mut() else { return };
    let mut sum = Accumulator::ZERO;
    for (k, t) in low.iter_mut().enumerate() {
        W::turn();
        column(&mut sum, &a[..=k], &b[..=k]);
        t.store(sum.shift_out());
    }
    let mut top = sum.low;
    for (a, b) in a.iter().zip(b.iter().rev()) {
        W::turn();
        top = top.add_out(a.load().mul_low(b.load())).0;
    }
    last.store(top);
}

/// `t = a^2` mod b^n by columns: about n^2/4 products.
pub(crate) fn low_sqr<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    debug_assert_eq!(t.len(), n);
    unrolled!(n, N in [1 2 3 4 5 6 7 8], low_sqr_fixed::<W, N>(t, array(a)), low_sqr_loops(t, a))
}

/// `t = a^2` mod b^n, any length: as the square, but only the squares below b^n are added.
#[inline(always)]
fn low_sqr_loops<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    let mut sum = Accumulator::ZERO;
    for (k, t) in t.iter_mut().enumerate() {
        W::turn();
        column_of_pairs(&mut sum, &a[..=k]);
        t.store(sum.shift_out());
    }
    low_double_and_add_squares(t, &a[..n.div_ceil(2)]);
}

/// `t = a^2` mod b^N for a length known to the compiler.
#[inline(always)]
pub(crate) fn low_sqr_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N]) {
    let t = &mut t[..N];
    let mut sum = Accumulator::ZERO;
    for k in 0..N {
        for i in 0..k.div_ceil(2) {
            sum.add_product(a[i].load(), a[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
    low_double_and_add_squares(t, &a[..N.div_ceil(2)]);
}

/// [`double_and_add_squares`] modulo b^n; for an odd length the top word gets only the low word of its square.
#[inline(always)]
fn low_double_and_add_squares<W: Word>(t: &mut [W], a: &[W]) {
    let mut moved = W::ZERO;
    let mut carry = false;
    for (pair, a) in t.chunks_mut(2).zip(a) {
        W::turn();
        let a = a.load();
        let (low, high) = a.mul_wide(a);
        for (t, square) in pair.iter_mut().zip([low, high]) {
            let word = t.load();
            let (sum, next) = word.shift_left(1).add_out(moved).0.add_carry(square, carry);
            moved = word.shift_right(W::BITS - 1);
            t.store(sum);
            carry = next;
        }
    }
}
