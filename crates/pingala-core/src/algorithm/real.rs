//! Functions of real numbers for expected costs, which `core` does not have: those of the standard library, or without it those of libm.

#[cfg(not(feature = "std"))]
pub(super) use libm::{log as ln, log2, pow as powf};
#[cfg(feature = "std")]
pub(super) use of_std::{ln, log2, powf, powi};

/// x^n.
#[cfg(not(feature = "std"))]
pub(super) fn powi(x: f64, n: i32) -> f64 {
    powf(x, n.into())
}

#[cfg(feature = "std")]
mod of_std {
    /// x^n.
    #[inline]
    pub(in crate::algorithm) fn powi(x: f64, n: i32) -> f64 {
        x.powi(n)
    }

    /// x^y for x >= 0.
    #[inline]
    pub(in crate::algorithm) fn powf(x: f64, y: f64) -> f64 {
        x.powf(y)
    }

    /// The natural logarithm.
    #[inline]
    pub(in crate::algorithm) fn ln(x: f64) -> f64 {
        x.ln()
    }

    /// The logarithm to base 2.
    #[inline]
    pub(in crate::algorithm) fn log2(x: f64) -> f64 {
        x.log2()
    }
}
