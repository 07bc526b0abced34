//! `pingala pow`: one power.

use crate::failure::{Failure, GOOD, Outcome};
use crate::number::{self, Field, SecretText};
use crate::settings::{self, Notation, Planning};
use crate::{plan, print};
use clap::Args;
use pingala_core::{Integer, Modulus, Natural, Options};
use pingala_verify::RsaPrivateKey;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const USAGE: &str = "pingala pow [OPTIONS] BASE EXPONENT MODULUS
       pingala pow [OPTIONS] --secret-exponent-file FILE BASE MODULUS
       pingala pow [OPTIONS] --secret-exponent-file FILE
         --secret-base-file FILE MODULUS
       pingala pow [OPTIONS] --private-key-file FILE BASE
       pingala pow [OPTIONS] --private-key-file FILE --secret-base-file FILE";

/// Longest file of a key: 16,384 bits take some 13,000 bytes as PEM.
const KEY_BYTES: u64 = 1 << 16;

const NOTES: &str = "\
Numbers are decimal, or hexadecimal with 0x; a leading minus is allowed. `@FILE` reads the number from a file, `-` \
from standard input. 1_000, 1e9, 2**127-1 and 2^127-1 are numbers too: + - * ** ^, in the usual order. A negative \
exponent needs a base with an inverse. The result goes to standard output.

With a private key of RSA (PEM or DER of PKCS#1 or PKCS#8) the result is BASE^d mod n: constant-time, blinded, released \
only if it is right. Nothing is padded: that is no signature.

Base and exponent on the command line are treated as public: the time depends on them. Pass secrets in files: other \
users and the shell's history can see the command line.";

/// Raise one number to a power: BASE^EXPONENT mod MODULUS
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = NOTES)]
pub(crate) struct Arguments {
    /// Any integer; omitted with --secret-base-file, not negative with --private-key-file
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    #[arg(required_unless_present_all = ["private_key_file", "secret_base_file"])]
    first: Option<String>,
    /// Any integer; omitted with --secret-exponent-file
    #[arg(value_name = "EXPONENT", allow_hyphen_values = true)]
    second: Option<String>,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    third: Option<String>,
    #[command(flatten)]
    notation: Notation,
    /// Compute in constant time with the exponent in FILE (`-`: standard input)
    #[arg(long, value_name = "FILE", group = "exponent_in_file")]
    secret_exponent_file: Option<PathBuf>,
    /// Also read the base from FILE
    #[arg(long, value_name = "FILE", requires = "exponent_in_file")]
    secret_base_file: Option<PathBuf>,
    /// Compute with the private key in FILE, which has exponent and modulus
    #[arg(long, value_name = "FILE", group = "exponent_in_file", conflicts_with_all = ["explain", "plan", "kernel"])]
    private_key_file: Option<PathBuf>,
    /// Width of the secret exponent, which is public (default: length of the modulus)
    #[arg(long, value_name = "BITS", value_parser = settings::count(0..=u64::MAX))]
    #[arg(requires = "secret_exponent_file", conflicts_with = "private_key_file")]
    exponent_bits: Option<u64>,
    /// Print nothing on standard error unless something is wrong
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    planning: Planning,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let options = arguments.planning.options();
    let numbers = [&arguments.first, &arguments.second, &arguments.third];
    let numbers: Vec<&str> = numbers.into_iter().flatten().map(String::as_str).collect();
    let (result, is_hexadecimal) = match &arguments.private_key_file {
        Some(file) => with_key(arguments, file, &numbers, &options)?,
        None => power(arguments, &numbers, &options)?,
    };
    arguments.notation.print(&result, is_hexadecimal)?;
    Ok(GOOD)
}

fn usage<T>(why: &str) -> Result<T, Failure> {
    Err(Failure::Usage(format!("{why}\nUsage: {USAGE}")))
}

/// The power, and whether one of its numbers was written in hexadecimal.
fn power(arguments: &Arguments, numbers: &[&str], options: &Options<'_>) -> Result<(Natural, bool), Failure> {
    let read = |text: &str, field| number::argument(text, field, options.limits());
    match (&arguments.secret_exponent_file, &arguments.secret_base_file, numbers) {
        (None, _, [base, exponent, modulus]) => {
            let (base, exponent) = (read(base, Field::Base)?, read(exponent, Field::Exponent)?);
            let (modulus, is_hexadecimal) = number::modulus(modulus, options.limits())?;
            let result = public(arguments, &base.value, &exponent.value, &modulus, options)?;
            Ok((result, base.hexadecimal || exponent.hexadecimal || is_hexadecimal))
        }
        (Some(file), None, [base, modulus]) => {
            let base = read(base, Field::Base)?;
            secret(arguments, (&base.value, base.hexadecimal), file, modulus, options)
        }
        (Some(file), Some(base), [modulus]) => {
            let (base, is_hexadecimal) = secret_base(base, (file, "the secret exponent"), options)?;
            secret(arguments, (&base, is_hexadecimal), file, modulus, options)
        }
        (_, _, []) => usage("the base is missing"),
        (None, ..) | (Some(_), None, [_]) => usage("the modulus is missing"),
        (Some(_), Some(_), _) => usage("with both secrets in files only the modulus stands on the command line"),
        (Some(_), None, _) => usage("with --secret-exponent-file no exponent stands on the command line"),
    }
}

