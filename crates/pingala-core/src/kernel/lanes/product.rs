//! Almost-Montgomery products of eight pairs of residues by product scanning: FIPS of [koc1996analyzing], in blocks of ten
//! columns, the blocks as in [buhrow2022parallel], with lazy carries.
//!
//! With b = 2^52, R = b^n > 4m and factors below 2m (or any factors with A B <= m R) the result (A B + Q m) / R is below 2m
//! [gueron2012efficient]: nothing is subtracted between products. Steps:
//!
//! 1. For each block of ten columns of the low half: the columns of A B, then those of Q m for the quotient limbs already
//!    known, then limb by limb q = x m' mod b, which makes the lowest column x a multiple of b.
//! 2. For each block of the high half: the columns of A B and of Q m, and the carries.
//!
//! Departures from the textbook:
//! - A column stays a plain 64-bit sum. It holds at most 4n half products below b, a carry below b and a bias below b, so it
//!   stays below 2^64 as long as 4n + 2 <= 4096: [`MAX_LIMBS`].
//! - The low half of q m_0 is never formed: x + lo(q m_0) is the next multiple of b, so its carry is ceil(x / b). The high
//!   sums start at b - 1, which turns this into a plain shift of x' = x + b - 1, and q = m' + m' x' mod b.
//! - Results are stored without masking: multiply-adds ignore what lies above 52 bits, and the sum of a column is its limb
//!   modulo b. Other readers of limbs mask them first.
//! - The first block of the low half is the short one: it runs as the tail of a block of ten whose first columns are
//!   skipped. The last block of the high half ends early in the same way. So every length costs just its own products.
//!
//! Lemmas: Montgomery.lazy_quotient, Montgomery.lazy_carry, Columns.lanes_column, Columns.lanes_carries, formal.lanes_products
//! (proofs/README.md).
#![allow(clippy::absurd_extreme_comparisons, reason = "the copies of an unrolled block compare constants")]

use super::columns::{Columns, WIDTH, has_low, unroll};
use crate::kernel::vector::{Lanes, Task, VectorUnit};
use core::cell::Cell;

/// The longest residue, in limbs of 52 bits, for which the columns are proved not to overflow.
pub(crate) const MAX_LIMBS: usize = 1023;

/// A source of columns to be reduced. All blocks of `low` end before column `end` <= n, those of `high` start at
/// column n + k. N is n where n limbs are a single block of columns; otherwise 0.
pub(super) trait ColumnSource {
    /// Columns end - 10 .. end, of which the first `skip` do not exist; the high sums start at `bias`.
    fn low<U: VectorUnit, const N: usize>(&self, unit: U, end: usize, skip: usize, bias: U::Vector) -> Columns<U>;
    /// Columns n + k .. n + k + 10, those from 2n on empty.
    fn high<U: VectorUnit, const N: usize>(&self, unit: U, k: usize) -> Columns<U>;
}

/// The constants of the eight moduli that a reduction needs, and memory for the quotient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction<'a> {
    /// The moduli, n limbs below b.
    pub(super) m: &'a [Lanes],
    /// -m^-1 mod b.
    pub(super) m_prime: &'a Lanes,
    /// Memory for n limbs of the quotient.
    pub(super) q: &'a [Cell<Lanes>],
}

impl Reduction<'_> {
    /// This reduction with a length that the compiler knows; see [`sized`].
    #[inline(always)]
    fn sized<const N: usize>(self) -> Self {
        Self { m: sized::<N, _>(self.m), m_prime: self.m_prime, q: sized::<N, _>(self.q) }
    }

    /// `out` = the columns of `source` / R mod m; `out` may be an operand. N as for [`ColumnSource`].
    #[inline(always)]
    pub(super) fn reduce<U: VectorUnit, const N: usize>(
        &self,
        unit: U,
        source: &impl ColumnSource,
        out: &[Cell<Lanes>],
    ) {
        let (m, q, n) = (self.m, self.q, self.m.len());
        let m_prime = unit.get(self.m_prime);
        let bias = unit.splat((1 << 52) - 1);
        let mut carry = unit.splat(0);
        let (mut end, mut skip) = ((n - 1) % WIDTH + 1, WIDTH - 1 - (n - 1) % WIDTH);
        while end <= n {
            let mut columns = source.low::<U, N>(unit, end, skip, bias);
            columns.carry_into(unit, 0, carry);
            if const { N == 0 } {
                let full = end.saturating_sub(WIDTH);
                columns.rows(unit, q, 0..full, m, full);
            }
            unroll!(J, {
                if const { has_low(N, J) } && J >= skip {
                    let x = unit.add(columns.lo[J], columns.hi[J]);
                    let digit = unit.madd_low(m_prime, x, m_prime);
                    unit.set(&q[end + J - WIDTH], digit);
                    carry = unit.carry(x);
                    columns.carry_into(unit, J + 1, carry);
                    let m = &m[..WIDTH - J];
                    unroll!(V, {
                        if V + J < WIDTH {
                            columns.madd(unit, V + J, V > 0, true, unit.get(&m[V]), digit);
                        }
                    });
                }
            });
            skip = 0;
            end += WIDTH;
        }
        let mut k = 0;
        while k < n {
            let mut columns = source.high::<U, N>(unit, k);
            let count = WIDTH.min(n - k);
            columns.high_triangle::<N>(unit, q, m, k, count);
            if const { N == 0 } {
                columns.rows(unit, q, k + WIDTH..n, m, n + k);
            }
            carry = columns.finish::<N>(unit, carry, &out[k..], count);
            k += WIDTH;
        }
    }
}

