//! Whether one number has a chain of a given length, if it has no shorter one.
//!
//! Chains are built as increasing sets of elements, each set once. The search looks for a shortest chain with the largest sum of
//! elements. Say that x serves y if x is in the only pair of elements with the sum y. In such a chain
//! - each element below n serves one: otherwise it could be left out;
//! - if x serves only y, y is no sum of three other elements, two of which have a sum above x: this sum could take the place of x. So
//!   x = a + b does not serve only y = x + c if c is above x or above one of a and b.
//!
//! So a_0 to a_i leave some elements open, which have to serve once more: those that serve none, or one that does not suffice. An
//! element of at most a_i/2 that serves none has to do so twice, because what comes is above 2 x.
//!
//! Let the `left` steps to come take elements of a_0 to a_i E times in all. Then n is the sum of these E elements, each times a number of
//! ways from the step that takes it to n. Read from n downwards (\[knuth1997seminumerical\] 4.6.3) these numbers of ways are an addition
//! chain, of l = left + 1 - E steps: each step to come is taken once at least, and adds a number of ways whenever it is taken again.
//! With E at least as large as the open elements demand, and s their sum, these end a branch:
//! - l < 0; l = 0, which needs n = s; l = 1, which needs n to be s and one element more, or s and the sum of some of the open ones;
//! - size: the ways are 2^l at most, so that n <= 2^l s; to take one element more, or several, does not lift this bound;
//! - twos: let 2^t be the highest power of 2 in n, and z the least of the E. A chain of l steps whose largest number is 2^l has powers of 2
//!   only, and one of them is at most 2^t, so that n <= 2^l (s - z) + 2^t z. The next largest numbers are 3 2^(l-2), with 3 as the largest
//!   that is odd, and 5 2^(l-3), with 5; all others are at most 9 2^(l-4). For l >= t + 4 elements beyond the open ones do not lift the
//!   largest of these four bounds either: each halves 2^l and is no larger than a_i;
//! - what has to serve: if all elements from a_(j+1) to a_i are multiples of a number that does not divide n, one of a_0 to a_j is taken,
//!   an open one or another, which is added to s;
//! - only a_i: a_(k+1) <= 2 a_k, and of the last t + 1 steps one is no doubling and adds two different elements:
//!   n <= 3 2^(left - 2) a_i for left >= 2 + t \[thurber1999efficient\];
//! - ones: a sum has no more ones than its two parts. To get from v ones at most to those of n takes m steps that are no doublings, and
//!   m of these lead no further than to 2^(left - m) (F_(m+1) a_i + F_m a_(i-1)), F the Fibonacci numbers: all of them at once.
//!
//! Nor are the last three steps searched if only a_i is open: n is one of a few kinds of sums, each a lookup.

use super::places::{PLACES, Places};

/// Beginnings between two questions whether to go on: a tenth of a second.
const ASKED_EVERY: u64 = 1 << 17;

/// When a search ends early.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    /// The number of beginnings after which the search ends.
    pub(super) nodes: u64,
    pub(super) goes_on: &'a dyn Fn() -> bool,
}

/// A search.
pub(super) struct One<'a> {
    n: u32,
    length: usize,
    a: Places,
    /// What a_i has to be at least.
    least: Vec<u32>,
    /// For each number of ones the sums that it takes to get to those of n.
    sums_from: [usize; 33],
    /// The elements up to the last but one, and the sums of two of them.
    is_element: Vec<u64>,
    is_sum: Vec<u64>,
    /// What can come next, level after level.
    sums: Vec<u32>,
    next: Vec<Next>,
    pub(super) nodes: u64,
    limit: Limit<'a>,
    /// The whole chain, once found.
    pub(super) found: Option<Vec<u32>>,
}

/// An element that comes next, and how the elements serve with it.
#[derive(Clone, Copy)]
struct Next {
    element: u32,
    serving: Serving,
}

/// Sets of places.
#[derive(Clone, Copy)]
struct Serving {
    /// The elements that have to serve once more, the last among them.
    open: u32,
    /// The elements that serve one already.
    some: u32,
}

/// What the open elements demand of the steps to come: E and s at least, and z at most.
#[derive(Clone, Copy)]
struct Demand {
    times: usize,
    sum: u64,
    least: u64,
}

/// F_0 to F_8.
const FIBONACCI: [u64; 9] = [0, 1, 1, 2, 3, 5, 8, 13, 21];

