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
    is_its_parameter!();

    const NAME: &'static str = "adaptive_sliding_window";
    const SOURCE: &'static str = "[jiwan2017adaptive] algorithm 4, table II corrected";
    const SUMMARY: &'static str = "sliding_window with the width that Ji and Wan's formula names for the length";
    const SCHEDULE: Schedule = Schedule::ByExponent;

    /// It is the method that it chooses, whose window a planner chooses by price.
    const IS_PLANNED: bool = false;

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
#[path = "../../tests/inside/algorithm/adaptive_sliding_window.rs"]
mod tests;
