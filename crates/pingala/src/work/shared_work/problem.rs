//! The shape of work that shares an exponent or a base.

use crate::algorithm::ShapeBits;
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::Prepared;
use crate::engine::plan::ShapeProblem;
use crate::error::Error;
use crate::work::{Options, factored};

/// The problem modulo this number; tests its factors for primality if that helps. Error: `interrupted`.
pub(crate) fn shape_problem(
    modulus: &Prepared<'_>,
    work: ShapeBits,
    options: &Options<'_>,
) -> Result<ShapeProblem, Error> {
    factored::learn(modulus, work.max_bits as u64, &Poll::new(options.watch, None))?;
    let facts = modulus.facts();
    Ok(ShapeProblem {
        modulus_bits: facts.bits(),
        trailing_zeros: facts.trailing_zeros(),
        factors: modulus.factor_shapes(),
        memory_bytes: options.memory_bytes.unwrap_or(Options::MEMORY_BYTES),
        work,
    })
}
