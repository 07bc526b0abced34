//! The layout of a long number in memory: pieces that a leaf of Karatsuba's product can read.

use crate::kernel::row::shape::LANES;

/// The longest piece, in vectors, that is not halved while levels remain: beyond 15 << 4 vectors pieces have up to 20 vectors.
///
/// Pieces of 10 and 15 vectors are quicker than pieces of 5, 8 and 20: docs/records/thresholds.md.
const PIECE: usize = 15;
/// The most halvings that the bounds of [`super::columns`] allow.
pub(super) const MAX_LEVELS: u32 = 4;
/// The longest modulus, in bits: two bits of the number are spare.
pub(in crate::kernel::row) const MAX_BITS: usize = 1 << 17;
/// Longest number, in vectors.
pub(super) const MAX_VECTORS: usize = (MAX_BITS + 2).div_ceil(52 * LANES).next_multiple_of(1 << MAX_LEVELS);

/// A number of 2^levels pieces of `piece` vectors of limb52s.
///
/// As an *operand* each piece has a vector of zeros below and above, because the product of pieces reads them at every offset.
/// Adjacent pieces share that vector. As *columns* (of a product, signed) the pieces are contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceLayout {
    /// Vectors of a piece.
    pub(super) piece: usize,
    /// Binary logarithm of the number of pieces.
    pub(super) levels: u32,
}

impl PieceLayout {
    /// For moduli N of `bits` bits: the shortest with 4N <= 2^(52 limbs).
    pub(super) fn new(bits: usize) -> Self {
        assert!((1..=MAX_BITS).contains(&bits), "a modulus of {bits} bits");
        let vectors = (bits + 2).div_ceil(52 * LANES);
        let mut levels = 0;
        while vectors.div_ceil(1 << levels) > PIECE && levels < MAX_LEVELS {
            levels += 1;
        }
        Self { piece: vectors.div_ceil(1 << levels), levels }
    }

    /// The layout of half as many pieces.
    pub(super) fn half(self) -> Self {
        Self { levels: self.levels - 1, ..self }
    }

    /// Pieces of the number.
    pub(super) fn pieces(self) -> usize {
        1 << self.levels
    }

    /// Words of its columns, as many as it has limbs.
    pub(super) fn limbs(self) -> usize {
        (LANES * self.piece) << self.levels
    }

    /// Words of an operand, padding included.
    pub(super) fn words(self) -> usize {
        LANES * (1 + ((self.piece + 1) << self.levels))
    }

    /// Where the limbs of a piece start in an operand.
    pub(super) fn start(self, piece: usize) -> usize {
        LANES * (1 + (self.piece + 1) * piece)
    }

    /// The lower and the upper half of an operand of twice as many pieces; they share a vector of zeros.
    pub(super) fn halves(self, operand: &[u64]) -> (&[u64], &[u64]) {
        let words = self.words();
        (&operand[..words], &operand[words - LANES..])
    }

    /// Copies the limbs of an operand without the zeros between pieces.
    pub(super) fn gather(self, limbs: &mut [u64], operand: &[u64]) {
        for (piece, limbs) in limbs.chunks_exact_mut(LANES * self.piece).enumerate() {
            limbs.copy_from_slice(&operand[self.start(piece)..][..limbs.len()]);
        }
    }

    /// Makes the operand of these limbs.
    pub(super) fn spread(self, operand: &mut [u64], limbs: &[u64]) {
        operand.fill(0);
        for (piece, limbs) in limbs.chunks_exact(LANES * self.piece).enumerate() {
            operand[self.start(piece)..][..limbs.len()].copy_from_slice(limbs);
        }
    }
}
