//! Extraction of common bits: groups of exponents, one bucket for each set of exponents that share a bit.

use super::insertions::{self, BucketProgram};
use crate::algorithm::named::up_to_fewest_products;
use crate::algorithm::program::issue;
use crate::algorithm::real::powf;
use crate::algorithm::{ExpectedCost, GroupSize, IndependentProduct, Monoid, Named, Register, ShapeBits, ShapeProgram};
use crate::exponent::order::longest_first;
use crate::exponent::{Digits, Exponent};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Right-to-left exponentiation of groups of c exponents, the squarings shared by all groups.
///
/// 1. From bit 0 up, with A = g^(2^i): for each group the set s of its exponents that have bit i; B_s <- B_s * A unless
///    s is empty.
/// 2. The power of an exponent is the product over all B_s with the exponent in s. For the last exponent of the group
///    that are the buckets of the upper half; then each of them is multiplied into the bucket of the same set without
///    that exponent, and the lower half is the assembly of c - 1 exponents.
///
/// Departures: the first product into a bucket is a copy; exponents are grouped by length, the longest first; the last
/// group takes what is left.
///
/// Exactly, with n_s bits of the set s in a group of c and all buckets filled: the sum of n_s - 1 products into buckets
/// and 2 (2^c - 1 - c) for the assembly, for each group; and n - 1 squarings. For k exponents of n bits about
/// n + (k/c) (n (1 - 2^-c) + 2^c - 2c - 1).
///
/// With c = 2 and 4 it is what the Go package `multiexp` does for two and four exponents.
///
/// Memory: 2^c - 1 registers for each group, and up to 256 powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonBits(pub GroupSize);

/// Bits that are read at a time.
const DIGIT_BITS: usize = crate::exponent::MAX_DIGIT_BITS as usize;

impl CommonBits {
    /// The first bucket and the size of each group of `count` exponents.
    fn groups(&self, count: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.0.get();
        (0..count.div_ceil(size)).map(move |index| (index * ((1 << size) - 1), size.min(count - index * size)))
    }
}

impl BucketProgram for CommonBits {
    fn most_buckets(&self, bits: &ShapeBits) -> usize {
        self.groups(bits.count).map(|(_, size)| (1 << size) - 1).sum()
    }

    fn buckets(&self, exponents: &[Exponent]) -> usize {
        self.most_buckets(&ShapeBits::of(exponents))
    }

    fn columns(&self, exponents: &[Exponent]) -> impl FnMut(Range<usize>, &mut dyn FnMut(usize, usize)) {
        let order = longest_first(exponents.iter().map(Exponent::bits));
        let exponents: Vec<&Exponent> = order.into_iter().map(|index| &exponents[index]).collect();
        let size = self.0.get();
        // The sets of one group at the bits of a block.
        let mut sets = Vec::new();
        move |bits, insert| {
            let mut first_bucket = 0;
            for group in exponents.chunks(size) {
                sets.clear();
                sets.resize(bits.len(), 0);
                for (index, exponent) in group.iter().enumerate() {
                    for position in (bits.start..bits.end.min(exponent.bits())).step_by(DIGIT_BITS) {
                        let width = DIGIT_BITS.min(bits.end - position);
                        let mut digit: usize = exponent.digit(position, width as u32);
                        while digit != 0 {
                            sets[position - bits.start + digit.trailing_zeros() as usize] |= 1 << index;
                            digit &= digit - 1;
                        }
                    }
                }
                for (bit, &set) in bits.clone().zip(&sets).filter(|&(_, &set)| set != 0) {
                    insert(bit, first_bucket + set - 1);
                }
                first_bucket += (1 << group.len()) - 1;
            }
        }
    }

