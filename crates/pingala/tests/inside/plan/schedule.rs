//! Tests of `plan/schedule.rs`.

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
    assert_eq!(worth(&[class(100, 1, 1e6)], 4), 4);
    assert_eq!(worth(&[class(2, 8, 1e6)], 4), 1);
    assert_eq!(worth(&[class(100, 1, 1e3)], 4), 1);
}

/// Work that no second thread is worth starting for stays on one, whatever the call may use.
#[test]
fn short_work_stays_on_one_thread() {
    let budget = ThreadBudget { most: NonZeroUsize::new(4) };
    assert_eq!([0.0, 399_999.0].map(|nanoseconds| budget.for_work(nanoseconds)), [1, 1]);
    assert_eq!(budget.for_work(400_000.0), if cfg!(feature = "threads") { 4 } else { 1 });
}
