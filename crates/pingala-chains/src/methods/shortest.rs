//! Shortest addition sequences for a few small numbers, by iterative deepening.
//!
//! An increasing chain is searched. No element passes over a number that is still missing; the last number is within reach of
//! doublings; at least one step is left for each missing number; and each element that is none of the numbers serves, as a step
//! uses two and adds one.

use super::bos_coster;
use dashu_int::UBig;

/// The largest number.
const MAX: u64 = 1 << 10;
/// Beginnings after which the search gives up.
const MOST_NODES: u64 = 3_000_000;

/// The elements of a chain with these numbers.
pub(super) fn elements(targets: &[UBig]) -> Vec<UBig> {
    let small: Option<Vec<u64>> = targets.iter().map(|n| u64::try_from(n).ok().filter(|n| *n <= MAX)).collect();
    let found = small.and_then(|mut targets| {
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|&target| target > 1);
        search(&targets)
    });
    match found {
        Some(elements) => elements.into_iter().map(UBig::from).collect(),
        None => bos_coster::elements(targets),
    }
}

fn search(targets: &[u64]) -> Option<Vec<u64>> {
    let Some(&last) = targets.last() else { return Some(vec![1]) };
    let least = (last.ilog2() as usize).max(targets.len());
    let mut search = Search { targets, chain: vec![1], uses: vec![0], nodes: 0 };
    for length in least..least + 8 {
        if search.from(0, length, 1) {
            return Some(search.chain);
        }
        if search.nodes > MOST_NODES {
            return None;
        }
    }
    None
}

struct Search<'a> {
    targets: &'a [u64],
    chain: Vec<u64>,
    uses: Vec<u8>,
    nodes: u64,
}

impl Search<'_> {
    /// Whether the chain, which has the first `n_found` numbers, reaches all in `left` more steps; `n_unused` of its elements, numbers
    /// apart, serve nothing yet.
    fn from(&mut self, n_found: usize, left: usize, n_unused: usize) -> bool {
        self.nodes += 1;
        let Some(&next) = self.targets.get(n_found) else { return true };
        let n_missing = self.targets.len() - n_found;
        let top = self.chain[self.chain.len() - 1];
        let last = self.targets[self.targets.len() - 1];
        if n_missing > left || top << left < last || n_unused > left + n_missing || self.nodes > MOST_NODES {
            return false;
        }
        let count = self.chain.len();
        for high in (0..count).rev() {
            if 2 * self.chain[high] <= top {
                break;
            }
            for low in (0..high + 1).rev() {
                let sum = self.chain[high] + self.chain[low];
                if sum <= top {
                    break;
                }
                if sum > next {
                    continue;
                }
                let mut unused = n_unused;
                for operand in [low, high] {
                    unused -= usize::from(self.uses[operand] == 0);
                    self.uses[operand] += 1;
                }
                let is_target = sum == next;
                self.chain.push(sum);
                // A number that was asked for serves by being there.
                self.uses.push(u8::from(is_target));
                if self.from(n_found + usize::from(is_target), left - 1, unused + usize::from(!is_target)) {
                    return true;
                }
                self.chain.pop();
                self.uses.pop();
                self.uses[low] -= 1;
                self.uses[high] -= 1;
            }
        }
        false
    }
}

#[cfg(test)]
#[path = "../../tests/inside/methods/shortest.rs"]
mod tests;
