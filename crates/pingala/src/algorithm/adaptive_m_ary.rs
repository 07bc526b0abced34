//! The adaptive m-ary method of Ji and Wan: \[jiwan2017adaptive\], Algorithms 1 and 2 and Table I.

use super::{Counts, ExpectedCost, ExponentShape, KAry, Monoid, Program, Register, Schedule, WindowBits};
use crate::exponent::{Exponent, MAX_DIGIT_BITS};

/// The 2^m-ary method ([`KAry`]) with m chosen from the exponent's length k alone: the minimiser of
/// [`m_ary_multiplications`].
///
/// The choice is the paper's, the execution this folder's: see [`KAry`] for the exact and the expected count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveMAry;

/// T(k, m) = 2^m - 2 + k - m + (1 - 2^-m) (k - m)/m, the paper's mean number of products for exponents of k bits with
/// digits of m bits, m < k.
pub fn m_ary_multiplications(exponent_bits: usize, m: u32) -> f64 {
    let (numerator, denominator) = scaled(exponent_bits, m);
    numerator as f64 / denominator as f64
}

/// The m, 1 to 16, that minimises [`m_ary_multiplications`]; the higher one on a tie. It is the paper's Table I:
///
/// | k | 1-5 | 6-34 | 35-121 | 122-368 | 369-1043 | 1044-2822 | 2823-7370 | 7371- |
/// |---|---|---|---|---|---|---|---|---|
/// | m | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
///
/// where the last column ends at 18725.
pub fn m_ary_minimiser(exponent_bits: usize) -> u32 {
    // T is convex in m, so the first m that is not beaten is the least.
    let mut m = 1;
    while m < MAX_DIGIT_BITS {
        let ((here, here_scale), (next, next_scale)) = (scaled(exponent_bits, m), scaled(exponent_bits, m + 1));
        if next * here_scale > here * next_scale {
            break;
        }
        m += 1;
    }
    m
}

/// T(k, m) as an exact fraction over m 2^m.
fn scaled(exponent_bits: usize, m: u32) -> (i128, i128) {
    let (k, m, power) = (exponent_bits as i128, i128::from(m), 1i128 << m);
    ((power - 2 + k - m) * m * power + (power - 1) * (k - m), m * power)
}

impl AdaptiveMAry {
    #[inline]
    fn chosen(exponent_bits: usize) -> KAry {
        KAry(WindowBits::new(m_ary_minimiser(exponent_bits)))
    }
}

impl Program for AdaptiveMAry {
    is_its_parameter!();

    const NAME: &'static str = "adaptive_m_ary";
    const SOURCE: &'static str = "[jiwan2017adaptive] algorithm 2";
    const SUMMARY: &'static str = "k_ary with the digit width that Ji and Wan's formula names for the length";
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
#[path = "../../tests/inside/algorithm/adaptive_m_ary.rs"]
mod tests;
