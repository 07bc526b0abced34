//! The constants of eight moduli, made in lanes and without a long division; numbers into lanes and out of them.
//!
//! Let 2^t be what brings m to exactly 52n - 1 bits, M = 2^t m. Since 2^(E + t) mod M = 2^t (2^E mod m), powers of two
//! modulo m come from powers of two modulo M, whose top limb stands in the same place in every lane, and one quotient
//! limb can be estimated from it: a step multiplies by up to 2^48 in about 10n vector operations.

use super::{LANES, Lanes, LanesRing, MASK, ReduceOnce, Task, VectorUnit, cells};
use crate::kernel::lane_ring::LaneRing;
use crate::kernel::limbs::bits_from;
use crate::kernel::montgomery::neg_mod_inv_limb;
use crate::natural::linear;
use alloc::vec::Vec;
use core::cell::Cell;

/// The most bits by which one [`DoublingStep`] multiplies.
const STEP_BITS: usize = 48;

/// -m^-1 mod 2^52 in each lane.
pub(super) fn m_prime(moduli: &[&[u64]; LANES]) -> Lanes {
    Lanes(moduli.map(|m| {
        assert!(m.first().is_some_and(|limb| limb & 1 == 1), "the modulus is odd");
        neg_mod_inv_limb(m[0]) & MASK
    }))
}

/// Puts `value` * 2^`shift`, which has at most 52n bits, into one lane.
pub(super) fn spread(out: &mut [Lanes], lane: usize, value: &[u64], shift: usize) {
    debug_assert!(linear::bits(value) + shift <= 52 * out.len(), "the value fits");
    for (index, limb) in out.iter_mut().enumerate() {
        limb.0[lane] = bits_from(value, shift, 52 * index) & MASK;
    }
}

/// Fills in m, R mod m and R^2 mod m.
///
/// 1. x = 2^(52n - 1) - M, which is 2^(52n - 1) modulo M and at most M.
/// 2. Steps to 2^(52n + t); divided by 2^t, that is R mod m.
/// 3. Steps to 2^(65n + t); divided by 2^t, that is 2^(13n) in Montgomery form, and two squarings make it R^2 mod m. (A
///    squaring costs as much as n / 4 steps, so that from about 25n bits on squaring is the cheaper way to double the
///    exponent; 52n is a multiple of 4.)
///
/// Every x is below 2M, see [`DoublingStep`], and each quotient by 2^t below 2m.
///
/// The contents of `room` on entry do not matter.
pub(super) fn prepare<U: VectorUnit>(ring: &mut LanesRing<U>, moduli: &[&[u64]; LANES], room: &mut Vec<Lanes>) {
    let (n, unit) = (ring.n, ring.unit);
    let room_vectors = 4 * n + ring.scratch_vectors();
    if room.len() < room_vectors {
        room.resize(room_vectors, Lanes::default());
    }
    let (work, room) = room.split_at_mut(3 * n);
    let (rr, room) = room.split_at_mut(n);
    let shifts = moduli.map(|m| {
        let bits = 64 * m.len() - m.last().map_or(0, |top| top.leading_zeros() as usize);
        assert!(bits + 2 <= 52 * n, "the modulus has at most 52n - 2 bits");
        52 * n - 1 - bits
    });
    for (lane, (m, shift)) in moduli.iter().zip(shifts).enumerate() {
        spread(&mut ring.constants[..n], lane, m, 0);
        spread(&mut work[..n], lane, m, shift);
    }
    // The top limb d of M has 51 bits; see `DoublingStep`.
    let reciprocal = Lanes(work[n - 1].0.map(|d| ((1 << 102) / (u128::from(d) + 1)) as u64));
    let (m, rest) = work.split_at_mut(n);
    let (m, (x, scratch)) = (&*m, cells(rest).split_at(n));
    let step = |bits: [usize; LANES]| {
        unit.run_task(DoublingStep { x, m, reciprocal: &reciprocal, factor: &Lanes(bits.map(|bits| 1 << bits)) });
    };
    let unscaled = |source: &[Cell<Lanes>], out: &mut [Lanes]| {
        out.iter_mut().zip(source).for_each(|(out, limb)| *out = limb.get());
        shift_right(unit, cells(out), shifts);
    };
    x.iter().for_each(|limb| limb.set(Lanes::default()));
    x[n - 1].set(Lanes([1 << 51; LANES]));
    unit.run_task(ReduceOnce { x, m, scratch });
    let mut left = shifts.map(|shift| shift + 1);
    while left != [0; LANES] {
        let bits = left.map(|left| left.min(STEP_BITS));
        step(bits);
        left.iter_mut().zip(bits).for_each(|(left, bits)| *left -= bits);
    }
    unscaled(x, &mut ring.constants[n..2 * n]);
    let mut left = 13 * n;
    while left > 0 {
        let bits = left.min(STEP_BITS);
        step([bits; LANES]);
        left -= bits;
    }
    unscaled(x, rr);
    ring.sqr_n(rr, 0, 0, 2, room);
    unit.run_task(ReduceOnce { x: cells(rr), m: ring.m(), scratch });
    ring.constants[2 * n..].copy_from_slice(rr);
}

