//! Several exponents: results against a five-line oracle, executed counts against their formulas.

use super::common::{Random, Residues, exponent, from_bits, power};
use super::exact::{of_many, of_product};
use super::reading::Counter;
use pingala_core::algorithm::{
    CatalogueEntry, Catalogued, Counts, MANY_EXPONENTS, ManyExponents, Monoid, POWER_PRODUCTS, PowerProduct, Register,
    ShapeBits, Wanted,
};
use pingala_core::exponent::Exponent;

/// What both kinds have in common, for the tests that serve both.
pub trait Shape: std::fmt::Display {
    fn registers(&self, exponents: &[Exponent]) -> usize;
    fn exact(&self, exponents: &[Exponent]) -> Counts;
    fn expected(&self, bits: &ShapeBits) -> f64;
    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register>;
}

macro_rules! shape {
    ($($name:ident $exact:ident),*) => {$(
        impl Shape for $name {
            fn registers(&self, exponents: &[Exponent]) -> usize {
                self.registers(exponents)
            }
            fn exact(&self, exponents: &[Exponent]) -> Counts {
                $exact(self, exponents)
            }
            fn expected(&self, bits: &ShapeBits) -> f64 {
                self.expected(bits).products()
            }
            fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
                self.run(exponents, monoid)
            }
        }
    )*};
}

shape!(ManyExponents of_many, PowerProduct of_product);

/// Sets of exponents at the edges: 1, powers of two, all ones, equal ones, one long and many short, many.
fn edges() -> Vec<Vec<Exponent>> {
    let mut random = Random::new(4);
    let mut all = vec![
        vec![exponent(1)],
        vec![exponent(1), exponent(1)],
        vec![exponent(2); 3],
        vec![exponent(3)],
        vec![exponent(6), exponent(1), exponent(6)],
        vec![from_bits([200])],
        vec![from_bits([200]), from_bits([64]), from_bits([1])],
        vec![from_bits(0..129); 17],
        vec![from_bits(0..64), from_bits([0, 64]), from_bits([0]), from_bits(63..130)],
        vec![from_bits([0, 700]), exponent(1)],
        vec![from_bits([3000]), from_bits((0..3000).step_by(97))],
        (1..=300).map(exponent).collect(),
        (0..300).map(|i| from_bits([i])).collect(),
        (0..17).map(|i| random.exponent(1 + 31 * i)).collect(),
        vec![random.exponent(257); 2],
        (0..3).map(|_| random.exponent(520)).collect(),
        (0..300).map(|_| random.exponent(40)).collect(),
    ];
    let mut one_long: Vec<Exponent> = (0..16).map(|i| random.exponent(1 + i % 9)).collect();
    one_long.insert(5, random.exponent(1500));
    all.push(one_long);
    all
}

/// What the counter counts; the registers are those that were declared.
pub fn executed(program: &impl Shape, exponents: &[Exponent]) -> Counts {
    let mut counter = Counter::new();
    let results = program.run(exponents, &mut counter);
    let k = exponents.len();
    let touched = results.iter().map(|result| result.0 + 1).max().unwrap().max(counter.registers());
    assert!(touched <= program.registers(exponents), "{program} touches {touched} registers for {k} exponents");
    counter.counts()
}

/// The executed counts are the exact ones.
fn count(program: &impl Shape, exponents: &[Exponent]) -> usize {
    let counts = executed(program, exponents);
    assert_eq!(counts, program.exact(exponents), "{program} on {} exponents: {exponents:.9?}", exponents.len());
    counts.products()
}

#[test]
fn many_exponents_are_right_and_counted() {
    for exponents in edges() {
        for program in ManyExponents::all(7) {
            count(&program, &exponents);
            for (base, modulus) in [(2, 1_000_003), (0x1234_5678_9abc, 0xffff_ffff_ffff_ffc5), (0, 5), (15, 45)] {
                let mut residues = Residues::<usize>::new(base, modulus, program.registers(&exponents));
                let results = program.run(&exponents, &mut residues);
                assert_eq!(results.len(), exponents.len());
                for (exponent, result) in exponents.iter().zip(results) {
                    assert_eq!(residues.get(result), power(base, exponent, modulus), "{program}: {base}^{exponent}");
                }
            }
        }
    }
}

