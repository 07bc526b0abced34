//! Workloads of several exponents: [`ShapeProgram`], and the lengths that its expectations depend on.

use super::named::up_to_fewest_products;
use super::{Divisions, ExpectedCost, Monoid, Named, Register};
use crate::exponent::{Exponent, MAX_DIGIT_BITS};
use alloc::vec::Vec;

/// The lengths of several exponents, as far as an expectation knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeBits {
    /// How many exponents, at least 1.
    pub count: usize,
    /// Bit length of the longest, at least 1.
    pub max_bits: usize,
    /// Sum of all bit lengths.
    pub total_bits: u64,
}

impl ShapeBits {
    /// `count` exponents of the same length.
    pub fn equal(count: usize, bits: usize) -> Self {
        Self { count, max_bits: bits, total_bits: count as u64 * bits as u64 }
    }

    /// The lengths of these exponents.
    ///
    /// # Panics
    /// If there are none.
    pub fn of(exponents: &[Exponent]) -> Self {
        let max_bits = longest(exponents);
        assert!(!exponents.is_empty(), "at least one exponent");
        Self { count: exponents.len(), max_bits, total_bits: exponents.iter().map(|e| e.bits() as u64).sum() }
    }

    /// Whether all are as long as the longest.
    pub(super) fn is_equal(&self) -> bool {
        self.total_bits == self.count as u64 * self.max_bits as u64
    }

    /// The length that all exponents have, or all but the longest.
    pub(super) fn shared_bits(&self) -> usize {
        if self.is_equal() { self.max_bits } else { self.classes()[1].1 }
    }

    /// Two classes of (how many, bit length): the longest one, and the others, taken to be equally long. Exact for
    /// equal lengths, and for one long exponent among short ones.
    pub(super) fn classes(&self) -> [(f64, usize); 2] {
        let others = self.count - 1;
        let others_bits = self.total_bits.saturating_sub(self.max_bits as u64) / (others as u64).max(1);
        [(1.0, self.max_bits), (others as f64, (others_bits as usize).max(1))]
    }
}

/// The bit length of the longest exponent; 0 if there is none.
pub(super) fn longest(exponents: &[Exponent]) -> usize {
    exponents.iter().map(Exponent::bits).max().unwrap_or(0)
}

/// A program whose work is more than one exponent: several powers of one base, or a product of powers of several bases.
///
/// Exponents are at least 1, of any mix of lengths, and there is at least one. All programs of this kind follow the
/// exponents' values.
pub trait ShapeProgram: Named {
    /// Registers that a run may write or read, those of the bases included: the arena's size.
    ///
    /// # Panics
    /// If there is no exponent.
    fn registers(&self, exponents: &[Exponent]) -> usize {
        self.most_registers(&ShapeBits::of(exponents))
    }
    /// Registers that a run with exponents of these lengths may take, at most.
    fn most_registers(&self, bits: &ShapeBits) -> usize;
    /// Expected operations for random exponents of these lengths, in (nearly) constant time.
    fn expected(&self, bits: &ShapeBits) -> ExpectedCost;
    /// Expected work on such exponents apart from the products, if it exceeds reading them.
    fn divisions(&self, _bits: &ShapeBits) -> Divisions {
        Divisions::default()
    }

    /// Runs.
    ///
    /// Many exponents: [`super::BASE`] holds the base; the answer names one register for each exponent, in order (equal
    /// powers may stand in one register). A product of powers of k bases: registers 0 to k - 1 hold the bases; the
    /// answer names the one register of the product. The registers of the bases are not written.
    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register>;

    /// Runs, and reports the number of finished powers after each, if one comes after the other.
    fn run_telling<M: Monoid<Digit = usize>>(
        &self,
        exponents: &[Exponent],
        monoid: &mut M,
        _tell: &mut dyn FnMut(usize),
    ) -> Vec<Register> {
        self.run(exponents, monoid)
    }

    /// The instances worth pricing: from the smallest parameter, which needs the least memory, to the first behind the
    /// one with the fewest expected products.
    fn candidates(bits: &ShapeBits) -> Vec<Self> {
        up_to_fewest_products(Self::all(MAX_DIGIT_BITS), |program| program.expected(bits)).0
    }
}
