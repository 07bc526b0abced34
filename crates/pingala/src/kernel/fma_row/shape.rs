//! How many digits a number needs, and how they lie in memory.

use super::unit::{LANES, RADIX_BITS};

/// Bits above the modulus that residues need, at least: 8 for the multiple of the modulus that bounds them, one for the error of the
/// quotient, one for the sign.
const SPARE_BITS: usize = 10;

/// The lengths of residues modulo a number of `bits` bits: n = 4 V Q digits, in Q blocks of V vectors, between two vectors of zeros,
/// because rows read digits at every offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowShape {
    /// n.
    pub(super) digits: usize,
    /// V, 3 to 5.
    pub(super) vectors: usize,
    /// Q.
    pub(super) blocks: usize,
    /// s: residues are below 2^(s+1) m in size.
    pub(super) multiple_bits: usize,
}

impl RowShape {
    /// The shape for moduli of `bits` bits: the fewest digits, then the widest blocks.
    pub(super) fn new(bits: usize) -> Self {
        let least = (bits + SPARE_BITS).div_ceil(LANES * RADIX_BITS);
        let fit = |vectors: usize| (least.div_ceil(vectors), vectors);
        let (blocks, vectors) = [5, 4, 3].map(fit).into_iter().min_by_key(|(q, v)| q * v).unwrap_or((least, 1));
        let digits = LANES * vectors * blocks;
        let multiple_bits = (RADIX_BITS * digits - bits).saturating_sub(40).max(8);
        Self { digits, vectors, blocks, multiple_bits }
    }

    /// The bits of the longest modulus of this shape.
    pub(super) fn most_bits(&self) -> usize {
        RADIX_BITS * self.digits - SPARE_BITS
    }

    /// Words of a residue, padding included: a whole number of cache lines.
    pub(super) fn words(&self) -> usize {
        (self.digits + 2 * LANES).next_multiple_of(8)
    }
}
