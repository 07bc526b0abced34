//! What no chain can be shorter than.

use core::fmt;
use pingala_core::exponent::Exponent;

/// A length that every chain for one exponent has at least, and the theorem that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowerBound {
    /// The length.
    pub length: usize,
    /// Who proved it.
    pub theorem: &'static str,
}

impl fmt::Display for LowerBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.length, self.theorem)
    }
}

/// The best of two bounds, for b bits of which v are 1.
///
/// - b - 1 + ceil(log2 v), proved for v <= 16, and b - 1 + 4 for all v >= 9 \[knuth1997seminumerical\] 4.6.3, theorems B, C and
///   exercise 4.6.3-28, \[thurber1973addition\];
/// - log2 n + log2 v - 2.13, rounded up \[schonhage1975lower\].
pub fn lower_bound(exponent: &Exponent) -> LowerBound {
    let weight = exponent.weight();
    let small_steps = weight.next_power_of_two().ilog2().min(4) as usize;
    let thurber = LowerBound { length: exponent.bits() - 1 + small_steps, theorem: "Thurber" };
    let bound = log2_from_below(exponent) + (weight as f64).log2() - 2.13;
    // Rounding may not lift the bound above an integer that it does not reach.
    let length = (bound - 1e-6).ceil().max(0.0) as usize;
    if length > thurber.length { LowerBound { length, theorem: "Schönhage" } } else { thurber }
}

/// log2 of the exponent, from its leading bits.
fn log2_from_below(exponent: &Exponent) -> f64 {
    let bits = exponent.bits();
    let top = (0..bits.min(53)).fold(0u64, |top, k| top << 1 | u64::from(exponent.bit(bits - 1 - k)));
    (top as f64).log2() + (bits - bits.min(53)) as f64
}

#[cfg(test)]
#[path = "../tests/inside/bounds.rs"]
mod tests;
