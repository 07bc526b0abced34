//! Proofs of repeated squaring by Wesolowski, and witnesses of accumulators.

mod accumulator;
mod log;
mod squaring;
mod weak;

pub use accumulator::{Witnesses, accumulate, failing_witnesses, update_witnesses, verify_witnesses, witnesses};
pub use squaring::{
    ProvedSquaring, Refusal, SMALLEST_MODULUS_BITS, SquaringProof, refusal, refusals, verify_squaring,
    verify_squaring_list,
};
pub use weak::weakness;

/// The programs of the recipes and of the package's page are compiled and run with the examples of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/recipes/archive.md")]
#[doc = include_str!("../../../docs/recipes/paillier.md")]
#[doc = include_str!("../../../docs/recipes/primes.md")]
#[doc = include_str!("../../../docs/recipes/products.md")]
#[doc = include_str!("../../../docs/recipes/time-lock.md")]
#[doc = include_str!("../README.md")]
struct Recipes;
