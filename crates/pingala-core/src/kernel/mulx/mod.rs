//! Scalar rows with mulx, adcx and adox: the basecases of products and Montgomery reduction on x86-64 with BMI2 and ADX.
//!
//! The organisation is that of `product::schoolbook` and `montgomery::sos`, with inner loops in assembly; products and squares
//! of up to 8 words, and the final subtraction, are assembly altogether. Nothing branches on or indexes by a value.
#![allow(unsafe_code)]

// A macro is visible only after its definition, so that this module comes first.
#[macro_use]
mod rows;
mod blocks;
mod row;
mod scan;
mod subtraction;

use super::cpu::{self, Feature};
use super::montgomery::karatsuba_sos::KARATSUBA_SQUARES;
use super::montgomery::{Constants, Family, Unreduced};
use super::product::{self, Leaf};
use super::threshold::{Settings, Threshold};
use crate::exponent::SecretDigit;
use crate::natural::linear;
use blocks::{ROWS, eight, five, four, one, seven, six, three, two};

/// The functions of one name for blocks of 1 to [`ROWS`] rows.
macro_rules! of_blocks {
    ($($all:ident = $name:ident $arguments:tt $(-> $result:ty)?;)+) => {
        $(const $all: [unsafe extern "sysv64" fn $arguments $(-> $result)?; ROWS] =
            [one::$name, two::$name, three::$name, four::$name, five::$name, six::$name, seven::$name, eight::$name];)+
    };
}

of_blocks! {
    ADD_ROWS = add_rows(*mut u64, *const u64, usize, *const u64);
    ADD_PAIRS = add_pairs(*mut u64, *const u64, usize);
    SQUARE = square(*mut u64, *const u64);
    CIOS = cios(*mut u64, *const u64, *const u64, *const u64, u64);
    SOS_SQR = sos_sqr(*mut u64, *const u64, *mut u64, *const u64, u64);
    REDUCE_ROWS = reduce_rows(*mut u64, *const u64, usize, u64, u64) -> u64;
}

/// The thresholds, in words. docs/records/thresholds.md has the measurements of the default values.
pub(super) const THRESHOLDS: &[Threshold] = &[
    Threshold {
        name: "leaf",
        summary: "longest operands, in limbs, that are multiplied by rows",
        usual: 24,
        least: 8,
        most: LOW_ROOM as u8,
        of_entering: false,
        tried: &[16, 20, 28, 32],
        lengths: &[40, 48, 64, 96],
    },
    Threshold {
        name: "square_leaf",
        summary: "longest operand, in limbs, that is squared by rows; at least leaf",
        usual: 56,
        least: 8,
        most: 128,
        of_entering: false,
        tried: &[40, 48, 64],
        lengths: &[64, 80, 112, 128],
    },
    Threshold {
        name: "low_leaf",
        summary: "longest operands, in limbs, whose low product is formed by rows; at least leaf",
        usual: 40,
        least: 8,
        most: LOW_ROOM as u8,
        of_entering: false,
        tried: &[28, 32, 48],
        lengths: &[48, 64, 80, 128],
    },
    Threshold {
        name: "cyclic_from",
        summary: "shortest products modulo b^n - 1, in limbs, that are halved",
        usual: 32,
        least: 16,
        most: 255,
        of_entering: false,
        tried: &[24, 48, 64],
        lengths: &[64, 96, 128, 192],
    },
    KARATSUBA_SQUARES,
];

/// Those of low products only: a setting is known by its place, so the first of [`THRESHOLDS`].
pub(super) const LOW_THRESHOLDS: &[Threshold] = THRESHOLDS.split_at(3).0;

/// The most words of a low product by rows, whose sum is on the stack.
const LOW_ROOM: usize = 48;

/// The values of the thresholds, and whether this CPU has AVX2, which only [`scan`] uses. A value of this type proves that it has mulx,
/// adcx and adox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mulx(Settings, Option<scan::VectorScan>);

impl Mulx {
    /// On a CPU that can, with values for [`THRESHOLDS`].
    pub(crate) fn new(settings: Settings) -> Option<Self> {
        (cpu::has(Feature::Bmi2) && cpu::has(Feature::Adx)).then(|| Self(settings, scan::VectorScan::detected()))
    }
}

impl Leaf<u64> for Mulx {
    #[inline(always)]
    fn words(self) -> usize {
        self.0.get(0)
    }

    #[inline(always)]
    fn square_words(self) -> usize {
        self.0.get(1).max(self.words())
    }

