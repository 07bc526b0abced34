//! Proofs of repeated squaring by Wesolowski, and witnesses of accumulators.

mod accumulator;
mod log;
mod number;

pub use accumulator::{Witnesses, accumulate, failing_witnesses, update_witnesses, verify_witnesses, witnesses};
