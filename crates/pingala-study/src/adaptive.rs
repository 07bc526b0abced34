//! The adaptive windows of Ji and Wan, \[jiwan2017adaptive\]: the width of a window chosen from the exponent's length only. The
//! planner chooses it by price instead, so that no plan names these methods.

use pingala_core::algorithm::{Algorithm, KAry, SlidingWindow, WindowBits};
use pingala_core::exponent::MAX_DIGIT_BITS;

/// An algorithm of the library whose width a formula chooses.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveWindow {
    /// The name.
    pub name: &'static str,
    /// Its origin, with keys into docs/references.bib.
    pub source: &'static str,
    /// One sentence on what it does.
    pub summary: &'static str,
    /// The algorithm for exponents of this many bits.
    pub choose: fn(usize) -> Algorithm,
}

/// The two methods of the paper. Both follow the exponent's value.
pub static ADAPTIVE_WINDOWS: [AdaptiveWindow; 2] = [
    AdaptiveWindow {
        name: "adaptive_m_ary",
        source: "[jiwan2017adaptive] algorithm 2",
        summary: "k_ary with the digit width that Ji and Wan's formula names for the length",
        choose: |bits| KAry(WindowBits::new(m_ary_minimiser(bits))).into(),
    },
    AdaptiveWindow {
        name: "adaptive_sliding_window",
        source: "[jiwan2017adaptive] algorithm 4, table II corrected",
        summary: "sliding_window with the width that Ji and Wan's formula names for the length",
        choose: |bits| SlidingWindow(WindowBits::new(sliding_window_minimiser(bits))).into(),
    },
];

/// The m, 1 to 16, that minimises T(k, m) = 2^m - 2 + k - m + (1 - 2^-m) (k - m)/m, the paper's mean number of products for
/// exponents of k bits with digits of m bits, m < k; the higher one on a tie. It is the paper's Table I:
///
/// | k | 1-5 | 6-34 | 35-121 | 122-368 | 369-1043 | 1044-2822 | 2823-7370 | 7371- |
/// |---|---|---|---|---|---|---|---|---|
/// | m | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
///
/// of which the last column ends at 18725.
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

/// The m, 1 to 16, that minimises T'(k, m) = 2^(m-1) + k + k/(m + 1), the paper's mean number of products for exponents of k
/// bits with windows of m bits; the higher one on a tie. The step from m to m + 1
/// is at k = 2^(m-1) (m+1) (m+2), exactly a tie:
///
/// | k | 1-5 | 6-23 | 24-79 | 80-239 | 240-671 | 672-1791 | 1792-4607 | 4608-11519 |
/// |---|---|---|---|---|---|---|---|---|
/// | m | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
///
/// The paper's Table II does not follow from its formula: it names m + 1 for every k above 23.
pub fn sliding_window_minimiser(exponent_bits: usize) -> u32 {
    // T'(k, m + 1) <= T'(k, m) exactly if 2^(m-1) <= k/(m+1) - k/(m+2) = k/((m+1) (m+2)), and T' is convex in m.
    let not_worse = |m: u32| (1u64 << (m - 1)) * u64::from((m + 1) * (m + 2)) <= exponent_bits as u64;
    (1..MAX_DIGIT_BITS).find(|&m| !not_worse(m)).unwrap_or(MAX_DIGIT_BITS)
}
