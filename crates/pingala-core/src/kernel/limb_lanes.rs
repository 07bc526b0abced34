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

    /// A product in one lane. It is hidden from the compiler, which would otherwise finish several products in vector registers,
    /// although the multiplications run in general ones.
    #[inline(always)]
    fn mul_lane(&self, lane: usize, a: u64, b: u64) -> u64 {
        hidden(mul_limbs(a, b, self.m[lane], self.m_inverse[lane]))
    }

    /// Reduces a number of any length in each lane and brings it into Montgomery form.
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

    /// Puts one number into every lane.
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

    /// Four lanes, then the other four: the registers hold no more than four from one squaring to the next.
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
#[path = "../../tests/inside/kernel/limb_lanes.rs"]
mod tests;
