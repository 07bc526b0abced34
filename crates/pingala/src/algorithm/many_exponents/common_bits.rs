//! Extraction of common bits: groups of exponents, one bucket for each set of exponents that share a bit.

use super::insertions::{self, BucketProgram, DigitColumns, Insertions};
use crate::algorithm::{
    Cost, Counts, ExpectedCost, GroupSize, IndependentProduct, Monoid, Register, ShapeBits, ShapeProgram,
};
use crate::exponent::order::longest_first;
use crate::exponent::{Digits, Exponent};
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

/// The exponents of each group, the longest first.
struct ExponentGroups<'a> {
    exponents: Vec<&'a Exponent>,
    size: usize,
    /// The sets of one group at the bits of a block.
    sets: Vec<usize>,
}

impl DigitColumns for ExponentGroups<'_> {
    fn columns(&mut self, bits: Range<usize>, insert: &mut dyn FnMut(usize, usize)) {
        let mut first_bucket = 0;
        for group in self.exponents.chunks(self.size) {
            self.sets.clear();
            self.sets.resize(bits.len(), 0);
            for (index, exponent) in group.iter().enumerate() {
                for position in (bits.start..bits.end.min(exponent.bits())).step_by(DIGIT_BITS) {
                    let width = DIGIT_BITS.min(bits.end - position);
                    let mut digit: usize = exponent.digit(position, width as u32);
                    while digit != 0 {
                        self.sets[position - bits.start + digit.trailing_zeros() as usize] |= 1 << index;
                        digit &= digit - 1;
                    }
                }
            }
            for (bit, &set) in bits.clone().zip(&self.sets).filter(|&(_, &set)| set != 0) {
                insert(bit, first_bucket + set - 1);
            }
            first_bucket += (1 << group.len()) - 1;
        }
    }
}

/// Bits that are read at a time.
const DIGIT_BITS: usize = crate::exponent::MAX_DIGIT_BITS as usize;

impl CommonBits {
    /// ExponentGroups of this many exponents.
    ///
    /// # Panics
    /// Unless `size` is 1 to 20.
    pub const fn new(size: u32) -> Self {
        Self(GroupSize::new(size))
    }

    /// The first bucket and the size of each group of `count` exponents.
    fn groups(&self, count: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.0.get();
        (0..count.div_ceil(size)).map(move |index| (index * ((1 << size) - 1), size.min(count - index * size)))
    }

    fn buckets(&self, count: usize) -> usize {
        self.groups(count).map(|(_, size)| (1 << size) - 1).sum()
    }
}

impl BucketProgram for CommonBits {
    fn most_buckets(&self, bits: &ShapeBits) -> usize {
        self.buckets(bits.count)
    }

    fn insertions<'a>(&self, exponents: &'a [Exponent]) -> Insertions<'a> {
        let sorted =
            longest_first(exponents.iter().map(Exponent::bits)).into_iter().map(|index| &exponents[index]).collect();
        let groups = ExponentGroups { exponents: sorted, size: self.0.get(), sets: Vec::new() };
        Insertions::new(exponents, self.buckets(exponents.len()), groups)
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
                if !round.is_empty() {
                    monoid.mul_each(&round);
                    round.clear();
                }
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

    fn assembly(&self, exponents: &[Exponent], filled: &[bool]) -> Counts {
        let mut multiplications = 0;
        for (first, size) in self.groups(exponents.len()) {
            // `filled[set]` of this group; the empty set counts as empty.
            let mut filled: Vec<bool> = [&[false], &filled[first..first + (1 << size) - 1]].concat();
            for index in (0..size).rev() {
                let (lower, upper) = filled.split_at_mut(1 << index);
                multiplications += upper.iter().filter(|&&filled| filled).count() - 1;
                for (lower, &upper) in lower.iter_mut().zip(&*upper).skip(1) {
                    multiplications += usize::from(*lower && upper);
                    *lower |= upper;
                }
                filled.truncate(1 << index);
            }
        }
        Cost { multiplications, ..Cost::default() }
    }
}

impl ShapeProgram for CommonBits {
    is_its_parameter!(GroupSize);

    const NAME: &'static str = "common_bits";
    const SOURCE: &'static str = "[multiexp]; [pippenger1980evaluation]";
    const SUMMARY: &'static str =
        "one run of squarings for all exponents, and buckets for the bits that a group has in common";

    fn registers(&self, exponents: &[Exponent]) -> usize {
        insertions::registers(exponents, self.buckets(exponents.len()))
    }

    fn most_registers(&self, bits: &ShapeBits) -> usize {
        insertions::most_registers(self, bits)
    }

    fn exact(&self, exponents: &[Exponent]) -> Counts {
        insertions::exact(self, exponents)
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let c = self.0.get();
        let [_, (_, shared_bits)] = bits.classes();
        let shared_bits = if bits.is_equal() { bits.max_bits } else { shared_bits };
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
        let largest = bits.count.min(GroupSize::MAX as usize) as u32;
        let all: Vec<Self> = (1..=largest).map(Self::new).collect();
        let products: Vec<f64> = all.iter().map(|program| program.expected(bits).products()).collect();
        let best = (0..all.len()).min_by(|&a, &b| products[a].total_cmp(&products[b])).unwrap_or(0);
        all.into_iter().take(best + 2).collect()
    }
}

/// Expected products of a group of `size` exponents of `bits` bits, the insertions and the assembly. A bit below the top
/// is in each set with probability 2^-size; the top one is in all exponents.
fn group(size: usize, bits: usize) -> f64 {
    if size == 0 {
        return 0.0;
    }
    let (sets, below) = ((1u64 << size) as f64, (bits - 1) as f64);
    let empty = (1.0 - 1.0 / sets).powf(below);
    // Insertions that are no copies: the bucket of all exponents is filled by the top bit at the latest.
    let mut products = below * (1.0 - 1.0 / sets) + 1.0 - (sets - 2.0) * (1.0 - empty) - 1.0;
    for index in 0..size {
        // Each bucket has taken in those of the sets with more exponents; one of each half has the full set in it.
        let half = (1u64 << index) as f64;
        let together = (1u64 << (size - 1 - index)) as f64;
        let filled = 1.0 - empty.powf(together);
        products += (half - 1.0) * filled;
        if index > 0 {
            products += (half - 2.0).max(0.0) * filled * filled + filled;
        }
    }
    products
}
