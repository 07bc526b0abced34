//! Every method on every kind of exponent.

use crate::is_right;
use pingala_chains::{Annealing, CostModel, Progress, Search, ensemble, evaluate, lower_bound, prune, shape};
use pingala_core::exponent::Exponent;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn exponents() -> Vec<Exponent> {
    let texts = [
        "1",
        "2",
        "3",
        "4",
        "5",
        "7",
        "15",
        "23",
        "71",
        "127",
        "191",
        "255",
        "256",
        "12509",
        "2^61-1",
        "2^64",
        "2^64-1",
        "2^64+1",
        "2^127-1",
        "2^128-2^64-1",
        "3^80",
        "10^77+1",
        "2^255-21",
        "2^192-2^64-3",
        "(2^256-2^224+2^192+2^96)/4",
        "0xdeadbeef",
        "0x8000000000000000000000000000000000000000000000000000000000000001",
        "7^113",
        "2^300-2^299-1",
    ];
    texts.iter().map(|text| evaluate(text).unwrap()).collect()
}

#[test]
fn every_method_gives_a_chain_for_every_exponent() {
    for exponent in exponents() {
        let methods = ensemble(exponent.bits());
        let mut names = HashSet::new();
        for method in methods {
            let chain = method.chain(&exponent).unwrap();
            assert!(is_right(&chain) && *chain.target() == exponent, "{method} for {exponent}");
            assert!(chain.length() >= lower_bound(&exponent).length, "{method} for {exponent}");
            assert!(names.insert(method.to_string()), "{method} has its name alone");
        }
    }
}

#[test]
fn annealing_never_gives_more_than_it_gets() {
    for exponent in exponents().into_iter().filter(|exponent| exponent.bits() > 1) {
        let start = ensemble(exponent.bits())[0].chain(&exponent).unwrap();
        let found = Annealing::new(3000, 7).run(&start, &()).unwrap();
        assert!(is_right(&found) && *found.target() == exponent, "{exponent}");
        assert!(found.length() <= start.length(), "{exponent}");
    }
}

#[test]
fn a_search_is_the_same_for_the_same_seed_on_any_number_of_threads() {
    let exponent = evaluate("0xb5bf992dc9e9c616612e7696a6cecc1b78e510617311d8a3").unwrap();
    let search = Search { steps: 40_000, seed: 3, ..Search::new(&exponent) };
    let [one, three] =
        [1, 3].map(|n| Search { threads: NonZeroUsize::new(n).unwrap(), ..search.clone() }.run().unwrap());
    assert_eq!((&one.chain, &one.method), (&three.chain, &three.method));
    // Going on from a chain never loses it.
    let on = Search { steps: 4000, start: Some(one.chain.clone()), ..search }.run().unwrap();
    assert!(on.chain.length() <= one.chain.length());
}

/// Lets a search go on for this number of polls, the last of which come before the first move.
struct For(AtomicUsize);

impl Progress for For {
    fn goes_on(&self, moves: u64, best: usize) -> bool {
        assert!(moves == 0 && best < 10_000, "{moves} moves, {best}");
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

/// The methods before the annealing would take seconds for the first, the exhaustive search minutes for the last.
#[test]
fn a_search_is_stopped_before_its_first_move() {
    for text in ["3^2584", "0xb5bf992dc9e9c616612e7696a6cecc1b78e510617311d8a3", "934271"] {
        let exponent = evaluate(text).unwrap();
        for questions in [0, 1, 2] {
            let found = Search::new(&exponent).run_with(&For(AtomicUsize::new(questions))).unwrap();
            assert!(is_right(&found.chain) && *found.chain.target() == exponent, "{text}");
        }
        let found = Search { limit: Some(Duration::ZERO), ..Search::new(&exponent) }.run().unwrap();
        assert_eq!(found.method, "dictionary(sliding(4), bos_coster)", "{text}");
    }
}

#[test]
fn pruning_takes_out_what_serves_nothing() {
    let exponent = evaluate("13").unwrap();
    let pairs = [(0, 0), (0, 1), (0, 2), (2, 2), (4, 4), (0, 5), (3, 3)];
    let chain = pingala_chains::Chain::from_pairs(pairs[..6].to_vec()).unwrap();
    assert_eq!(*chain.target(), exponent);
    assert_eq!(prune(&chain).length(), 5);
}

#[test]
fn the_cost_decides() {
    let exponent = evaluate("2^96-2^31-5").unwrap();
    let of = |cost| Search { steps: 20_000, cost, ..Search::new(&exponent) }.run().unwrap().chain;
    let shortest = of(CostModel::LENGTH);
    let few = of(CostModel { most_registers: Some(3), ..CostModel::LENGTH });
    assert!(shape(&few).registers <= 3 && shortest.length() <= few.length());
    let squarings = CostModel { squaring: 0.5, ..CostModel::LENGTH };
    assert!(squarings.price(&of(squarings)) <= squarings.price(&shortest));
    let cost = CostModel { most_registers: Some(1), ..CostModel::LENGTH };
    assert!(Search { steps: 0, cost, ..Search::new(&exponent) }.run().is_err());
    let start = Some(shortest);
    assert!(Search { start, ..Search::new(&evaluate("3").unwrap()) }.run().is_err());
}
