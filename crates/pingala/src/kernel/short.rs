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

/// floor((b^2 - 1) / d) - b for b/2 <= d < b, without a branch or a division.
///
/// Newton's iteration for T = (b^2 - 1) / d from below: with X = b + x and the rest e = b^2 - 1 - X d, X grows by
/// floor(X floor(e / b) / b). The distance D = T - X becomes less than D^2 / T + 3 + D / b^2: X e / b^2 = D (1 - D / T)
/// (1 - b^-2), the inner floor costs at most X / b < 2, the outer one 1. From x = 0, D < T / 2, so that log2(BITS) + 1
/// turns leave D < 4, and x is at most 3 too small.
fn reciprocal<W: Word>(d: W) -> W {
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
mod tests {
    use super::reciprocal;

    #[test]
    fn reciprocals_are_exact() {
        for d in 0x80..=u8::MAX {
            assert_eq!(u32::from(reciprocal(d)) + 256, 0xffff / u32::from(d), "{d}");
        }
        let exact = |d: u64| (u128::MAX / u128::from(d) - (1 << 64)) as u64;
        let top = 1u64 << 63;
        let scattered = (0..20_000u64).map(|i| top | i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for d in (0..1000).flat_map(|i| [top + i, u64::MAX - i, top | 1 << (i % 63)]).chain(scattered) {
            assert_eq!(reciprocal(d), exact(d), "{d:x}");
        }
    }
}
