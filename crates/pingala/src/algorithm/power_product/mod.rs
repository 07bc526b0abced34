//! Products of powers of several bases.

mod descent;
mod interleaved_windows;
mod pippenger;
mod straus;

pub use interleaved_windows::InterleavedWindows;
pub use pippenger::Pippenger;
pub use straus::Straus;