    #[inline(always)]
    fn low_words(self) -> usize {
        self.0.get(2).max(self.words())
    }

    #[inline(always)]
    fn cyclic_words(self) -> usize {
        self.0.get(3)
    }

    /// Count: n^2 products.
    fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        let n = a.len();
        assert!(b.len() == n && t.len() == 2 * n);
        linear::clear(&mut t[..n]);
        for (at, rows) in product::blocks(n, ROWS) {
            // SAFETY: `self` shows that the CPU has the instructions; t has n + rows words from `at` on, since at + rows
            // <= n; a has n words and b has `rows` from `at` on.
            unsafe { ADD_ROWS[rows - 1](t.as_mut_ptr().add(at), a.as_ptr(), n, b.as_ptr().add(at)) }
        }
    }

    /// Adds each pair once, then doubles the sum and adds the squares.
    ///
    /// Count: n(n+1)/2 products.
    fn sqr(self, t: &mut [u64], a: &[u64]) {
        let n = a.len();
        assert!(n > 0 && t.len() == 2 * n);
        if n <= ROWS {
            // SAFETY: `self` shows that the CPU has the instructions; a has n words and t has 2n.
            return unsafe { SQUARE[n - 1](t.as_mut_ptr(), a.as_ptr()) };
        }
        linear::clear(&mut t[..n]);
        for (at, rows) in product::blocks(n, ROWS) {
            // SAFETY: `self` shows that the CPU has the instructions; a has n - at >= rows words from `at` on, and t has
            // n - at + rows from 2 at on, since at + rows <= n.
            unsafe { ADD_PAIRS[rows - 1](t.as_mut_ptr().add(2 * at), a.as_ptr().add(at), n - at) }
        }
        // SAFETY: `self` shows that the CPU has the instructions; a has n words and t has 2n.
        unsafe { blocks::double_and_add_squares(t.as_mut_ptr(), a.as_ptr(), n) }
    }

    /// The block that starts at word i of `b` multiplies its S words by the lowest n - i words of `a`; higher words are dropped.
    ///
    /// Count: n(n+1)/2 products, and S(S-1)/2 more for each block of S rows, which are dropped.
    fn low_mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        let n = t.len();
        assert!(0 < n && n <= LOW_ROOM && a.len() == n && b.len() == n);
        let mut sum = [0; LOW_ROOM + ROWS];
        for (at, rows) in product::blocks(n, ROWS) {
            // SAFETY: `self` shows that the CPU has the instructions; the sum has n - at + rows words from `at` on, since
            // n <= LOW_ROOM and rows <= ROWS; a has n - at >= 1 words and b has `rows` from `at` on.
            unsafe { ADD_ROWS[rows - 1](sum.as_mut_ptr().add(at), a.as_ptr(), n - at, b.as_ptr().add(at)) }
        }
        linear::copy(t, &sum[..n]);
        // The sum may be the quotient of a secret product.
        linear::wipe(&mut sum);
    }

    /// With h = ceil(n / 2): i + j < n and i < j give i < h, so the pairs of the lowest h words are all that matter, and of the block that
    /// starts at word i those with the words below n - i; higher words are dropped.
    ///
    /// Count: about n(n+2)/4 products, and 2n more in the blocks, which are dropped.
    fn low_sqr(self, t: &mut [u64], a: &[u64]) {
        let n = t.len();
        assert!(0 < n && n <= LOW_ROOM && a.len() == n);
        let mut sum = [0; LOW_ROOM + ROWS];
        let half = n.div_ceil(2);
        for (at, rows) in product::blocks(half, ROWS) {
            // SAFETY: `self` shows that the CPU has the instructions; a has n - 2 at words from `at` on, at least `rows`, since
            // 2 (at + rows) <= 2 half <= n + 1; the sum has n - 2 at + rows words from 2 at on, as n <= LOW_ROOM and rows <= ROWS.
            unsafe { ADD_PAIRS[rows - 1](sum.as_mut_ptr().add(2 * at), a.as_ptr().add(at), n - 2 * at) }
        }
        // SAFETY: `self` shows that the CPU has the instructions; a has `half` words, and the sum 2 half <= n + 1 <= LOW_ROOM + ROWS.
        unsafe { blocks::double_and_add_squares(sum.as_mut_ptr(), a.as_ptr(), half) }
        linear::copy(t, &sum[..n]);
        // The number may be a secret.
        linear::wipe(&mut sum);
    }

    #[inline(always)]
    fn add_row(self, t: &mut [u64], a: &[u64], factor: u64) -> u64 {
        assert!(t.len() == a.len());
        // SAFETY: `self` shows that the CPU has the instructions; both have `a.len()` words, as asserted.
        unsafe { row::add_row(t.as_mut_ptr(), a.as_ptr(), a.len(), factor) }
    }

    #[inline(always)]
    fn rows(self) -> usize {
        ROWS
    }

    #[inline(always)]
    fn add_rows(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        assert!(t.len() == a.len() + b.len());
        // SAFETY: `self` shows that the CPU has the instructions; t has n + S words for the n of a and the S of b.
        unsafe { ADD_ROWS[b.len() - 1](t.as_mut_ptr(), a.as_ptr(), a.len(), b.as_ptr()) }
    }
}

