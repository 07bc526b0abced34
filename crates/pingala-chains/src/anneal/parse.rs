//! The fewest terms of a dictionary that make up a target, kept up to date while the dictionary changes.
//!
//! The target is read from its highest bit, place 0, on. An element o 2^a, o odd, stands at place i if the bits from there on are
//! those of o and a more bits follow. With f\[i\] the fewest terms for the bits from place i on, f\[i\] = f\[i + 1\] at a 0, otherwise
//! 1 + the least f\[i + length of o\] over the odd parts o that stand at i.
//!
//! Three things make a change cheap. The places of a pattern are a range of the places sorted by what stands there. A set of
//! patterns per place is two words. And f is computed anew only from a changed place on until it differs from the old one by a
//! constant over the length of the longest pattern: from there on it differs by that constant up to the next changed place.

use super::bit_len;
use core::cmp::Ordering;

/// The most odd parts that a dictionary may have.
const SLOTS: usize = 128;
/// The number of first bits by which a look-up finds the places of a pattern.
const PREFIX_BITS: usize = 12;

/// A target and the patterns of a dictionary in it.
#[derive(Debug)]
pub(super) struct Parse {
    bit: Vec<bool>,
    /// The 64 bits from each place on, zeros behind the end.
    window: Vec<u64>,
    /// The places of ones, in the order of what stands there.
    sorted: Vec<u16>,
    /// For each number of [`PREFIX_BITS`] bits, and one more, how many of these begin with less.
    below: Vec<u16>,
    /// For each place the slots whose patterns stand there.
    at: Vec<[u64; SLOTS / 64]>,
    used: [u64; SLOTS / 64],
    odd: [u64; SLOTS],
    length: [u16; SLOTS],
    /// For each slot the set of the numbers of zeros behind the pattern in elements.
    shifts: [u64; SLOTS],
    /// How many slots have patterns of each length, and the longest.
    n_of_length: Vec<u16>,
    longest: usize,
    /// Places whose set of patterns has changed since f was computed.
    changed: Vec<u16>,
    /// f when it was kept last, and f now.
    kept: Vec<u16>,
    now: Vec<u16>,
    /// From here on both are the same.
    same_from: usize,
    /// f was never computed.
    is_fresh: bool,
}

impl Parse {
    /// Of a target with the highest bit first.
    pub(super) fn new(bit: Vec<bool>) -> Self {
        let n = bit.len();
        let window = windows(&bit);
        let mut sorted: Vec<u16> = (0..n).filter(|&i| bit[i]).map(|i| i as u16).collect();
        // Not unstable: that is a network of comparisons, which for these is five times the code.
        sorted.sort_by(|&a, &b| bit[usize::from(a)..].cmp(&bit[usize::from(b)..]));
        let prefix = |place: &u16| window[usize::from(*place)] >> (64 - PREFIX_BITS);
        let count_below = |least| sorted.partition_point(|place| prefix(place) < least) as u16;
        Self {
            below: (0..(1 << PREFIX_BITS) + 1).map(count_below).collect(),
            window,
            sorted,
            at: vec![[0; SLOTS / 64]; n],
            used: [0; SLOTS / 64],
            odd: [0; SLOTS],
            length: [0; SLOTS],
            shifts: [0; SLOTS],
            n_of_length: vec![0; 65],
            longest: 0,
            changed: Vec::new(),
            kept: vec![0; n + 1],
            now: vec![0; n + 1],
            same_from: 0,
            is_fresh: true,
            bit,
        }
    }

    /// The length of the target.
    pub(super) fn bits(&self) -> usize {
        self.bit.len()
    }

    /// How what stands at a place compares with a pattern, over the length of the pattern.
    #[inline]
    fn compare(&self, place: usize, pattern: u64, length: usize) -> Ordering {
        (self.window[place] >> (64 - length)).cmp(&pattern)
    }

    /// Where in `sorted` the pattern stands.
    fn range(&self, odd: u64, length: usize) -> core::ops::Range<usize> {
        let is = |order: fn(Ordering) -> bool| move |&i: &u16| order(self.compare(usize::from(i), odd, length));
        let below = |prefix: u64| usize::from(self.below[prefix as usize]);
        if length <= PREFIX_BITS {
            let shift = PREFIX_BITS - length;
            return below(odd << shift)..below((odd + 1) << shift);
        }
        let prefix = odd >> (length - PREFIX_BITS);
        let places = &self.sorted[below(prefix)..below(prefix + 1)];
        let low = places.partition_point(is(Ordering::is_lt));
        let count = places[low..].iter().take_while(|i| is(Ordering::is_eq)(i)).count();
        below(prefix) + low..below(prefix) + low + count
    }

    /// The number of `length` bits at a place with a 1, if the target has these bits.
    pub(super) fn at(&self, place: usize, length: usize) -> Option<u64> {
        (self.bit[place] && place + length <= self.bits()).then(|| self.window[place] >> (64 - length))
    }

    /// Whether the target begins with this number.
    pub(super) fn begins_with(&self, value: u64) -> bool {
        let length = bit_len(value);
        length <= self.bits() && self.compare(0, value, length).is_eq()
    }

    fn slot_of(&self, odd: u64) -> Option<usize> {
        (0..SLOTS / 64).find_map(|half| {
            let mut set = self.used[half];
            while set != 0 {
                let slot = 64 * half + set.trailing_zeros() as usize;
                if self.odd[slot] == odd {
                    return Some(slot);
                }
                set &= set - 1;
            }
            None
        })
    }

