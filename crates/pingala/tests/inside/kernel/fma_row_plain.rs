//! The operations of the row of doubles in plain Rust, on integers: what the others compute.

#![allow(unsafe_code)]

use super::unit::{
    ALL, CORNER, Chain, DIGIT_BIAS, Doubles, EXCESS, Four, HIGH_BIAS, HIGH_PRODUCT, HIGH_SQUARE, LANES, LOW, LOW_BIAS,
    LOW_PRODUCT, LOW_SQUARE, RADIX_BITS, ROUND, Sums, TOP,
};
use core::array::from_fn;
use core::ops::Range;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlainRow;

/// The largest digit.
const MOST: f64 = ((1u64 << (RADIX_BITS - 1)) + (1 << 10)) as f64;

/// Both halves of a product, with their biases: low, high.
fn halves(x: u64, y: u64) -> [u64; 2] {
    let factors = [x, y].map(f64::from_bits);
    for factor in factors {
        assert!(factor.abs() <= MOST && factor.fract() == 0.0, "{factor} is a digit");
    }
    let product = i128::from(factors[0] as i64) * i128::from(factors[1] as i64);
    [LOW_BIAS + (product as u64 & LOW), HIGH_BIAS.wrapping_add_signed((product >> RADIX_BITS) as i64)]
}

/// Adds the products of a digit by the vector at `x` to the sums of vector w; of digit 0 in the lanes below `from`.
unsafe fn step(s: &mut Sums, w: usize, digit: u64, x: *const u64, from: usize) {
    for lane in 0..LANES {
        let [low, high] = halves(if lane < from { 0 } else { digit }, unsafe { *x.wrapping_add(lane) });
        s.low[w].0[lane] = s.low[w].0[lane].wrapping_add(low);
        s.high[w].0[lane] = s.high[w].0[lane].wrapping_add(high);
    }
}

/// Row k for these vectors; if it is `masked` the first one without one lane for an even k, without three for an odd one.
unsafe fn row(s: &mut Sums, p: *const u64, x: *const u64, k: usize, vectors: Range<usize>, masked: bool) {
    for w in vectors.clone() {
        let from = if masked && w == vectors.start { 1 + 2 * (k % 2) } else { 0 };
        unsafe { step(s, w, *p.wrapping_add(k), x.wrapping_add(LANES * w).wrapping_sub(k), from) };
    }
}

unsafe fn upper(s: &mut Sums, v: usize, p: *const u64, x: *const u64) {
    (1..LANES * v).for_each(|k| unsafe { row(s, p, x, k, 0..k.div_ceil(LANES), false) });
}

unsafe fn diagonal(s: &mut Sums, v: usize, p: *const u64, x: *const u64) {
    (0..2 * v).for_each(|k| unsafe { row(s, p, x, k, k / 2..v, true) });
}

impl Doubles for PlainRow {
    unsafe fn squares(self, out: *mut u64, a: *const u64, n: usize) {
        for i in 0..n {
            unsafe {
                let [low, high] = halves(*a.add(i), *a.add(i));
                out.add(2 * i).write(low);
                out.add(2 * i + 1).write(high);
            }
        }
    }

