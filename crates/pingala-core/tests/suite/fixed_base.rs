//! The methods for fixed bases: right, counted, and as the published table has them.

use super::common::{Random, Residues, exponent, from_bits, power};
use super::exact::{of_euclidean, of_table, of_windowing};
use super::reading::Counter;
use super::weights::Weights;
use pingala_core::algorithm::fixed_base::{FixedBaseAlgorithm, Rounds, TableShape, rounds_side_by_side};
use pingala_core::algorithm::{Algorithm, BASE, Counts, ExponentShape, Register};
use pingala_core::exponent::{Exponent, SecretDigit, SecretExponent};

const MODULUS: u64 = 0xffff_ffff_ffff_ffc5;

/// Methods of all parameters up to 6, and digits of more than one word.
fn all() -> Vec<FixedBaseAlgorithm> {
    let further = ["windowing(h=10)", "windowing(h=3)", "windowing(h=1000)", "windowing(h=65536)", "comb(h=9, v=5)"];
    let digits = [17, 63, 64, 65, 128, 130, 1000].map(|bits| format!("euclidean(digit_bits={bits})"));
    let further = further.into_iter().map(str::to_owned).chain(digits);
    FixedBaseAlgorithm::all(6).into_iter().chain(further.map(|line| line.parse().unwrap())).collect()
}

pub fn executed(method: &FixedBaseAlgorithm, exponent_bits: usize, exponent: &Exponent) -> Counts {
    let mut counter = Counter::new();
    let registers = method.entries(exponent_bits) + method.work_registers(exponent_bits);
    let result = method.run(exponent_bits, exponent, &mut counter);
    assert!(counter.registers().max(result.0 + 1) <= registers, "{method}: more than {registers} registers");
    counter.counts()
}

/// 1, all ones, one bit, and others, of every kind of length up to exactly `bits`.
fn edges(bits: usize, random: &mut Random) -> Vec<Exponent> {
    let mut all = vec![exponent(1), from_bits(0..bits), from_bits([bits - 1]), random.exponent(bits)];
    for shorter in [1, 2, bits / 2, bits - 1, bits].into_iter().filter(|shorter| (1..=bits).contains(shorter)) {
        all.extend([from_bits(0..shorter), from_bits([shorter - 1]), from_bits([0, shorter - 1])]);
        all.extend([random.exponent(shorter), from_bits((0..shorter).step_by(2))]);
    }
    all
}

/// Built by recurrence, every entry is the power that it says; the cost of building is exact.
#[test]
fn tables_hold_what_they_say() {
    for bits in [1, 2, 7, 64, 65, 131] {
        for method in all() {
            let entries = method.entries(bits);
            let mut residues = Residues::<usize>::new(5, MODULUS, entries);
            method.build(bits, &mut residues);
            for index in (0..entries).step_by(1 + entries / 300).chain([entries - 1]) {
                let want = power(5, &method.entry_exponent(bits, index), MODULUS);
                assert_eq!(residues.get(Register(index)), want, "{method} for {bits} bits: entry {index}");
            }
            assert_eq!(method.entry_exponent(bits, BASE.0), Exponent::one());
            let mut counter = Counter::new();
            method.build(bits, &mut counter);
            assert_eq!(counter.counts(), method.build_cost(bits), "{method} for {bits} bits");
            assert!(counter.registers() <= entries);
        }
    }
}

/// Every method at the edges: the power, within its registers, at the exact cost.
#[test]
fn powers_are_right_and_cost_what_they_say() {
    let mut random = Random::new(8);
    for bits in [1, 2, 3, 10, 64, 65, 200] {
        let exponents = edges(bits, &mut random);
        for method in all() {
            let entries = method.entries(bits);
            let registers = entries + method.work_registers(bits);
            for exponent in &exponents {
                let mut residues = Residues::<usize>::new(3, MODULUS, registers);
                method.build(bits, &mut residues);
                let result = method.run(bits, exponent, &mut residues);
                assert_eq!(residues.get(result), power(3, exponent, MODULUS), "{method} for {bits} bits: {exponent}");
                assert_eq!(
                    executed(&method, bits, exponent),
                    of_table(&method, bits, exponent),
                    "{method}: {exponent}"
                );
            }
        }
    }
}

