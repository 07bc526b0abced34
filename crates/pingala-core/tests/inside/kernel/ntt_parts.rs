//! Parts of the transforms by their definitions, each by itself: carries, stored factors, reduced residues, lengths, and the operations of
//! rings that take no or few transforms.

use super::super::field::FactorWords;
use super::super::product::TransformsOn;
use super::super::{MAX_LIMBS, digit_bits, padded_limbs, residue_lengths};
use super::*;
use crate::kernel::vector::MASK;
use num_bigint::BigInt;

fn value(digits: &[u64], digit_bits: u32) -> BigInt {
    digits.iter().rev().fold(BigInt::ZERO, |sum, &digit| (sum << digit_bits) + digit)
}

/// A carry out of the digits comes back as the same number modulo 2^(DL) - 1 and 2^(DL) + 1.
#[test]
fn carries_come_back() {
    for (digit_bits, l) in [(60, 1), (60, 3), (64, 1), (64, 2)] {
        let largest = largest_digit(digit_bits);
        let with = |at: usize, digit| {
            let mut digits = vec![0; l];
            digits[at] = digit;
            digits
        };
        let power = BigInt::from(1) << (digit_bits as usize * l);
        for given in [vec![0; l], vec![largest; l], with(0, 1), with(0, 2), with(l - 1, largest), with(l - 1, 1)] {
            for carry in [2, -2, 3, -3, 1 << 83, -1 << 83, (1 << 79) - 1, 1 - (1 << 79), 0, -1, 1] {
                for (kind, modulus) in [(Wrapping::Cyclic, &power - 1), (Wrapping::Negacyclic, &power + 1)] {
                    let mut out = given.clone();
                    let whole = digits::wrap(&mut out, carry, kind, digit_bits);
                    assert!(!whole || (kind == Wrapping::Negacyclic && out.iter().all(|&digit| digit == 0)));
                    let got = if whole { power.clone() } else { value(&out, digit_bits) };
                    let difference: BigInt = value(&given, digit_bits) + &power * carry - got;
                    assert_eq!(difference % modulus, BigInt::ZERO, "{given:x?}, {carry} {kind:?}, {digit_bits} bits");
                }
            }
        }
    }
}

/// Sums and differences of digits: with a carry at the top, or a borrow.
#[test]
fn digits_add_and_subtract() {
    for digit_bits in [60, 64] {
        let (largest, power) = (largest_digit(digit_bits), BigInt::from(1) << (3 * digit_bits));
        let numbers = [[0; 3], [1, 0, 0], [0, 1, 0], [0, 0, 1], [largest; 3], [0, largest, largest], [5, 0, largest]];
        for a in numbers {
            for b in numbers {
                let [big_a, big_b] = [a, b].map(|number| value(&number, digit_bits));
                let mut out = a;
                let carry = digits::add(&mut out, &b, digit_bits);
                let sum: BigInt = value(&out, digit_bits) + &power * u8::from(carry);
                assert!(sum == &big_a + &big_b && out.iter().all(|&digit| digit <= largest), "{a:x?} + {b:x?}");
                let mut out = a;
                let borrow = digits::sub(&mut out, &b, digit_bits);
                let difference: BigInt = value(&out, digit_bits) - &power * u8::from(borrow);
                assert!(difference == &big_a - &big_b && out.iter().all(|&digit| digit <= largest), "{a:x?} - {b:x?}");
            }
        }
    }
}

/// A root has its order: its power is 1, and no lower one.
#[test]
fn roots_have_their_orders() {
    for (set, odd_orders) in PRIME_SETS.iter().zip([&[1, 3, 5, 9, 45][..], &[1, 7]]) {
        for (prime, odd) in set.primes.iter().flat_map(|prime| odd_orders.iter().map(move |odd| (prime, odd))) {
            for order in [0, 1, 2, 7, 20, 21].map(|log| odd << log) {
                let root = prime.root(order);
                assert_eq!(prime.power(root, order), 1, "{order} modulo {}", prime.p);
                for factor in [2, 3, 5, 7].into_iter().filter(|factor| order.is_multiple_of(*factor)) {
                    assert_ne!(prime.power(root, order / factor), 1, "{order} modulo {}", prime.p);
                }
            }
        }
    }
}

/// A factor in doubles is the residue next to 0, with its part of p.
#[test]
fn factors_of_doubles_are_balanced() {
    for prime in PRIME_SETS.iter().flat_map(|set| &set.primes) {
        let p = prime.p;
        for w in [0, 1, 2, p / 3, p / 2 - 1, p / 2, p / 2 + 1, p / 2 + 2, p - 2, p - 1] {
            let [stored, quotient] = FactorWords::Balanced.of(prime, w).map(f64::from_bits);
            assert!(stored.abs() <= (p / 2) as f64 && (stored as i64).rem_euclid(p as i64) as u64 == w, "{w} mod {p}");
            assert_eq!(quotient.to_bits(), (stored / p as f64).to_bits(), "{w} mod {p}");
        }
    }
}

/// What a factor is after its transform: residues below 2p, the same as before. Each family has its [`TransformsOn`].
struct Reduces(Dice);

