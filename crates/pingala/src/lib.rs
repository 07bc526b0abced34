//! Modular exponentiation.
pub mod algorithm;
mod api;
mod error;
mod execute;
pub mod exponent;
pub(crate) mod kernel;
mod natural;
pub mod plan;
pub use api::{Job, Limits, Modulus, Options, Watch, modexp, pow_list, powmod, powmod_with};
pub mod reading;
pub use error::Error;
pub use exponent::SecretExponent;
pub use natural::{Integer, Natural};
