//! KCM, Karatsuba-Comba-Montgomery: Karatsuba on leaves for all three products of a Montgomery product.
//!
//! With R = b^n, n even, h = n / 2, M' = -m^-1 mod R of full length:
//!
//! ```text
//! T = a b                  a full product or squaring                          F(n) = 2 F(ceil(n/2)) + F(floor(n/2))
//! Q = T M' mod R           a low product of T's lower half                     Lo(n) = F(h) + 2 Lo(h)
//! U = Q m                  whose lower half is known, -T mod R, so that two
//!                          half-length products make the upper one             2 F(h)
//! T R^-1 = T_hi + U_hi + (T_lo != 0)
//! ```
//!
//! The upper half of U, with Q = q0 + q1 b^h, m = m0 + m1 b^h, L = q0 m0, H = q1 m1, D = (q0 - q1)(m0 - m1):
//!
//! ```text
//! U = L + (L + H - D) b^h + H b^2h
//! ```
//!
//! 1. D and H are multiplied out; the lower half of L is that of U, hence known.
//! 2. The lower half of the middle, L + H - D mod b^h.
//! 3. The upper half of L: what the second quarter of U lacks when that is taken away.
//! 4. The upper half of the middle, then U_hi = H + that + carries.
//!
//! Count: F(n) + Lo(n) + 2 F(n/2) word products with F(l) = l^2 and Lo(l) = l(l+1)/2 at the leaf; sub-quadratic in every
//! part. A squaring has F_sqr(n) in place of F(n).
//!
//! **Modulo R - 1.** The text above is the paper's. If a product modulo R - 1 is halved twice at least (`Leaf::cyclic_words`), U
//! comes from U mod R - 1 in C(n) word products instead (`product::cyclic`): 0.83 to 0.75 of 2 F(n/2), less what more additions
//! cost. One halving would save nothing.
//!
//! Lemmas: Karatsuba.upper_half_identity, Karatsuba.upper_half_value, Karatsuba.kcm_reduction,
//! Karatsuba.kcm_cyclic_reduction, Karatsuba.kcm_product, small.organisations (proofs/README.md).

use super::{Constants, Unreduced};
use crate::kernel::product::{Leaf, cyclic, karatsuba, low};
use crate::natural::linear;
use crate::natural::word::Word;

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Words of scratch of the reduction, in addition to the 2n of T. The product modulo R - 1 takes q, u and at most two halvings,
/// n + 2 (n / 2) words, before it is a plain product.
const fn redc_scratch_words(n: usize, leaf: usize) -> usize {
    n + max(low::scratch_words(n, leaf), 3 * n + karatsuba::scratch_words(n / 2, leaf))
}

/// Whether U is computed from U mod R - 1.
fn uses_cyclic_product<W: Word>(n: usize, leaf: impl Leaf<W>) -> bool {
    cyclic::halves(n / 2, leaf.cyclic_words())
}

/// Words of the constants of m's halves that the reduction needs.
pub(crate) fn halves_words<W: Word>(n: usize, leaf: impl Leaf<W>) -> usize {
    if uses_cyclic_product(n, leaf) { cyclic::operand_words(n, leaf.cyclic_words()) } else { n / 2 }
}

/// Computes the constants of m's halves. If they are only |m0 - m1|, it returns the mask of m0 < m1; otherwise zero.
pub(crate) fn prepare_halves<W: Word>(halves: &mut [W], m: &[W], leaf: impl Leaf<W>) -> W {
    if uses_cyclic_product(m.len(), leaf) {
        cyclic::prepare(halves, m, leaf.cyclic_words());
        // The words include this mask, as they include the masks of shorter halves.
        return W::ZERO;
    }
    let (m0, m1) = m.split_at(m.len() / 2);
    linear::abs_diff(halves, m0, m1)
}

/// Words of scratch.
pub const fn scratch_words(n: usize, leaf: usize) -> usize {
    2 * n + max(karatsuba::scratch_words(n, leaf), redc_scratch_words(n, leaf))
}

