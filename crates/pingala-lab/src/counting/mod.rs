//! Counting words: a word that adds up what a product asks of it, so that the texts that ship can be measured in
//! instructions of processors that are not at hand.
//!
//! ```
//! use pingala_study::texts::{Operation, Text};
//! use pingala_lab::counting::Count;
//! // CIOS at 1024 bits: 32 words of 32 bits.
//! let tally = Text::Cios.count(Operation::Mul, 32).expect("CIOS takes every length");
//! let risc = tally.risc();
//! assert_eq!((risc.multiplications(), risc.additions()), (2 * 32 * 32 + 32, 8 * 32 * 32 + 3 * 32));
//! assert_eq!(Some(tally), Text::Cios.formula(Operation::Mul, 32));
//! ```
//!
//! A [`Text`] is one of the products of `kernel::product` and `kernel::montgomery` with its parameter. [`Count::count`] runs it and
//! gives the [`Tally`]; [`Count::formula`] gives the same tally from only the length. Both are independent of values and of
//! the word's width: the texts branch on lengths only.
//!
//! What is counted: every call on the trait `Word`. Plain locals are registers and free, and the text has those that it
//! names; a carry that a loop keeps as a `bool` is free too, as a carry in a flag is. Not counted: addresses, moves
//! between registers, the loop's own instructions ([`Tally`] has the turns).
//!
//! One tally is read as three kinds of machine:
//!
//! - [`Tally::risc`]: a product of two words is one multiplication, what it is added to are additions;
//! - [`Tally::arm`]: a multiplication may add two words to its product (`umlal`), and takes those additions in;
//! - the memory machine of Koc, Acar and Kaliski, on which every named word lies in memory. A text with registers cannot
//!   tell what it would cost there, so [`koc_acar_kaliski`] executes the paper's five texts on such a machine.

#[cfg(test)]
mod arm_counts;
mod formula;
pub mod koc_acar_kaliski;
mod tally;
#[cfg(test)]
mod tests;
mod word;

use pingala::texts::Word;
use pingala_study::texts::{Operands, Operation, Text};
pub use tally::{Instructions, Kind, Tally};
use word::{Counted, tally_of};

/// What a product asks of its words.
pub trait Count: Sized {
    /// The executed tally for operands of `words` words; none if the text does not take the length.
    fn count(self, operation: Operation, words: usize) -> Option<Tally>;

    /// The tally that the exact formulas give, in every kind what [`Count::count`] executes; none if the text does not
    /// take the length.
    fn formula(self, operation: Operation, words: usize) -> Option<Tally>;
}

impl Count for Text {
    fn count(self, operation: Operation, words: usize) -> Option<Tally> {
        self.takes(words).then(|| tally(&mut Operands::<Counted<u32>>::some(words), self, operation))
    }

    fn formula(self, operation: Operation, words: usize) -> Option<Tally> {
        self.takes(words).then(|| formula::of(self, operation, words))
    }
}

/// What the text asks of the words that these operands have.
fn tally<W: Word>(operands: &mut Operands<W>, text: Text, operation: Operation) -> Tally {
    tally_of(|| operands.run(text, operation))
}
