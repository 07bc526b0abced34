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
    move_to(list, places);
}

/// Sorts a list by lengths, the longest first; equal ones stay in their order. A million takes some milliseconds: nobody polls meanwhile.
pub(crate) fn sort_longest_first<T>(list: &mut Vec<T>, bits: impl Fn(&T) -> usize) {
    if !list.is_sorted_by(|a, b| bits(a) >= bits(b)) {
        let places = places_longest_first(&list.iter().map(bits).collect::<Vec<_>>());
        move_to(list, places);
    }
}

/// The places of exponents, the longest first.
pub(crate) fn longest_first(exponents: &[Exponent]) -> Vec<usize> {
    places_longest_first(&exponents.iter().map(Exponent::bits).collect::<Vec<_>>())
}

/// The same of lengths: by digits of 12 bits, the lowest first.
fn places_longest_first(bits: &[usize]) -> Vec<usize> {
    const DIGIT: u32 = 12;
    const LONG: usize = 4096;
    if bits.len() < LONG {
        return places_in_order(bits.len(), &mut |a, b| bits[b].cmp(&bits[a]));
    }
    let longest = bits.iter().copied().max().unwrap_or(0);
    let mut places: Vec<usize> = (0..bits.len()).collect();
    let mut moved = vec![0; places.len()];
    for shift in (0..usize::BITS).step_by(DIGIT as usize).take_while(|&shift| longest >> shift > 0) {
        // Above it, the longest has the digit 0.
        let digit = |place: usize| (longest - bits[place]) >> shift & ((1 << DIGIT) - 1);
        let mut next = [0; (1 << DIGIT) + 1];
        places.iter().for_each(|&place| next[digit(place) + 1] += 1);
        (0..1 << DIGIT).for_each(|at| next[at + 1] += next[at]);
        for &place in &places {
            let at = &mut next[digit(place)];
            moved[*at] = place;
            *at += 1;
        }
        core::mem::swap(&mut places, &mut moved);
    }
    places
}

/// Puts element `places[i]` of a list at place i.
fn move_to<T>(list: &mut Vec<T>, places: Vec<usize>) {
    let mut taken: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| taken[place].take()));
}

#[cfg(test)]
#[path = "../../tests/inside/exponent/order.rs"]
mod tests;