    fn assemble<M: Monoid>(&self, exponents: &[Exponent], filled: &[bool], monoid: &mut M) -> Vec<Register> {
        let mut filled = filled.to_vec();
        let (mut round, mut upper) = (Vec::new(), Vec::new());
        let mut powers = vec![Register(0); exponents.len()];
        let order = longest_first(exponents.iter().map(Exponent::bits));
        for index in (0..self.0.get()).rev() {
            // What is left of the buckets of the groups that have this exponent: the sets of the upper half contain it.
            upper.clear();
            for (group, (first, _)) in self.groups(exponents.len()).enumerate().filter(|(_, (_, size))| index < *size) {
                let half = 1 << index;
                let mut sets = Vec::with_capacity(half);
                for set in half..2 * half {
                    let (with, without) = (first + set - 1, first + set - half);
                    if !filled[with] {
                        continue;
                    }
                    sets.push(Register(1 + with));
                    if set == half {
                        continue;
                    }
                    let out = Register(without);
                    if core::mem::replace(&mut filled[without - 1], true) {
                        round.push(IndependentProduct { out, a: out, b: Register(1 + with) });
                    } else {
                        monoid.copy(out, Register(1 + with));
                    }
                }
                upper.push((group, sets));
            }
            // Then the product of the upper half, by pairs.
            while !round.is_empty() || upper.iter().any(|(_, sets)| sets.len() > 1) {
                issue(monoid, &mut round);
                for (_, sets) in &mut upper {
                    let left = sets.len().div_ceil(2);
                    round.extend((left..sets.len()).map(|i| IndependentProduct {
                        out: sets[i - left],
                        a: sets[i - left],
                        b: sets[i],
                    }));
                    sets.truncate(left);
                }
            }
            for (group, sets) in &upper {
                powers[order[group * self.0.get() + index]] = sets[0];
            }
        }
        powers
    }
}

named! {
    CommonBits(GroupSize), "common_bits",
    "[multiexp]; [pippenger1980evaluation]",
    "one run of squarings for all exponents, and buckets for the bits that a group has in common"
}

impl ShapeProgram for CommonBits {
    fn most_registers(&self, bits: &ShapeBits) -> usize {
        insertions::registers(bits, self.most_buckets(bits))
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let c = self.0.get();
        let shared_bits = bits.shared_bits();
        let (groups, rest) = (bits.count / c, bits.count % c);
        let mut multiplications = groups as f64 * group(c, shared_bits) + group(rest, shared_bits);
        if c > 1 && bits.count > 1 {
            // Above the others only the longest has bits, in a bucket that is filled already.
            multiplications += (bits.max_bits - shared_bits) as f64 / 2.0;
        } else {
            multiplications += group(1, bits.max_bits) - group(1, shared_bits);
        }
        ExpectedCost { squarings: (bits.max_bits - 1) as f64, multiplications, ..Default::default() }
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        insertions::run(self, exponents, monoid)
    }

    fn candidates(bits: &ShapeBits) -> Vec<Self> {
        let largest = u32::try_from(bits.count).unwrap_or(u32::MAX);
        up_to_fewest_products(Self::all(largest), |program| program.expected(bits)).0
    }
}

/// Expected products of a group of `size` exponents of `bits` bits, the insertions and the assembly. A bit below the top
/// is in each set with probability 2^-size; the top one is in all exponents.
fn group(size: usize, bits: usize) -> f64 {
    if size == 0 {
        return 0.0;
    }
    let (sets, below) = ((1u64 << size) as f64, (bits - 1) as f64);
    let empty = powf(1.0 - 1.0 / sets, below);
    // Insertions that are no copies: the bucket of all exponents is filled by the top bit at the latest.
    let mut products = below * (1.0 - 1.0 / sets) + 1.0 - (sets - 2.0) * (1.0 - empty) - 1.0;
    for index in 0..size {
        // Each bucket has taken in those of the sets with more exponents; one of each half has the full set in it.
        let half = (1u64 << index) as f64;
        let together = (1u64 << (size - 1 - index)) as f64;
        let filled = 1.0 - powf(empty, together);
        products += (half - 1.0) * filled;
        if index > 0 {
            products += (half - 2.0).max(0.0) * filled * filled + filled;
        }
    }
    products
}
