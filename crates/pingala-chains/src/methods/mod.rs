//! Methods that find a chain without a search: values with names that print what they are put together from.

mod bos_coster;
mod continued_fraction;
mod decomposition;
mod runs;
mod shortest;

pub(crate) use decomposition::main_line;
use decomposition::terms;

use crate::elements::{chain_of_elements, number};
use crate::prune::prune_while;
use core::fmt;
use dashu_int::UBig;
use pingala_core::Error;
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;

/// A method for one exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The exponent as a sum of terms d 2^k, and a chain for the set of all d. The terms are windows of up to this number of bits that begin
    /// and end with a 1: `dictionary(sliding(5), bos_coster)`.
    Sliding(usize, Sequence),
    /// The same with runs of ones that are longer than this number of bits as terms: `dictionary(hybrid(5), bos_coster)`.
    Hybrid(usize, Sequence),
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
        let elements = match *self {
            Method::Sliding(bits, sequence) => decomposition::elements(&terms(&target, bits, false), sequence),
            Method::Hybrid(bits, sequence) => decomposition::elements(&terms(&target, bits, true), sequence),
            Method::Runs(unit, sequence) => runs::elements(unit, sequence, &target)?,
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
            Method::Sliding(bits, sequence) => write!(f, "dictionary(sliding({bits}), {sequence})"),
            Method::Hybrid(bits, sequence) => write!(f, "dictionary(hybrid({bits}), {sequence})"),
            Method::Runs(unit, sequence) => write!(f, "runs({unit}, {sequence})"),
            Method::Direct(sequence) => write!(f, "{sequence}"),
        }
    }
}

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
        methods.extend((1..=widest).map(|bits| Method::Sliding(bits, sequence)));
        if exponent_bits <= LONG_BITS {
            methods.extend((2..=8).map(|bits| Method::Hybrid(bits, sequence)));
        }
    }
    methods
}
