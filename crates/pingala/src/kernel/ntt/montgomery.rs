//! Montgomery's reduction by transforms, for R = 2^m, m = DL bits.
//!
//! 1. T = A B mod R: the mean of the products modulo x^L - 1 and x^L + 1.
//! 2. q = T / N mod R, in the same way.
//! 3. t = (A B - q N) / R is an integer. 2^m = -1 modulo 2^m + 1, so t = q N - A B there: one more transform each way, because A and B
//!    are transformed modulo x^L + 1 already. Ten transforms for a square, twelve for a product.
//!
//! **Range.** Of A < R and B < N: -N < t < N <= R. S = t mod 2^m + 1 is t, or t + 2^m + 1 where t is negative; then N is added. So results
//! are below N. N < R/2 tells both apart by the top bit of S. Else they are told apart modulo 2^D - 1, where R is 1: t = A B - q N by sums
//! of digits, and S - t is 0 or 2.
//!
//! Products modulo 2^k - 1 and 2^k + 1 in Montgomery's reduction are [mclaughlin2004frameworks]'s.

#![allow(unsafe_code)]

use super::digits::{self, Sign};
use super::field::Field;
use super::length::Length;
use super::products::Products;
use super::recombine::CrtWeights;
use super::transform::Wrapping;
use crate::kernel::hensel;
use crate::kernel::team::{Team, each};
use core::marker::PhantomData;

/// The arithmetic of one odd modulus.
#[derive(Debug)]
pub(super) struct Montgomery<F: Field> {
    pub(super) length: Length,
    products: Products<F>,
    weights: CrtWeights,
    /// N in digits.
    modulus: Box<[u64]>,
    /// N modulo 2^D - 1, where N is R/2 or more.
    sum: Option<u64>,
    /// N modulo x^L + 1.
    spectrum: Box<[u64]>,
    /// 1 / N mod R modulo x^L - 1 and x^L + 1.
    inverse: [Box<[u64]>; 2],
}

/// The longest inverse, in digits, that is not found by transforms.
const SHORT_INVERSE: usize = 96;

impl<F: Field> Montgomery<F> {
    /// The arithmetic modulo an odd number of `bits` bits.
    pub(super) fn new(field: F, limbs: &[u64], bits: usize) -> Self {
        let length = Length::of_bits(bits);
        Self::with_length(field, limbs, length)
    }

    /// The same with a length that is long enough.
    pub(super) fn with_length(field: F, limbs: &[u64], length: Length) -> Self {
        let (l, d) = (length.digits(), length.digit_bits);
        let products = Products::new(field, length);
        let mut modulus = vec![0; l].into_boxed_slice();
        digits::from_limbs(&mut modulus, limbs, 0, d);
        let sum = (modulus[l - 1] >> (d - 1) == 1).then(|| digits::digit_sum(&modulus, d));
        let inverse_digits = inverse(&products, length, limbs, &modulus);
        let spectrum_of = |number: &[u64], kind| {
            let mut spectrum = vec![0; 3 * l].into_boxed_slice();
            products.forward(length, kind, number, &mut spectrum);
            products.reduce(length, &mut spectrum);
            spectrum
        };
        let spectrum = spectrum_of(&modulus, Wrapping::Negacyclic);
        let inverse = [Wrapping::Cyclic, Wrapping::Negacyclic].map(|kind| spectrum_of(&inverse_digits, kind));
        Self { length, weights: CrtWeights::new::<F>(length), products, modulus, sum, spectrum, inverse }
    }

    /// Bytes of constants.
    pub(super) fn bytes(&self) -> usize {
        let spectra =
            size_of_val(&*self.spectrum) + self.inverse.iter().map(|part| size_of_val(&**part)).sum::<usize>();
        self.products.bytes() + spectra + size_of_val(&*self.modulus)
    }

    /// N in digits.
    pub(super) fn modulus(&self) -> &[u64] {
        &self.modulus
    }

    /// Words of scratch.
    pub(super) fn scratch_words(&self) -> usize {
        17 * self.length.digits()
    }

