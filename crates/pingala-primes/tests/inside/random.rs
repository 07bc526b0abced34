use super::tests_in_sets;

/// The last set of a search is tested whole: the sum of all sets, each with the probability that the search comes to it.
#[test]
fn sets_of_tests_are_counted_whole() {
    for tests in [1.5f64, 3.0, 20.0, 55.8, 4000.0] {
        assert!((tests_in_sets(tests, 1) / tests - 1.0).abs() < 1e-9, "{tests}");
        for together in [2usize, 8, 64, 512] {
            let none = (1.0 - 1.0 / tests).powi(together as i32);
            let sets: f64 = (0..1_000_000).map(|before| none.powi(before)).take_while(|&share| share > 1e-15).sum();
            let expected = sets * together as f64;
            let counted = tests_in_sets(tests, together);
            assert!(
                (counted / expected - 1.0).abs() < 1e-6,
                "{tests} in sets of {together}: {counted}, not {expected}"
            );
            assert!(counted >= tests.max(together as f64) && counted <= tests + together as f64, "{counted}");
        }
    }
}
