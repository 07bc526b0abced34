//! Half-gcd: the quotients of two long numbers from their leading parts, in time nearly proportional to the length.
//!
//! For numbers x, y of n limbs, a *half* finds a matrix M of determinant 1 or -1 whose entries are natural numbers, with
//!
//! (x, y) = M (x', y'), x' and y' both at least B^s, B = 2^64, s = floor(n / 2) + 1,
//!
//! and x' or y' hardly longer. M is a product of the matrices ((q, 1), (1, 0)) of quotients. As x >= m x' for each entry m of the upper row, and
//! likewise for the other, the entries are below B^(n - s), and n - s <= s - 1. So limbs that are appended to x and y below, p of them, change
//! x' and y' by less than B^(s - 1 + p), and they stay at least B^(s + p) (1 - 1 / B): the quotients serve the longer numbers. The quotients need not
//! be those of the numbers, it is enough that all remainders are positive.
//!
//! 1. The half of the upper half, n - floor(n / 2) limbs, takes a quarter off the numbers.
//! 2. Steps on the leading bits until 3/4 n + 1 limbs are left.
//! 3. The half of the upper limbs from p = 2 s - n' + 1 on, where n' limbs are left: it leaves numbers of B^(s + 1) (1 - 1 / B) or more.
//! 4. Steps until nothing is left to do above B^s.
//!
//! That is [moller2008gcd], with a simpler condition where a half ends: one that ends early costs steps, and is as right as any other.

use super::products::{MatrixProducts, Means};
use super::steps::{KEPT, Steps};
use super::symbol::Track;
use crate::error::Error;
use crate::natural::{Natural, chores, linear, significant};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::DerefMut;

/// Limbs from which on a half is two halves, and from which on numbers are reduced by halves: docs/records/symbols.md.
const HALVED: usize = 200;
const RECURSIVE: usize = 350;

/// Words of the numbers that are passed over between two polls: about a millisecond.
const WORDS_BETWEEN: usize = 1 << 20;

/// By how many bits of 126 a window may be too short for steps to be worth a pass.
const SHORTER: u32 = 47;

/// Limbs of a quotient and a divisor from which on the division is a product's.
const LONG_QUOTIENT: usize = 32;

/// Two numbers a >= b of `length` limbs.
pub(super) struct Numbers<'w> {
    pub(super) a: &'w mut [u64],
    pub(super) b: &'w mut [u64],
    pub(super) length: usize,
}

impl Numbers<'_> {
    /// Drops limbs that are 0 in both numbers, of which a is not the lesser.
    #[inline]
    fn trim(&mut self) {
        while self.length > 1 && self.a[self.length - 1] == 0 {
            self.length -= 1;
        }
    }

    /// The leading 126 bits of both numbers, of at least two limbs, and the place of the lowest of them, which may be below 0.
    fn windows(&self) -> ([u128; 2], isize) {
        let top = self.length - 1;
        let shift = self.a[top].leading_zeros();
        let windows = [&*self.a, &*self.b].map(|limbs| {
            let below = if top >= 2 { limbs[top - 2] } else { 0 };
            let whole = u128::from(limbs[top]) << 64 | u128::from(limbs[top - 1]);
            // Two shifts, because one by 64 is for shift = 0.
            (whole << shift | u128::from(below >> 1 >> (63 - shift))) >> 2
        });
        (windows, (64 * self.length) as isize - shift as isize - 126)
    }

    pub(super) fn b_is_zero(&self) -> bool {
        self.b[..self.length].iter().all(|&limb| limb == 0)
    }
}

