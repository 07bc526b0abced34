//! Tests of `algorithm/adaptive_m_ary.rs`.

use super::*;

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
fn the_formula_is_convex() {
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
