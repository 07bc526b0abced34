//! Montgomery's product modulo one odd number of any length, for chains that no list of powers has.

use crate::arith::{from_ubig, to_ubig};
use crate::small::inverse_mod_word;
use pingala::Natural;

/// The residues modulo an odd m of k limbs, in Montgomery form x R mod m, R = 2^(64 k), each below m in k limbs.
#[derive(Clone, Debug)]
pub(crate) struct Montgomery {
    m: Vec<u64>,
    /// -m^-1 mod 2^64.
    m_prime: u64,
    /// R^2 mod m.
    rr: Vec<u64>,
}

/// t += a * word; returns the carry. `t` has as many limbs as `a`.
#[inline(always)]
fn add_mul(t: &mut [u64], a: &[u64], word: u64) -> u64 {
    let mut carry = 0;
    for (t, &a) in t.iter_mut().zip(a) {
        let sum = u128::from(a) * u128::from(word) + u128::from(*t) + u128::from(carry);
        *t = sum as u64;
        carry = (sum >> 64) as u64;
    }
    carry
}

/// t - m, if that is not negative or `top` is set: the canonical residue of top 2^(64 k) + t, which is below 2m.
#[inline(always)]
fn reduce_once(t: &mut [u64], m: &[u64], top: bool) {
    let smaller = !top && t.iter().rev().lt(m.iter().rev());
    if !smaller {
        let mut borrow = false;
        for (t, &m) in t.iter_mut().zip(m) {
            let (difference, first) = t.overflowing_sub(m);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *t = difference;
            borrow = first || second;
        }
    }
}

impl Montgomery {
    /// The ring modulo an odd number above 1.
    pub(crate) fn new(m: &Natural) -> Self {
        let limbs = m.limbs().to_vec();
        let k = limbs.len();
        let rr = (dashu_int::UBig::ONE << (128 * k)) % to_ubig(m);
        let mut ring = Self { m_prime: inverse_mod_word(limbs[0]).wrapping_neg(), m: limbs, rr: Vec::new() };
        ring.rr = ring.padded(&from_ubig(&rr));
        ring
    }

    /// Limbs of a residue.
    pub(crate) fn limbs(&self) -> usize {
        self.m.len()
    }

    /// Words of scratch for a product.
    pub(crate) fn scratch(&self) -> Vec<u64> {
        vec![0; 2 * self.m.len()]
    }

    fn padded(&self, value: &Natural) -> Vec<u64> {
        let mut limbs = value.limbs().to_vec();
        limbs.resize(self.m.len(), 0);
        limbs
    }

    /// The Montgomery form of a number below m.
    pub(crate) fn enter(&self, value: &Natural) -> Vec<u64> {
        let mut out = vec![0; self.limbs()];
        self.mul(&mut out, &self.padded(value), &self.rr, &mut self.scratch());
        out
    }

    /// `out` = a b / R mod m.
    pub(crate) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64], t: &mut [u64]) {
        match self.m.len() {
            1 => self.mul_sized::<1>(out, a, b, t),
            2 => self.mul_sized::<2>(out, a, b, t),
            3 => self.mul_sized::<3>(out, a, b, t),
            4 => self.mul_sized::<4>(out, a, b, t),
            5 => self.mul_sized::<5>(out, a, b, t),
            6 => self.mul_sized::<6>(out, a, b, t),
            8 => self.mul_sized::<8>(out, a, b, t),
            _ => self.mul_any(out, a, b, t),
        }
    }

    #[inline(always)]
    fn mul_sized<const K: usize>(&self, out: &mut [u64], a: &[u64], b: &[u64], t: &mut [u64]) {
        let (m, a, b): (&[u64; K], &[u64; K], &[u64; K]) =
            match (self.m.first_chunk(), a.first_chunk(), b.first_chunk()) {
                (Some(m), Some(a), Some(b)) => (m, a, b),
                _ => return self.mul_any(out, a, b, t),
            };
        // The rows of the product and of the reduction in turn [koc1996analyzing, CIOS].
        let (mut t, mut top) = ([0u64; K], 0u64);
        for &word in b {
            let carry = add_mul(&mut t, a, word);
            let (above, over) = top.overflowing_add(carry);
            let q = t[0].wrapping_mul(self.m_prime);
            let carry = add_mul(&mut t, m, q);
            let (above, over_too) = above.overflowing_add(carry);
            t.copy_within(1.., 0);
            t[K - 1] = above;
            top = u64::from(over) + u64::from(over_too);
        }
        reduce_once(&mut t, m, top > 0);
        out[..K].copy_from_slice(&t);
    }

    fn mul_any(&self, out: &mut [u64], a: &[u64], b: &[u64], t: &mut [u64]) {
        let k = self.m.len();
        let t = &mut t[..2 * k];
        t[..k].fill(0);
        for (at, &word) in b[..k].iter().enumerate() {
            t[at + k] = add_mul(&mut t[at..at + k], &a[..k], word);
        }
        self.redc(out, t);
    }

    /// `out` = a^2 / R mod m.
    pub(crate) fn sqr(&self, out: &mut [u64], a: &[u64], t: &mut [u64]) {
        let k = self.m.len();
        if k <= 8 {
            return self.mul(out, a, a, t);
        }
        let t = &mut t[..2 * k];
        // The products of different limbs, each once; then twice these and the squares.
        t[..k].fill(0);
        for at in 0..k {
            t[at + k] = add_mul(&mut t[2 * at + 1..at + k], &a[at + 1..k], a[at]);
        }
        let (mut carry, mut shifted) = (0u64, 0u64);
        for (pair, &limb) in t.chunks_exact_mut(2).zip(&a[..k]) {
            let square = u128::from(limb) * u128::from(limb);
            let (low, high) = (pair[0] << 1 | shifted, pair[1] << 1 | pair[0] >> 63);
            shifted = pair[1] >> 63;
            let sum = u128::from(low) + u128::from(square as u64) + u128::from(carry);
            pair[0] = sum as u64;
            let sum = u128::from(high) + (square >> 64) + (sum >> 64);
            pair[1] = sum as u64;
            carry = (sum >> 64) as u64;
        }
        self.redc(out, t);
    }

    /// `out` = t / R mod m for t below m R, 2k limbs.
    fn redc(&self, out: &mut [u64], t: &mut [u64]) {
        let k = self.m.len();
        let mut top = false;
        for at in 0..k {
            let q = t[at].wrapping_mul(self.m_prime);
            let carry = add_mul(&mut t[at..at + k], &self.m, q);
            let (sum, first) = t[at + k].overflowing_add(carry);
            let (sum, second) = sum.overflowing_add(u64::from(top));
            t[at + k] = sum;
            top = first || second;
        }
        out[..k].copy_from_slice(&t[k..]);
        reduce_once(&mut out[..k], &self.m, top);
    }

    /// a - b mod m, into a.
    pub(crate) fn sub(&self, a: &mut [u64], b: &[u64]) {
        let mut borrow = false;
        for (a, &b) in a.iter_mut().zip(b) {
            let (difference, first) = a.overflowing_sub(b);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *a = difference;
            borrow = first || second;
        }
        if borrow {
            let mut carry = false;
            for (a, &m) in a.iter_mut().zip(&self.m) {
                let (sum, first) = a.overflowing_add(m);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                *a = sum;
                carry = first || second;
            }
        }
    }
}
