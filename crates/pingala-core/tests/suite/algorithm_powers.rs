//! Every algorithm gives the power: against a five-line oracle, and as an addition chain for the exponent itself.

use super::common::{Random, Residues, all_for, exponent, power, structured_exponents};
use super::reading::{ChainRecorder, chain_of};
use pingala_core::Natural;
use pingala_core::algorithm::{AdditionChain, Algorithm, Program, Schedule};
use pingala_core::exponent::{Digits, Exponent, SecretDigit, SecretExponent};

fn check_power(algorithm: &Algorithm, base: u64, exponent: &Exponent, modulus: u64) {
    let mut residues: Residues<usize> = Residues::new(base, modulus, algorithm.registers(exponent.bits()));
    let result = algorithm.run(exponent, &mut residues);
    assert_eq!(residues.get(result), power(base, exponent, modulus), "{algorithm}: {base}^{exponent} mod {modulus}");
}

/// Integers under addition: the exponent itself comes out, along a chain that validates.
fn check_chain(algorithm: &Algorithm, exponent: &Exponent) {
    let chain = chain_of(algorithm, exponent).unwrap();
    assert_eq!(chain.target(), exponent, "{algorithm}");
    let mut seen: Vec<&Exponent> = chain.elements().iter().collect();
    seen.sort_by_key(|element| element.magnitude());
    assert!(seen.windows(2).all(|pair| pair[0] != pair[1]), "{algorithm} repeats an element for {exponent}");
    assert_eq!(seen.last(), Some(&exponent), "{algorithm} passes {exponent}");
}

#[test]
fn every_exponent_to_5000() {
    for value in 1..=5000 {
        let exponent = exponent(value);
        for algorithm in all_for(&exponent, 5) {
            check_chain(&algorithm, &exponent);
            check_power(&algorithm, value.wrapping_mul(0x9e37_79b9), &exponent, 4_294_967_291 - value);
        }
    }
}

#[test]
fn structured_and_random_exponents() {
    let mut random = Random::new(283);
    let mut exponents = structured_exponents();
    for _ in 0..60 {
        let bits = 1 + random.below(2500) as usize;
        exponents.push(random.exponent(bits));
    }
    for exponent in exponents {
        for algorithm in all_for(&exponent, 8) {
            check_power(&algorithm, random.next(), &exponent, u64::MAX - random.below(1000));
            check_chain(&algorithm, &exponent);
        }
        for text in ["sliding_window(w=16)", "fixed_window(w=16)", "modified_k_ary(w=16)", "k_ary(w=16)"] {
            check_power(&text.parse().unwrap(), 3, &exponent, 1_000_003);
        }
    }
}

/// The plan for a recorded chain computes the same power in no more products, and in few registers.
#[test]
fn chains_run_as_they_were_recorded() {
    let mut random = Random::new(14_104);
    for bits in [5, 64, 500, 3000] {
        let exponent = random.exponent(bits);
        for algorithm in Algorithm::all(7) {
            let chain = chain_of(&algorithm, &exponent).unwrap();
            let length = chain.length();
            let planned = Algorithm::from(AdditionChain::new(chain));
            check_power(&planned, random.next(), &exponent, 18_446_744_073_709_551_557);
            let products = planned.exact(&exponent).products();
            assert!(products <= length && products <= algorithm.exact(&exponent).products(), "{algorithm}");
            assert!(planned.registers(bits) <= algorithm.registers(bits) + 1, "{algorithm}");
        }
    }
}

