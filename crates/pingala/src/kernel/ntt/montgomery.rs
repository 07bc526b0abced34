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
use super::instructions::Instructions;
use super::length::Length;
use super::product::CyclicProducts;
use super::products::{Products, of_task};
use super::recombine::CrtWeights;
use super::ring::NttRing;
use super::transform::Wrapping;
use super::two_adic;
use crate::kernel::short::ShortFactor;
use crate::natural::linear;
use std::sync::Arc;

impl NttRing {
    /// The ring, without R^2 mod N, of an odd modulus that has no zero limbs on top and that fits the length.
    pub(super) fn unprepared(field: Instructions, limbs: Box<[u64]>, length: Length) -> Self {
        let (l, d) = (length.digits(), length.digit_bits);
        let products = Arc::new(Products::new(field, length));
        let mut modulus = vec![0; l].into_boxed_slice();
        digits::from_limbs(&mut modulus, &limbs, 0, d);
        let sum = (modulus[l - 1] >> (d - 1) == 1).then(|| digits::digit_sum(&modulus, d));
        let weights = CrtWeights::new(field, length);
        let mut cyclic = CyclicProducts::over(field, length, products.clone(), weights.clone());
        let mut inverse_digits = vec![0; l];
        digits::from_limbs(&mut inverse_digits, &two_adic::inverse(&mut cyclic, &limbs, length.bits() / 64), 0, d);
        let [mut inverse, mut spectrum] = [6, 3].map(|parts| vec![0; parts * l].into_boxed_slice());
        let parts = inverse.chunks_exact_mut(l).chain(spectrum.chunks_exact_mut(l));
        for (task, part) in parts.enumerate() {
            // The last three are modulo x^L + 1 as well.
            let number = if task < 6 { &*inverse_digits } else { &*modulus };
            let (i, kind) = of_task(task);
            products.forward_one(i, length, kind, number, part);
            products.reduce_one(i, part);
        }
        let short = ShortFactor::of_public_bits(&limbs, linear::bits(&limbs));
        Self { length, field, weights, products, limbs, short, modulus, sum, spectrum, inverse, rr: Box::default() }
    }

    /// `a b / R mod N`, or without b `a^2 / R mod N`, for a < R and b < N; somewhere in the scratch.
    pub(super) fn product<'s>(&self, a: &[u64], b: Option<&[u64]>, scratch: &'s mut [u64]) -> &'s [u64] {
        let Self { length, products, weights, .. } = self;
        let (length, l, d) = (*length, length.digits(), length.digit_bits);
        assert!(a.len() == l && b.is_none_or(|b| b.len() == l));
        let (x, rest) = scratch.split_at_mut(6 * l);
        let (kept, rest) = rest.split_at_mut(3 * l);
        let (y, rest) = rest.split_at_mut(6 * l);
        let (low, rest) = rest.split_at_mut(l);
        let q = &mut rest[..l];
        // 1.
        products.multiply(length, (a, b), [&mut *x, &mut *y, &mut *kept]);
        products.lower_half(length, weights, x, low);
        // 2.
        for (task, x) in x.chunks_exact_mut(l).enumerate() {
            let (i, kind) = of_task(task);
            products.forward_one(i, length, kind, low, x);
            products.multiply_one(i, length, kind, [x, &mut []], Some(&self.inverse[task * l..][..l]));
        }
        products.lower_half(length, weights, x, q);
        // 3.
        let minus = &mut x[3 * l..];
        for (i, x) in minus.chunks_exact_mut(l).enumerate() {
            products.forward_one(i, length, Wrapping::Negacyclic, q, x);
            let a = &kept[i * l..][..l];
            let others = [&self.spectrum[i * l..][..l], a, if b.is_some() { &y[(3 + i) * l..][..l] } else { a }];
            products.minus_product_one(i, length, Wrapping::Negacyclic, x, others);
        }
        // A B and q N modulo 2^D - 1.
        let expected = self.sum.map(|modulus| {
            let product = |x: &[u64], y: u64| digits::product_of_sums(digits::digit_sum(x, d), y, d);
            [product(a, digits::digit_sum(b.unwrap_or(a), d)), product(q, modulus)]
        });
        let out = low;
        let whole = products.wrapped(length, weights, minus, Wrapping::Negacyclic, out);
        let negative = whole
            || if let Some([ab, qn]) = expected {
                // S + q N = A B for a positive t.
                let sum = u128::from(digits::digit_sum(out, d)) + u128::from(qn);
                (sum % u128::from(digits::largest(d))) as u64 != ab
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
