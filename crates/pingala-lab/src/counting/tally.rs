//! What was asked of a word, and how machines read it.

use core::ops::{Add, Mul};
use serde::Serialize;

/// What a product can ask of its words: one kind to a method of the trait `Word`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Both words of a product.
    Multiply,
    /// The low word of a product.
    MultiplyLow,
    /// A product plus a word.
    MultiplyAdd,
    /// A product plus two words.
    MultiplyAddCarry,
    /// A product added to three words.
    Accumulate,
    /// A sum without a carry in.
    Add,
    /// A sum with a carry in.
    AddCarry,
    /// A difference without a borrow in.
    Subtract,
    /// A difference with a borrow in.
    SubtractBorrow,
    /// A shift by a constant.
    Shift,
    /// A mask made of a condition.
    Mask,
    /// A selection by a mask, or a complement by a mask.
    Select,
    /// A comparison with 0.
    Compare,
    /// A word read from memory.
    Load,
    /// A word written to memory.
    Store,
    /// A turn of a loop of the text; straight-line code has none.
    Turn,
}

/// How many kinds there are.
const KINDS: usize = Kind::Turn as usize + 1;

/// How often each [`Kind`] was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; KINDS]);

impl Tally {
    /// Nothing.
    pub const ZERO: Self = Self([0; KINDS]);

    /// How often this kind.
    pub const fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    /// A tally of this kind, `times` times, and nothing else.
    pub const fn only(kind: Kind, times: u64) -> Self {
        let mut tally = Self::ZERO;
        tally.0[kind as usize] = times;
        tally
    }

    /// The tally with nothing of this kind.
    pub const fn without(mut self, kind: Kind) -> Self {
        self.0[kind as usize] = 0;
        self
    }

    /// One more of this kind.
    pub(crate) fn tick(&mut self, kind: Kind) {
        self.0[kind as usize] += 1;
    }

    /// A load/store machine with a widening multiplication and no more: `lo, hi = a * b` is one instruction, each word
    /// added to it an addition and one that takes the carry in, three words take one and two.
    pub fn risc(&self) -> Instructions {
        use Kind::*;
        let sum = |kinds: &[Kind]| kinds.iter().map(|&kind| self.of(kind)).sum::<u64>();
        let added = self.of(MultiplyAdd) + 2 * self.of(MultiplyAddCarry) + self.of(Accumulate);
        Instructions {
            multiply: sum(&[Multiply, MultiplyAdd, MultiplyAddCarry, Accumulate]),
            multiply_low: self.of(MultiplyLow),
            multiply_accumulate: 0,
            add: added + sum(&[Add, Subtract]),
            add_carry: added + sum(&[Accumulate, AddCarry, SubtractBorrow]),
            shift: self.of(Shift),
            select: sum(&[Mask, Select]),
            compare: self.of(Compare),
            load: self.of(Load),
            store: self.of(Store),
            turns: self.of(Turn),
        }
    }

    /// A load/store machine with `umlal`, which adds a product to two words: the first word that a product is added to
    /// costs no addition. The carry out of three words it cannot give, so that column sums stay as on [`Tally::risc`].
    pub fn arm(&self) -> Instructions {
        let accumulating = self.of(Kind::MultiplyAdd) + self.of(Kind::MultiplyAddCarry);
        let risc = self.risc();
        Instructions {
            multiply: risc.multiply - accumulating,
            multiply_accumulate: accumulating,
            add: risc.add - accumulating,
            add_carry: risc.add_carry - accumulating,
            ..risc
        }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
        self
    }
}

impl Mul<Tally> for u64 {
    type Output = Tally;

    fn mul(self, mut tally: Tally) -> Tally {
        tally.0.iter_mut().for_each(|count| *count *= self);
        tally
    }
}

impl core::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::ZERO, Add::add)
    }
}

/// A tally in the instructions of one kind of machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Instructions {
    /// Products of two words, both words of them.
    pub multiply: u64,
    /// Products of two words, the low word only.
    pub multiply_low: u64,
    /// Products added to two words.
    pub multiply_accumulate: u64,
    /// Sums and differences without a carry in.
    pub add: u64,
    /// Sums and differences with a carry in.
    pub add_carry: u64,
    /// Shifts.
    pub shift: u64,
    /// Selections and complements by a mask, and masks made.
    pub select: u64,
    /// Comparisons.
    pub compare: u64,
    /// Words read from memory.
    pub load: u64,
    /// Words written to memory.
    pub store: u64,
    /// Turns of loops; not instructions, and not in [`Instructions::total`].
    pub turns: u64,
}

impl Instructions {
    /// Multiplications of all kinds.
    pub fn multiplications(&self) -> u64 {
        self.multiply + self.multiply_low + self.multiply_accumulate
    }

    /// Additions and subtractions, with and without a carry in.
    pub fn additions(&self) -> u64 {
        self.add + self.add_carry
    }

    /// All instructions.
    pub fn total(&self) -> u64 {
        let rest = self.shift + self.select + self.compare + self.load + self.store;
        self.multiplications() + self.additions() + rest
    }
}