/// Powers by uniform runs, as secrets take them: right, within their registers, and at a cost that does not depend on the
/// exponent.
#[test]
fn uniform_runs_are_the_same_powers() {
    let mut random = Random::new(11);
    for bits in [1, 2, 3, 10, 64, 65, 200] {
        let value = |exponent: &Exponent| SecretExponent::new(exponent.magnitude(), Some(bits as u64)).unwrap();
        for method in all() {
            let (entries, cost) = (method.entries(bits), method.rounds_cost(bits));
            let mut residues = Residues::<SecretDigit>::new(3, MODULUS, entries + 2);
            method.build(bits, &mut residues);
            for exponent in edges(bits, &mut random) {
                let run = method.run_uniform(bits, &value(&exponent), &mut residues);
                let mut counter = Counter::new();
                let counted = method.run_uniform(bits, &exponent, &mut counter);
                let Some(result) = run else {
                    assert!(counted.is_none() && method.scanned(bits).is_none(), "{method}");
                    break;
                };
                assert_eq!(residues.get(result), power(3, &exponent, MODULUS), "{method}, {bits} bits: {exponent}");
                assert_eq!(Some(counter.counts()), cost, "{method}, {bits} bits: {exponent}");
                assert!(counter.registers() <= entries + 2 && method.scanned(bits).unwrap() <= entries, "{method}");
            }
        }
    }
}

/// Powers in rounds, as lanes run them: all of one length, right, and never more expensive than stated.
#[test]
fn rounds_are_the_same_powers() {
    let mut random = Random::new(12);
    for bits in [1, 2, 3, 10, 64, 65, 200] {
        for method in all() {
            let entries = method.entries(bits);
            let mut residues = Residues::<usize>::new(3, MODULUS, entries + 3);
            method.build(bits, &mut residues);
            for exponent in edges(bits, &mut random) {
                let (Some(most), Some(rounds)) = (method.rounds_cost(bits), method.rounds(bits, &exponent)) else {
                    assert!(method.rounds(bits, &exponent).is_none() && method.rounds_cost(bits).is_none());
                    continue;
                };
                let all_ones = method.rounds(bits, &from_bits(0..bits)).unwrap();
                assert_eq!((all_ones.per_round, all_ones.steps.len()), (rounds.per_round, rounds.steps.len()));
                // This exponent next to all ones, and next to none: 1 is multiplied if other lanes need a product.
                let beside = |other: &Rounds| -> Vec<Option<usize>> {
                    let steps = rounds.steps.iter().zip(&other.steps);
                    steps.map(|(own, other)| own.or(other.map(|_| Register(entries))).map(|entry| entry.0)).collect()
                };
                for steps in [beside(&all_ones), beside(&rounds)] {
                    let result = rounds_side_by_side(entries, rounds.per_round, &steps, &mut residues);
                    assert_eq!(residues.get(result), power(3, &exponent, MODULUS), "{method}, {bits} bits: {exponent}");
                }
                let mut counter = Counter::new();
                rounds_side_by_side(entries, rounds.per_round, &beside(&all_ones), &mut counter);
                assert_eq!(counter.counts(), most, "{method} for {bits} bits");
                let mut counter = Counter::new();
                rounds_side_by_side(entries, rounds.per_round, &beside(&rounds), &mut counter);
                assert_eq!(
                    counter.counts().products(),
                    of_table(&method, bits, &exponent).products(),
                    "{method}: {exponent}"
                );
            }
        }
    }
}

/// Weights from 1 up, each made from the one before, as many as exponents of `bits` bits and digits below h need.
fn weights(h: u64, bits: usize, mut step: impl FnMut(u128) -> u128) -> Vec<u128> {
    let mut all = vec![1];
    while all.last().unwrap() * u128::from(h) < 1 << bits {
        all.push(step(*all.last().unwrap()));
    }
    all
}

