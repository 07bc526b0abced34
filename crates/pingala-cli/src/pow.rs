//! `pingala pow`: one power.

use crate::failure::{Failure, GOOD, Outcome};
use crate::number::{self, Field, SecretText};
use crate::settings::{Caps, Forced};
use crate::{plan, print};
use clap::Args;
use pingala::{Integer, Modulus, Natural, Options};
use std::path::PathBuf;

const USAGE: &str = "pingala pow [OPTIONS] BASE EXPONENT MODULUS
       pingala pow [OPTIONS] --secret-exponent-file FILE BASE MODULUS";

const NOTES: &str = "\
Numbers are decimal, or hexadecimal with 0x; a leading minus is fine. A negative exponent takes the inverse of the
base. The result goes to standard output, the mode that ran to standard error.

A secret never stands on the command line, where other users and the shell's history can see it.";

/// Raise one number to a power: BASE^EXPONENT mod MODULUS
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = NOTES)]
pub(crate) struct Arguments {
    /// Any integer
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    base: String,
    /// Any integer; left out with --secret-exponent-file
    #[arg(value_name = "EXPONENT", allow_hyphen_values = true)]
    second: String,
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
    /// Declare the secret exponent's width; it is public (default: the modulus' length)
    #[arg(long, value_name = "BITS", requires = "secret_exponent_file")]
    exponent_bits: Option<u64>,
    /// Print the plan, its rejected candidates and their prices to standard error
    #[arg(long)]
    explain: bool,
    /// Say nothing on standard error unless something is wrong
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
    let base = number::argument(&arguments.base, Field::Base, &limits)?;
    let second = &arguments.second;
    let (result, secret_is_hexadecimal) = match (&arguments.secret_exponent_file, &arguments.third) {
        (None, Some(modulus)) => {
            let exponent = number::argument(second, Field::Exponent, &limits)?;
            (public(arguments, &base, &exponent, &read_modulus(modulus, &options)?, &options)?, false)
        }
        (Some(file), None) => {
            let modulus = read_modulus(second, &options)?;
            let text = SecretText::read(file, &limits)?;
            (secret(arguments, &base, &text, &modulus, &options)?, text.is_hexadecimal())
        }
        (None, None) => return Err(Failure::Usage(format!("the modulus is missing\nUsage: {USAGE}"))),
        (Some(_), Some(_)) => {
            let why = "with --secret-exponent-file no exponent stands on the command line";
            return Err(Failure::Usage(format!("{why}\nUsage: {USAGE}")));
        }
    };
    let numbers = [Some(&arguments.base), Some(second), arguments.third.as_ref()];
    let any_hexadecimal =
        secret_is_hexadecimal || numbers.into_iter().flatten().any(|text| number::is_hexadecimal(text));
    let text = if arguments.hex || any_hexadecimal && !arguments.decimal {
        format!("{result:#x}\n")
    } else {
        format!("{result}\n")
    };
    print::output(&text)?;
    Ok(GOOD)
}

fn read_modulus(text: &str, options: &Options<'_>) -> Result<Modulus, Failure> {
    let value = number::modulus(number::argument(text, Field::Modulus, options.limits())?)?;
    Ok(Modulus::with_limits(value, options.limits())?)
}

fn public(
    arguments: &Arguments,
    base: &Integer,
    exponent: &Integer,
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Natural, Failure> {
    if !arguments.quiet {
        print::note("fast mode; base and exponent are treated as public");
    }
    if arguments.explain {
        print::aside(&plan::text(&modulus.explain(base, exponent, options)?));
    }
    Ok(modulus.pow_with(base, exponent, options)?)
}

fn secret(
    arguments: &Arguments,
    base: &Integer,
    text: &SecretText,
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Natural, Failure> {
    let exponent_bits = arguments.exponent_bits.unwrap_or(modulus.value().bits());
    let exponent = text.exponent(exponent_bits, options.limits())?;
    if !arguments.quiet {
        print::note(&format!("constant-time mode; the exponent is secret, its width of {exponent_bits} bits public"));
    }
    if arguments.explain {
        print::aside(&plan::text(&plan::of_secret(modulus, exponent_bits, &arguments.forced)?));
    }
    Ok(modulus.pow_sec(base, &exponent, options)?)
}
