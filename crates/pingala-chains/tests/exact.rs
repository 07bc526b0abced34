//! Shortest chains.

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

/// All numbers up to 2^16, against the first to take each length (OEIS A003064); minutes on one core:
/// `make chain-lengths`.
#[test]
#[ignore = "minutes"]
fn every_length_up_to_2_to_the_16() {
    let mut first = [0u32; 40];
    for n in 1..=1 << 16 {
        let steps = length(n);
        if first[steps] == 0 {
            first[steps] = n;
        }
    }
    let known =
        [1, 2, 3, 5, 7, 11, 19, 29, 47, 71, 127, 191, 379, 607, 1087, 1903, 3583, 6271, 11231, 18287, 34303, 65131];
    assert_eq!(first[..known.len()], known);
    assert!(first[known.len()..].iter().all(|&n| n == 0));
}
