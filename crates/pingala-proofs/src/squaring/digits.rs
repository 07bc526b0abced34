//! The digits of floor(2^n / l) in the base 2^k, without the number itself: each from a residue modulo l.

use dashu_int::UBig;

const LIMBS: usize = 4;
type Limbs = [u64; LIMBS];

/// Arithmetic modulo a prime l of 256 bits, its highest bit set.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    prime: UBig,
    limbs: Limbs,
    /// -l^-1 mod 2^64.
    negative_inverse: u64,
}

fn limbs(value: &UBig) -> Limbs {
    let mut out = [0; LIMBS];
    for (limb, bytes) in out.iter_mut().zip(value.to_le_bytes().chunks(8)) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        *limb = u64::from_le_bytes(word);
    }
    out
}

fn number(limbs: &Limbs) -> UBig {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

impl Challenge {
    pub(crate) fn new(prime: UBig) -> Self {
        let limbs = limbs(&prime);
        // Newton's iteration doubles the bits that are right, from 3 on.
        let inverse =
            (0..5).fold(limbs[0], |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(limbs[0].wrapping_mul(inverse))));
        Self { prime, limbs, negative_inverse: inverse.wrapping_neg() }
    }

    pub(crate) fn prime(&self) -> &UBig {
        &self.prime
    }

    /// 2^n mod l.
    pub(crate) fn power_of_two(&self, n: u64) -> UBig {
        let mut power = UBig::ONE;
        for bit in (0..u64::BITS - n.leading_zeros()).rev() {
            power = &power * &power % &self.prime;
            if n >> bit & 1 == 1 {
                power = (power << 1) % &self.prime;
            }
        }
        power
    }

    /// a b / 2^256 mod l.
    fn mont_mul(&self, a: &Limbs, b: &Limbs) -> Limbs {
        let mut sum = [0u64; LIMBS + 2];
        for &limb in a {
            let mut carry = 0u128;
            for i in 0..LIMBS {
                carry += u128::from(sum[i]) + u128::from(limb) * u128::from(b[i]);
                sum[i] = carry as u64;
                carry >>= 64;
            }
            carry += u128::from(sum[LIMBS]);
            (sum[LIMBS], sum[LIMBS + 1]) = (carry as u64, (carry >> 64) as u64);
            let factor = sum[0].wrapping_mul(self.negative_inverse);
            let mut carry = (u128::from(sum[0]) + u128::from(factor) * u128::from(self.limbs[0])) >> 64;
            for i in 1..LIMBS {
                carry += u128::from(sum[i]) + u128::from(factor) * u128::from(self.limbs[i]);
                sum[i - 1] = carry as u64;
                carry >>= 64;
            }
            carry += u128::from(sum[LIMBS]);
            sum[LIMBS - 1] = carry as u64;
            sum[LIMBS] = sum[LIMBS + 1] + (carry >> 64) as u64;
        }
        let (difference, borrow) = minus([sum[0], sum[1], sum[2], sum[3]], &self.limbs);
        if sum[LIMBS] > 0 || !borrow { difference } else { [sum[0], sum[1], sum[2], sum[3]] }
    }

    /// floor(2^k r / l), for r below l and k of at most 32.
    fn digit(&self, r: &Limbs, k: u32) -> u64 {
        // Bounds from the highest limbs; they differ once in about 2^62 / 2^k.
        let (top, of_prime) = (u128::from(r[LIMBS - 1]), u128::from(self.limbs[LIMBS - 1]));
        let least = (top << k) / (of_prime + 1);
        let most = ((top + 1) << k) / of_prime;
        if least == most {
            return least as u64;
        }
        let digit = (number(r) << k as usize) / &self.prime;
        digit.try_into().unwrap_or(u64::MAX)
    }
}

/// a - b, and whether that is below 0.
fn minus(a: Limbs, b: &Limbs) -> (Limbs, bool) {
    let (mut out, mut borrow) = ([0; LIMBS], false);
    for i in 0..LIMBS {
        let (difference, first) = a[i].overflowing_sub(b[i]);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (out[i], borrow) = (difference, first || second);
    }
    (out, borrow)
}

/// The digits of floor(2^n / l) in the base 2^k at the places `first`, `first` - `stride`, ...: each after the other.
#[derive(Debug)]
pub(crate) struct Digits<'c> {
    challenge: &'c Challenge,
    k: u32,
    residue: Limbs,
    /// 2^(k stride + 256) mod l.
    step: Limbs,
}

impl<'c> Digits<'c> {
    /// Requires n >= k (first + 1), and k of at most 32.
    pub(crate) fn new(challenge: &'c Challenge, n: u64, k: u32, first: u64, stride: u64) -> Self {
        let residue = challenge.power_of_two(n - u64::from(k) * (first + 1));
        let step = (challenge.power_of_two(u64::from(k) * stride) << 256) % &challenge.prime;
        Self { challenge, k, residue: limbs(&residue), step: limbs(&step) }
    }

    /// The digit at this place; then goes to the place `stride` below it.
    pub(crate) fn next(&mut self) -> u64 {
        let digit = self.challenge.digit(&self.residue, self.k);
        self.residue = self.challenge.mont_mul(&self.residue, &self.step);
        digit
    }
}

#[cfg(test)]
#[path = "../../tests/inside/digits.rs"]
mod tests;