    /// `a b / R mod N`, or without b `a^2 / R mod N`, for a < R and b < N; somewhere in the scratch. A team shares the transforms.
    pub(super) fn product<'s>(
        &self,
        a: &[u64],
        b: Option<&[u64]>,
        scratch: &'s mut [u64],
        team: Option<&Team>,
    ) -> &'s [u64] {
        let Self { length, products, weights, .. } = self;
        let (length, l, d) = (*length, length.digits(), length.digit_bits);
        assert!(a.len() == l && b.is_none_or(|b| b.len() == l));
        let (spectra, rest) = scratch.split_at_mut(15 * l);
        let (low, rest) = rest.split_at_mut(l);
        let q = &mut rest[..l];
        let mut parts = SharedParts::new(spectra, l);
        // 1.
        each(team, 6, &|task| {
            let (i, kind) = (task % 3, KINDS[task / 3]);
            // SAFETY: each task has parts of its own.
            let [x, y] = unsafe { [parts.get(task), parts.get(9 + task)] };
            products.forward_one(i, length, kind, a, x);
            if kind == Wrapping::Negacyclic {
                // SAFETY: no other task has this one.
                unsafe { parts.get(6 + i) }.copy_from_slice(x);
            }
            if let Some(b) = b {
                products.forward_one(i, length, kind, b, y);
            }
            products.multiply_one(i, length, kind, x, b.map(|_| &*y));
        });
        products.lower_half(length, weights, parts.halves(), low);
        // 2.
        each(team, 6, &|task| {
            let (i, kind) = (task % 3, KINDS[task / 3]);
            // SAFETY: each task has a part of its own.
            let x = unsafe { parts.get(task) };
            products.forward_one(i, length, kind, low, x);
            products.multiply_one(i, length, kind, x, Some(&self.inverse[task / 3][i * l..][..l]));
        });
        products.lower_half(length, weights, parts.halves(), q);
        // 3.
        each(team, 3, &|i| {
            // SAFETY: each task has parts of its own.
            let [x, a, y] = unsafe { [parts.get(3 + i), parts.get(6 + i), parts.get(12 + i)] };
            products.forward_one(i, length, Wrapping::Negacyclic, q, x);
            let a = &*a;
            let others = [&self.spectrum[i * l..][..l], a, if b.is_some() { &*y } else { a }];
            products.minus_product_one(i, length, Wrapping::Negacyclic, x, others);
        });
        let minus = parts.halves()[1];
        let expected = self.sum.map(|modulus| {
            let product = |x: &[u64], y: u64| digits::product_of_sums(digits::digit_sum(x, d), y, d);
            [product(a, digits::digit_sum(b.unwrap_or(a), d)), product(q, modulus)]
        });
        let out = low;
        let whole = products.wrapped(length, weights, minus, Sign::Minus, out);
        let negative = whole
            || match expected {
                None => out[l - 1] >> (d - 1) == 1,
                Some([ab, qn]) => {
                    // S + q N = A B for a positive t.
                    let sum = u128::from(digits::digit_sum(out, d)) + u128::from(qn);
                    (sum % u128::from(digits::largest(d))) as u64 != ab
                }
            };
        if negative {
            // S - (2^m + 1) + N; where S is 2^m the digits are 0, and S - (2^m + 1) is -1 in any case.
            digits::add(out, &self.modulus, d);
            digits::decrement(out, d);
        }
        debug_assert!(is_below(out, &self.modulus), "the result is below N");
        out
    }
}

/// The order of the tasks that a product is shared in: three primes modulo x^L - 1, then three modulo x^L + 1.
const KINDS: [Wrapping; 2] = [Wrapping::Cyclic, Wrapping::Negacyclic];

/// Fifteen transforms modulo one prime each: 0 to 5 in the order of the tasks, 6 to 8 those of a modulo x^L + 1, 9 to 14 those of b.
struct SharedParts<'s> {
    start: *mut u64,
    l: usize,
    scratch: PhantomData<&'s mut [u64]>,
}

