//! Chains from the set of their elements.

use dashu_int::UBig;
use pingala_core::Error;
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;
use std::collections::HashMap;

/// The number as the arithmetic of this crate has it.
pub fn number(exponent: &Exponent) -> UBig {
    UBig::from_le_bytes(&exponent.magnitude().to_le_bytes())
}

/// The chain with exactly these elements, in increasing order.
///
/// Each element gets two smaller ones whose sum it is: its half if that is an element, otherwise the largest element that serves.
///
/// # Errors
/// [`Error::BadArgument`] names the first element that is no sum of two.
pub fn chain_of_elements(mut elements: Vec<UBig>) -> Result<Chain, Error> {
    elements.push(UBig::ONE);
    elements.sort_unstable();
    elements.dedup();
    let places: HashMap<&UBig, usize> = elements.iter().enumerate().map(|(place, element)| (element, place)).collect();
    let mut pairs = Vec::with_capacity(elements.len());
    for (place, element) in elements.iter().enumerate().skip(1) {
        pairs.push(summands(&elements[..place], element, &places).ok_or_else(|| {
            Error::BadArgument(format!("element {place}, {element}, is not the sum of two smaller elements"))
        })?);
    }
    Chain::from_pairs(pairs)
}

fn summands(smaller: &[UBig], element: &UBig, places: &HashMap<&UBig, usize>) -> Option<(usize, usize)> {
    let half = element >> 1usize;
    if (&half << 1usize) == *element
        && let Some(&place) = places.get(&half)
    {
        return Some((place, place));
    }
    // One of the two is at least half of the sum.
    for (place, high) in smaller.iter().enumerate().rev().take_while(|(_, high)| **high > half) {
        if let Some(&low) = places.get(&(element - high)) {
            return Some((low, place));
        }
    }
    None
}

/// The elements of a chain.
pub(crate) fn elements(chain: &Chain) -> Vec<UBig> {
    chain.elements().iter().map(number).collect()
}
