//! Tests of `exponent/euclid.rs`.

use super::*;
use num_bigint::BigUint;

fn number(value: &Exponent) -> BigUint {
    BigUint::from_bytes_le(&value.magnitude().to_le_bytes())
}

/// The steps keep the sum, whatever the digits: b_i starts as 2^(i digit_bits).
#[test]
fn the_steps_lead_to_the_exponent() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for bits in [1usize, 2, 63, 64, 65, 200, 513, 1000] {
        for digit_bits in [1, 5, 31, 63, 64, 65, 100, 128, 300, 2000] {
            for round in 0..6 {
                let mut limbs: Vec<u64> = (0..bits / 64 + 1).map(|_| next()).collect();
                if round == 0 {
                    limbs.fill(u64::MAX);
                } else if round == 1 {
                    limbs.fill(0);
                }
                let low = Natural::from_limbs(&limbs).low_bits(bits as u64 - 1);
                let mut limbs = low.limbs().to_vec();
                limbs.resize(bits.div_ceil(64), 0);
                limbs[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
                let exponent = Exponent::new(Natural::from_limbs(&limbs)).unwrap();
                let digits = bits.div_ceil(digit_bits);
                let mut parts: Vec<BigUint> = (0..digits).map(|i| BigUint::from(1u8) << (i * digit_bits)).collect();
                let mut result = None;
                Euclid::of_digits(&exponent, digit_bits).reduce(|step| {
                    assert_eq!(result, None);
                    match step {
                        EuclidStep::Into { from, into, quotient } => {
                            let more = &parts[from] * quotient.map_or(BigUint::from(1u8), |q| number(&q));
                            parts[into] += more;
                        }
                        EuclidStep::Last { from, exponent } => result = Some(&parts[from] * number(&exponent)),
                    }
                });
                assert_eq!(result, Some(number(&exponent)), "{bits} bits in digits of {digit_bits}");
            }
        }
    }
}

/// The steps undone give the numbers back: modulo nothing, by their weights.
#[test]
fn steps_keep_the_product() {
    let mut state = 5u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state >> 20
    };
    for count in [1, 2, 3, 5, 40] {
        for bits in [1, 5, 17, 40] {
            let values: Vec<u64> = (0..count).map(|_| (random() & ((1 << bits) - 1)).max(1)).collect();
            let exponents: Vec<_> = values.iter().map(|&value| Exponent::from_limbs(&[value]).unwrap()).collect();
            let mut numbers = Euclid::new(count, 1);
            numbers.load(&exponents, 0..1);
            // Elements as exponents of one generator, modulo 2^64.
            let mut bases: Vec<u64> = (0..count).map(|_| random()).collect();
            let want = bases.iter().zip(&values).fold(0u64, |sum, (g, e)| sum.wrapping_add(g.wrapping_mul(*e)));
            let mut last = None;
            numbers.reduce(|step| match step {
                EuclidStep::Into { from, into, quotient } => {
                    let quotient = quotient.map_or(1, |quotient| quotient.magnitude().limbs()[0]);
                    bases[into] = bases[into].wrapping_add(bases[from].wrapping_mul(quotient));
                }
                EuclidStep::Last { from, exponent } => {
                    last = Some(bases[from].wrapping_mul(exponent.magnitude().limbs()[0]));
                }
            });
            assert_eq!(last, Some(want), "{values:?}");
        }
    }
}

#[test]
fn keys_follow_the_order() {
    let mut numbers: Vec<Vec<u64>> =
        vec![vec![1], vec![2], vec![3], vec![1 << 47], vec![(1 << 48) - 1], vec![u64::MAX]];
    numbers.extend([vec![0, 1], vec![u64::MAX, 1], vec![0, 2], vec![1 << 63, 1 << 20], vec![u64::MAX, u64::MAX]]);
    numbers.extend([vec![u64::MAX; 255], vec![0; 255].into_iter().chain([1]).collect(), vec![u64::MAX; 256]]);
    for pair in numbers.windows(2).filter(|pair| compare(&pair[0], &pair[1]).is_lt()) {
        assert!(key(&pair[0]) <= key(&pair[1]), "{pair:?}");
    }
    assert!(key(&[3]) > key(&[2]) && key(&[0, 2]) > key(&[u64::MAX, 1]));
}
