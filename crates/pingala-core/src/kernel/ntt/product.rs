//! Products of long natural numbers modulo 2^m - 1: for text, for reciprocals and inverses, and for the set-up of rings.

use super::digits;
use super::instructions::Instructions;
use super::length::{Length, MAX_LIMBS, ODD_FACTORS};
use super::products::Products;
use super::transform::Wrapping;
use crate::natural::linear;
use core::fmt::Debug;

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
    tables: [Option<Products>; ODD_FACTORS.len()],
    /// How many quarters of the shortest length a length with tables may have. Tables take as long as five transforms.
    slack: usize,
    /// Those of the length of the factor, once there is one.
    now: Option<Products>,
    spectrum: Vec<u64>,
    /// Digits, then the transform of a number.
    room: Vec<u64>,
}

impl CyclicProducts {
    /// For products of `limbs` limbs; longer ones may make tables twice.
    pub(super) fn new(field: Instructions, limbs: usize) -> Self {
        let most = Length::of_bits(64 * limbs.min(MAX_LIMBS)).digits();
        let tables = [const { None }; ODD_FACTORS.len()];
        Self { field, most, tables, slack: 5, now: None, spectrum: Vec::new(), room: Vec::new() }
    }

    /// With the tables of these products, for a ring whose products are not longer.
    pub(super) fn over(products: &Products) -> Self {
        let mut all = Self::new(products.field, 0);
        all.tables[place(products.length)] = Some(products.clone());
        (all.most, all.slack) = (0, 7);
        all
    }

    /// The shortest length, or one with tables that is not much longer.
    fn choose(&self, bits: usize) -> Length {
        let shortest = Length::of_bits(bits);
        let known = |tables: &Products| {
            let length = Length::of_bits_and_odd(bits, tables.length.odd)?;
            let serves = tables.length.log >= length.log;
            (serves && 4 * length.digits() <= self.slack * shortest.digits()).then_some(length)
        };
        self.tables.iter().flatten().filter_map(known).min_by_key(|length| length.digits()).unwrap_or(shortest)
    }

    /// Chooses the length of products of `limbs` limbs and makes its tables and its room.
    pub(super) fn set_length(&mut self, limbs: usize) {
        let length = self.choose(64 * limbs);
        let tables =
            self.tables[place(length)].take().filter(|tables| tables.length.log >= length.log).unwrap_or_else(|| {
                // Lengths that double, as they do in divide and conquer, make tables at every third step.
                let mut longest = length;
                while 2 * longest.digits() <= self.most.min(8 * length.digits()) {
                    longest.log += 1;
                }
                Products::new(self.field, longest)
            });
        let now = self.now.take().filter(|now| now.length == length).unwrap_or_else(|| tables.shorter(length));
        self.tables[place(length)] = Some(tables);
        self.now = Some(now);
    }

    /// The products of the length that was chosen last.
    pub(super) fn now(&self) -> &Products {
        let Some(products) = &self.now else { unreachable!("a length was set") };
        products
    }

    /// `out = a b` for the factor b, or a^2.
    fn multiply(&mut self, out: &mut [u64], a: &[u64], squared: bool) {
        let Some(products) = &self.now else { unreachable!("a length was set") };
        let length = products.length;
        let l = length.digits();
        self.room.resize(self.room.len().max(4 * l), 0);
        let (digits, x) = self.room[..4 * l].split_at_mut(l);
        assert!(64 * a.len().max(out.len()) <= length.bits(), "no longer than the product");
        digits::from_limbs(digits, a, 0, length.digit_bits);
        for (i, x) in x.chunks_exact_mut(l).enumerate() {
            products.forward_one(i, Wrapping::Cyclic, digits, x);
            let factor = (!squared).then(|| &self.spectrum[i * l..][..l]);
            products.multiply_one(i, Wrapping::Cyclic, [x, &mut []], factor);
        }
        products.wrapped(Wrapping::Cyclic, x, digits);
        digits::to_limbs(out, digits, length.digit_bits);
    }
}

/// The place of tables for a length, by its odd factor.
fn place(length: Length) -> usize {
    ODD_FACTORS.iter().position(|&odd| odd == length.odd).expect("an odd factor of lengths")
}

impl LongProducts for CyclicProducts {
    fn set_factor(&mut self, b: &[u64], limbs: usize) {
        debug_assert!(b.len() <= limbs);
        self.set_length(limbs);
        let Some(products) = &self.now else { unreachable!("a length was set") };
        let l = products.length.digits();
        self.spectrum.resize(3 * l, 0);
        self.room.resize(self.room.len().max(4 * l), 0);
        let digits = &mut self.room[..l];
        digits::from_limbs(digits, b, 0, products.length.digit_bits);
        for (i, part) in self.spectrum.chunks_exact_mut(l).enumerate() {
            products.forward_one(i, Wrapping::Cyclic, digits, part);
            products.reduce_one(i, part);
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
        self.now.as_ref().map_or(0, |now| now.length.bits() / 64)
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
        match instructions.log {
            3 => Self::MultiplyAccumulate,
            2 => Self::Doubles,
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
