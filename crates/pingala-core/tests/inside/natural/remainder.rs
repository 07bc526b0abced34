//! Tests of `natural/remainder.rs`.

use super::*;
use crate::natural::{Natural, chores};
use num_bigint::BigUint;

/// One limb after the other.
fn plain(limbs: &[u64], word: u64) -> u64 {
    let step = |r: u128, limb: &u64| (r << 64 | u128::from(*limb)) % u128::from(word);
    limbs.iter().rev().fold(0, step) as u64
}

/// Words with few and with all bits, even ones too.
const WORDS: [u64; 10] =
    [1, 2, 3, 10, (1 << 32) - 5, 1 << 63, (1 << 63) + 1, u64::MAX - 58, u64::MAX, 0xfedc_ba98_7654_3210];

#[test]
fn every_length_gives_the_plain_remainder() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for length in 0..=4 * PARTS * PARTS + 5 {
        let drawn: Vec<u64> = (0..length).map(|_| random()).collect();
        for limbs in [drawn, vec![0; length], vec![u64::MAX; length], vec![1; length]] {
            for word in WORDS.into_iter().chain([random(), random() >> 40 | 1]) {
                assert_eq!(rem_by_word(&limbs, word), plain(&limbs, word), "{length} limbs, {word}");
            }
        }
    }
}

#[test]
fn long_numbers_are_reduced_by_it() {
    for length in [LEAST_LIMBS - 1, LEAST_LIMBS, LEAST_LIMBS + 1, 1000] {
        let number = Natural::from_limbs(&vec![0x0123_4567_89ab_cdef; length]);
        let oracle = BigUint::from_bytes_be(&number.to_be_bytes());
        for word in WORDS {
            let rest = u64::try_from(&oracle % word).unwrap();
            assert_eq!(chores::rem_word(&number, word), rest);
            assert_eq!(chores::rem(&number, &word.into()), Natural::from(rest));
        }
    }
}
