//! The lengths of the shortest chains of all numbers up to a power of 2, together.
//!
//! For the numbers of b + 1 bits, and lengths r from b on, all chains of r steps are built that may end at a number whose length is not
//! known yet; what they reach has length r. Most of a chain is the same for many numbers, so that all take less time together than a few
//! hundred of them one by one. They are built as increasing sets of elements, each set once. With n the least number still open and `left`
//! steps left, these end a branch:
//! - elements without use: each of the steps left takes two elements and gives one, so that u elements without use need left >= u - 1. At
//!   left = u - 1 their sum is what is reached; at left = u it is their sum and one element more, or and the sum of some of them;
//! - size: a_(k+1) <= 2 a_k, and of the last steps one is no doubling: n <= 3 2^(left - 2) a_i;
//! - what has to serve: where a_i is a_j times a power of 2 by doublings, an element before a_j serves later, or one without use.
//!
//! The last and the form of the second hold because some numbers are known before they are searched for:
//! - l(p q) <= l(p) + l(q). So no chain has to end in a doubling, and doublings that nothing else serves lead to products;
//! - l(n) <= l(n - 1) + 1 and l(n) <= l(n - 2) + 1: all chains have 1 and 2.

use super::places::Places;

/// The length of a shortest chain for each number up to 2^bits, 0 for 0 and 1. For 2^16 that takes minutes.
///
/// # Panics
/// Above 2^20, which would take days.
pub fn shortest_lengths(bits: u32) -> Vec<u8> {
    assert!(bits <= 20, "the lengths of all numbers up to 2^{bits}");
    let end = 1usize << bits;
    let mut lengths = vec![0u8; end + 1];
    for bits in 0..bits {
        let (low, high) = (1usize << bits, 2usize << bits);
        lengths[low] = bits as u8;
        let products = of_products(&lengths, low, high);
        let mut all = All::new(low as u32 + 1, high as u32);
        for length in bits as u8 + 1.. {
            if all.n_open == 0 {
                break;
            }
            let open: Vec<usize> = (low + 1..high).filter(|&n| all.is_open[n - low]).collect();
            for &n in &open {
                let by_sum = [n - 1, n - 2].into_iter().any(|m| (1..length).contains(&lengths[m]));
                if products[n - low] <= length || by_sum {
                    all.reach(n as u32);
                }
            }
            if all.n_open > 0 {
                all.length = usize::from(length);
                all.grow(0, 1);
            }
            for n in open {
                lengths[n] = if all.is_open[n - low] { 0 } else { length };
            }
        }
    }
    lengths[end] = bits as u8;
    lengths
}

/// For the numbers from low to below high, the least l(p) + l(q) with p q = n.
fn of_products(lengths: &[u8], low: usize, high: usize) -> Vec<u8> {
    let mut least = vec![u8::MAX; high - low];
    for p in 2..high.div_ceil(2) {
        for q in low.div_ceil(p).max(2)..high.div_ceil(p).min(p + 1) {
            let least = &mut least[p * q - low];
            *least = (*least).min(lengths[p] + lengths[q]);
        }
    }
    least
}

struct All {
    /// Of the numbers from first - 1 on, those whose length is not known.
    is_open: Vec<bool>,
    n_open: usize,
    first: u32,
    end: u32,
    /// The least that is open.
    least: u32,
    length: usize,
    a: Places,
    next: Vec<u32>,
}

impl All {
    fn new(first: u32, end: u32) -> Self {
        let n = end - first + 1;
        let mut is_open = vec![true; n as usize];
        is_open[0] = false;
        Self {
            is_open,
            n_open: n as usize - 1,
            first,
            end,
            least: first,
            length: 0,
            a: Places::new(),
            next: Vec::new(),
        }
    }

    /// There is a chain of this length.
    #[inline]
    fn reach(&mut self, n: u32) {
        if n < self.first || n >= self.end {
            return;
        }
        let at = n - self.first + 1;
        if self.is_open[at as usize] {
            self.is_open[at as usize] = false;
            self.n_open -= 1;
            while self.least < self.end && !self.is_open[(self.least - self.first + 1) as usize] {
                self.least += 1;
            }
        }
    }

    /// All that a_0 to a_i lead to, with a set of places without use, the last among them.
    fn grow(&mut self, i: usize, unused: u32) {
        let left = self.length - i;
        let n_unused = unused.count_ones() as usize;
        if n_unused >= left {
            return self.end(i, unused, n_unused == left);
        }
        if left == 2 {
            return self.two(i);
        }
        let top = self.a.0[i];
        let mut serving = i;
        while serving > 0 && self.a.0[serving] == 2 * self.a.0[serving - 1] {
            serving -= 1;
        }
        if serving > 0 {
            serving = (serving - 1).min(unused.trailing_zeros() as usize);
            let (top, serving) = (u64::from(top), u64::from(self.a.0[serving]));
            let most = ((3 * (top + serving)) << (left - 3)).max((top << (left - 1)) + serving);
            if most < u64::from(self.least) {
                return;
            }
        }
        // How many times the next element the last one is at most.
        let most = 3u64 << (left - 3);
        let least = (u64::from(self.least).div_ceil(most) as u32).max(top + 1);
        let from = self.next.len();
        self.a.push_sums(i, (least, self.end), |_, _, _| true, &mut self.next);
        for at in from..self.next.len() {
            let next = self.next[at];
            // What is open has become less meanwhile.
            if u64::from(next) * most < u64::from(self.least) || self.n_open == 0 {
                break;
            }
            let unused = unused & !self.a.of_sum(i, next) | 1 << (i + 1);
            if unused.count_ones() as usize <= left {
                self.a.0[i + 1] = next;
                self.grow(i + 1, unused);
            }
        }
        self.a.0[i + 1] = 0;
        self.next.truncate(from);
    }

    /// As many steps as it takes to add what has no use, or one more.
    fn end(&mut self, i: usize, unused: u32, has_one_more: bool) {
        let parts: Vec<u32> = self.a.at(unused).collect();
        let sum: u32 = parts.iter().sum();
        if !has_one_more {
            return self.reach(sum);
        }
        for place in 0..i + 1 {
            self.reach(sum + self.a.0[place]);
        }
        if 2 * sum >= self.least {
            for set in 1..1u32 << parts.len() {
                let twice = parts.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1).map(|(_, part)| part);
                self.reach(sum + twice.sum::<u32>());
            }
        }
    }

    /// a_i + x + y and 2 (a_i + x).
    fn two(&mut self, i: usize) {
        let top = self.a.0[i];
        for high in (0..i + 1).rev() {
            let with_high = top + self.a.0[high];
            if with_high + self.a.0[high] < self.least {
                break;
            }
            for low in (0..high + 1).rev() {
                let sum = with_high + self.a.0[low];
                if sum < self.least {
                    break;
                }
                self.reach(sum);
            }
        }
        for other in (0..i + 1).rev() {
            let sum = 2 * (top + self.a.0[other]);
            if sum < self.least {
                break;
            }
            self.reach(sum);
        }
    }
}
