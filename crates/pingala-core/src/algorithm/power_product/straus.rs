//! Straus's method, also called Shamir's trick: joint windows of groups of bases, over tables of all their combinations.
//!
//! Lemmas: Recoding.joint_digit, Recoding.joint_digits_multiply_out, Products.products_multiply_out (proofs/README.md).

use super::descent::{self, Due};
use crate::algorithm::program::issue;
use crate::algorithm::real::powi;
use crate::algorithm::shape_program::longest;
use crate::algorithm::{
    Cost, Counts, ExpectedCost, GroupWindow, IndependentProduct, Monoid, Named, Register, ShapeBits, ShapeProgram,
};
use crate::exponent::order::{longest_first, sort};
use crate::exponent::{Digits, Exponent, MAX_DIGIT_BITS};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Joint windows of w bits over groups of c bases, one run of squarings for all groups.
///
/// 1. For each group precompute the products over g_j^(d_j) for all digits d_j < 2^w.
/// 2. From the top digit down: A <- A^(2^w); for each group whose digits are not all 0, A <- A * the product of these
///    digits.
///
/// Departures: bases are grouped by the length of their exponents, the longest first, and the last group takes what is
/// left; A starts as the first factor; the factors of one position are multiplied in pairs.
///
/// Exactly, for a group of c: c (2^(w-1) - 1) squarings and 2^(cw) - 1 - c products less those for the table, and one
/// product for each position where its digits are not all 0; once, less one product, one squaring for each position up to the highest
/// one. For k exponents of n bits about n + (k/c) (n/w (1 - 2^(-cw)) + 2^(cw) - c - 1): the transpose of
/// `common_bits`.
///
/// Memory: 2^(cw) - 1 registers for each group and one for each base, and some hundreds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Straus(pub GroupWindow);

/// A group of bases, and the register of its table: the product of the joint digit d is d - 1 behind it.
struct Group {
    bases: Vec<usize>,
    table: usize,
}

impl Straus {
    /// Groups of the bases in this order, each with `ones` registers in front of its table, and the first register behind all.
    fn groups(&self, order: &[usize], ones: usize) -> (Vec<Group>, usize) {
        let mut free = order.len();
        let group = |bases: &[usize]| {
            let table = free + ones;
            free = table + (1 << (bases.len() * self.window_bits())) - 1;
            Group { bases: bases.to_vec(), table }
        };
        (order.chunks(self.0.size()).map(group).collect(), free)
    }

    fn window_bits(&self) -> usize {
        self.0.window_bits() as usize
    }

    /// What the table of a group of this size costs.
    fn table(&self, size: usize) -> Counts {
        let squarings = size * ((1 << (self.0.window_bits() - 1)) - 1);
        let products = (1 << (size * self.window_bits())) - 1 - size;
        Cost { squarings, multiplications: products - squarings, ..Cost::default() }
    }
}

/// What a run takes whose steps do not depend on the exponents, so that several products may go side by side: a table has an
/// entry for the joint digit 0, which is multiplied as all others.
impl Straus {
    /// The groups of `count` bases with their tables, and the first register behind them.
    fn uniform_groups(&self, count: usize) -> (Vec<Group>, usize) {
        self.groups(&Vec::from_iter(0..count), 1)
    }

    /// Registers of [`Straus::run_uniform`].
    pub(crate) fn uniform_registers(&self, count: usize) -> usize {
        self.uniform_groups(count).1 + 2
    }

    /// Exactly what [`Straus::run_uniform`] does.
    pub(crate) fn uniform_cost(&self, count: usize, max_bits: usize) -> Counts {
        let (groups, positions) = (self.uniform_groups(count).0, max_bits.div_ceil(self.window_bits()));
        let tables = groups.iter().fold(Counts::default(), |counts, group| counts + self.table(group.bases.len()));
        let selections = groups.len() * positions;
        let squarings = self.window_bits() * (positions - 1);
        tables + Cost { squarings, multiplications: selections - 1, selections, ..Cost::default() }
    }

    /// The product of `count` powers; `digit(bases, bit)` is the joint digit of these bases from this bit upwards.
    pub(crate) fn run_uniform<M: Monoid>(
        &self,
        (count, max_bits): (usize, usize),
        digit: impl Fn(&[usize], usize) -> M::Digit,
        monoid: &mut M,
    ) -> Register {
        let (groups, free) = self.uniform_groups(count);
        let (product, factor, w) = (Register(free), Register(free + 1), self.window_bits());
        let length = |group: &Group| 1 << (group.bases.len() * w);
        groups.iter().for_each(|group| monoid.one(Register(group.table - 1)));
        fill(monoid, &groups, w);
        if let [group] = &groups[..] {
            monoid.tabulated(Register(group.table - 1), length(group));
        }
        let top = max_bits.div_ceil(w) - 1;
        for position in (0..=top).rev() {
            for (index, group) in groups.iter().enumerate() {
                let out = if (position, index) == (top, 0) { product } else { factor };
                if out == factor && index == 0 {
                    monoid.sqr_n(product, product, w);
                }
                monoid.select(out, Register(group.table - 1), length(group), digit(&group.bases, position * w));
                if out == factor {
                    monoid.mul(product, product, factor);
                }
            }
        }
        product
    }
}

