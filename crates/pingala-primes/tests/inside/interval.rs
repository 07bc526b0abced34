//! Tests of `interval.rs`: every border of a segment and of a square.

use super::*;
use crate::words::is_prime_word;

/// All primes of so many odd numbers, one after the other.
fn plain(start: u64, places: u64) -> Vec<u64> {
    (0..places).map(|k| start + 2 * k).filter(|&n| is_prime_word(n)).collect()
}

fn sieved(start: u64, places: u64, bound: u32) -> Vec<u64> {
    let mut interval = Interval::new(start, places, bound);
    let (mut found, segments) = (Vec::new(), interval.segments());
    let mut count = 0;
    while interval.has_more() {
        interval.segment(&mut found);
        count += 1;
    }
    assert_eq!((count, interval.segments()), (segments, 0));
    found
}

#[test]
fn segments_of_every_length_agree_with_single_tests() {
    let segment = u64::from(SEGMENTS[0]);
    for start in [3, 5, 9, 25, 65_521, 1 << 24 | 1, 4_294_967_291, (1 << 40) - 87, (1 << 48) + 1] {
        for places in [1, 2, 3, segment - 1, segment, segment + 1, 2 * segment, 2 * segment + 1] {
            let wanted = plain(start, places);
            for bound in [3, 64, 1000, 1 << 16] {
                assert_eq!(sieved(start, places, bound), wanted, "{start}, {places} places, {bound}");
            }
        }
    }
    // The longest segments, whose primes are longer than the shortest one.
    let places = 3 * u64::from(SEGMENTS[1]) / 2;
    assert_eq!(sieved((1 << 44) + 1, places, 1 << 20), plain((1 << 44) + 1, places));
}

#[test]
fn squares_at_both_ends_of_a_segment_are_no_primes() {
    let segment = u64::from(SEGMENTS[0]);
    for p in [3u64, 5, 7, 251, 257, 65_521, 65_537, 16_777_213, 16_777_259] {
        for (before, places) in [(0, 1), (2, 2), (2 * (segment - 1), segment), (2 * segment, segment + 1), (6, 100)] {
            if let Some(start) = (p * p).checked_sub(before)
                && start >= 3
            {
                for bound in [64, 1 << 20, 1 << 24] {
                    assert_eq!(sieved(start, places, bound), plain(start, places), "{p}^2 - {before}, {bound}");
                }
            }
        }
    }
}

#[test]
fn the_last_words_are_served() {
    let last = u64::MAX;
    for places in [1, 30, 31, 1000] {
        let start = last - 2 * (places - 1);
        assert_eq!(sieved(start, places, 1000), plain(start, places), "{places}");
    }
}
