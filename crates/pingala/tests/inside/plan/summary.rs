//! Tests of `plan/summary.rs`.

use super::*;

#[test]
fn figures_have_three_digits() {
    for (seconds, text) in [
        (0.0, "0.00 ns"),
        (2.104e-9, "2.10 ns"),
        (41.23e-6, "41.2 us"),
        (999.6e-6, "1.00 ms"),
        (0.99949, "999 ms"),
        (12.345, "12.3 s"),
        (98765.4, "98765 s"),
    ] {
        assert_eq!(Seconds(seconds).to_string(), text);
    }
    for (figure, text) in [(0.0, "0"), (1.004, "1.00"), (9.996, "10.0"), (2047.0, "2047"), (292.6, "293"), (12.0, "12")]
    {
        assert_eq!(Figure(figure).to_string(), text);
    }
}

fn row(line: &str, seconds: f64) -> Row {
    let cost = ExpectedCost { squarings: 1.0, ..ExpectedCost::default() };
    Row::new(line, (&cost, seconds, seconds), seconds == 1.0)
}

/// The chosen one, what comes next, and the best of each kernel and each algorithm come before others.
#[test]
fn what_is_shown_is_what_says_most() {
    let mut rows: Vec<Row> = (0..20).map(|at| row(&format!("a(w={at}) on k"), 1.0 + f64::from(at))).collect();
    rows.push(row("a(w=1) on m", 30.0));
    rows.push(row("b on k", 40.0));
    let part = Part::new("work".into(), rows);
    let plans = |most| part.shown(most).iter().map(|row| row.plan()).collect::<Vec<_>>();
    assert_eq!(plans(1), ["a(w=0) on k"]);
    assert_eq!(plans(4), ["a(w=0) on k", "a(w=1) on k", "a(w=1) on m", "b on k"]);
    assert_eq!(plans(12).len(), 12);
    assert_eq!(plans(usize::MAX).len(), 22);
}
