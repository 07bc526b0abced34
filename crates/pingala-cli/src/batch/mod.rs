//! `pingala batch`: a file of powers, in constant memory.
//!
//! One thread reads rows into a queue ([`reader`], [`queue`]); this one takes what has gathered, has the library
//! compute it on all cores, and writes the answers in order ([`tally`], [`crate::output`]). Where the system starts no other
//! thread, this one reads too.

mod csv;
mod json;
mod progress;
mod queue;
mod reader;
mod row;
mod tally;

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::settings::{self, Caps, Forced};
use clap::{Args, ValueEnum};
use pingala::{Error, Job, Natural, Options};
use pingala_rows::exactly;
use pingala_rows::text::{Packing, csv_by_name, unpacked};
use progress::Progress;
use queue::Queue;
use reader::Reader;
use row::{Row, RowError, Sources};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tally::Tally;

const FORMATS: &str = "\
Input: one row per line, as a JSON object or as CSV with a header line.
  base, exponent, modulus  integers of any size, or text: decimal or 0x hexadecimal, with an optional minus
  id                       optional: copied to the output (from CSV as text); the default is the line number
  expected                 optional: the result to compare with, or `error` if there is none
  Other fields are ignored. Blank lines are skipped, but counted. In CSV an empty field counts as absent.
  --base, --exponent and --modulus name other fields, or give a number for all rows; value:5 is always the number.
  What is packed by gzip or zstd is unpacked. For Parquet and for files bigger than memory: `pingala job`.

Output: one JSON object per line, in the order of the input.
  {\"id\":1,\"result\":\"0x1f\"}               with expected also \"match\":true or false
  {\"id\":2,\"error\":{\"code\":\"not_a_number\",\"message\":\"...\",\"line\":2}}

Codes of rows that were not computed and match nothing: bad_row, not_a_number, too_long, bad_plan, fault.
Codes of rows that have no result, which `error` matches: zero_modulus, negative_modulus, not_invertible.

The output file appears when the run ends, with or without error rows. A run that fails or is interrupted leaves no
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
    /// JSON Lines or CSV (`-`: standard input)
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the results go (`-`: standard output)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    /// Format of the input (default: by its extension, else by its first line)
    #[arg(long, value_enum, value_name = "jsonl|csv", hide_possible_values = true)]
    format: Option<Format>,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads)]
    threads: Option<NonZeroUsize>,
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
    /// Between the fields of CSV (default: a comma; \t: a tab)
    #[arg(long, value_name = "CHARACTER", default_value = ",", hide_default_value = true, value_parser = settings::delimiter)]
    delimiter: char,
    /// Numbers of the input are hexadecimal, with 0x or without
    #[arg(long)]
    hex_input: bool,
    /// Write results in decimal instead of hexadecimal
    #[arg(long)]
    decimal: bool,
    /// No progress bar and no summary on standard error
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    caps: Caps,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    // Comments, not documentation: with help of their own `--help` would spread over two pages.
    // One JSON object a line.
    Jsonl,
    // Comma-separated values below a header line.
    Csv,
}

impl Format {
    fn of_extension(path: &Path) -> Option<Self> {
        csv_by_name(path).map(|csv| if csv { Format::Csv } else { Format::Jsonl })
    }