/// Algorithms 8 and 9 on mixed radices, on weights that do not divide one another, and on powers of h.
#[test]
fn digits_on_any_weights() {
    let mut random = Random::new(15);
    let as_exponent = |&weight: &u128| Exponent::from_limbs(&[weight as u64, (weight >> 64) as u64]).unwrap();
    for bits in [1, 2, 20, 64, 90] {
        let mut radices = [2, 3, 5, 7, 10].into_iter().cycle();
        let mixed = weights(10, bits, |below| below * radices.next().unwrap());
        let mut last = 1;
        let fibonacci = weights(2, bits, |below| core::mem::replace(&mut last, below) + below);
        let uneven =
            weights(1000, bits, |below| below * u128::from(2 + random.below(997)) + u128::from(random.below(2)));
        let long = weights(1 << 30, bits, |below| below << 29 | below >> 1 | 1);
        let powers = weights(7, bits, |below| below * 7);
        for (h, weights) in [(10, mixed), (2, fibonacci), (1000, uneven), (1 << 30, long), (7, powers)] {
            let exponents: Vec<Exponent> = weights.iter().map(as_exponent).collect();
            let method = Weights::new(&exponents, h, bits).unwrap();
            let entries = method.entries();
            for exponent in edges(bits, &mut random) {
                let digits = method.digits(&exponent);
                assert!(digits.len() == entries && digits.iter().all(|&digit| digit < h), "{exponent}: {digits:?}");
                let value =
                    exponent.magnitude().limbs().iter().rev().fold(0, |sum, &limb| sum << 64 | u128::from(limb));
                assert_eq!(digits.iter().zip(&weights).map(|(&e, b)| u128::from(e) * b).sum::<u128>(), value);
                let mut residues = Residues::<usize>::new(3, MODULUS, entries + method.work_registers());
                method.build(&mut residues);
                for (index, weight) in exponents.iter().enumerate() {
                    assert_eq!(residues.get(Register(index)), power(3, weight, MODULUS), "entry {index}");
                }
                let want = power(3, &exponent, MODULUS);
                let mut counter = Counter::new();
                method.euclidean(&exponent, &mut counter);
                assert_eq!(counter.counts(), of_euclidean(digits.iter().map(|&digit| digit.into()).collect()));
                let result = method.euclidean(&exponent, &mut residues);
                assert_eq!(residues.get(result), want, "algorithm 9, h = {h}: {exponent}");
                if h <= Weights::MAX_BUCKETS {
                    let mut counter = Counter::new();
                    method.windowing(&exponent, &mut counter);
                    assert_eq!(counter.counts(), of_windowing(digits.iter().copied()));
                    let result = method.windowing(&exponent, &mut residues);
                    assert_eq!(residues.get(result), want, "algorithm 8, h = {h}: {exponent}");
                }
            }
        }
    }
    // On powers of h it is the windowing of the catalogue.
    let powers: Vec<Exponent> = (0..23).map(|index| as_exponent(&7u128.pow(index))).collect();
    let (method, windowing) =
        (Weights::new(&powers, 7, 64).unwrap(), "windowing(h=7)".parse::<FixedBaseAlgorithm>().unwrap());
    for exponent in edges(64, &mut random) {
        let mut counter = Counter::new();
        method.windowing(&exponent, &mut counter);
        assert_eq!(counter.counts(), of_table(&windowing, 64, &exponent));
    }
}

/// Weights that leave some exponent without digits.
#[test]
fn weights_with_gaps_are_refused() {
    let of = |weights: &[u64]| weights.iter().map(|&weight| exponent(weight)).collect::<Vec<_>>();
    Weights::new(&of(&[1, 3, 9, 20]), 3, 5).unwrap();
    for (weights, h, bits) in [
        (&[][..], 3, 1),
        (&[2, 4], 3, 3),
        (&[1, 4, 9], 3, 4),
        (&[1, 3, 3], 3, 3),
        (&[1, 3, 2], 3, 3),
        (&[1, 3, 9, 20], 3, 6),
        (&[1, 3], 3, 4),
        (&[1], 1, 1),
        (&[1, 2], 4, 0),
        (&[1], u64::MAX, 3),
    ] {
        let error = Weights::new(&of(weights), h, bits).unwrap_err();
        assert_eq!(error.code(), "bad_argument", "{weights:?}, h = {h}, {bits} bits");
    }
}

/// Uniform below 2^bits, but 1 for 0: the top bit is clear half of the time, and so on down.
pub fn uniform(bits: usize, random: &mut Random) -> Exponent {
    let wide = random.exponent(bits + 1);
    from_bits((0..bits).filter(|&bit| wide.bit(bit)).chain((0..1).filter(|_| wide.weight() == 1)))
}

/// Mean products over random exponents below 2^bits.
fn mean(method: &FixedBaseAlgorithm, bits: usize, samples: usize, random: &mut Random) -> f64 {
    let mut sum = 0;
    for _ in 0..samples {
        sum += executed(method, bits, &uniform(bits, random)).products();
    }
    sum as f64 / samples as f64
}

