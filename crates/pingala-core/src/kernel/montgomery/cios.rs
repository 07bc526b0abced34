//! CIOS, coarsely integrated operand scanning: a row of the product, then a row of the reduction, in n + 2 words of
//! which the two upper ones stay in registers.
//!
//! Count: 2n^2 + n products. The rows of product and reduction alternate, so a squaring finds no pair of equal products
//! within a row: it is done by the product.
//!
//! Lemmas: Montgomery.cios_is_redc, Montgomery.cios_between_rows, Montgomery.cios_below_2m, small.organisations (proofs/README.md).

use super::{Constants, Unreduced};
use crate::kernel::product::schoolbook;
use crate::natural::linear::{self, known_lengths};
use crate::natural::word::Word;

/// a * b * R^-1, below 2m.
pub fn mul<'t, W: Word>(t: &'t mut [W], a: &[W], b: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let n = a.len();
    let (m, m_prime) = (constants.m, constants.m_prime);
    let t = &mut t[..n];
    let overflow = known_lengths!(n in [1 2 3 4 5 6 7 8], rows(&mut t[..n], &a[..n], &b[..n], &m[..n], m_prime));
    Unreduced { words: t, overflow }
}

/// The loops of [`mul`], inlined for the lengths that are constants; returns the overflow.
#[inline(always)]
pub(crate) fn rows<W: Word>(t: &mut [W], a: &[W], b: &[W], m: &[W], m_prime: W) -> bool {
    let n = m.len();
    linear::clear(t);
    // Between the rows t + top b^n < a + m <= 2 b^n: a row makes it (t + a b_i + u m) / b with b_i, u <= b - 1, and
    // ((a + m) + (b - 1) a + (b - 1) m) / b = a + m. So `top`, the word n, is at most 1.
    let mut top = W::ZERO;
    for b in b {
        W::turn();
        let carry = schoolbook::add_row(t, a, b.load());
        let (at_n, above) = top.add_out(carry);
        let u = t[0].load().mul_low(m_prime);
        let carry = add_row_down(t, m, u);
        let (sum, next) = at_n.add_out(carry);
        t[n - 1].store(sum);
        top = W::ZERO.add_carry(W::ZERO, above).0.add_carry(W::ZERO, next).0;
    }
    debug_assert!(top <= W::ONE);
    !top.is_zero()
}

/// `t = (t + u m) / b`, where u makes the division exact; returns the carry, which belongs in the word above the last
/// stored one.
#[inline(always)]
fn add_row_down<W: Word>(t: &mut [W], m: &[W], u: W) -> W {
    let n = m.len();
    let t = &mut t[..n];
    let (zero, mut carry) = u.mul_add(m[0].load(), t[0].load());
    debug_assert!(zero == W::ZERO);
    for j in 1..n {
        W::turn();
        let (low, high) = m[j].load().mul_add_carry(u, t[j].load(), carry);
        t[j - 1].store(low);
        carry = high;
    }
    carry
}
