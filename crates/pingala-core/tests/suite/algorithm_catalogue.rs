//! Names: what prints parses back, what cannot be meant is refused.

use super::common::{all_for, exponent};
use pingala_core::algorithm::{
    Algorithm, CatalogueEntry, ENTRIES, ExponentShape, Schedule, SlidingWindow, Wanted, WindowBits,
};
use std::collections::BTreeSet;

#[test]
fn what_prints_parses_back() {
    for algorithm in all_for(&exponent(283), 16) {
        let text = algorithm.to_string();
        assert_eq!(text.parse::<Algorithm>().unwrap(), algorithm, "{text}");
        assert_eq!(text.parse::<Wanted>().unwrap().to_string(), text);
        assert!(text.starts_with(algorithm.name()));
    }
    assert_eq!(Algorithm::from(SlidingWindow(WindowBits::new(7))).to_string(), "sliding_window(w=7)");
    let chain = "addition_chain(0+0 0+1 2+2 3+3 0+4)";
    assert_eq!(chain.parse::<Algorithm>().unwrap().to_string(), chain);
}

#[test]
fn what_is_no_algorithm_is_refused() {
    for text in [
        "",
        "ladder",
        "sliding_window(w=0)",
        "sliding_window(w=17)",
        "sliding_window(w=+3)",
        "sliding_window(w=4294967299)",
        "sliding_window(7)",
        "sliding_window()",
        "sliding_window(w=7",
        "sliding_window(w=7))",
        "sliding_window(w=7) on",
        "binary_left_to_right()",
        "binary_left_to_right(w=2)",
        "addition_chain",
        "addition_chain(1+1)",
        "addition_chain(0+0,0+1)",
    ] {
        assert_eq!(text.parse::<Wanted>().unwrap_err().code(), "bad_plan", "{text}");
        assert_eq!(text.parse::<Algorithm>().unwrap_err().code(), "bad_plan", "{text}");
    }
    let error = "sliding_window".parse::<Algorithm>().unwrap_err();
    assert_eq!(error.to_string(), "bad plan: `sliding_window` needs its parameter: sliding_window(w=1..16)");
}

/// A bare name is filled in with the least expected number of products among all windows.
#[test]
fn bare_names_are_filled_in_later() {
    for entry in ENTRIES {
        for bits in [1, 2, 7, 24, 25, 64, 256, 1024, 2048, 4096, 1 << 20, 1 << 26] {
            let shape = ExponentShape::of_bits(bits);
            let products = |algorithm: &Algorithm| algorithm.expected(&shape).products();
            let all: Vec<Algorithm> = Algorithm::all(16).into_iter().filter(|a| a.name() == entry.name).collect();
            let Ok(wanted) = entry.name.parse::<Wanted>() else {
                assert_eq!(entry.name, "addition_chain");
                continue;
            };
            let filled = wanted.fill(&shape).unwrap();
            assert!(all.iter().all(|other| products(&filled) <= products(other)), "{filled} for {bits} bits");
            let candidates = entry.candidates(&shape);
            // Each costs a look at every kernel. (If the whole table is read, the best window is far below the one of fewest products.)
            let most = if entry.name == "fixed_window" { 16 } else { 3 };
            assert!(candidates.contains(&filled) && candidates.len() <= most, "{} at {bits} bits", entry.name);
        }
    }
}

#[test]
fn every_row_says_what_it_is() {
    let names: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), ENTRIES.len());
    let references = include_str!("../../../../docs/references.bib");
    for entry in ENTRIES {
        assert!(!entry.summary.is_empty());
        assert!(CatalogueEntry::named(entry.name).is_some_and(|row| core::ptr::eq(row, entry)));
        let keys: Vec<_> = entry.source.split('[').skip(1).map(|rest| rest.split(']').next().unwrap()).collect();
        assert!(!keys.is_empty(), "{} names no source", entry.name);
        for key in keys {
            assert!(references.contains(&format!("{{{key},")), "{key} is not in docs/references.bib");
        }
    }
    let uniform: Vec<_> = ENTRIES.iter().filter(|entry| entry.schedule == Schedule::Uniform).map(|e| e.name).collect();
    assert_eq!(uniform, ["montgomery_ladder", "fixed_window"]);
    let named: BTreeSet<_> = Algorithm::candidates(&ExponentShape::of_bits(2048)).iter().map(Algorithm::name).collect();
    assert_eq!(names.difference(&named).copied().collect::<Vec<_>>(), ["addition_chain"]);
}