impl<'a> One<'a> {
    /// For a number that is no power of 2 below 2^length.
    pub(super) fn new(n: u32, length: usize, limit: Limit<'a>) -> Self {
        let zeros = n.trailing_zeros() as usize;
        let least = |i: usize| {
            let left = length - i;
            let most = if left >= 2 + zeros { 3u64 << (left - 2) } else { 1u64 << left };
            u64::from(n).div_ceil(most) as u32
        };
        let sums_from = |ones: usize| n.count_ones().div_ceil(ones.max(1) as u32).next_power_of_two().ilog2() as usize;
        let words = n as usize / 64 + 1;
        Self {
            n,
            length,
            a: Places::new(),
            least: (0..length + 1).map(least).collect(),
            sums_from: core::array::from_fn(sums_from),
            is_element: vec![0; words],
            is_sum: vec![0; words],
            sums: Vec::new(),
            next: Vec::new(),
            nodes: 0,
            limit,
            found: None,
        }
    }

    /// Searches; `found` has the chain.
    pub(super) fn search(&mut self) -> bool {
        self.go_on(0, Serving { open: 1, some: 0 }, 1)
    }

    /// Whether a_0 to a_i go on to n, with the most ones of an element.
    fn go_on(&mut self, i: usize, serving: Serving, ones: u32) -> bool {
        if self.nodes >= self.limit.nodes {
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(ASKED_EVERY) && !(self.limit.goes_on)() {
            self.nodes = self.limit.nodes;
            return false;
        }
        let left = self.length - i;
        let demand = self.demand(self.a.0[i], serving);
        if demand.times >= left && demand.times > 1 {
            return self.end(i, serving, left + 1 - demand.times);
        }
        if left <= 3 && demand.times == 1 {
            let is_done = if left == 3 { self.three(i) } else { self.two(i) };
            if is_done {
                self.complete(i);
            }
            return is_done;
        }
        let from = self.next.len();
        self.push_next(i, serving, ones, demand);
        let new_sums = self.enter(i);
        let mut is_done = false;
        for at in from..self.next.len() {
            let Next { element, serving } = self.next[at];
            self.a.0[i + 1] = element;
            is_done = self.go_on(i + 1, serving, ones.max(element.count_ones()));
            if is_done {
                break;
            }
        }
        self.a.0[i + 1] = 0;
        self.next.truncate(from);
        self.leave(i, new_sums);
        is_done
    }

    /// All that can come behind a_i, decreasing. The elements up to a_(i-1) are entered.
    fn push_next(&mut self, i: usize, serving: Serving, ones: u32, demand: Demand) {
        let least = self.least[i + 1].max(self.a.0[i] + 1);
        let l = self.length - i - demand.times;
        // What one of a pair takes off the demand at most. If it is not open, that halves what is reached and adds no more.
        let off = |place: usize| match serving.open >> place & 1 {
            0 => (0, 0),
            _ => (1, u64::from(self.a.0[place])),
        };
        let is_wanted = |high: usize, low: usize, sum: u32| {
            let ((by_high, of_high), (by_low, of_low)) = (off(high), if low == high { (0, 0) } else { off(low) });
            let s = demand.sum + u64::from(sum) - of_high - of_low;
            s << (l + by_high + by_low - 1) >= u64::from(self.n)
        };
        let mut sums = core::mem::take(&mut self.sums);
        sums.clear();
        self.a.push_sums(i, (least, self.n), is_wanted, &mut sums);
        self.sums = sums;
        for at in 0..self.sums.len() {
            let element = self.sums[at];
            let serving = self.with(i, element, serving);
            self.a.0[i + 1] = element;
            if self.goes_far_enough(i + 1, serving, ones.max(element.count_ones())) {
                self.next.push(Next { element, serving });
            }
        }
        self.a.0[i + 1] = 0;
    }

    /// How a_0 to a_i serve with the sum of two of them behind a_i.
    fn with(&self, i: usize, y: u32, serving: Serving) -> Serving {
        let pair = self.a.of_sum(i, y);
        let mut after = Serving { open: serving.open | 1 << (i + 1), some: serving.some };
        if pair.count_ones() <= 2 {
            let (low, high) = (pair.trailing_zeros() as usize, pair.ilog2() as usize);
            after.some |= pair;
            after.open &= !(pair & serving.some);
            // 1 serves 2, and serves so, whatever else it does.
            if high == 0 || !self.is_replaced(i, high, self.a.0[low], y) {
                after.open &= !(1 << high);
            }
        }
        after
    }

    /// Whether y = x + c is the sum of three others, two of which have a sum above x = a_place. Not all cases where x is not a_i.
    fn is_replaced(&self, i: usize, place: usize, c: u32, y: u32) -> bool {
        let x = self.a.0[place];
        if place < i {
            c < x && (0..place).any(|low| self.a.0[low] < c && self.a.of(x - self.a.0[low]) != 0)
        } else {
            self.a.0[..i].iter().take_while(|&&other| other < c).any(|other| holds(&self.is_sum, y - other))
        }
    }

    /// What the open ones of a_0 to a_i demand, for a last element that is given.
    #[inline]
    fn demand(&self, top: u32, serving: Serving) -> Demand {
        let (mut open, mut times, mut sum) = (serving.open, 0, 0);
        while open != 0 {
            let place = open.trailing_zeros() as usize;
            open &= open - 1;
            let element = self.a.0[place];
            let twice = serving.some >> place & 1 == 0 && 2 * element <= top;
            times += 1 + usize::from(twice);
            sum += u64::from(element) << u32::from(twice);
        }
        Demand { times, sum, least: u64::from(self.a.0[serving.open.trailing_zeros() as usize]) }
    }

    /// The bounds that need no lookup, for i > 0.
    fn goes_far_enough(&self, i: usize, serving: Serving, ones: u32) -> bool {
        let (n, left) = (u64::from(self.n), self.length - i);
        let demand = self.demand(self.a.0[i], serving);
        let Some(l) = (left + 1).checked_sub(demand.times) else { return false };
        if demand.times == 1 {
            if demand.sum << l < n {
                return false;
            }
        } else if !self.reaches(l, demand) {
            return false;
        }
        let (top, before) = (u64::from(self.a.0[i]), u64::from(self.a.0[i - 1]));
        let sums = self.sums_from[ones as usize];
        if sums > left || sums >= 2 && (FIBONACCI[sums + 1] * top + FIBONACCI[sums] * before) << (left - sums) < n {
            return false;
        }
        let (mut divisor, mut multiples, mut place) = (self.a.0[i], 0, i);
        let zeros = self.n.trailing_zeros();
        while divisor > 1 && (divisor.trailing_zeros() > zeros || !self.n.is_multiple_of(divisor)) {
            place -= 1;
            multiples = divisor;
            divisor = gcd(divisor, self.a.0[place]);
        }
        let is_open = |low: usize| serving.open >> low & 1 == 1 && !self.a.0[low].is_multiple_of(multiples);
        if place < i && !(0..place + 1).any(is_open) {
            let taken = u64::from(self.a.0[place]);
            let demand = Demand { times: demand.times + 1, sum: demand.sum + taken, least: demand.least.min(taken) };
            if l == 0 || !self.reaches(l - 1, demand) {
                return false;
            }
        }
        true
    }

    /// Whether ways that are a chain of l steps lead to n, where two elements are taken at least.
    #[inline]
    fn reaches(&self, l: usize, Demand { sum, least, .. }: Demand) -> bool {
        let (n, zeros) = (u64::from(self.n), self.n.trailing_zeros() as usize);
        if l < zeros + 4 {
            return sum << l >= n;
        }
        let (rest, least) = (sum - least, least << zeros);
        (rest << l) + least >= n
            || ((3 * rest) << (l - 2)) + 3 * least >= n
            || ((5 * rest) << (l - 3)) + 5 * least >= n
            || (9 * sum) << (l - 4) >= n
    }

    /// Enters a_i and its sums into the look-up; returns the set of the other summands of those that are new.
    fn enter(&mut self, i: usize) -> u32 {
        let top = self.a.0[i];
        flip(&mut self.is_element, top);
        let mut new_sums = 0;
        for place in 0..i + 1 {
            let sum = top + self.a.0[place];
            if sum <= self.n && !holds(&self.is_sum, sum) {
                flip(&mut self.is_sum, sum);
                new_sums |= 1 << place;
            }
        }
        new_sums
    }

    fn leave(&mut self, i: usize, new_sums: u32) {
        let top = self.a.0[i];
        flip(&mut self.is_element, top);
        for other in self.a.at(new_sums) {
            flip(&mut self.is_sum, top + other);
        }
    }

    /// The ways are a chain of l <= 1 steps; a_0 to a_(i-1) and their sums are entered.
    fn end(&mut self, i: usize, serving: Serving, l: usize) -> bool {
        let top = self.a.0[i];
        let mut parts = [0; PLACES];
        let mut n_parts = 0;
        let twice = self.a.at(serving.open & !serving.some).filter(|&element| 2 * element <= top);
        for part in self.a.at(serving.open).chain(twice) {
            parts[n_parts] = part;
            n_parts += 1;
        }
        let parts = &parts[..n_parts];
        let Some(rest) = self.n.checked_sub(parts.iter().sum()) else { return false };
        let series = match l {
            0 => (rest == 0).then(|| parts.to_vec()),
            _ if rest == 0 => None,
            _ => self.one_way_more(top, parts, rest),
        };
        let Some(series) = series else { return false };
        let mut chain = self.a.0[..i + 1].to_vec();
        chain.extend(series.iter().scan(0, |line, part| {
            *line += part;
            Some(*line)
        }));
        self.found = Some(chain);
        true
    }

    /// What to add one after the other for n, the parts and `rest`: an element more, or some of the parts twice.
    fn one_way_more(&self, top: u32, parts: &[u32], rest: u32) -> Option<Vec<u32>> {
        if self.is_any(top, rest) {
            return Some([parts, &[rest]].concat());
        }
        let twice = (1..1u32 << parts.len()).find(|&set| sum_of(parts, set) == rest)?;
        Some([&at(parts, twice)[..], &[rest], &at(parts, !twice)].concat())
    }

    /// Whether this is one of a_0 to a_i.
    #[inline]
    fn is_any(&self, top: u32, value: u32) -> bool {
        value == top || holds(&self.is_element, value)
    }

    /// Two steps, nothing but a_i open: n = a_i + x + y or 2 (a_i + x).
    fn two(&self, i: usize) -> bool {
        let (n, top) = (self.n, self.a.0[i]);
        (n > top && self.a.of_sum(i, n - top) != 0)
            || (n.is_multiple_of(2) && n / 2 > top && self.a.of(n / 2 - top) != 0)
    }

    /// Three steps, nothing but a_i open; a_0 to a_(i-1) and their sums are entered.
    fn three(&self, i: usize) -> bool {
        let (n, top) = (self.n, self.a.0[i]);
        let is_any = |value: u32| self.is_any(top, value);
        let is_sum = |value: u32| holds(&self.is_sum, value);
        // value - taken, if that is above 0
        let less = |value: u32, taken: u32| value.checked_sub(taken).filter(|&rest| rest > 0);
        let half = |value: u32| value.is_multiple_of(2).then_some(value / 2);
        let Some(rest) = less(n, top) else { return false };
        // a_i + x + y + z
        if less(rest, top).is_some_and(|sum| is_sum(sum) || less(sum, top).is_some_and(is_any)) {
            return true;
        }
        for place in (0..i).rev() {
            let Some(sum) = less(rest, self.a.0[place]) else { continue };
            if sum > 2 * self.a.0[i - 1] {
                break;
            }
            if is_sum(sum) {
                return true;
            }
        }
        // 2 (x + y) + a_i, 2 (a_i + x) + y
        if half(rest).is_some_and(|sum| is_sum(sum) || less(sum, top).is_some_and(is_any)) {
            return true;
        }
        for place in (0..i).rev() {
            let Some(sum) = half(n - self.a.0[place]) else { continue };
            if sum > 2 * top {
                break;
            }
            if less(sum, top).is_some_and(is_any) {
                return true;
            }
        }
        // 2 (a_i + x + y), 4 (a_i + x), 3 (a_i + x)
        let twice = half(n).is_some_and(|sum| {
            less(sum, top).is_some_and(|rest| is_sum(rest) || less(rest, top).is_some_and(is_any))
                || half(sum).and_then(|sum| less(sum, top)).is_some_and(is_any)
        });
        twice || (n.is_multiple_of(3) && less(n / 3, top).is_some_and(is_any))
    }

    /// Puts the last steps down, which are there.
    fn complete(&mut self, i: usize) {
        fn extend(chain: &mut Vec<u32>, left: usize, n: u32) -> bool {
            if left == 0 {
                return chain.last() == Some(&n);
            }
            for high in (0..chain.len()).rev() {
                for low in (0..high + 1).rev() {
                    let sum = chain[high] + chain[low];
                    if sum <= n && (left > 1 || sum == n) {
                        chain.push(sum);
                        if extend(chain, left - 1, n) {
                            return true;
                        }
                        chain.pop();
                    }
                }
            }
            false
        }
        let mut chain = self.a.0[..i + 1].to_vec();
        if extend(&mut chain, self.length - i, self.n) {
            self.found = Some(chain);
        }
    }
}

/// The sum of the parts at a set of places.
#[inline]
fn sum_of(parts: &[u32], set: u32) -> u32 {
    parts.iter().enumerate().map(|(place, part)| if set >> place & 1 == 1 { *part } else { 0 }).sum()
}

/// The parts at a set of places.
fn at(parts: &[u32], set: u32) -> Vec<u32> {
    parts.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1).map(|(_, &part)| part).collect()
}

/// The greatest common divisor of two numbers above 0, by their last bits: half the time of divisions.
#[inline]
fn gcd(a: u32, b: u32) -> u32 {
    let zeros = (a | b).trailing_zeros();
    let (mut a, mut b) = (a >> a.trailing_zeros(), b >> b.trailing_zeros());
    while a != b {
        let difference = a.abs_diff(b);
        a = a.min(b);
        b = difference >> difference.trailing_zeros();
    }
    a << zeros
}

/// Whether a set holds a value; sets end at n.
#[inline]
fn holds(set: &[u64], value: u32) -> bool {
    set.get(value as usize / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
}

#[inline]
fn flip(set: &mut [u64], value: u32) {
    set[value as usize / 64] ^= 1 << (value % 64);
}