impl Family<u64> for Mulx {
    #[inline(always)]
    fn leaf(self) -> impl Leaf<u64> {
        self
    }

    /// The lower words hold Q afterwards.
    ///
    /// Count: n^2 + n products.
    fn redc_rows(self, t: &mut [u64], m: &[u64], m_prime: u64) -> bool {
        let n = m.len();
        assert!(t.len() == 2 * n);
        let mut waiting = 0;
        for (at, rows) in product::blocks(n, ROWS) {
            // SAFETY: `self` shows that the CPU has the instructions; t has n + rows words from `at` on, since at + rows
            // <= n; m has n >= rows words.
            waiting = unsafe { REDUCE_ROWS[rows - 1](t.as_mut_ptr().add(at), m.as_ptr(), n, m_prime, waiting) };
        }
        waiting != 0
    }

    #[inline(always)]
    fn karatsuba_squares(self) -> usize {
        self.0.get(4)
    }

    /// Up to [`ROWS`] words the whole product stays in registers, and the rows of the product hide the latency of the
    /// quotient words, which a separate reduction cannot hide.
    #[inline(always)]
    fn cios(self, arena: &mut [u64], out: usize, a: usize, b: usize, constants: &Constants<'_, u64>) -> bool {
        let n = constants.m.len();
        if n == 0 || n > ROWS {
            return false;
        }
        assert!(arena.len() >= n && out.max(a).max(b) <= arena.len() - n);
        let at = arena.as_mut_ptr();
        // SAFETY: `self` shows that the CPU has the instructions; the arena has n words from `out`, `a` and `b` on, which
        // coincide or are disjoint, and m has n words.
        unsafe { CIOS[n - 1](at.add(out), at.add(a), at.add(b), constants.m.as_ptr(), constants.m_prime) };
        debug_assert!(linear::less(&arena[out..out + n], constants.m));
        true
    }

    /// Up to [`ROWS`] words, in one call, which is quicker than CIOS (docs/records/thresholds.md).
    #[inline(always)]
    fn short_sqr(
        self,
        arena: &mut [u64],
        out: usize,
        a: usize,
        scratch: &mut [u64],
        constants: &Constants<'_, u64>,
    ) -> bool {
        let n = constants.m.len();
        if n == 0 || n > ROWS {
            return false;
        }
        assert!(arena.len() >= n && out.max(a) <= arena.len() - n && scratch.len() >= 2 * n);
        let (at, t) = (arena.as_mut_ptr(), scratch.as_mut_ptr());
        // SAFETY: `self` shows that the CPU has the instructions; the arena has n words from `out` and `a` on, which coincide or
        // are disjoint, the scratch is another buffer and has 2n words, and m has n.
        unsafe { SOS_SQR[n - 1](at.add(out), at.add(a), t, constants.m.as_ptr(), constants.m_prime) };
        debug_assert!(linear::less(&arena[out..out + n], constants.m));
        true
    }

    #[inline(always)]
    fn scan(self, packed: &mut [u64], one: &[u64], table: &[u64], digit: SecretDigit) -> bool {
        self.1.is_some_and(|vectors| vectors.scan(packed, one, table, digit))
    }

    #[inline(always)]
    fn finish(self, value: Unreduced<'_, u64>, out: &mut [u64], m: &[u64]) {
        let n = m.len();
        assert!(out.len() == n && value.words.len() == n);
        let (from, overflow) = (value.words.as_ptr(), u64::from(value.overflow));
        // SAFETY: the code needs no more than x86-64; all three have n words, and `out`, a separate mutable borrow, is none of the
        // others.
        unsafe { subtraction::subtract_once(out.as_mut_ptr(), from, m.as_ptr(), n, overflow) };
        debug_assert!(linear::less(out, m));
    }
}
