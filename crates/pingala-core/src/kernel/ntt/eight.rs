//! Eight residues in vectors of 52-bit multiply-accumulate.
//!
//! Lanes are modulo 2^52: the bits above are whatever sums left there, and every operation that looks at a value takes the low 52
//! bits. A bound of 16p < 2^52 is what makes these the residue.
//!
//! Lemmas: Transforms.shoup_product, Transforms.lane_times, Transforms.lane_reduce, Transforms.lane_digits, Transforms.lane_add,
//! Transforms.lane_sub, Transforms.lane_mul, Transforms.lane_mul_sub, Transforms.lane_split_pair (proofs/README.md).

#![allow(unsafe_code)]

use super::compiled::{CompiledField, FieldProgram};
use super::field::{FactorWords, Field};
use super::primes::{PRIME_BITS, Prime, PrimeSet};
use super::recombine::Recombination;
use crate::kernel::montgomery::neg_mod_inv_limb;
use crate::kernel::vector::MASK;
use crate::kernel::vector::across::{VectorProgram, Vectors};

/// Residues in the vectors of an instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight<O>(pub(super) O);

/// A prime p and what follows from it, in all lanes.
#[derive(Clone, Copy)]
pub(super) struct LanePrime<V> {
    /// 2p, 4p, 8p.
    multiples: [V; 3],
    /// 2^52 - p.
    complement: V,
    /// 1 / p mod 2^52.
    inverse: V,
    /// p.
    p: V,
    /// 2^48 - p.
    below: V,
    /// 2^52 / 2^48.
    sixteen: V,
}

struct Wrapped<P>(P);

impl<P: FieldProgram> VectorProgram for Wrapped<P> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        self.0.run(Eight(ops));
    }
}

impl<O: Vectors> Field for Eight<O> {
    const LOG: u32 = 3;
    const FACTORS: FactorWords = FactorWords::Bits52;
    type Vector = O::Vector;
    type Modulus = LanePrime<O::Vector>;

