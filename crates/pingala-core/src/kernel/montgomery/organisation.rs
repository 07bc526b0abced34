//! The organisations by name, and the only dispatch on them.
//!
//! Lemmas: small.organisations (proofs/README.md).

use super::{Constants, Unreduced, cios, karatsuba_sos, kcm, sos};
use crate::exponent::SecretDigit;
use crate::kernel::product::comba::Comba;
use crate::kernel::product::schoolbook::{self, tile_words};
use crate::kernel::product::{Leaf, karatsuba};
use crate::kernel::threshold::{Settings, Threshold};
use crate::natural::word::Word;
use alloc::format;
use core::fmt::{self, Debug};
use core::str::FromStr;

/// Words of a Karatsuba leaf: the longest that runs as straight-line code. Lengths are halved until they are at most this, so
/// that leaves have 4 to 8 words.
pub(crate) const LEAF: usize = crate::kernel::product::comba::UNROLLED;

/// The basecases of one instruction family; the organisations are built from them.
pub trait Family<W: Word>: Copy + Debug + Send + Sync {
    /// Whether its rows take no length but whole tiles: a modulus is padded with zero words on top, and R = b^padded.
    const PADS: bool = false;
    /// Its leaves.
    fn leaf(self) -> impl Leaf<W>;
    /// `t = a * b` by rows, for padded lengths; by default the leaves have them.
    #[inline(always)]
    fn mul_rows(self, t: &mut [W], a: &[W], b: &[W]) {
        self.leaf().mul(t, a, b);
    }
    /// `t = a^2` by rows.
    #[inline(always)]
    fn sqr_rows(self, t: &mut [W], a: &[W]) {
        self.leaf().sqr(t, a);
    }
    /// The upper half of `t` becomes (T + Q m) / R, T being all of `t`, for the Q < R that makes the division exact;
    /// returns the overflow. The lower half is destroyed.
    fn redc_rows(self, t: &mut [W], m: &[W], m_prime: W) -> bool;
    /// Shortest squares that `karatsuba_sos` halves.
    fn karatsuba_squares(self) -> usize;
    /// `out = a * b * R^-1` modulo m by CIOS, at these offsets of an arena, if the family has special code for the
    /// length of m. Otherwise it returns false and does nothing.
    #[inline(always)]
    fn cios(self, _arena: &mut [W], _out: usize, _a: usize, _b: usize, _constants: &Constants<'_, W>) -> bool {
        false
    }
    /// `out = a^2 * R^-1` for the organisation of [`cios`](Family::cios), which has no squaring of its own: only SOS, with a separate
    /// reduction, saves half of a square's products. `scratch` has two words for each word of m. If the family has no special code
    /// for the length of m, it returns false and does nothing.
    #[inline(always)]
    fn short_sqr(
        self,
        _arena: &mut [W],
        _out: usize,
        _a: usize,
        _scratch: &mut [W],
        _constants: &Constants<'_, W>,
    ) -> bool {
        false
    }
    /// [`Ring::scan_packed`](crate::kernel::Ring::scan_packed) if the family has special code for it. Otherwise it returns false
    /// and does nothing.
    #[inline(always)]
    fn scan(self, _packed: &mut [W], _one: &[W], _table: &[W], _digit: SecretDigit) -> bool {
        false
    }
    /// The final subtraction: `out` = the number modulo m.
    #[inline(always)]
    fn finish(self, value: Unreduced<'_, W>, out: &mut [W], m: &[W]) {
        value.finish(out, m);
    }
}

/// The family of the generic code, as the compiler translates it, with the value of its threshold.
#[derive(Clone, Copy, Debug)]
pub struct Portable(usize);

impl Portable {
    /// The thresholds.
    pub(crate) const THRESHOLDS: &[Threshold] = &[karatsuba_sos::KARATSUBA_SQUARES];

    /// The family with the default threshold.
    pub(crate) const USUAL: Self = Self(karatsuba_sos::USUAL_KARATSUBA_SQUARES);

    /// With a value for its parameter.
    pub(crate) fn new(settings: Settings) -> Self {
        Self(settings.get(0))
    }
}

impl<W: Word> Family<W> for Portable {
    const PADS: bool = true;

    #[inline(always)]
    fn leaf(self) -> impl Leaf<W> {
        Comba(LEAF)
    }

    #[inline(always)]
    fn mul_rows(self, t: &mut [W], a: &[W], b: &[W]) {
        schoolbook::mul(t, a, b, tile_words(a.len()));
    }

