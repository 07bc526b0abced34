//! One suite for all products and rings: against plain integers at bytes, against a big-integer oracle at real words.

mod bytes;
mod endless;
pub(super) mod environments;
#[cfg(target_os = "linux")]
mod guard_pages;
mod memory;
mod products;
mod rings;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod scalar;
mod small_words;

pub(super) use crate::natural::testing::{big, words};
use crate::natural::word::Word;

/// All cases; under Miri, which is thousands of times slower and looks for other defects, the first of them.
pub(super) fn cases<T>(under_miri: usize, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().take(if cfg!(miri) { under_miri } else { usize::MAX })
}

/// A small generator (xorshift*), so that failures repeat.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed * 2 + 1)
    }

    pub(super) fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.roll() >> 32) as usize % bound
    }

    /// A word that likes the carry edges: half of the time 0, 1, b/2 - 1, b/2, b - 2 or b - 1.
    pub(super) fn word<W: Word>(&mut self) -> W {
        let half = W::ONE.shift_left(W::BITS - 1);
        let below = |word: W| word.sub_borrow(W::ONE, false).0;
        match self.below(12) {
            0 => W::ZERO,
            1 => W::ONE,
            2 => half,
            3 => below(half),
            4 => below(W::MAX),
            5 => W::MAX,
            _ => W::from_u64(self.roll() >> (64 - W::BITS)),
        }
    }

    /// A number that likes the carry edges: edge words throughout, or runs of one edge word, or random words.
    pub(super) fn number<W: Word>(&mut self, n: usize) -> Vec<W> {
        match self.below(4) {
            0 => (0..n).map(|_| W::from_u64(self.roll() >> (64 - W::BITS))).collect(),
            1 => {
                let at = self.below(n + 1);
                let (low, high) = (self.word(), self.word());
                (0..n).map(|i| if i < at { low } else { high }).collect()
            }
            _ => (0..n).map(|_| self.word()).collect(),
        }
    }
}

/// Buffers as a caller may leave them: 0xAA bytes and all ones.
pub(super) fn dirt<W: Word>() -> [W; 2] {
    [W::from_u64(0xaaaa_aaaa_aaaa_aaaa >> (64 - W::BITS)), W::MAX]
}