    #[inline(always)]
    fn modulus(self, prime: &Prime) -> Self::Modulus {
        let p = prime.p;
        let ops = self.0;
        LanePrime {
            multiples: [ops.splat(2 * p), ops.splat(4 * p), ops.splat(8 * p)],
            complement: ops.splat((1 << 52) - p),
            inverse: ops.splat(neg_mod_inv_limb(p).wrapping_neg() & MASK),
            p: ops.splat(p),
            below: ops.splat((1 << PRIME_BITS) - p),
            sixteen: ops.splat(1 << (52 - PRIME_BITS)),
        }
    }
    #[inline(always)]
    unsafe fn broadcast(self, from: *const u64) -> O::Vector {
        // SAFETY: the caller's promise.
        unsafe { self.0.broadcast(from) }
    }
    /// 2^48 h + l = h below + l modulo p, with h < 2^16 and below < 2^31.4: less than 2^48 + 2^47.4 < 2p.
    #[inline(always)]
    unsafe fn digits(self, m: &Self::Modulus, from: *const u64) -> O::Vector {
        // SAFETY: the caller's promise.
        let digits = unsafe { self.0.load(from) };
        let low = self.0.and(digits, self.0.splat((1 << PRIME_BITS) - 1));
        self.0.madd_low(low, self.0.shift_right::<PRIME_BITS>(digits), m.below)
    }
    /// [harvey2014faster] with 2^52 for the word: q = floor(x w' / 2^52) with w' = floor(2^52 w / p) gives x w - q p below p + x p / 2^52
    /// < 2p, all modulo 2^52.
    #[inline(always)]
    fn times(self, m: &Self::Modulus, x: O::Vector, [w, quotient]: [O::Vector; 2]) -> O::Vector {
        let q = self.0.madd_high(self.0.zero(), x, quotient);
        self.0.madd_low(self.0.madd_low(self.0.zero(), x, w), q, m.complement)
    }
    /// x - floor(x / 2^48) p < 2^48 + 16 (2^48 - p) < 2p.
    #[inline(always)]
    fn reduce(self, m: &Self::Modulus, x: O::Vector) -> O::Vector {
        let q = self.0.madd_high(self.0.zero(), x, m.sixteen);
        self.0.madd_low_modulo(x, q, m.complement)
    }
    /// [`Field::times`] on top of x gives the sum, and what it lacks to 2x + 2p is the difference: no addition follows the product.
    #[inline(always)]
    fn split_pair(
        self,
        m: &Self::Modulus,
        x: O::Vector,
        y: O::Vector,
        [w, quotient]: [O::Vector; 2],
    ) -> [O::Vector; 2] {
        let ops = self.0;
        let q = ops.madd_high(ops.zero(), y, quotient);
        let sum = ops.madd_low_modulo(ops.madd_low_modulo(x, y, w), q, m.complement);
        [sum, ops.sub_signed(ops.add_signed(x, ops.add_signed(x, m.multiples[0])), sum)]
    }
    #[inline(always)]
    fn zero(self) -> O::Vector {
        self.0.zero()
    }
    #[inline(always)]
    fn add(self, x: O::Vector, y: O::Vector) -> O::Vector {
        self.0.add_signed(x, y)
    }
    #[inline(always)]
    fn sub<const LEVEL: u32>(self, m: &Self::Modulus, x: O::Vector, y: O::Vector) -> O::Vector {
        self.0.sub_signed(self.0.add_signed(x, m.multiples[LEVEL as usize]), y)
    }
    /// Montgomery's reduction modulo 2^52: floor(a b / 2^52) - floor(q p / 2^52) + p, where q p and a b agree modulo 2^52. Below p +
    /// 4p^2 / 2^52 < 1.25p.
    #[inline(always)]
    fn mul(self, m: &Self::Modulus, a: O::Vector, b: O::Vector) -> O::Vector {
        let (ops, zero) = (self.0, self.0.zero());
        let high = ops.madd_high(m.p, a, b);
        let q = ops.madd_low(zero, ops.madd_low(zero, a, b), m.inverse);
        ops.sub_signed(high, ops.madd_high(zero, q, m.p))
    }
    /// Computes c d + (2p - a) b in that way: the two low halves make a carry. Below p + 8p^2 / 2^52 + 1 < 2p.
    #[inline(always)]
    fn mul_sub(self, m: &Self::Modulus, [a, b]: [O::Vector; 2], [c, d]: [O::Vector; 2]) -> O::Vector {
        let (ops, zero) = (self.0, self.0.zero());
        let a = ops.sub_signed(m.multiples[0], a);
        let high = ops.madd_high(ops.madd_high(m.p, a, b), c, d);
        let low = ops.madd_low(ops.madd_low(zero, a, b), c, d);
        let high = ops.add_signed(high, ops.carry(low));
        let q = ops.madd_low(zero, low, m.inverse);
        ops.sub_signed(high, ops.madd_high(zero, q, m.p))
    }
    /// Three rounds of interleaving move the bits of the index (place, lane) round by one each: place and lane change places.
    #[inline(always)]
    fn transpose(self, x: &mut [O::Vector; 8]) {
        for _ in 0..3 {
            let old = *x;
            for pair in 0..4 {
                x[2 * pair] = self.0.interleave_low(old[pair], old[pair + 4]);
                x[2 * pair + 1] = self.0.interleave_high(old[pair], old[pair + 4]);
            }
        }
    }
    #[inline(always)]
    unsafe fn store_integers(self, m: &Self::Modulus, to: *mut u64, x: O::Vector) {
        let reduced = self.0.and(self.reduce(m, x), self.0.splat(MASK));
        // SAFETY: the caller's promise.
        unsafe { self.0.store(to, reduced) }
    }
}

