//! A choice that is made once.

use core::sync::atomic::{AtomicU8, Ordering};

/// A choice that costs as much to make as the work that it is about, kept once it is made.
#[derive(Debug, Default)]
pub(super) struct KeptChoice(AtomicU8);

impl KeptChoice {
    const YES: u8 = 1;
    const NO: u8 = 2;

    /// What was chosen, or is chosen now.
    #[inline]
    pub(super) fn or_choose(&self, choose: impl FnOnce() -> bool) -> bool {
        match self.0.load(Ordering::Relaxed) {
            0 => {
                let choice = choose();
                self.0.store(if choice { Self::YES } else { Self::NO }, Ordering::Relaxed);
                choice
            }
            known => known == Self::YES,
        }
    }

    pub(super) fn many(count: usize) -> Box<[Self]> {
        (0..count).map(|_| Self::default()).collect()
    }
}
