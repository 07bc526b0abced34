//! The cost of divisions among exponents.

use crate::algorithm::Divisions;

/// Nanoseconds of a division among few short integers, of each further limb, and of each time that the memory of all integers
/// doubles beyond the caches next to a core. No kernel is involved, so `pingala tune` does not measure them;
/// docs/records/thresholds.md has the measurement.
const DIVISION: f64 = 40.0;
const LIMB: f64 = 1.2;
const DOUBLING: f64 = 30.0;

/// Bytes, of the integers and of the heap that orders them, that stay in the caches next to a core.
const NEAR_BYTES: f64 = 262_144.0;
const HEAP_BYTES: usize = 16;

impl Divisions {
    /// Expected nanoseconds. The integers shrink evenly, so the mean length is half of their limbs.
    pub fn nanoseconds(&self) -> f64 {
        let bytes = (self.integers * (8 * self.limbs + HEAP_BYTES)) as f64;
        let far = (bytes / NEAR_BYTES).log2().max(0.0);
        self.count * (DIVISION + LIMB * 0.5 * self.limbs as f64 + DOUBLING * far)
    }
}
