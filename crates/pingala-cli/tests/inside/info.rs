use super::*;

/// The row is there on CPUs with AVX-IFMA alone, and names a kernel that needs it.
#[test]
fn a_cpu_with_avx_ifma_is_named() {
    let named = untried(|feature| feature == Feature::AvxIfma).unwrap().concat();
    let kernel = KERNELS.iter().find(|entry| named.contains(&format!(" {} ", entry.name))).unwrap();
    assert!(named.starts_with("untried") && named.contains(Feature::AvxIfma.name()), "{named}");
    assert!(kernel.requires[0].contains(&Feature::AvxIfma) && kernel.summary.contains("no CPU has run it"), "{named}");
    assert_eq!(untried(|feature| feature != Feature::AvxIfma), None);
    assert_eq!(build().iter().any(|row| row[0] == "untried"), has(Feature::AvxIfma));
}
