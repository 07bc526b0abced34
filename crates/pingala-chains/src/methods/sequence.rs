//! Addition sequences: chains that contain each of several numbers.

use super::{ContinuedFraction, bos_coster, continued_fraction, shortest};
use core::fmt;
use dashu_int::UBig;
use pingala::Error;

/// A method for several numbers at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// By continued fractions \[bergeron1994fast\].
    ContinuedFraction(ContinuedFraction),
    /// By the heuristics of Bos and Coster \[bos1989addition\]: the largest number is replaced by smaller ones.
    BosCoster,
    /// A shortest one, if the numbers have up to 10 bits and the search stays short; otherwise that of Bos and Coster.
    Shortest,
}

impl Sequence {
    /// The elements of a chain with these numbers among them. Error: [`Error::BadArgument`] for numbers that are too long for it.
    pub fn elements(self, targets: &[UBig]) -> Result<Vec<UBig>, Error> {
        match self {
            Sequence::ContinuedFraction(strategy) => continued_fraction::elements(strategy, targets),
            Sequence::BosCoster => Ok(bos_coster::elements(targets)),
            Sequence::Shortest => Ok(shortest::elements(targets)),
        }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sequence::ContinuedFraction(strategy) => write!(f, "continued_fraction({strategy})"),
            Sequence::BosCoster => f.write_str("bos_coster"),
            Sequence::Shortest => f.write_str("shortest"),
        }
    }
}
