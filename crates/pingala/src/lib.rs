//! Modular exponentiation.
pub mod algorithm;
mod error;
pub mod exponent;
pub(crate) mod kernel;
mod natural;
pub mod reading;
pub use error::Error;
pub use natural::{Integer, Natural};
