//! The three primes of the transforms, and plain arithmetic modulo one of them for set-ups.

/// Bits of each prime.
pub(super) const PRIME_BITS: u32 = 48;
/// The order of the roots of unity that each prime has.
pub(super) const ORDER: u64 = 45 << 21;
/// The primes: the largest three below 2^48 that are 1 modulo [`ORDER`].
pub(super) const PRIMES: [u64; 3] = [0xffff_d200_0001, 0xffff_b5e0_0001, 0xffff_5be0_0001];
/// A generator of the group of each prime.
const GENERATORS: [u64; 3] = [14, 11, 11];

/// One of the primes, with the constants of plain arithmetic modulo it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prime {
    /// The prime p.
    pub(super) p: u64,
    /// floor(2^96 / p) - 2^48.
    reciprocal: u64,
    generator: u64,
}

impl Prime {
    /// The three primes.
    pub(super) const ALL: [Prime; 3] = [Self::at(0), Self::at(1), Self::at(2)];

    const fn at(place: usize) -> Self {
        let p = PRIMES[place];
        Self { p, reciprocal: ((1 << 96) / p as u128 - (1 << 48)) as u64, generator: GENERATORS[place] }
    }

    /// Quotient and rest of x by p, for x < 2^96.
    ///
    /// q = floor(floor(x / 2^48) floor(2^96 / p) / 2^48) is at most x / p and more than x / p - 3.
    #[inline]
    fn divide(&self, x: u128) -> [u64; 2] {
        let high = (x >> 48) as u64;
        let mut q = high + ((u128::from(high) * u128::from(self.reciprocal)) >> 48) as u64;
        let mut rest = (x as u64).wrapping_sub(q.wrapping_mul(self.p));
        // No branch: a processor could not foresee it.
        for _ in 0..2 {
            let over = rest >= self.p;
            rest -= if over { self.p } else { 0 };
            q += u64::from(over);
        }
        [q, rest]
    }

    /// a b mod p, for a and b below p.
    #[inline]
    pub(super) fn mul(&self, a: u64, b: u64) -> u64 {
        self.divide(u128::from(a) * u128::from(b))[1]
    }

    /// floor(a 2^bits / p), for a below p and bits from 48 to 64: digits of 48 bits, and of the rest.
    #[inline]
    pub(super) fn quotient(&self, a: u64, bits: u32) -> u64 {
        let [high, rest] = self.divide(u128::from(a) << 48);
        let [low, _] = self.divide(u128::from(rest) << (bits - 48));
        (high << (bits - 48)) + low
    }

    /// a^exponent mod p.
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

    /// 1 / a mod p.
    pub(super) fn inverse(&self, a: u64) -> u64 {
        self.power(a % self.p, self.p - 2)
    }

    /// A root of unity of this order, a divisor of [`ORDER`]; roots of different orders are powers of one root.
    pub(super) fn root(&self, order: u64) -> u64 {
        debug_assert!(ORDER.is_multiple_of(order));
        self.power(self.generator, (self.p - 1) / order)
    }

    /// -a mod p, for a below p.
    pub(super) fn negative(&self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.p - a }
    }
}
