//! The lengths that transforms have.

/// The odd factors of lengths.
pub(super) const ODD_FACTORS: [usize; 5] = [1, 3, 5, 7, 9];
/// The shortest power of two in a length, as an exponent: every instruction family computes its last levels on blocks of at most
/// 64 residues, and a pass before them reads the digits.
const fn least_log(odd: usize) -> u32 {
    if odd == 1 { 7 } else { 6 }
}
/// The longest transform whose digits have 64 bits; the digits of longer ones have 60.
///
/// A coefficient of a product of L digits of D bits, or a difference of two, is at most L 2^(2D) in absolute value. Its integer is
/// found if that is at most 0.47 P ([`super::recombine`]), for the product P > 2^143.99 of the primes, either set: L = 3 2^13 < 2^14.9 for
/// D = 64, and 9 2^17 < 2^22.9 for D = 60.
const MOST_OF_64: usize = 3 << 13;
/// The longest transform. Its negacyclic transform takes a root of order 2^21.
const MOST: usize = 9 << 17;
/// Bits of a digit of a long transform.
pub(super) const SHORT_DIGIT: u32 = 60;
/// The longest modulus, and the longest product of one transform, in limbs.
pub(crate) const MAX_LIMBS: usize = 1 << 20;

/// The largest digit.
pub(super) const fn largest_digit(digit_bits: u32) -> u64 {
    u64::MAX >> (64 - digit_bits)
}

/// A length: `odd` 2^`log` digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    /// One of [`ODD_FACTORS`].
    pub(super) odd: usize,
    /// The exponent of the power of two.
    pub(super) log: u32,
    /// Bits of a digit.
    pub(super) digit_bits: u32,
}

impl Length {
    /// The shortest length whose digits hold a number of `bits` bits, at most 64 [`MAX_LIMBS`]. It is the cheapest: the next one is longer
    /// by a ninth at least, and the odd factors above 1 cost 5 to 11 percent more per digit.
    pub(super) fn of_bits(bits: usize) -> Self {
        let all = ODD_FACTORS.into_iter().filter_map(|odd| Self::of_bits_and_odd(bits, odd));
        all.min_by_key(|length| length.digits()).expect("a number that is not too long")
    }

    /// The shortest length with one odd factor that holds a number of `bits` bits; none if it is too long.
    #[inline(never)]
    pub(super) fn of_bits_and_odd(bits: usize, odd: usize) -> Option<Self> {
        let of_64 = Self::of_odd(bits.div_ceil(64), odd, 64);
        let short = || Self::of_odd(bits.div_ceil(SHORT_DIGIT as usize), odd, SHORT_DIGIT);
        let length = if of_64.digits() <= MOST_OF_64 { of_64 } else { short() };
        (length.digits() <= MOST).then_some(length)
    }

    fn of_odd(digits: usize, odd: usize, digit_bits: u32) -> Self {
        let log = digits.div_ceil(odd).next_power_of_two().trailing_zeros().max(least_log(odd));
        Self { odd, log, digit_bits }
    }

    /// Digits.
    pub(super) fn digits(self) -> usize {
        self.odd << self.log
    }

    /// Bits of the digits together.
    pub(super) fn bits(self) -> usize {
        self.digits() * self.digit_bits as usize
    }
}
