//! For exponents with long runs of ones: a chain for the lengths of the runs gives one for the runs.
//!
//! 2^(a+b) - 1 = (2^a - 1) 2^b + 2^b - 1, so that a sum of lengths is b doublings and one sum.

use super::Sequence;
use super::decomposition::{main_line, terms};
use crate::elements::chain_of_elements;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use pingala_core::Error;
use std::collections::BTreeSet;

/// The elements of a chain for the target: windows of up to `unit` bits and longer runs of ones, which are put together from runs
/// of `unit` ones. Windows, the unit and what runs have over whole units come from one sequence.
///
/// A run that is longer than the first one would need doublings of its own. The shorter chain is taken of two: with such runs, and
/// with runs cut to the length of the first.
pub(super) fn elements(unit: usize, sequence: Sequence, target: &UBig) -> Result<Vec<UBig>, Error> {
    let whole = terms(target, unit, true);
    let first = whole.first().map_or(0, |(run, _)| run.bit_len());
    let as_they_are = of_terms(unit, sequence, &whole)?;
    if first <= unit || whole.iter().all(|(run, _)| run.bit_len() <= first) {
        return Ok(as_they_are);
    }
    let run = |bits: usize| (UBig::ONE << bits) - UBig::ONE;
    let mut cut = Vec::new();
    for (term, zeros) in whole {
        let mut left = term.bit_len();
        while left > first {
            left -= first;
            cut.push((run(first), zeros + left));
        }
        cut.push((if left < term.bit_len() { run(left) } else { term }, zeros));
    }
    let pieces = of_terms(unit, sequence, &cut)?;
    Ok(if pieces.len() < as_they_are.len() { pieces } else { as_they_are })
}

fn of_terms(unit: usize, sequence: Sequence, terms: &[(UBig, usize)]) -> Result<Vec<UBig>, Error> {
    let (long, short): (Vec<UBig>, Vec<UBig>) =
        terms.iter().map(|(term, _)| term.clone()).partition(|term| term.bit_len() > unit);
    let run = |bits: usize| (UBig::ONE << bits) - UBig::ONE;
    let mut small = short;
    small.push(UBig::ONE);
    let lengths: BTreeSet<usize> = long.iter().map(|run| run.bit_len()).collect();
    if !lengths.is_empty() {
        small.push(run(unit));
    }
    small.extend(lengths.iter().map(|length| length % unit).filter(|&over| over > 0).map(run));
    small.sort_unstable();
    small.dedup();
    let mut elements = sequence.elements(&small);
    if lengths.is_empty() {
        main_line(terms[0].clone(), &terms[1..], &mut elements);
        return Ok(elements);
    }
    let units: BTreeSet<usize> = lengths.iter().map(|length| length / unit).collect();
    let of_units = chain_of_elements(sequence.elements(&units.into_iter().map(UBig::from).collect::<Vec<_>>()))?;
    let units: Vec<usize> =
        of_units.elements().iter().map(|units| unit * small_number(&crate::number(units))).collect();
    for &(low, high) in of_units.pairs() {
        // The longer one is shifted by the shorter one: fewer doublings.
        let (short, long) = (units[low].min(units[high]), units[low].max(units[high]));
        elements.extend((1..=short).map(|k| run(long) << k));
        elements.push(run(short + long));
    }
    for &length in lengths.iter().filter(|&length| length % unit > 0) {
        let over = length % unit;
        elements.extend((1..=over).map(|k| run(length - over) << k));
        elements.push(run(length));
    }
    main_line(terms[0].clone(), &terms[1..], &mut elements);
    elements.sort_unstable();
    elements.dedup();
    Ok(elements)
}

fn small_number(number: &UBig) -> usize {
    usize::try_from(number).expect("a length of bits")
}
