//! `pingala prime between`, `symbol` and `sqrt`: the primes of an interval, symbols of Kronecker, square roots.

use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::prime::{Common, positive};
use crate::print;
use crate::progress::Progress;
use crate::settings::Notation;
use clap::Args;
use pingala_core::Natural;
use pingala_primes::{kronecker, primes_between, sqrt_mod_all, sqrt_mod_factored};

/// Find the primes from a number on that are below another one
#[derive(Debug, Args)]
pub(crate) struct Between {
    /// Any integer
    #[arg(value_name = "A", allow_hyphen_values = true)]
    from: String,
    /// Any integer
    #[arg(value_name = "B", allow_hyphen_values = true)]
    below: String,
    #[command(flatten)]
    notation: Notation,
    #[command(flatten)]
    common: Common,
}

/// Print the symbol of Kronecker (A/N): 1, -1 or 0; for an odd N above 0 it is that of Jacobi
#[derive(Debug, Args)]
pub(crate) struct Symbol {
    /// Any integer
    #[arg(value_name = "A", allow_hyphen_values = true)]
    above: String,
    /// Any integer
    #[arg(value_name = "N", allow_hyphen_values = true)]
    below: String,
    #[command(flatten)]
    common: Common,
}

const SQRT_NOTES: &str = "\
Without --all one root is printed, the lesser of it and its negative, and it is a failure if there is none.";

/// Take square roots modulo a prime, or modulo a number whose prime factors are known
#[derive(Debug, Args)]
#[command(after_help = SQRT_NOTES)]
pub(crate) struct Sqrt {
    /// Any integer
    #[arg(value_name = "A", allow_hyphen_values = true)]
    number: String,
    /// A prime; left out if --factors says what the modulus is
    #[arg(value_name = "P", required_unless_present = "factors", conflicts_with = "factors")]
    prime: Option<String>,
    /// The prime factors of the modulus, with their multiplicities
    #[arg(long, value_name = "P[^K],...", value_delimiter = ',')]
    factors: Vec<String>,
    /// Print all roots, in order
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    notation: Notation,
    #[command(flatten)]
    common: Common,
}

/// The most roots that `--all` prints.
const MOST_ROOTS: usize = 1 << 16;

pub(crate) fn between(arguments: &Between) -> Outcome {
    let common = &arguments.common;
    let (a, b) = (common.number(&arguments.from)?, common.number(&arguments.below)?);
    let progress = Progress::new("primes", 0, !common.quiet);
    let found = primes_between(&a.value, &b.value, &common.options().with_watch(Some(&progress)));
    progress.clear();
    show("prime", &found?, arguments.notation, a.hexadecimal)
}

pub(crate) fn symbol(arguments: &Symbol) -> Outcome {
    let common = &arguments.common;
    let (a, n) = (common.number(&arguments.above)?.value, common.number(&arguments.below)?.value);
    let symbol = kronecker(&a, &n, &common.options())?;
    json::answer(|| format!("{symbol}\n"), || Object::new().with("symbol", symbol))?;
    Ok(GOOD)
}

pub(crate) fn sqrt(arguments: &Sqrt) -> Outcome {
    let common = &arguments.common;
    let number = common.number(&arguments.number)?;
    let named = arguments.prime.iter().chain(&arguments.factors);
    let factors = named.map(|text| factor(text, common)).collect::<Result<Vec<_>, _>>()?;
    let options = common.options();
    let roots = match arguments.all {
        true => sqrt_mod_all(&number.value, &factors, MOST_ROOTS, &options)?,
        false => vec![sqrt_mod_factored(&number.value, &factors, &options)?],
    };
    show("root", &roots, arguments.notation, number.hexadecimal)
}

/// Reads P or P^K.
fn factor(text: &str, common: &Common) -> Result<(Natural, u32), Failure> {
    let (p, k) = text.split_once('^').unwrap_or((text, "1"));
    let k =
        k.parse().map_err(|_| Failure::Usage(format!("the multiplicity {k} of a factor is no number below 2^32")))?;
    Ok((positive(common.number(p)?)?, k))
}

/// Prints numbers, one a line; `name` is their field in objects.
fn show(name: &str, numbers: &[Natural], notation: Notation, is_hexadecimal: bool) -> Outcome {
    let line = |number| match json::is_wanted() {
        true => Object::new().with(name, notation.json(number)).line(),
        false => print::number(number, notation.is_hexadecimal(is_hexadecimal)),
    };
    print::output(&numbers.iter().map(line).collect::<String>())?;
    Ok(GOOD)
}
