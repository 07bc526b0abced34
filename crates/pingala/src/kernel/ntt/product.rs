//! Products of long natural numbers modulo 2^m - 1: for text, for reciprocals and inverses, and for the set-up of rings.

use super::digits;
use super::instructions::Instructions;
use super::length::{Length, MAX_LIMBS, ODD_FACTORS};
use super::products::Products;
use super::recombine::CrtWeights;
use super::transform::Wrapping;
use crate::natural::linear;
use core::fmt::Debug;
use std::sync::Arc;

/// Products by one factor after the other. Tables and memory are kept for the next.
pub(crate) trait LongProducts: Debug {
    /// Products by b modulo 2^m - 1 from now on, for an m of at least 64 `limbs`; b is no longer. `limbs` is at most [`MAX_LIMBS`], or the
    /// length of a ring that these products are for.
    ///
    /// Count: a transform, and perhaps tables, which take as long as five.
    fn set_factor(&mut self, b: &[u64], limbs: usize);

    /// `out` = the lowest limbs of a b modulo 2^m - 1, least significant first, at most those of m bits. If a b is longer than m bits,
    /// what is above them is added at the bottom. A product above 0 gives no 0.
    ///
    /// Count: a transform of a and one of the product.
    fn times(&mut self, out: &mut [u64], a: &[u64]);

    /// Makes the tables of products of `limbs` limbs, at most [`MAX_LIMBS`], now: many shorter products can take them, and tables for the
    /// others are as short as possible.
    fn foresee(&mut self, limbs: usize);

    /// The limbs of such a product, m / 64, until the next factor is set.
    fn limbs(&self) -> usize;

    /// `out = a^2` in the same way, modulo 2^m - 1 for an m of at least 64 `limbs`; no factor is set afterwards.
    ///
    /// Count: a transform of a and one of the square, and perhaps tables.
    fn square(&mut self, out: &mut [u64], a: &[u64], limbs: usize);
}

/// Products on one instruction family.
#[derive(Debug)]
pub(super) struct CyclicProducts {
    field: Instructions,
    /// Digits of the longest product that is foreseen without tables.
    most: usize,
    /// By odd factor of the length.
    tables: [Option<(Length, Arc<Products>)>; ODD_FACTORS.len()],
    /// How many quarters of the shortest length a length with tables may have. Tables take as long as five transforms.
    slack: usize,
    /// Of the factor.
    pub(super) length: Length,
    place: usize,
    weights: CrtWeights,
    spectrum: Vec<u64>,
    /// Digits, then the transform of a number.
    room: Vec<u64>,
}

impl CyclicProducts {
    /// For products of `limbs` limbs; longer ones may make tables twice.
    pub(super) fn new(field: Instructions, limbs: usize) -> Self {
        let length = Length::of_bits(64 * limbs.min(MAX_LIMBS));
        Self::with_weights(field, length, CrtWeights::new(field, length))
    }

    /// With the tables of this length, for a ring whose products are not longer.
    pub(super) fn over(field: Instructions, length: Length, tables: Arc<Products>, weights: CrtWeights) -> Self {
        let mut products = Self::with_weights(field, length, weights);
        let place = ODD_FACTORS.iter().position(|&odd| odd == length.odd).unwrap_or_default();
        products.tables[place] = Some((length, tables));
        products.most = 0;
        products.slack = 7;
        products
    }

    fn with_weights(field: Instructions, length: Length, weights: CrtWeights) -> Self {
        Self {
            field,
            most: length.digits(),
            tables: [const { None }; ODD_FACTORS.len()],
            length,
            place: 0,
            weights,
            slack: 5,
            spectrum: Vec::new(),
            room: Vec::new(),
        }
    }

    /// A length with its place among the tables: the shortest one, or one with tables that is not much longer.
    fn choose(&self, bits: usize) -> (usize, Length) {
        let of_place = |place: usize| Some((place, Length::of_bits_and_odd(bits, ODD_FACTORS[place])?));
        let all = || (0..ODD_FACTORS.len()).filter_map(of_place);
        let by_digits = |choice: &(usize, Length)| choice.1.digits();
        let shortest = all().min_by_key(by_digits).unwrap_or((0, Length::of_bits(bits)));
        let known = |(place, length): &(usize, Length)| {
            let has = self.tables[*place].as_ref().is_some_and(|(tables, _)| tables.log >= length.log);
            has && 4 * length.digits() <= self.slack * shortest.1.digits()
        };
        all().filter(known).min_by_key(by_digits).unwrap_or(shortest)
    }

