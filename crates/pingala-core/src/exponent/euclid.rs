//! Repeated division of the largest of several numbers by the second largest, as in Euclid's algorithm: the integer side of the
//! methods of Bos and Coster (several exponents) and of de Rooij (the digits of one).

use super::{Exponent, limb_at};
use crate::natural::linear::bits;
use crate::natural::{Natural, chores, compare, significant};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// What the bases have to do, for the product over all g_i^(x_i) to stay the same.
#[derive(Debug)]
pub(crate) enum EuclidStep {
    /// The base of index `into` takes in that of `from`, raised to `quotient`; `None` stands for 1.
    Into { from: usize, into: usize, quotient: Option<Exponent> },
    /// All other exponents are 0 now: the product is the base of index `from` raised to `exponent`.
    Last { from: usize, exponent: Exponent },
}

/// Natural numbers of at most `stride` limbs, the largest first.
#[derive(Debug)]
pub struct Euclid {
    limbs: Vec<u64>,
    stride: usize,
    /// Limbs of each number without leading zeros.
    lengths: Vec<usize>,
    /// The (key, index) of those that are not 0, as a heap.
    heap: Vec<(u64, u32)>,
}

impl Euclid {
    /// For `count` numbers of up to `stride` limbs.
    pub fn new(count: usize, stride: usize) -> Self {
        Self { limbs: vec![0; count * stride], stride, lengths: vec![0; count], heap: Vec::with_capacity(count) }
    }

    /// The digits of an exponent, of `digit_bits` bits, at least 1; digit i has the bits from i * `digit_bits` on.
    pub fn of_digits(exponent: &Exponent, digit_bits: usize) -> Self {
        // A digit is never longer than the exponent.
        let stride = digit_bits.min(exponent.bits()).div_ceil(64);
        let mut digits = Self::new(exponent.bits().div_ceil(digit_bits), stride);
        for (index, digit) in digits.limbs.chunks_mut(stride).enumerate() {
            for (at, limb) in digit.iter_mut().enumerate() {
                let bits = (digit_bits - 64 * at).min(64);
                *limb = limb_at(exponent.magnitude().limbs(), index * digit_bits + 64 * at) & u64::MAX >> (64 - bits);
            }
        }
        digits.order();
        digits
    }

    /// For these numbers.
    pub fn of_words(numbers: &[u64]) -> Self {
        let mut all = Self::new(numbers.len(), 1);
        all.limbs.copy_from_slice(numbers);
        all.order();
        all
    }

    /// Takes these limbs of each exponent.
    pub fn load(&mut self, exponents: &[Exponent], range: Range<usize>) {
        for (exponent, number) in exponents.iter().zip(self.limbs.chunks_mut(self.stride)) {
            let all = exponent.magnitude().limbs();
            let limbs = &all[range.start.min(all.len())..range.end.min(all.len())];
            number[..limbs.len()].copy_from_slice(limbs);
            number[limbs.len()..].fill(0);
        }
        self.order();
    }

    /// Makes the heap of the numbers that are not 0.
    fn order(&mut self) {
        self.heap.clear();
        for (index, number) in self.limbs.chunks(self.stride).enumerate() {
            self.lengths[index] = significant(number).len();
            if self.lengths[index] > 0 {
                self.heap.push((key(&number[..self.lengths[index]]), index as u32));
            }
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.sift_down(at);
        }
    }

