//! How many digits a number needs, and how they lie in memory.

use super::unit::{LANES, RADIX_BITS};

/// The longest residue, in digits, for which s is at least 8; it is at least 9 for longer ones, see [`super::product`].
const SHORT_DIGITS: usize = 180;

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
        let is_short = bits + 10 <= RADIX_BITS * SHORT_DIGITS;
        let least_multiple = if is_short { 8 } else { 9 };
        // A bit for the error of the quotient, one for the sign.
        let least = (bits + least_multiple + 2).div_ceil(LANES * RADIX_BITS);
        let fit = |vectors: usize| (least.div_ceil(vectors), vectors);
        let (blocks, vectors) = [5, 4, 3].map(fit).into_iter().min_by_key(|(q, v)| q * v).unwrap_or((least, 1));
        let digits = LANES * vectors * blocks;
        let multiple_bits = (RADIX_BITS * digits - bits).saturating_sub(34).max(least_multiple);
        Self { digits, vectors, blocks, multiple_bits }
    }

    /// The bits of the longest modulus of this shape.
    pub(super) fn most_bits(&self) -> usize {
        RADIX_BITS * self.digits - if self.digits <= SHORT_DIGITS { 10 } else { 11 }
    }

    /// Words of a residue, padding included: a whole number of cache lines.
    pub(super) fn words(&self) -> usize {
        (self.digits + 2 * LANES).next_multiple_of(8)
    }
}