impl<O: Vectors> CompiledField for Eight<O> {
    fn run(self, program: impl FieldProgram) {
        self.0.run(Wrapped(program));
    }
    #[inline(always)]
    unsafe fn recombine(self, work: &Recombination) -> i128 {
        // SAFETY: the caller's promise.
        unsafe { if work.digit_bits == 64 { recombine::<O, 0>(self, work) } else { recombine::<O, 4>(self, work) } }
    }
}

/// A number of limbs of 64 bits in limbs of 52.
const fn limbs52(a: [u64; 3]) -> [u64; 3] {
    [a[0] & MASK, (a[0] >> 52 | a[1] << 12) & MASK, (a[1] >> 40 | a[2] << 24) & MASK]
}

/// Added to the highest digit of each coefficient to make it positive.
const BIAS: u64 = 1 << 20;

/// Vectors whose coefficients are found side by side: each operation of one waits for the one before. Every part of a length has an even
/// number of them.
const TOGETHER: usize = 2;

/// Returns eight words as a vector.
#[inline(always)]
fn lanes_of<O: Vectors>(ops: O, words: &[u64; 8]) -> O::Vector {
    // SAFETY: eight words.
    unsafe { ops.load(words.as_ptr()) }
}

/// What makes coefficients of residues, in all lanes.
struct CoefficientConstants<'w, O: Vectors> {
    field: Eight<O>,
    work: &'w Recombination,
    moduli: [LanePrime<O::Vector>; 3],
    weights: [[O::Vector; 2]; 3],
    /// The two digits of each P_i.
    cofactors: [[O::Vector; 2]; 3],
    /// The three digits of k P, in lane k.
    multiples: [O::Vector; 3],
}

impl<'w, O: Vectors> CoefficientConstants<'w, O> {
    #[inline(always)]
    fn new(field: Eight<O>, work: &'w Recombination) -> Self {
        let ops = field.0;
        let PrimeSet { primes: [p0, p1, p2], cofactors: given_cofactors, multiples: given_multiples } = work.set;
        let mut cofactors = [[ops.zero(); 2]; 3];
        for (to, [low, high]) in cofactors.iter_mut().zip(given_cofactors) {
            let [low, high, _] = limbs52([*low, *high, 0]);
            *to = [ops.splat(low), ops.splat(high)];
        }
        let mut columns = [[0; 8]; 3];
        for (k, multiple) in given_multiples.iter().enumerate() {
            for (column, limb) in columns.iter_mut().zip(limbs52(*multiple)) {
                column[k] = limb;
            }
        }
        let [column0, column1, column2] = &columns;
        Self {
            field,
            work,
            moduli: [field.modulus(p0), field.modulus(p1), field.modulus(p2)],
            weights: work.weights(field),
            cofactors,
            multiples: [lanes_of(ops, column0), lanes_of(ops, column1), lanes_of(ops, column2)],
        }
    }

