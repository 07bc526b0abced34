//! Linear-time operations on word slices, least significant word first: what the products are made of.
//!
//! All of them are branch-free in the values: carries run to the end of the slice, conditions become masks, and only
//! lengths steer the loops. Operands of one call have equal lengths unless the function says otherwise.
//!
//! Lemmas: Karatsuba.add_chain, Karatsuba.sub_chain, Karatsuba.abs_diff_value, Karatsuba.add_word_value,
//! Karatsuba.add_signed_value (proofs/README.md).

use super::word::Word;

/// Runs an expression with the constant `$N` that equals `$n`, if it is one of the listed; otherwise another expression.
macro_rules! with_constant {
    ($n:expr, $N:ident in [$($known:literal)+], $run:expr) => {
        $crate::natural::linear::with_constant!($n, $N in [$($known)+], $run, unreachable!("no code for {}", $n))
    };
    ($n:expr, $N:ident in [$($known:literal)+], $run:expr, $otherwise:expr) => {
        match $n {
            $($known => { const $N: usize = $known; $run })+
            _ => $otherwise,
        }
    };
}
pub(crate) use with_constant;

/// Runs an expression with `$n` as a constant if it is one of the listed lengths, so that an inlined text becomes
/// straight-line code there: one text, more than one compilation. A turn of a loop stays a turn of the text. A module for WebAssembly is to be
/// small: it has the text once.
macro_rules! known_lengths {
    ($n:ident in [$($known:literal)+], $run:expr) => {
        if cfg!(target_arch = "wasm32") {
            $run
        } else {
            $crate::natural::linear::with_constant!($n, N in [$($known)+], { #[allow(non_snake_case)] let $n = N; $run }, $run)
        }
    };
}
pub(crate) use known_lengths;

/// Words per iteration of a carry chain: within an iteration the carry stays in the processor's flag
/// (docs/records/thresholds.md).
const CHUNK: usize = 8;

/// `out[i] = step(a[i], b[i], carry)`, the carry running upwards; returns the last carry.
#[inline(always)]
fn chain<W: Word>(
    out: &mut [W],
    a: &[W],
    b: &[W],
    mut carry: bool,
    step: impl Fn(W, W, bool) -> (W, bool) + Copy,
) -> bool {
    debug_assert!(out.len() == a.len() && a.len() == b.len());
    let (out, out_rest) = out.as_chunks_mut::<CHUNK>();
    let (a, a_rest) = a.as_chunks::<CHUNK>();
    let (b, b_rest) = b.as_chunks::<CHUNK>();
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        W::turn();
        for i in 0..CHUNK {
            let (word, next) = step(a[i].load(), b[i].load(), carry);
            out[i].store(word);
            carry = next;
        }
    }
    for ((out, a), b) in out_rest.iter_mut().zip(a_rest).zip(b_rest) {
        W::turn();
        let (word, next) = step(a.load(), b.load(), carry);
        out.store(word);
        carry = next;
    }
    carry
}

/// `a[i] = step(a[i], b[i], carry)`, the carry running upwards; returns the last carry. The step loads b[i] if that is in
/// memory.
#[inline(always)]
fn chain_assign<W: Word>(
    a: &mut [W],
    b: &[W],
    mut carry: bool,
    step: impl Fn(W, &W, bool) -> (W, bool) + Copy,
) -> bool {
    debug_assert!(a.len() == b.len());
    let (a, a_rest) = a.as_chunks_mut::<CHUNK>();
    let (b, b_rest) = b.as_chunks::<CHUNK>();
    for (a, b) in a.iter_mut().zip(b) {
        W::turn();
        for i in 0..CHUNK {
            let (word, next) = step(a[i].load(), &b[i], carry);
            a[i].store(word);
            carry = next;
        }
    }
    for (a, b) in a_rest.iter_mut().zip(b_rest) {
        W::turn();
        let (word, next) = step(a.load(), b, carry);
        a.store(word);
        carry = next;
    }
    carry
}

/// `a[i] = step(a[i], carry)`, the carry running upwards; returns the last carry.
#[inline(always)]
fn chain_each<W: Word>(a: &mut [W], mut carry: bool, step: impl Fn(W, bool) -> (W, bool) + Copy) -> bool {
    let (a, a_rest) = a.as_chunks_mut::<CHUNK>();
    for a in a {
        W::turn();
        for word in a {
            let (value, next) = step(word.load(), carry);
            word.store(value);
            carry = next;
        }
    }
    for word in a_rest {
        W::turn();
        let (value, next) = step(word.load(), carry);
        word.store(value);
        carry = next;
    }
    carry
}

/// `out = a + b + carry`; returns the carry out.
#[inline(always)]
pub(crate) fn add<W: Word>(out: &mut [W], a: &[W], b: &[W], carry: bool) -> bool {
    chain(out, a, b, carry, |a, b, carry| a.add_carry(b, carry))
}

/// `out = a - b - borrow`; returns the borrow out.
#[inline(always)]
pub(crate) fn sub<W: Word>(out: &mut [W], a: &[W], b: &[W], borrow: bool) -> bool {
    chain(out, a, b, borrow, |a, b, borrow| a.sub_borrow(b, borrow))
}

/// `a += b + carry`; returns the carry out.
#[inline(always)]
pub(crate) fn add_assign<W: Word>(a: &mut [W], b: &[W], carry: bool) -> bool {
    chain_assign(a, b, carry, |a, b, carry| a.add_carry(b.load(), carry))
}

/// `a += b + carry` for words `b` that are in registers; returns the carry out.
#[inline(always)]
pub(crate) fn add_registers<W: Word>(a: &mut [W], b: &[W], carry: bool) -> bool {
    chain_assign(a, b, carry, |a, &b, carry| a.add_carry(b, carry))
}

/// `a -= b + borrow`; returns the borrow out.
#[inline(always)]
pub(crate) fn sub_assign<W: Word>(a: &mut [W], b: &[W], borrow: bool) -> bool {
    chain_assign(a, b, borrow, |a, b, borrow| a.sub_borrow(b.load(), borrow))
}

/// `a = b + (a flipped by mask) + carry`, mask zeros or ones; returns the carry out.
///
/// With ones and a carry of 1 this is b - a + b^n: the flipped a is b^n - 1 - a. The caller takes the b^n off again.
#[inline(always)]
pub(crate) fn flip_add_assign<W: Word>(a: &mut [W], mask: W, b: &[W], carry: bool) -> bool {
    chain_assign(a, b, carry, |a, b, carry| b.load().add_carry(a.flip(mask), carry))
}

/// `out = a + (b flipped by mask) + carry`, mask zeros or ones; returns the carry out.
#[inline(always)]
pub(crate) fn add_flipped<W: Word>(out: &mut [W], a: &[W], b: &[W], mask: W, carry: bool) -> bool {
    chain(out, a, b, carry, |a, b, carry| a.add_carry(b.flip(mask), carry))
}

/// `a += (b flipped by mask) + carry`; returns the carry out.
#[inline(always)]
pub(crate) fn add_flipped_assign<W: Word>(a: &mut [W], b: &[W], mask: W, carry: bool) -> bool {
    chain_assign(a, b, carry, |a, b, carry| a.add_carry(b.load().flip(mask), carry))
}

/// `a += value` for a small value of either sign, in two's complement; returns what runs over in the same way: -1, 0 or 1.
#[inline(always)]
pub(crate) fn add_signed<W: Word>(a: &mut [W], value: W) -> W {
    let sign = W::mask(!value.shift_right(W::BITS - 1).is_zero());
    let (first, rest) = a.split_first_mut().expect("a number has words");
    let (sum, carry) = first.load().add_out(value);
    first.store(sum);
    let carry = chain_each(rest, carry, |a, carry| a.add_carry(sign, carry));
    sign.add_carry(W::ZERO, carry).0
}

/// `a += carry` to the end of the slice; returns the carry out.
#[inline(always)]
pub(crate) fn add_bit<W: Word>(a: &mut [W], carry: bool) -> bool {
    chain_each(a, carry, |a, carry| a.add_carry(W::ZERO, carry))
}

/// `a -= borrow` to the end of the slice; returns the borrow out.
#[inline(always)]
fn sub_bit<W: Word>(a: &mut [W], borrow: bool) -> bool {
    chain_each(a, borrow, |a, borrow| a.sub_borrow(W::ZERO, borrow))
}

/// `a += b` for a `b` at most as long as `a`; returns the carry out of the top of `a`.
#[inline(always)]
pub(crate) fn add_shorter<W: Word>(a: &mut [W], b: &[W]) -> bool {
    let (low, high) = a.split_at_mut(b.len());
    let carry = add_assign(low, b, false);
    add_bit(high, carry)
}

/// `a -= b` for a `b` at most as long as `a`; returns the borrow out of the top of `a`.
#[inline(always)]
pub(crate) fn sub_shorter<W: Word>(a: &mut [W], b: &[W]) -> bool {
    let (low, high) = a.split_at_mut(b.len());
    let borrow = sub_assign(low, b, false);
    sub_bit(high, borrow)
}

/// `a += value`, one word, to the end of the slice; returns the carry out (for an empty slice: whether value is not 0).
#[inline(always)]
pub(crate) fn add_word<W: Word>(a: &mut [W], value: W) -> bool {
    match a.split_first_mut() {
        None => !value.is_zero(),
        Some((first, rest)) => {
            let (sum, carry) = first.load().add_out(value);
            first.store(sum);
            add_bit(rest, carry)
        }
    }
}

/// `out = |a - b|`, `b` as long as `a` or shorter; returns the mask of a < b.
///
/// The difference is formed once modulo b^n and negated by mask if there is a last borrow.
pub(crate) fn abs_diff<W: Word>(out: &mut [W], a: &[W], b: &[W]) -> W {
    let n = b.len();
    if a.len() == n {
        known_lengths!(n in [4 5 6 7 8 16], abs_diff_text(&mut out[..n], &a[..n], &b[..n]))
    } else {
        abs_diff_text(out, a, b)
    }
}

/// [`abs_diff`], inlined for lengths known to the caller's compiler.
#[inline(always)]
pub(crate) fn abs_diff_text<W: Word>(out: &mut [W], a: &[W], b: &[W]) -> W {
    let (a_low, a_high) = a.split_at(b.len());
    let (out_low, out_high) = out.split_at_mut(b.len());
    let mut borrow = sub(out_low, a_low, b, false);
    for (out, a) in out_high.iter_mut().zip(a_high) {
        W::turn();
        let (word, next) = a.load().sub_borrow(W::ZERO, borrow);
        out.store(word);
        borrow = next;
    }
    let mask = W::mask(borrow);
    negate_by_mask(out, mask, borrow);
    mask
}

/// `a = -a` modulo b^n if the mask is ones (and `negative` true), unchanged if it is zeros.
#[inline(always)]
pub(super) fn negate_by_mask<W: Word>(a: &mut [W], mask: W, negative: bool) {
    chain_each(a, negative, |a, carry| a.flip(mask).add_carry(W::ZERO, carry));
}

/// `a = -a` modulo b^n; returns the borrow, which is whether a was not 0.
#[inline(always)]
pub(crate) fn negate<W: Word>(a: &mut [W]) -> bool {
    chain_each(a, false, |a, borrow| W::ZERO.sub_borrow(a, borrow))
}

/// `a += b` if the mask is ones, `a += 0` if it is zeros; returns the carry out.
#[inline(always)]
pub(crate) fn add_masked<W: Word>(a: &mut [W], b: &[W], mask: W) -> bool {
    chain_assign(a, b, false, |a, b, carry| a.add_carry(W::select(mask, b.load(), W::ZERO), carry))
}

/// `a` flipped by mask: b^n - 1 - a for ones, `a` for zeros. One function for all callers, as its vector code is long.
#[inline(never)]
pub(crate) fn flip<W: Word>(a: &mut [W], mask: W) {
    a.iter_mut().for_each(|word| word.store(word.load().flip(mask)));
}

/// `out = a`.
#[inline(always)]
pub(crate) fn copy<W: Word>(out: &mut [W], a: &[W]) {
    debug_assert_eq!(out.len(), a.len());
    for (out, a) in out.iter_mut().zip(a) {
        W::turn();
        out.store(a.load());
    }
}

/// `a = 0`.
#[inline(always)]
pub fn clear<W: Word>(a: &mut [W]) {
    for word in a {
        W::turn();
        word.store(W::ZERO);
    }
}

/// Whether a < b, without stopping early.
#[inline(always)]
pub(crate) fn less<W: Word>(a: &[W], b: &[W]) -> bool {
    debug_assert_eq!(a.len(), b.len());
    let mut borrow = false;
    for (a, b) in a.iter().zip(b) {
        W::turn();
        borrow = a.load().sub_borrow(b.load(), borrow).1;
    }
    borrow
}

/// `out = value - m` if that is not negative, otherwise `value`, where value = `value + overflow * b^n` is below 2m.
/// One subtraction and one selection by mask, always both: HAC 14.32 step 3 without its branch. The result is below m.
#[inline(always)]
pub(crate) fn subtract_once<W: Word>(out: &mut [W], value: &[W], overflow: bool, m: &[W]) {
    let borrow = sub(out, value, m, false);
    // value < m exactly if the subtraction borrows and no overflow word pays for it. An overflow without a borrow would
    // be a value of at least b^n + m > 2m.
    debug_assert!(!overflow || borrow, "the value is below 2m");
    let keep = W::mask(borrow & !overflow);
    for (out, value) in out.iter_mut().zip(value) {
        W::turn();
        out.store(W::select(keep, value.load(), out.load()));
    }
    debug_assert!(out.iter().rev().lt(m.iter().rev()), "the result is canonical");
}

/// Overwrites words that held a secret; the compiler may not drop the stores as dead.
pub(crate) fn wipe<W: Word>(a: &mut [W]) {
    a.fill(W::ZERO);
    core::hint::black_box(a);
}

/// The low `count` bits of a word, `1 <= count <= BITS`.
#[inline(always)]
pub(crate) fn low_bits<W: Word>(word: W, count: u32) -> W {
    word.shift_left(W::BITS - count).shift_right(W::BITS - count)
}

/// Bit length of `a`; 0 for 0. Leaks it.
pub(crate) fn bits<W: Word>(a: &[W]) -> usize {
    let Some(top) = a.iter().rposition(|word| word.load() != W::ZERO) else { return 0 };
    top * W::BITS as usize + (64 - a[top].load().to_u64().leading_zeros()) as usize
}

/// `a` modulo 2^count.
pub(crate) fn truncate<W: Word>(a: &mut [W], count: usize) {
    let whole = count / W::BITS as usize;
    if let Some((first, rest)) = a.get_mut(whole..).and_then(<[W]>::split_first_mut) {
        let count = (count % W::BITS as usize) as u32;
        first.store(if count == 0 { W::ZERO } else { low_bits(first.load(), count) });
        clear(rest);
    }
}

#[cfg(test)]
#[path = "../../tests/inside/natural/linear.rs"]
mod tests;
