//! Montgomery's reduction by transforms, for R = 2^m, m = DL bits.
//!
//! 1. T = A B mod R: the mean of the products modulo x^L - 1 and x^L + 1.
//! 2. q = T / N mod R, in the same way.
//! 3. t = (A B - q N) / R is an integer. 2^m = -1 modulo 2^m + 1, so t = q N - A B there: one more transform each way, because A and B
//!    are transformed modulo x^L + 1 already. Ten transforms for a square, twelve for a product.
//!
//! **Range.** Of A < R and B < N: -N < t < N <= R. S = t mod 2^m + 1 is t, or t + 2^m + 1 if t is negative; then N is added. So results
//! are below N. If N < R/2, the top bit of S distinguishes both. Else they differ modulo 2^D - 1, where R = 1: t = A B - q N by sums
//! of digits, and S - t is 0 or 2.
//!
//! Products modulo 2^k - 1 and 2^k + 1 in Montgomery's reduction are [mclaughlin2004frameworks]'s.

use super::digits;
use super::length::{Length, largest_digit};
use super::product::CyclicProducts;
use super::products::{Products, of_task};
use super::reciprocal::power_of_two;
use super::transform::Wrapping;
use super::two_adic;
use crate::kernel::division::DivisionRing;
use crate::kernel::short::ShortFactor;
use crate::kernel::{Ring, cache_line};
use crate::natural::linear;
use alloc::borrow::Cow;

/// An odd modulus N, and what a reduction needs.
#[derive(Debug)]
pub(super) struct OddModulus {
    /// N in limbs.
    pub(super) limbs: Box<[u64]>,
    pub(super) short: ShortFactor<u64>,
    /// N in digits.
    pub(super) modulus: Box<[u64]>,
    /// N modulo 2^D - 1, where N is R/2 or more.
    sum: Option<u64>,
    /// N modulo x^L + 1.
    spectrum: Box<[u64]>,
    /// 1 / N mod R modulo x^L - 1 and x^L + 1, in the order of [`of_task`].
    inverse: Box<[u64]>,
    /// R^2 mod N in digits.
    pub(super) rr: Box<[u64]>,
}

/// Limbs by which two steps of a reciprocal are shorter than their products modulo 2^k - 1.
const LOST: usize = 9;

/// Words of scratch of a reduction, and of a number to enter or to leave with. A residue in limbs with one word more is shorter than these.
pub(super) fn scratch_words(length: Length) -> usize {
    18 * length.digits() + cache_line::spare::<u64>()
}

impl OddModulus {
    /// An odd modulus without zero limbs on top, which fits the length of the products; without R^2 mod N.
    pub(super) fn new(products: &Products, limbs: &[u64]) -> Self {
        let length = products.length;
        let (l, d) = (length.digits(), length.digit_bits);
        let mut modulus = vec![0; l].into_boxed_slice();
        digits::from_limbs(&mut modulus, limbs, 0, d);
        let sum = (modulus[l - 1] >> (d - 1) == 1).then(|| digits::digit_sum(&modulus, d));
        let mut cyclic = CyclicProducts::over(products);
        let mut inverse_digits = vec![0; l];
        digits::from_limbs(&mut inverse_digits, &two_adic::inverse(&mut cyclic, limbs, length.bits() / 64), 0, d);
        let [mut inverse, mut spectrum] = [6, 3].map(|parts| vec![0; parts * l].into_boxed_slice());
        let parts = inverse.chunks_exact_mut(l).chain(spectrum.chunks_exact_mut(l));
        for (task, part) in parts.enumerate() {
            // The last three are modulo x^L + 1 as well.
            let number = if task < 6 { &*inverse_digits } else { &*modulus };
            let (i, kind) = of_task(task);
            products.forward_one(i, kind, number, part);
            products.reduce_one(i, part);
        }
        let short = ShortFactor::of_public_bits(limbs, linear::bits(limbs));
        Self { limbs: limbs.into(), short, modulus, sum, spectrum, inverse, rr: Box::default() }
    }

    /// Bytes of constants.
    pub(super) fn bytes(&self) -> usize {
        let numbers = [&self.spectrum, &self.inverse, &self.modulus, &self.limbs, &self.rr];
        numbers.map(|number| size_of_val(&**number)).iter().sum()
    }