/// The power by a private key, of a base that may be a secret in a file too.
fn with_key(
    arguments: &Arguments,
    file: &Path,
    numbers: &[&str],
    options: &Options<'_>,
) -> Result<(Natural, bool), Failure> {
    let (base, is_hexadecimal) = match (&arguments.secret_base_file, numbers) {
        (None, [base]) => {
            let base = number::argument(base, Field::Base, options.limits())?;
            (Zeroizing::new(base.value), base.hexadecimal)
        }
        (Some(base), []) => secret_base(base, (file, "the private key"), options)?,
        (None, _) => return usage("with --private-key-file only the base stands on the command line"),
        (Some(_), _) => return usage("with a private key and the base in files no number stands on the command line"),
    };
    Ok((by_key(arguments, &base, file, options)?, is_hexadecimal))
}

/// The base in a file, which is not that of another secret, and whether it is hexadecimal.
fn secret_base(
    base: &Path,
    (file, other): (&Path, &str),
    options: &Options<'_>,
) -> Result<(Zeroizing<Integer>, bool), Failure> {
    if base == file {
        return Err(Failure::Usage(format!("the secret base and {other} are in one file")));
    }
    let text = SecretText::read(base, Field::Base, options.limits())?;
    Ok((text.base(options.limits())?, text.is_hexadecimal()))
}

fn by_key(arguments: &Arguments, base: &Integer, file: &Path, options: &Options<'_>) -> Result<Natural, Failure> {
    let data = number::read_secret(file, KEY_BYTES)?;
    let key = RsaPrivateKey::load(&data, options).map_err(|error| match error {
        // These say nothing about the file: the environment may force a plan that fits no private key.
        pingala_core::Error::Interrupted | pingala_core::Error::BadPlan(_) => error.into(),
        error => Failure::bad_file(format!("{}: {error}", file.display())),
    })?;
    if base.is_negative() {
        return Err(Failure::bad_argument("with a private key the base is at least 0"));
    }
    if !arguments.quiet {
        print::note(&format!("constant-time mode; a private key of {} bits", key.modulus().value().bits()));
    }
    let bytes = Zeroizing::new(base.magnitude().to_be_bytes());
    let mut out = Zeroizing::new(vec![0; key.modulus().value().bits().div_ceil(8) as usize]);
    match key.pow_list(&[&bytes], &mut out, options)?.pop() {
        Some((_, error)) => Err(error.into()),
        None => Ok(Natural::from_be_bytes(&out)),
    }
}

fn public(
    arguments: &Arguments,
    base: &Integer,
    exponent: &Integer,
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Natural, Failure> {
    arguments.planning.explain(|| modulus.explain(base, exponent, options).map(|plan| plan.summary()))?;
    Ok(modulus.pow_with(base, exponent, options)?)
}

/// The power, and whether one of its numbers was written in hexadecimal, as the base may have been.
fn secret(
    arguments: &Arguments,
    (base, base_is_hexadecimal): (&Integer, bool),
    file: &Path,
    modulus: &str,
    options: &Options<'_>,
) -> Result<(Natural, bool), Failure> {
    let (modulus, is_hexadecimal) = number::modulus(modulus, options.limits())?;
    let text = SecretText::read(file, Field::Exponent, options.limits())?;
    let exponent_bits = arguments.exponent_bits.unwrap_or(modulus.value().bits());
    let exponent = text.exponent(exponent_bits, options.limits())?;
    if !arguments.quiet {
        print::note(&format!("constant-time mode; the exponent is secret, its width of {exponent_bits} bits public"));
    }
    let planned = || plan::of_secret(&modulus, exponent_bits, &arguments.planning.forced);
    arguments.planning.explain(|| planned().map(|plan| plan.summary()))?;
    let power = modulus.pow_sec(base, &exponent, options)?;
    Ok((power, base_is_hexadecimal || is_hexadecimal || text.is_hexadecimal()))
}
