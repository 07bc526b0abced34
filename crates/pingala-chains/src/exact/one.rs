//! Whether one number has a chain of so many steps.
//!
//! Chains are built as increasing sets of elements, each set once. With a_0 to a_i chosen and `left` steps left, these end a branch:
//! - an element without use: each of the steps left takes two elements and gives one, so that u elements without use need
//!   left >= u - 1. At left = u - 1 their sum is n; at left = u it is n together with one element more, or with the sum of some of them;
//! - size: a_(k+1) <= 2 a_k, and of the last t + 1 steps, 2^t the highest power of 2 in n, one is no doubling, and adds two different
//!   elements: n <= 3 2^(left - 2) a_i for left >= 2 + t \[thurber1999efficient\];
//! - what has to serve: if all elements from a_(j+1) to a_i are multiples of a number that does not divide n, one of a_0 to a_j serves
//!   later, or an element without use does. With a_p the largest of these at most, n <= (a_i + a_p) 2^(left - 1), and where the last
//!   step that is no doubling is another one, n <= 3 (a_i + a_p) 2^(left - 3); as one and the same it gives n <= 2^(left - 1) a_i + 2^t a_p;
//! - ones: a sum has no more ones than its two parts. To get from v ones at most to those of n takes m steps that are no doublings, and
//!   m of these lead no further than to 2^(left - m) (F_(m+1) a_i + F_m a_(i-1)), F the Fibonacci numbers: all of them at once.
//!
//! The last three steps are not searched: n is one of a few kinds of sums, each a lookup.

use super::places::Places;

/// Beginnings between two questions whether to go on: a tenth of a second.
const ASKED_EVERY: u64 = 1 << 20;

/// When a search ends early.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    /// After so many beginnings.
    pub(super) nodes: u64,
    pub(super) goes_on: &'a dyn Fn() -> bool,
}

/// A search.
pub(super) struct One<'a> {
    n: u32,
    length: usize,
    star: bool,
    a: Places,
    /// What a_i has to be at least.
    least: Vec<u32>,
    /// The elements up to the last but one, and the sums of two of them.
    is_element: Vec<u64>,
    is_sum: Vec<u64>,
    /// What can come next, level after level.
    next: Vec<u32>,
    pub(super) nodes: u64,
    limit: Limit<'a>,
    /// The whole chain, once found.
    pub(super) found: Option<Vec<u32>>,
}

/// F_0 to F_8.
const FIBONACCI: [u64; 9] = [0, 1, 1, 2, 3, 5, 8, 13, 21];

impl<'a> One<'a> {
    /// For a number that is no power of 2 below 2^length.
    pub(super) fn new(n: u32, length: usize, star: bool, limit: Limit<'a>) -> Self {
        let zeros = n.trailing_zeros() as usize;
        let least = |i: usize| {
            let left = length - i;
            let most = if left >= 2 + zeros { 3u64 << (left - 2) } else { 1u64 << left };
            u64::from(n).div_ceil(most) as u32
        };
        let words = n as usize / 64 + 1;
        Self {
            n,
            length,
            star,
            a: Places::new(),
            least: (0..length + 1).map(least).collect(),
            is_element: vec![0; words],
            is_sum: vec![0; words],
            next: Vec::new(),
            nodes: 0,
            limit,
            found: None,
        }
    }

