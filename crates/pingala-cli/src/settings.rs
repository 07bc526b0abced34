//! Options that several subcommands share.

use crate::explain::{self, Explain};
use crate::failure::Failure;
use crate::json::{self, Object};
use crate::names::{Names, binaries};
use crate::print;
use clap::Args;
use clap::builder::PossibleValuesParser;
use pingala_core::kernels::KERNELS;
use pingala_core::plan::Summary;
use pingala_core::{Limits, Natural, Options};
use pingala_rows::stream::{Csv, Input};
use pingala_rows::text::csv_by_name;
use pingala_rows::{Binaries, Meaning};
use std::fmt::{Display, LowerHex};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The names of all kernels.
pub(crate) fn kernels() -> Vec<&'static str> {
    KERNELS.iter().map(|entry| entry.name).collect()
}

/// Forces a choice that the planner would make by price.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Plans and limits")]
pub(crate) struct Forced {
    /// Force a kernel by name (see `pingala info`; environment: PINGALA_KERNEL)
    #[arg(long, value_name = "NAME", value_parser = Names::<String>::new(kernels), hide_possible_values = true)]
    pub(crate) kernel: Option<String>,
    /// Force a plan, by the line that `pingala plan` prints (environment: PINGALA_PLAN)
    #[arg(long, value_name = "LINE")]
    pub(crate) plan: Option<String>,
}

/// Lengths beyond which a number is refused before any memory is taken.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Plans and limits")]
pub(crate) struct Caps {
    /// Refuse a longer modulus
    #[arg(long, value_name = "BITS", default_value_t = Limits::default().modulus_bits, value_parser = count(0..=u64::MAX))]
    pub(crate) max_modulus_bits: u64,
    /// Refuse a longer exponent
    #[arg(long, value_name = "BITS", default_value_t = Limits::default().exponent_bits, value_parser = count(0..=u64::MAX))]
    pub(crate) max_exponent_bits: u64,
}

/// A size in bytes: `4096`, `64K`, `1M`, `2G`, `1T`, by powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => Some(0),
        "K" | "k" => Some(10),
        "M" | "m" => Some(20),
        "G" | "g" => Some(30),
        "T" | "t" => Some(40),
        _ => None,
    };
    let number = digits.parse::<u64>().ok();
    let bytes = number.zip(shift).and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected bytes: 4096, 64K, 1M or 2G (powers of 1024)".into())
}

/// A count or a length in this range, as numbers are typed: `2048`, `1_000_000`, `1e9`, `2**30`.
pub(crate) fn count(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let value = pingala_chains::integer(text, u64::BITS.into()).ok().filter(|value| !value.is_negative());
        let value = value.and_then(|value| match value.magnitude().limbs() {
            [] => Some(0),
            [limb] => Some(*limb),
            _ => None,
        });
        let (least, most) = (range.start(), range.end());
        value.filter(|value| range.contains(value)).ok_or_else(|| match *most {
            u64::MAX => format!("expected a whole number from {least} on: 2048, 1_000_000 or 1e9"),
            _ => format!("expected a whole number from {least} to {most}: 2048, 1_000_000 or 1e9"),
        })
    }
}

/// A number of seconds in this range.
pub(crate) fn seconds(
    range: RangeInclusive<f64>,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let seconds = text.parse().ok().filter(|seconds| range.contains(seconds));
        seconds.ok_or_else(|| format!("expected a number of seconds from {} to {}", range.start(), range.end()))
    }
}

/// The delimiter of CSV.
pub(crate) fn delimiter(text: &str) -> Result<char, String> {
    let text = if text == "\\t" { "\t" } else { text };
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii() && !['"', '\n', '\r'].contains(&letter) => Ok(letter),
        _ => Err("expected one ASCII character that is no quote, such as ; or \\t".into()),
    }
}

/// A name that the libraries read.
pub(crate) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string().replace("bad argument: ", ""))
}

/// Longest salt of PSS.
pub(crate) const SALT_BYTES: u64 = 1 << 16;

/// A number from 1 on.
pub(crate) fn positive(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1 on".into())
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    positive(text).map_err(|why| why + "; omit the option to use all cores")
}

impl Caps {
    pub(crate) fn limits(&self) -> Limits {
        Limits::new(self.max_modulus_bits, self.max_exponent_bits)
    }
}

/// How a command plans.
#[derive(Args, Clone, Debug)]
pub(crate) struct Planning {
    #[command(flatten)]
    pub(crate) how: Explain,
    #[command(flatten)]
    pub(crate) forced: Forced,
    #[command(flatten)]
    pub(crate) caps: Caps,
}

impl Planning {
    /// The library's settings, on one thread.
    pub(crate) fn options(&self) -> Options<'_> {
        self.forced.options(self.caps.limits(), None)
    }

    /// Prints an explanation on standard error, if it is wanted.
    pub(crate) fn explain<E: Into<Failure>>(
        &self,
        summary: impl FnOnce() -> Result<Summary, E>,
    ) -> Result<(), Failure> {
        let Some(how) = self.how.explain else { return Ok(()) };
        let text = explain::shown(&summary().map_err(E::into)?, how);
        // Beside other objects on standard error this one has a name.
        print::aside(&if json::is_wanted() { Object::new().with_json("explanation", &text).line() } else { text });
        Ok(())
    }
}

/// How a result is written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Notation {
    /// Print hexadecimal (default: if any of the numbers is hexadecimal)
    #[arg(long, conflicts_with = "decimal")]
    hex: bool,
    /// Print decimal (default: if all of the numbers are decimal)
    #[arg(long)]
    decimal: bool,
}

