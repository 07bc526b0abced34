//! The documented formulas against what is executed.

use super::common::{Random, all_for, exponent, structured_exponents};
use super::exact::of_power;
use super::reading::Counter;
use pingala_core::algorithm::{Algorithm, Cost, Counts, ExpectedCost, ExponentShape, Schedule};
use pingala_core::exponent::Exponent;

fn executed(algorithm: &Algorithm, exponent: &Exponent) -> Counts {
    let mut counter = Counter::new();
    let result = algorithm.run(exponent, &mut counter);
    let registers = algorithm.registers(exponent.bits());
    assert!(counter.registers() <= registers, "{algorithm}: {} registers, {registers} declared", counter.registers());
    assert!(result.0 < registers);
    assert_eq!(counter.counts(), algorithm.exact(exponent), "{algorithm} for {exponent}");
    counter.counts()
}

fn check_exact(exponent: &Exponent, max_window_bits: u32) {
    for algorithm in all_for(exponent, max_window_bits) {
        assert_eq!(executed(&algorithm, exponent), of_power(&algorithm, exponent), "{algorithm} for {exponent}");
    }
}

/// A planted extra product in any algorithm fails here.
#[test]
fn executed_is_exact_for_small_and_structured_exponents() {
    for value in 1..=600 {
        check_exact(&exponent(value), 8);
    }
    for exponent in structured_exponents() {
        check_exact(&exponent, 10);
    }
}

#[test]
fn executed_is_exact_for_random_exponents() {
    let mut random = Random::new(14_85);
    for _ in 0..1000 {
        let bits = 1 + random.below(3000) as usize;
        let exponent = random.exponent(bits);
        for algorithm in Algorithm::all(9) {
            assert_eq!(executed(&algorithm, &exponent), of_power(&algorithm, &exponent), "{algorithm} for {bits} bits");
        }
    }
    for _ in 0..40 {
        let bits = 1 + random.below(3000) as usize;
        check_exact(&random.exponent(bits), 16);
    }
}

/// A run needs all the registers that it declares, once the exponent is long enough to use them.
#[test]
fn registers_are_not_declared_in_vain() {
    let long = Random::new(7).exponent(900);
    for algorithm in all_for(&long, 6) {
        let mut counter = Counter::new();
        algorithm.run(&long, &mut counter);
        assert_eq!(counter.registers(), algorithm.registers(900), "{algorithm}");
    }
}

fn fields<T: Copy>(cost: &Cost<T>) -> [T; 4] {
    [cost.squarings, cost.multiplications, cost.base_multiplications, cost.selections]
}

/// Mean and standard error of each field and of all products over random exponents of one length.
fn sampled(algorithm: &Algorithm, exponents: &[Exponent]) -> [(f64, f64); 5] {
    let n = exponents.len() as f64;
    let (mut sums, mut squares) = ([0.0; 5], [0.0; 5]);
    for exponent in exponents {
        let counts = executed(algorithm, exponent);
        let [a, b, c, d] = fields(&ExpectedCost::from(counts));
        for (index, value) in [a, b, c, d, counts.products() as f64].into_iter().enumerate() {
            sums[index] += value;
            squares[index] += value * value;
        }
    }
    core::array::from_fn(|index| {
        let mean = sums[index] / n;
        (mean, ((squares[index] / n - mean * mean).max(0.0) / n).sqrt())
    })
}

/// All products within 1 %, and each field within five standard errors and a hundredth of one operation (what the
/// renewal asymptotics leave out) of what is expected; uniform ones exactly.
#[test]
fn expected_is_the_mean_of_executed() {
    let mut random = Random::new(1896);
    for (bits, samples) in [(64, 20_000), (256, 8000), (1024, 2500), (2048, 1500)] {
        let exponents: Vec<Exponent> = (0..samples).map(|_| random.exponent(bits)).collect();
        for algorithm in Algorithm::all(8) {
            let expected = algorithm.expected(&ExponentShape::of_bits(bits));
            let means = sampled(&algorithm, &exponents);
            if algorithm.schedule() == Schedule::Uniform {
                assert_eq!(fields(&expected), [means[0].0, means[1].0, means[2].0, means[3].0], "{algorithm}");
                continue;
            }
            let relative = (means[4].0 - expected.products()).abs() / expected.products();
            assert!(relative < 0.01, "{algorithm}, {bits} bits: off by {relative}");
            for ((mean, error), expected) in means.into_iter().zip(fields(&expected)) {
                let off = (mean - expected).abs();
                assert!(off <= 5.0 * error + 0.01, "{algorithm}, {bits} bits: {mean} +- {error}, expected {expected}");
            }
        }
    }
}

/// Short exponents, where every case can be run: 2^(bits-1) exponents of each length. The renewal formula is within
/// 2 % there, and exact up to twice the window.
#[test]
fn expected_is_near_the_mean_for_short_exponents() {
    for bits in 1..=15usize {
        let exponents: Vec<Exponent> = (1 << (bits - 1)..1u64 << bits).map(exponent).collect();
        for algorithm in Algorithm::all(8) {
            let expected = algorithm.expected(&ExponentShape::of_bits(bits)).products();
            let mean = sampled(&algorithm, &exponents)[4].0;
            assert!((mean - expected).abs() <= 0.02 * mean, "{algorithm}, {bits} bits: {mean}, expected {expected}");
        }
    }
    for w in 1..=7 {
        let algorithm: Algorithm = format!("sliding_window(w={w})").parse().unwrap();
        for bits in 1..=2 * w {
            let exponents: Vec<Exponent> = (1 << (bits - 1)..1u64 << bits).map(exponent).collect();
            let expected = algorithm.expected(&ExponentShape::of_bits(bits));
            let means = sampled(&algorithm, &exponents);
            for ((mean, _), expected) in means.into_iter().zip(fields(&expected)) {
                assert!((mean - expected).abs() < 1e-9, "{algorithm}, {bits} bits: {mean}, expected {expected}");
            }
        }
    }
}

/// With the weight known: exponents whose lower bits are set with probability 1/8 and 7/8.
#[test]
fn expected_follows_the_weight() {
    let mut random = Random::new(3);
    for (bits, numerator) in [(512, 1), (512, 7)] {
        let exponents: Vec<Exponent> = (0..3000)
            .map(|_| {
                let set: Vec<usize> = (0..bits - 1).filter(|_| random.below(8) < numerator).collect();
                super::common::from_bits(set.into_iter().chain([bits - 1]))
            })
            .collect();
        let weight = 1.0 + (bits - 1) as f64 * numerator as f64 / 8.0;
        for algorithm in Algorithm::all(6) {
            let shape = ExponentShape { bits, weight: Some(weight.round() as usize) };
            let expected = algorithm.expected(&shape).products();
            let mean = sampled(&algorithm, &exponents)[4].0;
            assert!((mean - expected).abs() <= 0.005 * mean, "{algorithm}: {mean}, expected {expected}");
        }
    }
    // The ends: one bit, and all bits.
    for algorithm in Algorithm::all(6) {
        for exponent in [super::common::from_bits([300]), super::common::from_bits(0..300)] {
            let expected = algorithm.expected(&ExponentShape::of(&exponent)).products();
            let exact = of_power(&algorithm, &exponent).products() as f64;
            assert!((exact - expected).abs() <= 1.0 + 0.005 * exact, "{algorithm} for {exponent}: {expected}");
        }
    }
}
