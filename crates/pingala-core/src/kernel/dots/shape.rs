//! How many digits a number needs.

/// w: bits of a digit.
pub(super) const RADIX_BITS: usize = 13;

/// Digits of a turn of the inner loop. The length of a residue is a multiple of it.
pub(super) const TURN: usize = 8;

/// log2 of the least R / m, see [`super::product`].
const SPARE_BITS: usize = 4;

/// The longest modulus, in bits: 2,528 digits, for which bounds are proved, see [`super::product`].
pub(super) const MOST_BITS: usize = 1 << 15;

/// n, the digits of residues modulo a number of `bits` bits: R = 2^(13 n) >= 16 m.
///
/// Lemmas: Dots.dots_room, Dots.dots_most_digits (proofs/README.md).
pub(super) const fn digits(bits: usize) -> usize {
    (bits + SPARE_BITS).div_ceil(RADIX_BITS).next_multiple_of(TURN)
}

/// The bits of the longest modulus of n digits.
pub(super) const fn most_bits(n: usize) -> usize {
    RADIX_BITS * n - SPARE_BITS
}

/// Words of a residue in an arena, whose digits have 16 bits.
pub(super) const fn words(n: usize) -> usize {
    n / 4
}
