//! Tests of `algorithm/addition_chain.rs`.

use super::super::Cost;
use super::*;

/// Thousands of steps, a handful of registers: ones only need the base and the accumulator.
#[test]
fn registers_are_used_again() {
    let pairs: Vec<_> = (0..6000).map(|i| if i % 2 == 0 { (i, i) } else { (0, i) }).collect();
    let program = AdditionChain::new(Chain::from_pairs(pairs).unwrap());
    assert_eq!(program.registers(0), 2);
    assert_eq!(program.0.counts, Cost { squarings: 3000, base_multiplications: 3000, ..Cost::default() });
}

#[test]
fn runs_of_doublings_are_one_call_and_idle_elements_none() {
    // 1 2 3 4 8 16 32 64 67 and an idle 5 = 4 + 1.
    let pairs = vec![(0, 0), (0, 1), (1, 1), (0, 3), (3, 3), (5, 5), (6, 6), (7, 7), (2, 8)];
    let program = AdditionChain::new(Chain::from_pairs(pairs).unwrap());
    assert_eq!(program.chain().target().to_string(), "67");
    assert_eq!(program.0.steps.len(), 4);
    let counts = Cost { squarings: 6, multiplications: 1, base_multiplications: 1, selections: 0 };
    assert_eq!(program.0.counts, counts);
    assert_eq!(program.registers(0), 3);
}
