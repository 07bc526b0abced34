//! Tests of `engine/plan/list.rs`.

use super::*;
use core::num::NonZeroUsize;

/// Packs of eight that take as long as six single elements: the last packs are taken apart where a thread would wait for one, and nowhere else.
#[test]
fn the_last_packs_are_taken_apart_where_a_thread_would_wait() {
    let parsed = |line: &str| line.parse::<Plan>().unwrap();
    let (single, lanes) = (
        parsed("sliding_window(w=6) on portable_r64(n=16, product=sos)"),
        parsed("fixed_window(w=6) on portable_lanes_r64(n=16)"),
    );
    let planned = |count: usize, threads: usize, start: f64| {
        let budget = ThreadBudget { most: NonZeroUsize::new(threads), start };
        let (sequence, _) = Kinds::alike(count, ()).in_order(|()| ());
        let pack = |_, _: &[(&Kind<()>, usize)], _: usize| Ok(Some((lanes.clone(), 6e6)));
        let classes = sequence.classes_by_price(&[(single.clone(), 1e6)], &[8], (|()| true, false, 1), budget, pack);
        let list = ListPlan::new(classes.unwrap().plan(), None, budget);
        let counts = list.plan.classes().into_iter().map(|(plan, count)| (plan.is_in_lanes(), count));
        (list.plan.stages()[0].0, counts.collect::<Vec<_>>(), list.nanoseconds)
    };
    let (in_lanes, single) = (true, false);
    // One thread waits for nobody: seven elements share a pack, five do not.
    assert_eq!(planned(23, 1, 1e3), (1, vec![(in_lanes, 23)], 18e6));
    assert_eq!(planned(21, 1, 1e3), (1, vec![(in_lanes, 16), (single, 5)], 17e6));
    if !schedule::THREADS {
        return;
    }
    // A thread for each pack, and another pack would keep the other one waiting.
    assert_eq!(planned(16, 2, 1e3), (2, vec![(in_lanes, 16)], 6e6 + 2e3));
    assert_eq!(planned(24, 2, 1e3), (2, vec![(in_lanes, 16), (single, 8)], 10e6 + 2e3));
    assert_eq!(planned(8, 2, 1e3), (2, vec![(single, 8)], 4e6 + 2e3));
    assert_eq!(planned(7, 3, 1e3), (3, vec![(single, 7)], 3e6 + 4e3));
    assert_eq!(planned(20, 2, 1e3), (2, vec![(in_lanes, 16), (single, 4)], 8e6 + 2e3));
    // Not where starting a thread takes what it saves.
    assert_eq!(planned(8, 2, 1e6), (1, vec![(in_lanes, 8)], 6e6));
    // Every element once, whatever their number, and never later than on one thread.
    for count in 1..100 {
        let alone = planned(count, 1, 1e3).2;
        for threads in [2, 3, 8] {
            let (_, counts, nanoseconds) = planned(count, threads, 1e3);
            assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), count);
            assert!(nanoseconds <= alone, "{count} on {threads}: {counts:?}");
        }
    }
}
