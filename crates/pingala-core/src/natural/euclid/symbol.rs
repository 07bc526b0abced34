//! The Jacobi symbol along the steps of Euclid's algorithm.
//!
//! Of two numbers x and y, one is odd and stands below in the symbol. A step makes y and x - q y of them, and the change of the symbol depends
//! on x, y and q modulo 4 only, whatever their lengths are:
//!
//! 1. y below: (x/y) = ((x - q y)/y).
//! 2. x below, y odd: (y/x) = (-1)^((x - 1) (y - 1) / 4) (x/y) by reciprocity, and then 1.
//! 3. x below, 4 divides y: (y/x) = (y/(x - q y)), because (y/x) has the period y in x > 0.
//! 4. x below, y = 2 z with z odd. (2/x) = (-1)^((x^2 - 1) / 8), and (z/x) = (-1)^((x - 1) (z - 1) / 4) (x/z), where (x/z) stays the same. So
//!    the sign changes by -1 to the power q z (x - 1 - (q - 1) z) / 2: for an odd q if (x - 1) / 2 and (q - 1) / 2 are not both even or
//!    both odd, for an even q if q / 2 is odd.
//!
//! That a symbol can follow the quotients of a half-gcd, without the numbers, is due to Schoenhage; [brentzimmermann2010jacobi] does so for
//! another division, [moller2008gcd] has the half-gcd.

/// What follows the quotients.
pub(super) trait Track: Copy {
    /// The numbers x, y become y, x - `quotient` y. A quotient of 0 exchanges them.
    fn step(&mut self, quotient: u64);
}

/// Nothing.
impl Track for () {
    #[inline(always)]
    fn step(&mut self, _: u64) {}
}

/// x mod 4, y mod 4 from bit 2 on, whether y is below in bit 4, whether the sign is -1 in bit 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol(u8);

/// Whether y is below.
const SECOND: u8 = 1 << 4;
/// Whether the sign is -1.
const NEGATIVE: u8 = 1 << 5;

/// The next state, by state and by quotient modulo 4 in the lowest two bits.
static NEXT: [u8; 256] = {
    let mut next = [0; 256];
    let mut at = 0;
    while at < 256 {
        next[at] = stepped((at >> 2) as u8, (at & 3) as u8);
        at += 1;
    }
    next
};

const fn stepped(state: u8, q: u8) -> u8 {
    let (x, y) = (state & 3, state >> 2 & 3);
    let rest = x.wrapping_sub(q.wrapping_mul(y)) & 3;
    let (mut second, mut negative) = (state & SECOND != 0, state & NEGATIVE != 0);
    if !second && y & 1 == 1 {
        // 2.
        second = true;
        negative ^= x == 3 && y == 3;
    } else if !second && y == 2 {
        // 4.
        negative ^= if q & 1 == 1 { (x ^ q) & 2 != 0 } else { q == 2 };
    }
    // What was y is x now.
    y | rest << 2 | if second { 0 } else { SECOND } | if negative { NEGATIVE } else { 0 }
}

impl Symbol {
    /// Of (y/x) for an odd x, from the lowest limbs.
    pub(super) fn of_first(x: u64, y: u64) -> Self {
        debug_assert!(x & 1 == 1);
        Self((x & 3 | (y & 3) << 2) as u8)
    }

    /// 1 or -1: what the steps changed.
    pub(super) fn sign(self) -> i32 {
        if self.0 & NEGATIVE == 0 { 1 } else { -1 }
    }

    /// 1, -1 or 0: the symbol, once x > 0 and y are words. Subtractions and shifts, because they take less time than quotients.
    pub(super) fn of_words(self, x: u64, y: u64) -> i32 {
        let (mut above, mut below) = if self.0 & SECOND == 0 { (y, x) } else { (x, y) };
        // Bit 1 says whether the sign changes.
        let mut sign = 0;
        debug_assert!(below & 1 == 1);
        while above != 0 {
            let twos = above.trailing_zeros();
            above >>= twos;
            // (2/n) = -1 for n = 3 or 5 modulo 8.
            sign ^= u64::from(twos) << 1 & (below ^ below >> 1);
            let (difference, less) = above.overflowing_sub(below);
            // Reciprocity, if they change places.
            sign ^= if less { above & below } else { 0 };
            below = if less { above } else { below };
            above = if less { difference.wrapping_neg() } else { difference };
        }
        match below {
            1 => self.sign() * (1 - (sign & 2) as i32),
            _ => 0,
        }
    }
}

impl Track for Symbol {
    #[inline(always)]
    fn step(&mut self, quotient: u64) {
        self.0 = NEXT[usize::from(self.0 & 63) << 2 | (quotient & 3) as usize];
    }
}
