//! The least time that an exponentiation by schoolbook products can take on a machine with given rates: the number of word
//! products, at one instruction each (two on 52-bit limbs, for the halves), and nothing else. Karatsuba may go below.

use crate::rates::Rates;

/// Modular squarings and multiplications of one exponentiation, conversions included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operations {
    pub squarings: f64,
    pub multiplications: f64,
}

/// Window lengths that are tried.
const WINDOWS: std::ops::RangeInclusive<u32> = 1..=10;

/// The cheapest sliding window, expected, for an exponent of that many bits: the fewest operations,
/// whether lists share the exponent or not.
pub fn sliding(exponent_bits: u64) -> Operations {
    let multiplications = |window: u32| {
        let table = (1u64 << (window - 1)) as f64 - 1.0;
        table + exponent_bits as f64 / f64::from(window + 1) + 2.0
    };
    let least = WINDOWS.map(multiplications).fold(f64::INFINITY, f64::min);
    Operations { squarings: exponent_bits as f64 + 1.0, multiplications: least }
}

/// A fixed window, as lanes with different exponents take it: the table of 2^w powers, one product a window.
pub fn fixed(exponent_bits: u64, window: u32) -> Operations {
    let windows = exponent_bits.div_ceil(u64::from(window)) as f64;
    Operations { squarings: exponent_bits as f64, multiplications: windows + (1u64 << window) as f64 - 1.0 }
}

/// The windows that the bounds of lanes are stated for: 5 up to 1024 bits, 6 up to 4096, then 7; below 512 the cheapest.
pub fn lanes_window(exponent_bits: u64) -> u32 {
    match exponent_bits {
        ..512 => WINDOWS.min_by_key(|&window| fixed(exponent_bits, window).multiplications as u64).unwrap_or(1),
        512..=1024 => 5,
        1025..=4096 => 6,
        _ => 7,
    }
}

/// Sixteen squarings, one multiplication, two conversions.
pub const FERMAT_4: Operations = Operations { squarings: 16.0, multiplications: 3.0 };

/// Word products of `operations` modulo a number of `n` words: 2n^2 + n each, or n(n+1)/2 + n^2 + n for squarings.
fn products(n: u64, operations: Operations) -> f64 {
    let n = n as f64;
    let (square, product) = (n * (n + 1.0) / 2.0 + n * n + n, 2.0 * n * n + n);
    operations.squarings * square + operations.multiplications * product
}

/// Nanoseconds of one exponentiation in 64-bit words, a mulx each.
pub fn scalar(modulus_bits: u64, operations: Operations, rates: Rates) -> Option<f64> {
    Some(products(modulus_bits.div_ceil(64), operations) * rates.mulx?)
}

/// As [`scalar`], with the addition of each product, which no scalar code avoids: some CPUs multiply faster than they add.
pub fn scalar_added(modulus_bits: u64, operations: Operations, rates: Rates) -> Option<f64> {
    Some(products(modulus_bits.div_ceil(64), operations) * rates.mulx_added?)
}

/// Nanoseconds of one exponentiation in 52-bit words, two madd for eight products, with all lanes full.
pub fn ifma(modulus_bits: u64, operations: Operations, rates: Rates) -> Option<f64> {
    Some(products(modulus_bits.div_ceil(52), operations) * 2.0 / 8.0 * rates.madd?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounded figures worked out by hand for 0.2279 ns a madd and 0.4015 ns a mulx.
    #[test]
    fn known_bounds() {
        let rates = Rates { madd: Some(0.2279), mulx: Some(0.4015), mulx_added: None };
        for (bits, ifma_us, scalar_us) in [
            (512, 6.05, 27.8),
            (1024, 45.2, 206.0),
            (2048, 346.5, 1571.0),
            (3072, 1147.0, 5193.0),
            (4096, 2626.0, 12178.0),
            (8192, 20557.0, 95203.0),
        ] {
            let near =
                |found: Option<f64>, us: f64| assert!((found.unwrap() / (us * 1e3) - 1.0).abs() < 4e-3, "{bits}");
            near(ifma(bits, sliding(bits), rates), ifma_us);
            near(scalar(bits, sliding(bits), rates), scalar_us);
        }
        let lanes = ifma(2048, fixed(2048, lanes_window(2048)), rates).unwrap();
        assert!((lanes / 362e3 - 1.0).abs() < 3e-3, "{lanes}");
    }

    #[test]
    fn no_rate_no_bound() {
        assert_eq!(ifma(512, sliding(512), Rates::default()), None);
        assert_eq!([512, 1024, 2048, 4096, 8192].map(lanes_window), [5, 5, 6, 6, 7]);
    }
}
