//! The trait that each file of this folder implements.

use super::Rounds;
use crate::algorithm::{Counts, Divisions, ExpectedCost, Monoid, Named, Register};
use crate::exponent::{CombColumns, Exponent, MAX_DIGIT_BITS};
use alloc::vec::Vec;

/// The work of a table, as far as it is known before it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// The length of exponent that it is declared for, in bits, at least 1.
    pub exponent_bits: usize,
    /// Entries that there is room for.
    pub max_entries: usize,
}

impl TableShape {
    /// For exponents of this length, with room for any table.
    pub fn of_bits(exponent_bits: usize) -> Self {
        Self { exponent_bits, max_entries: usize::MAX }
    }
}

/// A monoid that finds an entry of a table, or 1, by reading all of it.
pub trait ScannedTable: Monoid {
    /// `out` = 1 for digit 0, otherwise the register `digit - 1` behind `first`; `digit <= length`.
    fn select_or_one(&mut self, out: Register, first: Register, length: usize, digit: Self::Digit);
}

/// A method for powers of one base: which powers its table holds, how they are built, how a power is made from them.
///
/// `exponent_bits` is the length that the table is declared for, at least 1; exponents are at most that long.
pub trait FixedBaseProgram: Named {
    /// Entries of the table, the base included.
    fn entries(&self, exponent_bits: usize) -> usize;
    /// Registers behind the table that a run may write.
    fn work_registers(&self, _exponent_bits: usize) -> usize {
        1
    }
    /// The exponent of the power that entry `index` holds.
    fn entry_exponent(&self, exponent_bits: usize, index: usize) -> Exponent;

    /// The exact operations of [`FixedBaseProgram::build`].
    fn build_cost(&self, exponent_bits: usize) -> Counts;
    /// Fills the table from its entry 0 by recurrence: no entry is a power on its own.
    fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M);

    /// Expected operations of a run, in constant time, for an exponent uniform below 2^(the declared length).
    fn expected(&self, shape: &TableShape) -> ExpectedCost;
    /// Makes the power from the table and names the register that holds it.
    fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
        let rounds = self.rounds(exponent_bits, exponent).expect("a method without `rounds` defines `run`");
        rounds.run(Register(self.entries(exponent_bits)), monoid)
    }

    /// The run in rounds that do not depend on the exponent's value; `None` for a method that has none.
    fn rounds(&self, _exponent_bits: usize, _exponent: &Exponent) -> Option<Rounds> {
        None
    }
    /// The most operations of [`super::rounds_side_by_side`]; `None` for a method without rounds.
    fn rounds_cost(&self, _exponent_bits: usize) -> Option<Counts> {
        None
    }

    /// Entries that [`FixedBaseProgram::run_uniform`] reads for each selection; `None` for a method without that run.
    fn scanned(&self, _exponent_bits: usize) -> Option<usize> {
        None
    }
    /// Computes the power by operations that depend only on the declared length, [`FixedBaseProgram::rounds_cost`] of them. Two registers
    /// behind the table are written.
    fn run_uniform<M: ScannedTable, E: CombColumns<M::Digit>>(
        &self,
        _exponent_bits: usize,
        _exponent: &E,
        _monoid: &mut M,
    ) -> Option<Register> {
        None
    }

    /// Expected work on a random exponent of the shape's length apart from the products, if it exceeds reading it.
    fn divisions(&self, _shape: &TableShape) -> Divisions {
        Divisions::default()
    }

    /// The instances worth pricing whose table fits.
    fn candidates(shape: &TableShape) -> Vec<Self> {
        let mut all = Self::all(MAX_DIGIT_BITS);
        all.retain(|method| method.entries(shape.exponent_bits) <= shape.max_entries);
        all
    }
}
