//! Tests of `engine/plan/summary.rs`.

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
    let (algorithm, kernel) = line.split_once(" on ").unwrap();
    Row {
        algorithm: algorithm.into(),
        kernel: kernel.into(),
        chosen: seconds == 1.0,
        squarings: 1.0,
        products: 0.0,
        base_products: 0.0,
        selections: 0.0,
        seconds,
        ratio: seconds,
        table: None,
    }
}

fn part(problem: &str, candidates: Vec<Row>) -> SummaryPart {
    SummaryPart { problem: problem.into(), count: 1, candidates }
}

/// The chosen one, what comes next, and the best of each kernel and each algorithm come before others.
#[test]
fn what_is_shown_is_what_says_most() {
    let mut rows: Vec<Row> = (0..20).map(|at| row(&format!("a(w={at}) on k"), 1.0 + f64::from(at))).collect();
    rows.push(row("a(w=1) on m", 30.0));
    rows.push(row("b on k", 40.0));
    let part = part("work", rows);
    let plans = |most| part.shown(most).iter().map(|row| row.plan()).collect::<Vec<_>>();
    assert_eq!(plans(1), ["a(w=0) on k"]);
    assert_eq!(plans(4), ["a(w=0) on k", "a(w=1) on k", "a(w=1) on m", "b on k"]);
    assert_eq!(plans(12).len(), 12);
    assert_eq!(plans(usize::MAX).len(), 22);
}

/// What serde_json reads back is what there was: texts with every sign that JSON escapes, numbers that JSON has not, a table.
#[test]
fn json_is_read_back() {
    let text = "a \"b\" \\ c\n\t\u{1f} é";
    let table = Some(SummaryTable { entries: 3, bytes: 64, build_seconds: 1e-9 });
    let rows = vec![Row { table, ..row("a(w=1) on k", 1.0) }, row("b on k", f64::INFINITY)];
    let summary = Summary {
        chosen: text.into(),
        next_best: String::new(),
        forced: false,
        prices: String::new(),
        problem: "p".into(),
        masked: vec!["adx".into(), "bmi2".into()],
        plan: "a(w=1) on k".into(),
        seconds: 2.5e-7,
        build_seconds: None,
        notes: vec![text.into()],
        parts: vec![part("work", rows)],
        alternative: Some(Alternative { what: "other".into(), plan: "b".into(), seconds: 1.0 }),
    };
    let read: serde_json::Value = serde_json::from_str(&crate::suite::json::json(&summary)).unwrap();
    assert_eq!((read["chosen"].as_str(), read["notes"][0].as_str()), (Some(text), Some(text)));
    assert_eq!(read["masked"], serde_json::json!(["adx", "bmi2"]));
    assert_eq!((read["seconds"].as_f64(), &read["build_seconds"]), (Some(2.5e-7), &serde_json::Value::Null));
    assert_eq!(read["alternative"]["what"], "other");
    let [table, endless] = [&read["parts"][0]["candidates"][0], &read["parts"][0]["candidates"][1]];
    assert_eq!(
        (table["bytes"].as_u64(), table["entries"].as_u64(), table["chosen"].as_bool()),
        (Some(64), Some(3), Some(true))
    );
    assert_eq!((&endless["seconds"], &endless["bytes"]), (&serde_json::Value::Null, &serde_json::Value::Null));
}

fn summary_of(rows: Vec<Row>, alternative: Option<Alternative>) -> Summary {
    let summary = Summary {
        chosen: String::new(),
        next_best: String::new(),
        forced: false,
        prices: "built-in prices".into(),
        problem: "work".into(),
        masked: Vec::new(),
        plan: rows[0].plan(),
        seconds: 1e-6,
        build_seconds: None,
        notes: Vec::new(),
        parts: vec![part("part", rows)],
        alternative,
    };
    summary.with_sentences()
}

/// The next best candidate is more expensive because of more products, or because of more expensive ones: whichever does more.
#[test]
fn the_next_best_has_a_reason() {
    let row = |line: &str, multiplications: f64, microseconds: f64| {
        let chosen = line.starts_with("a ");
        let seconds = microseconds * 1e-6;
        Row { squarings: 0.0, products: multiplications, chosen, ratio: microseconds, ..row(line, seconds) }
    };
    for (line, products, time, want) in [
        ("b on k", 20.0, 2.0, "b on the same kernel, 2.0 times as expensive, because it makes 20 products, not 10."),
        (
            "b on m",
            10.0,
            2.0,
            "b on m, 2.0 times as expensive, because a product, with its share of set-up, takes 2.0 times as long there.",
        ),
        ("b on m", 25.0, 5.0, "b on m, 5.0 times as expensive, because it makes 25 products, not 10."),
    ] {
        let summary = summary_of(vec![row("a on k", 10.0, 1.0), row(line, products, time)], None);
        assert_eq!(summary.next_best, format!("Next best: {want}"));
    }
    let other = |seconds| Some(Alternative { what: "another way".into(), plan: "b".into(), seconds });
    let chosen = |seconds| summary_of(vec![row("a on k", 10.0, 1.0), row("b on k", 20.0, 2.0)], other(seconds)).chosen;
    assert_eq!(chosen(1e-6), "Chosen: a on k, 1.00 us: the cheapest of 2 candidates by built-in prices.");
    assert_eq!(chosen(3e-6), "Chosen: a on k, 1.00 us: another way would take 3.00 us, 3.0 times as long.");
}

/// The last line says how many candidates are left out, where some are.
#[test]
fn what_is_left_out_is_counted() {
    let rows = |count: usize| (0..count).map(|at| row(&format!("a(w={at}) on k"), 1.0 + at as f64)).collect();
    let (few, many) = (summary_of(rows(2), None), summary_of(rows(20), None));
    assert!(many.to_string().ends_with("\n8 of 20 candidates are left out\n"), "{many}");
    for text in [few.to_string(), format!("{few:#}"), format!("{many:#}")] {
        assert!(!text.contains("left out"), "{text}");
    }
}
