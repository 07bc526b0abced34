//! Products of powers of several bases.

mod bos_coster;
mod descent;
mod interleaved_windows;
mod pippenger;
mod straus;

pub use bos_coster::BosCoster;
pub use interleaved_windows::InterleavedWindows;
pub use pippenger::Pippenger;
pub use straus::Straus;
