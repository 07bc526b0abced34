//! An exponent as a sum of shifted numbers of a dictionary.

use super::Sequence;
use core::fmt;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use pingala::Error;

/// How the bits are cut into terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decomposition {
    /// Windows of this number of bits, side by side.
    Fixed(usize),
    /// Windows of up to this number of bits that begin and end with a 1.
    Sliding(usize),
    /// Runs of ones.
    Runs,
    /// Runs of ones that are longer than this number of bits, windows of up to this number for the rest.
    Hybrid(usize),
}

impl fmt::Display for Decomposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decomposition::Fixed(bits) => write!(f, "fixed({bits})"),
            Decomposition::Sliding(bits) => write!(f, "sliding({bits})"),
            Decomposition::Runs => f.write_str("runs"),
            Decomposition::Hybrid(bits) => write!(f, "hybrid({bits})"),
        }
    }
}

impl Decomposition {
    /// The length of the term whose highest bit, a 1, is at this place.
    fn length(self, target: &UBig, place: usize) -> usize {
        let run = (0..place + 1).take_while(|k| target.bit(place - k)).count();
        let window = |bits: usize| bits.min(place + 1);
        match self {
            Decomposition::Fixed(bits) => place % bits + 1,
            Decomposition::Sliding(bits) => window(bits),
            Decomposition::Runs => run,
            Decomposition::Hybrid(bits) if run > bits => run,
            Decomposition::Hybrid(bits) => window(bits),
        }
    }

    /// Odd numbers and the powers of 2 that they are multiplied by, highest first.
    pub(super) fn terms(self, target: &UBig) -> Vec<(UBig, usize)> {
        let mut terms = Vec::new();
        let mut rest = target.clone();
        while rest != UBig::ZERO {
            let place = rest.bit_len() - 1;
            let low = place + 1 - self.length(&rest, place);
            let window = &rest >> low;
            rest -= &window << low;
            let zeros = window.trailing_zeros().unwrap_or(0);
            terms.push((window >> zeros, low + zeros));
        }
        terms
    }
}

/// A chain for the dictionary, then the main line.
pub(super) fn elements(decomposition: Decomposition, sequence: Sequence, target: &UBig) -> Result<Vec<UBig>, Error> {
    let terms = decomposition.terms(target);
    let mut dictionary: Vec<UBig> = terms.iter().map(|(number, _)| number.clone()).collect();
    dictionary.sort_unstable();
    dictionary.dedup();
    let mut elements = sequence.elements(&dictionary)?;
    main_line(&terms, &mut elements);
    Ok(elements)
}

/// Adds the doublings and sums from the first term to the target.
pub(super) fn main_line(terms: &[(UBig, usize)], elements: &mut Vec<UBig>) {
    let Some((mut line, mut left)) = terms.first().cloned() else { return };
    elements.push(line.clone());
    for (number, zeros) in terms[1..].iter().map(|(number, zeros)| (Some(number), *zeros)).chain([(None, 0)]) {
        while left > zeros {
            line <<= 1usize;
            elements.push(line.clone());
            left -= 1;
        }
        if let Some(number) = number {
            line += number;
            elements.push(line.clone());
        }
    }
}
