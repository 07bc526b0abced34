//! Scalar rows with mul, umulh and adcs: the basecases of products and Montgomery reduction on aarch64.
//!
//! The organisation is that of `product::schoolbook` and `montgomery::sos`; only the inner loop is assembly, the corners are
//! the generic text. Nothing branches on or indexes by a value.
#![allow(unsafe_code)]

mod blocks;

use super::cpu::{self, Feature};
use super::montgomery::Family;
use super::montgomery::karatsuba_sos::KARATSUBA_SQUARES;
use super::montgomery::sos::quotient_tile;
use super::product::schoolbook::{add_pairs_tile, double_and_add_squares};
use super::product::{Leaf, blocks};
use super::threshold::{Settings, Threshold};
use crate::natural::linear::{self, with_constant};
use blocks::{ROWS, eight, five, four, one, seven, six, three, two};

type BlockText = unsafe extern "C" fn(*mut u64, *const u64, usize, *const u64, *mut u64);

const BLOCK: [BlockText; ROWS] = [one, two, three, four, five, six, seven, eight];

/// The values of the thresholds. A value of this type proves that this CPU has the instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Umulh(Settings);

impl Umulh {
    /// On a CPU that can, with values for [`THRESHOLDS`].
    pub(crate) fn new(settings: Settings) -> Option<Self> {
        cpu::has(Feature::Umulh).then_some(Self(settings))
    }

    /// `t + window b^n += a * factors` for n words of `t` and of `a`, with the window above t.
    fn run<const S: usize>(self, t: &mut [u64], a: &[u64], factors: &[u64; S], window: &mut [u64; S]) {
        assert!(t.len() == a.len());
        // SAFETY: `self` shows that the CPU has the instructions; t and a have a.len() words, factors and window S, and mutable
        // borrows overlap nothing.
        unsafe { BLOCK[S - 1](t.as_mut_ptr(), a.as_ptr(), a.len(), factors.as_ptr(), window.as_mut_ptr()) }
    }

    /// Adds `a * factors` to the lower n words of `t`; the S words above them are overwritten by the carry.
    fn add_rows<const S: usize>(self, t: &mut [u64], a: &[u64], factors: &[u64]) {
        let (row, above) = t.split_at_mut(a.len());
        let mut window = [0; S];
        self.run::<S>(row, a, factors.first_chunk().expect("a block of S factors"), &mut window);
        linear::copy(&mut above[..S], &window);
    }

    /// Adds to `t` the products of two different words of which the lower one is among the first S of `a`.
    fn add_pairs<const S: usize>(self, t: &mut [u64], a: &[u64]) {
        let (row, above) = t.split_at_mut(a.len());
        let (corner, row) = row.split_first_chunk_mut::<S>().expect("a block of S rows");
        let (factors, a) = a.split_first_chunk::<S>().expect("a block of S rows");
        let mut window = add_pairs_tile(corner, factors);
        self.run::<S>(row, a, factors, &mut window);
        linear::copy(&mut above[..S], &window);
    }

    /// One step of `sos`: adds the multiple of m that makes the S lowest words vanish; takes and returns the pending bit.
    fn reduce_rows<const S: usize>(self, t: &mut [u64], m: &[u64], m_prime: u64, waiting: bool) -> bool {
        let (row, above) = t.split_at_mut(m.len());
        let (corner, row) = row.split_first_chunk_mut::<S>().expect("a block of S rows");
        let (low, m) = m.split_first_chunk::<S>().expect("a block of S rows");
        let (u, mut window) = quotient_tile(corner, low, m_prime);
        self.run::<S>(row, m, &u, &mut window);
        linear::add_assign(&mut above[..S], &window, waiting)
    }
}

/// The most words of a low product by rows, whose sum is on the stack.
const LOW_ROOM: usize = 48;

/// The thresholds, in words. The default values are not measured (docs/records/thresholds.md): from 32 words on halving saves a
/// quarter of the products and costs less in additions; a square by rows takes half the products.
pub(super) const THRESHOLDS: &[Threshold] = &[
    Threshold {
        name: "leaf",
        summary: "longest operands, in limbs, that are multiplied by rows, and whose low product is",
        usual: 32,
        least: 8,
        most: LOW_ROOM as u8,
        of_entering: false,
        tried: &[16, 24, 40],
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
    KARATSUBA_SQUARES,
];

impl Leaf<u64> for Umulh {
    fn words(self) -> usize {
        self.0.get(0)
    }

    fn square_words(self) -> usize {
        self.0.get(1).max(self.words())
    }

    /// Count: n^2 products.
    fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        let n = a.len();
        assert!(b.len() == n && t.len() == 2 * n);
        linear::clear(&mut t[..n]);
        for (at, rows) in blocks(n, ROWS) {
            with_constant!(rows, S in [1 2 3 4 5 6 7 8], self.add_rows::<S>(&mut t[at..], a, &b[at..]));
        }
    }

    /// Adds each pair once, then doubles the sum and adds the squares.
    ///
    /// Count: n(n+1)/2 products.
    fn sqr(self, t: &mut [u64], a: &[u64]) {
        let n = a.len();
        assert!(t.len() == 2 * n);
        linear::clear(&mut t[..n]);
        for (at, rows) in blocks(n, ROWS) {
            with_constant!(rows, S in [1 2 3 4 5 6 7 8], self.add_pairs::<S>(&mut t[2 * at..], &a[at..]));
        }
        double_and_add_squares(t, a);
    }

    /// Each block multiplies only the words of `a` that contribute to the lower half; higher words are dropped.
    ///
    /// Count: n(n+1)/2 products, and S(S-1)/2 more for each block of S rows, which are dropped.
    fn low_mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        let n = t.len();
        assert!(n <= LOW_ROOM && a.len() == n && b.len() == n);
        let mut sum = [0; LOW_ROOM + ROWS];
        for (at, rows) in blocks(n, ROWS) {
            with_constant!(rows, S in [1 2 3 4 5 6 7 8], self.add_rows::<S>(&mut sum[at..], &a[..n - at], &b[at..]));
        }
        linear::copy(t, &sum[..n]);
        // The sum may be the quotient of a secret product.
        linear::wipe(&mut sum);
    }
}

impl Family<u64> for Umulh {
    #[inline(always)]
    fn leaf(self) -> impl Leaf<u64> {
        self
    }

    /// Count: n^2 + n products.
    fn redc_rows(self, t: &mut [u64], m: &[u64], m_prime: u64) -> bool {
        assert!(t.len() == 2 * m.len());
        let mut waiting = false;
        for (at, rows) in blocks(m.len(), ROWS) {
            waiting =
                with_constant!(rows, S in [1 2 3 4 5 6 7 8], self.reduce_rows::<S>(&mut t[at..], m, m_prime, waiting));
        }
        waiting
    }

    #[inline(always)]
    fn karatsuba_squares(self) -> usize {
        self.0.get(2)
    }
}
