//! The operations of the row of doubles in plain Rust, on integers: what the others compute. They are written over an arithmetic: digits, or
//! the formal ones of `fma_row_formal.rs`.

#![allow(unsafe_code)]

use super::unit::{
    BLOCK, BlockSums, CORNER, ColumnChain, DIGIT_BIAS, DoubleRows, EXCESS, Fold, FourWords, HIGH_BIAS, HIGH_PRODUCT,
    HIGH_SQUARE, HIGHEST, LANES, LOW, LOW_BIAS, LOW_PRODUCT, LOW_SQUARE, RADIX_BITS, ROUND, TOP,
};
use core::array::from_fn;
use core::mem::MaybeUninit;
use core::ops::Range;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlainRow;

/// The largest digit.
const MOST: f64 = ((1u64 << (RADIX_BITS - 1)) + (1 << 10)) as f64;

/// What the operations are made of.
pub(super) trait Arithmetic: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Both halves of a product, with their biases: low, high.
    fn halves(x: u64, y: u64) -> [u64; 2];
    /// The digit of a column, with the carry of the one below, which its own replaces.
    fn digit(column: u64, chain: &mut ColumnChain) -> u64;
    /// As [`DoubleRows::quotient`], of the columns n, n - 1 and n - 2.
    fn whole(columns: [u64; 3], ratio: f64) -> u64;
}

impl Arithmetic for PlainRow {
    fn halves(x: u64, y: u64) -> [u64; 2] {
        let factors = [x, y].map(f64::from_bits);
        for factor in factors {
            assert!(factor.abs() <= MOST && factor.fract() == 0.0, "{factor} is a digit");
        }
        let product = i128::from(factors[0] as i64) * i128::from(factors[1] as i64);
        [LOW_BIAS + (product as u64 & LOW), HIGH_BIAS.wrapping_add_signed((product >> RADIX_BITS) as i64)]
    }

    fn digit(column: u64, chain: &mut ColumnChain) -> u64 {
        let y = column.wrapping_add(ROUND);
        let digit = f64::from_bits(y & LOW | LOW_BIAS) + (f64::from_bits(chain.carry.0[0]) - EXCESS);
        chain.carry.0[0] = y >> RADIX_BITS | LOW_BIAS;
        digit.to_bits()
    }

    fn whole(columns: [u64; 3], ratio: f64) -> u64 {
        let [above, at, below] = columns.map(|column| column as i64 as f64);
        ((above * DIGIT_BIAS + at + below / DIGIT_BIAS) * ratio).trunc().to_bits()
    }
}

/// Adds the products of a digit by the vector at `x` to the sums of vector w; of digit 0 in the lanes below `from`.
unsafe fn step<A: Arithmetic>(s: &mut BlockSums, w: usize, digit: u64, x: *const u64, from: usize) {
    for lane in 0..LANES {
        // SAFETY: the contract of the trait.
        let [low, high] = A::halves(if lane < from { 0 } else { digit }, unsafe { *x.wrapping_add(lane) });
        s.low[w].0[lane] = s.low[w].0[lane].wrapping_add(low);
        s.high[w].0[lane] = s.high[w].0[lane].wrapping_add(high);
    }
}

/// Row k for these vectors; if it is `masked` the first one without one lane for an even k, without three for an odd one.
unsafe fn row<A: Arithmetic>(
    s: &mut BlockSums,
    p: *const u64,
    x: *const u64,
    k: usize,
    vectors: Range<usize>,
    masked: bool,
) {
    for w in vectors.clone() {
        let from = if masked && w == vectors.start { 1 + 2 * (k % 2) } else { 0 };
        // SAFETY: the contract of the trait.
        unsafe { step::<A>(s, w, *p.wrapping_add(k), x.wrapping_add(LANES * w).wrapping_sub(k), from) };
    }
}

