//! Products by the entries of a matrix, for half-gcd: on rows and Karatsuba, from a length on by transforms.

use super::basecases::with_leaf;
use super::ntt::{self, LongDivisor, MAX_LIMBS, MatrixTransforms, TransformsOn, transforms_on};
use super::product::Leaf;
use super::product::karatsuba;
use crate::error::Error;
use crate::natural::euclid::{GoOn, MatrixProducts, Means};
use crate::natural::{Natural, chores, compare, linear, significant};

/// Limbs of a product from which on transforms are quicker: docs/records/symbols.md.
fn transforms_from() -> usize {
    match transforms_on() {
        TransformsOn::MultiplyAccumulate => 120,
        TransformsOn::Doubles => 300,
        TransformsOn::Words => 450,
    }
}

/// Limbs of a quotient, and of a divisor, from which on a division is a product by a reciprocal.
const RECIPROCALS_FROM: usize = 2500;

/// When to stop, with the products of this module.
pub(crate) fn means(go_on: GoOn<'_>) -> Means<'_> {
    Means { go_on, products: |limbs| Box::new(LongOrShort { limbs, ..LongOrShort::default() }) }
}

#[derive(Debug, Default)]
struct LongOrShort {
    /// Limbs of the longest product.
    limbs: usize,
    entries: [Vec<u64>; 4],
    transforms: Option<MatrixTransforms>,
    /// Whether the transforms have the entries.
    transformed: bool,
    scratch: Vec<u64>,
}

impl MatrixProducts for LongOrShort {
    fn set_matrix(&mut self, entries: [&[u64]; 4], limbs: usize, go_on: GoOn<'_>) -> Result<(), Error> {
        self.transformed = ntt::LINKED && (transforms_from()..=MAX_LIMBS).contains(&limbs);
        if self.transformed {
            let longest = self.limbs;
            let transforms = self.transforms.get_or_insert_with(|| MatrixTransforms::new(longest));
            return transforms.set(entries, limbs, go_on);
        }
        for (to, from) in self.entries.iter_mut().zip(entries) {
            to.clear();
            to.extend_from_slice(from);
        }
        Ok(())
    }

    fn row(&mut self, [x, y]: [&[u64]; 2], go_on: GoOn<'_>) -> Result<[Vec<u64>; 2], Error> {
        if let Some(transforms) = self.transforms.as_mut().filter(|_| self.transformed) {
            return transforms.row([x, y], go_on);
        }
        let Self { entries: [m00, m01, m10, m11], scratch, .. } = self;
        Ok([(m00, m10), (m01, m11)].map(|(m, n)| {
            let (mut p, q) = (product(x, m, scratch), product(y, n, scratch));
            p.resize(p.len().max(q.len()) + 1, 0);
            linear::add_shorter(&mut p, &q);
            p
        }))
    }

    fn solved(&mut self, [x, y]: [&[u64]; 2], go_on: GoOn<'_>) -> Result<[(bool, Vec<u64>); 2], Error> {
        if let Some(transforms) = self.transforms.as_mut().filter(|_| self.transformed) {
            return transforms.solved([x, y], go_on);
        }
        let Self { entries: [m00, m01, m10, m11], scratch, .. } = self;
        Ok([[(x, m11), (y, m01)], [(y, m00), (x, m10)]].map(|terms| {
            let [p, q] = terms.map(|(x, m)| product(x, m, scratch));
            let less = compare(significant(&p), significant(&q)).is_lt();
            let (mut from, less_by) = if less { (q, p) } else { (p, q) };
            let by = significant(&less_by);
            linear::sub_shorter(&mut from, by);
            (less, from)
        }))
    }

    fn div_rem(&mut self, dividend: &Natural, divisor: &Natural) -> (Natural, Natural) {
        let (n, m) = (dividend.limbs().len(), divisor.limbs().len());
        let quotient = (n + 1).saturating_sub(m);
        if !ntt::LINKED || quotient.min(m) < RECIPROCALS_FROM || 2 * (quotient + 3) > MAX_LIMBS {
            return chores::div_rem(dividend, divisor);
        }
        let (quotient, rest) = LongDivisor::new(divisor.limbs(), n).div_rem(dividend.limbs());
        (Natural::from_limbs(&quotient), Natural::from_limbs(&rest))
    }

    fn mul(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let limbs = a.len() + b.len();
        if ntt::LINKED && a.len().min(b.len()) >= transforms_from() / 2 {
            return ntt::product(&mut *ntt::long_products(limbs), a, b);
        }
        product(a, b, &mut self.scratch)
    }
}

/// a b, with `a.len() + b.len()` limbs: the longer one in pieces as long as the other.
fn product(a: &[u64], b: &[u64], scratch: &mut Vec<u64>) -> Vec<u64> {
    with_leaf!(leaf => product_on(a, b, leaf, scratch))
}

fn product_on(a: &[u64], b: &[u64], leaf: impl Leaf<u64>, scratch: &mut Vec<u64>) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    let (mut long, mut short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut part = Vec::new();
    let mut at = 0;
    while !short.is_empty() {
        let n = short.len();
        part.resize(2 * n, 0);
        let words = karatsuba::scratch_words(n, leaf.words());
        scratch.resize(scratch.len().max(words), 0);
        while long.len() >= n {
            let (piece, rest) = long.split_at(n);
            karatsuba::mul(&mut part[..2 * n], piece, short, leaf, scratch);
            linear::add_shorter(&mut out[at..], &part[..2 * n]);
            (at, long) = (at + n, rest);
        }
        // The last piece is shorter than the other number.
        (long, short) = (short, long);
    }
    out
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/matrix_products.rs"]
mod tests;
