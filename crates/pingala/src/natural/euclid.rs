//! Euclid's algorithm on long numbers, many quotients at a time: greatest common divisors and inverses. Not for secrets.
//!
//! Lehmer's method [lehmer1938euclid; knuth1997seminumerical, algorithm 4.5.2L] in double digits: the leading 126 bits of two numbers
//! a >= b give about 37 quotients, in two halves of at most 63 bits each, so that one pass over the numbers takes 60 bits off each.
//! Departures: the quotients need not be those of a and b, it is enough that both remainders are at least 0 (then they are smaller, and
//! have the same greatest common divisor); each half divides single words, so that no step waits for a branch.

use super::chores::GoOn;
use super::{Natural, chores};
use crate::error::Error;
use smallvec::{SmallVec, smallvec};

/// Words of the numbers that are passed over between two polls: about a millisecond.
const WORDS_BETWEEN: usize = 1 << 20;

/// Bits of the leading parts of which a half takes quotients.
const HALF: u32 = 63;

/// The slack of the second half, in bits: see [`Steps::of_windows`].
const SLACK: u32 = 2;

/// Limbs of the shorter cofactor that take no allocation.
const FEW_WORDS: usize = 40;

/// Steps of Euclid's algorithm: with s = 1, or -1 after an odd number of steps, they turn a, b into
///
/// s (u[0] a - v[0] b), s (v[1] b - u[1] a), where u[0] v[1] - u[1] v[0] = s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub(super) u: [u64; 2],
    pub(super) v: [u64; 2],
    pub(super) odd: bool,
}

impl Steps {
    /// No step.
    const NONE: Self = Self { u: [1, 0], v: [0, 1], odd: false };

    /// Appends steps on single words x >= y, as long as each remainder is at least `2^slack` times its cofactor w of y. Returns
    /// whether there was one.
    ///
    /// r_i = +-(z_i x - w_i y) with r_0 = x, r_1 = y, q_i = floor(r_(i-1) / r_i), w_(i+1) = w_(i-1) + q_i w_i, z likewise. For i >= 1,
    /// z_i <= w_i, because y <= x.
    ///
    /// w stays below 2^((63 - slack) / 2) for x < 2^63: x = w_(i+1) r_i + w_i r_(i+1) >= w_(i+1) r_i > w_(i+1) r_(i+1) >= 2^slack w_(i+1)^2.
    /// What the last step, which is not taken, computes may wrap.
    #[inline(always)]
    fn append(&mut self, x: u64, y: u64, slack: u32) -> bool {
        let (mut r, mut w) = ([x, y], [0u64, 1]);
        if y == 0 {
            return false;
        }
        let mut count = 0u32;
        loop {
            let (quotient, rest) = (r[0] / r[1], r[0] % r[1]);
            let cofactor = w[0].wrapping_add(quotient.wrapping_mul(w[1]));
            if rest >> slack < cofactor {
                break;
            }
            // The rest is at least the cofactor, which is at least 1: the next division is not by 0.
            let next = |c: [u64; 2]| [c[1], c[0].wrapping_add(quotient.wrapping_mul(c[1]))];
            (r, w, self.u, self.v) = ([r[1], rest], [w[1], cofactor], next(self.u), next(self.v));
            count += 1;
        }
        self.odd ^= count & 1 == 1;
        count > 0
    }

