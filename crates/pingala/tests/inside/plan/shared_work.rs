//! Tests of `plan/shared_work.rs`.

use super::*;
use crate::plan::product_lengths;

/// Lengths grow by less than a hundredth, equal ones stay equal, and short ones stay as they are.
#[test]
fn lengths_of_a_product_are_rounded_up() {
    for bits in [1, 2, 63, 127, 128, 255, 256, 257, 1000, 2048, 65_537] {
        for others in [1, bits / 3 + 1, bits] {
            for count in [1, 2, 7] {
                let lengths: Vec<usize> = (0..count).map(|at| if at == 0 { bits } else { others }).collect();
                let exact: usize = lengths.iter().sum();
                let rounded = product_lengths(lengths.into_iter());
                assert_eq!(rounded.count, count);
                assert!(bits <= rounded.max_bits && rounded.max_bits * 100 <= bits * 101, "{bits}");
                assert!(bits > 128 || rounded.max_bits == bits);
                let sum = rounded.total_bits as usize;
                assert!(exact <= sum && sum * 100 <= exact * 101, "{bits} {others} {count}: {sum} for {exact}");
                assert!(others < bits || sum == count * rounded.max_bits);
            }
        }
    }
}

/// Products whose exponents differ by a few bits are priced once, and have one plan.
#[test]
fn a_product_is_priced_once() {
    let planner = Planner::of_this_machine();
    let plan = |bits: [usize; 3]| {
        let work = product_lengths(bits.into_iter());
        let problem =
            ShapeProblem { modulus_bits: 777, trailing_zeros: 0, factors: Vec::new(), memory_bytes: 1 << 30, work };
        planner.plan_product(&problem, Crew { most: core::num::NonZeroUsize::new(1) }, None, None).unwrap()
    };
    let before = planner.products.len();
    let first = plan([700, 699, 700]);
    assert_eq!(planner.products.len(), before + 1);
    assert_eq!(plan([698, 700, 697]), first);
    assert_eq!(planner.products.len(), before + 1);
    let (alone, _) = planner
        .priced_shape::<PowerProduct>(
            &ShapeProblem {
                modulus_bits: 777,
                trailing_zeros: 0,
                factors: Vec::new(),
                memory_bytes: 1 << 30,
                work: product_lengths([700, 699, 700].into_iter()),
            },
            None,
            None,
        )
        .unwrap();
    assert_eq!(alone, first.0);
}
