//! Products of table entries, sorted by their digits.

use crate::algorithm::{AHEAD, Monoid, Register};
use alloc::vec;
use alloc::vec::Vec;

/// Entries of a table in buckets by digit, linked: filled in any order, emptied by bucket.
#[derive(Debug)]
pub struct Buckets {
    /// The entry put last into each bucket, plus 1.
    last: Vec<u32>,
    /// For each entry the one that was put there before it, plus 1.
    before: Vec<u32>,
}

impl Buckets {
    /// Empty buckets for a table of `entries` entries.
    pub fn new(buckets: usize, entries: usize) -> Self {
        Self { last: vec![0; buckets], before: vec![0; entries] }
    }

    /// Each entry goes into one bucket at most.
    pub fn put(&mut self, bucket: usize, entry: usize) {
        self.before[entry] = self.last[bucket];
        self.last[bucket] = entry as u32 + 1;
    }

    /// The highest bucket that is not empty.
    pub fn top(&self) -> Option<usize> {
        self.last.iter().rposition(|&last| last > 0)
    }

    fn entries(&self, bucket: usize) -> impl Iterator<Item = Register> {
        let step = |entry: u32| entry.checked_sub(1);
        core::iter::successors(step(self.last[bucket]), move |&entry| step(self.before[entry as usize]))
            .map(|entry| Register(entry as usize))
    }
}

/// A product that grows in a register of its own; a product of one factor is in that factor's register.
#[derive(Debug)]
pub struct GrowingProduct {
    at: Option<Register>,
    into: Register,
}

impl GrowingProduct {
    /// The empty product, which is not 1 but nothing.
    pub fn new(into: Register) -> Self {
        Self { at: None, into }
    }

    /// Multiplies by a factor: no product for the first one.
    #[inline]
    pub fn times<M: Monoid>(&mut self, factor: Register, monoid: &mut M) {
        if let Some(at) = self.at {
            monoid.mul(self.into, at, factor);
        }
        self.at = Some(if self.at.is_some() { self.into } else { factor });
    }

    /// Squares it `count` times; the empty product stays what it is.
    #[inline]
    pub fn square<M: Monoid>(&mut self, count: usize, monoid: &mut M) {
        if let Some(at) = self.at.filter(|_| count > 0) {
            monoid.sqr_n(self.into, at, count);
            self.at = Some(self.into);
        }
    }

    /// Multiplies by every entry of a bucket.
    #[inline]
    pub fn times_bucket<M: Monoid>(&mut self, buckets: &Buckets, bucket: usize, monoid: &mut M) {
        let mut entries = buckets.entries(bucket).peekable();
        let mut later = buckets.entries(bucket).skip(AHEAD);
        while let Some(entry) = entries.next() {
            if let Some(far) = later.next() {
                monoid.prefetch(far);
            }
            if let Some(&next) = entries.peek() {
                monoid.announce(next);
            }
            self.times(entry, monoid);
        }
    }

    /// Its register.
    pub fn at(&self) -> Option<Register> {
        self.at
    }
}

/// The product over all buckets j >= 1 of (the product of the bucket)^j, in `powers`, and the product of these buckets, in
/// `running`: with B the product of the buckets down to j, A <- A * B for each j from `top` >= 1 down to 1.
///
/// With k entries in these buckets: k - 1 products for B, top - 1 for A.
pub fn weighted_product<M: Monoid>(
    buckets: &Buckets,
    top: usize,
    powers: Register,
    running: Register,
    monoid: &mut M,
) -> (Register, GrowingProduct) {
    let mut product = GrowingProduct::new(running);
    let mut result = running;
    for bucket in (1..=top).rev() {
        buckets.entries(bucket - 1).take(AHEAD).for_each(|far| monoid.prefetch(far));
        product.times_bucket(buckets, bucket, monoid);
        let Some(at) = product.at() else { continue };
        if bucket == top {
            result = at;
            // The running product stays in its register, so that its first value moves away from there.
            if top > 1 || at == running {
                monoid.copy(powers, at);
                result = powers;
            }
        } else {
            if let Some(next) = buckets.entries(bucket - 1).next() {
                monoid.announce(next);
            }
            monoid.mul(result, result, at);
        }
    }
    (result, product)
}
