//! Pingala for JavaScript. One crate makes two files: the addon that Node loads (`addon/`), and the module for WebAssembly (`wasm.rs`).
//! Each reads a call in its own way into a `Request`; what is computed then (`calls/`) is the same text for both.
//!
//! The package in `js/` checks arguments and chooses one of the two. Nothing else calls this crate.

mod calls;
mod handle;
mod request;

#[cfg(not(target_arch = "wasm32"))]
mod addon;
#[cfg(target_arch = "wasm32")]
mod wasm;
