//! Powers of 2 in lanes that shift, and Lucas sequences, against plain integers at the edges of every length.

use super::common::Random;
use num_bigint::BigUint;
use pingala_core::{Error, Modulus, Natural, Options, Watch, pow_two_list};

fn big(n: &Natural) -> BigUint {
    BigUint::from_bytes_le(&n.to_le_bytes())
}

/// Odd numbers of so many bits: the least, the greatest, and random ones.
fn moduli(bits: u64, random: &mut Random) -> Vec<Natural> {
    let one = BigUint::from(1u32);
    let (least, most) = (&one << (bits - 1) | &one, (&one << bits) - &one);
    let mut all = vec![least, most];
    for _ in 0..3 {
        all.push(big(random.exponent(bits as usize).magnitude()) | &one);
    }
    all.iter().map(|n| Natural::from_le_bytes(&n.to_bytes_le())).collect()
}

#[test]
fn powers_of_two_are_powers() {
    let random = &mut Random::new(41);
    let two = BigUint::from(2u32);
    for limbs in (1..=20).chain([31, 32, 33, 48, 64, 79]) {
        for bits in [64 * limbs - 63, 64 * limbs - 31, 64 * limbs - 1, 64 * limbs] {
            let mut all: Vec<Natural> = moduli(bits.max(2), random);
            all.extend(moduli(bits.max(2), random));
            let exponents: Vec<Natural> = (0..all.len() as u64)
                .map(|at| match at {
                    0 => Natural::default(),
                    1 => Natural::from(1u64),
                    2 => Natural::from(random.next()),
                    3 => Natural::from_limbs(&vec![u64::MAX; limbs as usize]),
                    _ => random.exponent((bits.min(700) + at) as usize).magnitude().clone(),
                })
                .collect();
            let powers = pow_two_list(&exponents, &all, &Options::default()).unwrap();
            for ((e, m), power) in exponents.iter().zip(&all).zip(powers) {
                assert_eq!(big(&power.unwrap()), two.modpow(&big(e), &big(m)), "2^{e} mod {m}");
            }
        }
    }
}

#[test]
fn lists_mix_all_lengths_and_errors() {
    let random = &mut Random::new(43);
    let (mut exponents, mut all) = (Vec::new(), Vec::new());
    for round in 0..200u64 {
        let bits = 1 + random.below(900);
        all.push(match round % 20 {
            7 => Natural::default(),
            8 => Natural::from(1u64),
            _ => random.exponent(bits as usize).magnitude().clone(),
        });
        let bits = 1 + random.below(900);
        exponents.push(random.exponent(bits as usize).magnitude().clone());
    }
    for threads in [1, 3] {
        let options = Options::default().with_threads(core::num::NonZeroUsize::new(threads));
        let powers = pow_two_list(&exponents, &all, &options).unwrap();
        for ((e, m), power) in exponents.iter().zip(&all).zip(powers) {
            if m.is_zero() {
                assert_eq!(power, Err(Error::ZeroModulus));
            } else {
                assert_eq!(big(&power.unwrap()), BigUint::from(2u32).modpow(&big(e), &big(m)));
            }
        }
    }
    assert_eq!(pow_two_list(&exponents[1..], &all, &Options::default()).unwrap_err().code(), "bad_argument");
    let short = Options::default().with_limits(pingala_core::Limits::new(64, 64));
    let capped = pow_two_list(&exponents, &all, &short).unwrap();
    for ((e, m), power) in exponents.iter().zip(&all).zip(capped) {
        if m.is_zero() {
            assert_eq!(power, Err(Error::ZeroModulus));
            continue;
        }
        let within = m.bits() <= 64 && e.bits() <= 64;
        assert_eq!(matches!(power, Err(Error::TooLong { .. })), !within, "{e} {m}");
    }
}

/// Says stop at once.
struct Stop;

impl Watch for Stop {
    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn both_stop() {
    let m = moduli(2048, &mut Random::new(7));
    let options = Options::default().with_watch(Some(&Stop));
    assert_eq!(pow_two_list(&m, &m, &options).unwrap_err(), Error::Interrupted);
    let modulus = Modulus::new(m[0].clone()).unwrap();
    assert_eq!(modulus.lucas(&3u64.into(), &m[1], &options).unwrap_err(), Error::Interrupted);
}

/// V_k and V_(k+1), by the recurrences on plain integers.
fn lucas(p: &BigUint, k: &BigUint, m: &BigUint) -> [BigUint; 2] {
    let two = BigUint::from(2u32);
    let (mut v, mut w) = (&two % m, p % m);
    for bit in (0..k.bits()).rev() {
        let product = (&v * &w + m - p % m) % m;
        let square = |x: &BigUint| (x * x + m * &two - &two) % m;
        (v, w) = if k.bit(bit) { (product, square(&w)) } else { (square(&v), product) };
    }
    [v, w]
}

#[test]
fn lucas_sequences_are_those_of_plain_integers() {
    let random = &mut Random::new(47);
    for limbs in (1..=20).chain([31, 32, 33, 64, 100, 200, 260]) {
        for bits in [64 * limbs - 63, 64 * limbs - 31, 64 * limbs - 1, 64 * limbs] {
            for modulus in moduli(bits.max(2), random) {
                let m = big(&modulus);
                let prepared = Modulus::new(modulus.clone()).unwrap();
                let p = match random.below(5) {
                    0 => m.clone() - 1u32,
                    1 => BigUint::ZERO,
                    2 => BigUint::from(1u32),
                    _ => big(random.exponent(bits as usize).magnitude()),
                };
                for k in [0, 1, 2, 64, 150] {
                    let k = if k == 0 { BigUint::ZERO } else { big(random.exponent(k).magnitude()) };
                    let of = |n: &BigUint| Natural::from_le_bytes(&n.to_bytes_le());
                    let pair = prepared.lucas(&of(&p).into(), &of(&k), &Options::default()).unwrap();
                    assert_eq!(pair.map(|v| big(&v)), lucas(&p, &k, &m), "V_{k}({p}) mod {m}");
                }
            }
        }
    }
    let even = Modulus::new(10u64.into()).unwrap();
    assert_eq!(even.lucas(&3u64.into(), &5u64.into(), &Options::default()).unwrap_err().code(), "bad_argument");
}
