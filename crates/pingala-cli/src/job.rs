//! `pingala job`: files bigger than memory, in parts that survive a kill.

use crate::failure::{BAD_ROWS, Failure, GOOD, INTERRUPTED, Outcome};
use crate::interrupt;
use crate::json::{self, Object, errors};
use crate::names::{self, Names};
use crate::print::{self, counted, grouped, of_size, size_text, time_text};
use crate::progress::Progress;
use crate::settings::{self, Forced, Reading, SALT_BYTES};
use crate::verify::read_key_file;
use clap::{Args, Subcommand};
use pingala_core::Limits;
use pingala_rows::{
    Error, ErrorRows, Errors, Format, Job, Preparing, Request, SCHEMES, Settings, Signatures, Workload,
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

const RUN: &str = "\
BASE, EXPONENT, MODULUS are columns or numbers; a column of the name wins, and value:65537 is the number. Numbers in columns \
are unsigned bytes (most significant first), text (decimal, or hexadecimal with 0x), integers or decimals.

Input: Parquet (packed by zstd, snappy, lz4 or gzip), CSV with a header line or JSON Lines, also as .gz or .zst; files, \
folders, or names with * and ?. Bytes of fixed width without a type, and bytes that all read as text, need --binary: \
big or little (unsigned, most or least significant byte first), signed-big or signed-little (two's complement), or text. \
Text is cut into Parquet first, in DIR/_input.

Output: DIR/part-00000.parquet and so on: the columns of --keep, then the result (bytes as wide as the modulus's type, or 64-bit \
integers for integers; null where the row has no result), then error with a code. DIR/_manifest.json comes last: then all is there.

The same command continues where a run ended, killed or not. Finished parts are never written again; a part is either whole or \
not there. Inputs that have changed, parts of other jobs and a second runner are refused.

Signatures: --verify rsa-pkcs1 --signature COL --message COL --key COL (or --modulus and --exponent for n and e). The result is true \
or false, and a column reason says why not.

Exit status:
  0    every row has a result, whatever it is
  1    the run failed: a file, a column, or a setting
  2    the command line is wrong
  3    some rows are errors
  130  interrupted by Ctrl-C (143: terminated); finished parts stay";

/// Compute files bigger than memory, in parts: stop it at any moment, and the same command continues
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<RunArguments>),
    /// Print how far a job is; the exit status is 0 whether or not it is finished
    Status(StatusArguments),
    /// Check a finished job: every byte of its files, and some rows by another algorithm and kernel
    Verify(VerifyArguments),
}

/// Run a job, or continue one
#[derive(Debug, Args)]
#[command(after_help = RUN)]
struct RunArguments {
    /// Parquet, CSV or JSON Lines: files, folders, names with * and ?
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// The folder of the results
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Base: column or number
    #[arg(long, value_name = "BASE", allow_hyphen_values = true)]
    base: Option<String>,
    /// Exponent: column or number
    #[arg(long, value_name = "EXPONENT", allow_hyphen_values = true)]
    exponent: Option<String>,
    /// Modulus: column or number
    #[arg(long, value_name = "MODULUS")]
    modulus: Option<String>,
    /// Compute the inverse of the base
    #[arg(long, conflicts_with_all = ["exponent", "verify"])]
    inverse: bool,
    /// Test the numbers of a column for primality
    #[arg(long, value_name = "COL", conflicts_with_all = ["base", "exponent", "modulus", "inverse", "verify", "width"])]
    is_prime: Option<String>,
    /// Rounds of those tests with random bases, above 2^64 (default: 1)
    #[arg(long, value_name = "COUNT", requires = "is_prime", value_parser = settings::count(0..=1000))]
    rounds: Option<u64>,
    /// Verify signatures: dsa, rsa-pkcs1 or rsa-pss
    #[arg(long, value_name = "SCHEME", requires = "signature")]
    #[arg(value_parser = Names::<String>::new(|| SCHEMES.to_vec()), hide_possible_values = true)]
    verify: Option<String>,
    /// The column of the signatures
    #[arg(long, value_name = "COL", requires = "verify")]
    signature: Option<String>,
    /// The column of the messages
    #[arg(long, value_name = "COL", conflicts_with = "digest")]
    message: Option<String>,
    /// The column of the messages' digests, instead of --message
    #[arg(long, value_name = "COL")]
    digest: Option<String>,
    /// The column of the keys, or one key as @FILE
    #[arg(long, value_name = "COL|@FILE", requires = "verify")]
    key: Option<String>,
    /// The hash function of the messages (default: sha256, or for rsa-pss that of the key)
    #[arg(long, value_name = "HASH", value_parser = Names::<String>::new(names::hashes), hide_possible_values = true)]
    hash: Option<String>,
    /// The hash function of the mask of PSS (default: that of the key, or of the messages)
    #[arg(long, value_name = "HASH", value_parser = Names::<String>::new(names::hashes), hide_possible_values = true)]
    mgf_hash: Option<String>,
    /// Bytes of the salt of PSS (default: any)
    #[arg(long, value_name = "BYTES", value_parser = settings::count(0..=SALT_BYTES))]
    salt: Option<u64>,
    /// The encoding of the signatures, as in `pingala verify`
    #[arg(long, value_name = "ENCODING", default_value = "der")]
    #[arg(value_parser = Names::<String>::new(names::encodings), hide_possible_values = true)]
    encoding: String,
    /// legacy, strict or modern, as in `pingala verify`
    #[arg(long, value_name = "POLICY", default_value = "legacy")]
    #[arg(value_parser = Names::<String>::new(names::policies), hide_possible_values = true)]
    policy: String,
    /// Columns to copy
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    keep: Vec<String>,
    /// Name the column of results
    #[arg(long, value_name = "NAME", default_value = "result")]
    result: String,
    /// Rows of a part (default: about ten seconds of one thread)
    #[arg(long, value_name = "ROWS", value_parser = settings::count(1..=u64::MAX))]
    part_rows: Option<u64>,
    /// column: null and a code; fail: the job ends at the first error
    #[arg(long, value_name = "column|fail", default_value = "column", value_parser = Names::<Errors>::new(names::errors), hide_possible_values = true)]
    errors: Errors,
    /// Bytes of each result (default: as the modulus's type)
    #[arg(long, value_name = "BYTES")]
    width: Option<u32>,
    /// parquet, csv or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "parquet", value_parser = settings::parsed::<Format>)]
    format: Format,
    /// Write results as decimal text (csv, jsonl) instead of hexadecimal
    #[arg(long)]
    decimal: bool,
    /// About the most memory for rows
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = settings::size)]
    memory: u64,
    /// Run the parts on a cluster: ray (needs the Python package pingala[ray])
    #[arg(long, value_name = "CLUSTER", value_parser = Names::<String>::new(names::clusters), hide_possible_values = true)]
    on: Option<String>,
    /// The address of the cluster (default: as the cluster's own tools find it)
    #[arg(long, value_name = "ADDRESS", requires = "on")]
    address: Option<String>,
    /// Plan the job, print what it will take, and compute nothing
    #[arg(long)]
    plan_only: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    forced: Forced,
}

