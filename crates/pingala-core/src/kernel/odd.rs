//! [`OddRing`]: residues modulo one odd number in Montgomery form, by any of the organisations.
//!
//! Lemmas: small.organisations (proofs/README.md).

use super::montgomery::{Constants, Family, Portable, Product, kcm, neg_mod_inv_limb};
use super::product::Leaf;
use super::short::ShortFactor;
use super::{Ring, hensel, scan_words};
use crate::exponent::SecretDigit;
use crate::natural::linear;
use crate::natural::word::Word;
use alloc::vec;
use smallvec::SmallVec;

/// Words of constants that need no allocation of their own.
const INLINE_WORDS: usize = 16;

/// The residues modulo one odd m in Montgomery form x R, R = b^words(), by the basecases of one instruction family.
///
/// Everything here, the set-up included, is constant-time in the value of the modulus and of the residues; the length of
/// the modulus in bits is public.
#[derive(Debug)]
pub struct OddRing<W: Word, F: Family<W> = Portable> {
    product: Product,
    family: F,
    /// Words of a residue, padding included.
    n: usize,
    /// m, n words; KCM adds -m^-1 mod R, n words, and the constants of m's halves ([`kcm::prepare_halves`]).
    constants: SmallVec<[W; INLINE_WORDS]>,
    m_prime: W,
    m_diff_negative: W,
    short: ShortFactor<W>,
}

impl<W: Word> OddRing<W> {
    /// Prepares the constants of a public modulus for the portable family; see `OddRing::of_bits`.
    pub fn new(modulus: &[W], product: Product) -> Self {
        Self::of_bits(modulus, linear::bits(modulus), product, Portable::USUAL)
    }
}

impl<W: Word, F: Family<W>> OddRing<W, F> {
    /// Prepares the constants for an odd modulus of exactly `bits` bits, least significant word first, at least one word; zero
    /// words on top are legal and give a larger R. The constants include no power of R: numbers enter by a division.
    pub(crate) fn of_bits(modulus: &[W], bits: usize, product: Product, family: F) -> Self {
        Self::with_short_factor(modulus, ShortFactor::of_bits(modulus, bits), product, family)
    }

    /// Makes the ring as [`OddRing::of_bits`] does, with the constants of the division given.
    pub(super) fn with_short_factor(modulus: &[W], short: ShortFactor<W>, product: Product, family: F) -> Self {
        assert!(modulus.first().is_some_and(|word| word.shift_left(W::BITS - 1) != W::ZERO), "the modulus is odd");
        let words = modulus.len();
        let n = if F::PADS { product.padded_words(words) } else { product.unpadded_words(words) };
        let is_kcm = product == Product::Kcm;
        let mut ring = Self {
            product,
            family,
            n,
            m_prime: neg_mod_inv_limb(modulus[0].load()),
            m_diff_negative: W::ZERO,
            short,
            constants: SmallVec::new(),
        };
        // The constants are computed in place.
        ring.constants.resize(if is_kcm { 2 * n + kcm::halves_words::<W>(n, family.leaf()) } else { n }, W::ZERO);
        linear::copy(&mut ring.constants[..modulus.len()], modulus);
        if is_kcm {
            ring.prepare_kcm();
        }
        ring
    }

    /// Computes -m^-1 mod R and the constants of m's halves.
    fn prepare_kcm(&mut self) {
        let n = self.n;
        let mut scratch = vec![W::ZERO; hensel::scratch_words(n, self.family.leaf().words())];
        let (m, rest) = self.constants.split_at_mut(n);
        let (m_prime_full, m_halves) = rest.split_at_mut(n);
        hensel::inverse(m_prime_full, m, self.family.leaf(), &mut scratch);
        linear::negate(m_prime_full);
        self.m_diff_negative = kcm::prepare_halves(m_halves, m, self.family.leaf());
        linear::wipe(&mut scratch);
    }

    /// The modulus, words() words.
    pub(crate) fn modulus(&self) -> &[W] {
        &self.constants[..self.n]
    }

