//! The Karatsuba product: three half-length products instead of four, down to leaves.
//!
//! With a = a0 + a1 b^h, L = a0 b0, H = a1 b1 and D = (a0 - a1)(b0 - b1):
//!
//! ```text
//! a * b = L + (L + H - D) b^h + H b^2h
//! ```
//!
//! 1. |a0 - a1|, |b0 - b1| and the sign of D, branch-free.
//! 2. The three products.
//! 3. The middle, L + H - D, D flipped by mask if it counts negative, formed and added to the result in one pass.
//!
//! The difference form is chosen over the sums (a0 + a1)(b0 + b1) because differences have no carry words. Halves may be
//! uneven: h = ceil(n / 2), the upper half has h or h - 1 words.
//!
//! **Levels instead of calls.** Up to `LEVELS` levels of even halves, two at least, are done one after the other, each in
//! a loop over its numbers. A number's halves lie in its place, the differences of a level are appended to those before; so the
//! numbers of every level are an operand's words and then all differences, cut into equal pieces. The result holds the
//! products of the operands' pieces, the scratch those of the differences, and each level puts two neighbours and a
//! difference together in place. A call for each half would save and fetch a processor's registers 3^levels times, which
//! costs a processor with few of them more than short leaves do (docs/records/arm-counts.md).
//!
//! Count: F(n) = 2 F(h) + F(n - h) word products above the leaf, l^2 at a leaf of l words (squaring: l(l+1)/2).
//!
//! Lemmas: Karatsuba.karatsuba_identity, Karatsuba.karatsuba_middle, Karatsuba.karatsuba_sign, Karatsuba.top_is_bit,
//! Karatsuba.combine_value, Karatsuba.halves_of_products, Karatsuba.karatsuba_product, Karatsuba.karatsuba_square,
//! Karatsuba.levels_together, Karatsuba.square_sign, small.plain_products (proofs/README.md).

use super::Leaf;
use crate::natural::linear::{self, known_lengths};
use crate::natural::word::Word;

/// The most levels that run together; one more level takes 1.5 times the scratch.
const LEVELS: u32 = 3;

/// Words of an iteration of the middle's loop: those that a processor of 13 registers holds with three carries.
const CHUNK: usize = 4;

/// Words of the differences of one operand of n words in its first `levels` levels, whose halves are even: the first level has
/// n / 2 words, each other one and a half times as many as the one before.
const fn difference_words(n: usize, levels: u32) -> usize {
    let (mut words, mut of_level, mut level) = (0, n / 2, 0);
    while level < levels {
        words += of_level;
        of_level += of_level / 2;
        level += 1;
    }
    words
}

/// How many numbers k levels halve, each of which has a sign, for each k: 1 + 3 + 9.
const SIGNS: [usize; LEVELS as usize + 1] = [0, 1, 4, 13];

/// Words of scratch for operands of `n` words, of products and of squares on the same or longer leaves.
pub const fn scratch_words(n: usize, leaf: usize) -> usize {
    if n <= leaf {
        return 0;
    }
    let half = n.div_ceil(2);
    let halved = 2 * half + scratch_words(half, leaf);
    let mut levels = 0;
    while levels < LEVELS && n >> levels > leaf {
        levels += 1;
    }
    let together = SIGNS[levels as usize] + 4 * difference_words(n, levels);
    if halved > together { halved } else { together }
}

/// The levels from n words to a leaf, if they can run together: at least two, at most `LEVELS`, and all halves on the way even.
/// None on WebAssembly, where the code is to be small, and longer numbers are rare.
pub fn levels(n: usize, leaf: usize) -> Option<u32> {
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    (1..=LEVELS).find(|levels| n >> levels <= leaf).filter(|&levels| levels > 1 && n.is_multiple_of(1 << levels))
}

