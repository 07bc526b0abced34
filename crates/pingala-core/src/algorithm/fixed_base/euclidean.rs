//! de Rooij's method: the digits divide one another, as in Euclid's algorithm; Algorithm 9 of \[tandrup2004fast\].

use super::{DigitBits, FixedBaseProgram, TableShape};
use crate::algorithm::powers::raise;
use crate::algorithm::real::{ln, powf};
use crate::algorithm::{AHEAD, Cost, Counts, Divisions, ExpectedCost, Monoid, Register};
use crate::exponent::{Euclid, EuclidStep, Exponent};
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// A table of g_i = g^(2^(d i)), one for each digit x_i of d bits. The two largest digits divide one another until one is left:
///
/// 1. M, N <- the places of the largest and the second largest digit.
/// 2. While x_N > 0: q <- floor(x_M / x_N); g_N <- g_M^q * g_N; x_M <- x_M mod x_N; find M and N again.
/// 3. The power is g_M^(x_M).
///
/// g_M^q * g_N keeps the product of all g_i^(x_i). Most quotients are 1. The table is read-only: a g_i moves to a register
/// of its own when it first changes. Powers g_M^q go bit by bit from the top.
///
/// Expected: no formula is known. Beyond the first few bits the cost is linear in the length of a digit; slope and offset
/// by the number of digits stand in a table of what random digits took, with a power law between its rows. It holds within
/// 1 % for up to 128 digits, within 3 % beyond, where digits are long enough: five bits more than it takes to number them, and
/// one for every 32 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Euclidean(pub DigitBits);

/// Number of digits; squarings, then products, each as (for a bit of the digits, offset). One digit is exact; the others are
/// the means of 6,000,000 bits of random exponents each, behind 128 digits of 2,000,000, at 32, 64 and 128 bits.
const MEASURED: &[(f64, [f64; 2], [f64; 2])] = &[
    (1.0, [1.0, -2.0], [0.5, -1.0]),
    (2.0, [0.7319, -0.43], [0.8761, -0.74]),
    (3.0, [0.5606, 0.12], [1.2167, -0.33]),
    (4.0, [0.4399, 0.42], [1.5319, 0.11]),
    (6.0, [0.2808, 0.80], [2.1094, 0.98]),
    (8.0, [0.1848, 0.97], [2.6323, 1.92]),
    (11.0, [0.1031, 1.08], [3.3493, 3.23]),
    (16.0, [0.0407, 1.13], [4.4280, 5.54]),
    (23.0, [0.0121, 1.13], [5.7989, 8.67]),
    (32.0, [0.0025, 1.11], [7.4348, 12.31]),
    (45.0, [0.0004, 1.05], [9.6344, 18.01]),
    (64.0, [0.0001, 1.03], [12.6660, 25.25]),
    (91.0, [0.0001, 1.02], [16.7049, 35.85]),
    (128.0, [0.0001, 1.02], [21.9443, 48.91]),
    (181.0, [0.0, 1.02], [29.0293, 67.59]),
    (256.0, [0.0, 1.01], [38.5533, 94.07]),
    (362.0, [0.0, 1.0], [51.3213, 131.05]),
    (512.0, [0.0, 1.0], [68.6090, 167.89]),
    (724.0, [0.0, 1.0], [92.0007, 219.83]),
    (1024.0, [0.0, 1.0], [123.1374, 334.36]),
];

/// Most entries that are priced, and bits that a digit has beyond those that number the digits: outside the table above does
/// not hold. By the counts of `bos_coster`, whose steps are the same, more entries would save up to a tenth modulo 4096 bits and
/// more where exponents have 50,000 bits and more; otherwise other methods are better there.
const MOST_ENTRIES: usize = 1024;
const SPARE_BITS: u32 = 5;
const ENTRIES_PER_BIT: usize = 32;

/// The product of g_i^(x_i) for the numbers x_i: see [`Euclidean`]. The table has `entries`; `entries` registers and one more
/// behind it are written.
pub fn divided_product<M: Monoid>(mut numbers: Euclid, entries: usize, monoid: &mut M) -> Register {
    let power = Register(2 * entries);
    let product = product_by_division(&mut numbers, entries, monoid, |monoid, from, exponent| {
        raise(exponent, power, from, monoid)
    });
    product.expect("an exponent of at least 1 has a digit that is left")
}

/// out <- base * other^quotient; `None` stands for 1.
struct DivisionStep {
    out: Register,
    base: Register,
    other: Register,
    quotient: Option<Exponent>,
}

