//! [`PowerOfTwoRing`]: residues modulo 2^k, by low products.
//!
//! Lemmas: small.powers_of_two (proofs/README.md).

use super::Ring;
use super::montgomery::LEAF;
use super::product::comba::Comba;
use super::product::{Leaf, low};
use crate::natural::linear;
use crate::natural::word::Word;

/// The plain residues modulo 2^k, k >= 1: ceil(k / BITS) words, the bits above k zero.
///
/// Constant-time in the residues; k is public.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerOfTwoRing<W, L = Comba> {
    /// The products of short operands.
    leaf: L,
    n: usize,
    /// Bits of the top word, 1 to BITS.
    top_bits: u32,
    word: core::marker::PhantomData<W>,
}

impl<W: Word> PowerOfTwoRing<W> {
    /// The ring modulo 2^k, k >= 1. It prepares no constants.
    pub(crate) fn new(k: usize) -> Self {
        Self::with_leaf(k, Comba(LEAF))
    }
}

impl<W: Word, L: Leaf<W>> PowerOfTwoRing<W, L> {
    /// The ring on the products of an instruction family.
    pub(crate) fn with_leaf(k: usize, leaf: L) -> Self {
        assert!(k >= 1, "the modulus is at least 2");
        let n = k.div_ceil(W::BITS as usize);
        Self { leaf, n, top_bits: (k - (n - 1) * W::BITS as usize) as u32, word: core::marker::PhantomData }
    }

    /// Copies a low product to `out`, modulo 2^k.
    #[inline(always)]
    fn finish(&self, out: &mut [W], product: &[W]) {
        linear::copy(out, product);
        if let Some(top) = out.last_mut() {
            top.store(linear::low_bits(top.load(), self.top_bits));
        }
    }
}

impl<W: Word, L: Leaf<W>> Ring<W> for PowerOfTwoRing<W, L> {
    fn words(&self) -> usize {
        self.n
    }

    fn bytes(&self) -> usize {
        0
    }

    fn scratch_words(&self) -> usize {
        self.n + low::scratch_words(self.n, self.leaf.words())
    }

    fn one(&self, arena: &mut [W], out: usize, _scratch: &mut [W]) {
        let out = &mut arena[out..out + self.n];
        linear::clear(out);
        out[0].store(W::ONE);
    }

    /// A value longer than words() is reduced modulo 2^k too.
    fn enter(&self, arena: &mut [W], out: usize, value: &[W], _scratch: &mut [W]) {
        let out = &mut arena[out..out + self.n];
        let given = self.n.min(value.len());
        linear::copy(&mut out[..given], &value[..given]);
        linear::clear(&mut out[given..]);
        let top = &mut out[self.n - 1];
        top.store(linear::low_bits(top.load(), self.top_bits));
    }

    fn leave(&self, value: &mut [W], arena: &[W], from: usize, _scratch: &mut [W]) {
        linear::copy(value, &arena[from..from + self.n]);
    }

    fn mul(&self, arena: &mut [W], out: usize, a: usize, b: usize, scratch: &mut [W]) {
        let n = self.n;
        let (product, scratch) = scratch.split_at_mut(n);
        low::low_mul(product, &arena[a..a + n], &arena[b..b + n], self.leaf, scratch);
        self.finish(&mut arena[out..out + n], product);
    }

    fn sqr(&self, arena: &mut [W], out: usize, a: usize, scratch: &mut [W]) {
        let n = self.n;
        #[cfg(any(pingala_planted_leak = "word_branch", pingala_planted_leak = "word_index"))]
        super::planted::leak(&arena[a..a + n]);
        let (square, scratch) = scratch.split_at_mut(n);
        low::low_sqr(square, &arena[a..a + n], self.leaf, scratch);
        self.finish(&mut arena[out..out + n], square);
    }

    fn mul_small(&self, arena: &mut [W], out: usize, a: usize, small: W, scratch: &mut [W]) {
        let n = self.n;
        let product = &mut scratch[..n];
        let mut carry = W::ZERO;
        for (product, a) in product.iter_mut().zip(&arena[a..a + n]) {
            W::turn();
            let (low, high) = a.load().mul_add_carry(small, W::ZERO, carry);
            product.store(low);
            carry = high;
        }
        self.finish(&mut arena[out..out + n], product);
    }
}
