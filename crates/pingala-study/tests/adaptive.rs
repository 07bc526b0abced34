//! The formulas of Ji and Wan, and the algorithms that they choose.

#[path = "adaptive/windows_page.rs"]
mod windows_page;

use pingala_core::algorithm::Algorithm;
use pingala_study::{ADAPTIVE_WINDOWS, m_ary_minimiser, sliding_window_minimiser};

/// T(k, m), from an exact fraction over m 2^m.
fn m_ary_multiplications(exponent_bits: usize, m: u32) -> f64 {
    let (k, m, power) = (exponent_bits as i128, i128::from(m), 1i128 << m);
    ((power - 2 + k - m) * m * power + (power - 1) * (k - m)) as f64 / (m * power) as f64
}

/// T'(k, m) = 2^(m-1) + k + k/(m + 1).
fn sliding_window_multiplications(exponent_bits: usize, m: u32) -> f64 {
    let k = exponent_bits as f64;
    f64::from(1u32 << (m - 1)) + k + k / f64::from(m + 1)
}

/// A plan line does not name these methods, and says which algorithms there are.
#[test]
fn lines_name_the_algorithm_that_a_formula_chooses() {
    let chosen = ADAPTIVE_WINDOWS.map(|method| (method.choose)(2048).to_string());
    assert_eq!(chosen, ["k_ary(w=6)", "sliding_window(w=7)"]);
    for method in ADAPTIVE_WINDOWS {
        let why = method.name.parse::<Algorithm>().unwrap_err().to_string();
        assert!(why.contains("there are") && why.contains("sliding_window"), "{why}");
    }
}

#[test]
fn table_1_of_the_paper_is_right() {
    for (first, last, m) in [
        (1, 5, 1),
        (6, 34, 2),
        (35, 121, 3),
        (122, 368, 4),
        (369, 1043, 5),
        (1044, 2822, 6),
        (2823, 7370, 7),
        (7371, 18725, 8),
        (18726, 18726, 9),
    ] {
        for k in first..=last {
            assert_eq!(m_ary_minimiser(k), m, "{k} bits");
        }
    }
}

/// The only tie below the paper's last column: T(6, 1) = T(6, 2).
#[test]
fn ties_go_to_the_higher_m() {
    assert_eq!(m_ary_multiplications(6, 1), m_ary_multiplications(6, 2));
    assert_eq!(m_ary_minimiser(6), 2);
}

/// The second differences in m are positive for every m + 2 <= k, as the paper's appendix has it, and the
/// minimiser is the least of all.
#[test]
fn the_formula_for_digits_is_convex() {
    for k in (1..3000).chain((3000..1 << 26).step_by(99_991)) {
        let products: Vec<f64> = (1..=16).map(|m| m_ary_multiplications(k, m)).collect();
        for m in 1..=14.min(k.saturating_sub(2)) {
            let (a, b, c) = (products[m - 1], products[m], products[m + 1]);
            assert!(a - b > b - c, "k = {k}, m = {m}");
        }
        let least = products[m_ary_minimiser(k) as usize - 1];
        assert!(products.iter().take(k).all(|&other| least <= other), "k = {k}");
    }
}

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
fn the_formula_for_windows_is_convex() {
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
