//! Residues of 1 to 4 limbs by value, modulo powers of two 1 to 10: everything in registers, nothing allocated, every loop unrolled by the compiler.
//!
//! For public moduli and exponents: set-up modulo a one-limb number divides, and conversions stop at the first zero limb.

use super::montgomery::{cios, neg_mod_inv_limb};
use super::product::comba;
use super::short::ShortFactor;
use super::{Ring, SharedRing};
use crate::natural::linear;
use alloc::sync::Arc;
use core::fmt::Debug;
use core::hint::select_unpredictable;

/// Arithmetic on residues of `N` limbs that are passed by value. Residues are canonical on entry and on exit.
pub(crate) trait FixedRing<const N: usize>: Debug + Send + Sync + 'static {
    /// Whether two products that do not wait for each other take hardly longer than one.
    const PAIRS: bool = false;
    /// The residue of 1, in the ring's form.
    fn one(&self) -> [u64; N];
    /// Reduces a number of any length and brings it into the ring's form.
    fn enter(&self, value: &[u64]) -> [u64; N];
    /// Takes a residue out of the ring's form: the canonical number.
    fn leave(&self, a: [u64; N]) -> [u64; N];
    /// `a * b`.
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N];
    /// `a * plain`, canonical, for any number that is not in the ring's form.
    #[inline(always)]
    fn mul_plain(&self, a: [u64; N], plain: [u64; N]) -> [u64; N] {
        self.mul(plain, a)
    }
    /// `a^2`.
    fn sqr(&self, a: [u64; N]) -> [u64; N];
    /// `a^(2^count)`.
    #[inline(always)]
    fn sqr_n(&self, a: [u64; N], count: usize) -> [u64; N] {
        // A loop, no fold: a closure would pass the limbs through memory between squarings.
        let mut value = a;
        for _ in 0..count {
            value = self.sqr(value);
        }
        value
    }
}

/// Work on a ring whose size is known only at run time; it is called with a constructor of the ring of that size.
pub(crate) trait Visitor<T> {
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> T;
}

/// The rings of a kernel whose residues are values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RingsByValue {
    /// Modulo odd numbers.
    Odd,
    /// Modulo powers of two.
    PowerOfTwo,
}

/// Calls a visitor with the ring of the size that equals `$limbs`.
macro_rules! by_size {
    ($visitor:expr, $ring:expr, $limbs:expr => $($n:literal)*) => {
        match $limbs {
            1 => $visitor.visit::<1, _>($ring),
            $($n => visit_apart::<$n, _, _>($visitor, $ring),)*
            limbs => unreachable!("the registry gives no kernel by value {limbs} limbs"),
        }
    };
}

impl RingsByValue {
    /// [`FixedRing::PAIRS`] of the ring of `limbs` limbs.
    pub(crate) fn pairs(self, limbs: usize) -> bool {
        match (self, limbs) {
            (RingsByValue::Odd, 1) => FixedOdd::<1>::PAIRS,
            _ => false,
        }
    }

    /// Calls `visitor` with the ring of `limbs` limbs, modulo `odd` or modulo 2^k.
    #[inline(always)]
    pub(crate) fn visit<T>(self, odd: &[u64], k: usize, limbs: usize, visitor: impl Visitor<T>) -> T {
        match self {
            RingsByValue::Odd => with_odd_ring(odd, limbs, visitor),
            RingsByValue::PowerOfTwo if cfg!(target_arch = "wasm32") => unreachable!("the registry has no such kernel"),
            RingsByValue::PowerOfTwo => {
                by_size!(visitor, || FixedPowerOfTwo::new(k), limbs => 2 3 4 5 6 7 8 9 10)
            }
        }
    }
}

impl RingsByValue {
    /// The ring of `limbs` limbs, modulo `odd` or modulo 2^k, for residues that lie in memory between its products.
    pub(crate) fn shared(self, odd: &[u64], k: usize, limbs: usize) -> SharedRing {
        self.visit(odd, k, limbs, Share)
    }
}

/// Makes a ring for residues in memory.
struct Share;