#[test]
fn products_of_powers_are_right_and_counted() {
    let mut random = Random::new(5);
    for exponents in edges() {
        for program in PowerProduct::all(5) {
            count(&program, &exponents);
            for modulus in [1_000_003, 0xffff_ffff_ffff_ffc5, 45] {
                let bases: Vec<u64> = exponents.iter().map(|_| random.below(modulus)).collect();
                let mut residues = Residues::<usize>::of_bases(&bases, modulus, program.registers(&exponents));
                let results = program.run(&exponents, &mut residues);
                let want = bases.iter().zip(&exponents).fold(1, |product: u64, (&base, exponent)| {
                    (u128::from(product) * u128::from(power(base, exponent, modulus)) % u128::from(modulus)) as u64
                });
                assert_eq!(results.len(), 1);
                assert_eq!(residues.get(results[0]), want, "{program} modulo {modulus}, {} bases", bases.len());
            }
        }
    }
}

/// The expectation is within 1% of the mean of executed counts.
fn expectation(programs: &[impl Shape], bits: &[usize], runs: usize) {
    let mut random = Random::new(6);
    for program in programs {
        let (mut total, mut expected) = (0, 0.0);
        for _ in 0..runs {
            let exponents: Vec<Exponent> = bits.iter().map(|&bits| random.exponent(bits)).collect();
            total += count(program, &exponents);
            expected = program.expected(&ShapeBits::of(&exponents));
        }
        let mean = total as f64 / runs as f64;
        // The one fitted expectation is good to 3%.
        let allowed = if program.to_string() == "bos_coster" { 0.03 } else { 0.01 };
        assert!(
            (expected / mean - 1.0).abs() < allowed,
            "{program} on {} exponents of up to {:?} bits: expected {expected:.1}, executed {mean:.1}",
            bits.len(),
            bits.iter().max()
        );
    }
}

#[test]
fn expectations_are_the_mean_of_what_is_executed() {
    for (k, bits, runs) in [(1, 300, 60), (2, 2048, 10), (3, 256, 60), (17, 512, 10), (64, 256, 10), (300, 128, 3)] {
        let shape = ShapeBits::equal(k, bits);
        expectation(&ManyExponents::candidates(&shape), &vec![bits; k], runs);
        expectation(&PowerProduct::candidates(&shape), &vec![bits; k], runs);
    }
    for (k, bits) in [(4, 20_000), (64, 2000), (17, 2048)] {
        let shape = ShapeBits::equal(k, bits);
        let filled = |entry: &CatalogueEntry<ManyExponents>| entry.fill(&shape).unwrap();
        expectation(&MANY_EXPONENTS.iter().map(filled).collect::<Vec<_>>(), &vec![bits; k], 2);
        let filled = |entry: &CatalogueEntry<PowerProduct>| entry.fill(&shape).unwrap();
        expectation(&POWER_PRODUCTS.iter().map(filled).collect::<Vec<_>>(), &vec![bits; k], 2);
    }
    let mut one_long = vec![64; 99];
    one_long.push(3000);
    let shape = ShapeBits { count: 100, max_bits: 3000, total_bits: 99 * 64 + 3000 };
    expectation(&ManyExponents::candidates(&shape), &one_long, 10);
    expectation(&PowerProduct::candidates(&shape), &one_long, 10);
}

/// Names print and parse back, complete or bare, and every row cites what is in the bibliography.
#[test]
fn names_and_rows() {
    fn row<A: Catalogued<Shape = ShapeBits>>(entry: &'static CatalogueEntry<A>, references: &str) {
        assert!(CatalogueEntry::<A>::named(entry.name).is_some_and(|row| core::ptr::eq(row, entry)));
        for algorithm in entry.all(16) {
            let text = algorithm.to_string();
            assert_eq!(text.parse::<Wanted<A>>().unwrap().to_string(), text);
            assert!(text.starts_with(entry.name), "{text}");
        }
        let bare: Wanted<A> = entry.name.parse().unwrap();
        assert_eq!(bare.to_string(), entry.name);
        for (count, bits) in [(1, 1), (2, 256), (100, 2048), (100_000, 256), (2, 1 << 26)] {
            assert!(bare.fill(&ShapeBits::equal(count, bits)).is_some());
        }
        let keys: Vec<_> = entry.source.split('[').skip(1).map(|rest| rest.split(']').next().unwrap()).collect();
        assert!(!keys.is_empty(), "{} names no source", entry.name);
        for key in keys {
            assert!(references.contains(&format!("{{{key},")), "{key} is not in docs/references.bib");
        }
    }
    let references = include_str!("../../../../docs/references.bib");
    MANY_EXPONENTS.iter().for_each(|entry| row(entry, references));
    POWER_PRODUCTS.iter().for_each(|entry| row(entry, references));
    assert_eq!("separate_windows(w=7)".parse::<ManyExponents>().unwrap().to_string(), "separate_windows(w=7)");
    assert_eq!("sliding_window(w=7)".parse::<ManyExponents>().unwrap_err().code(), "bad_plan");
}
