//! [`OddRing`]: residues modulo one odd number in Montgomery form, by any of the organisations.

use super::montgomery::{Constants, Family, Portable, Product, neg_mod_inv_limb};
use super::product::Leaf;
use super::short::ShortFactor;
use super::{Ring, hensel};
use crate::natural::linear;
use crate::natural::word::Word;

/// As many doublings are quicker than one short product.
const DOUBLINGS: usize = 2;

/// The residues modulo one odd m in Montgomery form x R, R = b^words(), by the basecases of one instruction family.
///
/// Everything here, the set-up included, is constant-time in the value of the modulus and of the residues; the length of
/// the modulus in bits is public.
#[derive(Debug)]
pub(crate) struct OddRing<W: Word, F: Family<W> = Portable> {
    product: Product,
    family: F,
    /// Words of a residue, padding included.
    n: usize,
    /// m, R mod m, R^2 mod m, n words each; for KCM then -m^-1 mod R, n words, and |m0 - m1|, n/2 words.
    constants: Box<[W]>,
    m_prime: W,
    m_diff_negative: W,
    short: ShortFactor<W>,
}

impl<W: Word> OddRing<W> {
    /// Prepares the constants for the portable family; see [`OddRing::of_family`].
    pub(crate) fn new(modulus: &[W], product: Product) -> Self {
        Self::of_family(modulus, product, Portable)
    }
}

impl<W: Word, F: Family<W>> OddRing<W, F> {
    /// Prepares the constants for an odd modulus, least significant word first, at least one word; zero words on top are
    /// legal and give a larger R.
    ///
    /// Count, L the bit length of m and n the padded words: (n * BITS - L) / (BITS - 1) short products for R mod m; then
    /// at most 20n / (BITS - 1) more and about log2(BITS / 20) squarings for R^2 mod m (form(2^k)^2 = form(2^2k), so that
    /// a squaring doubles the exponent and a short product adds BITS - 1); KCM adds one Hensel inverse.
    pub(crate) fn of_family(modulus: &[W], product: Product, family: F) -> Self {
        assert!(modulus.first().is_some_and(|word| word.shift_left(W::BITS - 1) != W::ZERO), "the modulus is odd");
        let n = family.padded_words(product, modulus.len());
        let kcm = product == Product::Kcm;
        let mut constants = vec![W::ZERO; if kcm { 4 * n + n / 2 } else { 3 * n }].into_boxed_slice();
        linear::copy(&mut constants[..modulus.len()], modulus);
        let mut ring = Self {
            product,
            family,
            n,
            m_prime: neg_mod_inv_limb(modulus[0].load()),
            m_diff_negative: W::ZERO,
            short: ShortFactor::new(&constants[..n]),
            constants,
        };
        let leaf = family.leaf().words();
        let mut room = vec![W::ZERO; n + product.scratch_words(n, leaf).max(hensel::scratch_words(n, leaf))];
        let (power, scratch) = room.split_at_mut(n);
        if kcm {
            ring.prepare_kcm(scratch);
        }
        ring.prepare_powers_of_r(power, scratch);
        linear::wipe(&mut room);
        ring
    }

    /// -m^-1 mod R and |m0 - m1|.
    fn prepare_kcm(&mut self, scratch: &mut [W]) {
        let n = self.n;
        let (m, rest) = self.constants.split_at_mut(n);
        let (m_prime_full, m_diff) = rest[2 * n..].split_at_mut(n);
        hensel::inverse(m_prime_full, m, self.family.leaf(), scratch);
        linear::negate(m_prime_full);
        self.m_diff_negative = linear::abs_diff(m_diff, &m[..n / 2], &m[n / 2..]);
    }

    /// R mod m and R^2 mod m without a division; `power` has room for one residue.
    fn prepare_powers_of_r(&mut self, power: &mut [W], scratch: &mut [W]) {
        let n = self.n;
        let r_bits = n * W::BITS as usize;
        let m_bits = linear::bits(self.modulus());
        // 2^L - m is at most m, because m >= 2^(L-1); equal only for m = 1.
        linear::copy(power, self.modulus());
        linear::negate(power);
        linear::truncate(power, m_bits);
        let (low, _) = scratch.split_at_mut(n);
        linear::copy(low, power);
        linear::subtract_once(power, low, false, self.modulus());
        self.times_power_of_two(power, r_bits - m_bits, scratch);
        linear::copy(&mut self.constants[n..2 * n], power);

        // form(1) is there; form(R) = R^2 mod m by building the exponent r_bits from its top bits down. A squaring costs
        // about as much as n / 3 short products, which add 20n bits to the exponent.
        let mut halvings = 0;
        while r_bits >> halvings > 20 * n {
            halvings += 1;
        }
        self.times_power_of_two(power, r_bits >> halvings, scratch);
        for bit in (0..halvings).rev() {
            self.sqr(power, 0, 0, scratch);
            self.times_power_of_two(power, r_bits >> bit & 1, scratch);
        }
        linear::copy(&mut self.constants[2 * n..3 * n], power);
    }