impl Notation {
    /// Prints a result of numbers that are hexadecimal, or are not.
    pub(crate) fn print(self, result: &Natural, is_hexadecimal: bool) -> Result<(), Failure> {
        let text = || print::number(result, self.is_hexadecimal(is_hexadecimal));
        json::answer(text, || Object::new().with("result", self.json(result)))
    }

    /// A number in an object: decimal on request only, whatever other numbers are.
    pub(crate) fn json(self, number: impl Display + LowerHex) -> String {
        json::number(number, self.decimal)
    }

    /// Whether one is asked for.
    pub(crate) fn is_given(self) -> bool {
        self.hex || self.decimal
    }

    /// Whether results of numbers that are hexadecimal, or are not, are hexadecimal.
    pub(crate) fn is_hexadecimal(self, numbers_are: bool) -> bool {
        self.hex || numbers_are && !self.decimal
    }
}

/// How the commands on rows read them.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// The delimiter of CSV (default: a comma; \t: a tab)
    #[arg(long, value_name = "CHARACTER", default_value = ",", hide_default_value = true, value_parser = delimiter)]
    pub(crate) delimiter: char,
    /// Numbers in text are hexadecimal, with 0x or without
    #[arg(long)]
    pub(crate) hex_input: bool,
    /// Untyped binary of Parquet is big, little, signed-big, signed-little or text
    #[arg(long, value_name = "[COL=]WORD", value_delimiter = ',', value_parser = Names::<Meaning>::new(binaries), hide_possible_values = true)]
    pub(crate) binary: Vec<Meaning>,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// No progress bar and no summary on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Reading {
    /// What the binary columns hold. Error: two things of one column.
    pub(crate) fn binaries(&self) -> Result<Binaries, Failure> {
        Ok(Binaries::new(self.binary.iter().cloned())?)
    }
}

/// The rows that are read as a stream.
#[derive(Args, Clone, Debug)]
pub(crate) struct Rows {
    /// JSON Lines, CSV or Parquet (`-`: standard input, no Parquet)
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
    /// Format of the input, if it is text (default: by its extension, else by its first line)
    #[arg(long, value_parser = PossibleValuesParser::new(TEXTS), value_name = "jsonl|csv", hide_possible_values = true)]
    pub(crate) input_format: Option<String>,
    /// Format of the output (default: by its extension, else jsonl)
    #[arg(long, value_parser = PossibleValuesParser::new(TEXTS), value_name = "jsonl|csv", hide_possible_values = true)]
    pub(crate) format: Option<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// The formats of rows of text.
const TEXTS: [&str; 2] = ["jsonl", "csv"];

impl Rows {
    /// Whether the input is CSV, if it is text and that is known before it is read.
    pub(crate) fn is_csv(&self) -> Option<bool> {
        let said = self.input_format.as_ref().map(|format| format == "csv");
        said.or_else(|| csv_by_name(&self.input))
    }

    /// How rows are written as CSV with these columns; none for JSON Lines. Error: an output whose name says another format, or one
    /// that is not written here.
    pub(crate) fn csv(&self, output: &Path, input: &Input, columns: &[&'static str]) -> Result<Option<Csv>, Failure> {
        let usage = |why: String| Err(Failure::Usage(why));
        let shown = output.display();
        let extension = output.extension().and_then(|text| text.to_str()).unwrap_or_default().to_ascii_lowercase();
        match extension.as_str() {
            "parquet" => {
                return usage(format!(
                    "{shown}: JSON Lines and CSV are written here; `pingala job run` writes Parquet"
                ));
            }
            "gz" | "zst" => {
                return usage(format!("{shown}: the output is not packed; --output - writes to a pipe, as of gzip"));
            }
            _ => {}
        }
        let named = csv_by_name(output);
        let is_csv = match (self.format.as_deref(), named) {
            (None, named) => named == Some(true),
            (Some(format), Some(named)) if (format == "csv") != named => {
                return usage(format!(
                    "{shown} is the name of another format than --format {format}, which is that of the output; --input-format is that of the input"
                ));
            }
            (Some(format), _) => format == "csv",
        };
        // Before version 0.4.0 --format was that of the input.
        if is_csv
            && self.format.is_some()
            && self.input_format.is_none()
            && !input.is_parquet()
            && self.is_csv() != Some(false)
        {
            let what = "--format csv is the format of the output; before version 0.4.0 it was that of the input, which is --input-format now";
            if named.is_none() {
                return usage(format!("{what}: say both, as in --input-format csv --format jsonl"));
            }
            print::note(what);
        }
        let place = if input.is_parquet() { "row" } else { "line" };
        Ok(is_csv.then(|| Csv::new(columns, place, self.reading.delimiter)))
    }
}

impl Forced {
    /// Kernel and plan line: those of the command line, or if it names neither those of the environment, as the library
    /// has it.
    pub(crate) fn kernel_and_line(&self) -> (Option<String>, Option<String>) {
        if self.kernel.is_some() || self.plan.is_some() {
            return (self.kernel.clone(), self.plan.clone());
        }
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        (variable("PINGALA_KERNEL"), variable("PINGALA_PLAN"))
    }

    /// The library's settings for these.
    pub(crate) fn options(&self, limits: Limits, threads: Option<NonZeroUsize>) -> Options<'_> {
        Options::default()
            .with_kernel(self.kernel.as_deref())
            .with_plan(self.plan.as_deref())
            .with_threads(threads)
            .with_limits(limits)
    }
}

#[cfg(test)]
#[path = "../tests/inside/settings.rs"]
mod tests;