impl Visitor<SharedRing> for Share {
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> SharedRing {
        let ring = make();
        let entering = ring.enter(&ring.one());
        Arc::new(InMemory { ring, entering })
    }
}

/// A ring by value whose residues lie in memory between its products.
#[derive(Debug)]
struct InMemory<const N: usize, R> {
    ring: R,
    /// The residue whose product by a number is that number in the ring's form.
    entering: [u64; N],
}

/// The residue at this place of an arena.
#[inline(always)]
fn load<const N: usize>(arena: &[u64], from: usize) -> [u64; N] {
    padded(&arena[from..from + N])
}

#[inline(always)]
fn store<const N: usize>(arena: &mut [u64], out: usize, residue: [u64; N]) {
    arena[out..out + N].copy_from_slice(&residue);
}

impl<const N: usize, R: FixedRing<N>> Ring<u64> for InMemory<N, R> {
    fn words(&self) -> usize {
        N
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn scratch_words(&self) -> usize {
        0
    }

    fn one(&self, arena: &mut [u64], out: usize, _: &mut [u64]) {
        store(arena, out, self.ring.one());
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _: &mut [u64]) {
        let residue = if value.len() > N {
            self.ring.enter(value)
        } else {
            // Any number below R may be a factor of a residue.
            self.ring.mul(padded(value), self.entering)
        };
        store(arena, out, residue);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _: &mut [u64]) {
        value.copy_from_slice(&self.ring.leave(load(arena, from)));
    }

    fn leave_times(&self, value: &mut [u64], arena: &[u64], a: usize, plain: &[u64], _: &mut [u64]) -> bool {
        let fits = plain.len() <= N;
        if fits {
            value.copy_from_slice(&self.ring.mul_plain(load(arena, a), padded(plain)));
        }
        fits
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, _: &mut [u64]) {
        let product = self.ring.mul(load(arena, a), load(arena, b));
        store(arena, out, product);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.sqr_n(arena, out, a, 1, scratch);
    }

    fn sqr_n(&self, arena: &mut [u64], out: usize, a: usize, count: usize, _: &mut [u64]) {
        let power = self.ring.sqr_n(load(arena, a), count);
        store(arena, out, power);
    }

    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, _: &mut [u64]) {
        let product = self.ring.mul(load(arena, a), self.ring.enter(&[small]));
        store(arena, out, product);
    }
}

/// Calls `visitor` with the ring of an odd modulus of 1 to 4 limbs.
pub(crate) fn with_odd_ring<T>(m: &[u64], limbs: usize, visitor: impl Visitor<T>) -> T {
    if cfg!(target_arch = "wasm32") {
        by_size!(visitor, || FixedOdd::new(m), limbs => )
    } else {
        by_size!(visitor, || FixedOdd::new(m), limbs => 2 3 4)
    }
}

/// A separate function for each size but the shortest: one function for all takes several times longer to compile.
#[inline(never)]
fn visit_apart<const N: usize, R: FixedRing<N>, T>(visitor: impl Visitor<T>, make: impl Fn() -> R) -> T {
    visitor.visit(make)
}

/// Residues modulo an odd number in Montgomery form, R = 2^(64 N).
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedOdd<const N: usize> {
    m: [u64; N],
    /// -m^-1 mod 2^64.
    m_prime: u64,
    /// m^-1 mod 2^64 for a length of 1, mod 2^128 for a length of 2.
    m_inverse: u128,
    /// The constants by which numbers enter, for moduli of at least 2 limbs.
    short: Option<ShortFactor<u64>>,
}

impl<const N: usize> FixedOdd<N> {
    /// The ring of an odd modulus of at most N limbs.
    #[inline]
    pub(crate) fn new(modulus: &[u64]) -> Self {
        let m = padded(modulus);
        let m_prime = neg_mod_inv_limb(m[0]);
        let mut m_inverse = u128::from(m_prime.wrapping_neg());
        if N == 2 {
            // Newton (Hensel) lifting: x (2 - m x) is right to twice the bits of x.
            m_inverse = m_inverse.wrapping_mul(2u128.wrapping_sub(m_inverse.wrapping_mul(double_limb(m))));
        }
        let short = (N > 1).then(|| ShortFactor::of_public_bits(&m, linear::bits(&m)));
        Self { m, m_prime, m_inverse, short }
    }
}

