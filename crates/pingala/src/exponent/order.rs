//! Sorting without a copy of the sort for every type: it is ten thousand bytes of machine code, and nothing here is sorted often.

use super::Exponent;
use core::cmp::Ordering;

/// The places 0 to `count` - 1 in the order that `compare` says of them; equal ones stay in their order.
pub(crate) fn places_in_order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// Sorts a list; equal elements stay in their order.
pub(crate) fn sort<T>(list: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    // Long lists often are in order already, and are not moved then.
    if list.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let places = places_in_order(list.len(), &mut |a, b| compare(&list[a], &list[b]));
    let mut taken: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| taken[place].take()));
}

/// The places of exponents, the longest first.
pub(crate) fn longest_first(exponents: &[Exponent]) -> Vec<usize> {
    places_in_order(exponents.len(), &mut |a, b| exponents[b].bits().cmp(&exponents[a].bits()))
}
