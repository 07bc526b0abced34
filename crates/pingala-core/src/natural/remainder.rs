//! The remainder of a long number by a word.

/// Parts of the number that are reduced side by side, because each step waits for the one before.
const PARTS: usize = 4;

/// The least number of limbs for which the parts pay.
pub(crate) const LEAST_LIMBS: usize = 64;

/// The remainder of a number by a word that is not 0.
///
/// 1. Shift the word to its full length. The result d is a multiple of the word, so that the limbs need no shift.
/// 2. Cut the number into four parts of equal length, with the rest of the limbs on top of the highest.
/// 3. For each part take r = 0, and for each of its limbs from the highest on r <- r 2^64 + limb modulo d: a division of two words by one
///    with the reciprocal of d [moller2011improved, algorithm 4].
/// 4. Put the parts together by Horner's rule modulo d, and reduce modulo the word.
pub(crate) fn rem_by_word(limbs: &[u64], word: u64) -> u64 {
    let d = word << word.leading_zeros();
    let reciprocal = (u128::MAX / u128::from(d)) as u64;
    let step = |r: u64, limb: u64| {
        debug_assert!(r < d);
        let q = u128::from(reciprocal) * u128::from(r) + (u128::from(r) << 64 | u128::from(limb));
        let (high, low) = ((q >> 64) as u64, q as u64);
        let rest = limb.wrapping_sub(high.wrapping_add(1).wrapping_mul(d));
        // The quotient was one too large.
        let rest = if rest > low { rest.wrapping_add(d) } else { rest };
        if rest >= d { rest - d } else { rest }
    };
    let length = limbs.len() / PARTS;
    let (below, top) = limbs.split_at(PARTS * length);
    let mut rests = [0; PARTS];
    rests[PARTS - 1] = top.iter().rev().fold(0, |r, &limb| step(r, limb));
    let (low, high) = below.split_at(2 * length);
    let ((a, b), (c, e)) = (low.split_at(length), high.split_at(length));
    for (((a, b), c), e) in a.iter().zip(b).zip(c).zip(e).rev() {
        let limbs = [a, b, c, e];
        for (r, limb) in rests.iter_mut().zip(limbs) {
            *r = step(*r, *limb);
        }
    }
    let product = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(d)) as u64;
    // 2^(64 length) modulo d, from the highest bit of the length on.
    let mut power = 1 % d;
    for bit in (0..usize::BITS - length.leading_zeros()).rev() {
        power = product(power, power);
        if length >> bit & 1 == 1 {
            power = ((u128::from(power) << 64) % u128::from(d)) as u64;
        }
    }
    let whole = rests
        .iter()
        .rev()
        .fold(0u64, |sum, &r| ((u128::from(product(sum, power)) + u128::from(r)) % u128::from(d)) as u64);
    whole % word
}

#[cfg(test)]
#[path = "../../tests/inside/natural/remainder.rs"]
mod tests;