/// What a method is expected to take is what it takes, within 1 %; many digits that divide one another within 3 %.
#[test]
fn expected_is_the_mean_of_executed() {
    let mut random = Random::new(9);
    for (bits, samples) in [(256, 250), (1000, 250), (2048, 250), (20_000, 8)] {
        for method in FixedBaseAlgorithm::candidates(&TableShape { exponent_bits: bits, max_entries: 2 * bits }) {
            let (expected, mean) =
                (method.expected(&TableShape::of_bits(bits)).products(), mean(&method, bits, samples, &mut random));
            let off = (expected - mean).abs();
            let many = method.name() == "euclidean" && method.entries(bits) > 128;
            assert!(
                off <= if many { 0.03 } else { 0.01 } * mean + 0.5,
                "{method} for {bits} bits: {mean}, expected {expected}"
            );
        }
    }
}

/// Products for one power of 2048 bits, by method and entries: the theory's table.
///
/// It has every digit of `bit_combinations` whole; here the top digit has no entries for values that it cannot take. With w = 6
/// that is 341 * 63 + 3 entries, as 2048 = 341 * 6 + 2, and not the table's 342 * 63 = 21546, 0.3% more.
#[test]
fn the_published_counts_are_reproduced() {
    let table = [
        ("comb(h=2, v=1)", 3, 1790.0),
        ("euclidean(digit_bits=512)", 4, 1012.0),
        ("euclidean(digit_bits=256)", 8, 724.0),
        ("euclidean(digit_bits=128)", 16, 577.0),
        ("comb(h=4, v=1)", 15, 990.0),
        ("euclidean(digit_bits=64)", 32, 491.0),
        ("euclidean(digit_bits=32)", 64, 430.0),
        ("euclidean(digit_bits=16)", 128, 401.0),
        ("comb(h=5, v=1)", 31, 805.0),
        ("comb(h=6, v=1)", 63, 677.0),
        ("comb(h=7, v=1)", 127, 582.0),
        ("comb(h=6, v=4)", 252, 421.0),
        ("windowing(h=256)", 256, 508.0),
        ("windowing(h=128)", 293, 416.0),
        ("windowing(h=64)", 342, 398.0),
        ("windowing(h=16)", 512, 493.0),
        ("comb(h=6, v=8)", 504, 378.0),
        ("comb(h=7, v=4)", 508, 363.0),
        ("comb(h=8, v=4)", 1020, 317.0),
        ("comb(h=9, v=4)", 2044, 283.0),
        ("bit_powers(w=7)", 2048, 319.0),
        ("bit_powers(w=1)", 2048, 1023.0),
        ("bit_combinations(w=4)", 7680, 479.0),
        ("bit_combinations(w=6)", 21_486, 336.0),
        ("bit_combinations(w=8)", 65_280, 254.0),
        ("comb(h=10, v=8)", 8184, 229.0),
        ("comb(h=12, v=4)", 16_380, 212.0),
    ];
    // Without a table.
    let shape = ExponentShape::of_bits(2048);
    let none = "sliding_window(w=7)".parse::<Algorithm>().unwrap().expected(&shape).products();
    assert!((none - 2361.0).abs() <= 0.01 * 2361.0, "{none}");
    for (line, entries, products) in table {
        let method: FixedBaseAlgorithm = line.parse().unwrap();
        assert_eq!(method.to_string(), line);
        let expected = method.expected(&TableShape::of_bits(2048)).products();
        println!("{line:28} {:6} entries, {expected:7.1} products, published {products}", method.entries(2048));
        assert_eq!(method.entries(2048), entries, "{line}");
        assert!((expected - products).abs() <= 0.01 * products, "{line}: {expected}, published {products}");
    }
}

#[test]
fn lines_that_are_no_method_are_refused() {
    for line in
        ["", "comb", "comb(h=0, v=1)", "comb(h=17, v=1)", "comb(h=8)", "windowing(h=1)", "windowing(h=2", "x(h=2)"]
    {
        assert_eq!(line.parse::<FixedBaseAlgorithm>().unwrap_err().code(), "bad_plan", "{line}");
    }
    for method in all() {
        assert_eq!(method.to_string().parse(), Ok(method));
    }
}
