//! Tests of `team.rs`.

use super::*;

/// The threads of a search are worth it for the numbers that they get, not for those that more threads would get; more of them are never worse.
#[test]
fn threads_of_a_search_are_worth_their_numbers() {
    for bits in [128, 512, 768, 1024, 2048, 4096] {
        let of_thread = Planner::of_this_machine().powers_of_two_nanoseconds(bits, 8).unwrap();
        let mut before = 1;
        for most in [1, 2, 4, 16, 64, 500] {
            let options = Options::default().with_threads(NonZeroUsize::new(most));
            let threads = threads_of_search(bits, 8, &options).unwrap();
            assert!((before..=most).contains(&threads), "{bits}: {threads} of {most}");
            assert!(options.threads_for(threads as f64 * of_thread) >= threads, "{bits}: {threads} of {most}");
            before = threads;
        }
    }
}

/// Long numbers are made one for each thread at least, and else within some megabytes.
#[test]
fn numbers_at_once_are_bounded_by_their_bytes() {
    for (wanted, threads, bits, expected) in [
        (16, 2, 2048, 16),
        (1 << 16, 2, 1024, 1 << 15),
        (16, 2, 1_000_000, 16),
        (1 << 16, 2, 1_000_000, 33),
        (16, 2, 1 << 24, 2),
        (64, 8, 1 << 24, 8),
        (1, 8, 1 << 30, 1),
        (7, 1, 1 << 40, 1),
    ] {
        assert_eq!(numbers_at_once(wanted, threads, bits), expected, "{wanted}, {threads}, {bits}");
    }
}