    /// The coefficients from `at` on, as x_0, x_1 and x_2 + BIAS of each vector, at the top of their words.
    ///
    /// # Safety
    /// As for [`Recombination::by_words`]; this many residues follow `at`.
    #[inline(always)]
    unsafe fn coefficients<const GAP: u32>(&self, at: usize) -> [[O::Vector; 3]; TOGETHER] {
        let Self { field, work, moduli, weights, cofactors, multiples } = self;
        let ops = field.0;
        let (zero, mask, bias) = (ops.zero(), ops.splat(MASK), ops.splat(BIAS << GAP));
        let [mut a0, mut a1, mut a1b, mut a2] = [[zero; TOGETHER]; 4];
        let mut sum = [ops.splat(1 << 47); TOGETHER];
        for i in 0..3 {
            for n in 0..TOGETHER {
                // SAFETY: the caller's promise.
                let t = ops.and(unsafe { work.weighted(*field, &moduli[i], i, at + 8 * n, weights[i]) }, mask);
                sum[n] = ops.add_signed(sum[n], t);
                a0[n] = ops.madd_low(a0[n], t, cofactors[i][0]);
                a1[n] = ops.madd_high(a1[n], t, cofactors[i][0]);
                a1b[n] = ops.madd_low(a1b[n], t, cofactors[i][1]);
                a2[n] = ops.madd_high(a2[n], t, cofactors[i][1]);
            }
        }
        let mut digits = [[zero; 3]; TOGETHER];
        for n in 0..TOGETHER {
            let k = ops.shift_right::<PRIME_BITS>(sum[n]);
            let a0 = ops.sub_signed(a0[n], ops.look_up(multiples[0], k));
            let a1 = ops.sub_signed(ops.add_signed(a1[n], a1b[n]), ops.look_up(multiples[1], k));
            let a2 = ops.sub_signed(a2[n], ops.look_up(multiples[2], k));
            let a1 = ops.add_signed(a1, ops.shift_right_signed::<52>(a0));
            let a2 = ops.add_signed(a2, ops.shift_right_signed::<52>(a1));
            let (a0, a1) = (ops.and(a0, mask), ops.and(a1, mask));
            let [lower, middle, upper] = if GAP == 0 {
                [
                    ops.or(a0, ops.shift_left::<52>(a1)),
                    ops.or(ops.shift_right::<12>(a1), ops.shift_left::<40>(a2)),
                    ops.shift_right_signed::<24>(a2),
                ]
            } else {
                [
                    ops.or(ops.shift_left::<4>(a0), ops.shift_left::<56>(a1)),
                    ops.or(ops.shift_left::<4>(ops.shift_right::<8>(a1)), ops.shift_left::<48>(a2)),
                    ops.shift_left::<4>(ops.shift_right_signed::<16>(a2)),
                ]
            };
            digits[n] = [lower, middle, ops.add_signed(upper, bias)];
        }
        digits
    }
}

/// The three additions of [`recombine`], by their numbers, and what they leave to the next digits.
struct DigitSums<O: Vectors, const GAP: u32> {
    ops: O,
    /// x_1 and x_2 of the vector before.
    middle_below: O::Vector,
    upper_below: O::Vector,
    /// The carry of each addition.
    carries: u32,
    carries_of_bias: u32,
    running: u32,
    /// E in all lanes. For the first vector 0 in lanes 0 and 1, where x''_2 has no BIAS, and in lane 2 the 1 of the bottom as well.
    taken: O::Vector,
}

impl<O: Vectors, const GAP: u32> DigitSums<O, GAP> {
    /// 1 in a digit.
    const UNIT: u64 = 1 << GAP;
    /// E.
    const UNBIAS: u64 = (BIAS + 1).wrapping_mul(Self::UNIT).wrapping_neg();

    #[inline(always)]
    fn new(ops: O) -> Self {
        let e = Self::UNBIAS;
        let taken = lanes_of(ops, &[0, 0, e.wrapping_add(Self::UNIT), e, e, e, e, e]);
        let (middle_below, upper_below) = (ops.zero(), ops.zero());
        Self { ops, middle_below, upper_below, carries: 0, carries_of_bias: 0, running: 0, taken }
    }

    /// 1. Returns x_0 + x'_1, and x''_2 with its carries.
    #[inline(always)]
    fn lower_and_middle(&mut self, [lower, middle, upper]: [O::Vector; 3]) -> [O::Vector; 2] {
        let ops = self.ops;
        let middle_here = ops.up(middle, self.middle_below);
        let upper_here = ops.up_two(upper, self.upper_below);
        (self.middle_below, self.upper_below) = (middle, upper);
        let sum = ops.add_modulo(lower, middle_here);
        let over = u32::from(ops.above(lower, sum));
        let upper_here = ops.add_in((over << 1 | self.carries) as u8, upper_here, ops.splat(Self::UNIT));
        self.carries = over >> 7;
        [sum, upper_here]
    }

