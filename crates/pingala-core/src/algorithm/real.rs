//! Functions of real numbers for expected costs, which `core` does not have: those of the standard library, or without it our own, whose
//! relative errors are below 10^-12.

#[cfg(feature = "std")]
pub(super) use of_std::{ln, log2, powf, powi};
#[cfg(not(feature = "std"))]
pub(super) use own::{ln, log2, powf, powi};

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

#[cfg(any(test, not(feature = "std")))]
mod own {
    use core::f64::consts::{LN_2, SQRT_2};

    /// The bits of a fraction.
    const FRACTION_BITS: u32 = 52;
    /// The exponent of 1.
    const BIAS: i64 = 1023;

    /// x^n, by squarings.
    pub(in crate::algorithm) fn powi(x: f64, n: i32) -> f64 {
        let (mut result, mut square, mut left) = (1.0, x, n.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                result *= square;
            }
            square *= square;
            left >>= 1;
        }
        if n < 0 { 1.0 / result } else { result }
    }

    /// x^y for x >= 0: e^(y ln x).
    pub(in crate::algorithm) fn powf(x: f64, y: f64) -> f64 {
        if y == 0.0 || x == 1.0 { 1.0 } else { exp(y * ln(x)) }
    }

    /// The natural logarithm of 2^k m, for m from 1/sqrt 2 to sqrt 2: k ln 2 + 2 artanh s, s = (m - 1) / (m + 1), |s| < 0.172. NaN below 0;
    /// of a subnormal number as of 0.
    pub(in crate::algorithm) fn ln(x: f64) -> f64 {
        match x {
            _ if x.is_nan() || x < 0.0 => return f64::NAN,
            _ if x < f64::MIN_POSITIVE => return f64::NEG_INFINITY,
            f64::INFINITY => return x,
            _ => {}
        }
        let mut k = (x.to_bits() >> FRACTION_BITS) as i64 - BIAS;
        let mut m = f64::from_bits(x.to_bits() & ((1 << FRACTION_BITS) - 1) | (BIAS as u64) << FRACTION_BITS);
        if m > SQRT_2 {
            (k, m) = (k + 1, m / 2.0);
        }
        let s = (m - 1.0) / (m + 1.0);
        // s^25 / 25 is below 2^-67.
        let series = (0..12).rev().fold(0.0, |sum, i| sum * s * s + 1.0 / f64::from(2 * i + 1));
        k as f64 * LN_2 + 2.0 * s * series
    }

    /// The logarithm to base 2.
    pub(in crate::algorithm) fn log2(x: f64) -> f64 {
        ln(x) / LN_2
    }

    /// e^x = 2^k e^r, |r| <= ln 2 / 2.
    fn exp(x: f64) -> f64 {
        // Beyond these the result is infinite, or so small that it counts as 0.
        const MOST: f64 = 709.0;
        match x {
            _ if x.is_nan() => return x,
            _ if x > MOST => return f64::INFINITY,
            _ if x < -MOST + 1.0 => return 0.0,
            _ => {}
        }
        let k = (x / LN_2 + if x < 0.0 { -0.5 } else { 0.5 }) as i64;
        let r = x - k as f64 * LN_2;
        // r^18 / 18! is below 2^-79.
        let series = (1..18).rev().fold(1.0, |sum, i| 1.0 + sum * r / f64::from(i));
        series * f64::from_bits(((BIAS + k) as u64) << FRACTION_BITS)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/algorithm/real.rs"]
mod tests;