/// Fills the tables of all groups side by side: first the powers of single bases, then, base after base, their products
/// with all combinations of the bases before.
fn fill<M: Monoid>(monoid: &mut M, groups: &[Group], w: usize) {
    let mut round = Vec::new();
    for group in groups {
        for (place, &base) in group.bases.iter().enumerate() {
            monoid.copy(Register(group.table + (1 << (place * w)) - 1), Register(base));
        }
    }
    for digit in 2usize..1 << w {
        for group in groups {
            for place in 0..group.bases.len() {
                let entry = |digit: usize| Register(group.table + (digit << (place * w)) - 1);
                let (a, b) = if digit % 2 == 0 { (digit / 2, digit / 2) } else { (digit - 1, 1) };
                round.push(IndependentProduct { out: entry(digit), a: entry(a), b: entry(b) });
            }
        }
        issue(monoid, &mut round);
    }
    let size = groups.first().map_or(0, |group| group.bases.len());
    for place in 1..size {
        for group in groups.iter().filter(|group| place < group.bases.len()) {
            let entry = |joint: usize| Register(group.table + joint - 1);
            for high in (1..1usize << w).map(|digit| digit << (place * w)) {
                let products = (1..1usize << (place * w)).map(|low| IndependentProduct {
                    out: entry(high | low),
                    a: entry(high),
                    b: entry(low),
                });
                round.extend(products);
            }
        }
        issue(monoid, &mut round);
    }
}

named! {
    Straus(GroupWindow), "straus",
    "[straus1964addition]; [menezes1996handbook] 14.88; [tandrup2004fast] algorithm 6",
    "joint windows of groups of bases, over tables of all combinations and one run of squarings"
}

impl ShapeProgram for Straus {
    fn most_registers(&self, bits: &ShapeBits) -> usize {
        let table = |size: usize| (1 << (size * self.window_bits())) - 1;
        let (groups, rest) = (bits.count / self.0.size(), bits.count % self.0.size());
        bits.count + groups * table(self.0.size()) + table(rest) + descent::registers(bits.count)
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let (c, w) = (self.0.size(), self.window_bits());
        // The positions that an exponent of this length reaches, and the chance of a joint digit that is not 0.
        let positions = |bits: usize| bits.div_ceil(w) as f64;
        let some = |size: usize| 1.0 - powi(0.5, (size * w) as i32);
        let shared_bits = bits.shared_bits();
        let mut cost = ExpectedCost { squarings: (w * ((bits.max_bits - 1) / w)) as f64, ..Default::default() };
        let mut factors = -1.0;
        for (groups, size) in [((bits.count / c) as f64, c), (1.0, bits.count % c)] {
            if size > 0 {
                let table = ExpectedCost::from(self.table(size));
                cost.squarings += groups * table.squarings;
                // At the top position at least one digit is not 0.
                factors += groups * (table.multiplications + (positions(shared_bits) - 1.0) * some(size) + 1.0);
            }
        }
        // Above the others only the longest has bits, with more than the one factor of its top position.
        let alone = positions(bits.max_bits) - positions(shared_bits);
        cost.multiplications = factors + alone * some(1);
        cost
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        let (groups, free) = self.groups(&longest_first(exponents.iter().map(Exponent::bits)), 0);
        let w = self.window_bits();
        fill(monoid, &groups, w);
        let recoded = |bits: Range<usize>, due: &mut Vec<Due>| {
            for bit in (bits.start.next_multiple_of(w)..bits.end).step_by(w) {
                // The groups behind a short one are no longer.
                for group in groups.iter().take_while(|group| exponents[group.bases[0]].bits() > bit) {
                    let joint = group.bases.iter().rev().fold(0, |joint: usize, &base| {
                        let digit: usize = exponents[base].digit(bit, self.0.window_bits());
                        joint << w | digit
                    });
                    if joint != 0 {
                        due.push(Due { bit, factor: Register(group.table + joint - 1) });
                    }
                }
            }
        };
        vec![descent::descend(monoid, recoded, longest(exponents), exponents.len(), Register(free))]
    }

    /// Those with fewer expected products than all that need less memory.
    fn candidates(bits: &ShapeBits) -> Vec<Self> {
        let mut all = Self::all(MAX_DIGIT_BITS);
        all.retain(|straus| straus.0.size() <= bits.count);
        let table = |straus: &Self| (straus.table(straus.0.size()).products() + 1) as f64 / straus.0.size() as f64;
        sort(&mut all, |a, b| table(a).total_cmp(&table(b)));
        let mut least = f64::INFINITY;
        all.retain(|straus| {
            let before = least;
            least = straus.expected(bits).products().min(before);
            least < before
        });
        all
    }
}
