//! Powers that all take the same steps, so they can run in lanes.

use super::buckets::GrowingProduct;
use crate::algorithm::{AHEAD, BASE, Monoid, Register};
use alloc::vec::Vec;

/// A power in rounds: the product so far is squared, then multiplied by an entry, or by nothing, in each step of the round.
/// All powers of one table have the same rounds and steps; which entries they take is their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Steps of a round, at least 1.
    pub per_round: usize,
    /// Round by round the entry of each step, none for a factor of 1.
    pub steps: Vec<Option<Register>>,
}

impl Rounds {
    /// One power by itself: nothing multiplies 1.
    pub(in crate::algorithm) fn run<M: Monoid>(&self, work: Register, monoid: &mut M) -> Register {
        let entries =
            self.steps.iter().enumerate().filter_map(|(step, entry)| Some((step / self.per_round, (*entry)?)));
        let (mut entries, mut later) = (entries.clone().peekable(), entries.skip(AHEAD));
        let mut product = GrowingProduct::new(work);
        let mut last = 0;
        while let Some((round, entry)) = entries.next() {
            if let Some(&(_, next)) = entries.peek() {
                monoid.announce(next);
            }
            if let Some((_, far)) = later.next() {
                monoid.prefetch(far);
            }
            product.square(round - last, monoid);
            product.times(entry, monoid);
            last = round;
        }
        product.square((self.steps.len() - 1) / self.per_round - last, monoid);
        product.at().unwrap_or(work)
    }
}

/// Powers side by side: `steps` has a digit for each step, the number of the entry in each lane or, for a factor of 1,
/// `entries`; none where all lanes have 1. Registers from `entries` on are written: 1, the powers, and their next factors.
///
/// Count: one product for each step that is there, less one; one squaring for each round behind the first of them.
pub fn rounds_side_by_side<M: Monoid>(
    entries: usize,
    per_round: usize,
    steps: &[Option<M::Digit>],
    monoid: &mut M,
) -> Register {
    let (one, power, factor) = (Register(entries), Register(entries + 1), Register(entries + 2));
    let mut at = None;
    monoid.one(one);
    for (step, digit) in steps.iter().enumerate() {
        if let Some(Some(far)) = steps.get(step + 1) {
            monoid.prefetch_digit(BASE, *far);
        }
        let (round, Some(digit)) = (step / per_round, *digit) else { continue };
        match at.replace(round) {
            None => monoid.select(power, BASE, entries + 1, digit),
            Some(last) => {
                if round > last {
                    monoid.sqr_n(power, power, round - last);
                }
                monoid.select(factor, BASE, entries + 1, digit);
                monoid.mul(power, power, factor);
            }
        }
    }
    let rest = at.map_or(0, |last| (steps.len() - 1) / per_round - last);
    if rest > 0 {
        monoid.sqr_n(power, power, rest);
    }
    if at.is_some() { power } else { one }
}