/// `t = a * b`; the leaf multiplies operands that are short enough.
pub fn mul<W: Word>(t: &mut [W], a: &[W], b: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(b.len() == n && t.len() == 2 * n && scratch.len() >= scratch_words(n, leaf.words()));
    if n <= leaf.words() {
        return leaf.mul(t, a, b);
    }
    if let Some(levels) = levels(n, leaf.words()) {
        let words = difference_words(n, levels);
        let (a_diffs, scratch) = scratch.split_at_mut(words);
        let (b_diffs, scratch) = scratch.split_at_mut(words);
        let (d, scratch) = scratch.split_at_mut(2 * words);
        let signs = &mut scratch[..SIGNS[levels as usize]];
        // Step 1, from the top.
        differences(a_diffs, a, levels, signs, note);
        differences(b_diffs, b, levels, signs, join);
        // Step 2.
        leaf.mul_each(t, a, b, n >> levels);
        leaf.mul_each(d, a_diffs, b_diffs, n >> levels);
        // Step 3, from the bottom.
        return combine_levels(t, d, levels, signs, where_equal);
    }
    let half = n.div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (d, scratch) = scratch.split_at_mut(2 * half);
    let (low, high) = t.split_at_mut(2 * half);
    // Step 1. The differences use the result's words until the products need them.
    let (a_diff, b_diff) = low.split_at_mut(half);
    let mut sign = [W::ZERO];
    note(&mut sign[0], linear::abs_diff(a_diff, a0, a1));
    join(&mut sign[0], linear::abs_diff(b_diff, b0, b1));
    // Step 2.
    mul(d, a_diff, b_diff, leaf, scratch);
    mul(low, a0, b0, leaf, scratch);
    mul(high, a1, b1, leaf, scratch);
    // Step 3.
    combine(t, d, half, &sign, where_equal);
}

/// `t = a^2`; the leaf squares operands that are short enough. Every D is a square and is always subtracted.
pub fn sqr<W: Word>(t: &mut [W], a: &[W], leaf: impl Leaf<W>, scratch: &mut [W]) {
    let n = a.len();
    debug_assert!(t.len() == 2 * n && scratch.len() >= scratch_words(n, leaf.square_words()));
    if n <= leaf.square_words() {
        return leaf.sqr(t, a);
    }
    if let Some(levels) = levels(n, leaf.square_words()) {
        let words = difference_words(n, levels);
        let (diffs, scratch) = scratch.split_at_mut(words);
        let (d, scratch) = scratch.split_at_mut(2 * words);
        // The room of the signs is not written.
        let signs = &mut scratch[..SIGNS[levels as usize]];
        differences(diffs, a, levels, signs, |_, _| {});
        leaf.sqr_each(t, a, n >> levels);
        leaf.sqr_each(d, diffs, n >> levels);
        return combine_levels(t, d, levels, signs, always);
    }
    let half = n.div_ceil(2);
    let (a0, a1) = a.split_at(half);
    let (d, scratch) = scratch.split_at_mut(2 * half);
    let (low, high) = t.split_at_mut(2 * half);
    let a_diff = &mut low[..half];
    linear::abs_diff(a_diff, a0, a1);
    sqr(d, a_diff, leaf, scratch);
    sqr(low, a0, leaf, scratch);
    sqr(high, a1, leaf, scratch);
    combine(t, d, half, &[W::ZERO], always);
}

/// Step 1 of all levels. For each number of a level, first those in `a`, then those among the differences so far, it appends
/// the difference of the number's halves and calls `record` with the number's sign and the mask of a negative difference.
#[inline(always)]
fn differences<W: Word>(diffs: &mut [W], a: &[W], levels: u32, mut signs: &mut [W], record: impl Fn(&mut W, W) + Copy) {
    let n = a.len();
    let mut half = n;
    for level in 0..levels {
        W::turn();
        half /= 2;
        let (of, out) = diffs.split_at_mut(difference_words(n, level));
        let (of_level, rest) = signs.split_at_mut(SIGNS[level as usize + 1] - SIGNS[level as usize]);
        let (of_a, of_diffs) = of_level.split_at_mut(1 << level);
        let (out_a, out) = out.split_at_mut(n / 2);
        differences_each(out_a, a, half, of_a, record);
        if level > 0 {
            differences_each(out, of, half, of_diffs, record);
        }
        signs = rest;
    }
}