#[derive(Debug, Args)]
struct StatusArguments {
    /// The folder of the results
    #[arg(value_name = "DIR")]
    output: PathBuf,
}

#[derive(Debug, Args)]
struct VerifyArguments {
    /// The folder of the results
    #[arg(value_name = "DIR")]
    output: PathBuf,
    /// Rows to compute once more
    #[arg(long, value_name = "ROWS", default_value_t = 1000, value_parser = settings::count(0..=u64::MAX))]
    rows: u64,
    /// Print nothing unless something is wrong
    #[arg(short, long)]
    quiet: bool,
}

/// A job for a cluster.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClusterRun {
    /// Its kind: `ray`.
    pub on: String,
    /// Its address.
    pub address: Option<String>,
    /// The folder of the job.
    pub folder: PathBuf,
    /// Whether nothing is shown.
    pub quiet: bool,
}

/// Runs the parts of a planned job on a cluster and finishes it; an error is a sentence.
pub type Cluster = fn(&ClusterRun) -> Result<(), String>;

static CLUSTER: OnceLock<Cluster> = OnceLock::new();

/// Gives the command the function that runs jobs on clusters. The Python package calls this.
pub fn set_cluster(cluster: Cluster) {
    let _ = CLUSTER.set(cluster);
}

impl RunArguments {
    fn request(&self) -> Result<Request, Failure> {
        let number = |text: &Option<String>| text.as_ref().map(|text| as_number(text));
        let mut request = Request::default();
        request.inputs.clone_from(&self.inputs);
        request.output.clone_from(&self.output);
        request.workload = match (self.inverse, &self.verify) {
            (true, _) => Workload::Inverse,
            (false, Some(_)) => Workload::Verify,
            _ if self.is_prime.is_some() => Workload::IsPrime,
            _ => Workload::Power,
        };
        request.rounds = self.rounds.map(|rounds| rounds as u32);
        (request.base, request.exponent, request.modulus) = (
            number(self.is_prime.as_ref().map_or(&self.base, |_| &self.is_prime)),
            number(&self.exponent),
            number(&self.modulus),
        );
        if let Some(scheme) = &self.verify {
            let Some(message) = self.message.as_ref().or(self.digest.as_ref()) else {
                return Err(Failure::Usage("--verify needs --message or --digest".into()));
            };
            let (key, one_key) = match self.key.as_deref().map(|key| (key, key.strip_prefix('@'))) {
                Some((_, Some(path))) => (None, Some(Signatures::key_text(&read_key_file(Path::new(path))?))),
                Some((column, None)) => (Some(column.to_string()), None),
                None => (None, None),
            };
            request.signatures = Signatures {
                scheme: scheme.clone(),
                hash: self.hash.clone(),
                mgf_hash: self.mgf_hash.clone(),
                salt: self.salt.map(|bytes| bytes as u32),
                encoding: self.encoding.clone(),
                policy: self.policy.clone(),
                signature: self.signature.clone().unwrap_or_default(),
                message: message.clone(),
                digests: self.digest.is_some(),
                key,
                one_key,
            };
        }
        request.keep.clone_from(&self.keep);
        request.result = Some(self.result.clone());
        request.part_rows = self.part_rows;
        request.errors = self.errors;
        request.width = self.width;
        request.format = self.format;
        request.decimal = self.decimal;
        request.hex_input = self.reading.hex_input;
        request.binary = self.reading.binaries()?;
        request.delimiter = Some(self.reading.delimiter);
        Ok(request)
    }
}

