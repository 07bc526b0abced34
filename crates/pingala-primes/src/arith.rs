//! Plain arithmetic on numbers of the library, outside the loops that take the time. Nothing here is constant-time.

use dashu_int::UBig;
use dashu_int::ops::SquareRoot;
use pingala_core::{Integer, Natural};
pub(crate) use pingala_core::{from_ubig, to_ubig};

/// start + k * step.
pub(crate) fn progression(start: &Natural, k: u64, step: &Natural) -> Natural {
    match to_u64(step).map(u128::from).map(|step| step * u128::from(k)) {
        Some(offset) if offset <= u128::from(u64::MAX) => start + offset as u64,
        _ => from_ubig(&(to_ubig(start) + to_ubig(step) * k)),
    }
}

/// The value if it fits a word.
pub(crate) fn to_u64(n: &Natural) -> Option<u64> {
    match *n.limbs() {
        [] => Some(0),
        [limb] => Some(limb),
        _ => None,
    }
}

/// The residue of an integer, in 0..modulus, for a modulus above 0.
pub(crate) fn reduce(value: &Integer, modulus: &Natural) -> Natural {
    let residue = to_ubig(value.magnitude()) % to_ubig(modulus);
    let negate = value.is_negative() && residue != UBig::ZERO;
    from_ubig(&if negate { to_ubig(modulus) - residue } else { residue })
}

/// Whether n is the square of an integer.
pub(crate) fn is_square(n: &Natural) -> bool {
    // Squares are 0, 1, 4, 9, 16, 17, 25, 33, 36, 41, 49 or 57 modulo 64.
    const SQUARES: u64 = 0x0202_0212_0203_0213;
    let low = n.limbs().first().copied().unwrap_or(0) % 64;
    if SQUARES >> low & 1 == 0 {
        return false;
    }
    let n = to_ubig(n);
    let root = n.sqrt();
    &root * &root == n
}

/// The inverse of `n` modulo a `modulus` above 1, both words, by the extended Euclidean algorithm; none if they have a factor in
/// common.
pub(crate) fn inverse_word(n: u64, modulus: u64) -> Option<u64> {
    let (mut r, mut next) = (i128::from(modulus), i128::from(n % modulus));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next != 0 {
        let quotient = r / next;
        (r, next) = (next, r - quotient * next);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    (r == 1).then(|| t.rem_euclid(i128::from(modulus)) as u64)
}
