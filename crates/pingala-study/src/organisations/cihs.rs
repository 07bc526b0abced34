//! CIHS, coarsely integrated hybrid scanning: the lower half of the product by rows, then the reduction by rows, each
//! of which also gets one column of the upper half.
//!
//! Count: 2n^2 + n products in n + 3 words of which the three upper ones stay in registers. (The paper's text loses a
//! carry when it assigns t[s+1] instead of adding to it; the three-word sum has no such place.) Squaring is done by the
//! product: the triangle of rows and the triangle of columns are mirror images of each other, and the pairs of equal
//! products meet only after the reduction has moved one of them.

use pingala_core::texts::{Accumulator, Constants, Unreduced, Word, clear, comba::column, schoolbook};

/// a * b * R^-1, below 2m.
pub fn mul<'t, W: Word>(t: &'t mut [W], a: &[W], b: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let n = a.len();
    let (t, m) = (&mut t[..n], &constants.m[..n]);
    clear(t);
    // The words n, n + 1, n + 2 of the sum.
    let mut top = Accumulator::ZERO;
    for i in 0..n {
        W::turn();
        let carry = schoolbook::add_row(&mut t[i..], &a[..n - i], b[i].load());
        top.add_word(carry);
    }
    for i in 0..n {
        W::turn();
        // One row of the reduction shifts the number down by a word ...
        let u = t[0].load().mul_low(constants.m_prime);
        let (zero, mut carry) = m[0].load().mul_add(u, t[0].load());
        debug_assert!(zero == W::ZERO);
        for j in 1..n {
            W::turn();
            let (low, high) = m[j].load().mul_add_carry(u, t[j].load(), carry);
            t[j - 1].store(low);
            carry = high;
        }
        top.add_word(carry);
        // ... so that word n - 1 is now column n + i, to which the products of the upper half are added.
        column(&mut top, &a[i + 1..], &b[i + 1..]);
        t[n - 1].store(top.shift_out());
    }
    debug_assert!(top.low <= W::ONE && top.mid == W::ZERO, "the result is below 2m");
    Unreduced { words: t, overflow: !top.low.is_zero() }
}
