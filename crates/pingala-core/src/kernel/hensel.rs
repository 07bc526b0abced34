//! Inverses modulo powers of two by Hensel lifting: quadratic, with low products, no branch on a value.
//!
//! Lemmas: Even.hensel_step, Even.hensel_words, Even.hensel_division, small.inverses (proofs/README.md).

use super::basecases::with_leaf;
use super::montgomery::{LEAF, neg_mod_inv_limb};
use super::product::comba::Comba;
use super::product::{Leaf, low, schoolbook};
use crate::natural::linear;
use crate::natural::word::Word;
use smallvec::SmallVec;

/// The longest inverse, in words, that needs no allocation.
pub(crate) const FEW: usize = 8;

/// Words of scratch that [`inverse`] needs for `n` words.
pub(crate) const fn scratch_words(n: usize, leaf: usize) -> usize {
    n + low::scratch_words(n, leaf)
}

/// `out = odd^-1` mod b^n, n words each; `odd` is odd.
///
/// With x the inverse modulo b^k, odd * x = 1 + e b^k, and the inverse modulo b^n, n <= 2k, is x - (x e mod b^(n-k)) b^k.
///
/// Count: Lo(n) + Lo(n/2) for the last step; each step before it has half the length.
pub(crate) fn inverse<W: Word>(out: &mut [W], odd: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = odd.len();
    debug_assert!(n >= 1 && out.len() == n && scratch.len() >= scratch_words(n, leaf.words()));
    if n == 1 {
        let negated = neg_mod_inv_limb(odd[0].load());
        return out[0].store(W::ZERO.sub_out(negated).0);
    }
    let known = n.div_ceil(2);
    let rest = n - known;
    inverse(&mut out[..known], &odd[..known], leaf, scratch);
    linear::clear(&mut out[known..]);
    let (e, scratch) = scratch.split_at_mut(n);
    low::low_mul(e, odd, out, leaf, scratch);
    let (low, high) = out.split_at_mut(known);
    low::low_mul(high, &low[..rest], &e[known..], leaf, scratch);
    linear::negate(high);
}

/// `quotient = a / odd` mod b^n, n words each, where `odd` may be longer or shorter (missing words count as zeros). The
/// contents of `a` are destroyed.
///
/// With Q' such that a + Q' odd = 0 mod b^n, found word by word from the lowest as in a Montgomery reduction, the quotient is
/// -Q'. (Hensel's odd division.)
///
/// Count: n(n+1)/2 + n products, half as many as an inverse and a product by it.
pub(crate) fn divide<W: Word>(quotient: &mut [W], a: &mut [W], odd: &[W]) {
    let n = a.len();
    debug_assert!(quotient.len() == n && n >= 1);
    let m_prime = neg_mod_inv_limb(odd[0].load());
    for i in 0..n {
        W::turn();
        let q = a[i].load().mul_low(m_prime);
        quotient[i].store(q);
        let matters = odd.len().min(n - i);
        let (row, above) = a[i..].split_at_mut(matters);
        let carry = schoolbook::add_row(row, &odd[..matters], q);
        linear::add_word(above, carry);
    }
    linear::negate(quotient);
}

/// The inverse of `odd` modulo 2^k, k >= 1, as ceil(k / BITS) words. `odd` has at least one word; missing words
/// count as zeros, bits beyond k do not matter.
///
/// Constant-time in the value; k and the length are public.
pub(crate) fn inverse_mod_power_of_two<W: Word>(odd: &[W], k: usize) -> SmallVec<[W; FEW]> {
    let bits = W::BITS as usize;
    let n = k.div_ceil(bits);
    if n == 1 {
        // An inverse of one word stays in a register.
        let inverse = W::ZERO.sub_out(neg_mod_inv_limb(odd[0].load())).0;
        return SmallVec::from_elem(linear::low_bits(inverse, k as u32), 1);
    }
    inverse_on(odd, k, Comba(LEAF))
}

/// The inverse by the products of a family, without a register for one word.
fn inverse_on<W: Word, L: Leaf<W>>(odd: &[W], k: usize, leaf: L) -> SmallVec<[W; FEW]> {
    let bits = W::BITS as usize;
    let n = k.div_ceil(bits);
    let mut room: SmallVec<[W; 4 * FEW]> = SmallVec::from_elem(W::ZERO, n + scratch_words(n, leaf.words()));
    let (padded, scratch) = room.split_at_mut(n);
    let given = n.min(odd.len());
    linear::copy(&mut padded[..given], &odd[..given]);
    let mut out = SmallVec::from_elem(W::ZERO, n);
    inverse(&mut out, padded, leaf, scratch);
    out[n - 1] = linear::low_bits(out[n - 1], (k - (n - 1) * bits) as u32);
    linear::wipe(&mut room);
    out
}

/// [`inverse_mod_power_of_two`] by rows of mulx if the CPU has them and k is not short.
pub(crate) fn quickest_inverse(odd: &[u64], k: usize) -> SmallVec<[u64; FEW]> {
    if k <= 64 * FEW {
        return inverse_mod_power_of_two(odd, k);
    }
    with_leaf!(leaf => inverse_on(odd, k, leaf))
}
