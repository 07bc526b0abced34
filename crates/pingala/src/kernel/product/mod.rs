//! Plain products of equal-length numbers, each one text over a [`Word`](crate::natural::word::Word): schoolbook, Comba,
//! Karatsuba; squarings that use the symmetry; low products modulo b^n.
//!
//! Contracts shared by all: operands have n words, least significant first; the full product has 2n words, the low
//! product n; output and scratch are disjoint from the operands and may hold anything on entry. Nothing branches on or
//! indexes by a value: the sequence of operations depends on lengths only.

/// Runs an expression with `$n` as a constant where it is one of the listed lengths, so that an inlined text becomes
/// straight-line code there: one text, more than one compilation. A turn of a loop stays a turn of the text.
macro_rules! known_lengths {
    ($n:ident in [$($known:literal)+], $run:expr) => {
        match $n {
            $($known => { const N: usize = $known; #[allow(non_snake_case)] let $n = N; $run })+
            _ => $run,
        }
    };
}
pub(crate) use known_lengths;

pub(crate) mod comba;
pub(crate) mod karatsuba;
pub(crate) mod low;
pub(crate) mod schoolbook;
