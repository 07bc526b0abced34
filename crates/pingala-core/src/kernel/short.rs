//! Division by a modulus, a quotient word at a time from the top: a residue times one word (half of a Montgomery product at
//! 4 words, a tenth at 32), and remainders of longer numbers. Branch-free in all values, so that it may see secrets.
//!
//! Lemmas: small.remainders (proofs/README.md).

use super::product::Leaf;
use crate::natural::linear::{self, known_lengths};
use crate::natural::word::Word;

/// The most words of a quotient that [`ShortFactor::reduce_by_blocks`] finds at once.
const BLOCK: usize = 8;

/// Words of such a quotient, and of what it is divided from: the highest BLOCK + 2 words of a divisor and BLOCK more.
const BLOCK_ROOM: usize = 3 * BLOCK + 2;

/// The shortest moduli, in words, for which that is quicker (docs/records/lengths.md).
const BLOCKS_FROM: usize = 40;

/// The constants of the quotient estimate for a modulus: its top two words, normalised, and their reciprocal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortFactor<W> {
    /// Index of the top word of m that is not 0.
    top: usize,
    /// Leading zeros of that word.
    shift: u32,
    /// D = d b + d0 = floor(m 2^shift / b^(top - 1)), b/2 <= d < b.
    divisor: W,
    /// d0.
    below: W,
    /// floor((b^3 - 1) / D) - b.
    reciprocal: W,
}

impl<W: Word> ShortFactor<W> {
    /// The constants of a modulus of exactly `bits` bits, at least one; zero words on top are legal. Constant-time in its value.
    pub(crate) fn of_bits(m: &[W], bits: usize) -> Self {
        Self::with_reciprocal(m, bits, reciprocal_of_word)
    }

    /// The constants of a public modulus: by a division, which takes a third of the time.
    #[inline]
    pub(crate) fn of_public_bits(m: &[W], bits: usize) -> Self {
        Self::with_reciprocal(m, bits, |d| {
            let max = u128::MAX >> (128 - W::BITS);
            let d = u128::from(d.to_u64());
            W::from_u64((((max - d) << W::BITS | max) / d) as u64)
        })
    }

    /// The constants of m, with a function that computes floor((b^2 - 1) / d) - b for b/2 <= d < b.
    #[inline(always)]
    fn with_reciprocal(m: &[W], bits: usize, of_word: impl Fn(W) -> W) -> Self {
        let top = (bits - 1) / W::BITS as usize;
        let shift = ((top + 1) * W::BITS as usize - bits) as u32;
        let [divisor, below] = leading(m, top, shift);
        Self { top, shift, divisor, below, reciprocal: reciprocal(divisor, below, of_word(divisor)) }
    }

    /// Overwrites everything that depends on the modulus.
    pub(crate) fn wipe(&mut self) {
        let mut told = [self.divisor, self.below, self.reciprocal];
        linear::wipe(&mut told);
        [self.divisor, self.below, self.reciprocal] = told;
        core::hint::black_box(self);
    }

    /// floor((b^3 - 1) / D) - b, where D is the top two words of m shifted up to its highest bit, filled from the word below.
    pub(super) fn reciprocal(&self) -> W {
        self.reciprocal
    }

    /// `out = a * small` mod m for a residue a < m at offset `a`; offsets as in [`super::Ring`], n + 1 words of scratch.
    pub(crate) fn mul(&self, arena: &mut [W], out: usize, a: usize, small: W, m: &[W], scratch: &mut [W]) {
        let n = m.len();
        let p = &mut scratch[..n + 1];
        let mut carry = W::ZERO;
        for (p, a) in p.iter_mut().zip(&arena[a..a + n]) {
            W::turn();
            let (low, high) = a.load().mul_add_carry(small, W::ZERO, carry);
            p.store(low);
            carry = high;
        }
        p[n].store(carry);
        self.subtract_multiple(&mut p[..self.top + 2], m);
        linear::copy(&mut arena[out..out + n], &p[..n]);
    }

