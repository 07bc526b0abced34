//! Text with one row a line: lines of hostile streams, comma-separated values, what is compressed.

pub mod csv;
pub mod lines;
mod unpack;

pub use unpack::{Packing, packing, unpacked};
