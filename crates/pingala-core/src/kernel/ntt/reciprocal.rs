//! Reciprocals of long numbers by Newton's method, and divisions by them.
//!
//! A product of which one end is known is computed only modulo B^l - 1, B = 2^64, for an l that the other end fits: so is the rest of a
//! division, and the error of a step.

use super::length::MAX_LIMBS;
use super::product::{LongProducts, long_products, product, product_by_pieces};
use crate::natural::{Natural, chores, linear};

/// The longest reciprocal, in limbs, that is a quotient.
const SHORT: usize = 32;

/// 1 / d from below, for a number d of n limbs, none of them a zero on top. With B = 2^64 and the z leading zeros of d:
///
/// 1/d - 2^(4 + z) B^-(p + n) <= `reciprocal` B^-(p + n) <= 1/d, a relative error of at most 2^4 B^-p.
pub(crate) fn reciprocal(products: &mut dyn LongProducts, d: &[u64], p: usize) -> Vec<u64> {
    let zeros = d.last().map_or(0, |top| top.leading_zeros());
    // Zeros below, where d is shorter than the precision, change nothing; the shift leaves nothing at the top.
    let mut scaled = vec![0; p.saturating_sub(d.len())];
    scaled.extend(shifted_left(d, zeros));
    scaled.pop();
    let mut y = newton(products, &scaled, p, MAX_LIMBS);
    // The error of `newton` is at most 8 either way.
    linear::sub_shorter(&mut y, &[8]);
    shifted_left(&y, zeros)
}

/// A number of n + 1 limbs that is B^(p + n) modulo d, for a d of n limbs, none of them a zero on top: r = B^(p + n) - y d for y =
/// [`reciprocal`], from 0 to 2^(4 + z) d < 2^4 B^n.
///
/// The product is known modulo B^l - 1 for an l >= n, and r is rho + j (B^l - 1) for the rho < B^l - 1 that is known of it. The lowest limb
/// of r is that of -y d, because B divides B^(p + n), so that it tells j, which is at most 2^4.
pub(super) fn power_of_two(products: &mut dyn LongProducts, d: &[u64], p: usize) -> Vec<u64> {
    let n = d.len();
    let mut y = reciprocal(products, d, p);
    while y.last() == Some(&0) {
        y.pop();
    }
    products.set_factor(d, n.max(y.len()));
    let mut product = vec![0; products.limbs()];
    products.times(&mut product, &y);
    let mut unit = vec![0; p + n + 1];
    unit[p + n] = 1;
    let mut rest = difference(&unit, &product);
    let wraps = rest[0].wrapping_add(y[0].wrapping_mul(d[0]));
    debug_assert!(wraps <= 1 << 4);
    rest.push(wraps);
    linear::sub_shorter(&mut rest, &[wraps]);
    debug_assert!(rest[n + 1..].iter().all(|&limb| limb == 0), "below 2^4 B^n");
    rest.truncate(n + 1);
    rest
}

/// `a 2^count`, a limb longer.
fn shifted_left(a: &[u64], count: u32) -> Vec<u64> {
    let mut below = 0;
    let shifted = a.iter().chain(&[0]).map(|&limb| {
        let out = limb << count | (u128::from(below) << count >> 64) as u64;
        below = limb;
        out
    });
    shifted.collect()
}

/// Y with |Y - B^n / x| <= 8, in n + 1 limbs, for the number d with all its limbs behind the point: x from 1/2 to 1.
///
/// Of the y = Y_m / B^m for m limbs, |y - 1/x| <= 8 B^-m, one step makes y + y (1 - x_n y), where x_n is x cut to n limbs:
///
/// 1. h = 1 - x_n y. |h| <= 8 B^-m + 3 B^-n, as y <= 3 and x - x_n < B^-n.
/// 2. y + y h = (1 - h^2) / x_n. Here h^2 / x_n <= 2 (8 B^-m + 3 B^-n)^2 < B^-n for n <= 2m - 1, and 1 / x_n - 1 / x <= 4 B^-n.
/// 3. Cutting h at B^-(n + 2) and the product at B^-n loses less than 2 B^-n. Together that is less than 7 B^-n.
///
/// Products are of `most` limbs at most.
fn newton(products: &mut dyn LongProducts, d: &[u64], n: usize, most: usize) -> Vec<u64> {
    let cut = &d[d.len() - n..];
    if n <= SHORT {
        // floor(B^2n / D_n) differs from B^n / x by at most 5.
        let quotient = chores::div_rem(&Natural::power_of_two(128 * n as u64), &Natural::from_limbs(cut)).0;
        let mut out = quotient.limbs().to_vec();
        out.resize(n + 1, 0);
        return out;
    }
    let m = n / 2 + 1;
    let y = newton(products, d, m, most);
    // Both products by Y, modulo B^l - 1 with l >= n + 4; longer ones than transforms can do are whole, by pieces.
    let wide = n + 4 > most;
    if !wide {
        products.set_factor(&y, n + 4);
    }
    let mut times_y = |a: &[u64]| {
        if wide {
            return product_by_pieces(products, a, &y, most / 2);
        }
        let mut out = vec![0; products.limbs()];
        products.times(&mut out, a);
        out
    };
    // 1. h B^(n + m) = B^(n + m) - D_n Y, |h| B^(n + m) <= 8 B^n + 3 B^m: the limb on top of its residue shows the sign.
    let mut unit = vec![0; n + m + 1];
    unit[n + m] = 1;
    let mut h = difference(&unit, &times_y(cut));
    let negative = h[h.len() - 1] != 0;
    if negative {
        // B^l - 1 - |h|.
        h.iter_mut().for_each(|limb| *limb = !*limb);
    }
    debug_assert!(h[n + 1..].iter().all(|&limb| limb == 0));
    // 2. The limbs below m - 2 are cut, which is 3. This product has n + 4 limbs.
    let change = times_y(&h[m - 2..n + 1]);
    // y h B^n = Y h B^(n + m) / B^2m; m - 2 limbs are cut off already.
    let change = &change[m + 2..n + 4];
    let mut out = vec![0; n - m];
    out.extend(y);
    if negative {
        linear::sub_shorter(&mut out, change);
    } else {
        linear::add_shorter(&mut out, change);
    }
    out
}

