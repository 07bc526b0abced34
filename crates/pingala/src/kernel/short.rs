//! A residue times one word, reduced from the top: n + 1 words of product, one quotient word, one row of subtraction.
//! Half of a Montgomery product at 4 words, a tenth at 32. Branch-free in all values, so that set-up modulo a secret
//! factor can use it too.

use crate::natural::linear;
use crate::natural::word::Word;

/// What the quotient estimate needs of a modulus: its top word, normalised, and the reciprocal of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortFactor<W> {
    /// Index of the top word of m that is not 0.
    top: usize,
    /// Leading zeros of that word.
    shift: u32,
    /// d = floor(m 2^shift / b^top), b/2 <= d < b.
    divisor: W,
    /// floor((b^2 - 1) / d) - b.
    reciprocal: W,
}

impl<W: Word> ShortFactor<W> {
    /// For a modulus that is not 0; zero words on top are legal. Constant-time apart from the bit length.
    pub(crate) fn new(m: &[W]) -> Self {
        let bits = linear::bits(m);
        let top = (bits - 1) / W::BITS as usize;
        let shift = ((top + 1) * W::BITS as usize - bits) as u32;
        let below = if top == 0 { W::ZERO } else { m[top - 1].load() };
        let divisor = shift_in(m[top].load(), below, shift);
        Self { top, shift, divisor, reciprocal: reciprocal(divisor) }
    }

    /// floor((b^2 - 1) / d) - b, where d is the top word of m shifted up to its highest bit, filled from the word below.
    pub(super) fn reciprocal(&self) -> W {
        self.reciprocal
    }

    /// `out = a * small` mod m for a residue a < m at offset `a`; offsets as in [`super::Ring`], n + 1 words of scratch.
    ///
    /// 1. p = a * small, n + 1 words.
    /// 2. The quotient estimate q = min(floor(P / d), b - 1), where P and d are the top two words of p and the top word of
    ///    m, both shifted up by `shift`. Knuth (TAOCP 4.3.1, theorems A and B): with d >= b/2 it is right or at most 2
    ///    too large.
    /// 3. p - q m, in [-2m, m); then m is added twice by mask.
    pub(crate) fn mul(&self, arena: &mut [W], out: usize, a: usize, small: W, m: &[W], scratch: &mut [W]) {
        let n = m.len();
        let (p, _) = scratch.split_at_mut(n + 1);
        // Step 1.
        let mut carry = W::ZERO;
        for (p, a) in p.iter_mut().zip(&arena[a..a + n]) {
            W::turn();
            let (low, high) = a.load().mul_add_carry(small, W::ZERO, carry);
            p.store(low);
            carry = high;
        }
        p[n].store(carry);
        // Step 2.
        let below = if self.top == 0 { W::ZERO } else { p[self.top - 1].load() };
        let high = shift_in(p[self.top + 1].load(), p[self.top].load(), self.shift);
        let low = shift_in(p[self.top].load(), below, self.shift);
        let q = self.quotient(high, low);
        // Step 3. The product's high word and the borrow stay below b: q m_i + carry <= (b - 1) b, whose high word is b - 1
        // only if its low word is 0, and then nothing is borrowed.
        let mut carry = W::ZERO;
        for (p, m) in p.iter_mut().zip(m) {
            W::turn();
            let (low, high) = m.load().mul_add_carry(q, W::ZERO, carry);
            let (rest, borrow) = p.load().sub_borrow(low, false);
            p.store(rest);
            carry = high.add_carry(W::ZERO, borrow).0;
        }
        let mut top = p[n].load().sub_borrow(carry, false).0;
        for _ in 0..2 {
            // Negative exactly if the top word is not 0: it is then b - 1 or b - 2.
            let negative = W::mask(top != W::ZERO);
            let carry = linear::add_masked(&mut p[..n], m, negative);
            top = top.add_carry(W::ZERO, carry).0;
        }
        debug_assert!(top == W::ZERO && linear::less(&p[..n], m), "Knuth's bound: at most two corrections");
        linear::copy(&mut arena[out..out + n], &p[..n]);
    }

    /// min(floor((high b + low) / d), b - 1).
    ///
    /// Moeller and Granlund, "Improved division by invariant integers" (IEEE Trans. Computers 60(2), 2011), algorithm 4,
    /// for high < d; `high` is at most d here, because p < m b.
    #[inline(always)]
    fn quotient(&self, high: W, low: W) -> W {
        let d = self.divisor;
        let saturated = W::mask(high >= d);
        debug_assert!(high <= d);
        let high = W::select(saturated, W::ZERO, high);
        let (q0, q1) = self.reciprocal.mul_wide(high);
        let (q0, carry) = q0.add_carry(low, false);
        let q1 = q1.add_carry(high, carry).0.add_carry(W::ONE, false).0;
        let r = low.sub_borrow(q1.mul_low(d), false).0;
        let too_large = W::mask(r > q0);
        let q1 = q1.add_carry(too_large, false).0;
        let r = W::select(too_large, r.add_carry(d, false).0, r);
        let q1 = q1.add_carry(W::ZERO, r >= d).0;
        W::select(saturated, W::MAX, q1)
    }
}

/// The word that starts `shift` bits below the top of `high`, filled from `low`.
#[inline(always)]
fn shift_in<W: Word>(high: W, low: W, shift: u32) -> W {
    // Two steps, because a shift by all BITS is not one a word can do. The two parts have no bit in common.
    high.shift_left(shift).add_carry(low.shift_right(1).shift_right(W::BITS - 1 - shift), false).0
}

/// floor((b^2 - 1) / d) - b for b/2 <= d < b: ((b - 1 - d) b + b - 1) / d bit by bit, without a branch or a division.
fn reciprocal<W: Word>(d: W) -> W {
    let mut rest = W::MAX.sub_borrow(d, false).0;
    let mut quotient = W::ZERO;
    for _ in 0..W::BITS {
        W::turn();
        let over = rest.shift_right(W::BITS - 1) != W::ZERO;
        let next = rest.shift_left(1).add_carry(W::ONE, false).0;
        let (less, borrow) = next.sub_borrow(d, false);
        let fits = over | !borrow;
        rest = W::select(W::mask(fits), less, next);
        quotient = quotient.add_carry(quotient, fits).0;
    }
    quotient
}
