//! Limbs of secrets.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use zeroize::Zeroize;

/// Limbs that are wiped when they are dropped. They must not grow: what the old room held would stay behind.
///
/// One function wipes them. `Zeroizing<Vec<u64>>` has a loop of its own at each of some hundred places that drop one.
#[derive(Clone, Default)]
pub(crate) struct Wiped(Vec<u64>);

impl Wiped {
    pub(crate) fn new(limbs: Vec<u64>) -> Self {
        Self(limbs)
    }
}

impl Drop for Wiped {
    #[inline(never)]
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Deref for Wiped {
    type Target = Vec<u64>;

    fn deref(&self) -> &Vec<u64> {
        &self.0
    }
}

impl DerefMut for Wiped {
    fn deref_mut(&mut self) -> &mut Vec<u64> {
        &mut self.0
    }
}
