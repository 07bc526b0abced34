//! The pairs that blind bases, kept with their modulus: see [`super::blinding`].

use crate::natural::{Natural, Wiped};
use std::sync::Mutex;

/// The pairs of one modulus that no call uses at the moment.
#[derive(Default)]
pub(crate) struct BlindingPairs(Mutex<Vec<BlindingPair>>);

/// s^e and s^-1 modulo m, both as long as m.
pub(crate) struct BlindingPair {
    pub(super) public_exponent: Natural,
    pub(super) forward: Wiped,
    pub(super) back: Wiped,
    pub(super) uses: u32,
    /// The process that drew s: a child of a fork draws its own, as both would use the same otherwise.
    pub(super) process: u32,
}

impl BlindingPairs {
    /// Takes a pair that is kept for this exponent. It never waits: after a fork a copied lock is never released.
    pub(super) fn take(&self, public_exponent: &Natural) -> Option<BlindingPair> {
        let mut pairs = self.0.try_lock().ok()?;
        let process = process_id();
        pairs.retain(|pair| pair.process == process);
        let at = pairs.iter().position(|pair| pair.public_exponent == *public_exponent)?;
        Some(pairs.swap_remove(at))
    }

    pub(super) fn keep(&self, pair: BlindingPair) {
        if let Ok(mut pairs) = self.0.try_lock() {
            pairs.push(pair);
        }
    }
}

/// The number of this process, by which a child that was forked is seen; WebAssembly has no processes.
pub(super) fn process_id() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}
