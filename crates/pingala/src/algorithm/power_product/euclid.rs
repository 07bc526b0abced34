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
    /// The (key, index) of those that are not 0, as a heap.
    heap: Vec<(u64, u32)>,
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
                self.heap.push((key(&number[..self.lengths[index]]), index as u32));
            }
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.sift_down(at);
        }
    }

    /// Divides until one number is left, and says each step; nothing if all are 0.
    pub fn reduce(&mut self, mut with: impl FnMut(Step)) {
        while let Some(&(_, from)) = self.heap.first() {
            let from = from as usize;
            let Some(second) = self.larger_child(0) else {
                let exponent = Exponent::from_limbs(self.number(from)).expect("no zero is in the heap");
                return with(Step::Last { from, exponent });
            };
            let into = self.heap[second].1 as usize;
            let quotient = self.divide(from, into);
            with(Step::Into { from, into, quotient });
            if self.lengths[from] == 0 {
                self.heap.swap_remove(0);
            } else {
                self.heap[0].0 = key(self.number(from));
            }
            self.sift_down(0);
        }
    }

    fn number(&self, index: usize) -> &[u64] {
        &self.limbs[index * self.stride..][..self.lengths[index]]
    }

    /// Whether the number at place `a` of the heap is larger than that at place `b`.
    fn is_larger(&self, a: usize, b: usize) -> bool {
        let ((key_a, a), (key_b, b)) = (self.heap[a], self.heap[b]);
        let order = key_a.cmp(&key_b).then_with(|| compare(self.number(a as usize), self.number(b as usize)));
        order == Ordering::Greater
    }

    /// The place in the heap of the larger one below `at`.
    fn larger_child(&self, at: usize) -> Option<usize> {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        if right < self.heap.len() && self.is_larger(right, left) {
            return Some(right);
        }
        (left < self.heap.len()).then_some(left)
    }

    fn sift_down(&mut self, mut at: usize) {
        while let Some(child) = self.larger_child(at).filter(|&child| self.is_larger(child, at)) {
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

/// A key that is larger only for a larger number, so that most comparisons look at no limb: the bit length, and the 48
/// bits from the top one down.
fn key(limbs: &[u64]) -> u64 {
    let length = bits(limbs);
    let limb = |index: usize| limbs.get(index).copied().unwrap_or(0);
    // The number's 64 bits from the top one down, zeros below the units.
    let (index, shift) = (limbs.len() - 1, (64 - length % 64) % 64);
    let low = if index > 0 { limb(index - 1) } else { 0 };
    let top = limb(index) << shift | low >> 1 >> (63 - shift);
    debug_assert!(length < 1 << 16);
    (length as u64) << 48 | top >> 16
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps undone give the numbers back: modulo nothing, by their weights.
    #[test]
    fn steps_keep_the_product() {
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state >> 20
        };
        for count in [1, 2, 3, 5, 40] {
            for bits in [1, 5, 17, 40] {
                let values: Vec<u64> = (0..count).map(|_| (random() & ((1 << bits) - 1)).max(1)).collect();
                let exponents: Vec<_> = values.iter().map(|&value| Exponent::from_limbs(&[value]).unwrap()).collect();
                let mut numbers = Numbers::new(count, 1);
                numbers.load(&exponents, 0..1);
                // Elements as exponents of one generator, modulo 2^64.
                let mut bases: Vec<u64> = (0..count).map(|_| random()).collect();
                let want = bases.iter().zip(&values).fold(0u64, |sum, (g, e)| sum.wrapping_add(g.wrapping_mul(*e)));
                let mut last = None;
                numbers.reduce(|step| match step {
                    Step::Into { from, into, quotient } => {
                        let quotient = quotient.map_or(1, |quotient| quotient.magnitude().limbs()[0]);
                        bases[into] = bases[into].wrapping_add(bases[from].wrapping_mul(quotient));
                    }
                    Step::Last { from, exponent } => {
                        last = Some(bases[from].wrapping_mul(exponent.magnitude().limbs()[0]));
                    }
                });
                assert_eq!(last, Some(want), "{values:?}");
            }
        }
    }

    #[test]
    fn keys_follow_the_order() {
        let mut numbers: Vec<Vec<u64>> =
            vec![vec![1], vec![2], vec![3], vec![1 << 47], vec![(1 << 48) - 1], vec![u64::MAX]];
        numbers.extend([vec![0, 1], vec![u64::MAX, 1], vec![0, 2], vec![1 << 63, 1 << 20], vec![u64::MAX, u64::MAX]]);
        numbers.extend([vec![u64::MAX; 255], vec![0; 255].into_iter().chain([1]).collect(), vec![u64::MAX; 256]]);
        for pair in numbers.windows(2).filter(|pair| compare(&pair[0], &pair[1]) == Ordering::Less) {
            assert!(key(&pair[0]) <= key(&pair[1]), "{pair:?}");
        }
        assert!(key(&[3]) > key(&[2]) && key(&[0, 2]) > key(&[u64::MAX, 1]));
    }
}
