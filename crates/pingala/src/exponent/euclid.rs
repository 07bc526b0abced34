//! The digits of an exponent that divide one another, as Euclid has it: \[derooij1994efficient\].

use super::Exponent;
use crate::natural::Natural;
use core::cmp::Ordering;

/// One step of [`Euclid`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EuclidStep {
    /// The largest digit was divided by the second largest; it keeps the remainder.
    Divide {
        /// Which digit is the largest.
        larger: usize,
        /// Which is the second largest, above 0.
        smaller: usize,
        /// floor(largest / second largest).
        quotient: Exponent,
    },
    /// One digit is left that is not 0.
    Last {
        /// Which.
        at: usize,
        /// Its value.
        value: Exponent,
    },
}

/// Divides the largest of an exponent's digits by the second largest until one is left. With x_i the digits before a step:
/// sum of x_i b_i stays the same if b_smaller grows by quotient * b_larger, so that in the end value * b_at is the exponent.
#[derive(Clone, Debug)]
pub struct Euclid {
    /// Limbs of each digit.
    width: usize,
    /// The digits, least significant limb first, one after the other.
    digits: Vec<u64>,
    /// The indices of the digits as a heap: each at least as large as those at twice its place plus 1 and 2.
    heap: Vec<u32>,
    done: bool,
}

impl Euclid {
    /// Of digits of `digit_bits` bits, at least 1; digit i has the bits from i * `digit_bits` on.
    pub fn new(exponent: &Exponent, digit_bits: usize) -> Self {
        let count = exponent.bits().div_ceil(digit_bits);
        // A digit is never longer than the exponent.
        let width = digit_bits.min(exponent.bits()).div_ceil(64);
        let mut digits = vec![0; count * width];
        for (index, digit) in digits.chunks_mut(width).enumerate() {
            let start = index * digit_bits;
            for (at, limb) in digit.iter_mut().enumerate() {
                let bits = (digit_bits - 64 * at).min(64);
                *limb = limb_at(exponent.magnitude().limbs(), start + 64 * at) & (u64::MAX >> (64 - bits));
            }
        }
        let mut euclid = Self { width, digits, heap: (0..count as u32).collect(), done: false };
        for place in (0..count / 2).rev() {
            euclid.sift(place);
        }
        euclid
    }

    fn digit(&self, index: u32) -> &[u64] {
        &self.digits[index as usize * self.width..][..self.width]
    }

    fn order(&self, a: u32, b: u32) -> Ordering {
        order(self.digit(a), self.digit(b))
    }

    /// Moves the index at `place` down to where it belongs.
    fn sift(&mut self, mut place: usize) {
        let moving = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.order(self.heap[child + 1], self.heap[child]).is_gt() {
                child += 1;
            }
            if self.order(self.heap[child], moving).is_le() {
                break;
            }
            self.heap[place] = self.heap[child];
            place = child;
        }
        self.heap[place] = moving;
    }

    /// The index of the second largest digit, if it is not 0.
    fn second(&self) -> Option<u32> {
        let (&left, right) = (self.heap.get(1)?, self.heap.get(2));
        let second = right.copied().filter(|&right| self.order(right, left).is_gt()).unwrap_or(left);
        self.digit(second).iter().any(|&limb| limb != 0).then_some(second)
    }
}

impl Iterator for Euclid {
    type Item = EuclidStep;

    fn next(&mut self) -> Option<EuclidStep> {
        if self.done {
            return None;
        }
        let largest = self.heap[0];
        let Some(second) = self.second() else {
            self.done = true;
            let value = Exponent { magnitude: Natural::from_limbs(self.digit(largest)) };
            return Some(EuclidStep::Last { at: largest as usize, value });
        };
        let (larger, smaller) = (largest as usize, second as usize);
        let width = self.width;
        // The larger's limbs and the smaller's, whichever comes first.
        let (low, high) = self.digits.split_at_mut(larger.max(smaller) * width);
        let (low, high) = (&mut low[larger.min(smaller) * width..][..width], &mut high[..width]);
        let (dividend, divisor) = if larger > smaller { (high, low) } else { (low, high) };
        let quotient = Exponent { magnitude: divide(dividend, divisor) };
        self.sift(0);
        Some(EuclidStep::Divide { larger, smaller, quotient })
    }
}

