//! Repeated squaring, and proofs of it.

use crate::length::Cap;
use crate::memory::{Capped, In, Name, Out, Rows, Signs, Text, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::{bad_argument, enter};
use crate::width::Residues;
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::mem::MaybeUninit;
use core::time::Duration;
use pingala_core::{Error, Integer, Modulus, Natural, RepeatedSquare};
use pingala_proofs::{ProvedSquaring, SMALLEST_MODULUS_BITS, SquaringProof, refusal, verify_squaring_list};

entry! {
    /// out = base^(2^squarings) modulo a handle, by successive squarings. `checkpoint` is the path of a file for the state, or
    /// NULL: the call writes it at the start, after every `every_milliseconds`, when it is stopped, and at the end; if it exists, the
    /// call resumes from it. The file is always replaced as a whole. The flag is PINGALA_NEGATIVE_BASE. Errors: PINGALA_INTERRUPTED,
    /// PINGALA_BAD_FILE, PINGALA_TOO_LONG.
    pingala_modulus_repeated_square_be, pingala_modulus_repeated_square_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), base[base_len]: In, squarings: u64,
        signs: flags PINGALA_NEGATIVE_BASE, checkpoint: Path, every_milliseconds: u64, options
    ) {
        let (base, file) = (base.integer(signs != 0, Cap::NONE)?, (checkpoint, every_milliseconds));
        out.put(&squared(&modulus.0, &base, squarings, file, options)?)
    }
}

entry! {
    /// out = base^(2^squarings) modulo a handle, as of pingala_modulus_repeated_square_be, with a proof by Wesolowski. `proof` receives its
    /// number, which is below half of the modulus; it must be as long as the modulus. The command and the Rust crate write a proof as
    /// `wesolowski-v1:0x` and this number in hexadecimal. Residues for the proof take about `memory_bytes` while squaring; 0: 64 MB. The
    /// checkpoint is a file of another kind, and grows to about that size. The proof takes the threads of the options. Errors: as there, and
    /// PINGALA_BAD_ARGUMENT for a modulus that is even or 1, PINGALA_NOT_INVERTIBLE for a base that has a divisor in common with it.
    pingala_modulus_prove_squaring_be, pingala_modulus_prove_squaring_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), proof[proof_len]: Out(modulus), base[base_len]: In,
        squarings: u64, signs: flags PINGALA_NEGATIVE_BASE, checkpoint: Path, every_milliseconds: u64, memory_bytes: u64,
        options
    ) {
        let (base, file) = (base.integer(signs != 0, Cap::NONE)?, (checkpoint, every_milliseconds));
        let (result, proved) = proved(&modulus.0, &base, squarings, file, memory_bytes, options)?;
        out.put(&result)?;
        proof.put(proved.root())
    }
}

entry! {
    /// `*valid` is 1 if the number `proof` shows that `result` is base^(2^squarings) modulo a handle. Otherwise it is 0, and `why` has the
    /// reason. It is set to 0 first, so that a call that fails leaves no 1. Moduli below 1024 bits are refused: their factors can be found,
    /// and with them any result can be proved. So are those modulo which elements of small order are known, such as 2^1277 - 1. Errors: PINGALA_INTERRUPTED, PINGALA_BAD_PLAN.
    pingala_modulus_verify_squaring_be, pingala_modulus_verify_squaring_limbs(
        modulus: &PingalaModulus, valid: only Option<&mut MaybeUninit<u32>>, base[base_len]: In, squarings: u64,
        signs: flags PINGALA_NEGATIVE_BASE, result[result_len]: In, proof[proof_len]: In, options, message: message,
        valid = cleared(valid)
    ) {
        let valid = valid.ok_or_else(|| bad_argument("valid is NULL"))?;
        let base = base.integer(signs != 0, Cap::NONE)?;
        let claim = (&base, squarings, result.natural(Cap::NONE)?, SquaringProof::new(proof.natural(Cap::NONE)?));
        valid.write(is_shown(&modulus.0, claim, message, options)?.into());
        Ok(())
    }
}

