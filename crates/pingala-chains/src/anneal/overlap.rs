//! The fewest terms of a dictionary that make up a target when terms may overlap: what a term lacks stays pending, and the next
//! term makes up for it too.
//!
//! At place i the main line stands c below what the target's first i bits say; c is pending. One place on it is 2 c, and 1 more where
//! the target has a 1. With f\[i\]\[c\] the fewest terms from there on, for c up to [`MOST_PENDING`], either nothing is added at
//! the next place, or L places on, where x = c 2^L + the next L bits is pending, an element s is, which leaves x - s: f\[i\]\[c\] is
//! the least of f\[i + 1\]\[2 c + bit\] and all 1 + f\[i + L\]\[x - s\]. Without overlap c is 0 throughout: that is `parse`, which a
//! change of the dictionary brings up to date a hundred times faster. So this looks only at what is nearly best there.

use super::parse::windows;
use super::random::mixed;
use super::{MainLine, bit_len};

/// More takes longer and finds hardly more: docs/records/chains.md.
const MOST_PENDING: usize = 7;
/// More terms than any target takes.
const NEVER: u16 = u16::MAX >> 1;
/// The number of patterns up to a number is kept for numbers of this length in bits.
const SHORT_BITS: usize = 12;
/// The logarithm of the number of dictionaries that are remembered: one for each value of this length in bits.
const SEEN_BITS: u32 = 14;

/// A number that a term takes from what is pending: an element, or its odd part if at least the element's number of zeros follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    number: u64,
    zeros: usize,
}

/// The next step of the main line: the number of places, a term there or none, and what is pending then.
#[derive(Clone, Copy, Debug)]
struct Onward {
    places: usize,
    term: Option<Pattern>,
    pending: usize,
}

/// A target with the last dictionary looked at.
#[derive(Debug)]
pub(super) struct Overlap {
    /// The highest first.
    bit: Vec<bool>,
    /// The 64 bits from each place on, zeros behind the end.
    window: Vec<u64>,
    elements: Vec<u64>,
    /// In increasing order, each number once.
    patterns: Vec<Pattern>,
    /// How many patterns are not above each short number.
    not_above: Vec<u16>,
    /// The longest number that a term is taken from, in bits.
    longest: usize,
    /// f, and the least of it at each place.
    fewest: Vec<[u16; MOST_PENDING + 1]>,
    least: Vec<u16>,
    /// Of dictionaries that were looked at.
    seen: Vec<u64>,
}

impl Overlap {
    /// Of a target with the highest bit first.
    pub(super) fn new(bit: Vec<bool>) -> Self {
        let n = bit.len();
        Self {
            window: windows(&bit),
            elements: Vec::new(),
            patterns: Vec::new(),
            not_above: vec![0; 1 << SHORT_BITS],
            longest: 0,
            fewest: vec![[NEVER; MOST_PENDING + 1]; n + 1],
            least: vec![0; n + 1],
            seen: vec![0; 1 << SEEN_BITS],
            bit,
        }
    }

    /// The length of the shortest chain that begins with these elements, in increasing order, below 2^62; `None` if they were looked at
    /// lately.
    pub(super) fn price(&mut self, elements: &[u64]) -> Option<usize> {
        self.elements.clear();
        self.elements.extend_from_slice(elements);
        let print = self.elements.iter().fold(0, |print, &element| mixed(print ^ element));
        if core::mem::replace(&mut self.seen[(print >> (64 - SEEN_BITS)) as usize], print) == print {
            return None;
        }
        self.evaluate();
        let (_, behind, pending) = self.first();
        Some(self.elements.len() - 1 + self.behind(behind, pending))
    }

