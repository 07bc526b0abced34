//! The largest exponent divided by the second largest, over and over: the integer side of the method of Bos and Coster.

use crate::exponent::Exponent;
use core::cmp::Ordering;
use core::ops::Range;

/// What the bases have to do.
#[derive(Debug)]
pub(super) enum Step {
    /// The base of index `into` takes in that of `from`, raised to `quotient`; `None` stands for 1.
    Into { from: usize, into: usize, quotient: Option<Exponent> },
    /// All other exponents are 0 now: the product is the base of index `from` raised to `exponent`.
    Last { from: usize, exponent: Exponent },
}

/// Natural numbers of at most `stride` limbs, the largest first.
#[derive(Debug)]
pub(super) struct Numbers {
    limbs: Vec<u64>,
    stride: usize,
    /// Limbs of each number without leading zeros.
    lengths: Vec<usize>,
    /// The indices of those that are not 0, as a heap.
    heap: Vec<usize>,
    /// A shifted divisor, and a quotient.
    shifted: Vec<u64>,
    quotient: Vec<u64>,
}

impl Numbers {
    /// For `count` numbers of up to `stride` limbs.
    pub fn new(count: usize, stride: usize) -> Self {
        Self {
            limbs: vec![0; count * stride],
            stride,
            lengths: vec![0; count],
            heap: Vec::with_capacity(count),
            shifted: Vec::with_capacity(stride),
            quotient: Vec::with_capacity(stride),
        }
    }

    /// Takes these limbs of each exponent.
    pub fn load(&mut self, exponents: &[Exponent], range: Range<usize>) {
        self.heap.clear();
        for (index, (exponent, number)) in exponents.iter().zip(self.limbs.chunks_mut(self.stride)).enumerate() {
            let all = exponent.magnitude().limbs();
            let limbs = &all[range.start.min(all.len())..range.end.min(all.len())];
            number[..limbs.len()].copy_from_slice(limbs);
            self.lengths[index] = significant(limbs);
            if self.lengths[index] > 0 {
                self.heap.push(index);
            }
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.sift_down(at);
        }
    }

    /// Divides until one number is left, and says each step; nothing if all are 0.
    pub fn reduce(&mut self, mut with: impl FnMut(Step)) {
        while let Some(&from) = self.heap.first() {
            let Some(second) = self.larger_child(0) else {
                let exponent = Exponent::from_limbs(self.number(from)).expect("no zero is in the heap");
                return with(Step::Last { from, exponent });
            };
            let into = self.heap[second];
            let quotient = self.divide(from, into);
            with(Step::Into { from, into, quotient });
            if self.lengths[from] == 0 {
                self.heap.swap_remove(0);
            }
            self.sift_down(0);
        }
    }

    fn number(&self, index: usize) -> &[u64] {
        &self.limbs[index * self.stride..][..self.lengths[index]]
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        compare(self.number(a), self.number(b))
    }

    /// The place in the heap of the larger one below `at`.
    fn larger_child(&self, at: usize) -> Option<usize> {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        if right < self.heap.len() && self.compare(self.heap[right], self.heap[left]) == Ordering::Greater {
            return Some(right);
        }
        (left < self.heap.len()).then_some(left)
    }

    fn sift_down(&mut self, mut at: usize) {
        while let Some(child) = self.larger_child(at) {
            if self.compare(self.heap[at], self.heap[child]) != Ordering::Less {
                break;
            }
            self.heap.swap(at, child);
            at = child;
        }
    }

    /// a <- a mod b for a >= b > 0, and the quotient, `None` for 1.
    ///
    /// The quotient is nearly always short, so it is found bit by bit.
    fn divide(&mut self, a: usize, b: usize) -> Option<Exponent> {
        let shift = bits(self.number(a)) - bits(self.number(b));
        let divisor = b * self.stride..b * self.stride + self.lengths[b];
        if shift == 0 {
            // Equally long: a < 2b.
            self.shifted.clear();
            self.shifted.extend_from_slice(&self.limbs[divisor]);
            self.subtract_shifted(a);
            return None;
        }
        shift_left(&self.limbs[divisor], shift, &mut self.shifted);
        self.quotient.clear();
        self.quotient.resize(shift / 64 + 1, 0);
        for bit in (0..=shift).rev() {
            if compare(self.number(a), &self.shifted[..significant(&self.shifted)]) != Ordering::Less {
                self.subtract_shifted(a);
                self.quotient[bit / 64] |= 1 << (bit % 64);
            }
            halve(&mut self.shifted);
        }
        Exponent::from_limbs(&self.quotient).filter(|quotient| quotient.bits() > 1)
    }

    /// a <- a - shifted, which is not larger.
    fn subtract_shifted(&mut self, a: usize) {
        let number = &mut self.limbs[a * self.stride..][..self.lengths[a]];
        let mut borrow = false;
        for (index, limb) in number.iter_mut().enumerate() {
            let (difference, first) = limb.overflowing_sub(self.shifted.get(index).copied().unwrap_or(0));
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (difference, first || second);
        }
        debug_assert!(!borrow);
        self.lengths[a] = significant(number);
    }
}

fn significant(limbs: &[u64]) -> usize {
    limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1)
}

fn bits(limbs: &[u64]) -> usize {
    limbs.last().map_or(0, |top| 64 * limbs.len() - top.leading_zeros() as usize)
}

/// Of numbers without leading zeros.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn shift_left(limbs: &[u64], shift: usize, out: &mut Vec<u64>) {
    out.clear();
    out.resize(shift / 64, 0);
    let mut carry = 0;
    for &limb in limbs {
        out.push(limb << (shift % 64) | carry);
        // Two shifts, because one by 64 - 0 would be too far.
        carry = limb >> 1 >> (63 - shift % 64);
    }
    out.push(carry);
}

fn halve(limbs: &mut [u64]) {
    let mut carry = 0;
    for limb in limbs.iter_mut().rev() {
        let low = *limb << 63;
        *limb = *limb >> 1 | carry;
        carry = low;
    }
}
