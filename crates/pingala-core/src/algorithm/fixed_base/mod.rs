//! Fixed bases: a table of powers of one base, built once, and programs that compute any power from it.
//!
//! Registers 0 to `entries - 1` are the table, read-only once it is built; entry 0 is the base itself, so that [`super::BASE`]
//! is the first register of the building. Registers from `entries` on are work. The rules of [`super::Monoid`] hold here too:
//! nothing multiplies 1, and the result may be in any register, an entry of the table included.
//!
//! To add a method: write its file (a type that implements [`FixedBaseProgram`]), name the file here, add its row in
//! `algorithm/catalogue.rs`.

mod bit_combinations;
mod bit_powers;
mod buckets;
mod comb;
mod euclidean;
mod program;
mod rounds;
mod windowing;

pub use super::catalogue::{FIXED_BASES, FixedBaseAlgorithm};
pub use super::parameter::{CombShape, DigitBits, Radix};
pub use bit_combinations::BitCombinations;
pub use bit_powers::BitPowers;
pub use buckets::{Buckets, GrowingProduct, weighted_product};
pub use comb::Comb;
pub(super) use euclidean::product_by_division;
pub use euclidean::{Euclidean, divided_product};
pub use program::{FixedBaseProgram, ScannedTable, TableShape};
pub use rounds::{Rounds, rounds_side_by_side};
pub use windowing::Windowing;