    fn evaluate(&mut self) {
        self.patterns.clear();
        for &number in &self.elements {
            let zeros = number.trailing_zeros() as usize;
            self.patterns.push(Pattern { number, zeros: 0 });
            if zeros > 0 {
                self.patterns.push(Pattern { number: number >> zeros, zeros });
            }
        }
        self.patterns.sort_unstable();
        self.patterns.dedup_by_key(|pattern| pattern.number);
        let mut count = 0;
        for (number, not_above) in (0..).zip(&mut self.not_above) {
            while self.patterns.get(count).is_some_and(|pattern| pattern.number <= number) {
                count += 1;
            }
            *not_above = count as u16;
        }
        self.longest = self.patterns.last().map_or(0, |last| bit_len(last.number + MOST_PENDING as u64));
        let n = self.bit.len();
        self.fewest[n][0] = 0;
        // At index i the least of f within i places behind this one.
        let mut within = [NEVER; 65];
        for place in (0..n).rev() {
            for length in 1..=self.longest.min(n - place) {
                within[length] = within[length - 1].min(self.least[place + length]);
            }
            for pending in 0..=MOST_PENDING {
                self.fewest[place][pending] = self.onward(place, pending, &within).0;
            }
            self.least[place] = self.fewest[place].into_iter().min().unwrap_or(NEVER);
        }
    }

    /// f at a place, from what is behind, and the step that gives it. `within[i]` is a lower bound of f within i places.
    #[inline]
    fn onward(&self, place: usize, pending: usize, within: &[u16; 65]) -> (u16, Onward) {
        let next = 2 * pending + usize::from(self.bit[place]);
        let mut onward = Onward { places: 1, term: None, pending: next };
        if next == 0 {
            return (self.fewest[place + 1][0], onward);
        }
        let mut fewest = self.fewest[place + 1].get(next).copied().unwrap_or(NEVER);
        let pending = pending as u64;
        let mut places = self.longest.saturating_sub(bit_len(pending)).min(self.bit.len() - place);
        // A long step is often the best, and then shorter ones need no look.
        while places > 0 && within[places] + 1 < fewest {
            let sum = pending << places | self.window[place] >> (64 - places);
            for pattern in self.patterns[..self.count_not_above(sum)].iter().rev() {
                let rest = (sum - pattern.number) as usize;
                if rest > MOST_PENDING {
                    break;
                }
                let behind = place + places;
                if behind + pattern.zeros <= self.bit.len() && self.fewest[behind][rest] + 1 < fewest {
                    fewest = self.fewest[behind][rest] + 1;
                    onward = Onward { places, term: Some(*pattern), pending: rest };
                }
            }
            places -= 1;
        }
        (fewest, onward)
    }

    fn count_not_above(&self, number: u64) -> usize {
        match self.not_above.get(number as usize) {
            Some(&count) => usize::from(count),
            None => self.patterns.partition_point(|pattern| pattern.number <= number),
        }
    }

    /// The element with which the cheapest main line begins, the place behind it, and what is pending there.
    fn first(&self) -> (u64, usize, usize) {
        let n = self.bit.len();
        let beginnings = (1..=n.min(62)).flat_map(|behind| {
            let prefix = self.window[0] >> (64 - behind);
            let is_near =
                move |element: u64| (prefix - MOST_PENDING.min(prefix as usize) as u64..=prefix).contains(&element);
            let elements = self.elements.iter().filter(move |&&element| is_near(element));
            elements.map(move |&element| (element, behind, (prefix - element) as usize))
        });
        beginnings
            .min_by_key(|&(_, behind, pending)| self.behind(behind, pending))
            .expect("1 is an element and begins every target")
    }

    /// The steps of the main line from a place on.
    fn behind(&self, place: usize, pending: usize) -> usize {
        self.bit.len() - place + usize::from(self.fewest[place][pending])
    }

    /// The main line of the chain of this length.
    pub(super) fn main_line(&self) -> MainLine {
        let n = self.bit.len();
        let (first, mut place, mut pending) = self.first();
        let (left, mut terms) = (n - place, Vec::new());
        while place < n {
            let (_, onward) = self.onward(place, pending, &[0; 65]);
            (place, pending) = (place + onward.places, onward.pending);
            if let Some(Pattern { number, zeros }) = onward.term {
                terms.push((number << zeros, n - place - zeros));
            }
        }
        MainLine::new(first, left, terms)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/anneal/overlap.rs"]
mod tests;