/// a - b modulo B^l - 1, from 0 on and below, for a b of l limbs and an a of any length.
fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; b.len()];
    for piece in a.chunks(b.len()) {
        // The sum without its B^l is below B^l - 1, so that nothing is carried a second time.
        let carry = linear::add_shorter(&mut out, piece);
        linear::add_bit(&mut out, carry);
    }
    let borrow = linear::sub_assign(&mut out, b, false);
    // The difference with a B^l is above 0.
    linear::sub_shorter(&mut out, &[u64::from(borrow)]);
    if out.iter().all(|&limb| limb == u64::MAX) {
        linear::clear(&mut out);
    }
    out
}

/// A long divisor m, for dividends of limited length.
pub(crate) struct LongDivisor<'m> {
    m: &'m [u64],
    products: Box<dyn LongProducts>,
    /// [`reciprocal`] to this precision.
    inverse: Vec<u64>,
    precision: usize,
}

impl<'m> LongDivisor<'m> {
    /// For an m with no zero on top and dividends of up to `limbs` limbs: at least m's, and at most [`MAX_LIMBS`] / 2 - 3 more.
    pub(crate) fn new(m: &'m [u64], limbs: usize) -> Self {
        let precision = limbs - m.len() + 3;
        debug_assert!(2 * precision <= MAX_LIMBS);
        let mut products = long_products(2 * precision);
        products.foresee(2 * precision);
        let inverse = reciprocal(&mut *products, m, precision);
        Self { m, products, inverse, precision }
    }

    /// The remainder of a dividend x, with the length of m.
    pub(crate) fn remainder(&mut self, x: &[u64]) -> Vec<u64> {
        self.div_rem(x).1
    }

    /// Quotient and remainder of a dividend x; the remainder has the length of m.
    ///
    /// The quotient is estimated from the limbs of x above B^(n - 1), for the n limbs of m. What they leave is less than m, the inverse
    /// takes less than 1 from x / m < B^(precision - 2), and the estimate is cut: it is at most 3 too small, and never too large. So
    /// x less that multiple of m is below 4m < B^(n + 1) - 1, and known modulo that.
    pub(crate) fn div_rem(&mut self, x: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let n = self.m.len();
        debug_assert!(x.len() + 3 <= n + self.precision, "the dividend is as long as was said");
        let Some((_, upper)) = x.split_at_checked(n - 1).filter(|(_, upper)| !upper.is_empty()) else {
            let mut rest = x.to_vec();
            rest.resize(n, 0);
            return (Vec::new(), rest);
        };
        let estimate = product(&mut *self.products, upper, &self.inverse);
        let mut quotient = estimate[self.precision + 1..].to_vec();
        self.products.set_factor(self.m, quotient.len().max(n + 1));
        let mut multiple = vec![0; self.products.limbs()];
        self.products.times(&mut multiple, &quotient);
        let mut rest = difference(x, &multiple);
        debug_assert!(rest[n + 1..].iter().all(|&limb| limb == 0), "below 4m");
        rest.truncate(n + 1);
        let mut corrections = 0;
        while rest[n] != 0 || !linear::less(&rest[..n], self.m) {
            linear::sub_shorter(&mut rest, self.m);
            corrections += 1;
        }
        debug_assert!(corrections <= 3);
        rest.truncate(n);
        quotient.push(0);
        linear::add_word(&mut quotient, corrections);
        (quotient, rest)
    }

    /// a^2.
    pub(crate) fn square(&mut self, a: &[u64]) -> Vec<u64> {
        let mut out = vec![0; 2 * a.len()];
        self.products.square(&mut out, a, 2 * a.len());
        out
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/ntt_reciprocal.rs"]
mod tests;
