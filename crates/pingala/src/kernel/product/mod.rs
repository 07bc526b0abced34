//! Plain products of equal-length numbers, each one text over a [`Word`](crate::natural::word::Word): schoolbook, Comba,
//! Karatsuba; squarings that use the symmetry; low products modulo b^n.
//!
//! Contracts shared by all: operands have n words, least significant first; the full product has 2n words, the low
//! product n; output and scratch are disjoint from the operands and may hold anything on entry. Nothing branches on or
//! indexes by a value: the sequence of operations depends on lengths only.

pub(crate) mod comba;
pub(crate) mod karatsuba;
pub(crate) mod low;
pub(crate) mod schoolbook;