impl Test for Reduces {
    fn on(&mut self, field: Instructions, name: &str) {
        let on = match name {
            "IFMA" | "eight lanes in plain Rust" => TransformsOn::MultiplyAccumulate,
            "AVX2" | "doubles in plain Rust" => TransformsOn::Doubles,
            _ => TransformsOn::Words,
        };
        assert_eq!(TransformsOn::from(field), on, "{name}");
        let length = Length { odd: 7, log: 6, digit_bits: 64 };
        let products = Products::new(field, length);
        let of_doubles = name.contains("doubles") || name == "AVX2";
        let residues = |words: &[u64]| -> Vec<i64> {
            let residue = |&word: &u64| if of_doubles { f64::from_bits(word) as i64 } else { (word & MASK) as i64 };
            words.iter().map(residue).collect()
        };
        let number: Vec<u64> = self.0.number(length.digits());
        for (i, prime) in PrimeSet::of_odd(length.odd).primes.iter().enumerate() {
            let (p, mut x) = (prime.p as i64, vec![0; length.digits()]);
            products.forward_one(i, Wrapping::Negacyclic, &number, &mut x);
            let before = residues(&x);
            products.reduce_one(i, &mut x);
            let after = residues(&x);
            // Balanced residues are this small already.
            assert!(of_doubles || before.iter().any(|x| *x >= 2 * p), "{name}");
            for (before, after) in before.into_iter().zip(after) {
                assert!(after.abs() < 2 * p && (before - after) % p == 0, "{name}: {before}, {after} mod {p}");
            }
        }
    }
}

#[test]
fn factors_are_reduced() {
    on_every_family(Reduces(Dice::new(22)));
}

/// Tables have a factor of two words for each node of each list, each list half the nodes of the next.
struct Tables;

impl Test for Tables {
    fn on(&mut self, field: Instructions, name: &str) {
        for length in lengths(900) {
            let (odd, log, lists) = (length.odd, length.log as usize, field.log.max(1) as usize);
            let nodes: usize = (0..lists).map(|list| 1 << (log - list)).sum();
            // Two directions, with room to align; the starts of a tree's factors, for each depth.
            let words = 2 * (2 * odd * nodes + 7) + 3 * odd * (log + 1);
            assert_eq!(Products::new(field, length).bytes(), 3 * 8 * words, "{name}, {length:?}");
        }
    }
}

#[test]
fn tables_have_their_nodes() {
    on_every_family(Tables);
}

/// A product by one word, digit by digit.
#[test]
fn low_products_by_a_word() {
    let mut dice = Dice::new(23);
    for digit_bits in [60, 64] {
        let length = Length { odd: 1, log: 7, digit_bits };
        let ring = NttRing::of_power_of_two(Scalar.into(), length.bits(), length);
        let (l, limbs, m) = (ring.words(), length.bits() / 64, BigUint::from(1u8) << length.bits());
        let (mut arena, mut out) = (vec![7; 2 * l], vec![7; l]);
        for a in [vec![u64::MAX; limbs], vec![1], dice.number(limbs), dice.number(limbs)] {
            ring.enter(&mut arena, 0, &a, &mut []);
            for small in [0, 1, 2, u64::MAX, dice.roll()] {
                ring.mul_small(&mut arena, l, 0, small, &mut []);
                ring.leave(&mut out, &arena, l, &mut []);
                assert_eq!(big(&out), big(&a) * small % &m, "{a:x?}, {small:x}");
            }
        }
        ring.one(&mut arena, l, &mut []);
        ring.leave(&mut out, &arena, l, &mut []);
        assert_eq!(big(&out), BigUint::from(1u8));
    }
}

/// 1, and products with a number that is not in the ring's form: up to the bits of R, and not more.
#[test]
fn plain_factors_below_r() {
    let mut modulus = vec![u64::MAX; 128];
    modulus[0] -= 58;
    let (m, ring) = (big(&modulus), NttRing::new(Scalar.into(), &modulus));
    let l = ring.words();
    assert_eq!(Length::of_bits(64 * 128).bits(), 64 * 128, "R is as long as the modulus");
    let (mut arena, mut out) = (vec![7; 2 * l], vec![7; l]);
    let mut scratch = vec![7; ring.scratch_words()];
    ring.one(&mut arena, l, &mut scratch);
    ring.leave(&mut out, &arena, l, &mut scratch);
    assert_eq!(big(&out), BigUint::from(1u8));
    let a: Vec<u64> = Dice::new(24).number(128);
    ring.enter(&mut arena, 0, &a, &mut scratch);
    for plain in [vec![u64::MAX; 128], vec![3], vec![]] {
        assert!(ring.leave_times(&mut out, &arena, 0, &plain, &mut scratch));
        assert_eq!(big(&out), big(&a) * big(&plain) % &m, "{plain:x?}");
    }
    let before = out.clone();
    let longer = [vec![0; 128], vec![1]].concat();
    assert!(!ring.leave_times(&mut out, &arena, 0, &longer, &mut scratch));
    assert_eq!(out, before);
}

/// What the registry says of lengths: the longest modulus of the same transform, and the digits of its residues.
#[test]
fn lengths_in_the_registry() {
    // Digits of 64 bits end at 3 2^13 of them.
    for limbs in [64, 127, 128, 129, 192, 193, 1000, 4095, 24_575, 24_576, 24_577, 30_000, 500_000, MAX_LIMBS] {
        let (padded, length) = (padded_limbs(limbs), Length::of_bits(64 * limbs));
        assert!(padded >= limbs && Length::of_bits(64 * padded) == length, "{limbs}: {padded}");
        assert!(padded >= MAX_LIMBS || Length::of_bits(64 * padded + 1) != length, "{limbs}: {padded}");
        assert_eq!(digit_bits(64 * limbs), if limbs <= 24_576 { 64 } else { 60 }, "{limbs}");
        let [in_table, in_arena] = residue_lengths(64 * limbs);
        assert!(in_table == in_arena && in_table * digit_bits(64 * limbs) as usize == 64 * padded, "{limbs}");
    }
}
