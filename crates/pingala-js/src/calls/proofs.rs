//! Proofs of repeated squaring.

use super::modulus as of_call;
use super::power::Watched;
use crate::request::{Answer, Request, Widths, not_negative, width};
use pingala_core::Error;
use pingala_proofs::{ProvedSquaring, SquaringProof, verify_squaring, verify_squaring_list};

/// Base; the number of squarings is the setting; modulo the object. The answer has the result and the number of the proof.
pub(super) fn prove(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    // The memory is that of the proof.
    let (modulus, options) = (of_call(request)?, request.options(watch).with_memory_bytes(None));
    let mut job = ProvedSquaring::new(modulus, request.only(0)?, request.setting(0)?)?;
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
    let proof = SquaringProof::new(not_negative(request.only(2)?)?.clone());
    let (base, result) = (request.only(0)?, not_negative(request.only(1)?)?);
    let holds = verify_squaring(base, request.setting(0)?, modulus, result, &proof, &options)?;
    Ok(Answer::Small(vec![holds.into()]))
}

/// Bases, results, numbers of the proofs; the number of squarings is the setting; modulo the object. The answers are 1 for each proof that holds.
pub(super) fn verify_list(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let (modulus, options) = (of_call(request)?, request.options(watch));
    let roots = request.list(2)?.iter().map(|root| Ok(SquaringProof::new(not_negative(root)?.clone())));
    let (bases, results, proofs) = (request.list(0)?, request.list(1)?, roots.collect::<Result<Vec<_>, Error>>()?);
    let holds = verify_squaring_list(bases, request.setting(0)?, modulus, results, &proofs, &options)?;
    Ok(Answer::Small(holds.into_iter().map(i32::from).collect()))
}