    #[inline(always)]
    fn sqr_rows(self, t: &mut [W], a: &[W]) {
        schoolbook::sqr(t, a, tile_words(a.len()));
    }

    #[inline(always)]
    fn redc_rows(self, t: &mut [W], m: &[W], m_prime: W) -> bool {
        sos::redc_tiles(t, m, m_prime, tile_words(m.len()))
    }

    #[inline(always)]
    fn karatsuba_squares(self) -> usize {
        self.0
    }
}

/// How a Montgomery product orders its word products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Product {
    /// Separated operand scanning.
    Sos,
    /// Coarsely integrated operand scanning.
    Cios,
    /// Karatsuba product on Comba leaves, then reduction by rows of tiles.
    KaratsubaSos,
    /// Karatsuba on Comba leaves in product, quotient and reduction.
    Kcm,
}

impl Product {
    /// All organisations.
    pub const ALL: [Product; 4] = [Product::Sos, Product::Cios, Product::KaratsubaSos, Product::Kcm];

    /// The name in plans.
    pub const fn name(self) -> &'static str {
        match self {
            Product::Sos => "sos",
            Product::Cios => "cios",
            Product::KaratsubaSos => "karatsuba_sos",
            Product::Kcm => "kcm",
        }
    }

    /// The length that the organisation requires in the portable family; see `Family::PADS`.
    pub const fn padded_words(self, n: usize) -> usize {
        match self {
            Product::Sos | Product::KaratsubaSos => schoolbook::padded_words(n),
            _ => self.unpadded_words(n),
        }
    }

    /// The length that the organisation requires in a family whose rows work for every length.
    pub const fn unpadded_words(self, n: usize) -> usize {
        if matches!(self, Product::Kcm) { n + n % 2 } else { n }
    }

    /// Words of scratch for `n` (padded) words.
    pub(crate) const fn scratch_words(self, n: usize, leaf: usize) -> usize {
        match self {
            Product::KaratsubaSos => karatsuba_sos::scratch_words(n, leaf),
            Product::Kcm => kcm::scratch_words(n, leaf),
            // Products of the others take n or 2n words; [`Product::redc`] works in 2n.
            _ => 2 * n,
        }
    }

    /// a * b * R^-1, below 2m.
    #[inline]
    pub(crate) fn mul<'t, W: Word>(
        self,
        family: impl Family<W>,
        t: &'t mut [W],
        a: &[W],
        b: &[W],
        constants: &Constants<'_, W>,
    ) -> Unreduced<'t, W> {
        let n = a.len();
        match self {
            Product::Cios => return cios::mul(t, a, b, constants),
            Product::Sos => family.mul_rows(&mut t[..2 * n], a, b),
            Product::KaratsubaSos | Product::Kcm => {
                let (t, scratch) = t.split_at_mut(2 * n);
                karatsuba::mul(t, a, b, family.leaf(), scratch);
            }
        }
        self.redc(family, t, constants)
    }

    /// a^2 * R^-1, below 2m.
    #[inline]
    pub(crate) fn sqr<'t, W: Word>(
        self,
        family: impl Family<W>,
        t: &'t mut [W],
        a: &[W],
        constants: &Constants<'_, W>,
    ) -> Unreduced<'t, W> {
        let n = a.len();
        match self {
            Product::Cios => return cios::mul(t, a, a, constants),
            Product::Sos => family.sqr_rows(&mut t[..2 * n], a),
            Product::KaratsubaSos if schoolbook::TILE < n && n < family.karatsuba_squares() => {
                family.sqr_rows(&mut t[..2 * n], a);
            }
            Product::KaratsubaSos | Product::Kcm => {
                let (t, scratch) = t.split_at_mut(2 * n);
                karatsuba::sqr(t, a, family.leaf(), scratch);
            }
        }
        self.redc(family, t, constants)
    }

    /// Only the reduction: T R^-1, below 2m, for T < R m in the first 2n words of `t`; the rest is scratch. The
    /// interleaved organisations have no separate reduction and use the one by rows.
    #[inline]
    pub(crate) fn redc<'t, W: Word>(
        self,
        family: impl Family<W>,
        t: &'t mut [W],
        constants: &Constants<'_, W>,
    ) -> Unreduced<'t, W> {
        let (t, scratch) = t.split_at_mut(2 * constants.m.len());
        match self {
            Product::Kcm => kcm::redc(t, constants, family.leaf(), scratch),
            _ => sos::redc(t, constants, family),
        }
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Product {
    type Err = crate::Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|product| product.name() == name)
            .ok_or_else(|| crate::Error::BadPlan(format!("no Montgomery product is named '{name}'")))
    }
}