/// The 64 bits from bit `position` on.
fn limb_at(limbs: &[u64], position: usize) -> u64 {
    let limb = |index: usize| limbs.get(index).copied().unwrap_or(0);
    let (index, shift) = (position / 64, position % 64);
    limb(index) >> shift | (limb(index + 1) << 1) << (63 - shift)
}

fn order(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

fn bits(digit: &[u64]) -> usize {
    digit.iter().rposition(|&limb| limb != 0).map_or(0, |top| 64 * top + 1 + digit[top].ilog2() as usize)
}

fn subtract(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, borrow) = a.borrowing_sub(*b, borrow);
    }
}

/// floor(dividend / divisor); the dividend becomes the remainder. The divisor is not 0, and not above the dividend.
///
/// Bit by bit from the top: quotients have two bits on average.
fn divide(dividend: &mut [u64], divisor: &mut [u64]) -> Natural {
    if let ([dividend], [divisor]) = (&mut *dividend, &*divisor) {
        let quotient = *dividend / *divisor;
        *dividend %= *divisor;
        return Natural::from(quotient);
    }
    let shift = bits(dividend) - bits(divisor);
    let mut quotient = vec![0; shift / 64 + 1];
    let mut shifted: Vec<u64> = vec![0; dividend.len()];
    for (index, limb) in shifted.iter_mut().enumerate().skip(shift / 64) {
        let (high, low) = (divisor[index - shift / 64], index.checked_sub(shift / 64 + 1).map_or(0, |at| divisor[at]));
        *limb = high << (shift % 64) | (low >> 1) >> (63 - shift % 64);
    }
    for bit in (0..=shift).rev() {
        if order(dividend, &shifted).is_ge() {
            subtract(dividend, &shifted);
            quotient[bit / 64] |= 1 << (bit % 64);
        }
        let mut above = 0;
        for limb in shifted.iter_mut().rev() {
            (*limb, above) = (*limb >> 1 | above << 63, *limb & 1);
        }
    }
    Natural::from_limbs(&quotient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn number(value: &Exponent) -> BigUint {
        BigUint::from_bytes_le(&value.magnitude().to_le_bytes())
    }

    /// The steps keep the sum, whatever the digits: b_i starts as 2^(i digit_bits).
    #[test]
    fn the_steps_lead_to_the_exponent() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for bits in [1usize, 2, 63, 64, 65, 200, 513, 1000] {
            for digit_bits in [1, 5, 31, 63, 64, 65, 100, 128, 300, 2000] {
                for round in 0..6 {
                    let mut limbs: Vec<u64> = (0..bits / 64 + 1).map(|_| next()).collect();
                    if round == 0 {
                        limbs.fill(u64::MAX);
                    } else if round == 1 {
                        limbs.fill(0);
                    }
                    let low = Natural::from_limbs(&limbs).low_bits(bits as u64 - 1);
                    let mut limbs = low.limbs().to_vec();
                    limbs.resize(bits.div_ceil(64), 0);
                    limbs[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
                    let exponent = Exponent::new(Natural::from_limbs(&limbs)).unwrap();
                    let digits = bits.div_ceil(digit_bits);
                    let mut parts: Vec<BigUint> = (0..digits).map(|i| BigUint::from(1u8) << (i * digit_bits)).collect();
                    let mut result = None;
                    for step in Euclid::new(&exponent, digit_bits) {
                        assert_eq!(result, None);
                        match step {
                            EuclidStep::Divide { larger, smaller, quotient } => {
                                let more = &parts[larger] * number(&quotient);
                                parts[smaller] += more;
                            }
                            EuclidStep::Last { at, value } => result = Some(&parts[at] * number(&value)),
                        }
                    }
                    assert_eq!(result, Some(number(&exponent)), "{bits} bits in digits of {digit_bits}");
                }
            }
        }
    }
}
