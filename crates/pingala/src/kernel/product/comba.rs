//! The Comba product: product scanning, column by column, the column's sum in three registers.
//!
//! One text serves every length. Run with a length known at compile time it is unrolled into straight-line code
//! ([`mul_fixed`], lengths up to [`UNROLLED`]); beyond that the straight line outgrows the registers and the instruction
//! cache, and the loops are faster.
//!
//! Count for n words: n^2 products with 3 additions each, 2n^2 loads, 2n stores. Squaring: n(n+1)/2 products.

use crate::natural::word::{Accumulator, Word};

/// The longest operand that runs as straight-line code. Measured per word product on one x86-64: 0.63 ns at 4 words,
/// 0.66 at 8, 1.18 at 16, where the loop takes 0.9.
pub(crate) const UNROLLED: usize = 8;

/// Adds the column `sum of a[i] * b[n-1-i]` of two equal-length runs.
#[inline(always)]
pub(crate) fn column<W: Word>(sum: &mut Accumulator<W>, a: &[W], b: &[W]) {
    debug_assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b.iter().rev()) {
        W::turn();
        sum.add_product(a.load(), b.load());
    }
}

/// `t = a * b`, any length.
#[inline(always)]
fn mul_loops<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    let (low, high) = t.split_at_mut(n);
    let mut sum = Accumulator::ZERO;
    for (k, t) in low.iter_mut().enumerate() {
        W::turn();
        column(&mut sum, &a[..=k], &b[..=k]);
        t.store(sum.shift_out());
    }
    for (k, t) in high.iter_mut().enumerate() {
        W::turn();
        column(&mut sum, &a[k + 1..], &b[k + 1..]);
        t.store(sum.shift_out());
    }
    debug_assert!(sum == Accumulator::ZERO, "a * b < b^2n");
}

/// `t = a^2`, any length: the columns' pairs once, doubled, and the square in the middle of the even columns.
#[inline(always)]
fn sqr_loops<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    let mut sum = Accumulator::ZERO;
    for (k, t) in t.iter_mut().enumerate() {
        W::turn();
        // The column's indices run from `from` to k - from; the pairs are its first half against its second.
        let from = (k + 1).saturating_sub(n);
        let until = (k + 1 - from).max(from);
        let pairs = (until - from) / 2;
        let mut half = Accumulator::ZERO;
        column(&mut half, &a[from..from + pairs], &a[until - pairs..until]);
        half.double();
        sum.add(&half);
        if (until - from) % 2 == 1 {
            let middle = a[from + pairs].load();
            sum.add_product(middle, middle);
        }
        t.store(sum.shift_out());
    }
    debug_assert!(sum == Accumulator::ZERO, "a^2 < b^2n");
}

/// `t = a * b` for a length known to the compiler: the same columns, indexed so that they unroll. Its loops mark no
/// turn, because none is left in what runs.
#[inline(always)]
pub(crate) fn mul_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N], b: &[W; N]) {
    let t = &mut t[..2 * N];
    let mut sum = Accumulator::ZERO;
    for k in 0..N {
        for i in 0..=k {
            sum.add_product(a[i].load(), b[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
    for k in N..2 * N {
        for i in k - N + 1..N {
            sum.add_product(a[i].load(), b[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
}

/// `t = a^2` for a length known to the compiler.
#[inline(always)]
pub(crate) fn sqr_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N]) {
    let t = &mut t[..2 * N];
    let mut sum = Accumulator::ZERO;
    for k in 0..2 * N {
        let from = (k + 1).saturating_sub(N);
        let mut half = Accumulator::ZERO;
        for i in from..k.div_ceil(2) {
            half.add_product(a[i].load(), a[k - i].load());
        }
        half.double();
        sum.add(&half);
        if k % 2 == 0 {
            sum.add_product(a[k / 2].load(), a[k / 2].load());
        }
        t[k].store(sum.shift_out());
    }
}

/// `low = a * b` mod b^N for a length known to the compiler: the lower columns, of the last one only the low words.
#[inline(always)]
pub(crate) fn low_mul_fixed<W: Word, const N: usize>(t: &mut [W], a: &[W; N], b: &[W; N]) {
    let t = &mut t[..N];
    let mut sum = Accumulator::ZERO;
    for k in 0..N - 1 {
        for i in 0..=k {
            sum.add_product(a[i].load(), b[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
    let mut top = sum.low;
    for i in 0..N {
        top = top.add_carry(a[i].load().mul_low(b[N - 1 - i].load()), false).0;
    }
    t[N - 1].store(top);
}

/// The slice as an array, where its length says so; the caller has matched it.
#[inline(always)]
pub(crate) fn array<W, const N: usize>(a: &[W]) -> &[W; N] {
    a.first_chunk().expect("the caller matched the length")
}

/// Runs `$fixed` for the lengths 1 to [`UNROLLED`], `$loops` for all others.
macro_rules! by_length {
    ($n:expr, $fixed:ident($t:expr $(, $operand:expr)+), $loops:expr) => {
        match $n {
            1 => $fixed::<W, 1>($t $(, array($operand))+),
            2 => $fixed::<W, 2>($t $(, array($operand))+),
            3 => $fixed::<W, 3>($t $(, array($operand))+),
            4 => $fixed::<W, 4>($t $(, array($operand))+),
            5 => $fixed::<W, 5>($t $(, array($operand))+),
            6 => $fixed::<W, 6>($t $(, array($operand))+),
            7 => $fixed::<W, 7>($t $(, array($operand))+),
            8 => $fixed::<W, 8>($t $(, array($operand))+),
            _ => $loops,
        }
    };
}

/// `t = a * b`.
pub(crate) fn mul<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == 2 * n);
    by_length!(n, mul_fixed(t, a, b), mul_loops(t, a, b))
}

/// `t = a^2`.
pub(crate) fn sqr<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    debug_assert!(t.len() == 2 * n);
    by_length!(n, sqr_fixed(t, a), sqr_loops(t, a))
}

/// `t = a * b` mod b^n by columns: n(n+1)/2 products, the n of the last column only their low words.
pub(crate) fn low_mul<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == n);
    by_length!(n, low_mul_fixed(t, a, b), low_mul_loops(t, a, b))
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
        top = top.add_carry(a.load().mul_low(b.load()), false).0;
    }
    last.store(top);
}

/// `t = a^2` mod b^n by columns: about n^2/4 products.
pub(crate) fn low_sqr<W: Word>(t: &mut [W], a: &[W]) {
    debug_assert_eq!(t.len(), a.len());
    let mut sum = Accumulator::ZERO;
    for (k, t) in t.iter_mut().enumerate() {
        W::turn();
        let pairs = k.div_ceil(2);
        let mut half = Accumulator::ZERO;
        column(&mut half, &a[..pairs], &a[k + 1 - pairs..=k]);
        half.double();
        sum.add(&half);
        if k % 2 == 0 {
            let middle = a[k / 2].load();
            sum.add_product(middle, middle);
        }
        t.store(sum.shift_out());
    }
}