    /// `out = value b^n` mod m, n words each, for a value of any length; n + 1 words of scratch, none for an m of at most 10 words. The
    /// length of the value and the bit length of m are public.
    pub(crate) fn enter(&self, out: &mut [W], value: &[W], m: &[W], scratch: &mut [W]) {
        let zeros = out.len() * W::BITS as usize;
        self.enter_shifted(out, value, zeros, m, scratch);
    }

    /// Enters by [`ShortFactor::reduce_by_blocks`], if the family has rows for it, m is not short, and the value is not longer than
    /// the scratch lets it be.
    pub(super) fn enter_on(&self, out: &mut [W], value: &[W], m: &[W], scratch: &mut [W], leaf: impl Leaf<W>) {
        let (n, length) = (out.len(), self.top + 1);
        if leaf.rows() == 0 || length < BLOCKS_FROM || n + value.len() >= scratch.len() {
            return self.enter(out, value, m, scratch);
        }
        // The zero on top makes the highest words less than m.
        let p = &mut scratch[..=n + value.len()];
        linear::clear(p);
        linear::copy(&mut p[n..n + value.len()], value);
        self.reduce_by_blocks(p, m, leaf);
        let (low, high) = out.split_at_mut(length);
        linear::copy(low, &p[..length]);
        linear::clear(high);
    }

    /// Computes `out = value 2^zeros` mod m.
    ///
    /// 1. A is the longest run of top words of the value that is surely below m, or the whole value if it is as long as m.
    /// 2. The other words, and then the zeros, are appended from the top, at most [`Self::STEP_BITS`] bits c at a time:
    ///    A <- A 2^k + c - q m, by [`Self::fold`] below 2m.
    /// 3. One subtraction.
    pub(crate) fn enter_shifted(&self, out: &mut [W], value: &[W], zeros: usize, m: &[W], scratch: &mut [W]) {
        let length = self.top + 1;
        known_lengths!(length in [2 3 4 5 6 7 8 9 10], {
            // If the compiler knows the length, these words stay in registers.
            let mut few = [W::ZERO; 11];
            let a = if length <= 10 { &mut few } else { &mut *scratch };
            self.enter_text(out, value, zeros, &m[..length], &mut a[..length + 1])
        });
    }

    /// The text of [`ShortFactor::enter_shifted`] for an m without zero words on top; `a` is one word longer.
    #[inline(always)]
    fn enter_text(&self, out: &mut [W], value: &[W], zeros: usize, m: &[W], a: &mut [W]) {
        let length = m.len();
        linear::clear(a);
        // Step 1.
        let whole = value.len() == length && self.shift <= Self::STEP_BITS;
        let loaded = if whole { length } else { value.len().min(self.top) };
        let (rest, first) = value.split_at(value.len() - loaded);
        linear::copy(&mut a[..loaded], first);
        if whole && self.shift > 0 {
            self.fold(a, self.shift, m);
        }
        // Step 2.
        let bits = W::BITS as usize;
        let mut left = rest.len() * bits;
        while left > 0 {
            W::turn();
            let k = left.min(Self::STEP_BITS as usize) as u32;
            left -= k as usize;
            let (at, shift) = (left / bits, (left % bits) as u32);
            let above = rest.get(at + 1).map_or(W::ZERO, Word::load).shift_left(1).shift_left(W::BITS - 1 - shift);
            let c = rest[at].load().shift_right(shift).add_carry(above, false).0;
            self.append(a, k, linear::low_bits(c, k), m);
        }
        let mut left = zeros;
        while left > 0 {
            W::turn();
            let k = left.min(Self::STEP_BITS as usize);
            left -= k;
            self.append(a, k as u32, W::ZERO, m);
        }
        // Step 3.
        let (a, top) = a.split_at(length);
        let (low, high) = out.split_at_mut(length);
        linear::subtract_once(low, a, top[0].load() != W::ZERO, m);
        linear::clear(high);
    }

