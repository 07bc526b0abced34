//! Decimal digits and limbs by divide and conquer over long products, in time nearly proportional to the length.
//!
//! Digits are split in halves down to leaves of about a thousand digits ([`Fives`]), a level at a time, because the products of a level
//! have one factor, 5^h, whose transform is made once.
//!
//! **Reading.** high 10^h + low = (high 5^h) 2^h + low.
//!
//! **Writing** divides at the top only. Node (x, k), x < 10^k, is the fraction f = (x + theta) / 10^k, for a theta from 1/16 to 15/16, in
//! limbs behind the point, one more than 10^k has. With h = k/2 and x = high 10^h + low:
//!
//! 1. The lower half is f 10^h mod 1 = (low + theta) / 10^h. The limbs of f above those that 2^h shifts out of it are not needed, nor the
//!    lowest ones of the product: it is a product modulo 2^m - 1 for an m not much above the length of f.
//! 2. The upper half is f itself with half the limbs: its theta is (low + theta) / 10^h, which may come too close to 0 or 1. If it is
//!    below 1/2, about 10^-h / 8 to 10^-h / 4 is added to f, else subtracted: theta is between 1/8 and 7/8.
//! 3. A leaf gives its digits from the top, up to 19 for each product by a power of ten; limbs that the digits left do not need are dropped.
//!
//! **Errors.** What is cut below the lowest limb is less than 2^-64 10^-k, so theta loses less than 2^-64 each time, and fewer than 2^20 times;
//! the carry that a product modulo 2^m - 1 may add is as small. The fraction of the top is within 2^-59 of its theta of 1/8 to 1/4.
//!
//! Fractions instead of remainders are [bernstein2004scaled]'s.

use super::five::{Fives, joined_limbs, limbs};
use crate::kernel::ntt::{self, LongProducts, MAX_LIMBS, reciprocal};
use crate::natural::chores::decimal_bits;
use crate::natural::{Natural, chores, linear};

/// Digits from which on this is the quicker way to read, and to write, if transforms are linked: docs/records/decimal-text.md.
const LONG_READ: usize = 12_000;
const LONG_WRITTEN: usize = 80_000;
/// Digits of a step in a leaf: they fit a limb.
const STEP: usize = 19;

/// The number of decimal digits, of which the first is not 0; 0 for none.
pub(super) fn read(digits: &str) -> Natural {
    if !ntt::LINKED || digits.len() < LONG_READ {
        return chores::from_decimal(digits);
    }
    read_by(digits.as_bytes(), &mut Fives::new(digits.len()))
}

/// The decimal digits, no leading zero; `0` for 0.
pub(super) fn write(value: &Natural) -> String {
    // floor(bits log10(2)) + 1, or one more: log10(2) < 0.30103.
    let digits = (u128::from(value.bits()) * 30_103 / 100_000) as usize + 1;
    if !ntt::LINKED || digits < LONG_WRITTEN {
        return chores::to_decimal(value);
    }
    write_by(value, &mut Fives::new(digits), MAX_LIMBS)
}

fn read_by(digits: &[u8], fives: &mut Fives) -> Natural {
    let mut h = fives.leaf;
    // Least significant first, `limbs(h)` limbs each.
    let mut numbers = vec![0; digits.len().div_ceil(h) * limbs(h)];
    for (digits, number) in digits.rchunks(h).zip(numbers.chunks_exact_mut(limbs(h))) {
        let leaf = chores::from_decimal(core::str::from_utf8(digits).expect("ASCII digits"));
        number[..leaf.limbs().len()].copy_from_slice(leaf.limbs());
    }
    let Fives { powers, products, .. } = fives;
    for five in powers.iter() {
        let (half, whole, shift) = (limbs(h), limbs(2 * h), h / 64);
        let mut wholes = vec![0; numbers.len().div_ceil(2 * half) * whole];
        let product = joined_limbs(h, five.limbs());
        if product <= MAX_LIMBS {
            products.set_factor(five.limbs(), product);
        }
        for (pair, out) in numbers.chunks(2 * half).zip(wholes.chunks_exact_mut(whole)) {
            let (low, high) = pair.split_at(half);
            // An odd number of halves leaves one without another above it.
            if !high.is_empty() {
                let out = &mut out[shift..];
                if product <= MAX_LIMBS {
                    products.times(out, high);
                } else {
                    // Zeros are above.
                    let product = ntt::product(&mut **products, high, five.limbs());
                    out.iter_mut().zip(product).for_each(|(out, limb)| *out = limb);
                }
            }
            linear::add_shorter(out, low);
        }
        numbers = wholes;
        h *= 2;
    }
    Natural::from_limbs(&numbers)
}

/// 10^digits, for at most [`STEP`] digits.
fn ten(digits: usize) -> u64 {
    10u64.pow(digits as u32)
}

/// Limbs of the fraction of a node of k digits.
fn precision(k: usize) -> usize {
    limbs(k) + 1
}

