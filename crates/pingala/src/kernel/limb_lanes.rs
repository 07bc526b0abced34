//! Eight residues of one limb side by side in general registers, each modulo an odd number of its own: a product waits for
//! the one before it, and eight of them do not wait for each other.
//!
//! For public moduli and exponents, as [`super::fixed`].

use super::fixed::{FixedRing, enter_limb, hidden, mul_limbs};
use super::montgomery::neg_mod_inv_limb;
use super::vector::LANES;
use core::array::from_fn;

/// The residues modulo eight odd numbers of one limb, in Montgomery form with R = 2^64, one word to a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbLanes {
    m: [u64; LANES],
    /// m^-1 mod 2^64.
    m_inverse: [u64; LANES],
}

impl LimbLanes {
    /// The rings of these odd moduli.
    #[inline]
    pub(crate) fn new(m: [u64; LANES]) -> Self {
        Self { m, m_inverse: m.map(|m| neg_mod_inv_limb(m).wrapping_neg()) }
    }

    /// A product in one lane, hidden from the compiler, or it would take the ends of several products together in vectors,
    /// which the multiplications are not in.
    #[inline(always)]
    fn mul_lane(&self, lane: usize, a: u64, b: u64) -> u64 {
        hidden(mul_limbs(a, b, self.m[lane], self.m_inverse[lane]))
    }

    /// A number of any length in each lane, reduced.
    #[inline]
    pub(crate) fn enter_each(&self, values: [&[u64]; LANES]) -> [u64; LANES] {
        from_fn(|lane| enter_limb(values[lane], self.m[lane]))
    }
}

impl FixedRing<LANES> for LimbLanes {
    #[inline(always)]
    fn one(&self) -> [u64; LANES] {
        self.enter(&[1])
    }

    /// The same number in every lane.
    #[inline]
    fn enter(&self, value: &[u64]) -> [u64; LANES] {
        self.enter_each([value; LANES])
    }

    #[inline(always)]
    fn leave(&self, a: [u64; LANES]) -> [u64; LANES] {
        self.mul(a, [1; LANES])
    }

    #[inline(always)]
    fn mul(&self, a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| self.mul_lane(lane, a[lane], b[lane]))
    }

    #[inline(always)]
    fn sqr(&self, a: [u64; LANES]) -> [u64; LANES] {
        self.sqr_n(a, 1)
    }

    /// Four lanes and then the other four: no more stay in registers from square to square.
    #[inline(always)]
    fn sqr_n(&self, a: [u64; LANES], count: usize) -> [u64; LANES] {
        let mut out = a;
        for first in [0, 4] {
            let [mut s, mut t, mut u, mut v] = from_fn(|lane| out[first + lane]);
            for _ in 0..count {
                s = self.mul_lane(first, s, s);
                t = self.mul_lane(first + 1, t, t);
                u = self.mul_lane(first + 2, u, u);
                v = self.mul_lane(first + 3, v, v);
            }
            out[first..first + 4].copy_from_slice(&[s, t, u, v]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every lane at the edges, beside lanes that are elsewhere, against plain arithmetic.
    #[test]
    fn lanes_do_not_meet() {
        let edges =
            [3, 5, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef, u64::MAX - 58, u64::MAX];
        let values = [0, 1, 2, 0x8000_0000_0000_0000, 0xfedc_ba98_7654_3210, u64::MAX - 1, u64::MAX];
        for turn in 0..edges.len() * values.len() * values.len() {
            let at = |lane: usize, of: usize| (turn / of + lane * (1 + of % 5)) % 7;
            let m: [u64; LANES] = from_fn(|lane| edges[at(lane, 1)]);
            let a: [u64; LANES] = from_fn(|lane| values[at(lane, 7)]);
            let b: [[u64; 2]; LANES] = from_fn(|lane| [values[at(lane, 49)], values[at(lane, 3)]]);
            let ring = LimbLanes::new(m);
            let x = ring.enter_each(a.each_ref().map(core::slice::from_ref));
            let y = ring.enter_each(b.each_ref().map(|b| &b[..]));
            let product = ring.leave(ring.mul(x, y));
            let square = ring.leave(ring.sqr(x));
            for lane in 0..LANES {
                let m = u128::from(m[lane]);
                let times = |x: u128, y: u128| (x % m) * (y % m) % m;
                let (a, [low, high]) = (u128::from(a[lane]), b[lane].map(u128::from));
                assert_eq!(u128::from(product[lane]), times(a, low | high << 64), "{a:x} {low:x} {high:x} mod {m:x}");
                assert_eq!(u128::from(square[lane]), times(a, a), "{a:x}^2 mod {m:x}");
                assert_eq!(u128::from(ring.leave(ring.one())[lane]), 1);
            }
        }
    }
}
