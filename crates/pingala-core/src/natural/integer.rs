//! [`Natural`] and [`Integer`], the arguments and results of the library.

use core::cmp::Ordering;
use smallvec::SmallVec;
use zeroize::Zeroize;

/// Limbs that need no allocation.
const INLINE_LIMBS: usize = 8;

/// The storage of the limbs of a [`Natural`].
pub(crate) type LimbBuffer = SmallVec<[u64; INLINE_LIMBS]>;

/// A natural number: limbs, least significant first, no leading zero limb. Up to 512 bits take no allocation.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Natural {
    limbs: LimbBuffer,
}

impl Clone for Natural {
    #[inline]
    fn clone(&self) -> Self {
        Self { limbs: copied(&self.limbs) }
    }
}

/// Wipes the limbs, for a copy of a secret: the number is 0 then. What earlier moves of a number of up to 512 bits left on the stack
/// stays there.
impl Zeroize for Natural {
    fn zeroize(&mut self) {
        self.limbs.as_mut_slice().zeroize();
        self.limbs.clear();
    }
}

/// The limbs. A call of a function is measurable for numbers of one limb or two, so only these cases are inlined wherever limbs are
/// copied.
#[inline]
fn copied(limbs: &[u64]) -> LimbBuffer {
    let mut copy = LimbBuffer::new();
    match *limbs {
        [a] => copy.push(a),
        [a, b] => {
            copy.push(a);
            copy.push(b);
        }
        _ => return copied_apart(limbs),
    }
    copy
}

/// Copies another number of limbs: three of them each straight to its place, as in calls on short numbers each call of
/// `memcpy` is measurable, and each move of a limb that was just written.
#[inline(never)]
fn copied_apart(limbs: &[u64]) -> LimbBuffer {
    let mut copy = LimbBuffer::new();
    match *limbs {
        [] => {}
        [a, b, c] => {
            copy.push(a);
            copy.push(b);
            copy.push(c);
        }
        _ => return LimbBuffer::from_slice(limbs),
    }
    copy
}

/// The order of two numbers without leading zeros.
#[inline]
pub(crate) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// The limbs below the leading zeros.
#[inline]
pub(crate) fn significant(limbs: &[u64]) -> &[u64] {
    let length = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    &limbs[..length]
}

impl Natural {
    /// From limbs, least significant first; leading zeros are dropped.
    #[inline]
    pub fn from_limbs(limbs: &[u64]) -> Self {
        Self { limbs: copied(significant(limbs)) }
    }

    /// 2^count.
    pub(crate) fn power_of_two(count: u64) -> Self {
        let mut limbs = SmallVec::from_elem(0, (count / 64) as usize + 1);
        limbs[(count / 64) as usize] = 1 << (count % 64);
        Self { limbs }
    }

    /// Takes over limbs in their buffer, so that nothing is copied.
    #[inline]
    pub(crate) fn from_limb_buffer(limbs: LimbBuffer) -> Self {
        let mut number = Self { limbs };
        number.normalise();
        number
    }

    /// Drops leading zeros.
    #[inline]
    fn normalise(&mut self) {
        self.limbs.truncate(significant(&self.limbs).len());
    }

    /// Changes the limbs in place, with zeros on top up to `length` limbs.
    #[inline]
    pub(crate) fn change(&mut self, length: usize, change: impl FnOnce(&mut [u64])) {
        self.limbs.resize(length.max(self.limbs.len()), 0);
        change(&mut self.limbs);
        self.normalise();
    }

    /// The limbs, least significant first; empty for 0.
    #[inline]
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.limbs.as_slice() == [1]
    }

    /// Whether the lowest bit is 0.
    #[inline]
    pub fn is_even(&self) -> bool {
        self.limbs.first().is_none_or(|limb| limb & 1 == 0)
    }

    /// Bit length: 0 for 0, otherwise floor(log2) + 1.
    #[inline]
    pub fn bits(&self) -> u64 {
        self.limbs.last().map_or(0, |top| self.limbs.len() as u64 * 64 - u64::from(top.leading_zeros()))
    }

    /// Bit `position`, counted from the least significant; false beyond the top.
    #[inline]
    pub fn bit(&self, position: u64) -> bool {
        let at = usize::try_from(position / 64).ok();
        at.and_then(|at| self.limbs.get(at)).is_some_and(|limb| limb >> (position % 64) & 1 == 1)
    }

    /// Sets this number in place to floor(value / 2^count).
    #[inline]
    pub(crate) fn set_shifted_right(&mut self, value: &Natural, count: u64) {
        let (whole, bits) = ((count / 64) as usize, (count % 64) as u32);
        let kept = value.limbs.get(whole..).unwrap_or_default();
        self.limbs.clear();
        self.limbs.reserve(kept.len());
        for (at, &limb) in kept.iter().enumerate() {
            let above = kept.get(at + 1).copied().unwrap_or(0);
            // Two shifts, because one by 64 - bits would be by 64 for bits = 0.
            self.limbs.push(limb >> bits | (above << 1) << (63 - bits));
        }
        self.normalise();
    }

    /// self mod 2^count.
    pub(crate) fn low_bits(&self, count: u64) -> Self {
        if count >= self.bits() {
            return self.clone();
        }
        let mut limbs = SmallVec::from_slice(&self.limbs[..count.div_ceil(64) as usize]);
        if !count.is_multiple_of(64)
            && let Some(top) = limbs.last_mut()
        {
            *top &= u64::MAX >> (64 - count % 64);
        }
        Self::from_limb_buffer(limbs)
    }

    /// Number of one bits.
    #[inline]
    pub fn weight(&self) -> u64 {
        self.limbs.iter().map(|limb| u64::from(limb.count_ones())).sum()
    }

    /// Number of zero bits below the lowest one bit; 0 for 0.
    #[inline]
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
        compare(&self.limbs, &other.limbs)
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A signed number: bases and exponents may be negative.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Integer {
    negative: bool,
    magnitude: Natural,
}

impl Integer {
    /// From sign and magnitude; zero has no sign.
    #[inline]
    pub fn new(negative: bool, magnitude: Natural) -> Self {
        Self { negative: negative && !magnitude.is_zero(), magnitude }
    }

    /// Whether it is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The absolute value.
    #[inline]
    pub fn magnitude(&self) -> &Natural {
        &self.magnitude
    }

    /// The absolute value, by value.
    pub fn into_magnitude(self) -> Natural {
        self.magnitude
    }
}

/// Wipes the magnitude, as [`Natural`] does.
impl Zeroize for Integer {
    fn zeroize(&mut self) {
        self.magnitude.zeroize();
        self.negative = false;
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

#[cfg(test)]
#[path = "../../tests/inside/natural/integer.rs"]
mod tests;
