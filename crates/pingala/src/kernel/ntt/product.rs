//! Products of long natural numbers, for what is not modular: text, division.

use super::digits::{self, Sign};
use super::field::Field;
use super::length::Length;
use super::products::Products;
use super::recombine::CrtWeights;
use super::scalar::Scalar;
use super::transform::Wrapping;
use core::fmt::Debug;

/// Makes products of natural numbers of limited length: the transforms of that length, kept for any number of them.
pub(crate) trait LongProducts: Debug + Send + Sync {
    /// `out = a b`, limbs least significant first. `out` has as many limbs as a and b together, at most as many as these products were
    /// made for.
    fn multiply(&self, out: &mut [u64], a: &[u64], b: &[u64]);
}

#[derive(Debug)]
struct Cyclic<F: Field> {
    length: Length,
    products: Products<F>,
    weights: CrtWeights,
}

impl<F: Field> Cyclic<F> {
    fn new(field: F, limbs: usize) -> Self {
        let length = Length::of_bits(64 * limbs);
        Self { length, products: Products::new(field, length), weights: CrtWeights::new::<F>(length) }
    }
}

impl<F: Field> LongProducts for Cyclic<F> {
    /// Modulo 2^(DL) - 1, which a b is below: three transforms, two for a square.
    fn multiply(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let (length, l) = (self.length, self.length.digits());
        assert!(out.len() == a.len() + b.len() && 64 * out.len() <= length.bits(), "the product fits");
        let mut room = vec![0; 7 * l];
        let (digits, rest) = room.split_at_mut(l);
        let (x, y) = rest.split_at_mut(3 * l);
        digits::from_limbs(digits, a, 0, length.digit_bits);
        self.products.forward(length, Wrapping::Cyclic, digits, x);
        let square = a == b;
        if !square {
            digits::from_limbs(digits, b, 0, length.digit_bits);
            self.products.forward(length, Wrapping::Cyclic, digits, y);
        }
        self.products.multiply(length, Wrapping::Cyclic, x, (!square).then_some(&*y));
        self.products.wrapped(length, &self.weights, x, Sign::Plus, digits);
        digits::to_limbs(out, digits, length.digit_bits);
    }
}

/// Products of up to so many limbs, at most [`super::MAX_LIMBS`], on the quickest instructions that this CPU has.
pub(crate) fn long_products(limbs: usize) -> Box<dyn LongProducts> {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(ops) = crate::kernel::row::avx512::Ifma::new() {
            return Box::new(Cyclic::new(super::eight::Eight(ops), limbs));
        }
        if let Some(ops) = super::avx2::Avx2::new() {
            return Box::new(Cyclic::new(super::doubles::Doubles(ops), limbs));
        }
    }
    Box::new(Cyclic::new(Scalar, limbs))
}
