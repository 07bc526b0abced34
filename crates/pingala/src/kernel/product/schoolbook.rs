//! The schoolbook product: operand scanning, row by row (HAC 14.12, 14.16).
//!
//! Count for n words: n^2 products, 2 additions of two words each, 2n^2 + n loads, n^2 + n stores.

use crate::kernel::linear;
use crate::natural::word::Word;

/// `row += a * factor`, returns the word that runs over; `row` and `a` have equal lengths.
#[inline(always)]
pub(crate) fn add_row<W: Word>(row: &mut [W], a: &[W], factor: W) -> W {
    debug_assert_eq!(row.len(), a.len());
    let mut carry = W::ZERO;
    let (row, row_rest) = row.as_chunks_mut::<4>();
    let (a, a_rest) = a.as_chunks::<4>();
    for (row, a) in row.iter_mut().zip(a) {
        W::turn();
        for i in 0..4 {
            let (low, high) = a[i].load().mul_add_carry(factor, row[i].load(), carry);
            row[i].store(low);
            carry = high;
        }
    }
    for (row, a) in row_rest.iter_mut().zip(a_rest) {
        W::turn();
        let (low, high) = a.load().mul_add_carry(factor, row.load(), carry);
        row.store(low);
        carry = high;
    }
    carry
}

/// `t = a * b`, row by row; the lengths may differ.
pub(crate) fn mul<W: Word>(t: &mut [W], a: &[W], b: &[W]) {
    let n = a.len();
    debug_assert_eq!(t.len(), n + b.len());
    linear::clear(&mut t[..n]);
    for (i, b) in b.iter().enumerate() {
        W::turn();
        let carry = add_row(&mut t[i..i + n], a, b.load());
        t[i + n].store(carry);
    }
}

/// `t = a^2`: the products a_i * a_j with i < j once, doubled in one pass together with the squares (HAC 14.16, which
/// doubles inside the row and so needs a longer carry).
///
/// Count: n(n+1)/2 products.
pub(crate) fn sqr<W: Word>(t: &mut [W], a: &[W]) {
    let n = a.len();
    debug_assert_eq!(t.len(), 2 * n);
    // Rows: row i adds a_i * a[i+1..] at 2i+1 and puts its carry at i+n, the first word that no earlier row reached.
    linear::clear(&mut t[..n]);
    for i in 0..n {
        W::turn();
        let carry = add_row(&mut t[2 * i + 1..i + n], &a[i + 1..], a[i].load());
        t[i + n].store(carry);
    }
    // The sum of the rows is below b^2n / 2, so doubling it moves no bit out; neither does adding the squares, because
    // the whole is a^2 < b^2n.
    let mut shifted = W::ZERO;
    let mut carry = false;
    for (pair, a) in t.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        W::turn();
        let (square_low, square_high) = a.load().mul_wide(a.load());
        let (low, high) = (pair[0].load(), pair[1].load());
        // (x << 1) and the bit that moves in have no bit in common: no carry.
        let twice_low = low.shift_left(1).add_carry(shifted, false).0;
        let twice_high = high.shift_left(1).add_carry(low.shift_right(W::BITS - 1), false).0;
        shifted = high.shift_right(W::BITS - 1);
        let (low, next) = twice_low.add_carry(square_low, carry);
        let (high, next) = twice_high.add_carry(square_high, next);
        pair[0].store(low);
        pair[1].store(high);
        carry = next;
    }
    debug_assert!(shifted == W::ZERO && !carry, "a^2 < b^2n");
}
