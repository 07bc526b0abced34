//! Montgomery products a * b * R^-1 mod m, R = b^n, one organisation to a file, by the names of Koc, Acar and Kaliski
//! ("Analyzing and comparing Montgomery multiplication algorithms", IEEE Micro 16(3), 1996).
//!
//! All are given a, b with a * b < R m (one of them below m is enough), and all return a number below 2m, because
//! (a b + Q m) / R < (R m + R m) / R. One branch-free subtraction, [`Family::finish`], makes it canonical. Their
//! sequence of operations depends on n only.
//!
//! Lemmas: Montgomery.redc_exact, Montgomery.redc_congruent, Montgomery.redc_below_2m, Montgomery.redc_canonical,
//! Montgomery.quotient_unique, Montgomery.limb_inverse_correct, Montgomery.limb_inverse_64, small.inverses (proofs/README.md).

pub mod cios;
pub mod karatsuba_sos;
pub mod kcm;
mod organisation;
pub mod sos;

pub(crate) use organisation::LEAF;
pub use organisation::Product;
pub use organisation::{Family, Portable};

use crate::natural::linear;
use crate::natural::word::Word;

/// The constants of a modulus that a Montgomery product needs.
#[derive(Clone, Copy, Debug)]
pub struct Constants<'a, W> {
    /// The modulus, odd, n words; top words may be 0.
    pub m: &'a [W],
    /// -m^-1 mod b.
    pub m_prime: W,
    /// -m^-1 mod R, n words. Only KCM reads it; for others the slice is empty.
    pub(crate) m_prime_full: &'a [W],
    /// The constants of the halves of m by [`kcm::prepare_halves`]: |m0 - m1|, n/2 words, or more. Only KCM reads it.
    pub(crate) m_halves: &'a [W],
    /// The mask that [`kcm::prepare_halves`] returned.
    pub(crate) m_diff_negative: W,
}

/// A number `words + overflow * b^n` below 2m, which is not yet canonical.
#[derive(Debug)]
pub struct Unreduced<'t, W> {
    /// The n words.
    pub words: &'t [W],
    /// Whether b^n belongs to the number.
    pub overflow: bool,
}

impl<W: Word> Unreduced<'_, W> {
    /// The final subtraction: `out` = the number modulo m.
    #[inline(always)]
    pub fn finish(self, out: &mut [W], m: &[W]) {
        linear::subtract_once(out, self.words, self.overflow, m);
    }
}

/// m_prime = -m^-1 mod b for odd m, from the lowest word of m.
///
/// With x m = 1 - e the inverse is x (1 + e) (1 + e^2) (1 + e^4) ... [dumas2014newton]; the start x = m is correct modulo 8,
/// so that e is a multiple of 8 and words of 8, 16, 32, 64 bits take 2, 3, 4, 5 factors. Unlike in Newton's iteration a
/// step waits for one product, not for two.
#[inline(always)]
pub(crate) fn neg_mod_inv_limb<W: Word>(m: W) -> W {
    let plus_one = |e: W| e.add_out(W::ONE).0;
    let mut e = W::ONE.sub_out(m.mul_low(m)).0;
    let mut inverse = m.mul_low(plus_one(e));
    let mut right_bits = 6;
    while right_bits < W::BITS {
        e = e.mul_low(e);
        inverse = inverse.mul_low(plus_one(e));
        right_bits *= 2;
    }
    debug_assert!(inverse.mul_low(m) == W::ONE, "m is odd");
    W::ZERO.sub_out(inverse).0
}
