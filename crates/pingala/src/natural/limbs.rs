//! Linear-time operations over slices of words, least significant word first: the ground under the products.
//!
//! Every function is one text over [`Word`] and reads and writes memory through [`Word::load`] and [`Word::store`] only.
//! Loop counts depend on lengths alone, and so does everything else except where a line "Leaks:" names an argument.
//! `b` stands for 2^BITS, and a slice of n words for the number that it holds, below b^n.

// Half of these wait for the products and the set-up that call them.
#![allow(dead_code)]

use super::word::Word;
use core::cmp::Ordering;

/// `sum += addend`; returns the carry out of the top of `sum`.
///
/// `addend` has at most as many words as `sum`. The carry travels to the top of `sum` whatever its value.
#[inline(always)]
pub(crate) fn add_assign<W: Word>(sum: &mut [W], addend: &[W]) -> bool {
    debug_assert!(addend.len() <= sum.len());
    let (low, high) = sum.split_at_mut(addend.len());
    let mut carry = false;
    for (word, other) in low.iter_mut().zip(addend) {
        W::turn();
        let (value, out) = word.load().add_carry(other.load(), carry);
        word.store(value);
        carry = out;
    }
    add_carry_assign(high, carry)
}

/// `sum += carry`; returns the carry out of the top, which is `carry` itself for an empty slice.
#[inline(always)]
pub(crate) fn add_carry_assign<W: Word>(sum: &mut [W], mut carry: bool) -> bool {
    for word in sum {
        W::turn();
        let (value, out) = word.load().add_carry(W::ZERO, carry);
        word.store(value);
        carry = out;
    }
    carry
}

/// `difference -= subtrahend`; returns the borrow out of the top of `difference`.
///
/// `subtrahend` has at most as many words as `difference`. The borrow travels to the top whatever its value.
#[inline(always)]
pub(crate) fn sub_assign<W: Word>(difference: &mut [W], subtrahend: &[W]) -> bool {
    debug_assert!(subtrahend.len() <= difference.len());
    let (low, high) = difference.split_at_mut(subtrahend.len());
    let mut borrow = false;
    for (word, other) in low.iter_mut().zip(subtrahend) {
        W::turn();
        let (value, out) = word.load().sub_borrow(other.load(), borrow);
        word.store(value);
        borrow = out;
    }
    sub_borrow_assign(high, borrow)
}

/// `difference -= borrow`; returns the borrow out of the top, which is `borrow` itself for an empty slice.
#[inline(always)]
pub(crate) fn sub_borrow_assign<W: Word>(difference: &mut [W], mut borrow: bool) -> bool {
    for word in difference {
        W::turn();
        let (value, out) = word.load().sub_borrow(W::ZERO, borrow);
        word.store(value);
        borrow = out;
    }
    borrow
}

/// Whether `a < b`, in constant time. Equal lengths.
#[inline(always)]
pub(crate) fn is_below<W: Word>(a: &[W], b: &[W]) -> bool {
    debug_assert_eq!(a.len(), b.len());
    let mut borrow = false;
    for (a, b) in a.iter().zip(b) {
        W::turn();
        borrow = a.load().sub_borrow(b.load(), borrow).1;
    }
    borrow
}

/// The order of two numbers of any lengths; leading zero words do not count.
///
/// Leaks: both operands. For public data.
pub(crate) fn compare<W: Word>(a: &[W], b: &[W]) -> Ordering {
    let (a, b) = (significant(a), significant(b));
    if a.len() != b.len() {
        return a.len().cmp(&b.len());
    }
    for (a, b) in a.iter().rev().zip(b.iter().rev()) {
        W::turn();
        let (a, b) = (a.load(), b.load());
        if a != b {
            return a.cmp(&b);
        }
    }
    Ordering::Equal
}

/// The slice without its leading zero words; empty for 0.
///
/// Leaks: the number of leading zero words.
pub(crate) fn significant<W: Word>(words: &[W]) -> &[W] {
    let length = words.iter().rposition(|word| word.load() != W::ZERO).map_or(0, |top| top + 1);
    &words[..length]
}

/// Bit length: 0 for 0, otherwise floor(log2) + 1.
///
/// Leaks: the result.
pub(crate) fn bit_length<W: Word>(words: &[W]) -> usize {
    let used = significant(words);
    used.last().map_or(0, |top| {
        let top_bits = u64::BITS - top.load().to_u64().leading_zeros();
        (used.len() - 1) * W::BITS as usize + top_bits as usize
    })
}

/// `out = if_set` where the bits of `mask` are ones; `out` stays where they are zeros. Equal lengths, branch-free.
///
/// With one mask per entry, this reads a table without showing which entry was wanted.
#[inline(always)]
pub(crate) fn select_into<W: Word>(out: &mut [W], mask: W, if_set: &[W]) {
    debug_assert_eq!(out.len(), if_set.len());
    for (word, other) in out.iter_mut().zip(if_set) {
        W::turn();
        word.store(W::select(mask, other.load(), word.load()));
    }
}

