//! Reciprocals of long numbers by Newton's method.

use crate::kernel::ntt::{self, LongProducts};
use crate::natural::{Natural, chores, linear};

/// The longest reciprocal, in limbs, that is a quotient.
const SHORT: usize = 8;

/// 1 / d from below, for a number d of n limbs, none of them a zero on top. With B = 2^64 and the z leading zeros of d:
///
/// 1/d - 2^(4 + z) B^-(p + n) <= `reciprocal` B^-(p + n) <= 1/d, a relative error of at most 2^4 B^-p.
pub(super) fn reciprocal(products: &mut dyn LongProducts, d: &[u64], p: usize) -> Vec<u64> {
    let zeros = d.last().map_or(0, |top| top.leading_zeros());
    // Zeros below, where d is shorter than the precision, change nothing; the shift leaves nothing at the top.
    let mut scaled = vec![0; p.saturating_sub(d.len())];
    scaled.extend(shifted_left(d, zeros));
    scaled.pop();
    let mut y = newton(products, &scaled, p);
    // The error of `newton` is at most 8 either way.
    linear::sub_shorter(&mut y, &[8]);
    shifted_left(&y, zeros)
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
fn newton(products: &mut dyn LongProducts, d: &[u64], n: usize) -> Vec<u64> {
    let cut = &d[d.len() - n..];
    if n <= SHORT {
        // floor(B^2n / D_n) differs from B^n / x by at most 5.
        let quotient = chores::div_rem(&Natural::power_of_two(128 * n as u64), &Natural::from_limbs(cut)).0;
        let mut out = quotient.limbs().to_vec();
        out.resize(n + 1, 0);
        return out;
    }
    let m = n / 2 + 1;
    let y = newton(products, d, m);
    // 1. h B^(n + m) = B^(n + m) - D_n Y, which is B^(n + m) (1 +- tiny): what is above tells the sign.
    let mut h = ntt::product(products, cut, &y);
    h.truncate(n + m + 1);
    let negative = h[n + m] != 0;
    if !negative {
        linear::negate(&mut h[..n + m]);
    }
    // 2. |h| B^(n + m) <= 8 B^n + 3 B^m. The limbs below m - 2 are cut, which is 3.
    debug_assert!(h[n + 1..n + m].iter().all(|&limb| limb == 0));
    let change = ntt::product(products, &h[m - 2..n + 1], &y);
    // y h B^n = Y h B^(n + m) / B^2m; m - 2 limbs are cut off already.
    let change = &change[m + 2..];
    let mut out = vec![0; n - m];
    out.extend(y);
    if negative {
        linear::sub_shorter(&mut out, change);
    } else {
        linear::add_shorter(&mut out, change);
    }
    out
}
