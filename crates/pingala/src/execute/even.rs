//! Powers of two and even moduli.

use crate::execute::prepared::Prepared;
use crate::exponent::Exponent;
use crate::kernel::montgomery::LEAF;
use crate::kernel::product::comba::Comba;
use crate::kernel::product::{low, schoolbook};
use crate::natural::{Natural, linear};
use smallvec::SmallVec;
use std::borrow::Cow;

/// What is left to do modulo 2^k.
pub(crate) enum Reduced<'e> {
    /// Nothing: the power is this.
    Known(Natural),
    /// The power to this exponent.
    Exponent(Cow<'e, Exponent>),
}

impl Reduced<'_> {
    /// The exponent that is left, if any.
    pub(crate) fn open(&self) -> Option<&Exponent> {
        match self {
            Reduced::Known(_) => None,
            Reduced::Exponent(exponent) => Some(exponent),
        }
    }
}

/// The exponent that gives the same power modulo 2^k. An even base to the power e >= k is 0; odd residues form a group
/// of exponent 2^(k-2) (k >= 3), 2 (k = 2) or 1 (k = 1).
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
/// x = x_odd + odd * ((x_two - x_odd) * odd^-1 mod 2^k).
pub(crate) fn recombine(modulus: &Prepared, modulo_odd: &Natural, modulo_two: &Natural) -> Natural {
    let mut out = SmallVec::from_elem(0, modulus.facts().value().limbs().len());
    recombine_limbs::<false>(modulus, &mut out, modulo_odd.limbs(), modulo_two.limbs());
    Natural::from_limb_buffer(out)
}

/// Words of recombination that need no allocation: moduli of 16 limbs, half of them zeros.
const STACK_WORDS: usize = 32;

/// [`recombine`] on limbs, branch-free in their values: `x_odd` at most as long as the odd part, `x_two` at most as long
/// as 2^k, `out` as long as the modulus at least. `SECRET` wipes what it leaves in memory.
pub(crate) fn recombine_limbs<const SECRET: bool>(modulus: &Prepared, out: &mut [u64], x_odd: &[u64], x_two: &[u64]) {
    let facts = modulus.facts();
    let k = facts.trailing_zeros();
    let words = k.div_ceil(64) as usize;
    let odd = facts.odd().limbs();
    let whole_words = odd.len() + words;
    let scratch_words = low::scratch_words(words, LEAF);
    let room_words = 2 * words + whole_words + scratch_words;
    let (mut few, mut many);
    let room = if room_words <= STACK_WORDS {
        few = [0; STACK_WORDS];
        &mut few[..room_words]
    } else {
        many = vec![0; room_words];
        &mut many[..]
    };
    let (difference, rest) = room.split_at_mut(words);
    let (t, rest) = rest.split_at_mut(words);
    let (whole, scratch) = rest.split_at_mut(whole_words);
    // d = (x_two - x_odd) mod 2^(64 words)
    let shared = x_two.len().min(words);
    difference[..shared].copy_from_slice(&x_two[..shared]);
    let mut borrow = false;
    for (index, word) in difference.iter_mut().enumerate() {
        let subtrahend = x_odd.get(index).copied().unwrap_or(0);
        (*word, borrow) = word.borrowing_sub(subtrahend, borrow);
    }
    // t = d * odd^-1 mod 2^k
    low::low_mul(t, difference, modulus.odd_inverse(), Comba(LEAF), scratch);
    if !k.is_multiple_of(64) {
        t[words - 1] &= u64::MAX >> (64 - k % 64);
    }
    // x_odd + odd * t < odd + odd * (2^k - 1) = m
    schoolbook::mul_rows(whole, odd, t);
    let carry = linear::add_shorter(whole, x_odd);
    debug_assert!(!carry);
    let length = out.len().min(whole.len());
    debug_assert!(whole[length..].iter().all(|&word| word == 0));
    out[..length].copy_from_slice(&whole[..length]);
    out[length..].fill(0);
    if SECRET {
        linear::wipe(room);
    }
}
