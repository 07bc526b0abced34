//! Numbers of the crate crypto-bigint, both ways. Their lengths are fixed, ours are not: a number loses its leading zeros here,
//! so that none of these conversions is for secrets ([`SecretExponent::from_be_bytes`](crate::SecretExponent::from_be_bytes) is).

use super::{Integer, Natural};
use crate::error::Error;
use crypto_bigint::{BoxedUint, Limb, Uint, Word};

/// Their words, least significant first, as many as there are limbs to fill.
fn words(value: &Natural, count: usize) -> impl Iterator<Item = Word> {
    let mut bytes = value.to_le_bytes();
    bytes.resize(count * Limb::BYTES, 0);
    let word = |at: usize| Word::from_le_bytes(core::array::from_fn(|byte| bytes[at * Limb::BYTES + byte]));
    (0..count).map(word).collect::<Vec<_>>().into_iter()
}

fn from_words(words: &[Word]) -> Natural {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Natural::from_le_bytes(&bytes)
}

impl<const LIMBS: usize> From<&Uint<LIMBS>> for Natural {
    fn from(value: &Uint<LIMBS>) -> Self {
        from_words(value.as_words())
    }
}

impl<const LIMBS: usize> From<Uint<LIMBS>> for Natural {
    fn from(value: Uint<LIMBS>) -> Self {
        Self::from(&value)
    }
}

impl<const LIMBS: usize> From<&Uint<LIMBS>> for Integer {
    fn from(value: &Uint<LIMBS>) -> Self {
        Natural::from(value).into()
    }
}

impl From<&BoxedUint> for Natural {
    fn from(value: &BoxedUint) -> Self {
        from_words(value.as_words())
    }
}

impl From<&BoxedUint> for Integer {
    fn from(value: &BoxedUint) -> Self {
        Natural::from(value).into()
    }
}

/// Error: `too_long` for a number that their limbs do not hold.
impl<const LIMBS: usize> TryFrom<&Natural> for Uint<LIMBS> {
    type Error = Error;

    fn try_from(value: &Natural) -> Result<Self, Error> {
        let (length, cap) = (value.bits(), LIMBS as u64 * u64::from(Limb::BITS));
        if length > cap {
            return Err(Error::TooLong { what: "number", length, cap });
        }
        let mut out = [0; LIMBS];
        out.iter_mut().zip(words(value, LIMBS)).for_each(|(out, word)| *out = word);
        Ok(Self::from_words(out))
    }
}

/// Error: `too_long` for a number that their limbs do not hold.
impl<const LIMBS: usize> TryFrom<Natural> for Uint<LIMBS> {
    type Error = Error;

    fn try_from(value: Natural) -> Result<Self, Error> {
        Self::try_from(&value)
    }
}

/// As many of their limbs as the number takes, one at least.
impl From<&Natural> for BoxedUint {
    fn from(value: &Natural) -> Self {
        let count = value.bits().div_ceil(u64::from(Limb::BITS)).max(1) as usize;
        Self::from_words(words(value, count))
    }
}

from_values! { BoxedUint => Natural, Natural => BoxedUint }

#[cfg(test)]
#[path = "../../tests/inside/natural/crypto_bigint.rs"]
mod tests;