impl<const N: usize> FixedRing<N> for FixedOdd<N> {
    /// Most of the time these wait for the results of their multiplications (docs/records/right-to-left.md).
    const PAIRS: bool = N == 1;

    #[inline(always)]
    fn one(&self) -> [u64; N] {
        self.enter(&[1])
    }

    /// A ring of one limb reduces by divisions.
    #[inline]
    fn enter(&self, value: &[u64]) -> [u64; N] {
        let mut out = [0; N];
        match &self.short {
            // So few words need no scratch.
            Some(short) => short.enter(&mut out, value, &self.m, &mut []),
            None => out[0] = enter_limb(value, self.m[0]),
        }
        out
    }

    #[inline(always)]
    fn leave(&self, a: [u64; N]) -> [u64; N] {
        let mut one = [0; N];
        one[0] = 1;
        self.mul(a, one)
    }

    /// CIOS for a length that the compiler knows. `a` may be any number below R where b < m.
    #[inline(always)]
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        match N {
            1 => return [mul_limbs(a[0], b[0], self.m[0], self.m_inverse as u64); N],
            2 => return mul_two(a, b, self.m, self.m_inverse),
            _ => {}
        }
        let mut t = [0; N];
        let overflow = cios::rows(&mut t, &a, &b, &self.m, self.m_prime);
        reduce_once(t, overflow, self.m)
    }

    #[inline(always)]
    fn sqr(&self, a: [u64; N]) -> [u64; N] {
        self.mul(a, a)
    }
}

/// One limb: hi(ab) - hi(q m) with q = ab m^-1 mod 2^64, whose low halves are equal; one correction. In a chain of
/// such products each waits for three multiplications; CIOS also waits for the carry between its rows.
#[inline(always)]
pub(super) fn mul_limbs(a: u64, b: u64, m: u64, m_inverse: u64) -> u64 {
    let (low, high) = a.carrying_mul(b, 0);
    let q = low.wrapping_mul(m_inverse);
    let (_, reduced) = q.carrying_mul(m, 0);
    // The sum does not depend on q, so that the chain ends with one subtraction and one selection. Without `hidden` the
    // compiler subtracts after the selection, or adds m or 0 at the end.
    let corrected = hidden(high.wrapping_add(m)).wrapping_sub(reduced);
    let (difference, below) = high.overflowing_sub(reduced);
    select_unpredictable(below, corrected, hidden(difference))
}

/// `word`, hidden from the optimiser. It stays in its register, which [`core::hint::black_box`] does not promise: a trip
/// through memory would delay the end of a product.
#[inline(always)]
pub(super) fn hidden(word: u64) -> u64 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut word = word;
        // SAFETY: the block has no instruction.
        #[allow(unsafe_code)]
        unsafe {
            core::arch::asm!("/* {word} */", word = inout(reg) word, options(pure, nomem, nostack, preserves_flags));
        }
        word
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    core::hint::black_box(word)
}

/// Computes [`mul_limbs`] with limbs of 128 bits. The low half of q m equals that of ab, so that only its carry is needed.
#[inline(always)]
fn mul_two<const N: usize>(a: [u64; N], b: [u64; N], m: [u64; N], m_inverse: u128) -> [u64; N] {
    let (low, high) = mul_double_limbs(double_limb(a), double_limb(b));
    let m = double_limb(m);
    let q = low.wrapping_mul(m_inverse);
    let (_, reduced) = mul_double_limbs(q, m);
    let sum = high.wrapping_add(m);
    let corrected =
        (u128::from(hidden(sum as u64)) | u128::from(hidden((sum >> 64) as u64)) << 64).wrapping_sub(reduced);
    let (difference, below) = high.overflowing_sub(reduced);
    let result = select_unpredictable(below, corrected, difference);
    let mut limbs = [0; N];
    limbs[0] = result as u64;
    limbs[N - 1] = (result >> 64) as u64;
    limbs
}

