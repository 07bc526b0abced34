//! Readings of an algorithm: monoids that do not compute. The same program text that raises residues to powers gives
//! its executed cost here, its addition chain, its steps, and a script to be played elsewhere.
//!
//! Digits are public indices in all of them, so a secret exponent cannot enter.

mod chain_recorder;
mod counter;
mod script;
mod table;
mod tracer;

pub use chain_recorder::{ChainRecorder, chain_of};
pub use counter::Counter;
pub(crate) use script::Script;
pub use table::Table;
pub use tracer::{Operation, Power, Step, Trace, Tracer, trace_of};
