//! Modular exponentiation.
pub mod algorithm;
mod error;
pub mod exponent;
pub(crate) mod kernel;
mod natural;
pub use error::Error;
#[doc(hidden)]
pub use kernel::lab;
pub use natural::{Integer, Natural};