/// What follows the steps: with (a, b) = M (a', b') for all steps so far, something of M.
pub(super) trait Cofactors {
    fn grow(&mut self, steps: &Steps);
    /// [`Self::grow`] for steps on single words.
    fn grow_by_words(&mut self, steps: &Steps);
    /// a and b are exchanged.
    fn swap(&mut self);
    /// a, b become b, a - `quotient` b.
    fn divide(&mut self, quotient: &Natural, products: &mut LazyProducts<'_>);
    /// All steps of a half. Error: `interrupted`.
    fn half(&mut self, matrix: &QuotientMatrix, products: &mut LazyProducts<'_>) -> Result<(), Error>;
}

/// Nothing.
impl Cofactors for () {
    fn grow(&mut self, _: &Steps) {}
    fn grow_by_words(&mut self, _: &Steps) {}
    fn swap(&mut self) {}
    fn divide(&mut self, _: &Natural, _: &mut LazyProducts<'_>) {}
    fn half(&mut self, _: &QuotientMatrix, _: &mut LazyProducts<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// A row (q, p) of M, of natural numbers, with zeros above the `length`; there is room for two limbs more than they ever have.
pub(super) struct CofactorRow<S> {
    pub(super) p: S,
    pub(super) q: S,
    pub(super) length: usize,
    /// Whether the determinant of M is -1.
    pub(super) negative: bool,
}

impl<S: DerefMut<Target = [u64]>> CofactorRow<S> {
    fn set(&mut self, [q, p]: [&[u64]; 2]) {
        let (q, p) = (significant(q), significant(p));
        for (to, from) in [(&mut *self.q, q), (&mut *self.p, p)] {
            to[..from.len()].copy_from_slice(from);
            to[from.len()..].fill(0);
        }
        self.length = q.len().max(p.len());
    }
}

impl<S: DerefMut<Target = [u64]>> Cofactors for CofactorRow<S> {
    #[inline(always)]
    fn grow(&mut self, steps: &Steps) {
        self.length = steps.grow(&mut self.p, &mut self.q, self.length);
        self.negative ^= steps.odd;
    }

    fn grow_by_words(&mut self, steps: &Steps) {
        self.length = steps.grow_by_words(&mut self.p, &mut self.q, self.length);
        self.negative ^= steps.odd;
    }

    fn swap(&mut self) {
        core::mem::swap(&mut self.p, &mut self.q);
        self.negative = !self.negative;
    }

    fn divide(&mut self, quotient: &Natural, products: &mut LazyProducts<'_>) {
        let mut sum = products.mul(quotient.limbs(), significant(&self.q[..self.length]));
        let p = significant(&self.p[..self.length]);
        sum.resize(sum.len().max(p.len()) + 1, 0);
        linear::add_shorter(&mut sum, p);
        let sum = significant(&sum);
        self.p[..sum.len()].copy_from_slice(sum);
        self.length = self.length.max(sum.len());
        self.swap();
    }

    fn half(&mut self, matrix: &QuotientMatrix, products: &mut LazyProducts<'_>) -> Result<(), Error> {
        let [q, p] = products.row(matrix, [&self.q[..self.length], &self.p[..self.length]])?;
        self.set([&q, &p]);
        self.negative ^= matrix.negative();
        Ok(())
    }
}

/// M whole.
pub(super) struct QuotientMatrix {
    rows: [CofactorRow<Vec<u64>>; 2],
    is_one: bool,
}

impl QuotientMatrix {
    /// One, with room for entries of so many limbs.
    fn one(limbs: usize) -> Self {
        let row = |at: u64| {
            let [mut p, mut q] = [(); 2].map(|()| vec![0; limbs + 2]);
            (q[0], p[0]) = (1 - at, at);
            CofactorRow { p, q, length: 1, negative: false }
        };
        Self { rows: [row(0), row(1)], is_one: true }
    }

    pub(super) fn entries(&self) -> [&[u64]; 4] {
        let [upper, lower] = &self.rows;
        [(upper, &upper.q), (upper, &upper.p), (lower, &lower.q), (lower, &lower.p)]
            .map(|(row, limbs)| significant(&limbs[..row.length]))
    }

    fn length(&self) -> usize {
        self.rows[0].length.max(self.rows[1].length)
    }

    fn negative(&self) -> bool {
        self.rows[0].negative
    }
}

impl Cofactors for QuotientMatrix {
    fn grow(&mut self, steps: &Steps) {
        self.is_one = false;
        self.rows.iter_mut().for_each(|row| row.grow(steps));
    }

    fn grow_by_words(&mut self, steps: &Steps) {
        self.is_one = false;
        self.rows.iter_mut().for_each(|row| row.grow_by_words(steps));
    }

    fn swap(&mut self) {
        self.rows.iter_mut().for_each(CofactorRow::swap);
    }

    fn divide(&mut self, quotient: &Natural, products: &mut LazyProducts<'_>) {
        self.is_one = false;
        self.rows.iter_mut().for_each(|row| row.divide(quotient, products));
    }

    fn half(&mut self, matrix: &QuotientMatrix, products: &mut LazyProducts<'_>) -> Result<(), Error> {
        if self.is_one {
            let [upper, lower] = &mut self.rows;
            let swapped = upper.negative;
            debug_assert!(!swapped, "without steps nothing is exchanged");
            let [a, b, c, d] = matrix.entries();
            upper.set([a, b]);
            lower.set([c, d]);
            self.rows.iter_mut().for_each(|row| row.negative = matrix.negative());
            self.is_one = false;
            return Ok(());
        }
        self.rows.iter_mut().try_for_each(|row| row.half(matrix, products))
    }
}

/// Products, made when the first one is needed; and polls.
pub(super) struct LazyProducts<'p> {
    means: Means<'p>,
    /// Limbs of the longest product.
    limbs: usize,
    products: Option<Box<dyn MatrixProducts>>,
    /// Words that were passed over since the last poll.
    words: usize,
}

impl<'p> LazyProducts<'p> {
    pub(super) fn new(means: Means<'p>, limbs: usize) -> Self {
        Self { means, limbs, products: None, words: 0 }
    }

    fn get(&mut self) -> &mut dyn MatrixProducts {
        &mut **self.products.get_or_insert_with(|| (self.means.products)(self.limbs))
    }

    /// Error: `interrupted`, if that is what a poll says; there is one for each so many words.
    #[inline]
    fn poll(&mut self, words: usize) -> Result<(), Error> {
        self.words += words;
        if self.words > WORDS_BETWEEN {
            self.words = 0;
            if !(self.means.go_on)() {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }

    fn mul(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        if a.len().min(b.len()) < LONG_QUOTIENT {
            return chores::mul(&Natural::from_limbs(a), &Natural::from_limbs(b)).limbs().to_vec();
        }
        self.get().mul(a, b)
    }

    fn div_rem(&mut self, a: &Natural, b: &Natural) -> (Natural, Natural) {
        let quotient = a.limbs().len() - b.limbs().len().min(a.limbs().len());
        if quotient.min(b.limbs().len()) < LONG_QUOTIENT {
            return chores::div_rem(a, b);
        }
        self.get().div_rem(a, b)
    }

    /// A row of a matrix times the matrix. Error: `interrupted`.
    fn row(&mut self, matrix: &QuotientMatrix, row: [&[u64]; 2]) -> Result<[Vec<u64>; 2], Error> {
        let go_on = self.means.go_on;
        let limbs = row[0].len().max(row[1].len()) + matrix.length() + 1;
        self.get().set_matrix(matrix.entries(), limbs, go_on)?;
        self.get().row(row, go_on)
    }

    fn solved(&mut self, matrix: &QuotientMatrix, column: [&[u64]; 2]) -> Result<[(bool, Vec<u64>); 2], Error> {
        let go_on = self.means.go_on;
        let limbs = column[0].len().max(column[1].len()) + matrix.length() + 1;
        self.get().set_matrix(matrix.entries(), limbs, go_on)?;
        self.get().solved(column, go_on)
    }
}

/// One run of the algorithm.
pub(super) struct Descent<'p, T> {
    pub(super) products: LazyProducts<'p>,
    pub(super) track: T,
}

impl<T: Track> Descent<'_, T> {
    /// Brings a >= b down until the longer number has one limb, or b is 0. Error: `interrupted`.
    pub(super) fn reduce(&mut self, numbers: &mut Numbers<'_>, cofactors: &mut impl Cofactors) -> Result<(), Error> {
        numbers.trim();
        while numbers.length >= RECURSIVE {
            if !self.part(numbers, numbers.length / 2, cofactors)? && !self.divide(numbers, 0, cofactors)? {
                return Ok(());
            }
        }
        while self.step(numbers, 0, cofactors)? {}
        Ok(())
    }

    /// Steps on the leading bits, or one division. Both numbers stay at least B^`floor`, unless that is 0. Returns whether there was a step:
    /// none for numbers of one limb, or if b is 0. Error: `interrupted`.
    #[inline]
    fn step(&mut self, numbers: &mut Numbers<'_>, floor: usize, cofactors: &mut impl Cofactors) -> Result<bool, Error> {
        self.products.poll(numbers.length)?;
        numbers.trim();
        if numbers.length <= floor.max(1) {
            return Ok(false);
        }
        let ([mut a, mut b], place) = numbers.windows();
        let lowest = (64 * floor) as isize - KEPT as isize;
        if floor > 0 && place < lowest {
            // The window ends where the steps keep B^floor. It has fewer bits.
            let short = (lowest - place) as u32;
            if short > SHORTER {
                return Ok(false);
            }
            (a, b) = (a >> short, b >> short);
        }
        let Some(steps) = Steps::of_windows(a, b, &mut self.track) else {
            return self.divide(numbers, floor, cofactors);
        };
        let n = numbers.length;
        steps.shrink(&mut numbers.a[..n], &mut numbers.b[..n]);
        cofactors.grow(&steps);
        self.order(numbers, cofactors);
        Ok(true)
    }

    /// Exchanges numbers that are in the wrong order.
    #[inline]
    fn order(&mut self, numbers: &mut Numbers<'_>, cofactors: &mut impl Cofactors) {
        let n = numbers.length;
        if numbers.a[..n].iter().rev().lt(numbers.b[..n].iter().rev()) {
            core::mem::swap(&mut numbers.a, &mut numbers.b);
            self.track.step(0);
            cofactors.swap();
        }
    }

    /// One step by a whole quotient: a, b = b, a mod b. Returns whether b is above 0, and the rest at least B^`floor`; otherwise nothing
    /// changes.
    #[cold]
    fn divide(
        &mut self,
        numbers: &mut Numbers<'_>,
        floor: usize,
        cofactors: &mut impl Cofactors,
    ) -> Result<bool, Error> {
        numbers.trim();
        let n = numbers.length;
        let divisor = Natural::from_limbs(&numbers.b[..n]);
        if divisor.limbs().len() <= floor {
            return Ok(false);
        }
        self.products.poll(WORDS_BETWEEN / 8)?;
        let (quotient, rest) = self.products.div_rem(&Natural::from_limbs(&numbers.a[..n]), &divisor);
        let rest = rest.limbs();
        if floor > 0 && rest.len() <= floor {
            return Ok(false);
        }
        numbers.a[..rest.len()].copy_from_slice(rest);
        numbers.a[rest.len()..n].fill(0);
        core::mem::swap(&mut numbers.a, &mut numbers.b);
        cofactors.divide(&quotient, &mut self.products);
        self.track.step(quotient.limbs()[0]);
        numbers.trim();
        Ok(true)
    }

    /// The half of the limbs from `p` on, for the whole numbers. Returns whether there was a step. Error: `interrupted`.
    fn part(&mut self, numbers: &mut Numbers<'_>, p: usize, cofactors: &mut impl Cofactors) -> Result<bool, Error> {
        let (n, h) = (numbers.length, numbers.length - p);
        let mut room = vec![0; 2 * h];
        let (a, b) = room.split_at_mut(h);
        a.copy_from_slice(&numbers.a[p..n]);
        b.copy_from_slice(&numbers.b[p..n]);
        let mut upper = Numbers { a, b, length: h };
        let matrix = self.half(&mut upper)?;
        if matrix.is_one {
            return Ok(false);
        }
        let changes = self.products.solved(&matrix, [significant(&numbers.a[..p]), significant(&numbers.b[..p])])?;
        for ((to, upper), (negative, change)) in
            [(&mut *numbers.a, &*upper.a), (&mut *numbers.b, &*upper.b)].into_iter().zip(changes)
        {
            let (to, change) = (&mut to[..n], significant(&change));
            to[..p].fill(0);
            to[p..].copy_from_slice(upper);
            let over = if negative != matrix.negative() {
                linear::sub_shorter(to, change)
            } else {
                linear::add_shorter(to, change)
            };
            debug_assert!(!over, "the numbers stay above 0, and become shorter");
        }
        cofactors.half(&matrix, &mut self.products)?;
        self.order(numbers, cofactors);
        numbers.trim();
        Ok(true)
    }

    /// See the module. The numbers become x' and y', x' >= y'. Error: `interrupted`.
    fn half(&mut self, numbers: &mut Numbers<'_>) -> Result<QuotientMatrix, Error> {
        let n = numbers.length;
        let s = n / 2 + 1;
        let mut matrix = QuotientMatrix::one(n - s + 1);
        if n <= s || significant(numbers.b).len() <= s {
            return Ok(matrix);
        }
        if n >= HALVED {
            // 1.
            self.part(numbers, n / 2, &mut matrix)?;
            // 2.
            while numbers.length > 3 * n / 4 + 1 {
                if !self.step(numbers, s, &mut matrix)? {
                    return Ok(matrix);
                }
            }
            // 3.
            if numbers.length > s + 2 {
                let p = 2 * s - numbers.length + 1;
                self.part(numbers, p, &mut matrix)?;
            }
        }
        // 4.
        while self.step(numbers, s, &mut matrix)? {}
        Ok(matrix)
    }
}
