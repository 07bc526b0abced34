use super::*;

fn state(phase: Phase, done: u64, best: Option<usize>) -> State {
    let now = Instant::now();
    State { phase: Some(phase), begun: now, done, best, shown_at: now }
}

#[test]
fn every_part_says_what_is_done() {
    let at = Duration::from_secs(7);
    for (phase, limit, expected) in [
        (Phase::Exhaustive, None, "exhaustive search, best chain 265 steps, 7 s so far"),
        (Phase::Methods(53), None, "12 of 53 methods, best chain 265 steps, 7 s so far"),
        (Phase::Pruning(1), None, "pruning, 1 of 1 chain, best chain 265 steps, 7 s so far"),
        (Phase::Annealing(1 << 34), Some(10), "annealing, 12 moves, best chain 265 steps, 3 s left"),
        // It has just begun.
        (Phase::Annealing(5000), None, "annealing, 12 of 5,000 moves, best chain 265 steps, 7 s so far"),
    ] {
        let limit = limit.map(Duration::from_secs);
        assert_eq!(text(&state(phase, 12, Some(265)), limit, at), expected);
    }
    assert_eq!(text(&state(Phase::Methods(9), 0, None), None, Duration::ZERO), "0 of 9 methods, 0 s so far");
    assert_eq!(share(&state(Phase::Annealing(9), 4, None), Some(at * 2), at), Some((7000, 14000)));
    assert_eq!(share(&state(Phase::Exhaustive, 4, None), None, at), None);
}
