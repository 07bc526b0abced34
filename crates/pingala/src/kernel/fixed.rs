//! One to four limbs: residues as `[u64; N]` by value, no arena, no allocation, everything inlined into the program that
//! computes with them.
//!
//! The products are the texts of the longer numbers, compiled for a length that the compiler knows (CIOS for odd moduli,
//! the low Comba product for powers of two); a single limb has its natural double-width form.

use super::linear;
use super::montgomery::{cios, neg_mod_inv_limb, separated_comba};
use super::product::comba;
use crate::natural::word::Word;

/// Residues of N limbs in one ring: what a program over them may ask. Canonical on entry and on exit.
pub(crate) trait FixedRing<const N: usize> {
    /// 1, in the ring's form.
    fn one(&self) -> [u64; N];
    /// Brings any N-limb number into the ring's form, reducing it.
    fn enter(&self, value: [u64; N]) -> [u64; N];
    /// The canonical number of a residue.
    fn leave(&self, residue: [u64; N]) -> [u64; N];
    /// a * b.
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N];
    /// a^2.
    fn sqr(&self, a: [u64; N]) -> [u64; N];
    /// a * small.
    fn mul_small(&self, a: [u64; N], small: u64) -> [u64; N];
}

/// A computation written once for every ring of N limbs; `inline(always)` on `run` makes one loop of program and kernel.
pub(crate) trait Program<const N: usize> {
    /// What it computes.
    type Output;
    /// Runs it.
    fn run(self, ring: &impl FixedRing<N>) -> Self::Output;
}

/// The entry of the portable kernel: one call per exponentiation. (A kernel with a `target_feature` has its own.)
pub(crate) fn run<const N: usize, P: Program<N>>(ring: &impl FixedRing<N>, program: P) -> P::Output {
    program.run(ring)
}

/// Odd moduli of N limbs, 1 <= N <= 4, in Montgomery form, R = 2^(64 N). Constant-time as `OddRing` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedOdd<const N: usize> {
    m: [u64; N],
    m_prime: u64,
    r_mod_m: [u64; N],
    rr: [u64; N],
}

impl<const N: usize> FixedOdd<N> {
    /// Prepares an odd modulus; zero limbs on top are legal. Constant-time in its value, apart from its bit length.
    pub(crate) fn new(m: [u64; N]) -> Self {
        let mut ring = Self::without_powers(m);
        // As in OddRing: 2^L - m, doubled up to R mod m.
        let bits = linear::bits(&m);
        let mut power = m;
        linear::negate(&mut power);
        linear::truncate(&mut power, bits);
        // 2^L - m is at most m, and equal to it only for m = 1.
        power = ring.subtract_once(power, false);
        for _ in bits..64 * N {
            power = ring.double(power);
        }
        ring.r_mod_m = power;
        ring.rr = ring.square_up(power);
        ring
    }

    fn without_powers(m: [u64; N]) -> Self {
        const { assert!(N >= 1 && N <= 4) };
        assert!(m[0] % 2 == 1, "the modulus is odd");
        Self { m, m_prime: neg_mod_inv_limb(m[0]), r_mod_m: [0; N], rr: [0; N] }
    }

    /// R^2 mod m from R mod m: 2^N R by doubling, then six squarings, (2^N)^64 = R.
    fn square_up(&self, r_mod_m: [u64; N]) -> [u64; N] {
        let mut power = r_mod_m;
        for _ in 0..N {
            power = self.double(power);
        }
        for _ in 0..6 {
            power = self.sqr(power);
        }
        power
    }

    /// The modulus.
    pub(crate) fn modulus(&self) -> [u64; N] {
        self.m
    }

    /// `value + overflow R`, below 2m, modulo m.
    #[inline(always)]
    fn subtract_once(&self, value: [u64; N], overflow: bool) -> [u64; N] {
        let mut out = [0; N];
        linear::subtract_once(&mut out, &value, overflow, &self.m);
        out
    }

    #[inline(always)]
    fn double(&self, a: [u64; N]) -> [u64; N] {
        let mut twice = [0; N];
        let overflow = linear::add(&mut twice, &a, &a, false);
        self.subtract_once(twice, overflow)
    }

