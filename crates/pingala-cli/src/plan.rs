//! `pingala plan`: what the planner chooses for a problem, and why.

use crate::explain::{COLUMNS, Explain, How, shown, text};
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::number::{self, Field};
use crate::print;
use crate::settings::{self, Caps, Forced};
use clap::{ArgGroup, Args};
use pingala_core::Modulus;
use pingala_core::plan::{Explanation, Planner, Problem};

/// The longest base that multiplications take advantage of.
const SHORT_BASE_BITS: u64 = 32;

const USAGE: &str = "pingala plan [OPTIONS] BASE EXPONENT MODULUS
       pingala plan [OPTIONS] --modulus-bits BITS|--modulus NUMBER
         --exponent-bits BITS|--exponent NUMBER";
const EXPLAIN_USAGE: &str = "pingala explain [OPTIONS] BASE EXPONENT MODULUS
       pingala explain [OPTIONS] --modulus-bits BITS|--modulus NUMBER
         --exponent-bits BITS|--exponent NUMBER";

const NOTES: &str =
    "The plan is one line. `--plan` of other commands accepts it. `pingala explain` says why it was chosen.";

/// Show the plan for a problem, given by lengths or by numbers
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    how: Explain,
}

/// Explain the choice of a plan for a problem, given by lengths or by numbers
#[derive(Debug, Args)]
#[command(override_usage = EXPLAIN_USAGE, after_help = COLUMNS)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    question: Question,
    /// Show all candidates; --json does
    #[arg(long)]
    all: bool,
}

/// A problem, and what is forced.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("the modulus").args(["third", "modulus_bits", "modulus"]).required(true))]
#[command(group = ArgGroup::new("the exponent").args(["second", "exponent_bits", "exponent"]).required(true))]
#[command(group = ArgGroup::new("the base").args(["first", "base_bits", "base"]))]
struct Question {
    /// The base, as `pingala pow` takes it
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    first: Option<String>,
    /// The exponent
    #[arg(value_name = "EXPONENT", allow_hyphen_values = true, conflicts_with = "secret")]
    second: Option<String>,
    /// The modulus
    #[arg(value_name = "MODULUS", allow_hyphen_values = true, conflicts_with = "trailing_zeros")]
    third: Option<String>,
    /// Length of the modulus
    #[arg(long, value_name = "BITS", value_parser = settings::count(1..=u64::MAX))]
    modulus_bits: Option<u64>,
    /// Length of the exponent
    #[arg(long, value_name = "BITS", value_parser = settings::count(1..=u64::MAX))]
    exponent_bits: Option<u64>,
    /// Length of the base, if it is short (default: as long as the modulus)
    #[arg(long, value_name = "BITS", value_parser = settings::count(0..=u64::MAX))]
    base_bits: Option<u64>,
    /// Trailing zero bits of the modulus; 0 if it is odd
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = settings::count(0..=u64::MAX), conflicts_with = "modulus")]
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
    /// Plan for this many powers of these lengths, all done alike
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = settings::count(1..=u64::MAX))]
    count: u64,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    caps: Caps,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let explanation = answer(&arguments.question)?;
    let plan = explanation.plan().to_string();
    match arguments.how.explain {
        Some(how) => print::output(&shown(&explanation.summary(), how))?,
        None => json::answer(|| format!("{plan}\n"), || Object::new().with("plan", &plan))?,
    }
    Ok(GOOD)
}

pub(crate) fn explain(arguments: &ExplainArguments) -> Outcome {
    let how = if arguments.all { How::All } else { How::Short };
    print::output(&text(&answer(&arguments.question)?.summary(), how, "--all"))?;
    Ok(GOOD)
}

fn answer(question: &Question) -> Result<Explanation, Failure> {
    explanation(&problem(question)?, &question.forced)
}

/// The plan for a secret exponent: by its declared length, as its value has no say in it.
pub(crate) fn of_secret(modulus: &Modulus, exponent_bits: u64, forced: &Forced) -> Result<Explanation, Failure> {
    let modulus = modulus.value();
    let sizes = Problem::new(modulus.bits(), exponent_bits.max(1));
    explanation(&Problem { trailing_zeros: modulus.trailing_zeros(), secret: true, ..sizes }, forced)
}

fn explanation(problem: &Problem, forced: &Forced) -> Result<Explanation, Failure> {
    let (kernel, line) = forced.kernel_and_line();
    Ok(Planner::of_this_machine().explain(problem, kernel.as_deref(), line.as_deref())?)
}

/// Sizes from the options or from the numbers; numbers tell more than their lengths.
fn problem(arguments: &Question) -> Result<Problem, Failure> {
    let limits = arguments.caps.limits();
    let read = |number: &Option<String>, option: &Option<String>, field| {
        let text = number.as_ref().or(option.as_ref());
        text.map(|text| number::argument(text, field, &limits).map(|number| number.value)).transpose()
    };
    let base = read(&arguments.first, &arguments.base, Field::Base)?;
    let exponent = read(&arguments.second, &arguments.exponent, Field::Exponent)?;
    let modulus = read(&arguments.third, &arguments.modulus, Field::Modulus)?.map(pingala_rows::modulus).transpose()?;

    let mut problem = Problem::new(arguments.modulus_bits.unwrap_or(1), arguments.exponent_bits.unwrap_or(1));
    problem.trailing_zeros = arguments.trailing_zeros;
    problem.secret = arguments.secret;
    problem.count = arguments.count;
    if let Some(modulus) = modulus {
        (problem.modulus_bits, problem.trailing_zeros) = (modulus.bits(), modulus.trailing_zeros());
    }
    if let Some(exponent) = exponent {
        problem.exponent_bits = exponent.magnitude().bits().max(1);
        problem.exponent_weight = Some(exponent.magnitude().weight());
    }
    let base_bits = base.map(|base| base.magnitude().bits()).or(arguments.base_bits);
    problem.short_base_bits = base_bits.filter(|&bits| bits <= SHORT_BASE_BITS).map(|bits| bits as u32);

    let lengths = [
        (Field::Modulus, problem.modulus_bits, limits.modulus_bits),
        (Field::Exponent, problem.exponent_bits, limits.exponent_bits),
    ];
    for (field, length, cap) in lengths {
        if length > cap {
            return Err(field.too_long(length, cap));
        }
    }
    if problem.trailing_zeros >= problem.modulus_bits {
        let (bits, zeros) = (problem.modulus_bits, problem.trailing_zeros);
        return Err(Failure::Usage(format!("a modulus of {bits} bits cannot end in {zeros} zeros")));
    }
    Ok(problem)
}
