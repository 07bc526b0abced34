use super::*;
use crate::natural::euclid::{gcd, inverse};
use crate::natural::testing::plain;
use crate::natural::testing::{
    from_oracle, integer_to_oracle, structured_integer, structured_limb, structured_natural, to_oracle,
};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

fn natural(value: u64) -> Natural {
    Natural::from(value)
}

/// Everything this file does with two numbers, the second not 0, against the oracle.
fn check(a: &Natural, m: &Natural) {
    let (x, y) = (to_oracle(a), to_oracle(m));
    assert_eq!(to_oracle(&rem(a, m)), &x % &y);
    // The oracle has no gcd of its own: Euclid's, on the oracle's remainders.
    let (mut g, mut h) = (x.clone(), y.clone());
    while h != BigUint::ZERO {
        (g, h) = (h.clone(), g % h);
    }
    assert_eq!(to_oracle(&gcd(a, m, plain()).unwrap()), g);
    assert_eq!(to_oracle(&gcd(m, a, plain()).unwrap()), g);
    match inverse(a, m, plain()).unwrap() {
        Some(inverse) => {
            assert_eq!(g, BigUint::from(1u8));
            assert!(&inverse < m);
            assert_eq!(x * to_oracle(&inverse) % &y, BigUint::from(1u8) % &y);
        }
        None => assert_ne!(g, BigUint::from(1u8)),
    }
}

/// A number of this bit length with limbs of a fixed pseudo-random sequence, half of them structured.
fn arbitrary(bits: u64, seed: u64) -> Natural {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut limbs: Vec<u64> = (0..bits.div_ceil(64))
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match state >> 60 {
                0..=3 => 0,
                4..=6 => u64::MAX,
                7 => 1 << 63,
                _ => state ^ state >> 31,
            }
        })
        .collect();
    let top = (bits - 1) % 64;
    let last = limbs.last_mut().unwrap();
    *last = *last & ((1 << top) - 1) | 1 << top;
    Natural::from_limbs(&limbs)
}

/// A pair for which an extended gcd of dashu-int 0.6.2 says gcd 1 and gives a false cofactor.
#[test]
fn an_inverse_that_another_library_gets_wrong() {
    let a: Natural =
        "0xfffffffffffffffefffffffffffffffe0000000000000000ffffffffffffffff0000000000000001".parse().unwrap();
    let m = Natural::from_limbs(&[0, 0, 0, 0, 0, 0, 1 << 16]);
    check(&a, &m);
}

#[test]
fn small_numbers_exhaustively() {
    for m in 1..=64u64 {
        for a in 0..=130u64 {
            check(&natural(a), &natural(m));
            for negative in [false, true] {
                let value = if negative { -(a as i64) } else { a as i64 };
                let want = value.rem_euclid(m as i64) as u64;
                assert_eq!(reduce(&Integer::from(value), &natural(m)), natural(want), "{value} mod {m}");
            }
        }
    }
}

#[test]
fn edges_of_the_definitions() {
    let (zero, one) = (natural(0), natural(1));
    assert_eq!(gcd(&zero, &zero, plain()).unwrap(), zero);
    assert_eq!(gcd(&zero, &natural(6), plain()).unwrap(), natural(6));
    assert_eq!(gcd(&natural(6), &zero, plain()).unwrap(), natural(6));
    // Modulo 1, also of what is far above it.
    assert_eq!(inverse(&zero, &one, plain()).unwrap(), Some(zero.clone()));
    assert_eq!(inverse(&arbitrary(300, 1), &one, plain()).unwrap(), Some(zero.clone()));
    assert_eq!(inverse(&zero, &natural(7), plain()).unwrap(), None);
    assert_eq!(reduce(&Integer::new(true, arbitrary(300, 1)), &one), zero);
    // -m and -2m are 0, not m.
    let m = arbitrary(200, 2);
    assert_eq!(reduce(&Integer::new(true, m.clone()), &m), zero);
    assert_eq!(reduce(&Integer::new(true, one.clone()), &m), sub(&m, &one));
}

#[test]
#[should_panic(expected = "division by 0")]
fn division_by_zero_is_the_callers_fault() {
    rem(&natural(1), &natural(0));
}

#[test]
fn every_bit_length() {
    for bits in 1..=600 {
        let (a, m) = (arbitrary(bits, bits), arbitrary(bits, bits + 1));
        assert_eq!(a.bits(), bits);
        check(&a, &m);
        check(&arbitrary(2 * bits, bits + 2), &m);
        check(&a, &arbitrary(bits.div_ceil(3), bits + 3));
        // Exact division, a quotient of all ones, and operands that differ by 1.
        let product = from_oracle(&(to_oracle(&a) * to_oracle(&m)));
        check(&product, &m);
        check(&sub(&product, &natural(1)), &m);
        let ones = from_oracle(&((BigUint::from(1u8) << bits) - 1u8));
        check(&ones, &m);
        check(&product, &ones);
        check(&from_oracle(&(to_oracle(&ones) + 1u8)), &ones);
    }
}

/// Lengths at which the library changes its algorithm (Burnikel-Ziegler division, Lehmer's gcd over it).
#[test]
fn long_numbers() {
    for (a_bits, m_bits) in
        [(5000, 2500), (20_000, 10_007), (20_480, 20_480), (40_000, 64), (65_536, 32_768), (50_000, 49_999)]
    {
        for seed in 0..3 {
            let (a, m) = (arbitrary(a_bits, seed), arbitrary(m_bits, seed + 100));
            check(&a, &m);
            // A common factor, so that the gcd ends long.
            let factor = to_oracle(&arbitrary(1000, seed + 200));
            check(&from_oracle(&(to_oracle(&a) * &factor)), &from_oracle(&(to_oracle(&m) * &factor)));
        }
    }
}

#[test]
fn a_hundred_thousand_digits_round_trip() {
    let value = arbitrary(332_193, 5);
    let text = to_decimal(&value);
    assert_eq!(text, to_oracle(&value).to_string());
    assert_eq!(from_decimal(&text), value);
    assert_eq!(from_decimal(""), natural(0));
}

#[test]
fn decimal_at_the_edge_of_one_limb() {
    let digits = ["9999999999999999999", "10000000000000000000", "18446744073709551615", "18446744073709551616"];
    for text in digits {
        assert_eq!(text.parse().map(|value: u128| Natural::from(value)), Ok(from_decimal(text)));
        assert_eq!(to_decimal(&from_decimal(text)), text);
    }
}

proptest! {
    #[test]
    fn structured_numbers_agree_with_the_oracle(a in structured_natural(40), m in structured_natural(24)) {
        prop_assume!(!m.is_zero());
        check(&a, &m);
    }

    #[test]
    fn one_limb_moduli_agree_with_the_oracle(a in structured_natural(4), m in structured_limb()) {
        prop_assume!(m != 0);
        check(&a, &natural(m));
    }

    #[test]
    fn residues_are_canonical(value in structured_integer(20), m in structured_natural(12)) {
        prop_assume!(!m.is_zero());
        let modulus = BigInt::from(to_oracle(&m));
        let want = ((integer_to_oracle(&value) % &modulus) + &modulus) % &modulus;
        prop_assert_eq!(BigInt::from(to_oracle(&reduce(&value, &m))), want);
    }
}
