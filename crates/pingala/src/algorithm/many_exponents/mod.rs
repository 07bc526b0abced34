//! Several powers of one base.

mod common_bits;
mod insertions;
mod separate_windows;
mod shared_comb;
mod shared_squarings;

pub(super) use insertions::run_on_powers;

pub use common_bits::CommonBits;
pub use insertions::{BucketProgram, Insertion, Insertions};
pub use separate_windows::SeparateWindows;
pub use shared_comb::SharedComb;
pub use shared_squarings::SharedSquarings;