/// The product of g_i^(x_i), by repeated division of the numbers x_i; none if all are 0. Register i holds g_i, and the `count` registers
/// behind these bases are written. `raise` raises an element, in registers further behind.
pub(in crate::algorithm) fn product_by_division<M: Monoid>(
    numbers: &mut Euclid,
    count: usize,
    monoid: &mut M,
    raise: impl Fn(&mut M, Register, &Exponent) -> Register,
) -> Option<Register> {
    let mut places: Vec<Register> = (0..count).map(Register).collect();
    // The divisions are some steps ahead of the products, whose operands may be far away.
    let mut ahead: VecDeque<DivisionStep> = VecDeque::with_capacity(AHEAD);
    let run = |DivisionStep { out, base, other, quotient }: DivisionStep, monoid: &mut M| {
        let power = quotient.map_or(other, |quotient| raise(monoid, other, &quotient));
        monoid.mul(out, base, power);
    };
    let mut product = None;
    numbers.reduce(|step| match step {
        EuclidStep::Into { from, into, quotient } => {
            if ahead.len() == AHEAD {
                ahead.pop_front().into_iter().for_each(|step| run(step, monoid));
            }
            let (base, out) = (places[into], Register(count + into));
            monoid.prefetch(base);
            monoid.prefetch(out);
            ahead.push_back(DivisionStep { out, base, other: places[from], quotient });
            places[into] = out;
        }
        EuclidStep::Last { from, exponent } => {
            ahead.drain(..).for_each(|step| run(step, monoid));
            product = Some(raise(monoid, places[from], &exponent));
        }
    });
    product
}

named! {
    Euclidean(DigitBits), "euclidean",
    "[derooij1994efficient]; [tandrup2004fast] algorithm 9",
    "few long digits, the largest divided by the next until one is left"
}

impl FixedBaseProgram for Euclidean {
    fn entries(&self, exponent_bits: usize) -> usize {
        exponent_bits.div_ceil(self.0.get())
    }

    /// One for each entry that changes, and one for g_M^q.
    fn work_registers(&self, exponent_bits: usize) -> usize {
        self.entries(exponent_bits) + 1
    }

    fn entry_exponent(&self, _exponent_bits: usize, index: usize) -> Exponent {
        Exponent::of_bits([index * self.0.get()])
    }

    fn build_cost(&self, exponent_bits: usize) -> Counts {
        Cost { squarings: (self.entries(exponent_bits) - 1) * self.0.get(), ..Cost::default() }
    }

    fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
        for index in 1..self.entries(exponent_bits) {
            monoid.sqr_n(Register(index), Register(index - 1), self.0.get());
        }
    }

    fn expected(&self, &TableShape { exponent_bits, .. }: &TableShape) -> ExpectedCost {
        let bits = self.0.get().min(exponent_bits) as f64;
        let digits = exponent_bits as f64 / bits;
        let after = MEASURED.partition_point(|&(measured, ..)| measured < digits).clamp(1, MEASURED.len() - 1);
        let (&(n0, sqr0, mul0), &(n1, sqr1, mul1)) = (&MEASURED[after - 1], &MEASURED[after]);
        let position = ln(digits / n0) / ln(n1 / n0);
        let between = |low: f64, high: f64| low + (high - low) * position;
        let law = |low: f64, high: f64| low * powf(high / low, position);
        let squarings = between(sqr0[0], sqr1[0]).max(0.0) * bits + between(sqr0[1], sqr1[1]);
        let multiplications = law(mul0[0], mul1[0]) * bits + between(mul0[1], mul1[1]);
        Cost { squarings: squarings.max(0.0), multiplications: multiplications.max(0.0), ..Cost::default() }
    }

    /// One for each product, but for those of the few quotients above 1.
    fn divisions(&self, shape: &TableShape) -> Divisions {
        let integers = self.entries(shape.exponent_bits);
        let limbs = self.0.get().min(shape.exponent_bits).div_ceil(64);
        Divisions { count: self.expected(shape).multiplications, integers, limbs }
    }

    fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
        divided_product(Euclid::of_digits(exponent, self.0.get()), self.entries(exponent_bits), monoid)
    }

    fn candidates(&TableShape { exponent_bits, max_entries }: &TableShape) -> Vec<Self> {
        let most = max_entries.min(MOST_ENTRIES).min(exponent_bits);
        let fewer = core::iter::successors(Some(most), |entries| Some(entries * 3 / 4)).take_while(|&most| most > 1);
        let mut bits: Vec<usize> = fewer.map(|entries| exponent_bits.div_ceil(entries)).collect();
        bits.retain(|&bits| {
            let entries = exponent_bits.div_ceil(bits);
            bits >= (entries.ilog2() + SPARE_BITS) as usize && bits >= entries / ENTRIES_PER_BIT
        });
        bits.dedup();
        // Too short an exponent, or room, for the law: one digit, whose count is exact.
        if bits.is_empty() && max_entries > 0 {
            bits.push(exponent_bits);
        }
        bits.into_iter().map(|bits| Self(DigitBits::new(bits))).collect()
    }
}