/// `longest`: the longest product, in limbs, that makes a fraction.
fn write_by(value: &Natural, fives: &mut Fives, longest: usize) -> String {
    let mut digits = vec![b'0'; fives.digits()];
    let (mut k, mut level) = (fives.digits(), fives.powers.len());
    // Most significant first.
    let mut numbers = vec![value.clone()];
    // Parts of 1 / 5^k: the limbs of 5^k, and the reciprocal to the precision of a node.
    let mut inverse = None;
    while 2 * precision(k) + 1 > longest && level > 0 {
        level -= 1;
        k /= 2;
        let (five, products) = (&fives.powers[level], &mut *fives.products);
        let by = reciprocal(products, five.limbs(), precision(k));
        numbers = numbers.iter().flat_map(|x| split(products, x, five, &by, k)).collect();
        inverse = Some((five.limbs().len(), by));
    }
    let (five_limbs, inverse) = inverse.unwrap_or_else(|| {
        let five = fives.next();
        (five.limbs().len(), reciprocal(&mut *fives.products, five.limbs(), precision(k)))
    });
    let Fives { powers, products, .. } = fives;
    let mut fractions: Vec<u64> = Vec::with_capacity(numbers.len() * precision(k));
    for x in &numbers {
        fractions.extend(fraction(&mut **products, x, five_limbs, &inverse, k));
    }
    drop((numbers, inverse));
    for five in powers[..level].iter().rev() {
        k /= 2;
        fractions = halves(&mut **products, &fractions, five.limbs(), k);
    }
    for (fraction, digits) in fractions.chunks_exact_mut(precision(k)).zip(digits.chunks_exact_mut(k)) {
        write_leaf(fraction, digits);
    }
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.drain(..zeros.min(fives.digits() - 1));
    String::from_utf8(digits).expect("ASCII digits")
}

/// x < 10^2h as high and low, both below 10^h; `inverse` is [`reciprocal`] of 5^h to the precision of h digits.
fn split(products: &mut dyn LongProducts, x: &Natural, five: &Natural, inverse: &[u64], h: usize) -> [Natural; 2] {
    let (low, upper) = x.limbs().split_at((h / 64).min(x.limbs().len()));
    // upper = high 5^h + rest. upper / 5^h < 10^h, so the inverse takes less than 2^-60 from it, and the cut less than 1.
    let quotient = ntt::product(products, upper, inverse);
    let cut = precision(h) + five.limbs().len();
    let mut high = Natural::from_limbs(quotient.get(cut..).unwrap_or_default());
    let mut rest = chores::sub(
        &Natural::from_limbs(upper),
        &Natural::from_limbs(&ntt::product(products, high.limbs(), five.limbs())),
    );
    if rest >= *five {
        rest = chores::sub(&rest, five);
        high = chores::add(&high, &Natural::from(1u64));
    }
    debug_assert!(rest < *five);
    [high, Natural::from_limbs(&[low, rest.limbs()].concat())]
}

/// The fraction of a node at the top; `inverse` as for [`split`], of 5^k, which has `five_limbs` limbs.
fn fraction(products: &mut dyn LongProducts, x: &Natural, five_limbs: usize, inverse: &[u64], k: usize) -> Vec<u64> {
    let mut fraction = ntt::product(products, x.limbs(), inverse);
    fraction.drain(..(five_limbs + k / 64).min(fraction.len()));
    fraction.resize(precision(k), 0);
    nudge(&mut fraction, k, true);
    fraction
}

/// Adds 10^-k / 8 to 10^-k / 4 to the fraction of a node, or subtracts as much.
fn nudge(fraction: &mut [u64], k: usize, up: bool) {
    let bit = 64 * fraction.len() - decimal_bits(k) as usize - 3;
    let (from, by) = (&mut fraction[bit / 64..], [1 << (bit % 64)]);
    let over = if up { linear::add_shorter(from, &by) } else { linear::sub_shorter(from, &by) };
    debug_assert!(!over);
}

/// Each node of 2h digits as two of h digits.
fn halves(products: &mut dyn LongProducts, fractions: &[u64], five: &[u64], h: usize) -> Vec<u64> {
    let (whole, half) = (precision(2 * h), precision(h));
    let mut out = vec![0; fractions.len() / whole * 2 * half];
    // 1.
    let kept = whole - h / 64;
    products.set_factor(five, kept.max(half + five.len()));
    let mut product = vec![0; kept];
    for (fraction, pair) in fractions.chunks_exact(whole).zip(out.chunks_exact_mut(2 * half)) {
        let (high, low) = pair.split_at_mut(half);
        products.times(&mut product, &fraction[..kept]);
        low.copy_from_slice(&product[kept - half..]);
        // 2.
        high.copy_from_slice(&fraction[whole - half..]);
        nudge(high, h, low[half - 1] >> 63 == 0);
    }
    out
}

/// The digits of a leaf, whose fraction is used up.
fn write_leaf(fraction: &mut [u64], digits: &mut [u8]) {
    let mut left = digits.len();
    let (first, rest) = digits.split_at_mut(digits.len() % STEP);
    for step in core::iter::once(first).chain(rest.chunks_exact_mut(STEP)) {
        // 3.
        let (factor, mut carry) = (ten(step.len()), 0);
        let unneeded = fraction.len() - precision(left);
        for limb in &mut fraction[unneeded..] {
            let sum = u128::from(*limb) * u128::from(factor) + u128::from(carry);
            (*limb, carry) = (sum as u64, (sum >> 64) as u64);
        }
        left -= step.len();
        for digit in step.iter_mut().rev() {
            *digit = b'0' + (carry % 10) as u8;
            carry /= 10;
        }
        debug_assert!(carry == 0);
    }
}

#[cfg(test)]
#[path = "../../tests/inside/text/decimal.rs"]
mod tests;