    /// `a = a 2^k + c` modulo m, below 2m, for a < 2m and c < 2^k, `a` one word longer than m.
    #[inline(always)]
    fn append(&self, a: &mut [W], k: u32, c: W, m: &[W]) {
        // The word below the lowest has c on top.
        let mut below = c.shift_left(W::BITS - k);
        for word in a.iter_mut() {
            W::turn();
            let kept = word.load();
            word.store(shift_in(kept, below, k));
            below = kept;
        }
        self.fold(a, k, m);
    }

    /// The most bits that one step appends.
    const STEP_BITS: u32 = W::BITS - 6;

    /// `p = p - q m`, below 2m, for p < 2^(k+1) m, `p` one word longer than m and k at most [`Self::STEP_BITS`].
    ///
    /// With B the bits of a word, L those of m, X = 2^(L+B-1) / m:
    ///
    /// 1. V = floor((b + reciprocal) / 2) - 1 is a lower estimate of X: b + reciprocal = floor((b^3 - 1) / D) is at most
    ///    2X + 4/b and above 2X - 1 - 4/b, as b^3 / D - b^3 / (D + 1) <= 4/b. So 0 < X - V < 2.1.
    /// 2. h = floor(p / 2^(L+k+1-B)), below b; q = floor(floor(h V / b) / 2^(B-2-k)).
    /// 3. q <= p / m; too low by less than (1 + 2.1 + 1) 2^(k+2-B) + 1 < 1.3 for the cut of h, for V, and for the two floors.
    #[inline(always)]
    fn fold(&self, p: &mut [W], k: u32, m: &[W]) {
        debug_assert!(k <= Self::STEP_BITS && p.len() == m.len() + 1);
        let estimate = self.reciprocal.shift_right(1).add_carry(W::MAX.shift_left(W::BITS - 1), false).0;
        let estimate = estimate.sub_borrow(W::ONE, false).0;
        let (p, top) = p.split_at_mut(m.len());
        let top = &mut top[0];
        // The word that starts at bit L + k + 1 - B is all of h.
        let [p1, p0] = [1, 2].map(|depth| p.len().checked_sub(depth).map_or(W::ZERO, |at| p[at].load()));
        let start = W::BITS - self.shift + k + 1;
        let (high, low, start) = if start >= W::BITS { (top.load(), p1, start - W::BITS) } else { (p1, p0, start) };
        let h = low.shift_right(start).add_carry(high.shift_left(1).shift_left(W::BITS - 1 - start), false).0;
        let (_, q) = h.mul_wide(estimate);
        let q = q.shift_right(W::BITS - 2 - k);
        let carry = subtract_product(p, m, q);
        let (rest, negative) = top.load().sub_borrow(carry, false);
        top.store(rest);
        debug_assert!(!negative && rest <= W::ONE, "below 2m");
    }

    /// `p = p` mod m for p < m b, which has one word more than m (zero words on top not counted).
    ///
    /// 1. The quotient estimate q = min(floor(P / D), b - 1), where P is the top three words of p, shifted up by `shift`.
    ///    With D >= b^2 / 2 it is right or 1 too large: p / m >= P / (D + 1), and P / D - P / (D + 1) = P / D / (D + 1) is
    ///    below 1 because P / D < b + 1.
    /// 2. p - q m, in [-m, m); then m is added by mask.
    ///
    /// Returns floor(p / m).
    #[inline]
    fn subtract_multiple(&self, p: &mut [W], m: &[W]) -> W {
        let length = self.top + 1;
        debug_assert!(p.len() == length + 1);
        // Step 1.
        let [high, mid, low] = leading(p, length, self.shift);
        let q = self.quotient(high, mid, low);
        // Step 2.
        let (p, top) = p.split_at_mut(length);
        let m = &m[..length];
        let carry = subtract_product(p, m, q);
        let (rest, negative) = top[0].load().sub_borrow(carry, false);
        let over = linear::add_masked(p, m, W::mask(negative));
        let rest = rest.add_carry(W::ZERO, over).0;
        top[0].store(rest);
        debug_assert!(rest == W::ZERO && linear::less(p, m), "at most one correction");
        q.sub_borrow(W::ZERO, negative).0
    }

