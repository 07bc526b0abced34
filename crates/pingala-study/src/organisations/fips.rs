//! FIPS, finely integrated product scanning: each column takes its products of a * b and of u * m together, the sum in
//! three registers.
//!
//! Count: 2n^2 + n products, and the fewest stores of all: 3n with the final subtraction. The squaring counts each
//! off-diagonal product of a column once and doubles that part of the column: 3n^2/2 + 3n/2.

use pingala_core::texts::{
    Accumulator, Constants, Unreduced, Word,
    comba::{column, column_of_pairs},
};

/// a * b * R^-1, below 2m.
pub fn mul<'t, W: Word>(t: &'t mut [W], a: &[W], b: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let n = constants.m.len();
    let (a, b) = (&a[..n], &b[..n]);
    scan(t, constants, |sum, k| column(sum, &a[..=k], &b[..=k]), |sum, k| column(sum, &a[k + 1..], &b[k + 1..]))
}

/// a^2 * R^-1, below 2m.
pub fn sqr<'t, W: Word>(t: &'t mut [W], a: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let a = &a[..constants.m.len()];
    scan(t, constants, |sum, k| square_column(sum, &a[..=k]), |sum, k| square_column(sum, &a[k + 1..]))
}

/// Adds the column `sum of a[i] * a[n-1-i]`: each pair once, doubled, then the square in the middle.
#[inline(always)]
fn square_column<W: Word>(sum: &mut Accumulator<W>, a: &[W]) {
    let mut half = Accumulator::ZERO;
    column_of_pairs(&mut half, a);
    half.double();
    sum.add(&half);
    if a.len() % 2 == 1 {
        let middle = a[a.len() / 2].load();
        sum.add_product(middle, middle);
    }
}

/// The columns of the reduction; `lower(sum, k)` adds the product's column k, `upper(sum, k)` its column n + k.
///
/// The words of t first hold the quotient words u; column n + k no longer needs u_k and leaves the result there. A
/// column is a sum of at most 2n products, so 2n < b keeps it in three words.
#[inline(always)]
fn scan<'t, W: Word>(
    t: &'t mut [W],
    constants: &Constants<'_, W>,
    lower: impl Fn(&mut Accumulator<W>, usize),
    upper: impl Fn(&mut Accumulator<W>, usize),
) -> Unreduced<'t, W> {
    let m = constants.m;
    let n = m.len();
    let t = &mut t[..n];
    let mut sum = Accumulator::ZERO;
    for k in 0..n {
        W::turn();
        lower(&mut sum, k);
        column(&mut sum, &t[..k], &m[1..=k]);
        let u = sum.low.mul_low(constants.m_prime);
        sum.add_product(u, m[0].load());
        t[k].store(u);
        let zero = sum.shift_out();
        debug_assert!(zero == W::ZERO);
    }
    for k in 0..n {
        W::turn();
        upper(&mut sum, k);
        column(&mut sum, &t[k + 1..], &m[k + 1..]);
        t[k].store(sum.shift_out());
    }
    debug_assert!(sum.low <= W::ONE && sum.mid == W::ZERO, "the result is below 2m");
    Unreduced { words: t, overflow: !sum.low.is_zero() }
}
