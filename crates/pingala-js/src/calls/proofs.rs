//! Proofs of repeated squaring.

use super::modulus as of_call;
use super::power::Watched;
use crate::request::{Answer, Request, Widths, missing, not_negative, width};
use pingala::{Error, Integer};
use pingala_proofs::{ProvedSquaring, SquaringProof, verify_squaring};

/// The number of a list of one.
fn only(request: &Request, at: usize) -> Result<&Integer, Error> {
    request.list(at)?.first().ok_or_else(|| missing("number", at))
}

/// Base; the number of squarings is the setting; modulo the object. The answer has the result and the number of the proof.
pub(super) fn prove(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    // The memory is that of the proof.
    let (modulus, options) = (of_call(request)?, request.options(watch).with_memory_bytes(None));
    let mut job = ProvedSquaring::new(modulus, only(request, 0)?, request.setting(0)?)?;
    if let Some(bytes) = request.memory() {
        job = job.with_memory(bytes);
    }
    let (result, proof) = job.run(&options)?;
    let width = width(modulus.value());
    Ok(Answer::Numbers(vec![Ok(result), Ok(proof.root().clone())], Widths::All(width)))
}

/// Base, result, number of the proof; the number of squarings is the setting; modulo the object. The answer is 1 if the proof holds.
pub(super) fn verify(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (modulus, options) = (of_call(request)?, request.options(watch));
    let proof = SquaringProof::new(not_negative(only(request, 2)?)?.clone());
    let (base, result) = (only(request, 0)?, not_negative(only(request, 1)?)?);
    let holds = verify_squaring(base, request.setting(0)?, modulus, result, &proof, &options)?;
    Ok(Answer::Small(vec![holds.into()]))
}
