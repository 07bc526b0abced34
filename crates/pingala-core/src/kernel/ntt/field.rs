//! The operations that the transforms are written over: residues modulo one of three primes below 2^48, side by side in vectors.
//!
//! Lemmas: Transforms.factor_words, Transforms.factor_negative, Transforms.lost_factor (proofs/README.md).

use super::primes::Prime;
use crate::kernel::vector::MASK;
use core::fmt::Debug;

/// How a family stores a factor w < p of [`Field::times`], in two words; and what [`Field::mul`] loses.
#[derive(Clone, Copy, Debug)]
pub(super) enum FactorWords {
    /// w and floor(b w / p), b = 2^52.
    Bits52,
    /// As above, for b = 2^64.
    Bits64,
    /// Doubles: w between -p/2 and p/2, and w / p.
    Balanced,
}

impl FactorWords {
    /// The words of w.
    #[inline]
    pub(super) fn of(self, prime: &Prime, w: u64) -> [u64; 2] {
        match self {
            Self::Bits52 => [w, prime.quotient(w, 52)],
            Self::Bits64 => [w, prime.quotient(w, 64)],
            Self::Balanced => {
                let balanced = if w > prime.p / 2 { -((prime.p - w) as f64) } else { w as f64 };
                [balanced, balanced / prime.p as f64].map(f64::to_bits)
            }
        }
    }

    /// The words of -w, for w > 0. floor(b (p - w) / p) = b - 1 - floor(b w / p), because p does not divide b w.
    #[inline]
    pub(super) fn negative(self, prime: &Prime, [w, quotient]: [u64; 2]) -> [u64; 2] {
        match self {
            Self::Bits52 => [prime.p - w, quotient ^ MASK],
            Self::Bits64 => [prime.p - w, !quotient],
            Self::Balanced => [w, quotient].map(|word| word ^ 1 << 63),
        }
    }

    /// The factor that [`Field::mul`] and [`Field::mul_sub`] lose: their results are multiplied by its inverse.
    pub(super) fn lost(self, prime: &Prime) -> u64 {
        match self {
            Self::Bits52 => (1 << 52) % prime.p,
            Self::Bits64 => ((1u128 << 64) % u128::from(prime.p)) as u64,
            Self::Balanced => 1,
        }
    }
}

/// Residues modulo a prime p < 2^48 in vectors. A value of the implementing type proves that the CPU has the instructions.
///
/// **Ranges.** A vector has a bound: its residues are integers below that multiple of p (balanced ones: in absolute value). *Reduced*
/// residues are below 2p. Sums add bounds, and no residue may reach 16p. The operations say which bounds they take and give.
pub(super) trait Field: Copy + Debug + Send + Sync + 'static {
    /// The logarithm of the residues of a vector.
    const LOG: u32;
    /// Residues of a vector.
    const WIDTH: usize = 1 << Self::LOG;
    /// The most levels of one pass over memory: vectors of four residues have sixteen registers, the others 32.
    const LEVELS: u32 = if Self::LOG == 2 { 2 } else { 3 };
    /// How factors are stored.
    const FACTORS: FactorWords;
    /// WIDTH words, of which each is a residue; or more, if the type has ways of its own to load and to store them.
    type Vector: Copy;
    /// The constants of one prime.
    type Modulus: Copy;

    /// The constants of a prime.
    fn modulus(self, prime: &Prime) -> Self::Modulus;

    /// A vector of memory.
    ///
    /// # Safety
    /// All of it may be read.
    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> Self::Vector {
        const { assert!(size_of::<Self::Vector>() == 8 << Self::LOG) };
        // SAFETY: the caller's promise; a vector is these words.
        unsafe { from.cast::<Self::Vector>().read_unaligned() }
    }
    /// One word of memory in all lanes.
    ///
    /// # Safety
    /// It may be read.
    unsafe fn broadcast(self, from: *const u64) -> Self::Vector;
    /// Writes a vector.
    ///
    /// # Safety
    /// All of it may be written.
    #[inline(always)]
    unsafe fn store(self, to: *mut u64, x: Self::Vector) {
        const { assert!(size_of::<Self::Vector>() == 8 << Self::LOG) };
        // SAFETY: the caller's promise; a vector is these words.
        unsafe { to.cast::<Self::Vector>().write_unaligned(x) }
    }
    /// Digits of at most 64 bits in memory as residues, reduced.
    ///
    /// # Safety
    /// All of them may be read.
    unsafe fn digits(self, modulus: &Self::Modulus, from: *const u64) -> Self::Vector;

    /// `x w`, reduced; x is below 16p.
    fn times(self, modulus: &Self::Modulus, x: Self::Vector, w: [Self::Vector; 2]) -> Self::Vector;
    /// `x + y w` and `x - y w`, both of the bound of x and 2p more; y is below 16p.
    #[inline(always)]
    fn split_pair(
        self,
        modulus: &Self::Modulus,
        x: Self::Vector,
        y: Self::Vector,
        w: [Self::Vector; 2],
    ) -> [Self::Vector; 2] {
        let product = self.times(modulus, y, w);
        [self.add(x, product), self.sub::<0>(modulus, x, product)]
    }
    /// x, reduced; x is below 16p.
    fn reduce(self, modulus: &Self::Modulus, x: Self::Vector) -> Self::Vector;
    /// Zeros.
    fn zero(self) -> Self::Vector;
    /// `x + y`.
    fn add(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;
    /// `x - y + 2^LEVEL 2p` for y of at most 2^LEVEL 2p.
    fn sub<const LEVEL: u32>(self, modulus: &Self::Modulus, x: Self::Vector, y: Self::Vector) -> Self::Vector;
    /// `a b`, reduced, for reduced a and b.
    fn mul(self, modulus: &Self::Modulus, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `c d - a b`, reduced, for reduced numbers.
    fn mul_sub(self, modulus: &Self::Modulus, ab: [Self::Vector; 2], cd: [Self::Vector; 2]) -> Self::Vector;

    /// Exchanges lanes and places of the first WIDTH vectors.
    fn transpose(self, x: &mut [Self::Vector; 8]);
    /// Writes residues below 16p as integers from 0 to 2p - 1.
    ///
    /// # Safety
    /// A vector may be written.
    unsafe fn store_integers(self, modulus: &Self::Modulus, to: *mut u64, x: Self::Vector);
}
