//! How a number lies in memory, and how many limbs it needs.
//!
//! Lemmas: Fold.row_shape_keeps_residues (proofs/README.md).

/// Words of a vector.
pub(super) const LANES: usize = 8;
/// The longest tile of the folding table, in vectors: two sums for each vector stay in registers.
pub(super) const MAX_TILE: usize = 10;
/// The longest modulus, in bits, for which the bounds are proved; the columns have spare bits there.
pub(super) const MAX_BITS: usize = 1 << 15;

/// The lengths of residues and products modulo a number of `bits` bits.
///
/// A residue is m limb52s, padded with zeros to `vectors` whole vectors, with one vector of zeros below and one above:
/// the product reads it at every offset. m is even, so that the squares of single limbs fall on even lanes.
///
/// With s = 52m - bits spare bits the residues stay below 2mN as long as 2^s > 4m: then it is at least 4m + 8, as m is even, a
/// product of two of them is below 4m^2 N^2 < 4m^2 / (4m + 8) N 2^(52m) < (m - 1) N 2^(52m) (m >= 4), and the reduction turns
/// such a T into less than 2mN, see [`super::ring::fold`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// m, the limbs of a residue.
    pub(super) limbs: usize,
    /// V, the vectors that hold them.
    pub(super) vectors: usize,
    /// L, the bits of the modulus.
    pub(super) bits: usize,
}

impl Shape {
    /// The shape for moduli of `bits` bits.
    pub(super) fn new(bits: usize) -> Self {
        assert!((1..=MAX_BITS).contains(&bits), "a modulus of {bits} bits");
        let spare = |limbs: usize| (52 * limbs).saturating_sub(bits).min(63);
        let mut limbs = (bits.div_ceil(52)).next_multiple_of(2).max(4);
        while 1u64 << spare(limbs) <= 4 * limbs as u64 {
            limbs += 2;
        }
        Self { limbs, vectors: limbs.div_ceil(LANES), bits }
    }

    /// The shape modulo 2^k. Without a reduction it needs no spare bits.
    pub(super) fn of_power_of_two(k: usize) -> Self {
        assert!((1..=MAX_BITS).contains(&k), "a modulus of 2^{k}");
        let vectors = k.div_ceil(52 * LANES);
        Self { limbs: LANES * vectors, vectors, bits: k }
    }

    /// d = 8V - m: products are formed in a frame shifted up by d lanes, so that column m starts a vector.
    pub(super) fn shift(&self) -> usize {
        LANES * self.vectors - self.limbs
    }

    /// Words of a residue, padding included.
    pub(super) fn words(&self) -> usize {
        LANES * (self.vectors + 2)
    }

    /// Words of the vectors of a number, without the padding around them.
    pub(super) fn span(&self) -> usize {
        LANES * self.vectors
    }

    /// The number of 64-bit words that hold any number below 2^(52m).
    pub(super) fn limbs64(&self) -> usize {
        (52 * self.limbs).div_ceil(64)
    }
}

/// Covers `$vectors` vectors by tiles of nearly equal length, at most the last of the listed lengths, from the top tile
/// down, and runs `$run` for each: `$start` is its first vector, `$G` its length as a constant, `$SETS` the second number
/// of the length's pair, the number of sets in which its rows are summed. `$V` is the number of vectors if the compiler knows
/// it, otherwise 0. With it the lengths that do not occur are omitted before the code is unrolled, which saves most of the
/// compiler's time.
macro_rules! tiles_downwards {
    ($vectors:expr, $V:expr, $([$known:literal $sets:literal])+, |$start:ident, $G:ident, $SETS:ident| $run:expr) => {{
        const MOST: usize = 0 $(* 0 + $known)+;
        let mut end: usize = $vectors;
        debug_assert!($V == 0 || $V == end);
        let mut tiles = end.div_ceil(MOST);
        while end > 0 {
            let length = end / tiles;
            tiles -= 1;
            let $start = end - length;
            end = $start;
            match length {
                $($known => {
                    const $G: usize = $known;
                    const $SETS: usize = $sets;
                    if const { $crate::kernel::row::shape::has_tile($V, MOST, $known) } {
                        $run
                    } else {
                        unreachable!("no tile is as long")
                    }
                })+
                _ => unreachable!("no tile is longer than {MOST}"),
            }
        }
    }};
}
pub(super) use tiles_downwards;

/// Whether a number of `vectors` vectors has a tile of this length; always true for 0 vectors.
pub(super) const fn has_tile(vectors: usize, most: usize, length: usize) -> bool {
    // Tiles of nearly equal length have at most two different lengths.
    let tiles = vectors.div_ceil(most);
    vectors == 0 || length == vectors / tiles || length == vectors.div_ceil(tiles)
}

/// Those tiles as (start, length), for code that is not compiled for each tile.
pub(super) fn tiles(vectors: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut end = vectors;
    (1..=vectors.div_ceil(most)).rev().map(move |tiles| {
        let length = end / tiles;
        end -= length;
        (end, length)
    })
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/row/shape.rs"]
mod tests;