/// x = x 2^k - q m for k <= 48 in each lane, 0 <= x < 2m before and after; m has 52n - 1 bits, all limbs are below 2^52.
///
/// With d and X the top limbs of m and x, `reciprocal` = floor(2^102 / (d + 1)), 51 to 52 bits, and
/// q = floor(X reciprocal 2^k / 2^102). q is never too large: X / (d + 1) <= x / m. It is too small by at most the sum of
/// - 2^k ((X + 1) / d - X / (d + 1)) = 2^k (X + d + 1) / (d (d + 1)) < 3 2^k / d <= 3/4, because X <= 2d + 1, d >= 2^50;
/// - X 2^k / 2^102 < 1/4 for the reciprocal;
/// - less than 1 for the floor;
///
/// together less than 2, so that x stays below 2m.
#[derive(Clone, Copy)]
struct DoublingStep<'a> {
    x: &'a [Cell<Lanes>],
    m: &'a [Lanes],
    reciprocal: &'a Lanes,
    /// 2^k.
    factor: &'a Lanes,
}

impl Task for DoublingStep<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let (mask, zero) = (unit.splat(MASK), unit.splat(0));
        let factor = unit.get(self.factor);
        // floor(floor(X reciprocal / 2^52) 2^k / 2^50): the second product is by 2^(k + 2).
        let factor_4 = unit.add(unit.add(factor, factor), unit.add(factor, factor));
        let top = unit.madd_high(zero, unit.get(&self.x[self.x.len() - 1]), unit.get(self.reciprocal));
        let q = unit.madd_high(zero, top, factor_4);
        let (mut carry, mut x_below, mut m_below) = (zero, zero, zero);
        for (x, m) in self.x.iter().zip(self.m) {
            let (x_limb, m_limb) = (unit.get(x), unit.get(m));
            let plus = unit.madd_low(unit.madd_high(zero, x_below, factor), x_limb, factor);
            let minus = unit.madd_low(unit.madd_high(zero, m_below, q), m_limb, q);
            let sum = unit.add_signed(unit.sub_signed(plus, minus), carry);
            carry = unit.signed_carry(sum);
            unit.set(x, unit.and(sum, mask));
            (x_below, m_below) = (x_limb, m_limb);
        }
    }
}

/// x / 2^shift in each lane, exact; limbs below 2^52.
fn shift_right(unit: impl VectorUnit, x: &[Cell<Lanes>], mut shifts: [usize; LANES]) {
    while shifts != [0; LANES] {
        let now = shifts.map(|shift| shift.min(51));
        let factor = Lanes(now.map(|shift| 1 << ((52 - shift) % 52)));
        let done = Lanes(now.map(|shift| if shift == 0 { u64::MAX } else { 0 }));
        unit.run_task(ShiftRight { x, factor: &factor, done: &done });
        shifts.iter_mut().zip(now).for_each(|(shift, now)| *shift -= now);
    }
}

/// x = x * `factor` / 2^52 in the lanes that are not `done`.
#[derive(Clone, Copy)]
struct ShiftRight<'a> {
    x: &'a [Cell<Lanes>],
    factor: &'a Lanes,
    /// All ones, or 0.
    done: &'a Lanes,
}

impl Task for ShiftRight<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let (factor, done, zero) = (unit.get(self.factor), unit.get(self.done), unit.splat(0));
        let mut limb = unit.get(&self.x[0]);
        for (index, x) in self.x.iter().enumerate() {
            let above = self.x.get(index + 1).map_or(zero, |above| unit.get(above));
            let shifted = unit.madd_low(unit.madd_high(zero, limb, factor), above, factor);
            unit.set(x, unit.select(done, limb, shifted));
            limb = above;
        }
    }
}