unsafe fn upper<A: Arithmetic>(s: &mut BlockSums, v: usize, p: *const u64, x: *const u64) {
    // SAFETY: the contract of the trait.
    (1..LANES * v).for_each(|k| unsafe { row::<A>(s, p, x, k, 0..k.div_ceil(LANES), false) });
}

unsafe fn diagonal<A: Arithmetic>(s: &mut BlockSums, v: usize, p: *const u64, x: *const u64) {
    // SAFETY: the contract of the trait.
    (0..2 * v).for_each(|k| unsafe { row::<A>(s, p, x, k, k / 2..v, true) });
}

/// Column `at` of a block from its sums; with `squares` doubled.
fn column(s: &BlockSums, chain: &ColumnChain, squares: Option<u64>, at: usize) -> u64 {
    let (w, lane) = (at / LANES, at % LANES);
    let high = match at.checked_sub(1) {
        None => chain.high.0[0],
        Some(below) => s.high[below / LANES].0[below % LANES],
    };
    let column = s.low[w].0[lane].wrapping_add(high);
    squares.map_or(column, |square| column.wrapping_mul(2).wrapping_add(square))
}

/// Writes the digits of V vectors.
unsafe fn put_digits<A: Arithmetic>(
    v: usize,
    s: &BlockSums,
    chain: &mut ColumnChain,
    squares: Option<*const u64>,
    out: *mut u64,
) {
    for at in 0..LANES * v {
        // SAFETY: the contract of the trait.
        let column = column(s, chain, squares.map(|squares| unsafe { *squares.add(at) }), at);
        if at < LANES {
            chain.lowest.0[at] = column;
        }
        // SAFETY: the contract of the trait.
        unsafe { out.add(at).write(A::digit(column, chain)) };
    }
    chain.high.0[0] = s.high[v - 1].0[LANES - 1];
}

impl<A: Arithmetic> DoubleRows for A {
    unsafe fn squares(self, out: *mut u64, a: *const u64, n: usize) {
        for i in 0..n {
            // SAFETY: the contract of the trait.
            unsafe {
                let [low, high] = A::halves(*a.add(i), *a.add(i));
                out.add(2 * i).write(low);
                out.add(2 * i + 1).write(high);
            }
        }
    }

    unsafe fn rows<const V: usize, const KIND: u8>(
        self,
        chain: &mut ColumnChain,
        starts: *const u64,
        p: *const u64,
        x: *const u64,
        count: usize,
        squares: *const u64,
        out: *mut u64,
    ) {
        // SAFETY: the contract of the trait.
        let (mut sums, start) = (BlockSums::default(), |index: usize| unsafe { *starts.add(index) });
        let s = &mut sums;
        for w in 0..V {
            s.low[w] = FourWords(from_fn(|lane| start(LANES * w + lane % 2)));
            s.high[w] = FourWords(from_fn(|lane| start(LANES * w + 2 + lane % 2)));
        }
        // SAFETY: the contract of the trait.
        let window = |s: &mut BlockSums, p, x| (0..count).for_each(|k| unsafe { row::<A>(s, p, x, k, 0..V, false) });
        let (above, below) = (p.wrapping_add(LANES * V), x.wrapping_sub(LANES * V));
        let [past, under] = [p.wrapping_add(count), x.wrapping_sub(count)];
        // SAFETY: the contract of the trait.
        unsafe {
            match KIND {
                LOW_SQUARE => {
                    window(s, p, x);
                    assert!(past == under, "the diagonal");
                    diagonal::<A>(s, V, past, under);
                }
                HIGH_SQUARE => {
                    upper::<A>(s, V, p, x);
                    window(s, above, below);
                    let [past, under] = [above.wrapping_add(count), below.wrapping_sub(count)];
                    assert!(past == under, "the diagonal");
                    diagonal::<A>(s, V, past, under);
                }
                CORNER => {
                    for k in 1..LANES * V {
                        let from = k.checked_sub(2 * V).map(|above| above / 2);
                        row::<A>(s, below, x, k, from.unwrap_or(0)..k.div_ceil(LANES), from.is_some());
                    }
                }
                LOW_PRODUCT => {
                    window(s, p, x);
                    (0..LANES * (V - 1)).for_each(|k| row::<A>(s, past, under, k, k / LANES + 1..V, false));
                }
                HIGH_PRODUCT => {
                    upper::<A>(s, V, p, x);
                    window(s, above, below);
                }
                _ => unreachable!("no such rows"),
            }
            let squares = matches!(KIND, LOW_SQUARE | HIGH_SQUARE | CORNER).then_some(squares);
            if matches!(KIND, LOW_SQUARE | LOW_PRODUCT) {
                for at in 0..LANES * V {
                    out.add(at).write(column(s, chain, squares.map(|squares| *squares.add(at)), at));
                }
                chain.high.0[0] = s.high[V - 1].0[LANES - 1];
            } else {
                put_digits::<A>(V, s, chain, squares, out);
            }
        }
    }

