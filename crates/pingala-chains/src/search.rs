//! The search for a short chain: every method, then annealing from the best of them.

use crate::anneal::{Annealing, MAX_BITS, Phase, Progress};
use crate::bounds::{LowerBound, lower_bound};
use crate::cost::CostModel;
use crate::exact::{Certificate, Exact, MAX_EXACT, exact_while};
use crate::methods::{Method, Sequence, ensemble};
use crate::prune::prune_while;
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;
use pingala_core::threads::each;
use pingala_core::{Error, Watch, has_memory};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// More moves than any time allows.
const MOVES_BY_TIME: u64 = 1 << 34;

/// What to search for, and how long: `Search { steps: 20_000, ..Search::new(&exponent) }`. Without a limit of time the result follows only
/// from these values, whatever the number of threads.
#[derive(Clone, Debug)]
pub struct Search {
    /// The exponent.
    pub exponent: Exponent,
    /// Moves of the annealing in all.
    pub steps: u64,
    /// The time for the annealing instead, which makes all the moves that it allows and cools down with it.
    pub limit: Option<Duration>,
    /// Of the choices of the annealing.
    pub seed: u64,
    /// What is made small.
    pub cost: CostModel,
    /// Rounds of annealing, each with a seed of its own, among which the moves are divided. Several rounds use several threads; one round
    /// of all moves finds more.
    pub rounds: NonZeroUsize,
    /// Threads.
    pub threads: NonZeroUsize,
    /// A chain for the same exponent to begin with as well.
    pub start: Option<Chain>,
}

/// A search whose time is limited, in addition to what its caller wants.
struct Timed<'p> {
    progress: &'p dyn Progress,
    started: Instant,
    limit: Duration,
}

impl Progress for Timed<'_> {
    fn goes_on(&self, moves: u64, best: usize) -> bool {
        self.progress.goes_on(moves, best) && self.started.elapsed() < self.limit
    }

    fn begins(&self, phase: Phase) {
        self.progress.begins(phase);
    }

    fn done(&self, units: u64) {
        self.progress.done(units);
    }

    fn share(&self) -> Option<f64> {
        Some((self.started.elapsed().as_secs_f64() / self.limit.as_secs_f64()).min(1.0))
    }
}

/// The best chain of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The chain.
    pub chain: Chain,
    /// The method that found it, by its printed name.
    pub method: String,
    /// What no chain is shorter than. For a short exponent that is the length itself, and `method` is `exact`.
    pub bound: LowerBound,
}

impl Search {
    /// With 20 million moves in one round, seed 1, by length, on one thread.
    pub fn new(exponent: &Exponent) -> Self {
        Self {
            exponent: exponent.clone(),
            steps: 20_000_000,
            limit: None,
            seed: 1,
            cost: CostModel::LENGTH,
            rounds: NonZeroUsize::MIN,
            threads: NonZeroUsize::MIN,
            start: None,
        }
    }

    /// Searches.
    pub fn run(&self) -> Result<Found, Error> {
        self.run_with(&())
    }

    /// Searches, and says how it goes. A search that is stopped gives the best chain so far.
    ///
    /// # Errors
    /// [`Error::BadArgument`] if every chain found takes more registers than the cap, if the start is a chain for another exponent, for an
    /// exponent whose chains have more than 2^15 steps, and if there is no memory.
    pub fn run_with(&self, progress: &dyn Progress) -> Result<Found, Error> {
        if let Some(start) = self.start.as_ref().filter(|start| *start.target() != self.exponent) {
            return Err(Error::BadArgument(format!("the chain to go on from is for {}", start.target())));
        }
        match self.limit {
            Some(limit) => self.search(&Timed { progress, started: Instant::now(), limit }),
            None => self.search(progress),
        }
    }

