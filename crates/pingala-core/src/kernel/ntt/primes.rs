//! The primes of the transforms, three for each length, and plain arithmetic modulo one of them for set-ups.
//!
//! Lemmas: Transforms.primes_near, Transforms.prime_mul, Transforms.prime_quotient (proofs/README.md).

/// Bits of each prime.
pub(super) const PRIME_BITS: u32 = 48;
/// Three primes that transforms are computed modulo.
#[derive(Debug)]
pub(super) struct PrimeSet {
    /// The primes.
    pub(super) primes: [Prime; 3],
    /// P_i in limbs of 64 bits, for the product P of the primes and P_i = P / p_i.
    pub(super) cofactors: [[u64; 2]; 3],
    /// k P in limbs of 64 bits, for k < 8.
    pub(super) multiples: [[u64; 3]; 8],
}

/// The largest three primes below 2^48 that have roots of unity of order 45 2^21, and those that have roots of order 7 2^21. (Those of
/// 315 2^21 are too far below 2^48 for digits of 64 bits to be reduced in one step.)
pub(super) static PRIME_SETS: [PrimeSet; 2] = [
    PrimeSet::new(45 << 21, [(0xffff_d200_0001, 14), (0xffff_b5e0_0001, 11), (0xffff_5be0_0001, 11)]),
    PrimeSet::new(7 << 21, [(0xffff_fe20_0001, 3), (0xffff_eca0_0001, 5), (0xffff_cc40_0001, 3)]),
];

impl PrimeSet {
    /// Those of the transforms of a length with this odd factor.
    #[inline(never)]
    pub(super) fn of_odd(odd: usize) -> &'static Self {
        &PRIME_SETS[usize::from(odd == 7)]
    }

    /// From primes with their generators.
    const fn new(order: u64, given: [(u64, u64); 3]) -> Self {
        let [(p0, g0), (p1, g1), (p2, g2)] = given;
        let primes = [Prime::new(p0, g0, order), Prime::new(p1, g1, order), Prime::new(p2, g2, order)];
        let cofactors = [product(p1, p2), product(p2, p0), product(p0, p1)];
        let mut multiples = [[0; 3]; 8];
        let mut k = 0;
        while k < 8 {
            let factor = p0 * k as u64;
            let low = cofactors[0][0] as u128 * factor as u128;
            let high = cofactors[0][1] as u128 * factor as u128 + (low >> 64);
            multiples[k] = [low as u64, high as u64, (high >> 64) as u64];
            k += 1;
        }
        Self { primes, cofactors, multiples }
    }
}

const fn product(a: u64, b: u64) -> [u64; 2] {
    let product = a as u128 * b as u128;
    [product as u64, (product >> 64) as u64]
}

/// One of the primes, with the constants of plain arithmetic modulo it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prime {
    /// The prime p.
    pub(super) p: u64,
    /// floor(2^96 / p) - 2^48.
    reciprocal: u64,
    /// floor(2^111 / p).
    long_reciprocal: u64,
    /// Of the group.
    generator: u64,
    /// The order of the roots of unity that it serves.
    pub(super) order: u64,
}

impl Prime {
    const fn new(p: u64, generator: u64, order: u64) -> Self {
        let reciprocal = ((1 << 96) / p as u128 - (1 << 48)) as u64;
        Self { p, reciprocal, long_reciprocal: ((1 << 111) / p as u128) as u64, generator, order }
    }

    /// a b mod p, for a and b below p.
    ///
    /// For x = a b, q = floor(floor(x / 2^48) floor(2^96 / p) / 2^48) is at most x / p and more than x / p - 3.
    #[inline]
    pub(super) fn mul(&self, a: u64, b: u64) -> u64 {
        let x = u128::from(a) * u128::from(b);
        let high = (x >> 48) as u64;
        let q = high + ((u128::from(high) * u128::from(self.reciprocal)) >> 48) as u64;
        let mut rest = (x as u64).wrapping_sub(q.wrapping_mul(self.p));
        // No branch: a processor could not foresee it.
        for _ in 0..2 {
            rest -= if rest >= self.p { self.p } else { 0 };
        }
        rest
    }

    /// floor(a 2^bits / p), for a below p and bits from 48 to 64.
    ///
    /// q = floor(a floor(2^111 / p) / 2^(111 - bits)) is at most a 2^bits / p and more than a 2^bits / p - 3: a / 2^(111 - bits) is below 2.
    #[inline]
    pub(super) fn quotient(&self, a: u64, bits: u32) -> u64 {
        let q = ((u128::from(a) * u128::from(self.long_reciprocal)) >> (111 - bits)) as u64;
        let rest = if bits == 64 { 0 } else { a << bits }.wrapping_sub(q.wrapping_mul(self.p));
        q + u64::from(rest >= self.p) + u64::from(rest >= 2 * self.p)
    }

    /// a^exponent mod p.
    #[inline(never)]
    pub(super) fn power(&self, mut a: u64, mut exponent: u64) -> u64 {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, a);
            }
            a = self.mul(a, a);
            exponent >>= 1;
        }
        result
    }

    /// 1 / a mod p, for a below p.
    pub(super) fn inverse(&self, a: u64) -> u64 {
        self.power(a, self.p - 2)
    }

    /// A root of unity of this order, a divisor of its own; roots of different orders are powers of one root.
    pub(super) fn root(&self, order: u64) -> u64 {
        debug_assert!(self.order.is_multiple_of(order));
        self.power(self.generator, (self.p - 1) / order)
    }

    /// -a mod p, for a below p.
    pub(super) fn negative(&self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.p - a }
    }
}