    /// Steps for two numbers of which `a` >= `b` are the leading parts, at most 126 bits: floor(number / 2^k) for one k. Both new
    /// numbers are at least 0. None if the first quotient is too long, or the numbers are too close to each other.
    ///
    /// First half, on x = floor(a / 2^63), y = floor(b / 2^63). The numbers are x + f and y + g times 2^(k+63) with f and g in [0, 1), so that
    /// a remainder of them is r + z f - w g times as much, above r - w >= 0; or r - z f + w g, above r - z >= r - w >= 0. Cofactors are
    /// below 2^31.5.
    ///
    /// Second half, on the leading 63 bits of the remainders c and d of a and b, shifted down by s >= 32. With the first half's cofactors, a
    /// number is (c + e) 2^k with |e| < 2^31.5 <= 2^(s - 0.5), the other likewise. So the numbers are x + f, y + g times 2^(k+s) with f and g in
    /// (-0.71, 1.71), and a remainder of them is above r - 1.71 w - 0.71 z >= r - 2.42 w, which 2^2 w <= r makes positive. The second half's
    /// cofactors are below 2^30.5: a sum of two products with those of the first half is below 2^63.
    #[inline(always)]
    pub(super) fn of_windows(a: u128, b: u128) -> Option<Self> {
        debug_assert!(b <= a && a >> (2 * HALF) == 0);
        let mut steps = Self::NONE;
        if !steps.append((a >> HALF) as u64, (b >> HALF) as u64, 0) {
            return None;
        }
        let [c, d] = steps.applied(a, b);
        let length = u128::BITS - c.leading_zeros();
        // Both are positive; the order of c and d may be wrong if the remainders of x and y were close.
        if d <= c && length >= HALF + 32 {
            let shift = length - HALF;
            steps.append((c >> shift) as u64, (d >> shift) as u64, SLACK);
        }
        Some(steps)
    }

    /// All steps on single words a >= b > 0 but the last one, after which b would be 0, and their greatest common divisor.
    #[inline(always)]
    fn of_words(a: u64, b: u64) -> (Self, u64) {
        let (mut r, mut steps) = ([a, b], Self::NONE);
        while r[1] > 1 {
            let (quotient, rest) = (r[0] / r[1], r[0] % r[1]);
            if rest == 0 {
                break;
            }
            // The cofactors of a rest above 0 are at most r[0] < 2^64.
            let next = |c: [u64; 2]| [c[1], c[0] + quotient * c[1]];
            (r, steps) = ([r[1], rest], Self { u: next(steps.u), v: next(steps.v), odd: !steps.odd });
        }
        (steps, r[1])
    }

    /// The two new numbers, which are below 2^128.
    #[inline(always)]
    fn applied(&self, a: u128, b: u128) -> [u128; 2] {
        let row = |i: usize| {
            let (p, q) = (a.wrapping_mul(self.u[i].into()), b.wrapping_mul(self.v[i].into()));
            if self.odd ^ (i == 1) { q.wrapping_sub(p) } else { p.wrapping_sub(q) }
        };
        [row(0), row(1)]
    }

    /// Applies the steps in place, to numbers of one length.
    fn shrink(&self, a: &mut [u64], b: &mut [u64]) {
        let ([u0, u1], [v0, v1]) = (self.u, self.v);
        // The minuend of the first row is of a after an even number of steps, of b after an odd one.
        if self.odd {
            subtract_rows::<true>([v0, u0], [u1, v1], a, b);
        } else {
            subtract_rows::<false>([u0, v0], [v1, u1], a, b);
        }
    }

    /// p, q = u[0] p + v[0] q, u[1] p + v[1] q, of `length` limbs with two more limbs of room, which are 0. Returns the new length.
    pub(super) fn grow(&self, p: &mut [u64], q: &mut [u64], length: usize) -> usize {
        let (mut carries, mut over) = ([0u64; 4], [false; 2]);
        for (p, q) in p[..length].iter_mut().zip(&mut q[..length]) {
            let (x, y) = (*p, *q);
            let (up, vp, uq, vq);
            (up, carries[0]) = self.u[0].carrying_mul(x, carries[0]);
            (vp, carries[1]) = self.v[0].carrying_mul(y, carries[1]);
            (uq, carries[2]) = self.u[1].carrying_mul(x, carries[2]);
            (vq, carries[3]) = self.v[1].carrying_mul(y, carries[3]);
            (*p, over[0]) = up.carrying_add(vp, over[0]);
            (*q, over[1]) = uq.carrying_add(vq, over[1]);
        }
        let (first, more) = carries[0].carrying_add(carries[1], over[0]);
        let (second, most) = carries[2].carrying_add(carries[3], over[1]);
        (p[length], p[length + 1], q[length], q[length + 1]) = (first, more.into(), second, most.into());
        length + if more || most { 2 } else { usize::from(first | second != 0) }
    }
}

