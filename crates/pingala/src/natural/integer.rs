//! [`Natural`] and [`Integer`]: what goes in and comes out of the library.

use core::cmp::Ordering;
use smallvec::SmallVec;

/// A natural number: limbs, least significant first, no leading zero limb. Up to 256 bits take no allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    limbs: SmallVec<[u64; 4]>,
}

impl Natural {
    /// From limbs, least significant first; leading zeros are dropped.
    pub fn from_limbs(limbs: &[u64]) -> Self {
        let used = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
        Self { limbs: SmallVec::from_slice(&limbs[..used]) }
    }

    /// The limbs, least significant first; empty for 0.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Whether this is 1.
    pub fn is_one(&self) -> bool {
        self.limbs.as_slice() == [1]
    }

    /// Whether the lowest bit is 0.
    pub fn is_even(&self) -> bool {
        self.limbs.first().is_none_or(|limb| limb & 1 == 0)
    }

    /// Bit length: 0 for 0, otherwise floor(log2) + 1.
    pub fn bits(&self) -> u64 {
        self.limbs.last().map_or(0, |top| self.limbs.len() as u64 * 64 - u64::from(top.leading_zeros()))
    }

    /// Bit `position`, counted from the least significant; false beyond the top.
    pub fn bit(&self, position: u64) -> bool {
        self.limbs.get((position / 64) as usize).is_some_and(|limb| limb >> (position % 64) & 1 == 1)
    }

    /// Number of one bits.
    pub fn weight(&self) -> u64 {
        self.limbs.iter().map(|limb| u64::from(limb.count_ones())).sum()
    }

    /// Number of zero bits below the lowest one bit; 0 for 0.
    pub fn trailing_zeros(&self) -> u64 {
        self.limbs
            .iter()
            .position(|&limb| limb != 0)
            .map_or(0, |at| at as u64 * 64 + u64::from(self.limbs[at].trailing_zeros()))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Self::from_limbs(&[value])
    }
}

impl From<u128> for Natural {
    fn from(value: u128) -> Self {
        Self::from_limbs(&[value as u64, (value >> 64) as u64])
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.limbs.len().cmp(&other.limbs.len()).then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A signed number: bases and exponents may be negative.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Integer {
    negative: bool,
    magnitude: Natural,
}

impl Integer {
    /// From sign and magnitude; zero has no sign.
    pub fn new(negative: bool, magnitude: Natural) -> Self {
        Self { negative: negative && !magnitude.is_zero(), magnitude }
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The absolute value.
    pub fn magnitude(&self) -> &Natural {
        &self.magnitude
    }

    /// The absolute value, by value.
    pub fn into_magnitude(self) -> Natural {
        self.magnitude
    }
}

impl From<Natural> for Integer {
    fn from(magnitude: Natural) -> Self {
        Self::new(false, magnitude)
    }
}

impl From<&Natural> for Integer {
    fn from(magnitude: &Natural) -> Self {
        Self::new(false, magnitude.clone())
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        Natural::from(value).into()
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self::new(value < 0, value.unsigned_abs().into())
    }
}
