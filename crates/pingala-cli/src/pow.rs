//! `pingala pow`: one power.

use crate::explain::{self, Explain};
use crate::failure::{Failure, GOOD, Outcome};
use crate::number::{self, Field, Number, SecretText};
use crate::settings::{self, Caps, Forced};
use crate::{plan, print};
use clap::Args;
use pingala::{Integer, Modulus, Natural, Options};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

const USAGE: &str = "pingala pow [OPTIONS] BASE EXPONENT MODULUS
       pingala pow [OPTIONS] --secret-exponent-file FILE BASE MODULUS
       pingala pow [OPTIONS] --secret-exponent-file FILE --secret-base-file FILE MODULUS";

const NOTES: &str = "\
Numbers are decimal, or hexadecimal with 0x; a leading minus is allowed. `@FILE` reads the number from a file, `-`
from standard input. 1_000, 1e9, 2**127-1 and 2^127-1 are numbers too: + - * ** ^, in the usual order. A negative
exponent needs a base with an inverse. The result goes to standard output.

Pass secrets in files: other users and the shell's history can see the command line.";

/// Raise one number to a power: BASE^EXPONENT mod MODULUS
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = NOTES)]
pub(crate) struct Arguments {
    /// Any integer; omitted with --secret-base-file
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    first: String,
    /// Any integer; omitted with --secret-exponent-file
    #[arg(value_name = "EXPONENT", allow_hyphen_values = true)]
    second: Option<String>,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    third: Option<String>,
    /// Print hexadecimal (default: if any of the numbers is hexadecimal)
    #[arg(long, conflicts_with = "decimal")]
    hex: bool,
    /// Print decimal (default: if all of the numbers are decimal)
    #[arg(long)]
    decimal: bool,
    /// Compute in constant time with the exponent in FILE (`-`: standard input)
    #[arg(long, value_name = "FILE")]
    secret_exponent_file: Option<PathBuf>,
    /// Also read the base from FILE
    #[arg(long, value_name = "FILE", requires = "secret_exponent_file")]
    secret_base_file: Option<PathBuf>,
    /// Width of the secret exponent, which is public (default: length of the modulus)
    #[arg(long, value_name = "BITS", value_parser = settings::count(0..=u64::MAX))]
    #[arg(requires = "secret_exponent_file")]
    exponent_bits: Option<u64>,
    #[command(flatten)]
    how: Explain,
    /// Print nothing on standard error unless something is wrong
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    caps: Caps,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let limits = arguments.caps.limits();
    let options = arguments.forced.options(limits, None);
    let Arguments { first, second, third, secret_exponent_file, secret_base_file, .. } = arguments;
    let read = |text: &str, field| number::argument(text, field, &limits);
    let (result, hexadecimal) = match (secret_exponent_file, secret_base_file, second, third) {
        (None, _, Some(exponent), Some(modulus)) => {
            let (base, exponent) = (read(first, Field::Base)?, read(exponent, Field::Exponent)?);
            let (modulus, is_hexadecimal) = read_modulus(modulus, &options)?;
            let result = public(arguments, &base.value, &exponent.value, &modulus, &options)?;
            (result, base.hexadecimal || exponent.hexadecimal || is_hexadecimal)
        }
        (Some(file), None, Some(modulus), None) => {
            let base = read(first, Field::Base)?;
            secret(arguments, &base, file, modulus, &options)?
        }
        (Some(file), Some(base), None, None) => {
            if base == file {
                return Err(Failure::Usage("the secret base and the secret exponent are in one file".into()));
            }
            let base = read(&of_file(base), Field::Base)?;
            secret(arguments, &base, file, first, &options)?
        }
        (None, _, _, None) | (Some(_), None, None, _) => {
            return Err(Failure::Usage(format!("the modulus is missing\nUsage: {USAGE}")));
        }
        (Some(_), Some(_), ..) => {
            let why = "with both secrets in files only the modulus stands on the command line";
            return Err(Failure::Usage(format!("{why}\nUsage: {USAGE}")));
        }
        (Some(_), None, ..) => {
            let why = "with --secret-exponent-file no exponent stands on the command line";
            return Err(Failure::Usage(format!("{why}\nUsage: {USAGE}")));
        }
        (None, _, None, Some(_)) => return Err(Failure::Usage(format!("the exponent is missing\nUsage: {USAGE}"))),
    };
    let text = if arguments.hex || hexadecimal && !arguments.decimal {
        format!("{result:#x}\n")
    } else {
        format!("{result}\n")
    };
    print::output(&text)?;
    Ok(GOOD)
}

/// The argument that reads this file.
fn of_file(path: &Path) -> String {
    if path.as_os_str() == "-" { "-".into() } else { format!("@{}", path.display()) }
}

/// The modulus, and whether it was written in hexadecimal.
fn read_modulus(text: &str, options: &Options<'_>) -> Result<(Modulus, bool), Failure> {
    let number = number::argument(text, Field::Modulus, options.limits())?;
    Ok((Modulus::with_limits(number::modulus(number.value)?, options.limits())?, number.hexadecimal))
}

fn public(
    arguments: &Arguments,
    base: &Integer,
    exponent: &Integer,
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Natural, Failure> {
    // For a person who looks; a script that computes with public numbers has no use for it.
    if !arguments.quiet && io::stderr().is_terminal() {
        print::note("fast mode; base and exponent are treated as public");
    }
    if let Some(how) = arguments.how.explain {
        print::aside(&explain::shown(&modulus.explain(base, exponent, options)?.summary(), how));
    }
    Ok(modulus.pow_with(base, exponent, options)?)
}

/// The power, and whether one of its numbers was written in hexadecimal.
fn secret(
    arguments: &Arguments,
    base: &Number,
    file: &Path,
    modulus: &str,
    options: &Options<'_>,
) -> Result<(Natural, bool), Failure> {
    let (modulus, is_hexadecimal) = read_modulus(modulus, options)?;
    let text = SecretText::read(file, options.limits())?;
    let exponent_bits = arguments.exponent_bits.unwrap_or(modulus.value().bits());
    let exponent = text.exponent(exponent_bits, options.limits())?;
    if !arguments.quiet {
        print::note(&format!("constant-time mode; the exponent is secret, its width of {exponent_bits} bits public"));
    }
    if let Some(how) = arguments.how.explain {
        print::aside(&explain::shown(&plan::of_secret(&modulus, exponent_bits, &arguments.forced)?.summary(), how));
    }
    let power = modulus.pow_sec(&base.value, &exponent, options)?;
    Ok((power, base.hexadecimal || is_hexadecimal || text.is_hexadecimal()))
}
