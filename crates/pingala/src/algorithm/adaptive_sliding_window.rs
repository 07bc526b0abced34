//! The adaptive sliding-window method of Ji and Wan: \[jiwan2017adaptive\], Algorithms 3 and 4, with Table II corrected.

use super::{Counts, ExpectedCost, ExponentShape, Monoid, Program, Register, Schedule, SlidingWindow, WindowBits};
use crate::exponent::{Exponent, MAX_DIGIT_BITS};

/// Sliding windows ([`SlidingWindow`]) of m bits with m chosen from the exponent's length k alone: the minimiser of
/// [`sliding_window_multiplications`].
///
/// The paper's Algorithm 4 takes m from its Table II, which does not follow from its formula: it names m + 1 for every
/// k above 23. This is the method with the formula's own minimiser. The execution is this folder's: see
/// [`SlidingWindow`] for the exact and the expected count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveSlidingWindow;

/// T'(k, m) = 2^(m-1) + k + k/(m + 1), the paper's mean number of products for exponents of k bits with windows of m
/// bits.
pub fn sliding_window_multiplications(exponent_bits: usize, m: u32) -> f64 {
    let k = exponent_bits as f64;
    f64::from(1u32 << (m - 1)) + k + k / f64::from(m + 1)
}

/// The m, 1 to 16, that minimises [`sliding_window_multiplications`]; the higher one on a tie. The step from m to m + 1
/// is at k = 2^(m-1) (m+1) (m+2), exactly a tie:
///
/// | k | 1-5 | 6-23 | 24-79 | 80-239 | 240-671 | 672-1791 | 1792-4607 | 4608-11519 |
/// |---|---|---|---|---|---|---|---|---|
/// | m | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
pub fn sliding_window_minimiser(exponent_bits: usize) -> u32 {
    // T'(k, m + 1) <= T'(k, m) exactly if 2^(m-1) <= k/(m+1) - k/(m+2) = k/((m+1) (m+2)), and T' is convex in m.
    let not_worse = |m: u32| (1u64 << (m - 1)) * u64::from((m + 1) * (m + 2)) <= exponent_bits as u64;
    (1..MAX_DIGIT_BITS).find(|&m| !not_worse(m)).unwrap_or(MAX_DIGIT_BITS)
}

impl AdaptiveSlidingWindow {
    #[inline]
    fn chosen(exponent_bits: usize) -> SlidingWindow {
        SlidingWindow(WindowBits::new(sliding_window_minimiser(exponent_bits)))
    }
}

impl Program for AdaptiveSlidingWindow {
    type Parameter = ();

    const NAME: &'static str = "adaptive_sliding_window";
    const SOURCE: &'static str = "[jiwan2017adaptive] algorithm 4, table II corrected";
    const SUMMARY: &'static str = "sliding_window with the width that Ji and Wan's formula names for the length";
    const SCHEDULE: Schedule = Schedule::ByExponent;

    /// It is the method that it chooses, whose window a planner chooses by price.
    const IS_PLANNED: bool = false;

    fn with((): ()) -> Self {
        Self
    }

    fn parameter(&self) {}

    fn registers(&self, exponent_bits: usize) -> usize {
        Self::chosen(exponent_bits).registers(exponent_bits)
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        Self::chosen(shape.bits).expected(shape)
    }

    fn exact(&self, exponent: &Exponent) -> Counts {
        Self::chosen(exponent.bits()).exact(exponent)
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        Self::chosen(exponent.bits()).run(exponent, monoid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table II as the formula has it; the paper prints 2 for 1-20, 3 for 21-23 and m + 1 from 24 on.
    #[test]
    fn table_2_corrected() {
        for (first, last, m) in [
            (1, 5, 1),
            (6, 23, 2),
            (24, 79, 3),
            (80, 239, 4),
            (240, 671, 5),
            (672, 1791, 6),
            (1792, 4607, 7),
            (4608, 11519, 8),
            (11520, 28159, 9),
            (28160, 28160, 10),
        ] {
            for k in first..=last {
                assert_eq!(sliding_window_minimiser(k), m, "{k} bits");
            }
        }
    }

    /// Second differences in m are positive, and the minimiser is the least of all, and the last of the least.
    #[test]
    fn the_formula_is_convex() {
        for k in (1..3000).chain((3000..1 << 26).step_by(99_991)) {
            // Exact, over the common denominator lcm(2, ..., 17) = 12252240.
            let products: Vec<u128> = (1..=16u128)
                .map(|m| ((1 << (m - 1)) + k as u128) * 12_252_240 + k as u128 * (12_252_240 / (m + 1)))
                .collect();
            assert!(products.windows(3).all(|t| t[0] + t[2] > 2 * t[1]), "k = {k}");
            let least = *products.iter().min().unwrap();
            let last = products.iter().rposition(|&p| p == least).unwrap() as u32 + 1;
            assert_eq!(sliding_window_minimiser(k), last, "k = {k}");
            let float = sliding_window_multiplications(k, last);
            assert!((float - least as f64 / 12_252_240.0).abs() < 1e-6 * float);
        }
    }

    /// GMP's window thresholds (`win_size` in mpn/generic/powm.c) are the minimisers of T'(k - 1, m), ties to the
    /// lower m: one squaring less than the formula charges.
    #[test]
    fn thresholds_of_gmp() {
        let thresholds = [7, 25, 81, 241, 673, 1793, 4609, 11521, 28161];
        for k in 1..40_000usize {
            let gmp = 1 + thresholds.iter().filter(|&&threshold| k > threshold).count() as u32;
            // Without ties the lower minimiser of k - 1 is the higher one of k - 2.
            assert_eq!(gmp, sliding_window_minimiser(k.saturating_sub(2)), "k = {k}");
        }
    }
}