    /// Divides until one number is left, and says each step; nothing if all are 0.
    pub(crate) fn reduce(&mut self, mut with: impl FnMut(EuclidStep)) {
        while let Some(&(_, from)) = self.heap.first() {
            let from = from as usize;
            let Some(second) = self.larger_child(0) else {
                let exponent = Exponent::from_limbs(self.number(from)).expect("no zero is in the heap");
                return with(EuclidStep::Last { from, exponent });
            };
            let into = self.heap[second].1 as usize;
            let quotient = self.divide(from, into);
            with(EuclidStep::Into { from, into, quotient });
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

    /// Whether `a` of the heap is larger than `b`.
    fn is_larger(&self, (key_a, a): (u64, u32), (key_b, b): (u64, u32)) -> bool {
        key_a > key_b || key_a == key_b && compare(self.number(a as usize), self.number(b as usize)).is_gt()
    }

    /// The place in the heap of the larger one below `at`.
    fn larger_child(&self, at: usize) -> Option<usize> {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let Some(&item) = self.heap.get(right) else { return (left < self.heap.len()).then_some(left) };
        // Which of two keys is larger cannot be foreseen: no branch on it. They are seldom equal.
        let other = self.heap[left];
        let larger = if item.0 == other.0 { self.is_larger(item, other) } else { item.0 > other.0 };
        Some(left + usize::from(larger))
    }

    fn sift_down(&mut self, mut at: usize) {
        let Some(&item) = self.heap.get(at) else { return };
        while let Some(child) = self.larger_child(at).filter(|&child| self.is_larger(self.heap[child], item)) {
            self.heap[at] = self.heap[child];
            at = child;
        }
        self.heap[at] = item;
    }

    /// a <- a mod b for a >= b > 0, and the quotient, `None` for 1.
    fn divide(&mut self, a: usize, b: usize) -> Option<Exponent> {
        let (dividend, divisor) = (self.number(a), self.number(b));
        let more_bits = bits(dividend) - bits(divisor);
        let quotient = if dividend.len() == 1 {
            let (quotient, rest) = (dividend[0] / divisor[0], dividend[0] % divisor[0]);
            self.limbs[a * self.stride] = rest;
            self.lengths[a] = usize::from(rest > 0);
            quotient
        } else if more_bits < SHORT_QUOTIENT_BITS {
            self.divide_short(a, b, more_bits)
        } else {
            let (quotient, rest) = chores::div_rem(&Natural::from_limbs(dividend), &Natural::from_limbs(divisor));
            self.lengths[a] = rest.limbs().len();
            self.limbs[a * self.stride..][..rest.limbs().len()].copy_from_slice(rest.limbs());
            return Exponent::new(quotient);
        };
        Exponent::from_limbs(&[quotient]).filter(|quotient| quotient.bits() > 1)
    }

    /// Divides if the dividend has at least two limbs and the quotient is short, as it nearly always is.
    ///
    /// With t the top 64 bits of the dividend, and u those bits of the divisor that stand below them, u >= 2^(64 - s) for
    /// s = [`SHORT_QUOTIENT_BITS`]: t/(u + 1) is never above the quotient, and less than 3 below it.
    fn divide_short(&mut self, a: usize, b: usize, more_bits: usize) -> u64 {
        if more_bits == 0 {
            // Equally long: a < 2b.
            self.subtract(a, b, 1);
            return 1;
        }
        let below = bits(self.number(a)) - 64;
        let (top, divisor) = (limb_at(self.number(a), below), limb_at(self.number(b), below));
        let mut quotient = divisor.checked_add(1).map_or(0, |above| top / above);
        if quotient > 0 {
            self.subtract(a, b, quotient);
        }
        while compare(self.number(a), self.number(b)).is_ge() {
            self.subtract(a, b, 1);
            quotient += 1;
        }
        quotient
    }

    /// a <- a - factor b, which is not larger.
    fn subtract(&mut self, a: usize, b: usize, factor: u64) {
        let (a_limbs, b_limbs) = (a * self.stride..a * self.stride + self.lengths[a], self.lengths[b]);
        let b_limbs = b * self.stride..b * self.stride + b_limbs;
        let numbers = self.limbs.get_disjoint_mut([a_limbs, b_limbs]).expect("they are two numbers");
        let [number, other] = numbers;
        let (low, high) = number.split_at_mut(other.len());
        let mut carry = 0;
        for (limb, &other) in low.iter_mut().zip(&*other) {
            let product = u128::from(factor) * u128::from(other) + u128::from(carry);
            let (difference, borrow) = limb.overflowing_sub(product as u64);
            *limb = difference;
            // At most the factor: factor (2^64 - 1) + factor is factor 2^64, whose low limb borrows nothing.
            carry = (product >> 64) as u64 + u64::from(borrow);
        }
        for limb in high {
            let (difference, borrow) = limb.overflowing_sub(carry);
            (*limb, carry) = (difference, u64::from(borrow));
        }
        debug_assert_eq!(carry, 0);
        self.lengths[a] = significant(number).len();
    }
}

/// Quotients of fewer bits are guessed from the top of both numbers.
const SHORT_QUOTIENT_BITS: usize = 32;

/// A key that is larger only for a larger number, so that most comparisons look at no limb: the bit length, and the
/// [`TOP_BITS`] bits from the top one down.
fn key(limbs: &[u64]) -> u64 {
    let length = bits(limbs);
    let limb = |index: usize| limbs.get(index).copied().unwrap_or(0);
    // The number's 64 bits from the top one down, zeros below the units.
    let (index, shift) = (limbs.len() - 1, (64 - length % 64) % 64);
    let low = if index > 0 { limb(index - 1) } else { 0 };
    let top = limb(index) << shift | low >> 1 >> (63 - shift);
    debug_assert!(length < 1 << (64 - TOP_BITS));
    (length as u64) << TOP_BITS | top >> (64 - TOP_BITS)
}

/// Bits of a number in its key; the rest holds lengths of up to 2^27 bits, more than any exponent has.
const TOP_BITS: u32 = 36;

#[cfg(test)]
#[path = "../../tests/inside/exponent/euclid.rs"]
mod tests;
