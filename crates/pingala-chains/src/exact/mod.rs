//! Shortest chains, by exhaustive search: iterative deepening. [`one`] says how a length is searched, [`all`] how the lengths of all
//! numbers up to a bound are found together.
//!
mod all;
mod one;
mod places;

pub use all::shortest_lengths;

use crate::anneal::{Annealing, Progress};
use crate::bounds::{LowerBound, lower_bound};
use crate::elements::chain_of_elements;
use crate::methods::{ContinuedFraction, Decomposition, Method, Sequence};
use core::fmt;
use dashu_int::UBig;
use one::{Limit, One};
use pingala::Error;
use pingala::algorithm::Chain;
use pingala::exponent::Exponent;

/// The largest exponent whose shortest chain is searched for.
pub const MAX_EXACT: u32 = 1 << 20;
/// More steps than any chain up to there needs, and more than any search takes.
const MOST: usize = places::PLACES - 1;

/// Beginnings after which a search is no easy one.
const EASY_NODES: u64 = 1_000_000;
/// What is spent on a short chain before a search that is not easy: some tenths of a second.
const ANNEALING_MOVES: u64 = 200_000;
const ANNEALINGS: u64 = 4;

/// A shortest chain, with the reason why none is shorter.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The chain.
    pub chain: Chain,
    /// A bound that holds for every chain.
    pub bound: LowerBound,
    /// For each length from the bound up to one below the chain's: the nodes of the exhaustive search that found none.
    pub refuted: Vec<(usize, u64)>,
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
    match exact_while(exponent, &())? {
        Exact::Proved(certificate) => Ok(certificate),
        Exact::GivenUp(_) => Err(Error::Fault("a search that nobody stops was stopped")),
    }
}

/// What comes of a search that may end early.
pub(crate) enum Exact {
    Proved(Certificate),
    /// A chain that is shorter than those of the methods that it began with, if one was found.
    GivenUp(Option<Chain>),
}

/// Asks on, without a count of moves: these annealings are a part of another search.
struct Asking<'p>(&'p dyn Progress);

impl Progress for Asking<'_> {
    fn goes_on(&self, _: u64, best: usize) -> bool {
        self.0.goes_on(0, best)
    }
}

/// A shortest chain for the exponent, or the best one so far once `progress` ends the search.
pub(crate) fn exact_while(exponent: &Exponent, progress: &dyn Progress) -> Result<Exact, Error> {
    let n = exponent.magnitude().limbs().first().copied().filter(|_| exponent.bits() <= 64).unwrap_or(u64::MAX);
    let Some(n) = u32::try_from(n).ok().filter(|&n| n <= MAX_EXACT) else {
        let (length, cap) = (exponent.bits() as u64, u64::from(MAX_EXACT.ilog2()));
        return Err(Error::TooLong { what: "the exponent of an exact search", length, cap });
    };
    // An upper bound ends the search; a good one is found by the search itself soon enough.
    let windows = (1..5).map(|bits| Method::Dictionary(Decomposition::Sliding(bits), Sequence::BosCoster));
    let methods = windows.chain([Method::Direct(Sequence::ContinuedFraction(ContinuedFraction::Dichotomic))]);
    let chains: Result<Vec<Chain>, Error> = methods.map(|method| method.chain(exponent)).collect();
    let mut upper = chains?.into_iter().min_by_key(Chain::length).ok_or(Error::Fault("no method gives a chain"))?;
    let by_methods = upper.length();
    let bound = lower_bound(exponent);
    let (mut refuted, mut length, mut is_annealed) = (Vec::new(), bound.length, false);
    while length < upper.length() {
        let most = if is_annealed { u64::MAX } else { EASY_NODES };
        let best = upper.length();
        let goes_on = || progress.goes_on(0, best);
        let (found, nodes) = search_within(n, length, false, Limit { nodes: most, goes_on: &goes_on });
        if let Some(elements) = found {
            upper = chain_of_elements(elements.into_iter().map(UBig::from).collect())?;
        } else if nodes < most {
            refuted.push((length, nodes));
            length += 1;
        } else if is_annealed || !goes_on() {
            return Ok(Exact::GivenUp(Some(upper).filter(|chain| chain.length() < by_methods)));
        } else {
            // Annealing finds a chain in less time. If it finds a shortest one, only a refutation is left to do.
            is_annealed = true;
            for seed in 0..ANNEALINGS {
                let chain = Annealing::new(ANNEALING_MOVES, seed).run(&upper, &Asking(progress))?;
                upper = if chain.length() < upper.length() { chain } else { upper };
            }
        }
    }
    Ok(Exact::Proved(Certificate { chain: upper, bound, refuted }))
}

/// A chain of `length` steps for a number that has no shorter one, among the star chains or among all, and the number of beginnings that
/// were searched. For a number that has a shorter chain it may find none.
pub fn search_length(n: u32, length: usize, star: bool) -> (Option<Vec<u32>>, u64) {
    search_within(n, length, star, Limit { nodes: u64::MAX, goes_on: &|| true })
}

/// If the limit ended the search, the number of beginnings is the limit's.
fn search_within(n: u32, length: usize, star: bool, limit: Limit<'_>) -> (Option<Vec<u32>>, u64) {
    if length == 0 || n == 1 {
        return ((n == 1 && length == 0).then(|| vec![1]), 1);
    }
    if length >= MOST || n.ilog2() as usize > length {
        return (None, 0);
    }
    if n == 1 << length {
        return (Some((0..length + 1).map(|k| 1 << k).collect()), 1);
    }
    let mut search = One::new(n, length, star, limit);
    search.search();
    (search.found, search.nodes)
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
        assert!(found.chain.length() == 17 && !crate::shape(&found.chain).is_star);
    }

    /// Every length that one search finds by itself the other finds for all together; each chain is checked when it is made.
    #[test]
    fn one_by_one_and_all_together() {
        for (n, &wanted) in shortest_lengths(11).iter().enumerate().skip(1) {
            assert_eq!(length(n as u32), usize::from(wanted), "{n}");
        }
    }
}
