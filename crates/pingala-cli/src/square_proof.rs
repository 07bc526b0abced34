//! `pingala square --proof` and `--verify`: proofs of repeated squaring.

use crate::failure::{Failure, GOOD, MISMATCHES, Outcome, plain};
use crate::number::{self, Field};
use crate::print::{self, grouped};
use crate::square::Arguments;
use pingala_core::files::read_to_cap;
use pingala_core::{Error, Integer, Limits, Modulus, Options};
use pingala_proofs::{ProvedSquaring, SMALLEST_MODULUS_BITS, SquaringProof, refusal, weakness};
use pingala_rows::text::shown;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Prints the result and its proof, a line each.
pub(crate) fn prove(
    arguments: &Arguments,
    base: &Integer,
    modulus: &Modulus,
    is_hexadecimal: bool,
    options: &Options<'_>,
) -> Outcome {
    let mut job = ProvedSquaring::new(modulus, base, arguments.squarings)?;
    if let Some(bytes) = arguments.memory {
        job = job.with_memory(bytes);
    }
    let bits = modulus.value().bits();
    if bits < SMALLEST_MODULUS_BITS && !arguments.quiet {
        let bits = grouped(bits);
        print::note(&format!("the modulus has {bits} bits; --verify refuses those below {SMALLEST_MODULUS_BITS}"));
    } else if !arguments.quiet
        && let Some(why) = weakness(modulus, options)?
    {
        print::note(&format!("--verify refuses this modulus: {why}"));
    }
    if let Some((path, every)) = arguments.checkpoint() {
        job = job.with_checkpoint(path, every)?;
        arguments.note_done(job.done());
    }
    match arguments.watched(("steps", job.done()), options, |options| job.run(options))? {
        Ok((result, proof)) => {
            let result = print::number(&result, arguments.notation.is_hexadecimal(is_hexadecimal));
            print::output(&format!("{result}{proof}\n"))?;
            Ok(GOOD)
        }
        Err(signal) => Ok(arguments.stopped(signal, job.done())),
    }
}

/// Prints whether the proof shows that the result is base^(2^squarings) mod modulus, and why not.
pub(crate) fn verify(
    (base, squarings, modulus): (&Integer, u64, &Modulus),
    result: &str,
    proof: &str,
    options: &Options<'_>,
) -> Outcome {
    if result == "-" && proof == "-" {
        return Err(Failure::Usage("only one of result and proof can be read from standard input".into()));
    }
    let result = number::argument(result, Field::Result, options.limits())?.value;
    if result.is_negative() {
        return Err(Failure::Usage("the result is negative; expected a number below the modulus".into()));
    }
    let (result, proof) = (result.into_magnitude(), read(proof, options.limits())?);
    match refusal(base, squarings, modulus, &result, &proof, SMALLEST_MODULUS_BITS, options)? {
        None => {
            print::output("valid\n")?;
            Ok(GOOD)
        }
        Some(reason) => {
            print::output(&format!("not valid: {reason}\n"))?;
            Ok(MISMATCHES)
        }
    }
}

/// Reads a proof from the command line, from the file that it names by `@`, or, for `-`, from standard input.
fn read(text: &str, limits: &Limits) -> Result<SquaringProof, Failure> {
    if text == "-" {
        return of_stream(io::stdin().lock(), "standard input", limits);
    }
    if let Some(path) = text.strip_prefix('@') {
        let file = File::open(path).map_err(|error| Failure::of_file("read", Path::new(path), &error))?;
        return of_stream(file, path, limits);
    }
    text.parse().map_err(|error: Error| Failure::Usage(format!("proof: '{}': {}", shown(text), why(error))))
}

/// The proof that is all of a stream but the white space around it.
fn of_stream(stream: impl Read, name: &str, limits: &Limits) -> Result<SquaringProof, Failure> {
    let failed = |why: &str| Failure::Failed(format!("proof: {name} {why}"));
    // A hexadecimal digit carries 4 bits, and some room for the prefix and white space.
    let bytes = read_to_cap(stream, limits.modulus_bits / 4 + 1024);
    let bytes = bytes.map_err(|error| failed(&format!("cannot be read: {}", plain(&error))))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| failed("contains bytes that are not text"))?.trim();
    text.parse().map_err(|error: Error| failed(&format!("holds '{}': {}", shown(text), why(error))))
}

/// What is wrong with the text of a proof.
fn why(error: Error) -> String {
    match error {
        Error::NotANumber { position, reason } => format!("{reason} at byte {position}"),
        other => Failure::sentence(other),
    }
}
