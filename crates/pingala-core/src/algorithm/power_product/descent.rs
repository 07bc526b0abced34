//! One run of squarings for all bases, from the top bit down, with a product for each factor at its bit.
//!
//! Lemmas: Recoding.descend_value, Recoding.pair_of_one_bit (proofs/README.md).

use crate::algorithm::fixed_base::GrowingProduct;
use crate::algorithm::{IndependentProduct, Monoid, Register};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

/// A table entry to be multiplied in when the accumulator stands at bit `bit`: the product gets entry^(2^bit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Due {
    pub bit: usize,
    pub factor: Register,
}

/// Factors that are looked at together, so that a monoid gets independent products: the bits of the positions that
/// together hold about this number of digits of all exponents.
const TOGETHER: usize = 512;

fn block_bits(count: usize) -> usize {
    (TOGETHER / count).clamp(1, 64)
}

/// Registers that [`descend`] needs behind the tables of `count` exponents: the accumulator, and one for each two
/// factors of a block.
pub(super) fn registers(count: usize) -> usize {
    1 + (count * block_bits(count)).div_ceil(2)
}

/// Multiplies all factors together, each raised to its power of 2, by one run of squarings. `first` is the first of
/// [`registers`] free registers. `recoded` reads the exponents from the top bit down: it appends what falls due at the bits of a range,
/// in any order; the ranges of successive calls descend without gaps to bit 0.
///
/// The factors of one bit are multiplied in pairs first, those of a block of bits side by side: the same number of products as one
/// after the other, but most of them independent.
pub(super) fn descend<M: Monoid>(
    monoid: &mut M,
    mut recoded: impl FnMut(Range<usize>, &mut Vec<Due>),
    max_bits: usize,
    count: usize,
    first: Register,
) -> Register {
    let accumulator = first;
    let (mut product, mut position) = (GrowingProduct::new(accumulator), max_bits);
    let (mut round, mut kept) = (Vec::new(), Vec::new());
    let (block, mut due) = (block_bits(count), Vec::new());
    for index in (0..max_bits.div_ceil(block)).rev() {
        due.clear();
        recoded(index * block..(index + 1) * block, &mut due);
        // The highest bit first.
        due.sort_unstable_by_key(|due| Reverse(due.bit));
        let mut free = first.0 + 1;
        loop {
            round.clear();
            kept.clear();
            let mut rest = due.iter().copied().peekable();
            while let Some(mut one) = rest.next() {
                if let Some(other) = rest.next_if(|other| other.bit == one.bit) {
                    let (a, b) = (one.factor, other.factor);
                    // A product of an earlier round is not needed any more.
                    one.factor = [a, b].into_iter().find(|&factor| factor > first).unwrap_or_else(|| {
                        free += 1;
                        Register(free - 1)
                    });
                    round.push(IndependentProduct { out: one.factor, a, b });
                }
                kept.push(one);
            }
            if round.is_empty() {
                break;
            }
            monoid.mul_each(&round);
            core::mem::swap(&mut due, &mut kept);
        }
        for &Due { bit, factor } in &due {
            if product.at().is_none() && factor > first {
                // The next block takes the register of this product.
                monoid.copy(accumulator, factor);
                product.times(accumulator, monoid);
            } else {
                product.square(position - bit, monoid);
                product.times(factor, monoid);
            }
            position = bit;
        }
        // Perhaps before the first factor. The caller drops the result of a run that was halted.
        if monoid.halted() {
            return accumulator;
        }
    }
    product.square(position, monoid);
    product.at().expect("exponents are at least 1")
}
