//! Counting words: a word that adds up what a product asks of it, so that the texts that ship can be measured in
//! instructions of processors that are not at hand.
//!
//! ```
//! use pingala_study::texts::{Operation, Text};
//! use pingala_lab::counting::count;
//! // CIOS at 1024 bits: 32 words of 32 bits.
//! let risc = count(Text::Cios, Operation::Mul, 32).expect("CIOS takes every length").risc();
//! assert_eq!((risc.multiplications(), risc.additions()), (2 * 32 * 32 + 32, 8 * 32 * 32 + 3 * 32));
//! ```
//!
//! A [`Text`] is one of the products of `kernel::product` and `kernel::montgomery` with its parameter. [`count`] runs it and
//! gives the [`Tally`], which depends neither on values nor on the word's width: the texts branch on lengths only.
//!
//! What is counted: every call on the trait `Word`. Plain locals are registers and free, and the text has those that it
//! names; a carry that a loop keeps as a `bool` is free too, as a carry in a flag is. Not counted: addresses, moves
//! between registers, the loop's own instructions ([`Tally`] has the turns).
//!
//! One tally is read as two kinds of machine:
//!
//! - [`Tally::risc`]: a product of two words is one multiplication, what it is added to are additions;
//! - [`Tally::arm`]: a multiplication may add two words to its product (`umlal`), and takes those additions in.
//!
//! On the memory machine of Koc, Acar and Kaliski every named word lies in memory. A text with registers cannot tell what it
//! would cost there, so `papers/koc_acar_kaliski.py` executes the paper's five texts on such a machine.

mod tally;
mod word;

use pingala_core::texts::Word;
use pingala_study::texts::{Operands, Operation, Text};
pub use tally::{Instructions, Kind, Tally};
pub use word::{Counted, tally_of};

/// The executed tally for operands of `words` words of 32 bits; none if the text does not take the length.
pub fn count(text: Text, operation: Operation, words: usize) -> Option<Tally> {
    text.takes(words).then(|| tally(&mut Operands::<Counted<u32>>::some(words), text, operation))
}

/// What the text asks of the words that these operands have.
pub fn tally<W: Word>(operands: &mut Operands<W>, text: Text, operation: Operation) -> Tally {
    tally_of(|| operands.run(text, operation))
}