    /// What its products need of the modulus.
    #[inline(always)]
    pub fn montgomery(&self) -> Constants<'_, W> {
        let n = self.n;
        let (m_prime_full, m_halves) =
            if self.constants.len() > n { self.constants[n..].split_at(n) } else { (&[][..], &[][..]) };
        Constants {
            m: &self.constants[..n],
            m_prime: self.m_prime,
            m_prime_full,
            m_halves,
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

    fn one(&self, arena: &mut [W], out: usize, scratch: &mut [W]) {
        self.enter(arena, out, &[W::ONE], scratch);
    }

    /// `out = value` mod m in Montgomery form, for a value of any length. Constant-time in the value; its length is public.
    fn enter(&self, arena: &mut [W], out: usize, value: &[W], scratch: &mut [W]) {
        let leaf = self.family.leaf();
        self.short.enter_on(&mut arena[out..out + self.n], value, self.modulus(), scratch, leaf);
    }

    fn add_canonical(&self, arena: &mut [W], out: usize, c: usize) -> bool {
        let (low, high) = arena.split_at_mut(c);
        let (sum, m) = (&mut low[out..out + self.n], self.modulus());
        let over = linear::add_assign(sum, &high[..self.n], false);
        // One subtraction, which is taken back by mask: the sum is below 2m.
        let borrow = linear::sub_assign(sum, m, false);
        linear::add_masked(sum, m, W::mask(borrow & !over));
        true
    }

    fn leave(&self, value: &mut [W], arena: &[W], from: usize, scratch: &mut [W]) {
        let n = self.n;
        linear::copy(&mut scratch[..n], &arena[from..from + n]);
        linear::clear(&mut scratch[n..2 * n]);
        let reduced = self.product.redc(self.family, scratch, &self.montgomery());
        self.family.finish(reduced, value, self.modulus());
    }

    /// The Montgomery product divides by R once: (a R) plain / R.
    fn leave_times(&self, value: &mut [W], arena: &[W], a: usize, plain: &[W], scratch: &mut [W]) -> bool {
        let n = self.n;
        if plain.len() > n {
            return false;
        }
        let (padded, rest) = scratch.split_at_mut(n);
        linear::copy(&mut padded[..plain.len()], plain);
        linear::clear(&mut padded[plain.len()..]);
        let a = &arena[a..a + n];
        if self.product == Product::Cios {
            // The family's own product takes its operands from one arena.
            linear::copy(&mut rest[..n], a);
            if self.family.cios(scratch, 0, 0, n, &self.montgomery()) {
                linear::copy(value, &scratch[..n]);
                return true;
            }
        }
        let (padded, rest) = scratch.split_at_mut(n);
        let product = self.product.mul(self.family, rest, padded, a, &self.montgomery());
        self.family.finish(product, value, self.modulus());
        true
    }

    fn mul(&self, arena: &mut [W], out: usize, a: usize, b: usize, scratch: &mut [W]) {
        let n = self.n;
        if self.product == Product::Cios && self.family.cios(arena, out, a, b, &self.montgomery()) {
            return;
        }
        let product = self.product.mul(self.family, scratch, &arena[a..a + n], &arena[b..b + n], &self.montgomery());
        self.family.finish(product, &mut arena[out..out + n], self.modulus());
    }

    fn sqr(&self, arena: &mut [W], out: usize, a: usize, scratch: &mut [W]) {
        let n = self.n;
        if self.product == Product::Cios && self.family.short_sqr(arena, out, a, scratch, &self.montgomery()) {
            return;
        }
        #[cfg(any(pingala_planted_leak = "word_branch", pingala_planted_leak = "word_index"))]
        super::planted::leak(&arena[a..a + n]);
        let square = self.product.sqr(self.family, scratch, &arena[a..a + n], &self.montgomery());
        self.family.finish(square, &mut arena[out..out + n], self.modulus());
    }

    fn sqr_n(&self, arena: &mut [W], out: usize, a: usize, count: usize, scratch: &mut [W]) {
        let constants = self.montgomery();
        let mut from = a;
        for _ in 0..count {
            // The test stands in the loop, so that consecutive squarings skip the calls that lead to a single one.
            if self.product != Product::Cios || !self.family.short_sqr(arena, out, from, scratch, &constants) {
                self.sqr(arena, out, from, scratch);
            }
            from = out;
        }
    }

    /// No Montgomery product: the n + 1 words of a * small are reduced from the top; see `ShortFactor`.
    fn mul_small(&self, arena: &mut [W], out: usize, a: usize, small: W, scratch: &mut [W]) {
        self.short.mul(arena, out, a, small, self.modulus(), scratch);
    }

    fn scan_packed(&self, packed: &mut [W], one: &[W], table: &[W], digit: SecretDigit) {
        if !self.family.scan(packed, one, table, digit) {
            scan_words(packed, one, table, digit);
        }
    }
}

impl<W: Word, F: Family<W>> Drop for OddRing<W, F> {
    /// The modulus may be a secret factor.
    fn drop(&mut self) {
        linear::wipe(&mut self.constants);
        linear::wipe(core::slice::from_mut(&mut self.m_prime));
        linear::wipe(core::slice::from_mut(&mut self.m_diff_negative));
        self.short.wipe();
    }
}
