//! Choices by length that are not priced and stand in no plan line: how a square or a cube is computed, and how residues modulo an odd number
//! and a power of two are recombined. docs/records/lengths.md and docs/records/thresholds.md have the measurements.

use crate::kernel::basecases::best_leaf_is_in_assembly;
use crate::kernel::ntt::{LINKED, MAX_LIMBS, TransformsOn, transforms_on};

/// How a square or a cube is computed without a plan. The base has no more limbs than the modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FewProducts {
    /// By words of this known length, at most 4.
    Limbs(usize),
    /// By rows of words and a division of words.
    Rows,
    /// By transforms and a reciprocal.
    Transforms,
}

impl FewProducts {
    /// Products of words in the divisions of a square or cube up to which rows are faster than vectors with their set-up, modulo odd and
    /// even numbers; and the shortest divisor, in limbs, from which on they are faster again.
    const ROWS_ODD: usize = 1600;
    const ROWS_EVEN: usize = 3200;
    const ROWS_AGAIN: usize = 90;
    /// The longest modulus, in limbs, for transforms: a square is a single product.
    const LONGEST: usize = MAX_LIMBS / 2 - 8;

    /// The fastest way modulo a number of `n` limbs with `trailing_zeros` zero bits below, for a base of `base_limbs`; none if a plan is faster.
    #[inline]
    pub(crate) fn fastest(n: usize, trailing_zeros: u64, base_limbs: usize, cube: bool) -> Option<Self> {
        match n {
            _ if base_limbs > n => None,
            ..=4 => Some(Self::Limbs(n)),
            _ => Self::of_long(n, trailing_zeros, cube),
        }
    }

    fn of_long(n: usize, trailing_zeros: u64, cube: bool) -> Option<Self> {
        // Zero words are not divided.
        let divisor = n - (trailing_zeros / 64) as usize;
        let shortest = match transforms_on() {
            TransformsOn::MultiplyAccumulate => 340,
            TransformsOn::Doubles => 480,
            TransformsOn::Words => 1000,
        };
        // A shorter divisor with many zeros below has long squares.
        if LINKED && (divisor >= shortest || n >= 4 * shortest) {
            return (n <= Self::LONGEST).then_some(Self::Transforms);
        }
        let most = match (trailing_zeros > 0, cube) {
            (true, false) => usize::MAX,
            (true, true) => Self::ROWS_EVEN,
            (false, _) => Self::ROWS_ODD,
        };
        // With 52-bit multiply-accumulate on vectors a plan has the row kernel.
        let rows = n * divisor * (1 + usize::from(cube)) <= most
            || divisor >= Self::ROWS_AGAIN
            || transforms_on() != TransformsOn::MultiplyAccumulate;
        rows.then_some(Self::Rows)
    }
}

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
