//! The sizes and the factors of divide and conquer between decimal digits and limbs.

use crate::kernel::ntt::{self, LongProducts, MAX_LIMBS};
use crate::natural::chores::decimal_bits;
use crate::natural::{Natural, chores};

/// The digits of a leaf are a multiple of the bits of a limb, so that the 2^h in 10^h = 5^h 2^h shifts by whole limbs.
const LIMB_BITS: usize = 64;
/// Longest leaf, in digits: two make one transform of the shortest length.
const LEAF: usize = 22 * LIMB_BITS;

/// Limbs of a number below 10^digits.
pub(super) fn limbs(digits: usize) -> usize {
    (decimal_bits(digits) + 2).div_ceil(LIMB_BITS as u64) as usize
}

/// 10^h without its power of two, for each number of digits h = leaf 2^i, up to half of all digits.
pub(super) struct Fives {
    /// Digits of a leaf.
    pub(super) leaf: usize,
    /// 5^(leaf 2^i).
    pub(super) powers: Vec<Natural>,
    pub(super) products: Box<dyn LongProducts>,
}

impl Fives {
    /// For numbers of `digits` digits: the leaves are as long as possible, and fewer than a tenth of the digits are added.
    pub(super) fn new(digits: usize) -> Self {
        Self::with_leaf(digits, LEAF)
    }

    /// For `digits` digits, with leaves of at most `most` digits, a multiple of 64.
    pub(super) fn with_leaf(digits: usize, most: usize) -> Self {
        let mut levels = 0;
        while digits.div_ceil(1 << levels) > most {
            levels += 1;
        }
        let leaf = digits.div_ceil(1 << levels).next_multiple_of(LIMB_BITS);
        // The longest product is one of reading, or by a reciprocal: both are a little longer than the number.
        let products = ntt::long_products(limbs(leaf << levels) + 8);
        let mut fives = Self { leaf, powers: Vec::with_capacity(levels), products };
        for _ in 0..levels {
            let power = fives.next();
            fives.powers.push(power);
        }
        fives
    }

    /// The power after the last one.
    pub(super) fn next(&mut self) -> Natural {
        let Some(half) = self.powers.last() else { return chores::pow(&Natural::from(5u64), self.leaf as u32) };
        let half = half.limbs();
        let length = joined_limbs(self.digits() / 2, half);
        if length > MAX_LIMBS {
            return Natural::from_limb_buffer(ntt::product(&mut *self.products, half, half).into());
        }
        // A little longer than necessary, so that it takes the tables that reading takes.
        let mut square = vec![0; 2 * half.len()];
        self.products.set_factor(half, length);
        self.products.times(&mut square, half);
        Natural::from_limb_buffer(square.into())
    }

    /// Digits of all leaves of the tree.
    pub(super) fn digits(&self) -> usize {
        self.leaf << self.powers.len()
    }
}

/// The length of products that join numbers of h digits to numbers of 2h: they are below 10^h 5^h.
pub(super) fn joined_limbs(h: usize, five: &[u64]) -> usize {
    (limbs(h) + five.len()).max(limbs(2 * h) - h / LIMB_BITS)
}
