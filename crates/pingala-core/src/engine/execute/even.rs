//! Powers of two and even moduli.
//!
//! Lemmas: Even.recombined_below, Even.recombined_modulo_odd, Even.recombined_modulo_two, Even.recombined_unique,
//! Even.reduced_modulo_power_of_two, Even.even_base_vanishes (proofs/README.md).

use crate::engine::execute::{Prepared, stack_or_heap};
use crate::engine::plan::EvenRecombination;
use crate::exponent::Exponent;
use crate::kernel::basecases::with_leaf;
use crate::kernel::hensel;
use crate::kernel::montgomery::LEAF;
use crate::kernel::ntt::{self, MAX_LIMBS, long_products};
use crate::kernel::product::comba::Comba;
use crate::kernel::product::{Leaf, accumulate, low};
use crate::natural::{Natural, linear};
use std::borrow::Cow;

/// The remaining work modulo 2^k.
pub(crate) enum Reduced<'e> {
    /// Nothing: the power is this.
    Known(Natural),
    /// The power to this exponent.
    Exponent(Cow<'e, Exponent>),
}

/// The exponent that gives the same power modulo 2^k. An even base to the power e >= k is 0; odd residues form a group
/// of exponent 2^(k-2) (k >= 3), 2 (k = 2) or 1 (k = 1).
#[inline]
pub(crate) fn reduce_exponent<'e>(base: &Natural, exponent: &'e Exponent, k: u64) -> Reduced<'e> {
    if base.is_even() {
        let small = (exponent.bits() <= 64).then(|| exponent.magnitude().limbs()[0]);
        let vanishes = base.is_zero() || small.is_none_or(|e| e.saturating_mul(base.trailing_zeros()) >= k);
        return if vanishes { Reduced::Known(Natural::default()) } else { Reduced::Exponent(Cow::Borrowed(exponent)) };
    }
    let group_bits = match k {
        1 => 0,
        2 => 1,
        _ => k - 2,
    };
    if exponent.bits() as u64 <= group_bits {
        return Reduced::Exponent(Cow::Borrowed(exponent));
    }
    match Exponent::new(exponent.magnitude().low_bits(group_bits)) {
        Some(exponent) => Reduced::Exponent(Cow::Owned(exponent)),
        None => Reduced::Known(Natural::from(1u64)),
    }
}

/// The residue modulo odd * 2^k from the residues modulo odd and modulo 2^k:
/// x = x_odd + odd * ((x_two - x_odd) * odd^-1 mod 2^k). The result replaces the residue modulo odd.
pub(crate) fn recombine(modulus: &Prepared, residue: &mut Natural, modulo_two: &Natural) {
    let length = modulus.facts().value().limbs().len();
    residue.change(length, |x| {
        match EvenRecombination::fastest(modulus.facts().trailing_zeros().div_ceil(64) as usize) {
            EvenRecombination::Transforms if ntt::LINKED => recombine_by_transforms(modulus, x, modulo_two.limbs()),
            way => recombine_in_place::<false>(way, modulus, x, modulo_two.limbs()),
        }
    });
}

/// [`recombine`] for secrets, on limbs. `x_odd` is at most as long as the odd part, `x_two` at most as long as 2^k, `out` at least
/// as long as the modulus. Wipes its memory.
pub(crate) fn recombine_secrets(modulus: &Prepared, out: &mut [u64], x_odd: &[u64], x_two: &[u64]) {
    let (x, above) = out.split_at_mut(modulus.facts().value().limbs().len());
    let (low, high) = x.split_at_mut(x_odd.len());
    low.copy_from_slice(x_odd);
    high.fill(0);
    above.fill(0);
    let way = EvenRecombination::fastest(modulus.facts().trailing_zeros().div_ceil(64) as usize);
    recombine_in_place::<true>(way, modulus, x, x_two);
}