    /// `power = power * 2^count` mod m, by words.
    fn times_power_of_two(&self, power: &mut [W], count: usize, scratch: &mut [W]) {
        let step = W::BITS as usize - 1;
        for done in (0..count).step_by(step) {
            let bits = step.min(count - done);
            if bits > DOUBLINGS {
                self.short.mul(power, 0, 0, W::ONE.shift_left(bits as u32), self.modulus(), scratch);
                continue;
            }
            for _ in 0..bits {
                let sum = &mut scratch[..self.n];
                let over = linear::add(sum, power, power, false);
                linear::subtract_once(power, sum, over, self.modulus());
            }
        }
    }

    /// The modulus, words() words.
    pub(crate) fn modulus(&self) -> &[W] {
        &self.constants[..self.n]
    }

    /// 1 in Montgomery form: R mod m.
    fn r_mod_m(&self) -> &[W] {
        &self.constants[self.n..2 * self.n]
    }

    /// R in Montgomery form: R^2 mod m.
    fn rr(&self) -> &[W] {
        &self.constants[2 * self.n..3 * self.n]
    }

    #[inline(always)]
    pub(crate) fn montgomery(&self) -> Constants<'_, W> {
        let n = self.n;
        let (m_prime_full, m_diff) =
            if self.constants.len() > 3 * n { self.constants[3 * n..].split_at(n) } else { (&[][..], &[][..]) };
        Constants {
            m: &self.constants[..n],
            m_prime: self.m_prime,
            m_prime_full,
            m_diff,
            m_diff_negative: self.m_diff_negative,
        }
    }
}

impl<W: Word, F: Family<W>> Ring<W> for OddRing<W, F> {
    fn words(&self) -> usize {
        self.n
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.constants)
    }

    fn scratch_words(&self) -> usize {
        self.n + 1 + self.product.scratch_words(self.n, self.family.leaf().words())
    }

    fn one(&self, arena: &mut [W], out: usize) {
        linear::copy(&mut arena[out..out + self.n], self.r_mod_m());
    }

    /// `out = value` mod m in Montgomery form, for a value of any length.
    ///
    /// Horner's rule over the words() -word pieces c of the value, from the top: A <- (A + c) R, one Montgomery product
    /// by R^2 each; an A + c that runs over b^n loses m once, by mask. Constant-time in the value; its length is public.
    fn enter(&self, arena: &mut [W], out: usize, value: &[W], scratch: &mut [W]) {
        let n = self.n;
        let result = &mut arena[out..out + n];
        linear::clear(result);
        for piece in value.chunks(n).rev() {
            W::turn();
            let (sum, product_scratch) = scratch.split_at_mut(n);
            linear::copy(&mut sum[..piece.len()], piece);
            linear::clear(&mut sum[piece.len()..]);
            // A < m, so A + c - m < b^n where A + c >= b^n.
            let over = linear::add_assign(sum, result, false);
            linear::sub_masked(sum, self.modulus(), W::mask(over));
            if self.product == Product::Cios {
                // The family's own product takes its operands from one arena.
                linear::copy(&mut product_scratch[..n], self.rr());
                if self.family.cios(scratch, 0, 0, n, &self.montgomery()) {
                    linear::copy(result, &scratch[..n]);
                    continue;
                }
            }
            let (sum, product_scratch) = scratch.split_at_mut(n);
            self.product
                .mul(self.family, product_scratch, sum, self.rr(), &self.montgomery())
                .finish(result, self.modulus());
        }
    }

    fn leave(&self, value: &mut [W], arena: &[W], from: usize, scratch: &mut [W]) {
        let n = self.n;
        linear::copy(&mut scratch[..n], &arena[from..from + n]);
        linear::clear(&mut scratch[n..2 * n]);
        self.product.redc(self.family, scratch, &self.montgomery()).finish(value, self.modulus());
    }

    fn mul(&self, arena: &mut [W], out: usize, a: usize, b: usize, scratch: &mut [W]) {
        let n = self.n;
        if self.product == Product::Cios && self.family.cios(arena, out, a, b, &self.montgomery()) {
            return;
        }
        let product = self.product.mul(self.family, scratch, &arena[a..a + n], &arena[b..b + n], &self.montgomery());
        product.finish(&mut arena[out..out + n], self.modulus());
    }

    fn sqr(&self, arena: &mut [W], out: usize, a: usize, scratch: &mut [W]) {
        let n = self.n;
        if self.product == Product::Cios && self.family.cios(arena, out, a, a, &self.montgomery()) {
            return;
        }
        let square = self.product.sqr(self.family, scratch, &arena[a..a + n], &self.montgomery());
        square.finish(&mut arena[out..out + n], self.modulus());
    }

    /// Not a Montgomery product: the n + 1 words of a * small, reduced from the top. See [`ShortFactor`].
    fn mul_small(&self, arena: &mut [W], out: usize, a: usize, small: W, scratch: &mut [W]) {
        self.short.mul(arena, out, a, small, self.modulus(), scratch);
    }
}

impl<W: Word, F: Family<W>> Drop for OddRing<W, F> {
    /// The modulus may be a secret factor.
    fn drop(&mut self) {
        linear::wipe(&mut self.constants);
    }
}
