//! Tests of `engine/plan/schedule.rs`.

use super::*;

/// Every element is taken once, whole units at a time, the most expensive first, and no chunk exceeds its limit.
#[test]
fn takes_cover_the_list() {
    let class = |count, unit, nanoseconds| PricedClass { count, unit, nanoseconds };
    for threads in [1, 3, 16] {
        let classes = [class(100_000, 1, 100.0), class(37, 8, 1e6), class(3, 1, 2e7), class(5, 1, 0.0)];
        let chunks = chunks(&classes, threads, 10);
        let mut seen: Vec<Range<usize>> = chunks.iter().map(|chunk| chunk.elements.clone()).collect();
        seen.sort_by_key(|range| range.start);
        assert!(seen.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((seen[0].start, seen[seen.len() - 1].end), (10, 10 + 100_045));
        assert!(chunks.is_sorted_by(|a, b| classes[a.class].nanoseconds >= classes[b.class].nanoseconds));
        for chunk in &chunks {
            let PricedClass { unit, nanoseconds, .. } = classes[chunk.class];
            let units = chunk.elements.len().div_ceil(unit);
            assert!(units == 1 || units as f64 * nanoseconds <= NANOSECONDS_AT_ONCE && units <= UNITS_AT_ONCE);
        }
    }
    let budget = ThreadBudget { most: NonZeroUsize::new(4), start: 50_000.0 };
    assert_eq!(budget.for_classes(&[class(100, 1, 1e6)]), if THREADS { 4 } else { 1 });
    assert_eq!(budget.for_classes(&[class(2, 8, 1e6)]), 1);
    assert_eq!(budget.for_classes(&[class(100, 1, 1e3)]), 1);
}

/// Work that no second thread is worth starting for stays on one, whatever the call may use: the n-th thread has to save twice what starting it
/// costs.
#[test]
fn short_work_stays_on_one_thread() {
    let budget = ThreadBudget { most: NonZeroUsize::new(100), start: 50_000.0 };
    assert_eq!([0.0, 199_999.0, f64::NAN].map(|nanoseconds| budget.for_work(nanoseconds)), [1; 3]);
    for n in 2..=100 {
        let least = (n * (n - 1)) as f64 * 100_000.0;
        let threads = |nanoseconds| budget.for_work(nanoseconds);
        assert_eq!([threads(least - 1.0), threads(least + 1.0)], if THREADS { [n - 1, n] } else { [1, 1] }, "{n}");
    }
    assert_eq!(budget.for_work(f64::INFINITY), if THREADS { 100 } else { 1 });
    assert_eq!(ThreadBudget::ONE.for_work(f64::INFINITY), 1);
}

/// The last thread ends when it would if each took the longest unit that is left.
#[test]
fn units_are_shared_out_longest_first() {
    let class = |count, unit, nanoseconds| PricedClass { count, unit, nanoseconds };
    assert_eq!(expected(&[class(40, 8, 1e6)], 1), 5e6);
    assert_eq!(expected(&[class(40, 8, 1e6)], 2), 3e6);
    assert_eq!(expected(&[class(8_000_001, 8, 10.0)], 2), 5_000_010.0);
    // 16 beside six of 2.7, then one more each.
    let mixed = [class(8, 1, 2.7), class(1, 1, 16.0)];
    assert!((expected(&mixed, 2) - 18.9).abs() < 1e-9);
    assert!((expected(&mixed, 1) - 37.6).abs() < 1e-9);
    assert_eq!(expected(&[class(40, 8, 1e6)], 100), 1e6);
    assert_eq!(expected(&[], 2), 0.0);
}