    /// p mod m in the lowest words of p, for p < m b^(length - n): long division [knuth1997seminumerical, algorithm 4.3.1D]. Not for
    /// secrets.
    #[inline]
    pub(crate) fn reduce(&self, p: &mut [W], m: &[W]) {
        let length = self.top + 1;
        let m = &m[..length];
        for at in (0..p.len() - length).rev() {
            W::turn();
            // Below m b, as in `subtract_multiple`, whose estimate is right or 1 too large; the latter is rare.
            let window = &mut p[at..=at + length];
            let [high, mid, low] = leading(window, length, self.shift);
            let q = self.quotient(high, mid, low);
            let (p, top) = window.split_at_mut(length);
            let carry = subtract_product(p, m, q);
            let (rest, negative) = top[0].load().sub_borrow(carry, false);
            let over = negative && linear::add_assign(p, m, false);
            debug_assert!(rest.add_carry(W::ZERO, over).0 == W::ZERO, "at most one correction");
            top[0].store(W::ZERO);
        }
    }

    /// Reduces p for an m of at least three words, with a row `t += a * factor` that returns its carry: b^length - 1 - p stands in the
    /// place of p meanwhile, so that multiples of m are added, for which processors have more instructions.
    #[inline]
    pub(super) fn reduce_by_rows(&self, p: &mut [W], m: &[W], add_row: impl Fn(&mut [W], &[W], W) -> W) {
        let length = self.top + 1;
        debug_assert!(length >= 3, "the leading words with the bits below them are words of p");
        let m = &m[..length];
        linear::flip(p, W::MAX);
        for at in (0..p.len() - length).rev() {
            W::turn();
            let window = &mut p[at..=at + length];
            let [high, mid, low] = leading(window, length, self.shift).map(|word| word.flip(W::MAX));
            let q = self.quotient(high, mid, low);
            let (p, top) = window.split_at_mut(length);
            let carry = add_row(p, m, q);
            let (rest, negative) = top[0].load().add_carry(carry, false);
            let under = negative && linear::sub_assign(p, m, false);
            debug_assert!(rest.sub_borrow(W::ZERO, under).0 == W::MAX, "at most one correction");
            top[0].store(W::MAX);
        }
        linear::flip(p, W::MAX);
    }

    /// p mod m in the lowest words of p, the others of any value, for p < m b^(length - n) and an m of at least three words; branch-free.
    ///
    /// S words of the quotient at a time, from the top, of a window w < m b^S. As in [`ShortFactor::reduce_by_rows`], b^length - 1 - w stands
    /// in its place meanwhile. With M the S + 2 highest words of m, or all, and T those of w:
    ///
    /// 1. q = min(floor(T / M), b^S - 1), digit by digit. T is below (M + 1) b^S; if its upper words are M, q is b^S - 1 and the digits do
    ///    not matter. q is floor(w / m) or 1 too large: w / m < (T + 1) / M, and T / M - w / m <= T / M - T / (M + 1) < b^S / M < 1.
    /// 2. w - q m, in [-m, m), by rows. If it is negative, it is -1 - r, whose words are those of r, flipped. So r goes on, the words
    ///    below are flipped as well, and this sign with them.
    /// 3. m is added to a negative rest.
    pub(super) fn reduce_by_blocks(&self, p: &mut [W], m: &[W], leaf: impl Leaf<W>) {
        let (m, _) = m.split_at(self.top + 1);
        let head = m.len().min(leaf.rows() + 2);
        debug_assert!(head >= 3 && leaf.rows() <= BLOCK, "the leading words with the bits below them are words of M");
        let (of_head, upper) = (Self { top: head - 1, ..*self }, &m[m.len() - head..]);
        let mut room = [W::ZERO; BLOCK_ROOM];
        let mut at = p.len() - m.len();
        linear::flip(&mut p[at..], W::MAX);
        // All ones where what is computed is -1 less the rest.
        let mut minus = W::ZERO;
        while at > 0 {
            W::turn();
            let rows = at.min(leaf.rows());
            at -= rows;
            let window = &mut p[at..][..m.len() + rows];
            linear::flip(&mut window[..rows], minus.flip(W::MAX));
            // Step 1.
            let (q, t) = room.split_at_mut(BLOCK);
            let (q, t) = (&mut q[..rows], &mut t[..head + rows]);
            linear::copy(t, &window[m.len() - head..]);
            linear::flip(t, W::MAX);
            let saturated = W::mask(
                t[rows..].iter().zip(upper).fold(true, |same, (t, m)| same & t.load().flip(m.load()).is_zero()),
            );
            // Then less than M, whose highest word is not 0.
            let top = &mut t[head + rows - 1];
            top.store(W::select(saturated, W::ZERO, top.load()));
            for (i, q) in q.iter_mut().enumerate().rev() {
                W::turn();
                let digit = of_head.subtract_multiple(&mut t[i..=i + head], upper);
                q.store(W::select(saturated, W::MAX, digit));
            }
            // Step 2. The rows overwrite the words above.
            let kept = &mut t[..rows];
            linear::copy(kept, &window[m.len()..]);
            leaf.add_rows(window, m, q);
            let (rest, top) = window.split_at_mut(m.len());
            let negative = W::mask(linear::add_assign(top, kept, false));
            linear::flip(rest, negative);
            minus = minus.flip(negative);
        }
        // Step 3.
        let rest = &mut p[..m.len()];
        linear::flip(rest, minus.flip(W::MAX));
        leaf.add_row(rest, m, W::select(minus, W::ONE, W::ZERO));
        debug_assert!(linear::less(rest, m));
        linear::wipe(&mut room);
    }