/// x, y = k[0] p - k[1] q, l[0] q' - l[1] p', both at least 0, where p, q are x, y, or y, x if `TURNED`, and p', q' likewise.
#[inline(always)]
fn subtract_rows<const TURNED: bool>(k: [u64; 2], l: [u64; 2], x: &mut [u64], y: &mut [u64]) {
    let (mut carries, mut borrows) = ([0u64; 4], [false; 2]);
    for (x, y) in x.iter_mut().zip(y) {
        let (p, q) = if TURNED { (*y, *x) } else { (*x, *y) };
        let (kp, kq, lq, lp);
        (kp, carries[0]) = k[0].carrying_mul(p, carries[0]);
        (kq, carries[1]) = k[1].carrying_mul(q, carries[1]);
        (lq, carries[2]) = l[0].carrying_mul(q, carries[2]);
        (lp, carries[3]) = l[1].carrying_mul(p, carries[3]);
        (*x, borrows[0]) = kp.borrowing_sub(kq, borrows[0]);
        (*y, borrows[1]) = lq.borrowing_sub(lp, borrows[1]);
    }
}

/// Two numbers a >= b of `length` limbs, not both 0, with cofactors of the second: at the outset, with B for the second number,
///
/// a = -s p B, b = s q B modulo the first, where s = -1 if `negative`; a q + b p stays what it was.
///
/// The last makes the cofactors at most as long as the first number.
struct Pair<'w> {
    a: &'w mut [u64],
    b: &'w mut [u64],
    length: usize,
    /// Of two limbs more than the first number has.
    p: &'w mut [u64],
    q: &'w mut [u64],
    n_cofactor: usize,
    negative: bool,
}

impl<'w> Pair<'w> {
    /// A pair a >= b > 0 in this room of zeros, [`Pair::room_words`] long.
    fn new(a: &[u64], b: &[u64], room: &'w mut [u64]) -> Self {
        let n = a.len();
        let (first, rest) = room.split_at_mut(n);
        let (second, rest) = rest.split_at_mut(n);
        let (p, q) = rest.split_at_mut(rest.len() / 2);
        first.copy_from_slice(a);
        second[..b.len()].copy_from_slice(b);
        q[0] = 1;
        Self { a: first, b: second, length: n, p, q, n_cofactor: 1, negative: false }
    }

    fn room_words(limbs: usize) -> usize {
        4 * limbs + 4
    }

    fn swap(&mut self) {
        core::mem::swap(&mut self.a, &mut self.b);
        core::mem::swap(&mut self.p, &mut self.q);
        self.negative = !self.negative;
    }

    fn grow(&mut self, steps: &Steps) {
        self.n_cofactor = steps.grow(self.p, self.q, self.n_cofactor);
        self.negative ^= steps.odd;
    }

    /// The leading 126 bits of both numbers, of at least two limbs.
    fn windows(&self) -> [u128; 2] {
        let top = self.length - 1;
        let shift = self.a[top].leading_zeros();
        [&*self.a, &*self.b].map(|limbs| {
            let below = if top >= 2 { limbs[top - 2] } else { 0 };
            let whole = u128::from(limbs[top]) << 64 | u128::from(limbs[top - 1]);
            // Two shifts, because one by 64 is for shift = 0.
            (whole << shift | u128::from(below >> 1 >> (63 - shift))) >> 2
        })
    }

    /// Brings the longer number down to one limb, or the shorter to 0. Error: `interrupted`.
    fn reduce(&mut self, go_on: GoOn<'_>) -> Result<(), Error> {
        let mut words = 0;
        loop {
            words += self.length;
            if words > WORDS_BETWEEN {
                words = 0;
                if !go_on() {
                    return Err(Error::Interrupted);
                }
            }
            while self.length > 1 && self.a[self.length - 1] == 0 {
                self.length -= 1;
            }
            if self.length == 1 {
                return Ok(());
            }
            let [a, b] = self.windows();
            match Steps::of_windows(a, b) {
                Some(steps) => {
                    let n = self.length;
                    steps.shrink(&mut self.a[..n], &mut self.b[..n]);
                    self.grow(&steps);
                    if self.a[..n].iter().rev().lt(self.b[..n].iter().rev()) {
                        self.swap();
                    }
                }
                None if self.b[..self.length].iter().all(|&limb| limb == 0) => return Ok(()),
                None => self.divide(),
            }
        }
    }

