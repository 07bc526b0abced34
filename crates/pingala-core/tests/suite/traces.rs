//! The tracer against the tables 2.1 and 2.2 of the report, and against the chain recorder.

use super::common::{Random, all_for, exponent};
use super::reading::{TracedPower, trace_of};
use pingala_core::algorithm::Algorithm;

fn trace_283(name: &str) -> String {
    trace_of(&name.parse().unwrap(), &exponent(283)).to_string()
}

#[test]
fn tables_of_the_report() {
    assert_eq!(trace_283("binary_right_to_left"), include_str!("golden/trace_283_right_to_left.txt"));
    assert_eq!(trace_283("binary_left_to_right"), include_str!("golden/trace_283_left_to_right.txt"));
    // What the report prints, cell by cell.
    let cells = |text: String, name: &str| {
        let row = text.lines().find(|line| line.starts_with(name)).unwrap().to_string();
        row.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    let (right, left) = ("binary_right_to_left", "binary_left_to_right");
    assert_eq!(cells(trace_283(right), "A"), "1 g g^3 g^3 g^11 g^27 g^27 g^27 g^27 g^283");
    assert_eq!(cells(trace_283(right), "e"), "283 141 70 35 17 8 4 2 1 0");
    assert_eq!(cells(trace_283(right), "S"), "g g^2 g^4 g^8 g^16 g^32 g^64 g^128 g^256");
    assert_eq!(cells(trace_283(left), "i "), "8 7 6 5 4 3 2 1 0");
    assert_eq!(cells(trace_283(left), "e_i"), "1 0 0 0 1 1 0 1 1");
    assert_eq!(cells(trace_283(left), "A"), "g g^2 g^4 g^8 g^17 g^35 g^70 g^141 g^283");
}

/// The last write to the result's register is the power, and the products are those that the exact count names.
#[test]
fn every_trace_ends_in_the_power() {
    let mut random = Random::new(22);
    for bits in [1, 2, 3, 8, 9, 64, 300] {
        let e = random.exponent(bits);
        for algorithm in all_for(&e, 5) {
            let trace = trace_of(&algorithm, &e);
            let last = trace.steps.iter().rev().find(|step| step.out == trace.result);
            assert_eq!(
                last.map_or(TracedPower::of(exponent(1)), |step| step.value.clone()),
                TracedPower::of(e.clone())
            );
            let text = trace.to_string();
            assert!(text.starts_with(&algorithm.to_string()) && text.lines().count() >= trace.steps.len() + 3);
        }
    }
}

/// Even exponents and powers of two, where A takes the place of S late, or no product is left.
#[test]
fn tables_agree_with_the_definitions() {
    for value in 1..=300u64 {
        let bits = 64 - value.leading_zeros();
        let power = |k: u64| match k {
            0 => "1".to_string(),
            1 => "g".to_string(),
            k => format!("g^{k}"),
        };
        let rows = |name: &str| -> Vec<Vec<String>> {
            let text = trace_of(&name.parse::<Algorithm>().unwrap(), &exponent(value)).to_string();
            text.lines().skip(2).take(3).map(|l| l.split_whitespace().skip(1).map(str::to_string).collect()).collect()
        };
        let right = rows("binary_right_to_left");
        assert_eq!(right[0], (0..=bits).map(|i| power(value & ((1 << i) - 1))).collect::<Vec<_>>());
        assert_eq!(right[1], (0..=bits).map(|i| (value >> i).to_string()).collect::<Vec<_>>());
        assert_eq!(right[2], (0..bits).map(|i| power(1 << i)).collect::<Vec<_>>());
        let left = rows("binary_left_to_right");
        assert_eq!(left[0], (0..bits).rev().map(|i| i.to_string()).collect::<Vec<_>>());
        assert_eq!(left[1], (0..bits).rev().map(|i| (value >> i & 1).to_string()).collect::<Vec<_>>());
        assert_eq!(left[2], (0..bits).rev().map(|i| power(value >> i)).collect::<Vec<_>>());
    }
}