    /// From the first line that is not blank: a header names its columns, anything else is meant as JSON.
    fn sniff(line: &[u8], sources: &Sources, delimiter: u8) -> Self {
        let is_name = |field: &[u8]| std::str::from_utf8(field).is_ok_and(|name| sources.place(name.trim()).is_some());
        let mut fields = line.split(|&byte| byte == delimiter || byte == b'"');
        if fields.any(is_name) && !line.trim_ascii_start().starts_with(b"{") { Format::Csv } else { Format::Jsonl }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let started = Instant::now();
    let limits = arguments.caps.limits();
    let given = [&arguments.base, &arguments.exponent, &arguments.modulus].map(Option::as_deref);
    let sources = Sources::of(given, &limits)?;
    let input = Input::open(&arguments.input)?;
    let mut output = Output::open(&arguments.output, input.path().as_slice(), arguments.force)?;
    // Rows that go to a terminal are what there is to see, and a bar would stand in their lines.
    let rows_are_shown = matches!(output, Output::Stdout(_)) && io::stdout().is_terminal();
    let progress = Progress::new(input.total_bytes, !arguments.quiet && !rows_are_shown);
    let mut options = arguments.forced.options(limits, arguments.threads);
    options = options.with_watch(Some(&progress));

    let queue = Arc::new(Queue::default());
    let format = arguments.format.or_else(|| Format::of_extension(input.path()?));
    let max_line_bytes = usize::try_from(arguments.max_line_bytes).unwrap_or(usize::MAX);
    let format = (format, arguments.delimiter as u8);
    let reader = Reader::new(input.stream, input.name, format, sources, max_line_bytes, (limits, arguments.hex_input));
    let reader = Arc::new(Mutex::new(reader));
    let (rows, reads) = (Arc::clone(&queue), Arc::clone(&reader));
    // Never joined: it may be waiting for standard input when there is nothing left to do.
    let reading = std::thread::Builder::new().spawn(move || lock(&reads).run(&rows));
    let reads_here = reading.is_err();
    let next = || {
        if reads_here {
            lock(&reader).fill(&queue);
        }
        queue.take()
    };

    let mut tally = Tally::new(arguments.decimal);
    let ended = compute(next, &options, &mut output, &mut tally, &progress);
    queue.abandon();
    progress.clear();
    ended?;
    output.finish()?;
    if !arguments.quiet {
        tally.summarise(started.elapsed());
    }
    Ok(tally.status())
}

fn lock<T>(reader: &Mutex<T>) -> MutexGuard<'_, T> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Chunk by chunk until there is no next one.
fn compute(
    next: impl Fn() -> Result<Option<Vec<Row>>, Failure>,
    options: &Options<'_>,
    output: &mut Output,
    tally: &mut Tally,
    progress: &Progress,
) -> Result<(), Failure> {
    let mut text = String::new();
    while let Some(rows) = next()? {
        progress.start_chunk(rows.last().map_or(0, |row| row.offset_bytes));
        text.clear();
        for (row, outcome) in exactly(&rows, powers(&rows, options)?)? {
            tally.add(row, &outcome, &mut text);
        }
        output.write(text.as_bytes())?;
        progress.end_chunk(tally.rows());
    }
    Ok(())
}

/// The powers of a chunk, errors in their places.
fn powers(rows: &[Row], options: &Options<'_>) -> Result<Vec<Result<Natural, RowError>>, Failure> {
    let tasks = rows.iter().filter_map(|row| row.task.as_ref().ok());
    let jobs: Vec<_> =
        tasks.map(|task| Job { base: &task.base, exponent: &task.exponent, modulus: &task.modulus }).collect();
    let results = pingala::pow_list(&jobs, options)?;
    let mut results = exactly(&jobs, results)?.map(|(_, result)| result);
    let outcome = |row: &Row| match &row.task {
        Ok(_) => results.next().unwrap_or(Err(Error::Fault("a row has no result"))).map_err(RowError::from),
        Err(error) => Err(error.clone()),
    };
    Ok(rows.iter().map(outcome).collect())
}

/// Where rows come from.
struct Input {
    stream: Box<dyn Read + Send>,
    /// For messages.
    name: String,
    /// `None` for standard input.
    file: Option<PathBuf>,
    /// The length of an ordinary file that is not packed.
    total_bytes: Option<u64>,
}

impl Input {
    fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_string();
            let unread = |error: io::Error| {
                Failure::Failed(format!("cannot read standard input: {}", crate::failure::plain(&error)))
            };
            let (stream, _) = unpacked(Box::new(io::stdin())).map_err(unread)?;
            return Ok(Self { stream, name, file: None, total_bytes: None });
        }
        let failed = |error: &io::Error| Failure::of_file("read", path, error);
        let file = File::open(path).map_err(|error| failed(&error))?;
        let metadata = file.metadata().map_err(|error| failed(&error))?;
        if metadata.is_dir() {
            return Err(Failure::Failed(format!("cannot read {}: it is a folder", path.display())));
        }
        let (stream, packing) = unpacked(Box::new(file)).map_err(|error| failed(&error))?;
        // How long the rows are is known where they are not packed.
        let total_bytes = (metadata.is_file() && packing == Packing::Plain).then_some(metadata.len());
        Ok(Self { stream, name: path.display().to_string(), file: Some(path.to_path_buf()), total_bytes })
    }

    fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}
