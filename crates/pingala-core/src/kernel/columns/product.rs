//! Products, squares and Montgomery's reduction of digits with signs, by rows that run along columns of 64 bits.
//!
//! Columns are in two's complement, modulo 2^64. So sums of products may overflow on the way, as Karatsuba's do: what counts is that the column of
//! the whole product, n products of at most 2^(2r-2), fits; [`ColumnShape`] sees to it.
//!
//! 1. Four rows at a time run over the digits of the other factor: a column is loaded and stored once for four products. With two rows at a time,
//!    or with four columns in registers, products took 1.2 to 1.5 times as long in V8 (docs/records/wasm.md).
//! 2. A square computes the products of unequal digits once, then doubles.
//! 3. Karatsuba's method on columns that are not carried has neither carries nor signs: a b = L + (L + H - D) B^h + H B^2h, D = (a0 - a1)(b0 - b1).
//! 4. The columns in the middle that have too many products are carried before the reduction.
//!
//! Count: n^2 products, (n^2 + n) / 2 of a square, n^2 + n of a reduction.

use super::shape::ColumnShape;

/// Rows that run together.
const ROWS: usize = 4;

/// The low r bits of a column with their sign: at least -B/2, below B/2.
#[inline(always)]
fn digit(column: u64, radix_bits: u32) -> u64 {
    let above = 64 - radix_bits;
    ((column << above) as i64 >> above) as u64
}

/// What a column leaves above its digit; the shift keeps the sign.
#[inline(always)]
fn above(column: u64, digit: u64, radix_bits: u32) -> u64 {
    (column.wrapping_sub(digit) as i64 >> radix_bits) as u64
}

/// `column += a b`.
#[inline(always)]
fn add_product(column: &mut u64, a: u64, b: u64) {
    *column = column.wrapping_add(a.wrapping_mul(b));
}

/// Adds row k, the factor k times `a`, from column k on, for K rows; `t` has the length of `a` and K - 1 columns more. Below `a` stand
/// the digits `below`, nearest first, whose products are added as far as they reach `t`.
#[inline(always)]
fn rows<const K: usize>(t: &mut [u64], a: &[u64], factors: [u64; K], below: [u64; K]) {
    debug_assert_eq!(t.len(), a.len() + K - 1);
    // The K digits whose products meet in a column, highest first.
    let mut window = below;
    let mut step = |t: &mut u64, a: u64| {
        for k in (1..K).rev() {
            window[k] = window[k - 1];
        }
        window[0] = a;
        let mut column = *t;
        for k in 0..K {
            add_product(&mut column, window[k], factors[k]);
        }
        *t = column;
    };
    let (t, ends) = t.split_at_mut(a.len());
    let ((t, t_rest), (a, a_rest)) = (t.as_chunks_mut::<ROWS>(), a.as_chunks::<ROWS>());
    for (t, a) in t.iter_mut().zip(a) {
        for i in 0..ROWS {
            step(&mut t[i], a[i]);
        }
    }
    for (t, a) in t_rest.iter_mut().zip(a_rest) {
        step(t, *a);
    }
    for t in ends {
        step(t, 0);
    }
}

/// Rows of a product, as functions that products, squares and reductions share.
#[inline(never)]
fn four_rows(t: &mut [u64], a: &[u64], factors: [u64; 4], below: [u64; 4]) {
    rows(t, a, factors, below);
}

#[inline(never)]
fn two_rows(t: &mut [u64], a: &[u64], factors: [u64; 2], below: [u64; 2]) {
    rows(t, a, factors, below);
}

#[inline(never)]
fn one_row(t: &mut [u64], a: &[u64], factor: u64) {
    rows(t, a, [factor], [0]);
}

/// Calls `step` for all of n rows: (first row, number of rows), four at a time, then two, then one.
#[inline(always)]
fn groups(n: usize, mut step: impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < n {
        let rows = match n - at {
            ROWS.. => ROWS,
            2.. => 2,
            _ => 1,
        };
        step(at, rows);
        at += rows;
    }
}

