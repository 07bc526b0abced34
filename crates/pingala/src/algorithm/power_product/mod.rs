//! Products of powers of several bases.

mod descent;
mod interleaved_windows;

pub use interleaved_windows::InterleavedWindows;
