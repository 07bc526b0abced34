//! Sorting by lengths, beside the standard library's.

use super::*;

#[test]
fn lengths_fall_and_equal_ones_stay_in_order() {
    for (count, range) in [(0, 9), (1, 9), (5000, 3), (5000, 1 << 11), (20_000, 1 << 26), (5000, usize::MAX >> 3)] {
        let mut list: Vec<(usize, usize)> =
            (0..count).map(|at: usize| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) % range, at)).collect();
        let mut sorted = list.clone();
        sorted.sort_by_key(|&(bits, at)| (Reverse(bits), at));
        sort_longest_first(&mut list, |&(bits, _)| bits);
        assert_eq!(list, sorted);
    }
}