    /// 2. Adds E to the sum, and its carries to x''_2.
    #[inline(always)]
    fn take_bias(&mut self, [sum, upper_here]: [O::Vector; 2]) -> [O::Vector; 2] {
        let ops = self.ops;
        let sum = ops.add_modulo(sum, self.taken);
        let over = u32::from(ops.above(self.taken, sum));
        let upper_here = ops.add_in((over << 1 | self.carries_of_bias) as u8, upper_here, ops.splat(Self::UNIT));
        self.carries_of_bias = over >> 7;
        self.taken = ops.splat(Self::UNBIAS);
        [sum, upper_here]
    }

    /// 3. Adds both, and lets the carries run. Returns the digits, at the bottom of their words.
    #[inline(always)]
    fn digits(&mut self, [sum, upper_here]: [O::Vector; 2]) -> O::Vector {
        let ops = self.ops;
        let sum = ops.add_modulo(sum, upper_here);
        let over = u32::from(ops.above(upper_here, sum));
        let full = u32::from(ops.equal(sum, ops.splat(Self::UNIT.wrapping_neg())));
        let marks = (over << 1 | self.running) + full;
        self.running = marks >> 8;
        ops.shift_right::<GAP>(ops.add_in((marks ^ full) as u8, sum, ops.splat(Self::UNIT)))
    }

    /// What leaves the last digit.
    #[inline(always)]
    fn carry(&self) -> i128 {
        let (mut middle, mut upper) = ([0u64; 8], [0u64; 8]);
        // SAFETY: eight words each.
        unsafe {
            self.ops.store(middle.as_mut_ptr(), self.middle_below);
            self.ops.store(upper.as_mut_ptr(), self.upper_below);
        }
        let upper = [upper[6], upper[7]].map(|word| i128::from(word >> GAP) - i128::from(BIAS));
        let carried = i128::from(self.carries) + i128::from(self.carries_of_bias) + i128::from(self.running);
        i128::from(middle[7] >> GAP) + upper[0] + carried - 1 + (upper[1] << (64 - GAP))
    }
}

/// Eight coefficients at a time, for digits of 64 - GAP bits.
///
/// A coefficient X, |X| < 2^143, is three digits x_0, x_1 and x_2, the last one signed and below 2^23 in absolute value. The sum of
/// x_0 + x'_1 + x''_2 of three neighbours is a digit before carries. Digits stand at the top of their words, GAP zeros below, so that
/// a carry leaves the word; at most one each from three additions:
///
/// 1. x_0 + x'_1. Its carry is added to x''_2 of the next digit.
/// 2. x''_2 + BIAS is positive; the BIAS is taken back by adding E = b - 1 - BIAS, b = 2^64, to each digit, because the sum of (b - 1) b^i
///    is b^L - 1: 1 more at the bottom and 1 less at the top. Its carry is added to x''_2 of the next digit too.
/// 3. The sum of both. Carries of this last addition run on through digits b - 1: adding the marks of carries to the marks of such
///    digits, as integers, flips all digits that one reaches.
///
/// # Safety
/// As for [`Recombination::by_words`].
#[inline(always)]
unsafe fn recombine<O: Vectors, const GAP: u32>(field: Eight<O>, work: &Recombination) -> i128 {
    let constants = CoefficientConstants::new(field, work);
    let mut sums = DigitSums::<O, GAP>::new(field.0);
    debug_assert!(work.digits.is_multiple_of(8 * TOGETHER));
    for at in (0..work.digits).step_by(8 * TOGETHER) {
        // SAFETY: the caller's promise.
        let coefficients = unsafe { constants.coefficients::<GAP>(at) };
        for (n, coefficient) in coefficients.into_iter().enumerate() {
            let sum = sums.lower_and_middle(coefficient);
            let sum = sums.take_bias(sum);
            let digits = sums.digits(sum);
            // SAFETY: the caller's promise.
            unsafe { field.0.store(work.out.add(at + 8 * n), digits) };
        }
    }
    sums.carry()
}
