//! Sums `t += a b` for lengths that may differ: the longer operand in pieces as long as the shorter one.

use super::{Leaf, karatsuba};
use crate::natural::linear;
use crate::natural::word::Word;

/// The shortest operand, in words, of which pieces are multiplied; by a shorter one the sum goes row by row.
const PIECES_FROM: usize = 32;

/// Words of scratch for the sum of a product of such lengths.
pub(crate) const fn scratch_words(a: usize, b: usize, leaf: usize) -> usize {
    let shorter = if a < b { a } else { b };
    if shorter < PIECES_FROM { 0 } else { 2 * shorter + karatsuba::scratch_words(shorter, leaf) }
}

/// `t += a b`, if the sum fits t. The top words of t may be missing if the sum does not reach them.
pub(crate) fn add_product<W: Word>(t: &mut [W], a: &[W], b: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let (mut a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let n = b.len();
    debug_assert!(scratch.len() >= scratch_words(a.len(), n, leaf.words()));
    let mut at = 0;
    if n >= PIECES_FROM {
        while let Some((piece, rest)) = a.split_at_checked(n) {
            let (product, scratch) = scratch.split_at_mut(2 * n);
            karatsuba::mul(product, piece, b, leaf, scratch);
            let t = &mut t[at..];
            let length = t.len().min(2 * n);
            let carry = linear::add_shorter(t, &product[..length]);
            debug_assert!(!carry && product[length..].iter().all(|word| word.is_zero()), "the sum fits");
            (a, at) = (rest, at + n);
        }
        // Shorter than b now, perhaps empty, and its room, all of the scratch, is not above that of b: at most half a dozen levels.
        return add_product(&mut t[at..], b, a, leaf, scratch);
    }
    for (i, &factor) in b.iter().enumerate() {
        let (row, above) = t[i..].split_at_mut(a.len());
        let carry = leaf.add_row(row, a, factor.load());
        let out = linear::add_word(above, carry);
        debug_assert!(!out, "the sum fits");
    }
}
