//! Readings of an algorithm: monoids that do not compute. The same program text that raises residues to powers gives
//! its executed cost here, its addition chain, and its steps.
//!
//! Digits are public indices in all of them, so a secret exponent cannot enter.

mod counter;

pub use counter::Counter;
