//! Proofs of repeated squaring by Wesolowski, and witnesses of accumulators.

mod accumulator;
mod log;
mod number;
mod squaring;
mod weak;

pub use accumulator::{Witnesses, accumulate, failing_witnesses, update_witnesses, verify_witnesses, witnesses};
pub use squaring::{ProvedSquaring, Refusal, SMALLEST_MODULUS_BITS, SquaringProof, refusal, verify_squaring};
pub use weak::weakness;