    unsafe fn rows<const V: usize, const KIND: u8>(
        self,
        s: &mut Sums,
        starts: *const u64,
        p: *const u64,
        x: *const u64,
        count: usize,
    ) {
        let start = |index: usize| unsafe { *starts.add(index) };
        for w in 0..V {
            s.low[w] = Four(from_fn(|lane| start(LANES * w + lane % 2)));
            s.high[w] = Four(from_fn(|lane| start(LANES * w + 2 + lane % 2)));
        }
        let window = |s: &mut Sums, p, x| (0..count).for_each(|k| unsafe { row(s, p, x, k, 0..V, false) });
        let (above, below) = (p.wrapping_add(LANES * V), x.wrapping_sub(LANES * V));
        let [past, under] = [p.wrapping_add(count), x.wrapping_sub(count)];
        unsafe {
            match KIND {
                LOW_SQUARE => {
                    window(s, p, x);
                    assert!(past == under, "the diagonal");
                    diagonal(s, V, past, under);
                }
                HIGH_SQUARE => {
                    upper(s, V, p, x);
                    window(s, above, below);
                    let [past, under] = [above.wrapping_add(count), below.wrapping_sub(count)];
                    assert!(past == under, "the diagonal");
                    diagonal(s, V, past, under);
                }
                CORNER => {
                    for k in 1..LANES * V {
                        let from = k.checked_sub(2 * V).map(|above| above / 2);
                        row(s, below, x, k, from.unwrap_or(0)..k.div_ceil(LANES), from.is_some());
                    }
                }
                LOW_PRODUCT => {
                    window(s, p, x);
                    (0..LANES * (V - 1)).for_each(|k| row(s, past, under, k, k / LANES + 1..V, false));
                }
                HIGH_PRODUCT => {
                    upper(s, V, p, x);
                    window(s, above, below);
                }
                _ => unreachable!("no such rows"),
            }
        }
    }

    unsafe fn fold<const V: usize, const PART: u8>(
        self,
        s: &mut Sums,
        [low, high]: [*const u64; 2],
        p: *const u64,
        rows: *const u64,
        count: usize,
        [q, multiple]: [*const u64; 2],
    ) {
        assert!(count.is_multiple_of(4));
        let vectors = match PART {
            ALL => 0..V,
            TOP => V - 1..V,
            _ => 0..V - 1,
        };
        unsafe {
            for w in vectors {
                s.low[w] = Four(from_fn(|lane| *low.add(LANES * w + lane)));
                s.high[w] = Four([*high; LANES]);
                (0..count).for_each(|k| step(s, w, *p.add(k), rows.add(LANES * (V * k + w)), 0));
            }
            if !matches!(PART, ALL | TOP) {
                self.row::<V>(s, q, multiple);
            }
        }
    }

    unsafe fn row<const V: usize>(self, s: &mut Sums, digit: *const u64, x: *const u64) {
        unsafe { row(s, digit, x, 0, 0..V, false) };
    }

    unsafe fn quotient(self, low: &Four, high: &Four, ratio: f64, out: &mut u64) {
        let double = |sum: u64, bias: u64| sum.wrapping_add(bias) as i64 as f64;
        let both = HIGH_BIAS + LOW_BIAS;
        let sum = double(high.0[3], HIGH_BIAS) * DIGIT_BIAS
            + double(low.0[3].wrapping_add(high.0[2]), both)
            + double(low.0[2].wrapping_add(high.0[1]), both) / DIGIT_BIAS;
        *out = (sum * ratio).trunc().to_bits();
    }

    unsafe fn columns<const V: usize, const DIGITS: bool>(
        self,
        s: &mut Sums,
        chain: &mut Chain,
        squares: Option<*const u64>,
        out: *mut u64,
    ) {
        for w in 0..V {
            for lane in 0..LANES {
                let at = LANES * w + lane;
                let high = if lane == 0 { chain.high.0[0] } else { s.high[w].0[lane - 1] };
                let column = s.low[w].0[lane].wrapping_add(high);
                let column = squares.map_or(column, |squares| {
                    column.wrapping_mul(2).wrapping_add(unsafe { *squares.add(at) })
                });
                if !DIGITS {
                    unsafe { out.add(at).write(column) };
                    continue;
                }
                s.low[w].0[lane] = column;
                let y = column.wrapping_add(ROUND);
                let digit = f64::from_bits(y & LOW | LOW_BIAS) + (f64::from_bits(chain.carry.0[0]) - EXCESS);
                chain.carry.0[0] = y >> RADIX_BITS | LOW_BIAS;
                unsafe { out.add(at).write(digit.to_bits()) };
            }
            chain.high.0[0] = s.high[w].0[LANES - 1];
        }
    }

    unsafe fn lowest_digits(self, columns: &Four, out: *mut u64) {
        let (mut s, mut chain) = (Sums { low: [*columns; 5], ..Sums::default() }, Chain::START);
        unsafe { self.columns::<1, true>(&mut s, &mut chain, None, out) };
    }
}
