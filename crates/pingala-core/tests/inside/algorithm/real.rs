use super::{of_std, own};

/// Whether two results agree to 10^-12, relative to their size.
fn agree(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= 1e-12 * one.abs().max(other.abs()) || one.is_nan() && other.is_nan()
}

#[test]
fn our_own_agree_with_the_standard_library() {
    let numbers = (1..400).map(|i| f64::from(i) / 400.0);
    let numbers: Vec<f64> = numbers.chain((1..80).map(|i| 1.7f64.powi(i))).chain([0.0, 1.0, 2.0, 0.5, 1e300]).collect();
    for &x in &numbers {
        assert!(agree(own::ln(x), of_std::ln(x)), "ln {x}: {} {}", own::ln(x), of_std::ln(x));
        assert!(agree(own::log2(x), of_std::log2(x)), "log2 {x}");
        for n in [-9, -1, 0, 1, 2, 3, 17, 64, 1000] {
            assert!(agree(own::powi(x, n), of_std::powi(x, n)), "{x}^{n}: {}", own::powi(x, n));
        }
        for &y in numbers.iter().filter(|&&y| y * x.ln().abs() < 300.0) {
            assert!(agree(own::powf(x, y), of_std::powf(x, y)), "{x}^{y}: {} {}", own::powf(x, y), of_std::powf(x, y));
        }
    }
}

#[test]
fn ends_of_the_range() {
    assert!(own::ln(-1.0).is_nan() && own::powf(f64::NAN, 2.0).is_nan());
    assert_eq!(own::ln(f64::INFINITY), f64::INFINITY);
    assert_eq!(own::powf(0.0, 3.0), 0.0);
    assert_eq!(own::powf(0.0, 0.0), 1.0);
    assert_eq!(own::powf(0.5, 1e6), 0.0);
    assert_eq!(own::powf(2.0, 1e6), f64::INFINITY);
}
