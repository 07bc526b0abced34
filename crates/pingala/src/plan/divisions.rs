//! What work on exponents costs beside the products of a kernel.

use crate::algorithm::Divisions;

/// Nanoseconds of a division among few short integers, of another limb of each, and of each doubling of what all of them
/// take beyond the caches next to a core. Measured by the exact counts of Bos and Coster's method, for 16 to 100,000 integers
/// of 1 to 256 limbs, on the CPU of the built-in prices. They belong to no kernel, so that `pingala tune` does not measure them.
const DIVISION: f64 = 40.0;
const LIMB: f64 = 1.2;
const DOUBLING: f64 = 30.0;

/// Bytes of integers, and of the heap of their order, that are near.
const NEAR_BYTES: f64 = 262_144.0;
const HEAP_BYTES: usize = 16;

impl Divisions {
    /// Expected nanoseconds. The integers lose their bits evenly, so that half of their limbs are there in the mean.
    pub fn nanoseconds(&self) -> f64 {
        let bytes = (self.integers * (8 * self.limbs + HEAP_BYTES)) as f64;
        let far = (bytes / NEAR_BYTES).log2().max(0.0);
        self.count * (DIVISION + LIMB * 0.5 * self.limbs as f64 + DOUBLING * far)
    }
}