#[test]
fn the_chains_of_the_seed_report() {
    let chain = |text: &str| chain_of(&text.parse().unwrap(), &exponent(13)).unwrap().to_string();
    assert_eq!(chain("binary_left_to_right"), "1 2 3 6 12 13\n(0,0) (0,1) (2,2) (3,3) (0,4)");
    // 3.4.2 with the corrections: 2 stands in the chain, the first window (11) is taken, the next one (01) is its last
    // bit behind two doublings.
    assert_eq!(chain("sliding_window(w=2)"), "1 2 3 6 12 13\n(0,0) (0,1) (2,2) (3,3) (0,4)");
    // Of the top three bits 110 the longest that ends in a one is 11; 01 remains.
    assert_eq!(chain("sliding_window(w=3)"), "1 2 3 5 7 6 12 13\n(0,0) (0,1) (1,2) (1,3) (2,2) (5,5) (0,6)");
    assert_eq!(chain("sliding_window(w=4)"), "1 2 3 5 7 9 11 13\n(0,0) (0,1) (1,2) (1,3) (1,4) (1,5) (1,6)");
    assert_eq!(chain("binary_right_to_left"), "1 2 4 5 8 13\n(0,0) (1,1) (0,2) (2,2) (3,4)");
}

fn secret_power(algorithm: &Algorithm, base: u64, exponent: &SecretExponent, modulus: u64) -> Option<u64> {
    let mut residues: Residues<SecretDigit> = Residues::new(base, modulus, algorithm.registers(exponent.bits()));
    algorithm.run_uniform(exponent, &mut residues).map(|result| residues.get(result))
}

/// Uniform algorithms with secret digits: leading zero digits up to a declared width, the exponent 0, the width 0.
#[test]
fn secret_exponents_of_any_declared_width() {
    let mut random = Random::new(1987);
    for algorithm in Algorithm::all(7) {
        let uniform = algorithm.schedule() == Schedule::Uniform;
        for (value, width) in [(0, 0), (0, 1), (0, 64), (0, 130), (1, 1), (1, 65), (13, 4), (13, 200), (u64::MAX, 64)] {
            let natural = Natural::from(value);
            let secret = SecretExponent::new(&natural, Some(width)).unwrap();
            let (base, modulus) = (random.next(), random.next() | 1 << 63);
            let want = Exponent::new(natural).map_or(1, |exponent| power(base, &exponent, modulus));
            let got = secret_power(&algorithm, base, &secret, modulus);
            assert_eq!(got, uniform.then_some(want), "{algorithm}: {value} in {width} bits");
        }
        for _ in 0..if uniform { 50 } else { 0 } {
            let bits = 1 + random.below(700) as usize;
            let exponent = random.exponent(bits);
            let width = bits as u64 + random.below(300);
            let secret = SecretExponent::new(exponent.magnitude(), Some(width)).unwrap();
            let (base, modulus) = (random.next(), random.next() | 1 << 63);
            assert_eq!(secret_power(&algorithm, base, &secret, modulus), Some(power(base, &exponent, modulus)));
        }
    }
}

/// A run of an exponent of 0 ends in the identity, which no chain describes.
#[test]
fn the_identity_has_no_chain() {
    struct Zero;
    impl Digits<usize> for Zero {
        fn bits(&self) -> usize {
            9
        }
        fn digit(&self, _position: usize, _width: u32) -> usize {
            0
        }
    }
    for algorithm in Algorithm::all(4) {
        let mut recorder = ChainRecorder::new();
        if let Some(result) = algorithm.run_uniform(&Zero, &mut recorder) {
            assert!(recorder.into_chain(result).is_err());
        }
    }
}

#[test]
#[should_panic(expected = "serves one exponent")]
fn a_chain_refuses_another_exponent() {
    let chain = AdditionChain::new(chain_of(&"binary_left_to_right".parse().unwrap(), &exponent(13)).unwrap());
    assert!(!Algorithm::from(chain.clone()).serves(&exponent(14)));
    chain.run(&exponent(14), &mut ChainRecorder::new());
}

/// Memory grows with the square of a chain's length, so too long a chain is an error before it is recorded.
#[test]
fn a_chain_over_the_cap_is_refused() {
    let long = Exponent::new(Natural::from_limbs(&[vec![0; 520], vec![1]].concat())).unwrap();
    assert_eq!(chain_of(&"binary_left_to_right".parse().unwrap(), &long).unwrap_err().code(), "bad_argument");
    let chain = AdditionChain::new(chain_of(&"binary_left_to_right".parse().unwrap(), &exponent(13)).unwrap());
    assert_eq!(chain_of(&chain.into(), &exponent(14)).unwrap_err().code(), "bad_argument");
}
