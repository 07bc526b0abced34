//! How an algorithm on residues finds the entry of a table.

use crate::exponent::SecretDigit;
use crate::kernel::Ring;
use crate::natural::word::Word;

/// How a table entry is found: by a public index, or by reading all of them.
pub(crate) trait Selection<W> {
    /// The index.
    type Digit: Copy;
    /// Whether the values are secret, and are wiped afterwards.
    const SECRET: bool;
    /// The index as a number, if it is public.
    fn public(digit: Self::Digit) -> Option<usize>;
    /// Copies entry `digit` of the `length` residues at `table` to `out`, which is none of them.
    fn select(ring: &dyn Ring<W>, arena: &mut [W], out: usize, table: usize, length: usize, digit: Self::Digit);
}

/// Reads the one entry. Leaks: the digit, by its address.
#[derive(Debug)]
pub(crate) struct Public;

impl<W: Word> Selection<W> for Public {
    type Digit = usize;
    const SECRET: bool = false;

    fn public(digit: usize) -> Option<usize> {
        Some(digit)
    }

    fn select(ring: &dyn Ring<W>, arena: &mut [W], out: usize, table: usize, length: usize, digit: usize) {
        debug_assert!(digit < length);
        let from = table + digit * ring.words();
        arena.copy_within(from..from + ring.words(), out);
    }
}

/// Reads every entry and keeps one by a mask.
#[derive(Debug)]
pub(crate) struct Secret;

impl<W: Word> Selection<W> for Secret {
    type Digit = SecretDigit;
    const SECRET: bool = true;

    fn public(_: SecretDigit) -> Option<usize> {
        None
    }

    fn select(ring: &dyn Ring<W>, arena: &mut [W], out: usize, table: usize, length: usize, digit: SecretDigit) {
        ring.scan(arena, out, table, length, digit);
    }
}
