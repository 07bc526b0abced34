//! Sorting by lengths, compared with the standard library's.

use super::*;
use core::cmp::Reverse;

#[test]
fn lengths_fall_and_equal_ones_stay_in_order() {
    for (count, range) in [(0, 9), (1, 9), (5000, 3), (5000, 1 << 11), (20_000, 1 << 26), (5000, usize::MAX >> 3)] {
        let bits: Vec<usize> = (0..count).map(|at: usize| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) % range).collect();
        let mut sorted: Vec<(usize, usize)> = bits.iter().copied().zip(0..).collect();
        sorted.sort_by_key(|&(bits, at)| (Reverse(bits), at));
        let places: Vec<(usize, usize)> =
            longest_first(bits.iter().copied()).into_iter().map(|at| (bits[at], at)).collect();
        assert_eq!(places, sorted);
    }
}
