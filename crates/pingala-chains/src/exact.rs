//! Shortest chains, by exhaustive search: iterative deepening, star chains first, then all.
//!
//! A chain of r steps is looked for as a strictly increasing one, every element of which serves. What bounds the search:
//! - a_(i+1) <= 2 a_i, so that a_i >= n / 2^(r-i);
//! - of the last t + 1 steps, where 2^t is the highest power of 2 that divides n, one is no doubling, and then
//!   a_m <= a_(m-1) + a_(m-2) <= 3 a_(m-2) in place of 4 a_(m-2): a_i >= n / (3 2^(r-2-i)) for i <= r - 2 - t
//!   \[thurber1999efficient\];
//! - a step uses two elements and adds one, and the last leaves one unused: with u elements unused, u - 1 steps are left at least;
//! - the last two steps are not searched: n is a_i + a_j + a_k or 2 (a_i + a_k), as a_i and the last but one both serve.

use crate::bounds::{LowerBound, lower_bound};
use crate::elements::chain_of_elements;
use crate::methods::{ContinuedFraction, Decomposition, Method, Sequence};
use core::fmt;
use dashu_int::UBig;
use pingala::Error;
use pingala::algorithm::Chain;
use pingala::exponent::Exponent;

/// The largest exponent whose shortest chain is searched for.
pub const MAX_EXACT: u32 = 1 << 20;
/// More steps than any chain up to there needs.
const MOST: usize = 32;

/// A shortest chain, with the reason why none is shorter.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The chain.
    pub chain: Chain,
    /// A bound that holds for every chain.
    pub bound: LowerBound,
    /// For each length from the bound up to one below the chain's: the nodes of the exhaustive search that found none.
    pub refuted: Vec<(usize, u64)>,
    /// Whether the chain is a star chain: each step uses the element before it.
    pub is_star: bool,
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "length {} is the least: every chain has {}", self.chain.length(), self.bound)?;
        for (length, nodes) in &self.refuted {
            write!(f, "; none of {length} among {nodes} beginnings")?;
        }
        Ok(())
    }
}

/// A shortest chain. Error: [`Error::TooLong`] above [`MAX_EXACT`].
pub fn exact(exponent: &Exponent) -> Result<Certificate, Error> {
    exact_within(exponent, u64::MAX)?.ok_or(Error::Fault("a search without a limit came to its limit"))
}

/// The same, or `None` once so many beginnings were looked at.
pub(crate) fn exact_within(exponent: &Exponent, most_nodes: u64) -> Result<Option<Certificate>, Error> {
    let n = exponent.magnitude().limbs().first().copied().filter(|_| exponent.bits() <= 64).unwrap_or(u64::MAX);
    let Some(n) = u32::try_from(n).ok().filter(|&n| n <= MAX_EXACT) else {
        let (length, cap) = (exponent.bits() as u64, u64::from(MAX_EXACT.ilog2()));
        return Err(Error::TooLong { what: "the exponent of an exact search", length, cap });
    };
    // An upper bound ends the search; a good one is found by the search itself soon enough.
    let windows = (1..5).map(|bits| Method::Dictionary(Decomposition::Sliding(bits), Sequence::BosCoster));
    let methods = windows.chain([Method::Direct(Sequence::ContinuedFraction(ContinuedFraction::Dichotomic))]);
    let chains: Result<Vec<Chain>, Error> = methods.map(|method| method.chain(exponent)).collect();
    let upper = chains?.into_iter().min_by_key(Chain::length).ok_or(Error::Fault("no method gives a chain"))?;
    let bound = lower_bound(exponent);
    let mut refuted = Vec::new();
    for length in bound.length..upper.length() {
        let mut nodes = 0;
        for star in [true, false] {
            let (found, looked_at) = search_within(n, length, star, most_nodes);
            nodes += looked_at;
            if looked_at >= most_nodes {
                return Ok(None);
            }
            if let Some(elements) = found {
                let chain = chain_of_elements(elements.into_iter().map(UBig::from).collect())?;
                return Ok(Some(Certificate { chain, bound, refuted, is_star: star }));
            }
        }
        refuted.push((length, nodes));
    }
    let is_star = crate::shape(&upper).is_star;
    Ok(Some(Certificate { chain: upper, bound, refuted, is_star }))
}

/// A chain of exactly so many steps, among the star chains or among all, and how many beginnings were looked at.
pub fn search_length(n: u32, length: usize, star: bool) -> (Option<Vec<u32>>, u64) {
    search_within(n, length, star, u64::MAX)
}

fn search_within(n: u32, length: usize, star: bool, most_nodes: u64) -> (Option<Vec<u32>>, u64) {
    if length == 0 || n == 1 {
        return ((n == 1 && length == 0).then(|| vec![1]), 1);
    }
    if length >= MOST || n.ilog2() as usize > length {
        return (None, 0);
    }
    let mut search = Search::new(n, length, star);
    search.most_nodes = most_nodes;
    let found = search.from(0);
    (found.then(|| search.chain()), search.nodes)
}

struct Search {
    n: u32,
    length: usize,
    star: bool,
    /// a_0 to a_i, and how often each serves.
    a: [u32; MOST + 1],
    uses: [u8; MOST + 1],
    n_unused: usize,
    /// What a_i has to be at least.
    least: [u32; MOST + 1],
    is_element: Vec<u64>,
    /// The last two elements, where they were found.
    last: [u32; 2],
    depth: usize,
    nodes: u64,
    most_nodes: u64,
}

