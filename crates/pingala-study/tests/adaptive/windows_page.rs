//! Every number of papers/windows.md, recomputed.

use super::{m_ary_multiplications, sliding_window_multiplications};
use pingala_core::algorithm::{ExponentShape, Program, SlidingWindow, WindowBits};
use pingala_study::{m_ary_minimiser, sliding_window_minimiser};

const PAGE: &str = include_str!("../../../../papers/windows.md");

/// The rows `| k | 1-5 | ...` and `| m | 1 | ...` for the values 1 to 8 of a choice that grows with k.
fn interval_rows(letter: char, choice: impl Fn(usize) -> u32) -> [String; 2] {
    let (mut lengths, mut values, mut first) = ("| k |".to_string(), format!("| {letter} |"), 1);
    for value in 1..=8 {
        let next = (first..).find(|&k| choice(k) != value).unwrap();
        assert_eq!(choice(next), value + 1);
        lengths += &format!(" {first}-{} |", next - 1);
        values += &format!(" {value} |");
        first = next;
    }
    [lengths, values]
}

fn assert_rows(rows: [String; 2]) {
    let [lengths, values] = rows;
    let mut lines = PAGE.lines().skip_while(|line| *line != lengths);
    assert!(lines.next().is_some(), "the page lacks {lengths}");
    assert_eq!(lines.nth(1), Some(values.as_str()));
}

/// By executed expectation, the lower window on a tie.
fn executed_minimiser(k: usize) -> u32 {
    let products = |w: u32| SlidingWindow(WindowBits::new(w)).expected(&ExponentShape::of_bits(k)).products();
    (2..=16).fold(1, |best, w| if products(w) < products(best) { w } else { best })
}

#[test]
fn the_three_tables() {
    assert_rows(interval_rows('m', m_ary_minimiser));
    assert_rows(interval_rows('m', sliding_window_minimiser));
    assert_rows(interval_rows('w', executed_minimiser));
    assert_eq!(m_ary_minimiser(18726), 9);
    assert_eq!(m_ary_multiplications(6, 1), m_ary_multiplications(6, 2));
    let steps: Vec<String> = (1..=9u32).map(|m| ((1 << (m - 1)) * (m + 1) * (m + 2)).to_string()).collect();
    assert!(PAGE.replace('\n', " ").contains(&steps.join(", ")));
}

#[test]
fn the_price_of_table_2() {
    let lengths = [24, 80, 240, 672, 1024, 1792, 2048, 3072, 4096];
    let row = |name: &str, cell: &dyn Fn(usize) -> String| {
        let row = lengths.iter().fold(format!("| {name} |"), |row, &k| row + &format!(" {} |", cell(k)));
        assert!(PAGE.contains(&row), "the page lacks {row}");
    };
    let at = |k: usize, surplus: u32| sliding_window_multiplications(k, sliding_window_minimiser(k) + surplus);
    row("k", &|k| k.to_string());
    row("T'(k, m)", &|k| format!("{:.2}", at(k, 0)));
    row("T'(k, m + 1)", &|k| format!("{:.2}", at(k, 1)));
    row("more", &|k| format!("{:.1} %", 100.0 * (at(k, 1) / at(k, 0) - 1.0)));
}

/// The executed expectation is the mean over all exponents of a length, by the recursion on the number V of windows in
/// n random bits, V(n) = V(n-1)/2 + (1 + V(n-w))/2: the steps of the third table are those of the exact mean.
#[test]
fn the_third_table_by_recursion() {
    const BITS: usize = 12_000;
    let exact: Vec<Vec<f64>> = (1..=9usize)
        .map(|w| {
            let mut windows = vec![0.0; BITS + 1];
            for n in 1..=BITS {
                windows[n] = (windows[n - 1] + 1.0 + windows[n.saturating_sub(w)]) / 2.0;
            }
            let table = if w > 1 { 1 << (w - 1) } else { 0 };
            let total = |k: usize| {
                let first = w.min(k) as f64 - 1.0 + 0.5f64.powi(w.min(k) as i32 - 1);
                f64::from(table) + k as f64 - first + windows[k.saturating_sub(w)]
            };
            (1..=BITS).map(total).collect()
        })
        .collect();
    for k in 1..=BITS {
        let best = (1..9).fold(0, |best, w| if exact[w][k - 1] < exact[best][k - 1] - 1e-9 { w } else { best });
        assert_eq!(executed_minimiser(k), best as u32 + 1, "{k} bits");
        for (w, exact) in (1..).zip(&exact) {
            let expected = SlidingWindow(WindowBits::new(w)).expected(&ExponentShape::of_bits(k)).products();
            assert!((expected - exact[k - 1]).abs() < 0.2, "w = {w}, {k} bits: {expected}, {}", exact[k - 1]);
        }
    }
}
