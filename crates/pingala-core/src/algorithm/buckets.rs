//! Buckets: products of the factors that will be raised to the same power.

use super::program::issue;
use super::{IndependentProduct, Monoid, Register};
use crate::algorithm::real::powf;
use alloc::vec;
use alloc::vec::Vec;

/// Products into buckets, put into rounds of independent ones.
///
/// The factors of a bucket commute, so the round of a product is the number of those that went into the same bucket
/// before it. Buckets are taken in segments that a cache holds, one after the other with all their rounds: if there are
/// many buckets, most of the time would otherwise be spent on waiting for memory.
#[derive(Debug)]
pub(super) struct BucketRounds {
    /// Products that wait, by segments of buckets.
    segments: Vec<Vec<IndependentProduct>>,
    /// How many of those of one segment went into each bucket so far.
    before: Vec<usize>,
    rounds: Vec<Vec<IndependentProduct>>,
    /// The register of the first bucket.
    first: usize,
}

/// Buckets of a segment.
const SEGMENT: usize = 512;

impl BucketRounds {
    /// For `buckets` buckets from register `first` on.
    pub fn new(first: usize, buckets: usize) -> Self {
        let segments = vec![Vec::new(); buckets.div_ceil(SEGMENT)];
        Self { segments, before: vec![0; SEGMENT.min(buckets)], rounds: Vec::new(), first }
    }

    /// Puts bucket <- bucket * factor into its round.
    pub fn insert(&mut self, bucket: Register, factor: Register) {
        let segment = (bucket.0 - self.first) / SEGMENT;
        self.segments[segment].push(IndependentProduct { out: bucket, a: bucket, b: factor });
    }

    /// Has all products done that wait.
    pub fn issue<M: Monoid>(&mut self, monoid: &mut M) {
        for segment in self.segments.iter_mut().filter(|segment| !segment.is_empty()) {
            self.before.fill(0);
            for product in segment.drain(..) {
                let before = &mut self.before[(product.out.0 - self.first) % SEGMENT];
                if self.rounds.len() == *before {
                    self.rounds.push(Vec::new());
                }
                self.rounds[*before].push(product);
                *before += 1;
            }
            for round in self.rounds.iter_mut().take_while(|round| !round.is_empty()) {
                monoid.mul_each(round);
                round.clear();
            }
        }
    }
}

/// A row of buckets B_0, B_1, ... in registers that follow each other, some of them empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct BucketRow<'a> {
    /// The register of B_0.
    pub first: usize,
    /// Which buckets hold something.
    pub filled: &'a [bool],
}

/// The powers that the buckets of a row stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BucketWeights {
    /// B_i counts i + 1 times.
    All,
    /// B_i counts 2i + 1 times.
    Odd,
}

/// For each row the product of its buckets, each raised to its weight; `None` for a row of empty ones. The rows run side
/// by side, and the products take the place of buckets.
///
/// With the suffix products S_i = B_i * B_(i+1) * ..., the product over B_i^(i+1) is that over all S_i, and the one over
/// B_i^(2i+1) is S_0 times the square of that over S_1, S_2, ...
pub(super) fn aggregate<M: Monoid>(
    monoid: &mut M,
    rows: &[BucketRow<'_>],
    weights: BucketWeights,
) -> Vec<Option<Register>> {
    let tops: Vec<Option<usize>> = rows.iter().map(|row| row.filled.iter().rposition(|&filled| filled)).collect();
    // The suffix product and the product of the suffix products of each row: both start as the highest bucket.
    let mut suffix: Vec<Option<Register>> = vec![None; rows.len()];
    let mut total = suffix.clone();
    let mut round = Vec::with_capacity(rows.len());
    for index in (0..tops.iter().flatten().max().map_or(0, |top| top + 1)).rev() {
        for (row, suffix) in rows.iter().zip(&mut suffix) {
            if row.filled.get(index) == Some(&true) {
                let out = Register(row.first + index);
                if let Some(above) = suffix.replace(out) {
                    round.push(IndependentProduct { out, a: out, b: above });
                }
            }
        }
        issue(monoid, &mut round);
        let last = index == 0 && weights == BucketWeights::Odd;
        for (row, (&suffix, total)) in rows.iter().zip(suffix.iter().zip(&mut total)) {
            let Some(suffix) = suffix else { continue };
            match *total {
                None => *total = Some(suffix),
                Some(sum) => {
                    // While both are the highest bucket, the register of this index is free.
                    let out = if sum == suffix { Register(row.first + index) } else { sum };
                    round.push(IndependentProduct { out, a: sum, b: if last { sum } else { suffix } });
                    *total = Some(out);
                }
            }
        }
        issue(monoid, &mut round);
        if last {
            for ((&top, suffix), total) in tops.iter().zip(&suffix).zip(&total) {
                if let (Some(1..), Some(suffix), Some(total)) = (top, *suffix, *total) {
                    round.push(IndependentProduct { out: total, a: total, b: suffix });
                }
            }
            issue(monoid, &mut round);
        }
    }
    total
}

/// The expected index of the highest filled bucket among `buckets`, of which each of `insertions` independent products
/// picks one, all with the same probability: the sum of 1 - (i / `buckets`)^`insertions` over i = 1 .. buckets - 1.
///
/// With few insertions the sum of powers is summed by Euler and Maclaurin, with many its terms soon vanish.
pub(super) fn expected_top(buckets: f64, insertions: f64) -> f64 {
    let below = if insertions <= buckets && buckets > 8.0 {
        buckets / (insertions + 1.0) - 0.5 + insertions / (12.0 * buckets)
    } else {
        let chances = (1..buckets as u32).rev().map(|index| powf(f64::from(index) / buckets, insertions));
        chances.take_while(|&chance| chance > 1e-9).sum()
    };
    buckets - 1.0 - below
}

#[cfg(test)]
#[path = "../../tests/inside/algorithm/buckets.rs"]
mod tests;
