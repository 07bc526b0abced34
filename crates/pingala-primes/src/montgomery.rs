//! Montgomery's product modulo one odd number of a few limbs, in registers, for chains of products that are not powers.

use crate::arith::{from_ubig, to_ubig};
use crate::small::inverse_mod_word;
use dashu_int::UBig;
use pingala_core::Natural;

/// The residues modulo an odd m of K limbs, in Montgomery form x R mod m, R = 2^(64 K), each below m.
#[derive(Clone, Debug)]
pub(crate) struct Montgomery<const K: usize> {
    m: [u64; K],
    /// -m^-1 mod 2^64.
    m_prime: u64,
}

/// t += a * word; returns the carry.
#[inline(always)]
fn add_mul<const K: usize>(t: &mut [u64; K], a: &[u64; K], word: u64) -> u64 {
    let mut carry = 0;
    for at in 0..K {
        let sum = u128::from(a[at]) * u128::from(word) + u128::from(t[at]) + u128::from(carry);
        t[at] = sum as u64;
        carry = (sum >> 64) as u64;
    }
    carry
}

/// a - b, and whether it is below 0.
#[inline(always)]
fn difference<const K: usize>(a: &[u64; K], b: &[u64; K]) -> ([u64; K], bool) {
    let (mut out, mut borrow) = ([0; K], false);
    for at in 0..K {
        let (difference, first) = a[at].overflowing_sub(b[at]);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (out[at], borrow) = (difference, first | second);
    }
    (out, borrow)
}

impl<const K: usize> Montgomery<K> {
    /// The ring modulo an odd number above 1 of K limbs.
    pub(crate) fn new(m: &Natural) -> Self {
        let m = padded(m);
        Self { m, m_prime: inverse_mod_word(m[0]).wrapping_neg() }
    }

    /// The Montgomery form of a number.
    pub(crate) fn enter(&self, value: &UBig) -> [u64; K] {
        let m = to_ubig(&Natural::from_limbs(&self.m));
        padded(&from_ubig(&((value << (64 * K)) % m)))
    }

    /// a b / R mod m: rows of the product and of the reduction in turn [koc1996analyzing, CIOS].
    #[inline(always)]
    pub(crate) fn mul(&self, a: &[u64; K], b: &[u64; K]) -> [u64; K] {
        let (mut t, mut top) = ([0u64; K], 0u64);
        for &word in b {
            let carry = add_mul(&mut t, a, word);
            let (above, over) = top.overflowing_add(carry);
            let q = t[0].wrapping_mul(self.m_prime);
            let carry = add_mul(&mut t, &self.m, q);
            let (above, over_too) = above.overflowing_add(carry);
            for at in 1..K {
                t[at - 1] = t[at];
            }
            t[K - 1] = above;
            top = u64::from(over) + u64::from(over_too);
        }
        // Both by selection: which of them it is cannot be foreseen.
        let (reduced, borrow) = difference(&t, &self.m);
        let keep = u64::from(borrow & (top == 0)).wrapping_neg();
        core::array::from_fn(|at| reduced[at] & !keep | t[at] & keep)
    }

    /// a - b mod m.
    #[inline(always)]
    pub(crate) fn sub(&self, a: &[u64; K], b: &[u64; K]) -> [u64; K] {
        let (mut out, borrow) = difference(a, b);
        let (mask, mut carry) = (u64::from(borrow).wrapping_neg(), false);
        for (out, m) in out.iter_mut().zip(&self.m) {
            let (sum, first) = out.overflowing_add(m & mask);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*out, carry) = (sum, first | second);
        }
        out
    }
}

/// A number below 2^(64 K) as K limbs.
fn padded<const K: usize>(value: &Natural) -> [u64; K] {
    let mut limbs = [0; K];
    let own = value.limbs();
    limbs[..own.len()].copy_from_slice(own);
    limbs
}
