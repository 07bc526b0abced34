//! Tests of `anneal/mod.rs`.

use super::*;

/// The sum of two elements of 62 bits still fits a word; that of longer ones might not.
#[test]
fn no_move_makes_an_element_too_long() {
    let doublings: Vec<u64> = (0..62).map(|k| 1 << k).collect();
    // 2^62 - 2^k.
    let long = [doublings, (0..=60).rev().map(|k| (1 << 62) - (1 << k)).collect()].concat();
    let bit = (0..100).map(|place| place % 3 == 0).collect();
    let mut dictionary = Dictionary::new(bit, &long).unwrap();
    let mut random = Random::new(1);
    for _ in 0..4_000 {
        change(&mut dictionary, &mut random, 0);
        assert!(dictionary.elements().iter().all(|&element| bit_len(element) <= ELEMENT_BITS));
        dictionary.undo();
    }
}
