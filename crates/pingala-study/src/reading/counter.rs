//! Counts the executed operations.

use pingala_core::algorithm::fixed_base::ScannedTable;
use pingala_core::algorithm::{Counts, Monoid, Register};

/// Counts what it is asked to do, and the registers it is asked to do it with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    counts: Counts,
    registers: usize,
}

impl Counter {
    /// Nothing done so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// The operations so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// One more than the highest register named so far.
    pub fn registers(&self) -> usize {
        self.registers
    }

    fn touch<const N: usize>(&mut self, registers: [Register; N]) {
        for register in registers {
            self.registers = self.registers.max(register.0 + 1);
        }
    }
}

impl Monoid for Counter {
    type Digit = usize;

    fn one(&mut self, out: Register) {
        self.touch([out]);
    }

    fn copy(&mut self, out: Register, from: Register) {
        self.touch([out, from]);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        self.touch([out, a, b]);
        self.counts.multiplications += 1;
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        self.touch([out, a]);
        self.counts.squarings += count;
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.touch([out, a]);
        self.counts.base_multiplications += 1;
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: usize) {
        assert!(digit < length, "digit {digit} selects from a table of {length}");
        self.touch([out, Register(first.0 + length - 1)]);
        self.counts.selections += 1;
    }
}

impl ScannedTable for Counter {
    fn select_or_one(&mut self, out: Register, first: Register, length: usize, digit: usize) {
        assert!(digit <= length, "digit {digit} selects 1 or from a table of {length}");
        self.touch([out, Register(first.0 + length - 1)]);
        self.counts.selections += 1;
    }
}