    /// Whether a_0 to a_i go on to n, with a set of places without use, the last among them, and the most ones of an element.
    pub(super) fn search(&mut self, i: usize, unused: u32, ones: u32) -> bool {
        if self.nodes >= self.limit.nodes {
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(ASKED_EVERY) && !(self.limit.goes_on)() {
            self.nodes = self.limit.nodes;
            return false;
        }
        let left = self.length - i;
        let n_unused = unused.count_ones() as usize;
        if n_unused > left + 1 {
            return false;
        }
        if n_unused >= left {
            return self.end(i, unused, n_unused == left);
        }
        if left <= 3 {
            let is_done = if left == 3 { self.three(i, unused) } else { self.two(i) };
            if is_done {
                self.complete(i);
            }
            return is_done;
        }
        if !self.goes_far_enough(i, unused, ones) {
            return false;
        }
        let top = self.a.0[i];
        let from = self.next.len();
        self.a.push_sums(i, self.least[i + 1].max(top + 1), self.n, self.star, &mut self.next);
        let new_sums = self.enter(i);
        let mut is_done = false;
        for at in from..self.next.len() {
            let next = self.next[at];
            let unused = unused & !self.a.of_sum(i, next) | 1 << (i + 1);
            if unused.count_ones() as usize > left {
                continue;
            }
            self.a.0[i + 1] = next;
            is_done = self.search(i + 1, unused, ones.max(next.count_ones()));
            if is_done {
                break;
            }
        }
        self.a.0[i + 1] = 0;
        self.next.truncate(from);
        self.leave(i, new_sums);
        is_done
    }

    /// The bounds of size.
    fn goes_far_enough(&self, i: usize, unused: u32, ones: u32) -> bool {
        if i == 0 {
            return true;
        }
        let (n, left) = (u64::from(self.n), self.length - i);
        let (top, before) = (u64::from(self.a.0[i]), u64::from(self.a.0[i - 1]));
        let (mut divisor, mut place) = (self.a.0[i], i);
        while !self.n.is_multiple_of(divisor) {
            place -= 1;
            divisor = gcd(divisor, self.a.0[place]);
        }
        let serving = place.min(unused.trailing_zeros() as usize);
        if serving < i {
            let serving = u64::from(self.a.0[serving]);
            let zeros = self.n.trailing_zeros() as usize;
            let most = if left >= 3 + zeros {
                ((3 * (top + serving)) << (left - 3)).max((top << (left - 1)) + (serving << zeros))
            } else {
                (top + serving) << (left - 1)
            };
            if most < n {
                return false;
            }
        }
        let sums = self.n.count_ones().div_ceil(ones).next_power_of_two().ilog2() as usize;
        sums < 2 || (sums <= left && (FIBONACCI[sums + 1] * top + FIBONACCI[sums] * before) << (left - sums) >= n)
    }

    /// Enters a_i and its sums where they can be looked up; gives the set of the other summands of those that are new.
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

    /// As many steps as it takes to add what has no use, or one more.
    fn end(&mut self, i: usize, unused: u32, has_one_more: bool) -> bool {
        let parts: Vec<u32> = self.a.at(unused).collect();
        let sum: u64 = parts.iter().map(|&part| u64::from(part)).sum();
        let Some(rest) = u64::from(self.n).checked_sub(sum) else { return false };
        let rest = rest as u32;
        let series = if !has_one_more {
            (rest == 0).then(|| parts.clone())
        } else if rest == 0 {
            None
        } else if self.a.of(rest) != 0 {
            Some([&parts[..], &[rest]].concat())
        } else {
            // The sum of some, used twice: those first, then twice, then the others.
            let of = |set: u32, is_in: bool| {
                parts.iter().enumerate().filter(move |(k, _)| (set >> k & 1 == 1) == is_in).map(|(_, &part)| part)
            };
            (1..1u32 << parts.len()).find(|&set| of(set, true).sum::<u32>() == rest).map(|set| {
                let mut series: Vec<u32> = of(set, true).collect();
                series.push(rest);
                series.extend(of(set, false));
                series
            })
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

    /// Two steps, of which nothing but a_i has no use yet: n = a_i + x + y or 2 (a_i + x).
    fn two(&self, i: usize) -> bool {
        let (n, top) = (self.n, self.a.0[i]);
        (n > top && self.a.of_sum(i, n - top) != 0)
            || (n.is_multiple_of(2) && n / 2 > top && self.a.of(n / 2 - top) != 0)
    }

    /// Three steps; a_0 to a_(i-1) and their sums are entered.
    fn three(&self, i: usize, unused: u32) -> bool {
        let (n, top) = (self.n, self.a.0[i]);
        let is_old = |value: u32| holds(&self.is_element, value);
        let is_any = |value: u32| value == top || is_old(value);
        let is_sum = |value: u32| holds(&self.is_sum, value);
        // value - taken, if that is above 0
        let less = |value: u32, taken: u32| value.checked_sub(taken).filter(|&rest| rest > 0);
        let half = |value: u32| value.is_multiple_of(2).then_some(value / 2);
        let others = unused & !(1 << i);
        if others != 0 {
            // Both have to serve: n = p + a_i + x + y, 2 (p + a_i) + x, 2 (p + x) + a_i, 2 (a_i + x) + p, 2 (p + a_i + x) or a multiple.
            let p = self.a.0[others.trailing_zeros() as usize];
            let both = p + top;
            let Some(rest) = less(n, both) else { return false };
            return is_sum(rest)
                || less(rest, top).is_some_and(is_any)
                || less(rest, both).is_some_and(is_any)
                || n == 3 * both
                || n == 4 * both
                || half(n - top).and_then(|sum| less(sum, p)).is_some_and(is_any)
                || half(n - p).and_then(|sum| less(sum, top)).is_some_and(is_any)
                || half(n).and_then(|sum| less(sum, both)).is_some_and(is_any);
        }
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
        // 2 (x + y) + a_i, whose x + y is no star step, 2 (a_i + x) + y
        if half(rest).is_some_and(|sum| (!self.star && is_sum(sum)) || less(sum, top).is_some_and(is_any)) {
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
        fn extend(chain: &mut Vec<u32>, left: usize, n: u32, star: bool) -> bool {
            if left == 0 {
                return chain.last() == Some(&n);
            }
            let lowest = if star { chain.len() - 1 } else { 0 };
            for high in (lowest..chain.len()).rev() {
                for low in (0..high + 1).rev() {
                    let sum = chain[high] + chain[low];
                    if sum <= n && (left > 1 || sum == n) {
                        chain.push(sum);
                        if extend(chain, left - 1, n, star) {
                            return true;
                        }
                        chain.pop();
                    }
                }
            }
            false
        }
        let mut chain = self.a.0[..i + 1].to_vec();
        if extend(&mut chain, self.length - i, self.n, self.star) {
            self.found = Some(chain);
        }
    }
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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