    /// min(floor((high b^2 + mid b + low) / D), b - 1).
    ///
    /// Moeller and Granlund, "Improved division by invariant integers" (IEEE Trans. Computers 60(2), 2011), algorithm 5,
    /// for high b + mid < D; it is at most D here, because p < m b, and D itself would give b.
    #[inline(always)]
    fn quotient(&self, high: W, mid: W, low: W) -> W {
        let (d, d0) = (self.divisor, self.below);
        let (_, borrow) = mid.sub_borrow(d0, false);
        let (above, borrow) = high.sub_borrow(d, borrow);
        debug_assert!(borrow || (above == W::ZERO && mid == d0));
        let saturated = W::mask(!borrow);
        let high = W::select(saturated, W::ZERO, high);
        let (q0, q) = self.reciprocal.mul_wide(high);
        let (q0, carry) = q0.add_carry(mid, false);
        let q = q.add_carry(high, carry).0;
        // The remainder for q + 1, modulo b^2.
        let (t0, t1) = d0.mul_wide(q);
        let r1 = mid.sub_borrow(q.mul_low(d), false).0;
        let (r0, borrow) = low.sub_borrow(t0, false);
        let r1 = r1.sub_borrow(t1, borrow).0;
        let (r0, borrow) = r0.sub_borrow(d0, false);
        let r1 = r1.sub_borrow(d, borrow).0;
        // If r1 >= q0, q was right.
        let (_, less) = r1.sub_borrow(q0, false);
        let q = q.add_carry(W::ZERO, less).0;
        let back = W::mask(!less);
        let (r0, carry) = r0.add_carry(W::select(back, d0, W::ZERO), false);
        let r1 = r1.add_carry(W::select(back, d, W::ZERO), carry).0;
        let (_, borrow) = r0.sub_borrow(d0, false);
        let (_, borrow) = r1.sub_borrow(d, borrow);
        let q = q.add_carry(W::ZERO, !borrow).0;
        W::select(saturated, W::MAX, q)
    }
}

/// `p = p - q m`; returns the word to subtract above. It and the carries stay below b: q m_i + carry <= (b - 1) b, whose high
/// word is b - 1 only if its low word is 0, and then nothing is borrowed.
#[inline(always)]
fn subtract_product<W: Word>(p: &mut [W], m: &[W], q: W) -> W {
    let mut carry = W::ZERO;
    for (p, m) in p.iter_mut().zip(m) {
        W::turn();
        let (low, high) = m.load().mul_add_carry(q, W::ZERO, carry);
        let (rest, borrow) = p.load().sub_borrow(low, false);
        p.store(rest);
        carry = high.add_carry(W::ZERO, borrow).0;
    }
    carry
}

