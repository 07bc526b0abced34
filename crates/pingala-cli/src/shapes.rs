//! `pingala multi` and `pingala product`: powers that share their base, and products of powers.

use crate::batch::lines::{Found, Lines};
use crate::failure::{Failure, GOOD, Outcome};
use crate::number::{self, Field};
use crate::output::Output;
use crate::print;
use crate::progress::Progress;
use crate::settings::{Caps, Forced};
use clap::Args;
use pingala::{Error, Integer, Limits, Modulus, Natural, Options};
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const MULTI_NOTES: &str = "\
FILE has one exponent a line; blank lines are skipped. The results come in the same order, one a line, hexadecimal if any
number is. All exponents are held in memory, since their powers share work.";

const PRODUCT_NOTES: &str = "\
FILE has one factor a line: its base and its exponent, with white space or a comma between; blank lines are skipped. The
result is hexadecimal if any number is. Negative exponents share one inversion.";

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
    /// The exponents (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the results go (default: standard output)
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    /// Say nothing on standard error unless something is wrong
    #[arg(short, long)]
    quiet: bool,
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
    /// The bases with their exponents (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// Options of both.
#[derive(Args, Clone, Debug)]
struct Common {
    /// Print the plan and its candidates to standard error
    #[arg(long)]
    explain: bool,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
    /// Most memory for residues
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,
    /// Do not read a longer line
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    max_line_bytes: usize,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    caps: Caps,
}

impl Common {
    fn options(&self) -> Options<'_> {
        Options { memory_bytes: self.memory, ..self.forced.options(self.caps.limits(), self.threads) }
    }
}

pub(crate) fn multi(arguments: &MultiArguments) -> Outcome {
    let options = arguments.common.options();
    let base = number::argument(&arguments.base, Field::Base, &options.limits)?;
    let modulus = read_modulus(&arguments.modulus, &options.limits)?;
    let mut hexadecimal = [&arguments.base, &arguments.modulus].into_iter().any(|text| number::is_hexadecimal(text));
    let mut exponents = Vec::new();
    let lines = each_line(&arguments.file, arguments.common.max_line_bytes, |text| {
        hexadecimal |= number::is_hexadecimal(text);
        exponents.push(number::parse(text, Field::Exponent, &options.limits)?);
        Ok(())
    })?;
    if arguments.common.explain {
        explain(&exponents, || Ok(modulus.explain_exp_list(&exponents, &options)?.to_string()))?;
    }
    let input = Some(arguments.file.as_path()).filter(|path| path.as_os_str() != "-");
    let mut output = Output::open(&arguments.output, input, arguments.force)?;
    let progress = Progress::new("powers", 0, !arguments.quiet);
    let powers = modulus.pow_exp_list(&base, &exponents, &Options { watch: Some(&progress), ..options });
    progress.clear();
    let powers = powers?.into_iter().enumerate();
    let powers: Vec<Natural> = powers
        .map(|(index, power)| power.map_err(|error| at_line(&arguments.file, &lines, index, &error)))
        .collect::<Result<_, _>>()?;
    for power in powers {
        let line = if hexadecimal { format!("{power:#x}\n") } else { format!("{power}\n") };
        output.write(line.as_bytes())?;
    }
    output.finish()?;
    Ok(GOOD)
}

pub(crate) fn product(arguments: &ProductArguments) -> Outcome {
    let options = arguments.common.options();
    let modulus = read_modulus(&arguments.modulus, &options.limits)?;
    let mut hexadecimal = number::is_hexadecimal(&arguments.modulus);
    let (mut bases, mut exponents): (Vec<Integer>, Vec<Integer>) = (Vec::new(), Vec::new());
    let lines = each_line(&arguments.file, arguments.common.max_line_bytes, |text| {
        let mut fields = text.split(|mark: char| mark == ',' || mark.is_whitespace()).filter(|field| !field.is_empty());
        let (Some(base), Some(exponent), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(Error::BadArgument("a line has a base and an exponent".into()));
        };
        hexadecimal |= number::is_hexadecimal(base) || number::is_hexadecimal(exponent);
        bases.push(number::parse(base, Field::Base, &options.limits)?);
        exponents.push(number::parse(exponent, Field::Exponent, &options.limits)?);
        Ok(())
    })?;
    if arguments.common.explain {
        explain(&exponents, || Ok(modulus.explain_product(&exponents, &options)?.to_string()))?;
    }
    let result = modulus.pow_product(&bases, &exponents, &options).map_err(|error| match &error {
        Error::At { index, error } => at_line(&arguments.file, &lines, *index, error),
        _ => error.into(),
    })?;
    print::output(&if hexadecimal { format!("{result:#x}\n") } else { format!("{result}\n") })?;
    Ok(GOOD)
}

fn read_modulus(text: &str, limits: &Limits) -> Result<Modulus, Failure> {
    let value = number::modulus(number::argument(text, Field::Modulus, limits)?)?;
    Ok(Modulus::with_limits(value, limits)?)
}

/// Prints what is planned, unless no power takes a product.
fn explain(exponents: &[Integer], table: impl FnOnce() -> Result<String, Error>) -> Result<(), Failure> {
    if exponents.iter().all(|exponent| exponent.magnitude().is_zero()) {
        print::aside("nothing to plan: no exponent but 0\n");
        return Ok(());
    }
    print::aside(&format!("{}\n", table()?.trim_end()));
    Ok(())
}

/// What is wrong with an element, by its line.
fn at_line(path: &Path, lines: &[u64], index: usize, error: &Error) -> Failure {
    Failure::Failed(format!("{}, line {}: {error}", path.display(), lines[index]))
}

/// Hands every line that is not blank to `take`; its complaint gets the line's number. Returns the numbers of those lines.
fn each_line(
    path: &Path,
    max_line_bytes: usize,
    mut take: impl FnMut(&str) -> Result<(), Error>,
) -> Result<Vec<u64>, Failure> {
    let failed = |error: &io::Error| Failure::of_file("read", path, error);
    let stream: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(|error| failed(&error))?)
    };
    let (mut lines, mut numbers) = (Lines::new(stream, max_line_bytes), Vec::new());
    loop {
        let found = lines.read(|| {}).map_err(|error| failed(&error))?;
        let complain = |why: &str| Failure::Failed(format!("{}, line {}: {why}", path.display(), lines.number()));
        match found {
            Found::End => return Ok(numbers),
            Found::TooLong => return Err(complain(&format!("longer than {max_line_bytes} bytes"))),
            Found::Line => {}
        }
        let text = std::str::from_utf8(lines.text()).map_err(|_| complain("no text"))?.trim();
        if !text.is_empty() {
            take(text).map_err(|error| complain(&error.to_string()))?;
            numbers.push(lines.number());
        }
    }
}
