//! Shortest chains, by exhaustive search: iterative deepening. [`one`] says how a length is searched.

mod one;
mod places;

use crate::anneal::{Annealing, Progress};
use crate::bounds::{LowerBound, lower_bound};
use crate::elements::chain_of_elements;
use crate::methods::{Method, Sequence};
use dashu_int::UBig;
use one::{Limit, One};
use pingala_core::Error;
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;

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
    let windows = (1..5).map(|bits| Method::Sliding(bits, Sequence::BosCoster));
    let methods = windows.chain([Method::Direct(Sequence::ContinuedFraction)]);
    let chains: Result<Vec<Chain>, Error> = methods.map(|method| method.chain(exponent)).collect();
    let mut upper = chains?.into_iter().min_by_key(Chain::length).ok_or(Error::Fault("no method gives a chain"))?;
    let by_methods = upper.length();
    let bound = lower_bound(exponent);
    let (mut refuted, mut length, mut is_annealed) = (Vec::new(), bound.length, false);
    while length < upper.length() {
        let most = if is_annealed { u64::MAX } else { EASY_NODES };
        let best = upper.length();
        let goes_on = || progress.goes_on(0, best);
        let (found, nodes) = search_length(n, length, Limit { nodes: most, goes_on: &goes_on });
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

/// A chain of `length` steps for a number that has no shorter one, and the number of beginnings that were searched: the limit's, if that
/// ended the search. For a number that has a shorter chain it may find none.
fn search_length(n: u32, length: usize, limit: Limit<'_>) -> (Option<Vec<u32>>, u64) {
    if length == 0 || n == 1 {
        return ((n == 1 && length == 0).then(|| vec![1]), 1);
    }
    if length >= MOST || n.ilog2() as usize > length {
        return (None, 0);
    }
    if n == 1 << length {
        return (Some((0..length + 1).map(|k| 1 << k).collect()), 1);
    }
    let mut search = One::new(n, length, limit);
    search.search();
    (search.found, search.nodes)
}

#[cfg(test)]
#[path = "../../tests/inside/exact/mod.rs"]
mod tests;
