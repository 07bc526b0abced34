//! [`DivisionRing`]: plain residues, reduced by a division after each product. It has next to nothing to set up, and takes
//! even moduli as a whole: for short exponents. Not for secrets.

#[cfg(target_arch = "x86_64")]
use super::basecases::usual_mulx;
use super::basecases::with_leaf;
use super::form::Form;
use super::montgomery::LEAF;
use super::montgomery::karatsuba_sos::USUAL_KARATSUBA_SQUARES;
#[cfg(target_arch = "x86_64")]
use super::mulx::Mulx;
#[cfg(target_arch = "x86_64")]
use super::product::Leaf;
use super::product::comba::Comba;
use super::product::karatsuba;
use super::product::schoolbook::{self, tile_words};
use super::short::ShortFactor;
use super::{ModulusParts, Ring, SharedRing};
use crate::error::Error;
use crate::natural::linear;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The residues below m, odd or even, in the number of words of m.
#[derive(Debug)]
pub(crate) struct DivisionRing<'m> {
    m: Cow<'m, [u64]>,
    /// Zero words at the bottom of m: they and the words above are divided separately.
    zeros: usize,
    /// For the division by the other words.
    divisor: ShortFactor<u64>,
    /// Shortest squares that are halved, in the generic text.
    karatsuba_squares: usize,
    /// Rows in assembly, if this CPU has them.
    #[cfg(target_arch = "x86_64")]
    mulx: Option<Mulx>,
}

/// Words of 0 at the bottom: they and those above are divided separately.
pub(crate) fn zero_words(m: &[u64]) -> usize {
    m.iter().take_while(|&&word| word == 0).count()
}

/// A ring of its own constants.
pub(super) fn prepare(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    Ok(Arc::new(DivisionRing::new(Cow::Owned(parts.odd.to_vec()), parts.odd_bits, form.settings.get(0))))
}

/// The ring of one call.
pub(super) fn with_stack_ring(
    form: &Form,
    parts: &ModulusParts<'_>,
    work: &mut dyn FnMut(&dyn Ring<u64>),
) -> Result<(), Error> {
    work(&DivisionRing::new(Cow::Borrowed(parts.odd), parts.odd_bits, form.settings.get(0)));
    Ok(())
}

impl<'m> DivisionRing<'m> {
    /// With the usual threshold.
    pub(crate) fn usual(m: Cow<'m, [u64]>, bits: usize) -> Self {
        Self::new(m, bits, USUAL_KARATSUBA_SQUARES)
    }

    /// The ring modulo m > 1, a number of `bits` bits.
    pub(crate) fn new(m: Cow<'m, [u64]>, bits: usize, karatsuba_squares: usize) -> Self {
        let zeros = zero_words(&m);
        let divisor = ShortFactor::of_public_bits(&m[zeros..], bits - 64 * zeros);
        Self {
            m,
            zeros,
            divisor,
            karatsuba_squares,
            #[cfg(target_arch = "x86_64")]
            mulx: usual_mulx(),
        }
    }

    /// Leaves p mod m in the lowest words of p, for p < m b^(length - n).
    #[inline]
    fn reduce(&self, p: &mut [u64]) {
        // p = h b^zeros + l, m = d b^zeros: p mod m = (h mod d) b^zeros + l.
        let (p, m) = (&mut p[self.zeros..], &self.m[self.zeros..]);
        #[cfg(target_arch = "x86_64")]
        if let Some(mulx) = self.mulx.filter(|_| m.len() >= 3) {
            return self.divisor.reduce_by_rows(p, m, |t, a, factor| mulx.add_row(t, a, factor));
        }
        self.divisor.reduce(p, m);
    }

    /// `t = a b`.
    #[inline]
    fn product(&self, t: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
        with_leaf!(self.mulx, leaf => karatsuba::mul(t, a, b, leaf, scratch))
    }

    /// `t = a^2`.
    #[inline]
    fn square(&self, t: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(mulx) = self.mulx {
            return karatsuba::sqr(t, a, mulx, scratch);
        }
        let (n, tile) = (a.len(), tile_words(a.len()));
        if schoolbook::TILE < n && n < self.karatsuba_squares && tile > 1 {
            schoolbook::sqr(t, a, tile);
        } else {
            karatsuba::sqr(t, a, Comba(LEAF), scratch);
        }
    }
}

impl Ring<u64> for DivisionRing<'_> {
    fn words(&self) -> usize {
        self.m.len()
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.m) + size_of::<Self>()
    }

    fn scratch_words(&self) -> usize {
        2 * self.m.len() + karatsuba::scratch_words(self.m.len(), LEAF)
    }

    fn one(&self, arena: &mut [u64], out: usize, _: &mut [u64]) {
        let out = &mut arena[out..out + self.m.len()];
        linear::clear(out);
        out[0] = u64::from(*self.m != [1]);
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let n = self.m.len();
        let residue = &mut arena[out..out + n];
        if value.len() < n || (value.len() == n && linear::less(value, &self.m)) {
            residue[..value.len()].copy_from_slice(value);
            return linear::clear(&mut residue[value.len()..]);
        }
        let mut longer = Vec::new();
        let rest = if value.len() < scratch.len() {
            &mut scratch[..=value.len()]
        } else {
            longer.resize(value.len() + 1, 0);
            &mut longer[..]
        };
        rest[..value.len()].copy_from_slice(value);
        rest[value.len()] = 0;
        self.reduce(rest);
        residue.copy_from_slice(&rest[..n]);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _: &mut [u64]) {
        value.copy_from_slice(&arena[from..from + self.m.len()]);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let n = self.m.len();
        let (t, scratch) = scratch.split_at_mut(2 * n);
        self.product(t, &arena[a..a + n], &arena[b..b + n], scratch);
        self.reduce(t);
        arena[out..out + n].copy_from_slice(&t[..n]);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let n = self.m.len();
        let (t, scratch) = scratch.split_at_mut(2 * n);
        self.square(t, &arena[a..a + n], scratch);
        self.reduce(t);
        arena[out..out + n].copy_from_slice(&t[..n]);
    }

    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let n = self.m.len();
        let t = &mut scratch[..n + 1];
        linear::clear(t);
        t[n] = schoolbook::add_row(&mut t[..n], &arena[a..a + n], small);
        self.reduce(t);
        arena[out..out + n].copy_from_slice(&t[..n]);
    }
}
