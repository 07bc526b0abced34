//! `pingala square --proof` and `--verify`: proofs of repeated squaring.

use crate::failure::{Failure, GOOD, MISMATCHES, Outcome, plain};
use crate::json::{self, Object};
use crate::number::{self, Field};
use crate::output::Output;
use crate::print::{self, grouped};
use crate::square::{Arguments, Power};
use pingala_core::files::read_to_cap;
use pingala_core::{Error, Integer, Limits, Modulus, Natural, Options};
use pingala_proofs::{ProvedSquaring, SMALLEST_MODULUS_BITS, SquaringProof, refusal, weakness};
use pingala_rows::text::shown;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a file has that --verify reads: numbers as hexadecimal text, so that no program rounds them.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    base: String,
    squarings: u64,
    modulus: String,
    result: String,
    proof: String,
}

impl Statement {
    /// The object that `square --proof --json` prints.
    fn object(&self) -> Object {
        let object = Object::new().with("base", &self.base).with("squarings", self.squarings);
        object.with("modulus", &self.modulus).with("result", &self.result).with("proof", &self.proof)
    }
}

/// Prints the result and its proof, a line each; with --output the proof goes to the file, with all that it is about.
pub(crate) fn prove(arguments: &Arguments, power: &Power, is_hexadecimal: bool, options: &Options<'_>) -> Outcome {
    let Power { base, squarings, modulus } = power;
    let mut output = arguments.output.as_ref().map(|path| Output::open(path, &[], arguments.force)).transpose()?;
    let mut job = ProvedSquaring::new(modulus, base, *squarings)?;
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
            let statement = Statement {
                base: format!("{base:#x}"),
                squarings: *squarings,
                modulus: format!("{:#x}", modulus.value()),
                result: format!("{result:#x}"),
                proof: proof.to_string(),
            };
            let shown = print::number(&result, arguments.notation.is_hexadecimal(is_hexadecimal));
            let Some(mut output) = output.take() else {
                json::answer(|| format!("{shown}{proof}\n"), || statement.object())?;
                return Ok(GOOD);
            };
            let text = serde_json::to_string_pretty(&statement).map_err(|error| Failure::fault(error.to_string()))?;
            output.write(format!("{text}\n").as_bytes())?;
            output.finish()?;
            arguments.notation.print(&result, is_hexadecimal)?;
            Ok(GOOD)
        }
        Err(signal) => Ok(arguments.stopped(signal, (job.done(), *squarings))),
    }
}

/// Prints whether the proof shows that the result is base^(2^squarings) mod modulus, and why not.
pub(crate) fn verify(power: &Power, result: &str, proof: &str, options: &Options<'_>) -> Outcome {
    if result == "-" && proof == "-" {
        return Err(Failure::Usage("only one of result and proof can be read from standard input".into()));
    }
    let result = number::argument(result, Field::Result, options.limits())?.value;
    if result.is_negative() {
        return Err(Failure::Usage("the result is negative; expected a number below the modulus".into()));
    }
    verdict(judge(power, &result.into_magnitude(), &read(proof, options.limits())?, options)?.as_deref(), None)
}

/// [`verify`] for what a file says, which has to be about this power if there is one.
pub(crate) fn verify_file(power: Option<&Power>, file: &str, options: &Options<'_>) -> Outcome {
    if file.parse::<SquaringProof>().is_ok() {
        return Err(Failure::Usage("--verify PROOF needs --result, BASE, SQUARINGS and MODULUS".into()));
    }
    let name = file.strip_prefix('@').unwrap_or(file);
    let refused = |why: String| Failure::bad_file(format!("{}: {why}", shown(name)));
    let limits = options.limits();
    // A base may be as long as an exponent; a hexadecimal digit carries 4 bits.
    let longest_base = limits.modulus_bits.max(limits.exponent_bits);
    let most = (limits.modulus_bits / 4).saturating_mul(3).saturating_add(longest_base / 4).saturating_add(4096);
    let bytes = match name {
        "-" => read_to_cap(io::stdin().lock(), most),
        path => File::open(path).and_then(|file| read_to_cap(file, most)),
    };
    let bytes = bytes.map_err(|error| Failure::of_file("read", Path::new(name), &error))?;
    let Statement { base, squarings, modulus, result, proof } = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("no file of square --proof --output: {error}")))?;
    let number = |what: &str, text: &str, cap: u64| -> Result<Integer, Failure> {
        let value: Integer = text.parse().map_err(|error| refused(format!("{what}: {}", why(error))))?;
        let bits = value.magnitude().bits();
        if bits > cap {
            return Err(refused(format!("{what} has {bits} bits; the cap is {cap}")));
        }
        Ok(value)
    };
    let natural = |what: &str, text: &str| -> Result<Natural, Failure> {
        let value = number(what, text, limits.modulus_bits)?;
        if value.is_negative() { Err(refused(format!("{what} is negative"))) } else { Ok(value.into_magnitude()) }
    };
    let told = Power {
        base: number("base", &base, longest_base)?,
        squarings,
        modulus: Modulus::with_limits(natural("modulus", &modulus)?, limits)?,
    };
    if let Some(power) = power {
        let same =
            (&power.base, power.squarings, power.modulus.value()) == (&told.base, squarings, told.modulus.value());
        if !same {
            return verdict(Some("the file is about another base, count or modulus"), None);
        }
    }
    let parsed: SquaringProof = proof.parse().map_err(|error| refused(format!("proof: {}", why(error))))?;
    let reason = judge(&told, &natural("result", &result)?, &parsed, options)?;
    let statement = Statement { base, squarings, modulus, result, proof };
    verdict(reason.as_deref(), Some(&statement).filter(|_| power.is_none()))
}

/// Why the proof does not show the result; `None` if it does.
fn judge(
    power: &Power,
    result: &Natural,
    proof: &SquaringProof,
    options: &Options<'_>,
) -> Result<Option<String>, Failure> {
    let Power { base, squarings, modulus } = power;
    let reason = refusal(base, *squarings, modulus, result, proof, SMALLEST_MODULUS_BITS, options)?;
    Ok(reason.map(|reason| reason.to_string()))
}

/// Prints whether a proof is valid, and what it is about if the command line does not say.
fn verdict(reason: Option<&str>, about: Option<&Statement>) -> Outcome {
    let text = || {
        let verdict = reason.map_or_else(|| "valid\n".to_string(), |reason| format!("not valid: {reason}\n"));
        let about = about.map(|Statement { base, squarings, modulus, result, .. }| {
            format!("base {base}\nsquarings {squarings}\nmodulus {modulus}\nresult {result}\n")
        });
        verdict + &about.unwrap_or_default()
    };
    let object = || {
        let verdict = Object::new().with("valid", reason.is_none()).with_some("reason", reason);
        let Some(Statement { base, squarings, modulus, result, .. }) = about else { return verdict };
        verdict.with("base", base).with("squarings", squarings).with("modulus", modulus).with("result", result)
    };
    json::answer(text, object)?;
    Ok(if reason.is_none() { GOOD } else { MISMATCHES })
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
    let failed = |why: &str| Failure::bad_file(format!("proof: {name} {why}"));
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
