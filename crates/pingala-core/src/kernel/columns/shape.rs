//! The radix for a length, and how many digits a number needs.

/// The largest radix, in bits, and the smallest.
const LARGEST: u32 = 29;
const SMALLEST: u32 = 27;

/// log2 of the least R / m, see [`ColumnShape::new`].
const SPARE_BITS: usize = 4;

/// The longest modulus, in bits.
pub(super) const MOST_BITS: usize = SMALLEST as usize * most_digits(SMALLEST) - SPARE_BITS;

/// With digits of size at most B / 2, B = 2^r, products are at most 2^(2r-2), and a column of 64 bits with a sign holds fewer than 2^(65-2r) of
/// them.
const fn products(radix_bits: u32) -> usize {
    (1 << (65 - 2 * radix_bits)) - 1
}

/// A reduction adds n products to a column that has been carried, which is less than one more, and what the column below carries, below 2^(63-r),
/// which is less than one more too.
const fn most_digits(radix_bits: u32) -> usize {
    products(radix_bits) - 2
}

/// The digits of residues modulo numbers of one length: n digits of r bits, R = 2^(r n).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnShape {
    /// r.
    pub(super) radix_bits: u32,
    /// n.
    pub(super) digits: usize,
}

impl ColumnShape {
    /// The shape for moduli of `bits` bits, at most [`MOST_BITS`]: the largest radix whose columns hold the products, and R >= 16 m.
    pub(super) fn new(bits: usize) -> Self {
        let of_radix = |radix_bits: u32| Self { radix_bits, digits: (bits + SPARE_BITS).div_ceil(radix_bits as usize) };
        let fits = |shape: &Self| shape.digits <= most_digits(shape.radix_bits);
        let shape = (SMALLEST..=LARGEST).rev().map(of_radix).find(fits);
        debug_assert!(shape.is_some() || bits > MOST_BITS);
        shape.unwrap_or(of_radix(SMALLEST))
    }

    /// How many products of digits a column may have before a reduction adds as many. Two more are left: for what the columns below carry before
    /// the reduction and in it.
    pub(super) fn uncarried_products(&self) -> usize {
        (products(self.radix_bits) - 2) / 2
    }
}
