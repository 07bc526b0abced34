//! A choice by length that is not priced and stands in no plan line: how residues modulo an odd number and a power of two are recombined.
//! docs/records/lengths.md has the measurements.

use crate::kernel::basecases::best_leaf_is_in_assembly;
use crate::kernel::ntt::{LINKED, MAX_LIMBS, TransformsOn, transforms_on};

/// How the inverse of an odd number modulo a power of two is computed, and how residues modulo both are recombined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvenRecombination {
    /// By a division that ends at once, on the products of words that the compiler makes.
    Divide,
    /// By that division, on this CPU's products of words.
    DivideOnLeaf,
    /// By an inverse and Karatsuba's method.
    Karatsuba,
    /// By transforms; for secrets as [`EvenRecombination::Karatsuba`].
    Transforms,
}

impl EvenRecombination {
    /// The shortest power of two, in words, for which asking which products this CPU has is worth its time.
    const LEAF_WORDS: usize = 12;
    /// The longest power of two, in words, for a division: for longer ones an inverse and a product are faster.
    pub(crate) const DIVIDED_WORDS: usize = 64;

    /// The fastest way for a power of two of `words` words; the lengths for transforms were measured on one CPU.
    #[inline]
    pub(crate) fn fastest(words: usize) -> Self {
        match words {
            ..Self::LEAF_WORDS => Self::Divide,
            Self::LEAF_WORDS..=Self::DIVIDED_WORDS => Self::DivideOnLeaf,
            _ if LINKED && (Self::transforms_from()..=MAX_LIMBS).contains(&words) => Self::Transforms,
            _ => Self::Karatsuba,
        }
    }

    fn transforms_from() -> usize {
        match (transforms_on(), best_leaf_is_in_assembly()) {
            (TransformsOn::MultiplyAccumulate, true) => 320,
            (_, true) => 640,
            (TransformsOn::MultiplyAccumulate, false) => 200,
            (TransformsOn::Doubles, false) => 320,
            (TransformsOn::Words, false) => 280,
        }
    }
}
