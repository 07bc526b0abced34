//! Whole numbers of a fixed number of words, for the elements of a dictionary.

use core::cmp::Ordering;

/// A number of N words, the least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wide<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> Wide<N> {
    /// 0.
    pub(super) const ZERO: Self = Self([0; N]);

    /// A short number.
    pub(super) fn from_u64(value: u64) -> Self {
        let mut words = [0; N];
        words[0] = value;
        Self(words)
    }

    /// Whether this is 0.
    #[inline]
    pub(super) fn is_zero(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The place of the highest 1, counted from 1; 0 for 0.
    #[inline]
    pub(super) fn bits(self) -> usize {
        for i in (0..N).rev() {
            if self.0[i] != 0 {
                return 64 * i + 64 - self.0[i].leading_zeros() as usize;
            }
        }
        0
    }

    /// Zeros below the lowest 1; all bits for 0.
    #[inline]
    pub(super) fn trailing_zeros(self) -> usize {
        for i in 0..N {
            if self.0[i] != 0 {
                return 64 * i + self.0[i].trailing_zeros() as usize;
            }
        }
        64 * N
    }

    /// The sum; `None` if it has more than `bits` bits, of which there are fewer than 64 N.
    #[inline]
    pub(super) fn sum_within(self, other: Self, bits: usize) -> Option<Self> {
        let sum = self.wrapping_add(other);
        (sum.bits() <= bits).then_some(sum)
    }

    /// The difference modulo 2^(64 N).
    #[inline]
    pub(super) fn wrapping_sub(self, other: Self) -> Self {
        let mut out = self.0;
        let mut borrow = false;
        for (word, other) in out.iter_mut().zip(other.0) {
            let (d, b1) = word.overflowing_sub(other);
            let (d, b2) = d.overflowing_sub(u64::from(borrow));
            *word = d;
            borrow = b1 | b2;
        }
        Self(out)
    }

    /// The sum modulo 2^(64 N).
    #[inline]
    pub(super) fn wrapping_add(self, other: Self) -> Self {
        let mut out = self.0;
        let mut carry = false;
        for (word, other) in out.iter_mut().zip(other.0) {
            let (sum, c1) = word.overflowing_add(other);
            let (sum, c2) = sum.overflowing_add(u64::from(carry));
            *word = sum;
            carry = c1 | c2;
        }
        Self(out)
    }

    /// Divided by 2^count.
    #[inline]
    pub(super) fn shr(self, count: usize) -> Self {
        let (words, bits) = (count / 64, count % 64);
        let mut out = [0; N];
        for (i, word) in out.iter_mut().enumerate().take(N.saturating_sub(words)) {
            let low = self.0[i + words];
            let high = if i + words + 1 < N { self.0[i + words + 1] } else { 0 };
            *word = if bits == 0 { low } else { low >> bits | high << (64 - bits) };
        }
        Self(out)
    }

    /// Times 2^count, modulo 2^(64 N).
    #[inline]
    pub(super) fn shl(self, count: usize) -> Self {
        let (words, bits) = (count / 64, count % 64);
        let mut out = [0; N];
        for i in (words..N).rev() {
            let high = self.0[i - words];
            let low = if i > words { self.0[i - words - 1] } else { 0 };
            out[i] = if bits == 0 { high } else { high << bits | low >> (64 - bits) };
        }
        Self(out)
    }

    /// Changes the bit at this place.
    #[inline]
    pub(super) fn flip(&mut self, place: usize) {
        self.0[place / 64] ^= 1 << (place % 64);
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Wide<N> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        for i in (0..N).rev() {
            if self.0[i] != other.0[i] {
                return self.0[i].cmp(&other.0[i]);
            }
        }
        Ordering::Equal
    }
}