/// Numbers as people type them: `2**127-1` becomes digits; what is no number is meant as a column.
fn as_number(text: &str) -> String {
    let (prefix, digits) = match text.strip_prefix("value:") {
        Some(digits) => ("value:", digits),
        None => ("", text),
    };
    match pingala_chains::integer(digits, Limits::default().exponent_bits) {
        // Its text may be the name of a column.
        Ok(_) if digits.bytes().all(|byte| byte.is_ascii_digit()) => text.to_string(),
        Ok(value) => format!("{prefix}{value:#x}"),
        Err(_) => text.to_string(),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Run(arguments) => run_job(arguments),
        Command::Status(arguments) => status(arguments),
        Command::Verify(arguments) => verify(arguments),
    }
}

fn run_job(arguments: &RunArguments) -> Outcome {
    let request = arguments.request()?;
    let progress = Progress::new("rows", 0, !arguments.reading.quiet);
    let (kernel, plan) = arguments.forced.kernel_and_line();
    let mut settings = Settings::default();
    settings.threads = arguments.reading.threads;
    settings.memory_bytes = Some(arguments.memory);
    settings.kernel = kernel.as_deref();
    settings.plan = plan.as_deref();
    settings.watch = &progress;
    settings.steps = Some(&progress);
    let ran = interrupt::stoppable(|| planned(arguments, &request, &settings, &progress));
    progress.clear();
    match (ran, interrupt::asked()) {
        (Err(Failure::Failed(INTERRUPTED, _)), Some(signal)) => {
            print::error(INTERRUPTED, "interrupted; finished parts stay, and the same command continues");
            Ok(128 + signal)
        }
        (ran, _) => ran,
    }
}

