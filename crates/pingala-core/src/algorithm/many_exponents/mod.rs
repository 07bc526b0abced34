//! Several powers of one base.

mod common_bits;
mod insertions;
mod separate_windows;
mod shared_comb;
mod shared_squarings;

use super::Register;
use crate::exponent::Exponent;
use alloc::vec::Vec;

pub(super) use insertions::{BucketProgram, run_on_powers};

pub use common_bits::CommonBits;
pub use separate_windows::SeparateWindows;
pub use shared_comb::SharedComb;
pub use shared_squarings::SharedSquarings;

/// One power after the other, each with a register of its own from `first` on; `tell` gets the number of finished powers after each.
fn one_by_one(
    exponents: &[Exponent],
    first: usize,
    tell: &mut dyn FnMut(usize),
    mut power: impl FnMut(&Exponent, Register) -> Register,
) -> Vec<Register> {
    let mut powers = Vec::with_capacity(exponents.len());
    for (exponent, own) in exponents.iter().zip((first..).map(Register)) {
        powers.push(power(exponent, own));
        tell(powers.len());
    }
    powers
}
