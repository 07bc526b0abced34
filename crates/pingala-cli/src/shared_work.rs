//! `pingala multi` and `pingala product`: powers that share their base, and products of powers.

use crate::elements::{Elements, Results};
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::number::{self, Field};
use crate::print;
use crate::settings::{self, Planning};
use clap::Args;
use pingala_core::plan::Summary;
use pingala_core::{Error, Integer, Options};
use std::num::NonZeroUsize;

const MULTI_NOTES: &str = "\
FILE has one exponent per line; blank lines are skipped. The results are printed in the same order, one per line, \
hexadecimal if any number is. All exponents are held in memory, because their powers share work.";

const PRODUCT_NOTES: &str = "\
FILE has one factor per line: a base and an exponent, separated by white space or a comma; blank lines are skipped. \
The result is hexadecimal if any number is. Negative exponents share one inversion.";

/// Raise one base to many powers: BASE^e mod MODULUS for each exponent e of a file
#[derive(Debug, Args)]
#[command(after_help = MULTI_NOTES)]
pub(crate) struct MultiArguments {
    /// Any integer
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    base: String,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    modulus: String,
    #[command(flatten)]
    exponents: Elements,
    #[command(flatten)]
    results: Results,
    #[command(flatten)]
    common: Common,
}

/// Multiply powers: the product of b^e mod MODULUS over the pairs of a file
#[derive(Debug, Args)]
#[command(after_help = PRODUCT_NOTES)]
pub(crate) struct ProductArguments {
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    modulus: String,
    #[command(flatten)]
    factors: Elements,
    #[command(flatten)]
    common: Common,
}

/// Options of both.
#[derive(Args, Clone, Debug)]
struct Common {
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads)]
    threads: Option<NonZeroUsize>,
    /// Memory limit for residues
    #[arg(long, value_name = "BYTES", value_parser = settings::size)]
    memory: Option<u64>,
    #[command(flatten)]
    planning: Planning,
}

impl Common {
    fn options(&self) -> Options<'_> {
        self.planning.options().with_threads(self.threads).with_memory_bytes(self.memory)
    }

    /// Prints what is planned if it is wanted, unless no power takes a product.
    fn explain(&self, exponents: &[Integer], summary: impl FnOnce() -> Result<Summary, Error>) -> Result<(), Failure> {
        if self.planning.how.explain.is_some() && exponents.iter().all(|exponent| exponent.magnitude().is_zero()) {
            print::aside("nothing to plan: all exponents are 0\n");
            return Ok(());
        }
        self.planning.explain(summary)
    }
}

pub(crate) fn multi(arguments: &MultiArguments) -> Outcome {
    let options = arguments.common.options();
    let base = number::argument(&arguments.base, Field::Base, options.limits())?;
    let (modulus, modulus_is_hexadecimal) = number::modulus(&arguments.modulus, options.limits())?;
    let (exponents, lines, mut hexadecimal) = arguments.exponents.exponents(options.limits())?;
    hexadecimal |= base.hexadecimal || modulus_is_hexadecimal;
    arguments.common.explain(&exponents, || Ok(modulus.explain_exp_list(&exponents, &options)?.summary()))?;
    arguments.results.write((&arguments.exponents, None), &lines, hexadecimal, |progress| {
        modulus.pow_exp_list(&base.value, &exponents, &options.with_watch(Some(progress)))
    })?;
    Ok(GOOD)
}

pub(crate) fn product(arguments: &ProductArguments) -> Outcome {
    let options = arguments.common.options();
    let (modulus, mut hexadecimal) = number::modulus(&arguments.modulus, options.limits())?;
    let (mut bases, mut exponents): (Vec<Integer>, Vec<Integer>) = (Vec::new(), Vec::new());
    let lines = arguments.factors.read(|text| {
        // One comma, or only blanks: what is empty between two commas is no number, and is not left out.
        let pair = text.split_once(',').or_else(|| text.split_once(char::is_whitespace));
        let is_one =
            |field: &str| !field.is_empty() && !field.contains(|mark: char| mark == ',' || mark.is_whitespace());
        let pair = pair.map(|(base, exponent)| (base.trim(), exponent.trim()));
        let Some((base, exponent)) = pair.filter(|(base, exponent)| is_one(base) && is_one(exponent)) else {
            return Err(Error::BadArgument("expected a base and an exponent".into()));
        };
        hexadecimal |= number::is_hexadecimal(base) || number::is_hexadecimal(exponent);
        bases.push(number::parse(base, Field::Base, options.limits())?);
        exponents.push(number::parse(exponent, Field::Exponent, options.limits())?);
        Ok(())
    })?;
    arguments.common.explain(&exponents, || Ok(modulus.explain_product(&exponents, &options)?.summary()))?;
    let result = modulus.pow_product(&bases, &exponents, &options).map_err(|error| match &error {
        Error::At { index, error } => arguments.factors.at(lines[*index], error.code(), error),
        _ => error.into(),
    })?;
    json::answer(
        || print::number(&result, hexadecimal),
        || Object::new().with("result", json::number(&result, false)),
    )?;
    Ok(GOOD)
}
