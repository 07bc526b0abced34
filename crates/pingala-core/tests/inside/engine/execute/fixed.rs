//! Right to left with two products at a time, against square-and-multiply on integers of 128 bits.

use super::*;
use crate::algorithm::BinaryRightToLeft;
use crate::kernel::fixed::RingsByValue;

fn power(base: u64, exponent: &Exponent, m: u64) -> u64 {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(m)) as u64;
    (0..exponent.bits()).rev().fold(1 % m, |power, bit| {
        let square = times(power, power);
        if exponent.bit(bit) { times(square, base % m) } else { square }
    })
}

#[test]
fn pairs_of_products_give_the_power() {
    let ones = u64::MAX;
    let moduli = [3, 5, 0xffff_ffff, (1 << 32) + 1, (1 << 63) - 25, (1 << 63) + 1, ones - 58, ones];
    let exponents: [&[u64]; 14] = [
        &[1],
        &[2],
        &[3],
        &[1 << 63],
        &[ones],
        &[0, 1],
        &[1, 1],
        &[ones, 1],
        &[0, 1 << 63],
        &[ones, ones],
        &[1 << 63, 0, 1],
        &[0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9],
        &[0, 0, 0x9e37_79b9_7f4a_7c15],
        &[0x94d0_49bb_1331_11eb; 40],
    ];
    let algorithm = Algorithm::from(BinaryRightToLeft);
    for m in moduli {
        for base in [0, 1, 2, m / 2, m - 2, m - 1, m, ones] {
            for limbs in exponents {
                let (base_number, exponent) = (Natural::from(base), Exponent::from_limbs(limbs).unwrap());
                let poll = Poll::none();
                let work =
                    RegisterPower { algorithm: &algorithm, base: &base_number, exponent: &exponent, poll: &poll };
                let found = RingsByValue::Odd.visit(&[m], 0, 1, work);
                assert_eq!(found, Ok(Natural::from(power(base, &exponent, m))), "{base}^{limbs:?} mod {m}");
            }
        }
    }
}