    /// One step by a whole quotient: a, b = b, a mod b and p, q = q, p + quotient q.
    fn divide(&mut self) {
        let n = self.length;
        let divisor = Natural::from_limbs(&self.b[..n]);
        let (quotient, rest) = chores::div_rem(&Natural::from_limbs(&self.a[..n]), &divisor);
        let rest = rest.limbs();
        self.a[..rest.len()].copy_from_slice(rest);
        self.a[rest.len()..n].fill(0);
        let product = chores::mul(&quotient, &Natural::from_limbs(&self.q[..self.n_cofactor]));
        let sum = chores::add(&product, &Natural::from_limbs(&self.p[..self.n_cofactor]));
        let sum = sum.limbs();
        self.p[..sum.len()].copy_from_slice(sum);
        self.n_cofactor = self.n_cofactor.max(sum.len());
        self.swap();
    }

    /// Ends with the greatest common divisor, of one limb or longer, in `a`. Error: `interrupted`.
    fn finish(&mut self, go_on: GoOn<'_>) -> Result<(), Error> {
        self.reduce(go_on)?;
        if self.b[..self.length].iter().all(|&limb| limb == 0) {
            return Ok(());
        }
        let (steps, divisor) = Steps::of_words(self.a[0], self.b[0]);
        self.grow(&steps);
        // The last step, without the cofactor of 0.
        self.swap();
        (self.a[0], self.b[0]) = (divisor, 0);
        Ok(())
    }

    /// Whether the greatest common divisor, in `a`, is 1.
    fn is_coprime(&self) -> bool {
        self.length == 1 && self.a[0] == 1
    }
}

/// The greatest common divisor of two numbers above 0. Error: `interrupted`.
pub(super) fn gcd(a: &Natural, b: &Natural, go_on: GoOn<'_>) -> Result<Natural, Error> {
    let (long, short) = if a < b { (b, a) } else { (a, b) };
    let words = Pair::room_words(long.limbs().len());
    let mut room: SmallVec<[u64; FEW_WORDS]> = smallvec![0; words];
    let mut pair = Pair::new(long.limbs(), short.limbs(), &mut room);
    pair.finish(go_on)?;
    Ok(Natural::from_limbs(&pair.a[..pair.length]))
}

/// The inverse of 0 < `value` < `modulus`, in 1..modulus; none if gcd(value, modulus) > 1. Error: `interrupted`.
pub(super) fn inverse(value: &Natural, modulus: &Natural, go_on: GoOn<'_>) -> Result<Option<Natural>, Error> {
    debug_assert!(!value.is_zero() && value < modulus);
    if let &[m] = modulus.limbs() {
        return Ok(inverse_of_word(value.limbs()[0], m).map(Natural::from));
    }
    let n = modulus.limbs().len();
    let mut room: SmallVec<[u64; FEW_WORDS]> = smallvec![0; Pair::room_words(n)];
    let mut pair = Pair::new(modulus.limbs(), value.limbs(), &mut room);
    pair.finish(go_on)?;
    if !pair.is_coprime() {
        return Ok(None);
    }
    // 1 = a = -s p value.
    let factor = Natural::from_limbs(&pair.p[..n]);
    Ok(Some(if pair.negative { factor } else { chores::sub(modulus, &factor) }))
}

/// The inverse modulo a number of one limb.
fn inverse_of_word(value: u64, modulus: u64) -> Option<u64> {
    let (Steps { v: [_, cofactor], odd, .. }, divisor) = Steps::of_words(modulus, value);
    (divisor == 1).then(|| if odd { modulus - cofactor } else { cofactor })
}

#[cfg(test)]
#[path = "../../tests/inside/natural/euclid.rs"]
mod tests;