/// The N limbs of a number, so that the compiler knows how many there are; a number of any length for N = 0.
#[inline(always)]
fn sized<const N: usize, T>(limbs: &[T]) -> &[T] {
    if N == 0 { limbs } else { &limbs[..N] }
}

/// a * b.
pub(super) struct TwoFactors<'a>(pub(super) &'a [Cell<Lanes>], pub(super) &'a [Cell<Lanes>]);

impl ColumnSource for TwoFactors<'_> {
    #[inline(always)]
    fn low<U: VectorUnit, const N: usize>(&self, unit: U, end: usize, skip: usize, bias: U::Vector) -> Columns<U> {
        let TwoFactors(a, b) = *self;
        let mut columns = Columns::new(unit, bias);
        if const { N == 0 } {
            let full = end.saturating_sub(WIDTH);
            columns.rows(unit, b, 0..full, a, full);
        }
        columns.low_triangle::<N>(unit, b, a, end, skip);
        columns
    }

    #[inline(always)]
    fn high<U: VectorUnit, const N: usize>(&self, unit: U, k: usize) -> Columns<U> {
        let TwoFactors(a, b) = *self;
        let n = a.len();
        let mut columns = Columns::new(unit, unit.splat(0));
        columns.high_triangle::<N>(unit, b, a, k, WIDTH.min(n - k));
        if const { N == 0 } {
            columns.rows(unit, b, k + WIDTH..n, a, n + k);
        }
        columns
    }
}

/// The limbs of a number below R, only for a division by R. What lies above 52 bits is left out.
struct Limbs<'a>(&'a [Cell<Lanes>]);

impl ColumnSource for Limbs<'_> {
    #[inline(always)]
    fn low<U: VectorUnit, const N: usize>(&self, unit: U, end: usize, skip: usize, bias: U::Vector) -> Columns<U> {
        let mask = unit.splat((1 << 52) - 1);
        let mut columns = Columns::new(unit, bias);
        unroll!(C, {
            if C >= skip {
                columns.lo[C] = unit.and(unit.get(&self.0[end + C - WIDTH]), mask);
            }
        });
        columns
    }

    #[inline(always)]
    fn high<U: VectorUnit, const N: usize>(&self, unit: U, _: usize) -> Columns<U> {
        Columns::new(unit, unit.splat(0))
    }
}

/// `out` = the number of some limbs, divided by R; `out` does not overlap them.
#[derive(Clone, Copy)]
pub(super) struct Redc<'a> {
    pub(super) reduction: Reduction<'a>,
    pub(super) out: &'a [Cell<Lanes>],
    pub(super) limbs: &'a [Cell<Lanes>],
}

impl Task for Redc<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        self.reduction.reduce::<U, 0>(unit, &Limbs(self.limbs), self.out);
    }
}

/// a^2: the products of two different limbs, each once, doubled; then the squares. `ODD`: n is odd.
///
/// Block by block let h = floor(start / 2), start being the block's first column, and count limbs from h. The limbs h + I
/// and h + J meet in column I + J of the block if its start is even, else in column I + J - 1; since blocks start 10 apart
/// from n, start and n are alike.
pub(super) struct Square<'a, const ODD: bool>(pub(super) &'a [Cell<Lanes>]);

impl<const ODD: bool> Square<'_, ODD> {
    /// Whether there is a limb h + I in a block of low or high columns of N limbs; N as for [`ColumnSource`].
    const fn has_limb(n: usize, high: bool, i: usize) -> bool {
        i < 5 + ODD as usize && (n == 0 || if high { n / 2 + i < n } else { n / 2 + i >= 5 })
    }

    /// 2 (pairs) + squares of the limbs h + I, `from` <= I < `to`, `h5` = h + 5 (h itself may be below 0).
    #[inline(always)]
    fn finish<U: VectorUnit, const N: usize, const HIGH: bool>(
        &self,
        unit: U,
        columns: &mut Columns<U>,
        bias: U::Vector,
        h5: usize,
        from: usize,
        to: usize,
    ) {
        columns.double(unit, bias);
        unroll!(I in [0 1 2 3 4 5], {
            if const { Self::has_limb(N, HIGH, I) } && I >= from && I < to {
                let limb = unit.get(&self.0[h5 + I - 5]);
                if const { !ODD } {
                    columns.madd(unit, 2 * I, true, true, limb, limb);
                } else if I > 0 {
                    columns.madd(unit, (2 * I).wrapping_sub(1), true, true, limb, limb);
                } else {
                    columns.hi[0] = unit.madd_high(columns.hi[0], limb, limb);
                }
            }
        });
    }
}