    /// Chooses the length of products of `limbs` limbs and makes its tables and its room.
    fn set_length(&mut self, limbs: usize) {
        let (place, length) = self.choose(64 * limbs);
        let table = &mut self.tables[place];
        if table.as_ref().is_none_or(|(tables, _)| tables.log < length.log) {
            // Lengths that double, as they do in divide and conquer, make tables at every third step.
            let mut longest = length;
            while 2 * longest.digits() <= self.most.min(8 * length.digits()) {
                longest.log += 1;
            }
            *table = Some((longest, Arc::new(Products::new(self.field, longest))));
        }
        if length != self.length {
            self.weights = CrtWeights::new(self.field, length);
        }
        (self.place, self.length) = (place, length);
        self.room.resize(self.room.len().max(4 * length.digits()), 0);
    }

    /// `out = a b` for the factor b, or a^2.
    fn multiply(&mut self, out: &mut [u64], a: &[u64], squared: bool) {
        let length = self.length;
        let Some((_, products)) = &self.tables[self.place] else { unreachable!("a length was set") };
        let l = length.digits();
        let (digits, x) = self.room[..4 * l].split_at_mut(l);
        assert!(64 * a.len().max(out.len()) <= length.bits(), "no longer than the product");
        digits::from_limbs(digits, a, 0, length.digit_bits);
        for (i, x) in x.chunks_exact_mut(l).enumerate() {
            products.forward_one(i, length, Wrapping::Cyclic, digits, x);
            let factor = (!squared).then(|| &self.spectrum[i * l..][..l]);
            products.multiply_one(i, length, Wrapping::Cyclic, [x, &mut []], factor);
        }
        products.wrapped(length, &self.weights, x, Wrapping::Cyclic, digits);
        digits::to_limbs(out, digits, length.digit_bits);
    }
}

impl LongProducts for CyclicProducts {
    fn set_factor(&mut self, b: &[u64], limbs: usize) {
        debug_assert!(b.len() <= limbs);
        self.set_length(limbs);
        let (place, length) = (self.place, self.length);
        let l = length.digits();
        self.spectrum.resize(3 * l, 0);
        let digits = &mut self.room[..l];
        digits::from_limbs(digits, b, 0, length.digit_bits);
        if let Some((_, products)) = &self.tables[place] {
            for (i, part) in self.spectrum.chunks_exact_mut(l).enumerate() {
                products.forward_one(i, length, Wrapping::Cyclic, digits, part);
                products.reduce_one(i, part);
            }
        }
    }

    fn times(&mut self, out: &mut [u64], a: &[u64]) {
        self.multiply(out, a, false);
    }

    fn foresee(&mut self, limbs: usize) {
        self.set_length(limbs);
        self.most = 0;
    }

    fn limbs(&self) -> usize {
        // Lengths are multiples of 64 digits.
        self.length.bits() / 64
    }

    fn square(&mut self, out: &mut [u64], a: &[u64], limbs: usize) {
        self.set_length(limbs);
        self.multiply(out, a, true);
    }
}

/// The instructions that [`long_products`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransformsOn {
    /// Vectors of 52-bit multiply-accumulate.
    MultiplyAccumulate,
    /// Doubles with fused multiply-add.
    Doubles,
    /// Words.
    Words,
}

/// The quickest instructions that this CPU has for transforms.
pub(crate) fn transforms_on() -> TransformsOn {
    Instructions::quickest().into()
}

impl From<Instructions> for TransformsOn {
    fn from(instructions: Instructions) -> Self {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Ifma(_) => Self::MultiplyAccumulate,
            #[cfg(target_arch = "x86_64")]
            Instructions::Fma(_) => Self::Doubles,
            _ => Self::Words,
        }
    }
}

/// For products of up to `limbs` limbs, on the quickest instructions that this CPU has.
pub(crate) fn long_products(limbs: usize) -> Box<dyn LongProducts> {
    Box::new(CyclicProducts::new(Instructions::quickest(), limbs))
}

/// a b, with `a.len() + b.len()` limbs. Above [`MAX_LIMBS`] by pieces: quadratic in their number.
pub(crate) fn product(products: &mut dyn LongProducts, a: &[u64], b: &[u64]) -> Vec<u64> {
    product_by_pieces(products, a, b, MAX_LIMBS / 2)
}

pub(super) fn product_by_pieces(products: &mut dyn LongProducts, a: &[u64], b: &[u64], most: usize) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    let mut part = Vec::new();
    for (j, b) in b.chunks(most).enumerate() {
        products.set_factor(b, b.len() + a.len().min(most));
        for (i, a) in a.chunks(most).enumerate() {
            part.resize(a.len() + b.len(), 0);
            products.times(&mut part, a);
            linear::add_shorter(&mut out[(i + j) * most..], &part);
        }
    }
    out
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/ntt_product.rs"]
mod tests;
