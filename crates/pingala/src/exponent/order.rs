//! Sorting without a copy of the sort for every type: it is ten thousand bytes of machine code, and nothing here is sorted often.

use super::Exponent;
use core::cmp::{Ordering, Reverse};

/// The places 0 to `count` - 1 in the order that `compare` says of them; equal ones stay in their order.
pub(crate) fn places_in_order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// Sorts a list; equal elements stay in their order.
pub(crate) fn sort<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    // Long lists often are in order already, and are not moved then.
    if list.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let places = places_in_order(list.len(), &mut |a, b| compare(&list[a], &list[b]));
    move_to(list, places);
}

/// Sorts a list by lengths, the longest first; equal ones stay in their order. A million takes some ten
/// milliseconds: nobody polls meanwhile.
pub(crate) fn sort_longest_first<T>(list: &mut [T], bits: impl Fn(&T) -> usize) {
    if !list.is_sorted_by(|a, b| bits(a) >= bits(b)) {
        let places = places_longest_first(&list.iter().map(bits).collect::<Vec<_>>());
        move_to(list, places);
    }
}

/// The places of exponents, the longest first.
pub(crate) fn longest_first(exponents: &[Exponent]) -> Vec<usize> {
    places_longest_first(&exponents.iter().map(Exponent::bits).collect::<Vec<_>>())
}

/// The same of lengths.
fn places_longest_first(bits: &[usize]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..bits.len()).collect();
    places.sort_by_key(|&place| Reverse(bits[place]));
    places
}

/// Puts element `places[i]` of a list at place i, cycle by cycle: a second list of a million would take its time.
fn move_to<T>(list: &mut [T], mut places: Vec<usize>) {
    for start in 0..list.len() {
        let mut at = start;
        loop {
            let from = core::mem::replace(&mut places[at], at);
            if from == start {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/exponent/order.rs"]
mod tests;
