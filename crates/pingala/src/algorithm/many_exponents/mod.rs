//! Several powers of one base.

mod separate_windows;

pub use separate_windows::SeparateWindows;