/// N words of `a`, highest first, from `shift` bits below the top of word `top` on; zeros below the lowest word of `a`.
#[inline(always)]
fn leading<W: Word, const N: usize>(a: &[W], top: usize, shift: u32) -> [W; N] {
    let word = |depth: usize| top.checked_sub(depth).map_or(W::ZERO, |at| a[at].load());
    core::array::from_fn(|depth| shift_in(word(depth), word(depth + 1), shift))
}

/// The word that starts `shift` bits below the top of `high`, filled from `low`.
#[inline(always)]
fn shift_in<W: Word>(high: W, low: W, shift: u32) -> W {
    // Two shifts, because a word cannot be shifted by BITS at once. The two parts have no bit in common.
    high.shift_left(shift).add_carry(low.shift_right(1).shift_right(W::BITS - 1 - shift), false).0
}

/// floor((b^3 - 1) / (d b + d0)) - b for b/2 <= d < b, without a branch or a division.
///
/// From the reciprocal v of only d, floor((b^2 - 1) / d) - b, corrected by what d0 adds: the same paper, algorithm 6.
fn reciprocal<W: Word>(d: W, d0: W, v: W) -> W {
    let minus = |v: W, times: bool| v.sub_borrow(W::ZERO, times).0;
    let (p, over) = d.mul_low(v).add_carry(d0, false);
    let twice = over & !p.sub_borrow(d, false).1;
    let v = minus(minus(v, over), twice);
    let p = p.sub_borrow(W::select(W::mask(over), d, W::ZERO), false).0;
    let p = p.sub_borrow(W::select(W::mask(twice), d, W::ZERO), false).0;
    let (t0, t1) = v.mul_wide(d0);
    let (p, over) = p.add_carry(t1, false);
    let (_, borrow) = t0.sub_borrow(d0, false);
    let twice = over & !p.sub_borrow(d, borrow).1;
    minus(minus(v, over), twice)
}

/// floor((b^2 - 1) / d) - b for b/2 <= d < b, without a branch or a division.
///
/// Newton's iteration for T = (b^2 - 1) / d from below: with X = b + x and the rest e = b^2 - 1 - X d, X grows by
/// floor(X floor(e / b) / b). The distance D = T - X becomes less than D^2 / T + 3 + D / b^2: X e / b^2 = D (1 - D / T)
/// (1 - b^-2), the inner floor costs at most X / b < 2, the outer one 1. From x = 0, D < T / 2, so that log2(BITS) + 1
/// turns leave D < 4, and x is at most 3 too small.
fn reciprocal_of_word<W: Word>(d: W) -> W {
    let top = W::MAX.sub_borrow(d, false).0;
    let rest = |x: W| {
        let (low, high) = x.mul_wide(d);
        let (low, borrow) = W::MAX.sub_borrow(low, false);
        (low, top.sub_borrow(high, borrow).0)
    };
    let mut x = W::ZERO;
    for _ in 0..=W::BITS.ilog2() {
        W::turn();
        let (_, high) = rest(x);
        let (_, step) = x.mul_wide(high);
        x = x.add_carry(high, false).0.add_carry(step, false).0;
    }
    let (mut low, mut high) = rest(x);
    for _ in 0..3 {
        W::turn();
        let (less, borrow) = low.sub_borrow(d, false);
        let (less_high, borrow) = high.sub_borrow(W::ZERO, borrow);
        let keep = W::mask(borrow);
        (low, high) = (W::select(keep, low, less), W::select(keep, high, less_high));
        x = x.add_carry(W::ZERO, !borrow).0;
    }
    debug_assert!(high == W::ZERO && low < d, "at most three corrections");
    x
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/short.rs"]
mod tests;