    fn new_slot(&mut self, odd: u64, length: usize) -> Option<usize> {
        let half = self.used.iter().position(|&set| set != u64::MAX)?;
        let slot = 64 * half + self.used[half].trailing_ones() as usize;
        self.used[half] |= 1 << (slot % 64);
        self.odd[slot] = odd;
        self.length[slot] = length as u16;
        self.n_of_length[length] += 1;
        self.longest = self.longest.max(length);
        Some(slot)
    }

    fn free_slot(&mut self, slot: usize) {
        self.used[slot / 64] &= !(1 << (slot % 64));
        self.n_of_length[usize::from(self.length[slot])] -= 1;
        while self.longest > 0 && self.n_of_length[self.longest] == 0 {
            self.longest -= 1;
        }
    }

    /// Whether a new element would not change f, as far as that is seen at once.
    pub(super) fn is_idle(&self, value: u64) -> bool {
        let zeros = value.trailing_zeros() as usize;
        let odd = value >> zeros;
        let length = bit_len(odd);
        match self.slot_of(odd) {
            Some(slot) => (self.shifts[slot].trailing_zeros() as usize) < zeros,
            None if self.used == [u64::MAX; SLOTS / 64] => false,
            None => self.sorted[self.range(odd, length)].iter().all(|&place| {
                let (place, behind) = (usize::from(place), usize::from(place) + length);
                behind + zeros > self.bits() || self.now[place] <= self.now[behind] + 1
            }),
        }
    }

    /// Adds an element to the dictionary, or takes it away if it is there. False, and nothing is done, if there is no room.
    #[must_use]
    pub(super) fn flip(&mut self, value: u64) -> bool {
        let zeros = value.trailing_zeros() as usize;
        let odd = value >> zeros;
        let length = bit_len(odd);
        let Some(slot) = self.slot_of(odd).or_else(|| self.new_slot(odd, length)) else { return false };
        // The pattern may stand at a place if the fewest zeros of its elements follow there.
        let bits = self.bits();
        let least = |set: u64| if set == 0 { bits } else { set.trailing_zeros() as usize };
        let before = least(self.shifts[slot]);
        self.shifts[slot] ^= 1 << zeros;
        let after = least(self.shifts[slot]);
        if self.shifts[slot] == 0 {
            self.free_slot(slot);
        }
        if before != after {
            for k in self.range(odd, length) {
                let place = usize::from(self.sorted[k]);
                if (place + length + before <= bits) != (place + length + after <= bits) {
                    self.at[place][slot / 64] ^= 1 << (slot % 64);
                    self.changed.push(place as u16);
                }
            }
        }
        true
    }

    /// f at a place, from what stands behind.
    #[inline]
    fn fewest(&self, place: usize) -> u16 {
        if !self.bit[place] {
            return self.now[place + 1];
        }
        // The element 1 is in every dictionary, so some pattern stands at every 1.
        let mut least = u16::MAX - 1;
        for (half, &set) in self.at[place].iter().enumerate() {
            let mut set = set;
            while set != 0 {
                let slot = 64 * half + set.trailing_zeros() as usize;
                least = least.min(self.now[place + usize::from(self.length[slot])]);
                set &= set - 1;
            }
        }
        least + 1
    }

    /// Brings f up to date.
    pub(super) fn evaluate(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        self.changed.sort_unstable_by(|a, b| b.cmp(a));
        let mut place = usize::from(self.changed[0]);
        self.same_from = self.same_from.max(place + 1);
        // How far the difference has been constant: behind the first change it is 0.
        let (mut difference, mut constant) = (0, if self.is_fresh { 0 } else { self.longest + 1 });
        let mut cursor = 0;
        loop {
            let value = self.fewest(place);
            self.now[place] = value;
            match i32::from(value) - i32::from(self.kept[place]) {
                same if same == difference => constant += 1,
                other => (difference, constant) = (other, 1),
            }
            if place == 0 {
                break;
            }
            if constant > self.longest && !self.is_fresh {
                while self.changed.get(cursor).is_some_and(|&changed| usize::from(changed) >= place) {
                    cursor += 1;
                }
                let from = self.changed.get(cursor).map_or(0, |&changed| usize::from(changed) + 1);
                for (now, kept) in self.now[from..place].iter_mut().zip(&self.kept[from..place]) {
                    *now = (i32::from(*kept) + difference) as u16;
                }
                if from == 0 {
                    break;
                }
                place = from;
            }
            place -= 1;
        }
        self.changed.clear();
        self.is_fresh = false;
    }

    /// Keeps the present f.
    pub(super) fn keep(&mut self) {
        self.kept[..self.same_from].copy_from_slice(&self.now[..self.same_from]);
        self.same_from = 0;
    }

    /// Goes back to f as it was kept; the dictionary has to be as it was then.
    pub(super) fn forget(&mut self) {
        self.now[..self.same_from].copy_from_slice(&self.kept[..self.same_from]);
        self.same_from = 0;
        self.changed.clear();
    }

    /// The fewest terms from a place on.
    #[inline]
    pub(super) fn terms(&self, place: usize) -> usize {
        usize::from(self.now[place])
    }
}

/// The 64 bits from each place on and behind the end, zeros there.
pub(super) fn windows(bit: &[bool]) -> Vec<u64> {
    let word = |i: usize| (0..64).fold(0, |w, j| w << 1 | u64::from(bit.get(i + j).copied().unwrap_or(false)));
    (0..bit.len() + 1).map(word).collect()
}

#[cfg(test)]
#[path = "../../tests/inside/anneal/parse.rs"]
mod tests;
