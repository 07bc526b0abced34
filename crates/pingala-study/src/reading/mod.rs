//! Readings of an algorithm: monoids that do not compute. The program that raises residues to powers gives its executed cost, its
//! addition chain and its steps here.
//!
//! Digits are public indices in all of them, so a secret exponent cannot enter.

mod chain_recorder;
mod counter;
mod table;
mod tracer;

pub use chain_recorder::{ChainRecorder, chain_of};
pub use counter::Counter;
pub use table::CellTable;
pub use tracer::{Step, Trace, TracedOperation, TracedPower, Tracer, trace_of};