/// The two limbs of `a` as one.
#[inline(always)]
fn double_limb<const N: usize>(a: [u64; N]) -> u128 {
    u128::from(a[0]) | u128::from(a[1]) << 64
}

/// (low half, high half) of a b, by four products of limbs.
#[inline(always)]
fn mul_double_limbs(a: u128, b: u128) -> (u128, u128) {
    let limbs = |x: u128| (u128::from(x as u64), x >> 64);
    let ((a0, a1), (b0, b1)) = (limbs(a), limbs(b));
    let (bottom, cross, other, top) = (a0 * b0, a0 * b1, a1 * b0, a1 * b1);
    let middle = (bottom >> 64) + limbs(cross).0 + limbs(other).0;
    (limbs(bottom).0 | middle << 64, top + (cross >> 64) + (other >> 64) + (middle >> 64))
}

/// value 2^64 mod m, by divisions.
#[inline(always)]
pub(super) fn enter_limb(value: &[u64], m: u64) -> u64 {
    let residue = match *value {
        [limb] => limb,
        _ => value.iter().rev().fold(0, |high, &low| remainder(high, low, m)),
    };
    remainder(residue, 0, m)
}

/// (high 2^64 + low) mod m, the quickest for high < m.
#[inline(always)]
fn remainder(high: u64, low: u64, m: u64) -> u64 {
    ((u128::from(high) << 64 | u128::from(low)) % u128::from(m)) as u64
}

/// Residues modulo 2^k, k at most 64 N. Operations keep them modulo 2^(64 N).
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedPowerOfTwo<const N: usize> {
    k: usize,
}

impl<const N: usize> FixedPowerOfTwo<N> {
    /// The ring modulo 2^k, 1 <= k <= 64 N.
    #[inline]
    pub(crate) fn new(k: usize) -> Self {
        debug_assert!((1..=64 * N).contains(&k));
        Self { k }
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
    fn enter(&self, value: &[u64]) -> [u64; N] {
        padded(value)
    }

    #[inline(always)]
    fn leave(&self, a: [u64; N]) -> [u64; N] {
        let mut limbs = a;
        for (index, limb) in limbs.iter_mut().enumerate() {
            match self.k.saturating_sub(64 * index) {
                0 => *limb = 0,
                kept @ 1..64 => *limb &= (1 << kept) - 1,
                _ => {}
            }
        }
        limbs
    }

    /// The low product by Comba's columns.
    #[inline(always)]
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        let mut t = [0; N];
        comba::low_mul_fixed(&mut t, &a, &b);
        t
    }

    #[inline(always)]
    fn mul_plain(&self, a: [u64; N], plain: [u64; N]) -> [u64; N] {
        self.leave(self.mul(a, plain))
    }

    #[inline(always)]
    fn sqr(&self, a: [u64; N]) -> [u64; N] {
        if N <= 4 {
            return self.mul(a, a);
        }
        let mut t = [0; N];
        comba::low_sqr_fixed(&mut t, &a);
        t
    }
}

/// The lowest N limbs of `value`, padded with zeros. A loop copies them: a call of `memcpy` costs more.
#[inline(always)]
fn padded<const N: usize>(value: &[u64]) -> [u64; N] {
    let mut limbs = [0; N];
    for (index, limb) in limbs.iter_mut().enumerate() {
        if index < value.len() {
            *limb = value[index];
        }
    }
    limbs
}

/// The number `overflow * R + a`, below 2m, modulo m.
#[inline(always)]
fn reduce_once<const N: usize>(a: [u64; N], overflow: bool, m: [u64; N]) -> [u64; N] {
    let (mut reduced, mut below) = (a, false);
    for (limb, m) in reduced.iter_mut().zip(m) {
        (*limb, below) = limb.borrowing_sub(m, below);
    }
    if overflow || !below { reduced } else { a }
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/fixed.rs"]
mod tests;