    /// T R^-1 mod m for a single limb, T < 2^64 m, with q = T m^-1 mod 2^64 in place of -q: T - q m has a zero low limb
    /// and lies in (-2^64 m, 2^64 m), so its high limb needs m added where it borrows. One addition less to wait for
    /// than in T + u m.
    #[inline(always)]
    fn redc_single(&self, t: u128) -> u64 {
        let m = self.m[0];
        let q = (t as u64).wrapping_mul(self.m_prime.wrapping_neg());
        let q_m_high = ((u128::from(q) * u128::from(m)) >> 64) as u64;
        let (high, borrow) = ((t >> 64) as u64).overflowing_sub(q_m_high);
        high.wrapping_add(m & u64::mask(borrow))
    }

    /// T R^-1 mod m, T in the first 2N words.
    #[inline(always)]
    fn redc(&self, t: &mut [u64; 8]) -> [u64; N] {
        let overflow = separated_comba::redc_fixed::<u64, N>(&mut t[..2 * N], &self.m, self.m_prime);
        self.subtract_once(*comba::array(&t[N..]), overflow)
    }
}

impl FixedOdd<1> {
    /// As `new`, with the processor's division: for public moduli only, because its time depends on the value.
    pub(crate) fn new_public(m: u64) -> Self {
        let mut ring = Self::without_powers([m]);
        ring.r_mod_m = [m.wrapping_neg() % m];
        let r = u128::from(ring.r_mod_m[0]);
        ring.rr = [(r * r % u128::from(m)) as u64];
        ring
    }
}

impl<const N: usize> FixedRing<N> for FixedOdd<N> {
    #[inline(always)]
    fn one(&self) -> [u64; N] {
        self.r_mod_m
    }

    #[inline(always)]
    fn enter(&self, value: [u64; N]) -> [u64; N] {
        self.mul(value, self.rr)
    }

    #[inline(always)]
    fn leave(&self, residue: [u64; N]) -> [u64; N] {
        if N == 1 {
            return [self.redc_single(u128::from(residue[0])); N];
        }
        let mut t = [0; 8];
        t[..N].copy_from_slice(&residue);
        self.redc(&mut t)
    }

    #[inline(always)]
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        if N == 1 {
            return [self.redc_single(u128::from(a[0]) * u128::from(b[0])); N];
        }
        let mut t = [0; N];
        let overflow = cios::rows(&mut t, &a, &b, &self.m, self.m_prime);
        self.subtract_once(t, overflow)
    }

    #[inline(always)]
    fn sqr(&self, a: [u64; N]) -> [u64; N] {
        self.mul(a, a)
    }

    /// By the product with the small factor in Montgomery form: at this size an estimated quotient gains nothing. A loop
    /// that multiplies by the same factor again and again should keep `enter`'s result instead.
    #[inline(always)]
    fn mul_small(&self, a: [u64; N], small: u64) -> [u64; N] {
        let mut factor = [0; N];
        factor[0] = small;
        self.mul(a, self.enter(factor))
    }
}

/// Residues modulo 2^k of N limbs, 64 (N - 1) < k <= 64 N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedPowerOfTwo<const N: usize> {
    /// Ones in the bits of the top limb that are below k.
    top_mask: u64,
}

impl<const N: usize> FixedPowerOfTwo<N> {
    /// Modulo 2^k.
    pub(crate) fn new(k: usize) -> Self {
        assert!(k >= 1 && k.div_ceil(64) == N, "2^k has N limbs of residue");
        Self { top_mask: u64::MAX >> (64 * N - k) }
    }

    #[inline(always)]
    fn truncate(&self, mut value: [u64; N]) -> [u64; N] {
        value[N - 1] &= self.top_mask;
        value
    }
}

impl<const N: usize> FixedRing<N> for FixedPowerOfTwo<N> {
    #[inline(always)]
    fn one(&self) -> [u64; N] {
        let mut one = [0; N];
        one[0] = 1;
        one
    }

    #[inline(always)]
    fn enter(&self, value: [u64; N]) -> [u64; N] {
        self.truncate(value)
    }

    #[inline(always)]
    fn leave(&self, residue: [u64; N]) -> [u64; N] {
        residue
    }

    #[inline(always)]
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        let mut product = [0; N];
        comba::low_mul_fixed(&mut product, &a, &b);
        self.truncate(product)
    }

    #[inline(always)]
    fn sqr(&self, a: [u64; N]) -> [u64; N] {
        let mut square = [0; N];
        comba::low_sqr_fixed(&mut square, &a);
        self.truncate(square)
    }

    #[inline(always)]
    fn mul_small(&self, a: [u64; N], small: u64) -> [u64; N] {
        let mut carry = 0;
        let product = a.map(|limb| {
            let (low, high) = limb.carrying_mul(small, carry);
            carry = high;
            low
        });
        self.truncate(product)
    }
}