    unsafe fn fold<const V: usize, const PART: u8>(
        self,
        s: *mut BlockSums,
        fold: &Fold,
        p: *const u64,
        count: usize,
        chain: &mut ColumnChain,
        quotient: &u64,
    ) {
        assert!(count.is_multiple_of(4) && count > 4);
        let vectors = match PART {
            BLOCK | HIGHEST => 0..V,
            TOP => V - 1..V,
            _ => 0..V - 1,
        };
        // SAFETY: the contract of the trait; all words are integers of any bits.
        unsafe {
            if matches!(PART, BLOCK | HIGHEST | TOP) {
                s.write(BlockSums::default());
            }
            let s = &mut *s;
            for w in vectors {
                s.low[w] = FourWords(from_fn(|lane| *fold.low.add(LANES * w + lane)));
                s.high[w] = FourWords([*fold.high; LANES]);
                (0..count).for_each(|k| step::<A>(s, w, *p.add(k), fold.rows.add(LANES * (V * k + w)), 0));
            }
            if !matches!(PART, HIGHEST | TOP) {
                self.last::<V>(s, quotient, fold.multiple, chain, fold.out);
            }
        }
    }

    unsafe fn row<const V: usize>(self, s: &mut BlockSums, digit: &u64, x: *const u64) {
        // SAFETY: the contract of the trait.
        unsafe { row::<A>(s, digit, x, 0, 0..V, false) };
    }

    unsafe fn last<const V: usize>(
        self,
        s: *mut BlockSums,
        digit: &u64,
        x: *const u64,
        chain: &mut ColumnChain,
        out: *mut u64,
    ) {
        // SAFETY: the contract of the trait; all sums are written.
        unsafe {
            let s = &mut *s;
            self.row::<V>(s, digit, x);
            put_digits::<A>(V, s, chain, None, out);
        }
    }

    unsafe fn quotient(self, low: &FourWords, high: &FourWords, ratio: f64, out: &mut u64) {
        let both = HIGH_BIAS + LOW_BIAS;
        let column = |at: usize| low.0[at].wrapping_add(high.0[at - 1]).wrapping_add(both);
        *out = A::whole([high.0[3].wrapping_add(HIGH_BIAS), column(3), column(2)], ratio);
    }

    unsafe fn lowest_digits(self, columns: &FourWords, lacking: u64, out: *mut u64) {
        let (mut chain, mut columns) = (ColumnChain::START, *columns);
        columns.0[0] = columns.0[0].wrapping_add(lacking);
        // SAFETY: the contract of the trait.
        (0..LANES).for_each(|lane| unsafe { out.add(lane).write(A::digit(columns.0[lane], &mut chain)) });
    }

    fn begin(self, chain: &mut MaybeUninit<ColumnChain>) -> &mut ColumnChain {
        chain.write(ColumnChain::START)
    }

    fn copy(self, from: &FourWords, to: &mut MaybeUninit<FourWords>) {
        to.write(*from);
    }
}
