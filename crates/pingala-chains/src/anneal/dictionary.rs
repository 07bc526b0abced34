//! The state of the annealing: a short addition chain, the dictionary, from whose elements the target is put together.

use super::bit_len;
use super::parse::Parse;
use core::cmp::Ordering;

/// A set of numbers, 1 among them, each of the others the sum of two: kept with what a chain for the target costs that
/// begins with them.
///
/// A change is a series of [`Dictionary::insert`] and [`Dictionary::remove`], then [`Dictionary::price`], which says whether it is a
/// dictionary and what it costs, then [`Dictionary::keep`] or [`Dictionary::undo`].
#[derive(Debug)]
pub(super) struct Dictionary {
    /// In increasing order.
    elements: Vec<u64>,
    /// In how many ways each is a sum of two elements; for 1 once more, so that it never lacks one.
    ways: Vec<u16>,
    /// How many elements are no sum.
    n_unsupported: usize,
    parse: Parse,
    /// The lengths of the elements with which the target begins.
    first: Vec<u16>,
    /// What was changed since the last `keep`; true for what came in. The parse has seen the first of them.
    journal: Vec<(bool, u64)>,
    n_parsed: usize,
}

impl Dictionary {
    /// `None` if it is no dictionary or has too many odd parts.
    pub(super) fn new(bit: Vec<bool>, elements: &[u64]) -> Option<Self> {
        let mut dictionary = Self {
            elements: Vec::new(),
            ways: Vec::new(),
            n_unsupported: 0,
            parse: Parse::new(bit),
            first: Vec::new(),
            journal: Vec::new(),
            n_parsed: 0,
        };
        dictionary.insert(1);
        for &element in elements {
            dictionary.insert(element);
        }
        dictionary.price()?;
        dictionary.keep();
        Some(dictionary)
    }

    /// The elements, in increasing order.
    pub(super) fn elements(&self) -> &[u64] {
        &self.elements
    }

    /// The target.
    pub(super) fn parse(&self) -> &Parse {
        &self.parse
    }

    /// Whether anything has been changed.
    pub(super) fn is_changed(&self) -> bool {
        !self.journal.is_empty()
    }

    /// Whether this is the sum of two elements and no element itself.
    pub(super) fn is_new_sum(&self, value: u64) -> bool {
        self.elements.binary_search(&value).is_err_and(|place| self.count_ways(value, place) > 0)
    }

    /// Pairs of the first elements with this sum.
    fn count_ways(&self, value: u64, n_elements: usize) -> u16 {
        let (mut low, mut high, mut ways) = (0, n_elements, 0);
        while low < high {
            match (self.elements[low] + self.elements[high - 1]).cmp(&value) {
                Ordering::Less => low += 1,
                order => {
                    ways += u16::from(order.is_eq());
                    high -= 1;
                }
            }
        }
        ways
    }

    /// The elements from a place on, all above the value, that are the value and an element: each gains or loses a way.
    fn adjust(&mut self, value: u64, from: usize, gains: bool) {
        let mut low = 0;
        for place in from..self.elements.len() {
            let rest = self.elements[place] - value;
            while self.elements[low] < rest {
                low += 1;
            }
            if self.elements[low] == rest {
                if gains {
                    self.n_unsupported -= usize::from(self.ways[place] == 0);
                    self.ways[place] += 1;
                } else {
                    self.ways[place] -= 1;
                    self.n_unsupported += usize::from(self.ways[place] == 0);
                }
            }
        }
    }

    fn put(&mut self, value: u64, place: usize) {
        let ways = if place == 0 { 1 } else { self.count_ways(value, place) };
        self.n_unsupported += usize::from(ways == 0);
        self.elements.insert(place, value);
        self.ways.insert(place, ways);
        self.adjust(value, place + 1, true);
    }

    fn take(&mut self, place: usize) {
        let value = self.elements[place];
        self.adjust(value, place + 1, false);
        self.n_unsupported -= usize::from(self.ways[place] == 0);
        self.elements.remove(place);
        self.ways.remove(place);
    }

