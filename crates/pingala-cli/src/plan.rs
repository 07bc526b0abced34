//! `pingala plan`: what the planner chooses for a problem, and why.

use crate::failure::{Failure, GOOD, Outcome};
use crate::number::{self, Field};
use crate::print;
use clap::{ArgGroup, Args};
use pingala::plan::{Explanation, Problem};
use pingala::{Limits, Modulus, Options};

/// The longest base that multiplications take advantage of.
const SHORT_BASE_BITS: u64 = 32;

const NOTES: &str = "\
Without --explain one line: the plan, which `--plan` of other commands takes back.";

/// Show the plan for a problem, given by sizes or by its numbers
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
#[command(group = ArgGroup::new("the modulus").args(["modulus_bits", "modulus"]).required(true))]
#[command(group = ArgGroup::new("the exponent").args(["exponent_bits", "exponent"]).required(true))]
#[command(group = ArgGroup::new("the base").args(["base_bits", "base"]))]
pub(crate) struct Arguments {
    /// Length of the modulus
    #[arg(long, value_name = "BITS")]
    modulus_bits: Option<u64>,
    /// Length of the exponent
    #[arg(long, value_name = "BITS")]
    exponent_bits: Option<u64>,
    /// Length of the base, if it is short (default: as long as the modulus)
    #[arg(long, value_name = "BITS")]
    base_bits: Option<u64>,
    /// Trailing zero bits of the modulus: 0 for an odd one
    #[arg(long, value_name = "COUNT", default_value_t = 0, conflicts_with = "modulus")]
    trailing_zeros: u64,
    /// The modulus itself
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    modulus: Option<String>,
    /// The exponent itself
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, conflicts_with = "secret")]
    exponent: Option<String>,
    /// The base itself
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    base: Option<String>,
    /// Plan for a secret exponent of that declared length
    #[arg(long)]
    secret: bool,
    /// How many powers of this shape
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// List the candidates with their counts, prices and estimated seconds
    #[arg(long)]
    explain: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let explanation = explanation(arguments)?;
    if arguments.explain {
        print::output(&text(&explanation))?;
    } else {
        print::output(&format!("{}\n", explanation.plan))?;
    }
    Ok(GOOD)
}

/// The table, with one line end at its end.
pub(crate) fn text(explanation: &Explanation) -> String {
    format!("{}\n", explanation.to_string().trim_end())
}

/// The plan for a secret exponent: by its declared length, as its value has no say in it.
pub(crate) fn secret(modulus: &Modulus, exponent_bits: u64) -> Result<Explanation, Failure> {
    Ok(pingala::plan::explain(&Problem {
        modulus_bits: modulus.value().bits(),
        trailing_zeros: modulus.value().trailing_zeros(),
        exponent_bits,
        secret: true,
        short_base_bits: None,
        count: 1,
    })?)
}

fn explanation(arguments: &Arguments) -> Result<Explanation, Failure> {
    let limits = Limits::default();
    let read =
        |text: &Option<String>, field| text.as_deref().map(|text| number::argument(text, field, &limits)).transpose();
    let base = read(&arguments.base, Field::Base)?;
    let exponent = read(&arguments.exponent, Field::Exponent)?;
    let modulus = match read(&arguments.modulus, Field::Modulus)? {
        Some(value) => Some(Modulus::with_limits(number::modulus(value)?, &limits)?),
        None => None,
    };
    if let (Some(modulus), Some(exponent), Some(base), 1) = (&modulus, &exponent, &base, arguments.count) {
        // The numbers themselves tell more than their lengths, such as how many ones the exponent has.
        return Ok(modulus.explain(base, exponent, &Options::default())?);
    }
    let (modulus_bits, trailing_zeros) = match &modulus {
        Some(modulus) => (modulus.value().bits(), modulus.value().trailing_zeros()),
        None => (arguments.modulus_bits.unwrap_or_default(), arguments.trailing_zeros),
    };
    if trailing_zeros >= modulus_bits.max(1) {
        let why = format!("a modulus of {modulus_bits} bits cannot end in {trailing_zeros} zeros");
        return Err(Failure::Usage(why));
    }
    let base_bits = base.map(|base| base.magnitude().bits()).or(arguments.base_bits);
    Ok(pingala::plan::explain(&Problem {
        modulus_bits,
        trailing_zeros,
        exponent_bits: match exponent {
            Some(exponent) => exponent.magnitude().bits(),
            None => arguments.exponent_bits.unwrap_or_default(),
        },
        secret: arguments.secret,
        short_base_bits: base_bits.filter(|&bits| bits <= SHORT_BASE_BITS).map(|bits| bits as u32),
        count: arguments.count,
    })?)
}
