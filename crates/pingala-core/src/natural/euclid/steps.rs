//! Steps of Euclid's algorithm on the leading parts of two numbers.
//!
//! The leading 126 bits give about 37 quotients, in two halves of at most 63 bits each, so that one pass over the numbers takes 60 bits off
//! each. The quotients need not be those of the numbers, it is enough that both remainders are above 0 (then they are smaller, and have the same
//! greatest common divisor). Each half divides single words, so that no step waits for a branch.

use super::symbol::Track;

/// Bits of the leading parts of which a half takes quotients.
const HALF: u32 = 63;

/// Bits below the leading parts that the remainders keep in any case: see [`Steps::of_windows`].
pub(super) const KEPT: usize = 32;

/// The slack of each half, in bits: see [`Steps::of_windows`].
const SLACK: [u32; 2] = [1, 2];

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
    fn append(&mut self, x: u64, y: u64, slack: u32, track: &mut impl Track) -> bool {
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
            track.step(quotient);
            count += 1;
        }
        self.odd ^= count & 1 == 1;
        count > 0
    }

    /// Steps for two numbers of which `a` >= `b` are the leading parts, at most 126 bits: floor(number / 2^k) for one k. Both new
    /// numbers are at least 2^(k + [`KEPT`]), after each of the steps. None if the first quotient is too long, or the numbers are too close to
    /// each other.
    ///
    /// First half, on x = floor(a / 2^63), y = floor(b / 2^63). The numbers are x + f and y + g times 2^(k+63) with f and g in [0, 1), so that
    /// a remainder of them is r + z f - w g times as much, above r - w; or r - z f + w g, above r - z >= r - w. This is w at least, because
    /// 2 w <= r. Cofactors are below 2^31.
    ///
    /// Second half, on the leading 63 bits of the remainders c and d of a and b, shifted down by s >= 32. With the first half's cofactors, a
    /// number is (c + e) 2^k with |e| < 2^31 <= 2^(s - 1), the other likewise. So the numbers are x + f, y + g times 2^(k+s) with f and g in
    /// (-0.5, 1.5), and a remainder of them is above r - 1.5 w - 0.5 z >= r - 2 w, which is 2 w at least because 2^2 w <= r. The second half's
    /// cofactors are below 2^30.5: a sum of two products with those of the first half is below 2^63.
    #[inline(always)]
    pub(super) fn of_windows(a: u128, b: u128, track: &mut impl Track) -> Option<Self> {
        debug_assert!(b <= a && a >> (2 * HALF) == 0);
        let mut steps = Self::NONE;
        if !steps.append((a >> HALF) as u64, (b >> HALF) as u64, SLACK[0], track) {
            return None;
        }
        let [c, d] = steps.applied(a, b);
        let length = u128::BITS - c.leading_zeros();
        // Both are positive; the order of c and d may be wrong if the remainders of x and y were close.
        if d <= c && length >= HALF + 32 {
            let shift = length - HALF;
            steps.append((c >> shift) as u64, (d >> shift) as u64, SLACK[1], track);
        }
        Some(steps)
    }

    /// All steps on single words a >= b > 0 but the last one, after which b would be 0, and their greatest common divisor.
    #[inline(always)]
    pub(super) fn of_words(a: u64, b: u64, track: &mut impl Track) -> (Self, u64) {
        let (mut r, mut steps) = ([a, b], Self::NONE);
        while r[1] > 1 {
            let (quotient, rest) = (r[0] / r[1], r[0] % r[1]);
            if rest == 0 {
                break;
            }
            track.step(quotient);
            // The cofactors of a rest above 0 are at most r[0] < 2^64.
            let next = |c: [u64; 2]| [c[1], c[0] + quotient * c[1]];
            (r, steps) = ([r[1], rest], Self { u: next(steps.u), v: next(steps.v), odd: !steps.odd });
        }
        (steps, r[1])
    }

    /// The two new numbers, which are below 2^128.
    #[inline(always)]
    pub(super) fn applied(&self, a: u128, b: u128) -> [u128; 2] {
        let row = |i: usize| {
            let (p, q) = (a.wrapping_mul(self.u[i].into()), b.wrapping_mul(self.v[i].into()));
            if self.odd ^ (i == 1) { q.wrapping_sub(p) } else { p.wrapping_sub(q) }
        };
        [row(0), row(1)]
    }

    /// Applies the steps in place, to numbers of one length; the cofactors are below 2^63.
    pub(super) fn shrink(&self, a: &mut [u64], b: &mut [u64]) {
        let ([u0, u1], [v0, v1]) = (self.u, self.v);
        // The minuend of the first row is of a after an even number of steps, of b after an odd one.
        if self.odd {
            subtract_rows::<true>([v0, u0], [u1, v1], a, b);
        } else {
            subtract_rows::<false>([u0, v0], [v1, u1], a, b);
        }
    }

    /// p, q = u\[0\] p + v\[0\] q, u\[1\] p + v\[1\] q, of `length` limbs with two more limbs of room, which are 0; the cofactors are below
    /// 2^63. Returns the new length.
    ///
    /// Two products and a carry are at most 2 (2^63 - 1) (2^64 - 1) + 2^64 - 1 < 2^128.
    pub(super) fn grow(&self, p: &mut [u64], q: &mut [u64], length: usize) -> usize {
        debug_assert!(self.u.iter().chain(&self.v).all(|c| c >> 63 == 0));
        let [u0, u1] = self.u.map(u128::from);
        let [v0, v1] = self.v.map(u128::from);
        let mut carries = [0u64; 2];
        for (p, q) in p[..length].iter_mut().zip(&mut q[..length]) {
            let (x, y) = (u128::from(*p), u128::from(*q));
            let first = u0 * x + v0 * y + u128::from(carries[0]);
            let second = u1 * x + v1 * y + u128::from(carries[1]);
            (*p, *q) = (first as u64, second as u64);
            carries = [(first >> 64) as u64, (second >> 64) as u64];
        }
        (p[length], q[length]) = (carries[0], carries[1]);
        length + usize::from(carries != [0, 0])
    }

    /// [`Self::grow`] for cofactors of whole words.
    pub(super) fn grow_by_words(&self, p: &mut [u64], q: &mut [u64], length: usize) -> usize {
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

/// x, y = k\[0\] p - k\[1\] q, l\[0\] q' - l\[1\] p', both at least 0, where p, q are x, y, or y, x if `TURNED`, and p', q' likewise; the factors
/// are below 2^63.
///
/// A product is at most (2^63 - 1) (2^64 - 1) = 2^127 - 3 2^63 + 1, so a difference of two and a carry from -2^63 to 2^63 - 1 fits 128 bits.
#[inline(always)]
fn subtract_rows<const TURNED: bool>(k: [u64; 2], l: [u64; 2], x: &mut [u64], y: &mut [u64]) {
    debug_assert!(k.iter().chain(&l).all(|c| c >> 63 == 0));
    let product = |factor: u64, limb: u64| (u128::from(factor) * u128::from(limb)).cast_signed();
    let mut carries = [0i64; 2];
    for (x, y) in x.iter_mut().zip(y) {
        let (p, q) = if TURNED { (*y, *x) } else { (*x, *y) };
        let first = product(k[0], p) - product(k[1], q) + i128::from(carries[0]);
        let second = product(l[0], q) - product(l[1], p) + i128::from(carries[1]);
        (*x, *y) = (first as u64, second as u64);
        carries = [(first >> 64) as i64, (second >> 64) as i64];
    }
    debug_assert!(carries == [0, 0]);
}
