//! Inverses modulo odd numbers, branch-free in all values.

use super::linear::{add_masked, add_word, negate_by_mask};
use super::word::Word;
use crate::natural::Wiped;
use alloc::vec;

/// The inverse of `value` modulo an odd `modulus`, and 0 if there is one, otherwise a word that is not 0. Both have the
/// same length, and the value is below the modulus, which has at most `bits` bits. Lengths are public, the values are not.
///
/// Stein's binary algorithm [menezes1996handbook, 14.61], with these departures: a and b shrink in turn, one step a bit, and the
/// number of steps is that of their bits together; each step does everything, by masks; b is always odd; only a and u are
/// halved.
///
/// With A the value, a = u A and b = v A modulo m throughout. A step:
/// 1. if a is odd, a <- |a - b|, and b <- the lesser of both; the cofactors likewise, modulo m;
/// 2. a <- a / 2, u <- u / 2 modulo m.
///
/// The bits of a and b together are fewer by one after each step that leaves a above 0, and a = 0 stays 0: at the end b is
/// the greatest common divisor.
pub(crate) fn inverse(value: &[u64], modulus: &[u64], bits: usize) -> (Wiped, u64) {
    let n = modulus.len();
    debug_assert!(value.len() == n && modulus[0] & 1 == 1);
    let copy = |limbs: &[u64]| Wiped::new(limbs.to_vec());
    let (mut a, mut b) = (copy(value), copy(modulus));
    let (mut u, mut v) = (Wiped::new(vec![0; n]), Wiped::new(vec![0; n]));
    u[0] = 1;
    // (m + 1) / 2, which is 1 / 2 modulo m.
    let mut half = copy(modulus);
    shift_right(&mut half);
    let carry = add_word(&mut half, 1);
    debug_assert!(!carry);
    for _ in 0..2 * bits {
        // Step 1.
        let odd = u64::mask(a[0] & 1 == 1);
        let is_below = sub_masked(&mut a, &b, odd);
        let below = u64::mask(is_below);
        add_masked(&mut b, &a, below);
        negate_by_mask(&mut a, below, is_below);
        swap_masked(&mut u, &mut v, below);
        let borrow = sub_masked(&mut u, &v, odd);
        add_masked(&mut u, modulus, u64::mask(borrow));
        // Step 2.
        shift_right(&mut a);
        let odd = u64::mask(u[0] & 1 == 1);
        shift_right(&mut u);
        add_masked(&mut u, &half, odd);
    }
    let rest = a.iter().fold(b[0] ^ 1, |all, limb| all | limb);
    (v, b[1..].iter().fold(rest, |all, limb| all | limb))
}

/// `a -= b` if the mask is ones; returns the borrow.
fn sub_masked(a: &mut [u64], b: &[u64], mask: u64) -> bool {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, borrow) = a.borrowing_sub(b & mask, borrow);
    }
    borrow
}

fn swap_masked(a: &mut [u64], b: &mut [u64], mask: u64) {
    for (a, b) in a.iter_mut().zip(b) {
        let difference = (*a ^ *b) & mask;
        (*a, *b) = (*a ^ difference, *b ^ difference);
    }
}

/// Halves a number, rounding down.
pub(crate) fn shift_right(a: &mut [u64]) {
    let above: u64 = 0;
    a.iter_mut().rev().fold(above, |above, limb| {
        let low = *limb;
        *limb = low >> 1 | above << 63;
        low
    });
}

#[cfg(test)]
#[path = "../../tests/inside/natural/odd_inverse.rs"]
mod tests;
