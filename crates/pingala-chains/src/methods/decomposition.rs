//! An exponent as a sum of shifted numbers of a dictionary.

use super::Sequence;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// Odd numbers and the powers of 2 that they are multiplied by, highest first: windows of up to `bits` bits that begin and end with a 1,
/// or runs of ones that are longer, if these are terms.
pub(super) fn terms(target: &UBig, bits: usize, with_runs: bool) -> Vec<(UBig, usize)> {
    let mut terms = Vec::new();
    let mut rest = target.clone();
    while rest != UBig::ZERO {
        let place = rest.bit_len() - 1;
        let run = (0..place + 1).take_while(|k| rest.bit(place - k)).count();
        let length = if with_runs && run > bits { run } else { bits.min(place + 1) };
        let low = place + 1 - length;
        let window = &rest >> low;
        rest -= &window << low;
        let zeros = window.trailing_zeros().unwrap_or(0);
        terms.push((window >> zeros, low + zeros));
    }
    terms
}

/// A chain for the dictionary of these terms, then the main line.
pub(super) fn elements(terms: &[(UBig, usize)], sequence: Sequence) -> Vec<UBig> {
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
