//! `pingala batch`: a file of powers, in constant memory. Rows are read, computed and counted in [`pingala_rows::stream`].

use crate::failure::{BAD_ROWS, Failure, GOOD, MISMATCHES, Outcome};
use crate::json::{self, Object};
use crate::number::{self, Field};
use crate::output::Output;
use crate::print::{self, counted, plural, rate_text};
use crate::progress::Progress;
use crate::settings::{self, Caps, Forced, Rows};
use clap::Args;
use pingala_core::{Integer, Limits};
use pingala_rows::powers::{NAMES, Numbers, Powers, holds};
use pingala_rows::records::Rules;
use pingala_rows::stream::{self, Csv, Input, Source, Tally};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const FORMATS: &str = "\
Input: Parquet; or text with one row per line, as a JSON object or as CSV with a header line.
  base, exponent, modulus  integers of any size, or text: decimal or 0x hexadecimal, with an optional minus
  id                       optional: copied to the output (from CSV as text); by default the number of the line or row
  expected                 optional: the result to compare with, or `error` if there is none
  Other fields are ignored. Blank lines are skipped, but counted. In CSV an empty field counts as absent. \
  --base, --exponent and --modulus name other fields, or give a number for all rows; value:5 is always the number. \
  Text that is packed by gzip or zstd is unpacked. Columns of Parquet are text, integers or bytes (unsigned, most \
  significant first); bytes of fixed width, and bytes that all read as text, need --binary.
  For files that take hours: `pingala job`.

Output: one JSON object per line, in the order of the input.
  {\"id\":1,\"result\":\"0x1f\"}               with expected also \"match\":true or false
  {\"id\":2,\"error\":{\"code\":\"not_a_number\",\"message\":\"...\",\"line\":2}}
Or CSV with the columns id, result, match, error (the code), message and line (row, if the input is Parquet), for an output whose \
name ends with .csv, or with --format csv.

Codes of rows that were not computed and match nothing: bad_row, not_a_number, too_long, bad_plan, fault. \
Codes of rows that have no result, which `error` matches: zero_modulus, negative_modulus, not_invertible.

The output file appears when the run ends, with or without error rows. A run that fails or is interrupted leaves no \
file.

Exit status:
  0    all rows have results, equal to those expected
  1    the run failed: a file, its header, or a setting
  2    the command line is wrong
  3    some rows are errors
  4    some results differ from what the row expected (wins over 3)
  130  interrupted by Ctrl-C (143: terminated)
  141  the reader of standard output closed it";

/// Compute a file of powers, one per line
#[derive(Debug, Args)]
#[command(after_help = FORMATS)]
pub(crate) struct Arguments {
    #[command(flatten)]
    rows: Rows,
    /// The file of the results (`-`: standard output)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Report a longer line as an error row
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = settings::size)]
    max_line_bytes: u64,
    /// The field of the bases, or one number for all rows
    #[arg(long, value_name = "FIELD|BASE", allow_hyphen_values = true)]
    base: Option<String>,
    /// The field of the exponents, or one number for all rows
    #[arg(long, value_name = "FIELD|EXPONENT", allow_hyphen_values = true)]
    exponent: Option<String>,
    /// The field of the moduli, or one number for all rows
    #[arg(long, value_name = "FIELD|MODULUS")]
    modulus: Option<String>,
    /// Write results in decimal instead of hexadecimal
    #[arg(long)]
    decimal: bool,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    caps: Caps,
}

/// The sources of the numbers of a row: the names of its fields, and the numbers that all rows share.
fn sources(given: [Option<&str>; 3], limits: &Limits) -> Result<([String; 5], [Option<Integer>; 3]), Failure> {
    let (mut names, mut shared) = (NAMES.map(str::to_string), [None, None, None]);
    for (place, field) in [Field::Base, Field::Exponent, Field::Modulus].into_iter().enumerate() {
        let Some(text) = given[place] else { continue };
        let forced = text.strip_prefix("value:");
        match number::argument(forced.unwrap_or(text), field, limits) {
            Ok(number) => shared[place] = Some(number.value),
            Err(failure) if forced.is_some() || text.starts_with(['@', '-']) => return Err(failure),
            Err(_) => {}
        }
        // The column of this name wins over the number, unless the number is forced.
        names[place] = if forced.is_some() { String::new() } else { text.to_string() };
    }
    Ok((names, shared))
}