impl<const ODD: bool> ColumnSource for Square<'_, ODD> {
    /// The limbs below h add to all ten columns; of those from h on only the triangle I < J remains.
    #[inline(always)]
    fn low<U: VectorUnit, const N: usize>(&self, unit: U, end: usize, _skip: usize, bias: U::Vector) -> Columns<U> {
        let a = self.0;
        let mut columns = Columns::new(unit, unit.splat(0));
        // floor((end - 10) / 2) + 5, end and n being odd or even together.
        let h5 = end / 2;
        let from = 5usize.saturating_sub(h5);
        let h = h5.saturating_sub(5);
        if const { N == 0 } {
            columns.rows(unit, a, 0..h, a, end.saturating_sub(WIDTH));
        }
        unroll!(I in [0 1 2 3 4], {
            if const { Self::has_limb(N, false, I) } && I >= from {
                let row = unit.get(&a[h5 + I - 5]);
                // Partners J = I + 1 + V, up to the last one that adds to column 9.
                let partners = &a[h5 + I - 4..][..WIDTH - 1 - 2 * I + ODD as usize];
                unroll!(V, {
                    if const { V < WIDTH - 1 - 2 * I + ODD as usize } {
                        columns.madd(unit, 2 * I + V + !ODD as usize, true, true, unit.get(&partners[V]), row);
                    }
                });
            }
        });
        self.finish::<U, N, false>(unit, &mut columns, bias, h5, from, 6);
        columns
    }

    /// The limbs from h + 5 (h + 6 if odd) on add to all ten columns, with partners below h; of the limbs below only the
    /// triangle I < J remains.
    #[inline(always)]
    fn high<U: VectorUnit, const N: usize>(&self, unit: U, k: usize) -> Columns<U> {
        let a = self.0;
        let n = a.len();
        let mut columns = Columns::new(unit, unit.splat(0));
        let h = (n + k) / 2;
        if const { N == 0 } {
            columns.rows(unit, a, h + 5 + ODD as usize..n, a, n + k);
        }
        unroll!(J in [0 1 2 3 4 5], {
            if const { J >= ODD as usize && Self::has_limb(N, true, J) } && h + J < n {
                let row = unit.get(&a[h + J]);
                let partners = &a[h - J - !ODD as usize..][..2 * J + !ODD as usize];
                columns.hi[0] = unit.madd_high(columns.hi[0], unit.get(&partners[0]), row);
                unroll!(V, {
                    if const { V + 1 < 2 * J + !ODD as usize } {
                        columns.madd(unit, V, true, true, unit.get(&partners[V + 1]), row);
                    }
                });
            }
        });
        self.finish::<U, N, true>(unit, &mut columns, unit.splat(0), h + 5, 0, n - h);
        columns
    }
}

/// `out = a * b / R`. All slices have n limbs, and N is n or 0; `out` may be a or b.
#[derive(Clone, Copy)]
pub(super) struct Mul<'a, const N: usize> {
    pub(super) reduction: Reduction<'a>,
    pub(super) out: &'a [Cell<Lanes>],
    pub(super) a: &'a [Cell<Lanes>],
    pub(super) b: &'a [Cell<Lanes>],
}

impl<const N: usize> Task for Mul<'_, N> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let (a, b, out) = (sized::<N, _>(self.a), sized::<N, _>(self.b), sized::<N, _>(self.out));
        self.reduction.sized::<N>().reduce::<U, N>(unit, &TwoFactors(a, b), out);
    }
}

/// `out = a^(2^count)`, every squaring divided by R, count > 0; `out` may be a. `ODD`: n is odd; N is n or 0.
#[derive(Clone, Copy)]
pub(super) struct Sqr<'a, const ODD: bool, const N: usize> {
    pub(super) reduction: Reduction<'a>,
    pub(super) out: &'a [Cell<Lanes>],
    pub(super) a: &'a [Cell<Lanes>],
    pub(super) count: usize,
}

impl<const ODD: bool, const N: usize> Task for Sqr<'_, ODD, N> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        debug_assert!(self.a.len() % 2 == ODD as usize);
        let (reduction, out) = (self.reduction.sized::<N>(), sized::<N, _>(self.out));
        let mut a = sized::<N, _>(self.a);
        for _ in 0..self.count {
            reduction.reduce::<U, N>(unit, &Square::<ODD>(a), out);
            a = out;
        }
    }
}
