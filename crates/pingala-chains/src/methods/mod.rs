//! Methods that find a chain without a search: values with names that print what they are put together from.

mod bos_coster;
mod continued_fraction;
mod decomposition;
mod runs;
mod sequence;
mod shortest;

pub use decomposition::Decomposition;
pub(crate) use decomposition::main_line;
pub use sequence::Sequence;

use crate::elements::{chain_of_elements, number};
use crate::prune::prune_while;
use core::fmt;
use pingala::Error;
use pingala::algorithm::Chain;
use pingala::exponent::Exponent;

/// A method for one exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The exponent as a sum of terms d 2^k, and a chain for the set of all d: `dictionary(sliding(5), bos_coster)`.
    Dictionary(Decomposition, Sequence),
    /// Long runs of ones from runs of the given number of ones, by a chain for their lengths; windows for the rest: `runs(5, shortest)`.
    Runs(usize, Sequence),
    /// A chain for the exponent itself: `continued_fraction(dichotomic)`.
    Direct(Sequence),
}

impl Method {
    /// The chain, pruned if the exponent is not long.
    pub fn chain(&self, exponent: &Exponent) -> Result<Chain, Error> {
        self.chain_while(exponent, &|| true)
    }

    /// The chain of [`Method::chain`]; pruning ends when `goes_on` says no.
    pub(crate) fn chain_while(&self, exponent: &Exponent, goes_on: &dyn Fn() -> bool) -> Result<Chain, Error> {
        let target = number(exponent);
        let elements = match self {
            Method::Dictionary(decomposition, sequence) => decomposition::elements(*decomposition, *sequence, &target),
            Method::Runs(unit, sequence) => runs::elements(*unit, *sequence, &target)?,
            Method::Direct(sequence) => sequence.elements(std::slice::from_ref(&target)),
        };
        // What is above the target, as the 2 of a sequence for 1, serves nothing.
        let chain = chain_of_elements(elements.into_iter().filter(|element| *element <= target).collect())?;
        // Windows of a long exponent have nothing to spare, and looking for it takes long.
        Ok(if exponent.bits() <= LONG_BITS { prune_while(&chain, goes_on) } else { chain })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Dictionary(decomposition, sequence) => write!(f, "dictionary({decomposition}, {sequence})"),
            Method::Runs(unit, sequence) => write!(f, "runs({unit}, {sequence})"),
            Method::Direct(sequence) => write!(f, "{sequence}"),
        }
    }
}

/// Above this a method that works on numbers as long as the exponent takes long, and finds nothing shorter than windows.
const LONG_BITS: usize = 600;

/// All methods worth trying for an exponent of `exponent_bits` bits.
pub fn ensemble(exponent_bits: usize) -> Vec<Method> {
    let sequences = [Sequence::ContinuedFraction, Sequence::BosCoster];
    let mut methods = Vec::new();
    if exponent_bits <= LONG_BITS {
        methods.extend(sequences.map(Method::Direct));
    }
    for unit in 1..=8 {
        methods.extend([Sequence::BosCoster, Sequence::Shortest].map(|sequence| Method::Runs(unit, sequence)));
    }
    let widest = if exponent_bits <= LONG_BITS { 10 } else { 8 };
    for sequence in sequences {
        for bits in 1..=widest {
            methods.push(Method::Dictionary(Decomposition::Sliding(bits), sequence));
        }
        if exponent_bits <= LONG_BITS {
            for bits in 2..=8 {
                methods.push(Method::Dictionary(Decomposition::Hybrid(bits), sequence));
            }
        }
    }
    methods
}
