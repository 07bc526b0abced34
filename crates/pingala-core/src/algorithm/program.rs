//! A program over a monoid: what the program asks of the monoid ([`Monoid`]), and what a planner asks of the program ([`Program`]).
//!
//! Lemmas: Programs.raises_in_every_monoid (proofs/README.md).

use super::named::up_to_fewest_products;
use super::{ExpectedCost, ExponentShape, Named};
use crate::exponent::{Digits, Exponent, MAX_DIGIT_BITS};
use alloc::vec::Vec;

/// One cell of the monoid's arena. Aliasing is legal by register: `mul(r, r, r)` is well defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub usize);

/// The register that holds the base when a program starts. No program writes it.
pub const BASE: Register = Register(0);

/// How many products ahead of its use an element is asked for: [`Monoid::prefetch`].
pub const AHEAD: usize = 4;

/// One independent product `out = a * b` of [`Monoid::mul_each`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndependentProduct {
    /// The register of the product.
    pub out: Register,
    /// First operand.
    pub a: Register,
    /// Second operand; equal to `a` for a squaring.
    pub b: Register,
}

/// Passes the products of a round to the monoid, if there are any, and empties the round.
pub(super) fn issue<M: Monoid>(monoid: &mut M, round: &mut Vec<IndependentProduct>) {
    if !round.is_empty() {
        monoid.mul_each(round);
        round.clear();
    }
}

/// What an algorithm may ask of the place where its elements live.
///
/// Elements live in numbered registers of one arena; register 0 is [`BASE`] and is filled before the program starts,
/// all others hold nothing until they are written. The algorithm declares how many it needs, execution allocates them,
/// and nothing allocates inside a loop.
pub trait Monoid {
    /// An index into a table: one public index, one per lane, or a secret one.
    type Digit: Copy;

    /// `out = 1`.
    fn one(&mut self, out: Register);
    /// `out = from`.
    fn copy(&mut self, out: Register, from: Register);
    /// `out = a * b`.
    fn mul(&mut self, out: Register, a: Register, b: Register);
    /// `out = a^(2^count)`: `count` squarings in one call; a copy for 0.
    fn sqr_n(&mut self, out: Register, a: Register, count: usize);
    /// `out = a * base`, cheap if the base is short.
    fn mul_base(&mut self, out: Register, a: Register);
    /// `out = a * b`, by [`Monoid::mul_base`] where b is [`BASE`]: one call for all entries of a table that starts with the base.
    #[inline]
    fn mul_power(&mut self, out: Register, a: Register, b: Register) {
        if b == BASE { self.mul_base(out, a) } else { self.mul(out, a, b) }
    }
    /// `out = table[digit]`, the table being the `length` registers from `first` on; `digit < length`.
    fn select(&mut self, out: Register, first: Register, length: usize, digit: Self::Digit);
    /// Says that the table of the `length` registers from `first` on is complete, and only selected from until the program
    /// ends: a monoid may keep it in another form.
    #[inline]
    fn tabulated(&mut self, first: Register, length: usize) {
        let _ = (first, length);
    }
    /// Says that `register` is an operand of the product after the next. Nothing is computed; a monoid that keeps its elements in
    /// another form may bring it into its own meanwhile.
    #[inline]
    fn announce(&mut self, register: Register) {
        let _ = register;
    }
    /// Says that `register` is an operand of a product some [`AHEAD`] from here: a monoid whose elements are far away may ask
    /// for it, and not wait.
    #[inline]
    fn prefetch(&mut self, register: Register) {
        let _ = register;
    }
    /// Prefetches `table[digit]`, the table being the registers from `first` on.
    #[inline]
    fn prefetch_digit(&mut self, first: Register, digit: Self::Digit) {
        let _ = (first, digit);
    }
    /// Whether nothing is computed any more, because the run was cancelled: a program may end then, with any registers as results.
    #[inline]
    fn halted(&self) -> bool {
        false
    }
    /// A set of independent products: no register is written twice, none that is written is read by another product.
    /// A monoid may spread them over lanes or threads.
    fn mul_each(&mut self, products: &[IndependentProduct]) {
        for &IndependentProduct { out, a, b } in products {
            if a == b { self.sqr_n(out, a, 1) } else { self.mul(out, a, b) }
        }
    }
}

/// A named exponentiation algorithm: the descriptor that a planner prices, and the text that a monoid runs. It stands next to [`Monoid`],
/// so that a reader of one power meets both in one file.
pub trait Program: Named {
    /// Registers that a run with an exponent of this length may write or read, [`BASE`] included: the
    /// arena's size.
    fn registers(&self, exponent_bits: usize) -> usize;
    /// The longest table that it selects from; 0 if it selects nothing.
    fn table_length(&self) -> usize {
        0
    }
    /// Expected operations, in constant time.
    fn expected(&self, shape: &ExponentShape) -> ExpectedCost;
    /// Whether it can raise to this exponent.
    fn serves(&self, _exponent: &Exponent) -> bool {
        true
    }

    /// Raises the base to `exponent` and names the register that holds the result.
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register;
    /// Runs on digits of any kind (secret, or one per lane); `None`, and nothing done, if the schedule is by
    /// exponent.
    fn run_uniform<M: Monoid + ?Sized, E: Digits<M::Digit>>(&self, _exponent: &E, _monoid: &mut M) -> Option<Register> {
        None
    }

    /// How many smaller parameters than the one with the fewest products are worth pricing.
    const SMALLER: usize = 1;

    /// The instances worth pricing for exponents of this length: the parameter with the fewest expected products
    /// (the smaller one on a tie), [`Self::SMALLER`] below it and one above.
    fn candidates(&ExponentShape { bits, .. }: &ExponentShape) -> Vec<Self> {
        let shape = ExponentShape::of_bits(bits);
        let (mut all, best) = up_to_fewest_products(Self::all(MAX_DIGIT_BITS), |program| program.expected(&shape));
        all.split_off(best.saturating_sub(Self::SMALLER))
    }
}
