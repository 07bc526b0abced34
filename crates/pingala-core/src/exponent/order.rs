//! Sorting without a copy of the sort for every type: it is ten thousand bytes of machine code, and nothing here is sorted often.

use alloc::vec::Vec;
use core::cmp::Ordering;

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

/// The places of these lengths, the longest first; equal ones stay in their order. A million takes some ten milliseconds: no poll
/// for cancellation.
pub(crate) fn longest_first(bits: impl Iterator<Item = usize>) -> Vec<usize> {
    let bits: Vec<usize> = bits.collect();
    places_in_order(bits.len(), &mut |a, b| bits[b].cmp(&bits[a]))
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