entry! {
    /// answers[i] is 1 if the number proofs[i] shows that results[i] is bases[i]^(2^squarings) modulo a handle, for each of `count` rows of one count of
    /// squarings, and 0 if not: as of pingala_modulus_verify_squaring_be, with the powers side by side. All are set to 0 first. `signs` has
    /// PINGALA_NEGATIVE_BASE for bases[i], and PINGALA_NEGATIVE_EXPONENT for a result below 0, which no proof shows. Errors: PINGALA_INTERRUPTED,
    /// PINGALA_BAD_PLAN.
    pingala_modulus_verify_squaring_list_be, pingala_modulus_verify_squaring_list_limbs(
        modulus: &PingalaModulus, answers: only *mut u8, bases[base_width]: Rows(count), squarings: u64, results[result_width]: Rows(count),
        proofs[proof_width]: Rows(count), count: only usize, signs: u8[count], answers = Out::new(answers, count), options
    ) {
        answers.fill(|out| out.iter_mut().for_each(|to| _ = to.write(0)))?;
        let signs = Signs::of(&signs, BOTH)?;
        let bases = bases.capped(&signs, PINGALA_NEGATIVE_BASE, Cap::NONE)?;
        let results = results.capped(&signs, PINGALA_NEGATIVE_EXPONENT, Cap::NONE)?;
        let proofs = proofs.capped(&Signs::none(), 0, Cap::NONE)?;
        let shown = are_shown(&modulus.0, bases, squarings, (results, proofs), options)?;
        answers.fill(|out| out.iter_mut().zip(shown).for_each(|(to, valid)| _ = to.write(valid.into())))
    }
}

// What is not of one kind of units is one function each, not a copy in every call.

#[inline(never)]
fn squared(
    modulus: &Modulus,
    base: &Integer,
    squarings: u64,
    (checkpoint, every_milliseconds): (Name<'_>, u64),
    options: Option<&PingalaOptions>,
) -> Result<Natural, Error> {
    let mut job = RepeatedSquare::new(modulus, base, squarings)?;
    if let Some(path) = checkpoint.path()? {
        job = job.with_checkpoint(&path, Duration::from_millis(every_milliseconds))?;
    }
    under(options, |options| job.run(options))
}

#[inline(never)]
fn proved(
    modulus: &Modulus,
    base: &Integer,
    squarings: u64,
    (checkpoint, every_milliseconds): (Name<'_>, u64),
    memory_bytes: u64,
    options: Option<&PingalaOptions>,
) -> Result<(Natural, SquaringProof), Error> {
    let mut job = ProvedSquaring::new(modulus, base, squarings)?;
    if memory_bytes > 0 {
        job = job.with_memory(memory_bytes);
    }
    if let Some(path) = checkpoint.path()? {
        job = job.with_checkpoint(&path, Duration::from_millis(every_milliseconds))?;
    }
    under(options, |options| job.run(options))
}

/// Whether a proof shows a result; if not, the message receives the reason.
#[inline(never)]
fn is_shown(
    modulus: &Modulus,
    (base, squarings, result, proof): (&Integer, u64, Natural, SquaringProof),
    message: Text,
    options: Option<&PingalaOptions>,
) -> Result<bool, Error> {
    let refused =
        under(options, |options| refusal(base, squarings, modulus, &result, &proof, SMALLEST_MODULUS_BITS, options))?;
    refused.inspect(|reason| message.write(&reason.to_string()));
    Ok(refused.is_none())
}

#[inline(never)]
fn are_shown(
    modulus: &Modulus,
    bases: Capped,
    squarings: u64,
    (results, proofs): (Capped, Capped),
    options: Option<&PingalaOptions>,
) -> Result<Vec<bool>, Error> {
    let (bases, results) = (bases.all()?, results.all()?);
    let proofs: Vec<_> = proofs.naturals()?.into_iter().map(SquaringProof::new).collect();
    under(options, |options| verify_squaring_list(&bases, squarings, modulus, &results, &proofs, options))
}

/// The place of a verdict, with a 0.
fn cleared(mut valid: Option<&mut MaybeUninit<u32>>) -> Option<&mut MaybeUninit<u32>> {
    if let Some(valid) = &mut valid {
        valid.write(0);
    }
    valid
}