fn planned(arguments: &RunArguments, request: &Request, settings: &Settings<'_>, progress: &Progress) -> Outcome {
    let started = Instant::now();
    let job = Job::plan(request, settings)?;
    match json::is_wanted() {
        true if arguments.plan_only => print::output(&estimate_object(&job, settings)?.line())?,
        false if arguments.plan_only || !arguments.reading.quiet => progress.note(&estimate(&job, settings)?),
        _ => {}
    }
    if arguments.plan_only {
        return Ok(GOOD);
    }
    let summary = match &arguments.on {
        None => job.run(settings)?,
        Some(on) => {
            let cluster = CLUSTER.get().ok_or_else(|| {
                Failure::bad_argument(format!(
                    "--on {on} needs the command of the Python package: pip install 'pingala[{on}]'"
                ))
            })?;
            let folder = job.folder().to_path_buf();
            let run = ClusterRun {
                on: on.clone(),
                address: arguments.address.clone(),
                folder,
                quiet: arguments.reading.quiet,
            };
            cluster(&run).map_err(|why| Failure::Failed("cluster", why))?;
            job.finish()?
        }
    };
    // Before the summary, because clearing the bar removes lines above it.
    progress.clear();
    let seconds = started.elapsed().as_secs_f64();
    if json::is_wanted() {
        let object = Object::new().with("rows", summary.rows).with("parts", summary.parts);
        let object = errors(object, &summary.errors).with("computed_parts", summary.computed_parts);
        let object = object.with("computed_rows", summary.computed_rows).with("seconds", seconds);
        print::output(&object.with("removed_files", summary.removed_partials).line())?;
    } else if !arguments.reading.quiet {
        let mut text = format!(
            "{}, {}, {}",
            counted(summary.rows, "row"),
            counted(summary.errors.rows, "error"),
            counted(summary.parts, "part")
        );
        if summary.computed_parts == 0 {
            text += "; the job was finished before this run";
        } else if arguments.on.is_none() {
            let rate = summary.computed_rows as f64 / seconds.max(1e-3);
            text += &format!(
                "; {} of this run in {}, {}/s",
                counted(summary.computed_rows, "row"),
                time_text(seconds),
                grouped(rate as u64)
            );
        }
        if summary.removed_partials > 0 {
            text += &format!("; {} of killed runs removed", counted(summary.removed_partials, "file"));
        }
        print::note(&text);
        print::errors(&summary.errors);
    }
    Ok(if summary.errors.rows == 0 { GOOD } else { BAD_ROWS })
}

