//! Modular exponentiation for one number or for long lists, with plans chosen by measured prices.

pub use pingala_core::*;

/// The examples of the README and of pages for Rust are compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/rust.md")]
#[doc = include_str!("../../../docs/recipes/evm.md")]
struct Pages;