    fn search(&self, progress: &dyn Progress) -> Result<Found, Error> {
        let bits = self.exponent.bits();
        // Each step doubles at most.
        Chain::check_steps(bits - 1)?;
        // The numbers of a chain: about 5/4 as many as the exponent has bits, and half as long on average.
        has_memory((bits * bits) as u64 / 64 * 5)?;
        let bound = lower_bound(&self.exponent);
        let mut best = Best { cost: self.cost, least: f64::INFINITY, found: None };
        if self.exponent.bits() <= MAX_EXACT.ilog2() as usize && self.cost == CostModel::LENGTH {
            progress.begins(Phase::Exhaustive);
            match exact_while(&self.exponent, progress)? {
                Exact::Proved(Certificate { chain, .. }) => {
                    let bound = LowerBound { length: chain.length(), theorem: "exhaustive search" };
                    return Ok(Found { chain, method: "exact".into(), bound });
                }
                Exact::GivenUp(Some(chain)) => best.offer(chain, || "exhaustive search, given up".into()),
                Exact::GivenUp(None) => {}
            }
        }
        if let Some(start) = &self.start {
            best.offer(start.clone(), || "start".into());
        }
        // Small windows are found in any case. Annealing starts from them: a dictionary of long runs lies in a valley of its own,
        // which is slow to search and which annealing does not leave.
        let windows = Method::Sliding(4, Sequence::BosCoster);
        let shortest = AtomicUsize::new(best.found.as_ref().map_or(usize::MAX, |(chain, _)| chain.length()));
        let goes_on = || progress.goes_on(0, shortest.load(Ordering::Relaxed));
        let see = |chain: Chain| {
            progress.done(1);
            shortest.fetch_min(chain.length(), Ordering::Relaxed);
            chain
        };
        let methods = ensemble(self.exponent.bits());
        progress.begins(Phase::Methods(methods.len() as u64 + 1));
        let by_windows = see(windows.chain_while(&self.exponent, &|| true)?);
        let chain = |method: &Method| goes_on().then(|| method.chain_while(&self.exponent, &goes_on).map(see));
        for (method, chain) in methods.iter().zip(self.each(&methods, chain)) {
            if let Some(chain) = chain {
                best.offer(chain?, || method.to_string());
            }
        }
        best.offer(by_windows.clone(), || windows.to_string());
        let steps = if self.limit.is_some() { MOVES_BY_TIME } else { self.steps };
        if self.exponent.bits() <= MAX_BITS && steps > 0 && goes_on() {
            let start = self.start.clone().unwrap_or(by_windows);
            let n_rounds = self.rounds.get() as u64;
            let moves = steps.div_ceil(n_rounds);
            let seed = |round: u64| self.seed.wrapping_mul(n_rounds).wrapping_add(round);
            let mut rounds: Vec<Annealing> = (0..n_rounds).map(|round| Annealing::new(moves, seed(round))).collect();
            // Where time decides, the rounds of one thread share it.
            let in_turn = self.on_a_thread(rounds.len());
            for (at, round) in rounds.iter_mut().enumerate() {
                let of = |at: usize| at as f64 / in_turn as f64;
                round.part = (of(at % in_turn), of(at % in_turn + 1));
            }
            progress.begins(Phase::Annealing(moves * n_rounds));
            let chains = self.each(&rounds, |round| round.run(&start, progress));
            progress.begins(Phase::Pruning(n_rounds));
            for (round, chain) in rounds.iter().zip(chains) {
                let name = || format!("annealing(seed={})", round.seed);
                let chain = chain?;
                best.offer(prune_while(&chain, &goes_on), name);
                progress.done(1);
                // A chain with fewer steps may take more registers.
                best.offer(chain, name);
            }
        }
        let Some((chain, method)) = best.found else {
            let most = self.cost.most_registers.unwrap_or(0);
            return Err(Error::BadArgument(format!("no chain was found that takes {most} registers at most")));
        };
        Ok(Found { chain, method, bound })
    }

    /// The number of items that one thread does.
    fn on_a_thread(&self, items: usize) -> usize {
        items.div_ceil(self.threads.get()).max(1)
    }

    /// The results of a function for each item, in order, on the threads of the search, or on this one if the system starts none.
    fn each<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let parts: Vec<&[T]> = items.chunks(self.on_a_thread(items.len())).collect();
        let all = |part: usize, _: &dyn Watch| Ok(parts[part].iter().map(&work).collect::<Vec<R>>());
        each(parts.len(), self.threads.get(), None, 0, all)
            .expect("a search does not fail")
            .into_iter()
            .flatten()
            .collect()
    }
}

/// The cheapest chain so far; of two that cost the same, the shorter, then the first.
struct Best {
    cost: CostModel,
    least: f64,
    found: Option<(Chain, String)>,
}

impl Best {
    fn offer(&mut self, chain: Chain, method: impl FnOnce() -> String) {
        let Some(price) = self.cost.price(&chain) else { return };
        let shorter = |(found, _): &(Chain, String)| price == self.least && chain.length() < found.length();
        if price < self.least || self.found.as_ref().is_some_and(shorter) {
            self.least = price;
            self.found = Some((chain, method()));
        }
    }
}
