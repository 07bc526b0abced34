//! Runs that were priced before.

use crate::error::Error;
use core::hash::{BuildHasherDefault, Hash, Hasher};
use std::collections::HashMap;
use std::sync::RwLock;

/// Most runs that are remembered; a full memory starts again.
const MOST: usize = 4096;

/// The cheapest run for each part of a problem that was asked for.
#[derive(Debug)]
pub(crate) struct Memory<P, R>(RwLock<HashMap<P, R, BuildHasherDefault<PartHasher>>>);

impl<P, R> Default for Memory<P, R> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<P: Eq + Hash, R: Clone> Memory<P, R> {
    /// How many runs are remembered.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.read().map_or(0, |runs| runs.len())
    }

    /// The run for a part: from memory, or priced now. Errors are those of `price`, and are not remembered.
    pub(crate) fn run(&self, part: P, price: impl FnOnce(&P) -> Result<R, Error>) -> Result<R, Error> {
        // Uses try_lock only: in a child of a fork a lock may never be released.
        if let Some(run) = self.0.try_read().ok().and_then(|runs| runs.get(&part).cloned()) {
            return Ok(run);
        }
        let run = price(&part)?;
        if let Ok(mut runs) = self.0.try_write() {
            if runs.len() >= MOST {
                runs.clear();
            }
            runs.insert(part, run.clone());
        }
        Ok(run)
    }
}

/// A hash of parts that costs a few nanoseconds, as every call on a longer modulus looks its part up. No defence against
/// chosen parts: there are at most [`MOST`].
#[derive(Debug, Default)]
pub(crate) struct PartHasher(u64);

impl Hasher for PartHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    /// A turn and a product by an odd number near 2^64 / the golden ratio: [knuth1998sorting], 6.4.
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(29) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// The table uses the low bits as its index, which a product mixes least.
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
