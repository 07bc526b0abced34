//! Sliding windows over the exponent: HAC 14.85, Algorithm 5 of \[tandrup2004fast\], Algorithm 3 of \[jiwan2017adaptive\].
//!
//! Lemmas: Programs.odd_windows_raise (proofs/README.md).

use super::{BASE, ExpectedCost, ExponentShape, Monoid, Program, Register, WindowBits, powers};
use crate::algorithm::real::powi;
use crate::exponent::{Exponent, Windows};

/// Left-to-right sliding-window exponentiation with windows of at most w bits.
///
/// 1. Precompute g^2 and the odd powers g^3, g^5, ..., g^(2^w - 1).
/// 2. From the top bit down: over a zero A <- A^2; at a one take the longest window of at most w bits that ends in a
///    one, l bits of the odd value v, and A <- A^(2^l) * g^v.
///
/// Departures: A starts as the table entry of the first window (nothing squares 1), and the squarings between two
/// products are one call.
///
/// Exactly, with V windows, the first of length L: bits - L + \[w > 1\] squarings and V - 1 + (2^(w-1) - 1) products; of
/// these by the base are the windows of value 1 after the first, and g^3 = g^2 * g of the table.
///
/// Expected, with q = 1 - p and p the density of the bits below the top (1/2 unless the weight is known): a window and
/// the zeros behind it take mu = w + q/p bits with variance q/p^2, so that by renewal theory
/// V = bits/mu + (q/p^2 + mu^2 - mu)/(2 mu^2), for p = 1/2 that is bits/(w+1) + (2 + w(w+1))/(2 (w+1)^2);
/// V = 2 - q^(bits - w) for w < bits <= 2w and V = 1 up to w bits, exactly.
/// L = w - (q + q^2 + ... + q^(w-1)), for p = 1/2 that is w - 1 + 2^(1-w).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlidingWindow(pub WindowBits);

impl SlidingWindow {
    /// The expected numbers of windows after the first, and of those among them with the value 1.
    pub(super) fn expected_windows(&self, shape: &ExponentShape) -> (f64, f64) {
        let (bits, w, p) = (shape.bits as f64, self.0.get() as f64, shape.density());
        let q = 1.0 - p;
        if bits <= w || p == 0.0 {
            return (0.0, 0.0);
        }
        let below = bits - w;
        if below <= w {
            // At most one more window; its value is 1 if exactly one of the bits below the first window is set.
            return (1.0 - powi(q, below as i32), below * p * powi(q, below as i32 - 1));
        }
        let (mean, variance) = (w + q / p, q / (p * p));
        let windows = bits / mean + (variance + mean * mean - mean) / (2.0 * mean * mean) - 1.0;
        // A full window has the value 1 with probability q^(w-1); one that starts with j < w bits left, with q^(j-1).
        let full = powi(q, w as i32 - 1);
        let clipped = ((1.0 - full) / p - (w - 1.0) * full) / mean;
        (windows, windows * full + clipped)
    }
}

named! {
    SlidingWindow(WindowBits), "sliding_window",
    "[menezes1996handbook] 14.85; [tandrup2004fast] algorithm 5; [jiwan2017adaptive] algorithm 3; [koc1995analysis]",
    "windows that start and end in a one bit, over a table of odd powers"
}

impl Program for SlidingWindow {
    fn registers(&self, _exponent_bits: usize) -> usize {
        powers::registers(self.0)
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        let (windows, ones) = self.expected_windows(shape);
        powers::expected(self.0, shape, self.0.width().min(shape.bits), windows, ones)
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        raise_by_odd_windows(monoid, self.0, exponent.sliding_windows(self.0.get()))
    }
}

/// Fills the odd powers and folds the windows into the register behind them.
#[inline]
pub(super) fn raise_by_odd_windows<M: Monoid + ?Sized>(
    monoid: &mut M,
    w: WindowBits,
    windows: Windows<'_>,
) -> Register {
    powers::fill_odd_powers(monoid, w);
    fold_windows(monoid, Register(1 << (w.get() - 1)), windows, powers::odd_power, M::mul_power)
}

/// Folds windows into `accumulator`, from the top: `power` names the register of the power with a window's odd value, and `mul` is
/// how the accumulator is multiplied by it. Names the register of the result: that of a power if there is one window.
#[inline]
pub(super) fn fold_windows<M: Monoid + ?Sized>(
    monoid: &mut M,
    accumulator: Register,
    mut windows: Windows<'_>,
    power: impl Fn(usize) -> Register,
    mul: impl Fn(&mut M, Register, Register, Register),
) -> Register {
    let mut at = windows.next().map_or(BASE, |first| power(first.value));
    for window in windows {
        monoid.sqr_n(accumulator, at, window.squarings());
        at = accumulator;
        if window.value > 0 {
            mul(monoid, at, at, power(window.value));
        }
    }
    at
}