/// The threads of a run.
fn threads(settings: &Settings<'_>) -> usize {
    settings.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// What [`estimate`] says, as fields.
fn estimate_object(job: &Job, settings: &Settings<'_>) -> Result<Object, Error> {
    let status = job.status()?;
    let left = status.rows - status.done_rows;
    let seconds_a_row = if left == 0 { 0.0 } else { job.measure(settings)?.seconds_a_row };
    let object = Object::new().with("rows", status.rows).with("parts", status.parts).with("rows_left", left);
    let object = object.with("seconds_a_row", seconds_a_row).with("threads", threads(settings));
    Ok(object.with("seconds", seconds_a_row * left as f64 / threads(settings) as f64))
}

/// Estimates the rest of the work by a measurement on the first rows.
fn estimate(job: &Job, settings: &Settings<'_>) -> Result<String, Error> {
    let status = job.status()?;
    let rows = status.rows - status.done_rows;
    let threads = threads(settings);
    let parts = format!("{} in {}", counted(job.rows(), "row"), counted(job.parts() as u64, "part"));
    if status.done_parts == status.parts {
        return Ok(format!("{parts}, all of them there"));
    }
    let measured = job.measure(settings)?;
    let seconds = measured.seconds_a_row;
    let left = if status.done_parts == 0 { String::new() } else { format!(", {} left", counted(rows, "row")) };
    let time = time_text(seconds * rows as f64 / threads as f64);
    let mut text =
        format!("{parts}{left}; {:.3} us a row, about {time} on {}", seconds * 1e6, counted(threads as u64, "thread"));
    if let Some(error) = measured.errors.first {
        text += &format!(
            "; of the first {} {} without a result: {error}",
            counted(measured.rows, "row"),
            match measured.errors.rows {
                1 => "1 is".into(),
                errors => format!("{} are", grouped(errors)),
            }
        );
    }
    Ok(text)
}

/// `preparing: 3 of 400 MB of big.csv cut into pieces; running`.
fn text_of_preparing(preparing: &Preparing) -> String {
    let Preparing { inputs, bytes, cut_bytes, running, .. } = preparing;
    let what = match (inputs, cut_bytes) {
        (None, _) => "the inputs are being opened".into(),
        (Some(inputs), None) => format!("{inputs} ({}) is being read, before it is cut or computed", size_text(*bytes)),
        (Some(inputs), Some(cut)) => {
            let ((done, unit), (total, _)) = (of_size(*cut, *bytes), of_size(*bytes, *bytes));
            format!("{done} of {total} {unit} of {inputs} cut into pieces")
        }
    };
    let state = if *running { "running" } else { "not running; the same command continues it" };
    format!("preparing: {what}; {state}")
}

/// Parts and rows are not known yet.
fn object_of_preparing(preparing: &Preparing) -> Object {
    let Preparing { inputs, bytes, cut_bytes, pieces, running, .. } = preparing;
    let files =
        Object::new().with("inputs", inputs).with("bytes", bytes).with("cut_bytes", cut_bytes).with("pieces", pieces);
    let object =
        Object::new().with("parts", None::<u64>).with("done_parts", 0).with("rows", None::<u64>).with("done_rows", 0);
    let object = errors(object, &ErrorRows::default()).with("finished", false).with("running", running);
    object.with("preparing", files)
}

fn status(arguments: &StatusArguments) -> Outcome {
    if let Some(preparing) = Preparing::of(&arguments.output)? {
        json::answer(|| text_of_preparing(&preparing) + "\n", || object_of_preparing(&preparing))?;
        return Ok(GOOD);
    }
    let status = Job::open(&arguments.output)?.status()?;
    let object = || {
        let object = Object::new().with("parts", status.parts).with("done_parts", status.done_parts);
        let object = object.with("rows", status.rows).with("done_rows", status.done_rows);
        let object = errors(object, &status.errors).with("finished", status.finished).with("running", status.running);
        object.with("preparing", None::<Object>)
    };
    let percent = if status.rows == 0 { 100.0 } else { 100.0 * status.done_rows as f64 / status.rows as f64 };
    let state = match (status.finished, status.running) {
        (true, _) => "finished",
        (false, true) => "running",
        (false, false) => "not running; the same command continues it",
    };
    let text = || {
        format!(
            "{} of {}, {} of {} ({percent:.1} %), {}; {state}\n",
            grouped(status.done_parts),
            counted(status.parts, "part"),
            grouped(status.done_rows),
            counted(status.rows, "row"),
            counted(status.errors.rows, "error"),
        )
    };
    json::answer(text, object)?;
    Ok(GOOD)
}

fn verify(arguments: &VerifyArguments) -> Outcome {
    let job = Job::open(&arguments.output)?;
    let progress = Progress::new("rows", 0, !arguments.quiet);
    let mut settings = Settings::default();
    settings.steps = Some(&progress);
    let checked = job.verify(arguments.rows, &settings);
    progress.clear();
    let rows = checked?;
    if json::is_wanted() {
        let object = Object::new().with("valid", true).with("parts", job.parts()).with("checked_rows", rows);
        print::output(&object.line())?;
    } else if !arguments.quiet {
        print::note(&format!(
            "the job is right; unchanged: {}; equal by another kernel: {}",
            counted(job.parts() as u64, "file"),
            counted(rows, "row")
        ));
    }
    Ok(GOOD)
}