/// T * R^-1, below 2m, for T < R m in 2n words; n is even.
pub fn redc<'t, W: Word>(
    t: &'t mut [W],
    constants: &Constants<'_, W>,
    leaf: impl Leaf<W>,
    scratch: &mut [W],
) -> Unreduced<'t, W> {
    let m = constants.m;
    let n = m.len();
    let half = n / 2;
    debug_assert!(n == 2 * half && t.len() == 2 * n && constants.m_prime_full.len() == n);
    debug_assert!(scratch.len() >= redc_scratch_words(n, leaf.words()));
    let (t_low, t_high) = t.split_at_mut(n);
    let (q, scratch) = scratch.split_at_mut(n);
    low::low_mul(q, t_low, constants.m_prime_full, leaf, scratch);

    if uses_cyclic_product(n, leaf) {
        // For T_lo <> 0, U_lo = R - T_lo is 1 - T_lo modulo R - 1, so that U_hi + 1 = U + T_lo modulo R - 1, where 1 is the
        // carry of T_lo. U_hi + 1 is in 1 .. R - 1, because U_hi < m <= R - 1. The sum is in that range too once its carry is
        // added at the bottom, whether 0 is given as 0 or as R - 1. For T_lo = 0, Q is 0, and a product by 0 is 0.
        let (u, scratch) = scratch.split_at_mut(n);
        cyclic::mul(u, q, m, constants.m_halves, leaf, scratch);
        let carry = linear::add_assign(u, t_low, false);
        // Brought round.
        let overflow = linear::add_assign(t_high, u, carry);
        return Unreduced { words: t_high, overflow };
    }

    // Step 1. The memory of H first holds |q0 - q1|.
    let (q0, q1) = q.split_at(half);
    let (d, scratch) = scratch.split_at_mut(n);
    let (h, scratch) = scratch.split_at_mut(n);
    let q_diff = &mut h[..half];
    let q_negative = linear::abs_diff(q_diff, q0, q1);
    karatsuba::mul(d, q_diff, constants.m_halves, leaf, scratch);
    karatsuba::mul(h, q1, &m[half..], leaf, scratch);
    // D is negative if the signs differ; it is subtracted if they agree.
    let subtract = constants.m_diff_negative.flip(q_negative).flip(W::MAX);
    let minus = !subtract.is_zero();
    // The lower half of U; the lower halves of T and U add up to R, or to 0 if T's is 0.
    let carry_into_high = linear::negate(t_low);
    let (u0, u1) = t_low.split_at_mut(half);

    // Step 2. The flipped D is b^n - 1 - D, as in karatsuba::combine.
    let (d_low, d_high) = d.split_at_mut(half);
    let (h_low, h_high) = h.split_at_mut(half);
    let carry_d = linear::flip_add_assign(d_low, subtract, u0, minus);
    let carry_h = linear::add_assign(d_low, h_low, false);
    // Step 3. The borrow is the carry of L_hi + middle_lo into the upper half of U.
    let carry_u = linear::sub_assign(u1, d_low, false);
    // Step 4.
    let carry_d = linear::flip_add_assign(d_high, subtract, u1, carry_d);
    let carry_h = linear::add_assign(d_high, h_high, carry_h);
    let top = W::ZERO.add_carry(W::ZERO, carry_d).0.add_carry(W::ZERO, carry_h).0.sub_borrow(W::ZERO, minus).0;
    debug_assert!(top <= W::ONE, "0 <= q0 m1 + q1 m0 < 2 b^n");
    let carry = linear::add_assign(h_low, d_high, carry_u);
    let carry = linear::add_word(h_high, top.add_carry(W::ZERO, carry).0);
    debug_assert!(!carry, "Q m < b^2n");

    let overflow = linear::add_assign(t_high, h, carry_into_high);
    Unreduced { words: t_high, overflow }
}