/// `out = t - m` if `t >= m`, else `t`, for `t = top*b^n + minuend`: the last step of a Montgomery product, branch-free.
///
/// All three slices have n words. The result is canonical for `t < 2m`, which makes `top` 0 or 1.
#[inline(always)]
pub(crate) fn conditional_subtract<W: Word>(out: &mut [W], minuend: &[W], top: W, modulus: &[W]) {
    debug_assert!(out.len() == minuend.len() && out.len() == modulus.len());
    // 1. out = t - m mod b^n.
    let mut borrow = false;
    for ((word, t), m) in out.iter_mut().zip(minuend).zip(modulus) {
        W::turn();
        let (value, b) = t.load().sub_borrow(m.load(), borrow);
        word.store(value);
        borrow = b;
    }
    // 2. The top word decides: t < m exactly when it cannot pay the borrow. Then t is taken back.
    let (_, t_below_m) = top.sub_borrow(W::ZERO, borrow);
    select_into(out, W::mask(t_below_m), minuend);
}

/// `t -= m` if `t >= m`, for `t = top*b^n + value`: [`conditional_subtract`] where the result replaces its operand.
///
/// Both slices have n words. The result is canonical for `t < 2m`. Branch-free.
#[inline(always)]
pub(crate) fn reduce_once<W: Word>(value: &mut [W], top: W, modulus: &[W]) {
    // 1. Compare without writing; 2. subtract m or 0.
    let (_, t_below_m) = top.sub_borrow(W::ZERO, is_below(value, modulus));
    let mask = W::mask(!t_below_m);
    let mut borrow = false;
    for (word, m) in value.iter_mut().zip(modulus) {
        W::turn();
        let (difference, out) = word.load().sub_borrow(W::select(mask, m.load(), W::ZERO), borrow);
        word.store(difference);
        borrow = out;
    }
}

/// `sum = sum + addend mod m` for operands below m. Equal lengths, branch-free.
#[inline(always)]
pub(crate) fn mod_add_assign<W: Word>(sum: &mut [W], addend: &[W], modulus: &[W]) {
    debug_assert_eq!(sum.len(), addend.len());
    let carry = add_assign(sum, addend);
    // The sum is below 2m, with the carry as its top word.
    reduce_once(sum, carry_word(carry), modulus);
}

/// `value = 2*value mod m` for `value < m`. Equal lengths, branch-free.
#[inline(always)]
pub(crate) fn mod_double_assign<W: Word>(value: &mut [W], modulus: &[W]) {
    let top = shift_left_bits(value, 1);
    reduce_once(value, top, modulus);
}

/// A carry as a word, 0 or 1.
#[inline(always)]
fn carry_word<W: Word>(carry: bool) -> W {
    W::ZERO.add_carry(W::ZERO, carry).0
}

/// `words *= 2^count` for `count < BITS`; returns the bits that left the top, as a number below 2^count.
#[inline(always)]
pub(crate) fn shift_left_bits<W: Word>(words: &mut [W], count: u32) -> W {
    debug_assert!(count < W::BITS);
    let mut carried = W::ZERO;
    for word in words {
        W::turn();
        let value = word.load();
        // The bits of the word below fill exactly the `count` zeros that the shift makes, so the sum is their union.
        let (shifted, _) = value.shift_left(count).add_carry(carried, false);
        word.store(shifted);
        carried = high_bits(value, count);
    }
    carried
}

/// `words = floor(words / 2^count)` for `count < BITS`; returns the bits that left the bottom, as a number below 2^count.
#[inline(always)]
pub(crate) fn shift_right_bits<W: Word>(words: &mut [W], count: u32) -> W {
    debug_assert!(count < W::BITS);
    // `carried` is the part that left the word above, at the top of its word.
    let mut carried = W::ZERO;
    for word in words.iter_mut().rev() {
        W::turn();
        let value = word.load();
        let (shifted, _) = value.shift_right(count).add_carry(carried, false);
        word.store(shifted);
        carried = low_bits_on_top(value, count);
    }
    high_bits(carried, count)
}

/// The `count` top bits of a word, as a number. Words do not shift by BITS, hence the two steps: by BITS-1-count and by 1.
#[inline(always)]
fn high_bits<W: Word>(value: W, count: u32) -> W {
    value.shift_right(W::BITS - 1 - count).shift_right(1)
}

/// The `count` low bits of a word, moved to its top.
#[inline(always)]
fn low_bits_on_top<W: Word>(value: W, count: u32) -> W {
    value.shift_left(W::BITS - 1 - count).shift_left(1)
}

/// `words = words * 2^count mod b^n`, for any count.
///
/// Leaks: `count`.
pub(crate) fn shift_left<W: Word>(words: &mut [W], count: usize) {
    let whole = (count / W::BITS as usize).min(words.len());
    for at in (whole..words.len()).rev() {
        W::turn();
        let value = words[at - whole].load();
        words[at].store(value);
    }
    zero(&mut words[..whole]);
    shift_left_bits(&mut words[whole..], (count % W::BITS as usize) as u32);
}

/// `words = floor(words / 2^count)`, for any count.
///
/// Leaks: `count`.
pub(crate) fn shift_right<W: Word>(words: &mut [W], count: usize) {
    let kept = words.len() - (count / W::BITS as usize).min(words.len());
    let whole = words.len() - kept;
    for at in 0..kept {
        W::turn();
        let value = words[at + whole].load();
        words[at].store(value);
    }
    zero(&mut words[kept..]);
    shift_right_bits(&mut words[..kept], (count % W::BITS as usize) as u32);
}

/// `words = 0`.
#[inline(always)]
pub(crate) fn zero<W: Word>(words: &mut [W]) {
    for word in words {
        W::turn();
        word.store(W::ZERO);
    }
}

#[cfg(test)]
mod tests;