// SAFETY: who takes a part says that nobody else has it.
unsafe impl Sync for SharedParts<'_> {}

impl<'s> SharedParts<'s> {
    fn new(scratch: &'s mut [u64], l: usize) -> Self {
        assert!(scratch.len() == 15 * l);
        Self { start: scratch.as_mut_ptr(), l, scratch: PhantomData }
    }

    /// One part.
    ///
    /// # Safety
    /// Nobody else has it meanwhile.
    #[expect(clippy::mut_from_ref, reason = "threads take different parts of one piece of memory")]
    unsafe fn get(&self, part: usize) -> &mut [u64] {
        debug_assert!(part < 15);
        // SAFETY: within the scratch; the caller's promise.
        unsafe { core::slice::from_raw_parts_mut(self.start.add(part * self.l), self.l) }
    }

    /// The spectra modulo x^L - 1 and modulo x^L + 1.
    fn halves(&mut self) -> [&[u64]; 2] {
        // SAFETY: within the scratch, which this method borrows as a whole.
        [0, 3].map(|part| unsafe { core::slice::from_raw_parts(self.start.add(part * self.l), 3 * self.l) })
    }
}

/// Whether a < b.
pub(super) fn is_below(a: &[u64], b: &[u64]) -> bool {
    a.iter().rev().cmp(b.iter().rev()).is_lt()
}

/// 1 / N mod R in digits, by Hensel's lifting: with N x = 1 + e 2^(Dk), the inverse to 2k digits is x - (x e) 2^(Dk).
///
/// Count: two lower halves of products of L digits, which share the transforms of x, and half as much before each time.
fn inverse<F: Field>(products: &Products<F>, length: Length, limbs: &[u64], modulus: &[u64]) -> Box<[u64]> {
    let (l, d) = (length.digits(), length.digit_bits);
    let mut targets = vec![l];
    let mut known = l;
    while known > SHORT_INVERSE {
        known = known.div_ceil(2);
        targets.push(known);
    }
    let mut x = vec![0; l].into_boxed_slice();
    let start = hensel::inverse_mod_power_of_two(limbs, known * d as usize);
    digits::from_limbs(&mut x[..known], &start, 0, d);
    targets.pop();
    let mut room = vec![0; 14 * l];
    while let Some(target) = targets.pop() {
        let length = length.shorter(target);
        let l = length.digits();
        let weights = CrtWeights::new::<F>(length);
        let (x_plus, rest) = room.split_at_mut(3 * l);
        let (x_minus, rest) = rest.split_at_mut(3 * l);
        let (plus, rest) = rest.split_at_mut(3 * l);
        let (minus, rest) = rest.split_at_mut(3 * l);
        let (number, rest) = rest.split_at_mut(l);
        let product = &mut rest[..l];
        number[..known].copy_from_slice(&x[..known]);
        number[known..].fill(0);
        products.forward(length, Wrapping::Cyclic, number, x_plus);
        products.forward(length, Wrapping::Negacyclic, number, x_minus);
        let mut times_x = |number: &[u64], product: &mut [u64]| {
            products.forward(length, Wrapping::Cyclic, number, plus);
            products.multiply(length, Wrapping::Cyclic, plus, Some(x_plus));
            products.forward(length, Wrapping::Negacyclic, number, minus);
            products.multiply(length, Wrapping::Negacyclic, minus, Some(x_minus));
            products.lower_half(length, &weights, [plus, minus], product);
        };
        times_x(&modulus[..l], product);
        debug_assert!(product[0] == 1 && product[1..known].iter().all(|&digit| digit == 0));
        // e 2^(Dk), up to the target.
        number[..known].fill(0);
        number[known..target].copy_from_slice(&product[known..target]);
        number[target..].fill(0);
        times_x(number, product);
        let next = &mut x[known..target];
        next.fill(0);
        digits::sub(next, &product[known..target], d);
        known = target;
    }
    x
}