/// N digits from `at` on.
#[inline(always)]
fn some<const N: usize>(a: &[u64], at: usize) -> [u64; N] {
    core::array::from_fn(|i| a[at + i])
}

/// The columns of a b, n digits each, 2n columns; the highest one is 0.
fn mul_by_rows(t: &mut [u64], a: &[u64], b: &[u64]) {
    let n = a.len();
    t.fill(0);
    groups(n, |at, rows| match rows {
        ROWS => four_rows(&mut t[at..at + n + 3], a, some(b, at), [0; 4]),
        2 => two_rows(&mut t[at..at + n + 1], a, some(b, at), [0; 2]),
        _ => one_row(&mut t[at..at + n], a, b[at]),
    });
}

/// Adds the products of unequal digits of a group to the columns from twice its place on, and returns the group.
#[inline(always)]
fn pairs<const N: usize>(t: &mut [u64], above: &mut [u64], group: [u64; N]) -> [u64; N] {
    for i in 0..N {
        for j in i + 1..N {
            let column = if i + j < N { &mut t[i + j] } else { &mut above[i + j - N] };
            add_product(column, group[i], group[j]);
        }
    }
    group
}

/// The columns of a^2: the products of a group's digits with each other, then with those above, then all of them twice.
fn sqr_by_rows(t: &mut [u64], a: &[u64]) {
    let n = a.len();
    t.fill(0);
    groups(n, |at, rows| {
        let upper = &a[at + rows..];
        let (t, above) = t[2 * at..][..upper.len() + 2 * rows - 1].split_at_mut(rows);
        match rows {
            ROWS => {
                let group = pairs(t, above, some(a, at));
                four_rows(above, upper, group, [0; 4]);
            }
            2 => {
                let group = pairs(t, above, some(a, at));
                two_rows(above, upper, group, [0; 2]);
            }
            _ => one_row(above, upper, a[at]),
        }
    });
    for (t, &a) in t.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        t[0] <<= 1;
        add_product(&mut t[0], a, a);
        t[1] <<= 1;
    }
}

/// Words of scratch of [`mul`] and [`sqr`] with this threshold.
pub(super) fn scratch_words(n: usize, halve_from: usize) -> usize {
    if n < halve_from { 0 } else { 2 * n.div_ceil(2) + scratch_words(n.div_ceil(2), halve_from) }
}

/// The columns of a b, n digits each, 2n columns, which are not those of a or b.
pub(super) fn mul(t: &mut [u64], a: &[u64], b: &[u64], halve_from: usize, scratch: &mut [u64]) {
    if a.len() < halve_from {
        return mul_by_rows(t, a, b);
    }
    let half = a.len().div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (d, scratch) = scratch.split_at_mut(2 * half);
    let (a_diff, b_diff) = t[..2 * half].split_at_mut(half);
    difference(a_diff, a0, a1);
    difference(b_diff, b0, b1);
    mul(d, a_diff, b_diff, halve_from, scratch);
    let (low, high) = t.split_at_mut(2 * half);
    mul(low, a0, b0, halve_from, scratch);
    mul(high, a1, b1, halve_from, scratch);
    combine(t, d, half);
}

/// The columns of a^2.
pub(super) fn sqr(t: &mut [u64], a: &[u64], halve_from: usize, scratch: &mut [u64]) {
    if a.len() < halve_from {
        return sqr_by_rows(t, a);
    }
    let half = a.len().div_ceil(2);
    let (a0, a1) = a.split_at(half);
    let (d, scratch) = scratch.split_at_mut(2 * half);
    difference(&mut t[..half], a0, a1);
    sqr(d, &t[..half], halve_from, scratch);
    let (low, high) = t.split_at_mut(2 * half);
    sqr(low, a0, halve_from, scratch);
    sqr(high, a1, halve_from, scratch);
    combine(t, d, half);
}

/// `out = a - b`, digit by digit; `b` may be a digit shorter.
fn difference(out: &mut [u64], a: &[u64], b: &[u64]) {
    out.copy_from_slice(a);
    for (out, b) in out.iter_mut().zip(b) {
        *out = out.wrapping_sub(*b);
    }
}

