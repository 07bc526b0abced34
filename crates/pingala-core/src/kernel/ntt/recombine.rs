//! From residues modulo the three primes to the digits of the number (Chinese remainders, then carries).
//!
//! With P = p_0 p_1 p_2, P_i = P / p_i and t_i = x_i / P_i mod p_i, a coefficient is X = sum of t_i P_i - k P for one integer k. Where
//! |X| <= 0.47 P, k = floor(sum of t_i / p_i + 1/2). Each t_i < 2p_i, and t_i / p_i - t_i / 2^48 < 2 (2^48 - p_i) / p_i < 2^-15, so k =
//! floor((sum of t_i + 2^47) / 2^48) as well: 3 2^-15 < 0.03.
//!
//! Of a product of L digits, modulo x^L - 1 and x^L + 1, the mean is the lower half: a number modulo 2^(DL).

#![allow(unsafe_code)]

use super::field::Field;
use super::length::largest_digit;
use super::primes::PrimeSet;

/// Residues to recombine, and the digits that they become.
pub(super) struct Recombination {
    pub(super) set: &'static PrimeSet,
    pub(super) weights: [[u64; 2]; 3],
    /// L reduced residues modulo each prime.
    pub(super) residues: [*const u64; 3],
    /// Those modulo x^L + 1, for a mean.
    pub(super) others: Option<[*const u64; 3]>,
    pub(super) out: *mut u64,
    pub(super) digits: usize,
    pub(super) digit_bits: u32,
}

impl Recombination {
    /// Residues of a vector times their weights, from `at` on.
    ///
    /// # Safety
    /// The residues have a vector there.
    #[inline(always)]
    pub(super) unsafe fn weighted<F: Field>(
        &self,
        field: F,
        modulus: &F::Modulus,
        i: usize,
        at: usize,
        weight: [F::Vector; 2],
    ) -> F::Vector {
        // SAFETY: the caller's promise.
        unsafe {
            let mut x = field.load(self.residues[i].add(at));
            if let Some(others) = self.others {
                x = field.add(x, field.load(others[i].add(at)));
            }
            field.times(modulus, x, weight)
        }
    }

    /// The weight of each prime in all lanes.
    #[inline(always)]
    pub(super) fn weights<F: Field>(&self, field: F) -> [[F::Vector; 2]; 3] {
        let mut weights = [[field.zero(); 2]; 3];
        for (to, words) in weights.iter_mut().zip(&self.weights) {
            // SAFETY: the words are there.
            unsafe { *to = [field.broadcast(&raw const words[0]), field.broadcast(&raw const words[1])] };
        }
        weights
    }

    /// Writes the digits, one after the other; the carry that leaves them.
    ///
    /// A carry is below 2^(143 - D + 1) in absolute value; X fits 144 bits.
    ///
    /// # Safety
    /// All residues may be read, all digits written.
    #[inline(always)]
    pub(super) unsafe fn by_words<F: Field>(&self, field: F) -> i128 {
        let PrimeSet { primes: [p0, p1, p2], cofactors, multiples } = self.set;
        let moduli = [field.modulus(p0), field.modulus(p1), field.modulus(p2)];
        let weights = self.weights(field);
        let mut carry = 0i128;
        for at in (0..self.digits).step_by(F::WIDTH) {
            let mut t = [[0u64; 8]; 3];
            for i in 0..3 {
                // SAFETY: the caller's promise; a vector has at most 8 words.
                unsafe {
                    let weighted = self.weighted(field, &moduli[i], i, at, weights[i]);
                    field.store_integers(&moduli[i], t[i].as_mut_ptr(), weighted);
                }
            }
            for lane in 0..F::WIDTH {
                let t = [t[0][lane], t[1][lane], t[2][lane]];
                let k = ((t[0] + t[1] + t[2] + (1 << 47)) >> 48) as usize & 7;
                let (mut low, mut high) = (0u128, 0u128);
                for i in 0..3 {
                    low += u128::from(t[i]) * u128::from(cofactors[i][0]);
                    high += u128::from(t[i]) * u128::from(cofactors[i][1]);
                }
                let [k0, k1, k2] = multiples[k];
                let (bottom, borrow) = (low as u64).overflowing_sub(k0);
                let high =
                    (high + (low >> 64)).cast_signed() - (i128::from(k1) | i128::from(k2) << 64) - i128::from(borrow);
                // X = bottom + 2^64 high, and the carry.
                let sum = u128::from(bottom) + u128::from(carry as u64);
                let high = high + (carry >> 64) + (sum >> 64) as i128;
                let bottom = sum as u64;
                // SAFETY: the caller's promise.
                unsafe { self.out.add(at + lane).write(bottom & largest_digit(self.digit_bits)) };
                carry = if self.digit_bits == 64 {
                    high
                } else {
                    high << (64 - self.digit_bits) | i128::from(bottom >> self.digit_bits)
                };
            }
        }
        carry
    }
}