    /// Adds an element, if it is none.
    pub(super) fn insert(&mut self, value: u64) {
        if let Err(place) = self.elements.binary_search(&value) {
            self.put(value, place);
            self.journal.push((true, value));
        }
    }

    /// Removes an element, if it is one.
    pub(super) fn remove(&mut self, value: u64) {
        if let Ok(place) = self.elements.binary_search(&value) {
            self.take(place);
            self.journal.push((false, value));
        }
    }

    /// Whether each other element is still a sum without the one at this place, which is not the first.
    pub(super) fn can_remove(&self, place: usize) -> bool {
        self.each_served(place).all(|served| self.ways[served] > 1)
    }

    /// Whether a number, which is no element, and each element are sums of two with it in place of the element at this place, which is
    /// not the first.
    pub(super) fn can_exchange(&self, place: usize, new: u64) -> bool {
        let old = self.elements[place];
        let stays = |value: u64| value == new || (value != old && self.is_element(value));
        let is_sum_with_new = |value: u64| value > new && stays(value - new);
        let ways = self.count_ways(new, self.elements.partition_point(|&element| element < new));
        let with_old = new > old && self.is_element(new - old);
        ways > u16::from(with_old)
            && self.each_served(place).all(|served| self.ways[served] > 1 || is_sum_with_new(self.elements[served]))
    }

    /// The places of the elements that are this one and an element.
    fn each_served(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        let (value, mut low) = (self.elements[place], 0);
        (place + 1..self.elements.len()).filter(move |&served| {
            let rest = self.elements[served] - value;
            while self.elements[low] < rest {
                low += 1;
            }
            self.elements[low] == rest
        })
    }

    /// Whether this is no element and would come in for the price of a step and change nothing else, as far as that is seen at once.
    pub(super) fn is_idle(&self, value: u64) -> bool {
        !self.is_element(value) && !self.parse.begins_with(value) && self.parse.is_idle(value)
    }

    /// Whether this is an element.
    pub(super) fn is_element(&self, value: u64) -> bool {
        self.elements.binary_search(&value).is_ok()
    }

    /// Removes every element that is no sum, and those that are none without it.
    pub(super) fn remove_unsupported(&mut self) {
        while self.n_unsupported > 0
            && let Some(place) = self.ways.iter().position(|&ways| ways == 0)
        {
            self.remove(self.elements[place]);
        }
    }

    /// What the chain costs; `None` if the change leaves no dictionary, or one without room.
    pub(super) fn price(&mut self) -> Option<usize> {
        if self.n_unsupported > 0 {
            return None;
        }
        while let Some(&change) = self.journal.get(self.n_parsed) {
            if !self.show_parse(change) {
                return None;
            }
            self.n_parsed += 1;
        }
        self.parse.evaluate();
        let behind = |&length: &u16| {
            let length = usize::from(length);
            self.parse.bits() - length + self.parse.terms(length)
        };
        // 1 is in every dictionary and begins every target.
        Some(self.first.iter().map(behind).min()? + self.elements.len() - 1)
    }

    fn show_parse(&mut self, (comes_in, value): (bool, u64)) -> bool {
        if !self.parse.flip(value) {
            return false;
        }
        if self.parse.begins_with(value) {
            let length = bit_len(value) as u16;
            match self.first.iter().position(|&first| first == length) {
                Some(place) if !comes_in => drop(self.first.swap_remove(place)),
                _ => self.first.push(length),
            }
        }
        true
    }

    /// Keeps the changes.
    pub(super) fn keep(&mut self) {
        self.journal.clear();
        self.n_parsed = 0;
        self.parse.keep();
    }

    /// Takes the changes back.
    pub(super) fn undo(&mut self) {
        let was_parsed = self.n_parsed > 0;
        while let Some((came_in, value)) = self.journal.pop() {
            if self.n_parsed > self.journal.len() {
                self.n_parsed = self.journal.len();
                let had_room = self.show_parse((!came_in, value));
                debug_assert!(had_room, "what was there has its place");
            }
            match self.elements.binary_search(&value) {
                Ok(place) => self.take(place),
                Err(place) => self.put(value, place),
            }
        }
        if was_parsed {
            self.parse.forget();
        }
    }
}
