//! Shortest chains.

/// The search for all numbers together, an oracle for the search for one.
mod all;
#[path = "../src/exact/places.rs"]
mod places;

use crate::is_right;
use all::shortest_lengths;
use pingala_chains::{evaluate, exact};

fn length(n: u32) -> usize {
    exact(&evaluate(&n.to_string()).unwrap()).unwrap().chain.length()
}

/// The numbers of n with l(n) = r, n <= 2^10, from the lengths that [knuth1997seminumerical] 4.6.3 defines, by a search of another
/// kind: breadth first over sets of all chains of up to r steps.
#[test]
fn lengths_up_to_128_by_another_search() {
    let mut least = [u32::MAX; 129];
    fn grow(chain: &mut Vec<usize>, least: &mut [u32; 129], most: u32) {
        let steps = chain.len() as u32 - 1;
        let top = chain[chain.len() - 1];
        if steps > most {
            return;
        }
        least[top] = least[top].min(steps);
        if steps == most {
            return;
        }
        for i in 0..chain.len() {
            for j in 0..=i {
                let sum = chain[i] + chain[j];
                if sum > top && sum < least.len() {
                    chain.push(sum);
                    grow(chain, least, most);
                    chain.pop();
                }
            }
        }
    }
    for most in 1..=6 {
        grow(&mut vec![1], &mut least, most);
    }
    for (n, steps) in least.iter().enumerate().skip(1).filter(|(_, steps)| **steps <= 6) {
        assert_eq!(length(n as u32), *steps as usize, "{n}");
    }
}

/// The first number to take r steps (OEIS A003064), and how many numbers take r (A003065).
const FIRST: [usize; 22] =
    [1, 2, 3, 5, 7, 11, 19, 29, 47, 71, 127, 191, 379, 607, 1087, 1903, 3583, 6271, 11231, 18287, 34303, 65131];
const HOW_MANY: [usize; 17] = [1, 1, 2, 3, 5, 9, 15, 26, 44, 78, 136, 246, 432, 772, 1382, 2481, 4490];

/// What is known of the lengths of all numbers up to 2^bits.
fn check_lengths(bits: u32) -> Vec<u8> {
    let all = shortest_lengths(bits);
    let lengths = &all[..];
    let of_length = |r: usize| (1..lengths.len()).filter(move |&n| usize::from(lengths[n]) == r);
    for (r, &first) in FIRST.iter().enumerate() {
        assert_eq!(of_length(r).next(), (first < lengths.len()).then_some(first), "{r}");
    }
    for (r, &count) in HOW_MANY.iter().enumerate().take(bits as usize + 1) {
        // The largest number of length r is 2^r.
        assert_eq!(of_length(r).count(), count, "{r}");
    }
    assert!(lengths.iter().all(|&length| usize::from(length) < FIRST.len()));
    all
}

#[test]
fn every_length_up_to_2_to_the_12() {
    check_lengths(12);
}

/// Minutes on one core: `make -C lab chain-lengths`.
#[test]
#[ignore = "minutes: make -C lab chain-lengths"]
fn every_length_up_to_2_to_the_16() {
    let lengths = check_lengths(16);
    // The search for one number against that for all.
    for n in (1..lengths.len()).step_by(61) {
        assert_eq!(length(n as u32), usize::from(lengths[n]), "{n}");
    }
}

/// Numbers up to 2^20 of every kind: a certificate whose bound or refuted lengths leave nothing below the chain's.
#[test]
fn a_certificate_leaves_no_shorter_length() {
    for n in [1, 2, 3, 1 << 20, (1 << 20) - 1, 3 << 18, 65537, 262_657, 699_050, 1_000_000] {
        let certificate = exact(&evaluate(&n.to_string()).unwrap()).unwrap();
        assert!(is_right(&certificate.chain), "{n}");
        let refuted: Vec<usize> = certificate.refuted.iter().map(|&(length, _)| length).collect();
        assert_eq!(refuted, (certificate.bound.length..certificate.chain.length()).collect::<Vec<_>>(), "{n}");
    }
}

/// The first numbers of each length up to 2^20 (OEIS A003064) that the test above does not reach, and one more with six small steps:
/// no shorter length may be left. A minute and a half on one core: `make -C lab chain-lengths`.
#[test]
#[ignore = "minutes: make -C lab chain-lengths"]
fn every_length_with_six_small_steps() {
    for (n, wanted) in [(110_591, 22), (196_591, 23), (357_887, 24), (685_951, 25), (934_271, 25)] {
        let certificate = exact(&evaluate(&format!("{n}")).unwrap()).unwrap();
        assert!(is_right(&certificate.chain), "{n}");
        assert_eq!(certificate.chain.length(), wanted, "{n}");
        let refuted: Vec<usize> = certificate.refuted.iter().map(|&(length, _)| length).collect();
        assert_eq!(refuted, (certificate.bound.length..wanted).collect::<Vec<_>>(), "{n}");
    }
}