impl Arguments {
    /// How rows of these fields are read.
    fn rules(&self, names: [String; 5], shared: &[Option<Integer>; 3]) -> Rules {
        Rules {
            csv: self.rows.is_csv(),
            // A first line that is neither an object nor a header is a bad row.
            header_by_names: true,
            needed: (0..3).filter(|&place| shared[place].is_none()).map(|place| vec![names[place].clone()]).collect(),
            advice: "; expected names in lower case with commas between, as in base,exponent,modulus; --base, --exponent and \
                     --modulus choose other columns, --delimiter another delimiter",
            choose: "; --base, --exponent and --modulus choose other columns",
            names: names.into(),
            delimiter: self.rows.reading.delimiter as u8,
            row_bytes: usize::try_from(self.max_line_bytes).unwrap_or(usize::MAX),
            holds,
            ..Rules::default()
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (started, reading) = (Instant::now(), &arguments.rows.reading);
    let limits = arguments.caps.limits();
    let given = [&arguments.base, &arguments.exponent, &arguments.modulus].map(Option::as_deref);
    let (names, shared) = sources(given, &limits)?;
    let input = Input::open(&arguments.rows.input)?;
    let csv = arguments.rows.csv(&arguments.output, &input, &["result"])?;
    let mut output = Output::open(&arguments.output, input.file.as_deref().as_slice(), arguments.rows.force)?;
    let progress = Progress::of_stream(input.total_bytes, !reading.quiet && !output.is_shown());
    let options = arguments.forced.options(limits, reading.threads).with_watch(Some(&progress));
    let rules = arguments.rules(names, &shared);
    let source =
        Source::start(input.rows(rules, &reading.binaries()?)?, Numbers::new(limits, reading.hex_input, shared));
    let mut task = Powers { options, decimal: arguments.decimal };
    output.write(csv.as_ref().map(Csv::header).unwrap_or_default().as_bytes())?;
    let ran = stream::run(&source, &mut task, &progress, |text| output.lines(text, csv.as_ref()));
    progress.clear();
    let tally = ran?;
    output.finish()?;
    if json::is_wanted() {
        json::summary(
            &object(&tally).with("seconds", started.elapsed().as_secs_f64()),
            arguments.output.as_os_str() == "-",
        )?;
    } else if !reading.quiet {
        summarise(&tally, started.elapsed());
    }
    Ok(status(&tally))
}

/// The exit status of a run.
pub(crate) fn status(tally: &Tally) -> i32 {
    match (tally.mismatches, tally.errors.rows) {
        (0, 0) => GOOD,
        (0, _) => BAD_ROWS,
        _ => MISMATCHES,
    }
}

/// The counts, and the first mismatch and error, as fields.
fn object(tally: &Tally) -> Object {
    let object = Object::new().with("rows", tally.rows).with("results", tally.results);
    let object = json::errors(object.with("expected_errors", tally.expected_errors), &tally.errors);
    object.with("mismatches", tally.mismatches).with("first_mismatch", &tally.first_mismatch)
}

/// Prints the counts, and the first mismatch and error.
fn summarise(tally: &Tally, elapsed: Duration) {
    let mut text = format!("{}: {}", counted(tally.rows, "row"), counted(tally.results, "result"));
    if tally.expected_errors > 0 {
        text += &format!(", {}", counted(tally.expected_errors, "expected error"));
    }
    text +=
        &format!(", {}, {}", counted(tally.errors.rows, "error"), plural(tally.mismatches, "mismatch", "mismatches"));
    let seconds = elapsed.as_secs_f64();
    text += &format!("; {seconds:.2} s, {}", rate_text(tally.rows as f64 / seconds.max(1e-6)));
    print::note(&text);
    if let Some(place) = &tally.first_mismatch {
        print::note(&format!("first mismatch: {place}"));
    }
    print::errors(&tally.errors);
}