/// `x` = the residue modulo the whole, as long as that, from x = x_odd and `x_two`, in the steps of [`recombine_in_place`].
fn recombine_by_transforms(modulus: &Prepared, x: &mut [u64], x_two: &[u64]) {
    let (k, odd) = (modulus.facts().trailing_zeros() as usize, modulus.facts().odd().limbs());
    let words = k.div_ceil(64);
    let longest = (words + words.max(odd.len())).min(MAX_LIMBS);
    let mut products = long_products(longest);
    products.foresee(longest);
    let mut difference = vec![0; words];
    let shared = x_two.len().min(words);
    difference[..shared].copy_from_slice(&x_two[..shared]);
    linear::sub_assign(&mut difference, &x[..words], false);
    let own;
    let inverse = match modulus.kept_odd_inverse() {
        Some(inverse) => inverse,
        None => {
            own = ntt::inverse(&mut *products, odd, words);
            &own[..]
        }
    };
    let mut t = ntt::product(&mut *products, &difference, inverse);
    linear::truncate(&mut t[..words], k);
    let product = ntt::product(&mut *products, odd, &t[..words]);
    // Below m.
    let length = product.len().min(x.len());
    linear::add_shorter(x, &product[..length]);
}

/// Words of memory of a recombination with one or two words.
const FEW_WORDS: usize = 8;

/// Words of memory of a recombination that need no allocation.
const STACK_WORDS: usize = 40;

/// `x` = the residue modulo the whole, as long as that, from x = x_odd and `x_two`. Branch-free in the values.
fn recombine_in_place<const SECRET: bool>(way: EvenRecombination, modulus: &Prepared, x: &mut [u64], x_two: &[u64]) {
    if way == EvenRecombination::Divide {
        return recombine_on::<SECRET>(Comba(LEAF), way, modulus, x, x_two);
    }
    with_leaf!(leaf => recombine_on::<SECRET>(leaf, way, modulus, x, x_two))
}

/// [`recombine_in_place`] by the products of a family.
#[inline]
fn recombine_on<const SECRET: bool>(
    leaf: impl Leaf<u64>,
    way: EvenRecombination,
    modulus: &Prepared,
    x: &mut [u64],
    x_two: &[u64],
) {
    let facts = modulus.facts();
    let (k, odd) = (facts.trailing_zeros(), facts.odd().limbs());
    let words = k.div_ceil(64) as usize;
    let last_words = accumulate::scratch_words(odd.len(), words, leaf.words());
    let room_words = words + (words + low::scratch_words(words, leaf.words())).max(last_words);
    stack_or_heap!(room = [0; room_words], FEW_WORDS, STACK_WORDS);
    let (t, last) = room.split_at_mut(words);
    let (difference, scratch) = last.split_at_mut(words);
    // d = (x_two - x_odd) mod 2^(64 words)
    let shared = x_two.len().min(words);
    difference[..shared].copy_from_slice(&x_two[..shared]);
    let mut borrow = false;
    for (word, &subtrahend) in difference.iter_mut().zip(&*x) {
        (*word, borrow) = word.borrowing_sub(subtrahend, borrow);
    }
    // t = d * odd^-1 mod 2^k
    match modulus.kept_odd_inverse() {
        Some(inverse) => low::low_mul(t, difference, inverse, leaf, scratch),
        None if matches!(way, EvenRecombination::Divide | EvenRecombination::DivideOnLeaf) => {
            hensel::divide(t, difference, odd);
        }
        None => {
            let inverse = hensel::quickest_inverse(odd, k as usize);
            low::low_mul(t, difference, &inverse, leaf, scratch);
        }
    }
    if !k.is_multiple_of(64) {
        t[words - 1] &= u64::MAX >> (64 - k % 64);
    }
    // x_odd + odd * t < odd + odd * (2^k - 1) = m
    accumulate::add_product(x, odd, t, leaf, last);
    if SECRET {
        linear::wipe(room);
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/even.rs"]
mod tests;