impl Search {
    fn new(n: u32, length: usize, star: bool) -> Self {
        let zeros = n.trailing_zeros() as usize;
        let mut least = [0; MOST + 1];
        for (i, least) in least.iter_mut().enumerate().take(length + 1) {
            let left = length - i;
            let most = if left >= 2 + zeros { 3u64 << (left - 2) } else { 1u64 << left };
            *least = u64::from(n).div_ceil(most) as u32;
        }
        let mut is_element = vec![0u64; n as usize / 64 + 1];
        is_element[0] |= 2;
        let mut a = [0; MOST + 1];
        a[0] = 1;
        Self {
            n,
            length,
            star,
            a,
            uses: [0; MOST + 1],
            n_unused: 1,
            least,
            is_element,
            last: [0; 2],
            depth: 0,
            nodes: 0,
            most_nodes: u64::MAX,
        }
    }

    #[inline]
    fn contains(&self, value: u32) -> bool {
        self.is_element[value as usize / 64] >> (value % 64) & 1 == 1
    }

    fn chain(&self) -> Vec<u32> {
        let mut chain = self.a[..self.depth + 1].to_vec();
        chain.extend(self.last.iter().filter(|&&element| element > 0));
        chain
    }

    /// Whether a_0 to a_i go on to n.
    fn from(&mut self, i: usize) -> bool {
        if self.nodes >= self.most_nodes {
            return false;
        }
        self.nodes += 1;
        self.depth = i;
        let left = self.length - i;
        let top = self.a[i];
        if top < self.least[i] || self.n_unused > left + 1 {
            return false;
        }
        match left {
            1 => {
                let rest = self.n - top;
                let found = rest <= top && self.contains(rest);
                self.last = [if found { self.n } else { 0 }, 0];
                found
            }
            2 => self.last_two(i),
            _ => self.longer(i),
        }
    }

    fn last_two(&mut self, i: usize) -> bool {
        let top = self.a[i];
        for k in (0..i + 1).rev() {
            let sum = top + self.a[k];
            if sum > self.n {
                continue;
            }
            if 3 * top < self.n && 2 * sum < self.n {
                // All below give less.
                return false;
            }
            let rest = self.n - sum;
            if rest == sum || (rest <= top && rest > 0 && self.contains(rest)) {
                // n = (a_i + a_k) + rest; for a star chain the sum with a_i comes first, as here.
                self.last = [sum, self.n];
                return true;
            }
        }
        false
    }

    fn longer(&mut self, i: usize) -> bool {
        let top = self.a[i];
        let least = self.least[i + 1].max(top + 1);
        // Every new element, with the pair that makes it; of pairs with the same sum all are tried, as they use other elements.
        for high in (0..i + 1).rev() {
            if 2 * self.a[high] < least || (self.star && high < i) {
                break;
            }
            for low in (0..high + 1).rev() {
                let sum = self.a[high] + self.a[low];
                if sum < least {
                    break;
                }
                if sum >= self.n {
                    continue;
                }
                if self.step(i, low, high, sum) {
                    return true;
                }
            }
        }
        false
    }

    fn step(&mut self, i: usize, low: usize, high: usize, sum: u32) -> bool {
        let mut newly_used = 0;
        for operand in [low, high] {
            newly_used += usize::from(self.uses[operand] == 0);
            self.uses[operand] += 1;
        }
        self.n_unused = self.n_unused + 1 - newly_used;
        self.a[i + 1] = sum;
        self.uses[i + 1] = 0;
        self.is_element[sum as usize / 64] |= 1 << (sum % 64);
        if self.from(i + 1) {
            return true;
        }
        self.is_element[sum as usize / 64] &= !(1 << (sum % 64));
        self.n_unused = self.n_unused + newly_used - 1;
        for operand in [low, high] {
            self.uses[operand] -= 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;

    fn length(n: u32) -> usize {
        exact(&evaluate(&n.to_string()).unwrap()).unwrap().chain.length()
    }

    /// \[knuth1997seminumerical\] 4.6.3, figure 15 and OEIS A003313.
    #[test]
    fn the_first_lengths() {
        let lengths =
            [0, 1, 2, 2, 3, 3, 4, 3, 4, 4, 5, 4, 5, 5, 5, 4, 5, 5, 6, 5, 6, 6, 6, 5, 6, 6, 6, 6, 7, 6, 7, 5, 6, 6, 7];
        for (n, wanted) in (1..).zip(lengths) {
            assert_eq!(length(n), wanted, "{n}");
        }
    }

    /// OEIS A003064: the least number that takes r steps.
    #[test]
    fn the_first_to_take_so_many_steps() {
        let least = [1, 2, 3, 5, 7, 11, 19, 29, 47, 71, 127, 191, 379, 607, 1087, 1903, 3583];
        for (r, n) in least.into_iter().enumerate() {
            assert_eq!(length(n), r, "{n}");
            if n > 2 {
                assert!(length(n - 1) <= r, "{n}");
            }
        }
    }

    #[test]
    fn a_number_without_a_shortest_star_chain() {
        assert_eq!(search_length(12509, 17, true).0, None);
        let found = exact(&evaluate("12509").unwrap()).unwrap();
        assert_eq!((found.chain.length(), found.is_star), (17, false));
    }
}