/// Step 1 of numbers of 2 `half` words, one for each sign.
fn differences_each<W: Word>(out: &mut [W], of: &[W], half: usize, signs: &mut [W], record: impl Fn(&mut W, W) + Copy) {
    known_lengths!(half in [4 5 6 7 8 16], differences_text(out, of, half, signs, record));
}

#[inline(always)]
fn differences_text<W: Word>(
    mut out: &mut [W],
    mut of: &[W],
    half: usize,
    signs: &mut [W],
    record: impl Fn(&mut W, W) + Copy,
) {
    for sign in signs {
        W::turn();
        let (number, numbers) = of.split_at(2 * half);
        let (diff, diffs) = out.split_at_mut(half);
        let (low, high) = number.split_at(half);
        record(sign, linear::abs_diff_text(diff, low, high));
        (out, of) = (diffs, numbers);
    }
}

/// Step 3 of all levels: the pieces' products in `t`, those of the differences in `d`.
#[inline(always)]
fn combine_levels<W: Word>(
    t: &mut [W],
    mut d: &mut [W],
    levels: u32,
    mut signs: &[W],
    subtract: impl Fn(&W) -> W + Copy,
) {
    let n = t.len() / 2;
    for level in (0..levels).rev() {
        W::turn();
        let half = n >> (level + 1);
        let (above, of_level) = signs.split_at(SIGNS[level as usize]);
        let (of_t, of_d) = of_level.split_at(1 << level);
        let (numbers, diffs) = d.split_at_mut(2 * difference_words(n, level));
        let (diffs_of_t, diffs_of_d) = diffs.split_at_mut(n);
        combine_each(t, diffs_of_t, half, of_t, subtract);
        if level > 0 {
            combine_each(numbers, diffs_of_d, half, of_d, subtract);
        }
        (d, signs) = (numbers, above);
    }
}

/// Step 3 of numbers with halves of `half` words, one for each sign.
fn combine_each<W: Word>(t: &mut [W], d: &mut [W], half: usize, signs: &[W], subtract: impl Fn(&W) -> W + Copy) {
    known_lengths!(half in [4 5 6 7 8 16], combine_each_text(t, d, half, signs, subtract));
}

#[inline(always)]
fn combine_each_text<W: Word>(
    mut t: &mut [W],
    mut d: &mut [W],
    half: usize,
    signs: &[W],
    subtract: impl Fn(&W) -> W + Copy,
) {
    for sign in signs {
        W::turn();
        let (number, numbers) = t.split_at_mut(4 * half);
        let (diff, diffs) = d.split_at_mut(2 * half);
        combine_text(number, diff, half, subtract(sign));
        (t, d) = (numbers, diffs);
    }
}

/// Step 3 of one number.
#[inline(always)]
fn combine<W: Word>(t: &mut [W], d: &mut [W], half: usize, sign: &[W; 1], subtract: impl Fn(&W) -> W + Copy) {
    if t.len() == 4 * half {
        combine_each(t, d, half, sign, subtract);
    } else {
        combine_uneven(t, d, half, subtract(&sign[0]));
    }
}

fn combine_uneven<W: Word>(t: &mut [W], d: &mut [W], half: usize, subtract: W) {
    combine_text(t, d, half, subtract);
}

/// Records the sign of a's difference: all ones if it is negative.
#[inline(always)]
fn note<W: Word>(sign: &mut W, negative: W) {
    sign.store(negative);
}

/// Combines the sign with that of b's difference into the sign of D.
#[inline(always)]
fn join<W: Word>(sign: &mut W, negative: W) {
    sign.store(sign.load().flip(negative));
}

/// The mask that subtracts D: both signs agree. `sign` is the mask of signs that differ.
#[inline(always)]
fn where_equal<W: Word>(sign: &W) -> W {
    sign.load().flip(W::MAX)
}

/// The mask that subtracts D, for a square.
#[inline(always)]
fn always<W: Word>(_: &W) -> W {
    W::MAX
}

