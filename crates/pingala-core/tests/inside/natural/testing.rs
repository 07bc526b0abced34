//! What the tests of several rooms draw from: structured numbers, and the oracle's way to write them.

use super::chores;
use super::euclid::{GoOn, MatrixProducts, Means};
use super::word::Word;
use super::{Integer, Natural};
use crate::error::Error;
use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;

/// A limb, half of the time one of those at which carries start, end or run through.
pub(crate) fn structured_limb() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => any::<u64>(),
        1 => Just(0),
        1 => Just(u64::MAX),
        1 => prop_oneof![Just(1), Just(1 << 63), Just(u64::MAX - 1), Just((1 << 63) - 1)],
        // Runs of ones at either end, and one in the middle.
        1 => (0..64u32, 0..64u32).prop_map(|(from, to)| (u64::MAX << from) ^ (u64::MAX << to)),
    ]
}

/// Any number of at most `max_limbs` limbs, every length as likely; see [`structured_limb`].
pub(crate) fn structured_natural(max_limbs: usize) -> impl Strategy<Value = Natural> {
    (0..=max_limbs)
        .prop_flat_map(|n_limbs| proptest::collection::vec(structured_limb(), n_limbs))
        .prop_map(|limbs| Natural::from_limbs(&limbs))
}

/// As [`structured_natural`], with a sign.
pub(crate) fn structured_integer(max_limbs: usize) -> impl Strategy<Value = Integer> {
    (any::<bool>(), structured_natural(max_limbs)).prop_map(|(negative, magnitude)| Integer::new(negative, magnitude))
}

/// The oracle's number that the words stand for.
pub(crate) fn big<W: Word>(words: &[W]) -> BigUint {
    let bytes = W::BITS as usize / 8;
    let all: Vec<u8> = words.iter().flat_map(|word| word.to_u64().to_le_bytes()[..bytes].to_vec()).collect();
    BigUint::from_bytes_le(&all)
}

/// A number below b^n as words.
pub(crate) fn words<W: Word>(value: &BigUint, n: usize) -> Vec<W> {
    let bytes = W::BITS as usize / 8;
    let mut all = value.to_bytes_le();
    assert!(value.bits() <= (n * bytes * 8) as u64);
    all.resize(n * bytes, 0);
    let word = |chunk: &[u8]| W::from_u64(chunk.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)));
    all.chunks(bytes).map(word).collect()
}

/// Converts a natural number for the oracle.
pub(crate) fn to_oracle(value: &Natural) -> BigUint {
    big(value.limbs())
}

/// Converts an integer for the oracle.
pub(crate) fn integer_to_oracle(value: &Integer) -> BigInt {
    let sign = if value.is_negative() { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, to_oracle(value.magnitude()))
}

/// The oracle's number for us.
pub(crate) fn from_oracle(value: &BigUint) -> Natural {
    Natural::from_limbs(&value.to_u64_digits())
}

/// Products of the library of chores, for a matrix.
#[derive(Debug, Default)]
struct Plain([Natural; 4]);

impl Plain {
    fn times(&self, x: &[u64], entry: usize) -> BigInt {
        to_oracle(&chores::mul(&Natural::from_limbs(x), &self.0[entry])).into()
    }
}

impl MatrixProducts for Plain {
    fn set_matrix(&mut self, entries: [&[u64]; 4], limbs: usize, _: GoOn<'_>) -> Result<(), Error> {
        self.0 = entries.map(Natural::from_limbs);
        assert!(entries.iter().all(|entry| entry.len() < limbs));
        Ok(())
    }
    fn row(&mut self, [x, y]: [&[u64]; 2], _: GoOn<'_>) -> Result<[Vec<u64>; 2], Error> {
        Ok([0, 1].map(|i| (self.times(x, i) + self.times(y, i + 2)).magnitude().to_u64_digits()))
    }
    fn solved(&mut self, [x, y]: [&[u64]; 2], _: GoOn<'_>) -> Result<[(bool, Vec<u64>); 2], Error> {
        let both = [self.times(x, 3) - self.times(y, 1), self.times(y, 0) - self.times(x, 2)];
        Ok(both.map(|d| (d.sign() == Sign::Minus, d.magnitude().to_u64_digits())))
    }
    fn div_rem(&mut self, dividend: &Natural, divisor: &Natural) -> (Natural, Natural) {
        chores::div_rem(dividend, divisor)
    }
    fn mul(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        chores::mul(&Natural::from_limbs(a), &Natural::from_limbs(b)).limbs().to_vec()
    }
}

/// Such products, and no end.
pub(crate) fn plain() -> Means<'static> {
    Means { go_on: &|| true, products: |_| Box::new(Plain::default()) }
}