/// `t = L | H` becomes L + (L + H - D) B^h + H B^2h.
fn combine(t: &mut [u64], d: &mut [u64], half: usize) {
    let (low, high) = t.split_at(2 * half);
    for (d, low) in d.iter_mut().zip(low) {
        *d = low.wrapping_sub(*d);
    }
    for (d, high) in d.iter_mut().zip(high) {
        *d = d.wrapping_add(*high);
    }
    for (t, d) in t[half..].iter_mut().zip(d) {
        *t = t.wrapping_add(*d);
    }
}

/// Makes the lowest digits of `t`, all but the highest, digits of r bits; the highest takes what is above.
#[inline(always)]
fn carry(out: &mut [u64], t: &[u64], radix_bits: u32) {
    let Some((last, below)) = out.split_last_mut() else { return };
    let mut carried = 0;
    for (out, &t) in below.iter_mut().zip(t) {
        let column = t.wrapping_add(carried);
        *out = digit(column, radix_bits);
        carried = above(column, *out, radix_bits);
    }
    *last = t[t.len() - 1].wrapping_add(carried);
}

/// Makes all columns but the highest digits of r bits, in place; the highest takes what is carried.
pub(super) fn carry_in_place(t: &mut [u64], radix_bits: u32) {
    let Some((last, below)) = t.split_last_mut() else { return };
    let mut carried = 0;
    for t in below {
        let column = t.wrapping_add(carried);
        *t = digit(column, radix_bits);
        carried = above(column, *t, radix_bits);
    }
    *last = last.wrapping_add(carried);
}

/// The digits of q that make the lowest columns multiples of the radix, with what is carried into them and out of them.
#[inline(always)]
fn quotients<const N: usize>(
    columns: [u64; N],
    carried: &mut u64,
    m: [u64; N],
    m_prime: u64,
    radix_bits: u32,
) -> [u64; N] {
    let mut q = [0; N];
    for i in 0..N {
        let mut column = columns[i].wrapping_add(*carried);
        for j in 0..i {
            add_product(&mut column, q[j], m[i - j]);
        }
        q[i] = digit(column.wrapping_mul(m_prime), radix_bits);
        add_product(&mut column, q[i], m[0]);
        debug_assert!(column.trailing_zeros() >= radix_bits);
        *carried = (column as i64 >> radix_bits) as u64;
    }
    q
}

/// `out = T R^-1` mod m in digits, for the 2n columns T of a product, which are destroyed. m_prime is -m^-1 mod 2^r, its higher bits do not matter.
///
/// q = T m_prime mod R has digits of at most B / 2 in size, so |q| < (1/2 + 1/B) R, and |T + q m| / R < |T| / R + (1/2 + 1/B) m.
pub(super) fn redc(out: &mut [u64], t: &mut [u64], m: &[u64], m_prime: u64, shape: &ColumnShape) {
    let (n, r) = (m.len(), shape.radix_bits);
    debug_assert!(t.len() == 2 * n && out.len() == n && n == shape.digits);
    // Column k has min(k + 1, 2n - 1 - k) products.
    let few = shape.uncarried_products();
    if n > few {
        // The column above those gets what they carry, below one product.
        carry_in_place(&mut t[few..2 * n - few], r);
    }
    let mut carried = 0;
    groups(n, |at, rows| {
        let (lowest, t) = t[at..][..rows + n - 1].split_at_mut(rows);
        let upper = &m[rows..];
        match rows {
            ROWS => {
                let q = quotients(some(lowest, 0), &mut carried, some(m, 0), m_prime, r);
                four_rows(t, upper, q, [m[3], m[2], m[1], 0]);
            }
            2 => {
                let q = quotients(some(lowest, 0), &mut carried, some(m, 0), m_prime, r);
                two_rows(t, upper, q, [m[1], 0]);
            }
            _ => {
                let [q] = quotients(some(lowest, 0), &mut carried, some(m, 0), m_prime, r);
                one_row(t, upper, q);
            }
        }
    });
    t[n] = t[n].wrapping_add(carried);
    carry(out, &t[n..], r);
}
