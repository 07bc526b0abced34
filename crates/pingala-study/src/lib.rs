//! The study of algorithms: what a program of [`pingala::algorithm`] says in monoids that do not compute ([`reading`]), and an
//! explanation as JSON ([`json`]).
//!
//! The tests of the library (`crates/pingala/tests/suite`) contain the readings as a module, and test them there.

mod json;
pub mod reading;

pub use json::json;
