//! The study of algorithms: what a program of [`pingala_core::algorithm`] says in monoids that do not compute ([`reading`]), the
//! products over any word by their names ([`texts`]), Montgomery products that no plan takes ([`organisations`]), windows by a
//! formula ([`ADAPTIVE_WINDOWS`]), an explanation as JSON ([`json`]), what this machine's kernels cost ([`tune`](fn@tune)), where
//! they take over from one another ([`crossovers`]), and tables of a fixed base with any weights ([`Weights`]).
//!
//! The tests of the library (`crates/pingala-core/tests/suite`) contain these files as modules, and test them there.

mod adaptive;
mod crossovers;
mod json;
pub mod organisations;
pub mod reading;
pub mod texts;
mod tune;
mod weights;

pub use adaptive::{ADAPTIVE_WINDOWS, AdaptiveWindow, m_ary_minimiser, sliding_window_minimiser};
pub use crossovers::{Crossover, crossovers};
pub use json::json;
pub use tune::{tune, tune_by};
pub use weights::Weights;
