//! An exponent as a sum of shifted numbers of a dictionary.

use super::Sequence;
use core::fmt;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// How the bits are cut into terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decomposition {
    /// Windows of up to this number of bits that begin and end with a 1.
    Sliding(usize),
    /// Runs of ones that are longer than this number of bits, windows of up to this number for the rest.
    Hybrid(usize),
}

impl fmt::Display for Decomposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decomposition::Sliding(bits) => write!(f, "sliding({bits})"),
            Decomposition::Hybrid(bits) => write!(f, "hybrid({bits})"),
        }
    }
}

impl Decomposition {
    /// The length of the term whose highest bit, a 1, is at this place.
    fn length(self, target: &UBig, place: usize) -> usize {
        let run = (0..place + 1).take_while(|k| target.bit(place - k)).count();
        match self {
            Decomposition::Hybrid(bits) if run > bits => run,
            Decomposition::Sliding(bits) | Decomposition::Hybrid(bits) => bits.min(place + 1),
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
pub(super) fn elements(decomposition: Decomposition, sequence: Sequence, target: &UBig) -> Vec<UBig> {
    let terms = decomposition.terms(target);
    let mut dictionary: Vec<UBig> = terms.iter().map(|(number, _)| number.clone()).collect();
    dictionary.sort_unstable();
    dictionary.dedup();
    let mut elements = sequence.elements(&dictionary);
    main_line(terms[0].clone(), &terms[1..], &mut elements);
    elements
}

/// Adds the doublings and sums that lead from a first number, which stands some doublings before the end, to the target. Each term stands
/// as many doublings before the end as it says, the highest first.
pub(crate) fn main_line((first, mut left): (UBig, usize), terms: &[(UBig, usize)], elements: &mut Vec<UBig>) {
    let mut line = first;
    elements.push(line.clone());
    for (number, zeros) in terms.iter().map(|(number, zeros)| (Some(number), *zeros)).chain([(None, 0)]) {
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
