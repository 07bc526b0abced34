//! Addition sequences: chains that contain each of several numbers.

use super::{bos_coster, continued_fraction, shortest};
use core::fmt;
use dashu_int::UBig;

/// A method for several numbers at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// By continued fractions, with the dichotomic choice \[bergeron1994fast\].
    ContinuedFraction,
    /// By the heuristics of Bos and Coster \[bos1989addition\]: the largest number is replaced by smaller ones.
    BosCoster,
    /// A shortest one, if the numbers have up to 10 bits and the search stays short; otherwise that of Bos and Coster.
    Shortest,
}

impl Sequence {
    /// The elements of a chain with these numbers among them.
    pub fn elements(self, targets: &[UBig]) -> Vec<UBig> {
        match self {
            Sequence::ContinuedFraction => continued_fraction::elements(targets),
            Sequence::BosCoster => bos_coster::elements(targets),
            Sequence::Shortest => shortest::elements(targets),
        }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sequence::ContinuedFraction => "continued_fraction(dichotomic)",
            Sequence::BosCoster => "bos_coster",
            Sequence::Shortest => "shortest",
        })
    }
}
