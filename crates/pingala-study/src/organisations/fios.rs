//! FIOS, finely integrated operand scanning: product and reduction in one inner loop, with a carry register for each.
//!
//! Count: 2n^2 + n products (the paper's single carry needs a second addition chain; two registers do not). Squaring is
//! done by the product: one loop serves both operands, there is no symmetry in it.

use pingala_core::texts::{Constants, Unreduced, Word, clear};

/// a * b * R^-1, below 2m.
pub fn mul<'t, W: Word>(t: &'t mut [W], a: &[W], b: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let n = a.len();
    let (t, m) = (&mut t[..n], &constants.m[..n]);
    clear(t);
    // As in CIOS: t + top b^n < a + m <= 2 b^n between the rows.
    let mut top = W::ZERO;
    for b in b {
        W::turn();
        let b = b.load();
        let (sum, mut carry) = a[0].load().mul_add(b, t[0].load());
        let u = sum.mul_low(constants.m_prime);
        let (zero, mut carry_m) = m[0].load().mul_add(u, sum);
        debug_assert!(zero == W::ZERO);
        for j in 1..n {
            W::turn();
            let (sum, high) = a[j].load().mul_add_carry(b, t[j].load(), carry);
            carry = high;
            let (sum, high) = m[j].load().mul_add_carry(u, sum, carry_m);
            carry_m = high;
            t[j - 1].store(sum);
        }
        let (sum, over) = top.add_out(carry);
        let (sum, over_m) = sum.add_out(carry_m);
        t[n - 1].store(sum);
        top = W::ZERO.add_carry(W::ZERO, over).0.add_carry(W::ZERO, over_m).0;
    }
    debug_assert!(top <= W::ONE);
    Unreduced { words: t, overflow: !top.is_zero() }
}