    /// R^2 mod N: the square, by Montgomery's reduction, of 2^(3m/2) mod N, which a reciprocal of half the length finds.
    ///
    /// Count: about ten transforms of half of m bits, three of m bits, and a squaring.
    pub(super) fn prepare_square_of_r(&mut self, products: &Products) {
        // Digits come in multiples of 64: this is an even number.
        let length = products.length;
        let limbs = length.bits() / 64;
        let n = self.limbs.len();
        let wanted = 3 * limbs / 2 - n;
        // Short of what would make the last steps of the reciprocal longer than a half and a quarter of m.
        let precision = if wanted < limbs / 2 + LOST { limbs / 2 - LOST } else { wanted };
        let mut power = vec![0; wanted - precision];
        power.extend(power_of_two(&mut CyclicProducts::over(products), &self.limbs, precision));
        let division = DivisionRing::usual(Cow::Borrowed(&self.limbs), linear::bits(&self.limbs));
        let (mut rest, mut scratch) = (vec![0; n], vec![0; division.scratch_words()]);
        division.enter(&mut rest, 0, &power, &mut scratch);
        scratch.resize(scratch_words(length), 0);
        let mut form = vec![0; length.digits()];
        digits::from_limbs(&mut form, &rest, 0, length.digit_bits);
        self.rr = self.product(products, (&form, None), cache_line::aligned(&mut scratch)).into();
    }

    /// `a b / R mod N`, or without b `a^2 / R mod N`, for a < R and b < N; somewhere in the scratch.
    pub(super) fn product<'s>(
        &self,
        products: &Products,
        (a, b): (&[u64], Option<&[u64]>),
        scratch: &'s mut [u64],
    ) -> &'s [u64] {
        let (l, d) = (products.length.digits(), products.length.digit_bits);
        assert!(a.len() == l && b.is_none_or(|b| b.len() == l));
        let (x, rest) = scratch.split_at_mut(6 * l);
        let (kept, rest) = rest.split_at_mut(3 * l);
        let (y, rest) = rest.split_at_mut(6 * l);
        let (low, rest) = rest.split_at_mut(l);
        let q = &mut rest[..l];
        // 1.
        products.multiply((a, b), [&mut *x, &mut *y, &mut *kept]);
        products.lower_half(x, low);
        // 2.
        for (task, x) in x.chunks_exact_mut(l).enumerate() {
            let (i, kind) = of_task(task);
            products.forward_one(i, kind, low, x);
            products.multiply_one(i, kind, [x, &mut []], Some(&self.inverse[task * l..][..l]));
        }
        products.lower_half(x, q);
        // 3.
        let minus = &mut x[3 * l..];
        for (i, x) in minus.chunks_exact_mut(l).enumerate() {
            products.forward_one(i, Wrapping::Negacyclic, q, x);
            let a = &kept[i * l..][..l];
            let others = [&self.spectrum[i * l..][..l], a, if b.is_some() { &y[(3 + i) * l..][..l] } else { a }];
            products.minus_product_one(i, Wrapping::Negacyclic, x, others);
        }
        // A B and q N modulo 2^D - 1.
        let expected = self.sum.map(|modulus| {
            let product = |x: &[u64], y: u64| digits::product_of_sums(digits::digit_sum(x, d), y, d);
            [product(a, digits::digit_sum(b.unwrap_or(a), d)), product(q, modulus)]
        });
        let out = low;
        let whole = products.wrapped(Wrapping::Negacyclic, minus, out);
        let negative = whole
            || if let Some([ab, qn]) = expected {
                // S + q N = A B for a positive t.
                let sum = u128::from(digits::digit_sum(out, d)) + u128::from(qn);
                (sum % u128::from(largest_digit(d))) as u64 != ab
            } else {
                out[l - 1] >> (d - 1) == 1
            };
        if negative {
            // S - (2^m + 1) + N; where S is 2^m the digits are 0, and S - (2^m + 1) is -1 in any case.
            digits::add(out, &self.modulus, d);
            digits::add_small(out, -1, d);
        }
        debug_assert!(out.iter().rev().lt(self.modulus.iter().rev()), "the result is below N");
        out
    }
}