/// `t = L | H` becomes the product; `subtract` is all ones if D is subtracted, zeros if it is added. The middle is computed
/// in registers, a few words at a time. Its lower half is added to the upper half of L, whose old value the middle's upper half
/// still needs: D's memory keeps a copy.
#[inline(always)]
fn combine_text<W: Word>(t: &mut [W], d: &mut [W], half: usize, subtract: W) {
    let minus = !subtract.is_zero();
    let (low, high) = t.split_at_mut(2 * half);
    let (low, kept) = low.split_at_mut(half);
    let (d_low, d_high) = d.split_at_mut(half);
    // A flipped D is b^2h - 1 - D; the carry of 1 and the `minus` subtracted from the top below make it -D.
    let carries = Carries { d: minus, h: false, sum: false };
    let carries = add_middle(kept, low, d_low, &high[..half], subtract, carries, |d, kept| d.store(kept));
    let (high_low, high_high) = high.split_at_mut(half);
    // The upper half of H has the length of that of D, or two words less.
    let ((t, t_rest), (d, d_rest)) = (high_low.split_at_mut(high_high.len()), d_high.split_at_mut(high_high.len()));
    let (low, low_rest) = d_low.split_at(high_high.len());
    let carries = add_middle(t, low, d, high_high, subtract, carries, |_, _| {});
    let carries = add_chunk(t_rest, low_rest, d_rest, &[], subtract, carries, |_, _| {});
    // The middle is a0 b1 + a1 b0: not negative, and below 2 b^2h.
    let top = W::ZERO.add_carry(W::ZERO, carries.d).0;
    let top = top.add_carry(W::ZERO, carries.h).0;
    let top = top.sub_borrow(W::ZERO, minus).0;
    debug_assert!(top <= W::ONE, "0 <= a0 b1 + a1 b0 < 2 b^2h");
    let carry = linear::add_word(high_high, top.add_carry(W::ZERO, carries.sum).0);
    debug_assert!(!carry, "the product is below b^2n");
}

/// What three chains of additions carry: D into L, H into their sum, the middle into the result.
#[derive(Clone, Copy)]
struct Carries {
    d: bool,
    h: bool,
    sum: bool,
}

/// `t += low + (d flipped by mask) + high`; it calls `keep` with each word of d, which is no longer needed, and the old word of t.
#[inline(always)]
fn add_middle<W: Word>(
    t: &mut [W],
    low: &[W],
    d: &mut [W],
    high: &[W],
    subtract: W,
    mut carries: Carries,
    keep: impl Fn(&mut W, W) + Copy,
) -> Carries {
    let ((t, t_rest), (d, d_rest)) = (t.as_chunks_mut::<CHUNK>(), d.as_chunks_mut::<CHUNK>());
    let ((low, low_rest), (high, high_rest)) = (low.as_chunks::<CHUNK>(), high.as_chunks::<CHUNK>());
    for (((t, d), low), high) in t.iter_mut().zip(d).zip(low).zip(high) {
        W::turn();
        carries = add_chunk(t, low, d, high, subtract, carries, keep);
    }
    add_chunk(t_rest, low_rest, d_rest, high_rest, subtract, carries, keep)
}

/// [`add_middle`] of at most [`CHUNK`] words, in which only the processor's carry links each chain; the top words of an odd
/// half have no `high`.
#[inline(always)]
fn add_chunk<W: Word>(
    t: &mut [W],
    low: &[W],
    d: &mut [W],
    high: &[W],
    subtract: W,
    mut carries: Carries,
    keep: impl Fn(&mut W, W) + Copy,
) -> Carries {
    let n = t.len();
    let mut middle = [W::ZERO; CHUNK];
    for i in 0..n {
        (middle[i], carries.d) = low[i].load().add_carry(d[i].load().flip(subtract), carries.d);
    }
    for i in 0..n {
        let high = if i < high.len() { high[i].load() } else { W::ZERO };
        (middle[i], carries.h) = middle[i].add_carry(high, carries.h);
    }
    for i in 0..n {
        let kept = t[i].load();
        keep(&mut d[i], kept);
        let (sum, carry) = kept.add_carry(middle[i], carries.sum);
        t[i].store(sum);
        carries.sum = carry;
    }
    carries
}
