//! `pingala tune`: measures what this machine's kernels cost, for all plans to come.

use crate::failure::{Failure, GOOD, Outcome};
use crate::interrupt::in_progress;
use crate::json::{self, Object};
use crate::names::Names;
use crate::output::Output;
use crate::print::{self, grouped, time_text};
use crate::progress::{self, BAR, PICTURES_EVERY};
use crate::settings;
use clap::Args;
use indicatif::ProgressBar;
use pingala_core::kernels::Kernel;
use pingala_core::plan::{Planner, Prices, Problem, prices_path};
use pingala_study::tune;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

const NOTES: &str = "\
The prices go to the file that PINGALA_PRICES names, otherwise to pingala/prices.txt in $XDG_CONFIG_HOME, or in \
~/.config (on Windows in %APPDATA%). Every program that uses this library, the Python package included, reads that \
file when it plans for the first time. The file is used only on the CPU that its stamp names; PINGALA_PRICES=built-in \
ignores it. `pingala info` shows which prices are used. Kernels that the file does not price keep their built-in \
prices.

The table on standard output (on standard error with `--output -`) lists the lengths of odd moduli, in bits, from \
which on each kernel is the cheapest for an exponent of the same length.";

/// The longest modulus in the table of crossovers.
const LONGEST_BITS: u64 = 65_536;

/// Measure the prices of this machine, for the choice of plans; takes less than a minute
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Write the prices to this file instead (`-`: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Measure and show the table, but write no file
    #[arg(long, conflicts_with = "output")]
    dry_run: bool,
    /// Measure this kernel only; may be repeated
    #[arg(long = "kernel", value_name = "NAME", value_parser = Names::<Measured>::new(settings::kernels), hide_possible_values = true)]
    kernels: Vec<Measured>,
    /// A remark for the stamp of the file
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// No progress bar, no table
    #[arg(short, long)]
    quiet: bool,
}

/// A kernel that this CPU runs.
#[derive(Clone, Copy, Debug)]
struct Measured(Kernel);

impl FromStr for Measured {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let kernel = Kernel::by_name(name).ok_or_else(|| format!("there are {}", settings::kernels().join(", ")))?;
        if kernel.available() { Ok(Self(kernel)) } else { Err("this CPU cannot run it".into()) }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    // Before the work, so that no minute is lost.
    let path = if arguments.dry_run { None } else { Some(destination(arguments.output.as_deref())?) };
    let output = path.as_deref().map(|path| Output::open(path, &[], true)).transpose()?;
    let started = Instant::now();
    let bar = progress::bar(!arguments.quiet, Some(0), BAR);
    let bar = bar.unwrap_or_else(ProgressBar::hidden);
    let mut shown_at: Option<Instant> = None;
    let kernels: Vec<Kernel> = arguments.kernels.iter().map(|named| named.0).collect();
    let prices = tune(&kernels, arguments.note.as_deref(), |done, total| {
        if shown_at.is_none_or(|at| at.elapsed() >= PICTURES_EVERY) {
            shown_at = Some(Instant::now());
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(text(done as u64, total as u64, started.elapsed().as_secs_f64()));
        }
    });
    in_progress().bar = None;
    bar.finish_and_clear();
    let to_stdout = path.as_deref() == Some(Path::new("-"));
    if let Some(mut output) = output {
        output.write(prices.to_string().as_bytes())?;
        output.finish()?;
    }
    if json::is_wanted() {
        let file = path.filter(|_| !to_stdout).map(|path| path.display().to_string());
        let object = Object::new().with("file", file).with("seconds", started.elapsed().as_secs_f64());
        let rows = crossovers(prices)?.into_iter().map(|(work, from_bits, kernel)| {
            Object::new().with("work", work).with("from_bits", from_bits).with("kernel", kernel)
        });
        json::summary(&object.with("crossovers", rows.collect::<Vec<_>>()), to_stdout)?;
    } else if !arguments.quiet {
        let written = path.filter(|_| !to_stdout).map(|path| format!("written to {}\n", path.display()));
        let seconds = started.elapsed().as_secs_f64();
        let text = format!("{}\nmeasured in {seconds:.1} s\n{}", table(prices)?, written.unwrap_or_default());
        if to_stdout { print::aside(&text) } else { print::output(&text)? }
    }
    Ok(GOOD)
}

/// The file to be written, with the folders above that of the settings.
fn destination(wanted: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = wanted {
        return Ok(path.to_path_buf());
    }
    let path = prices_path().ok_or_else(|| {
        Failure::bad_argument(
            "there is no folder for settings (or PINGALA_PRICES is `built-in`); name a file with --output",
        )
    })?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::of_file("make", folder, &error))?;
    }
    Ok(path)
}

/// `1,200 of 5,000 measurements  25 s left`: the time left once it can be told.
fn text(done: u64, total: u64, seconds: f64) -> String {
    let time = match progress::left(done, total, seconds) {
        Some(left) => format!("{} left", time_text(left)),
        None => format!("{} so far", time_text(seconds)),
    };
    format!("{} of {} measurements  {time}", grouped(done), grouped(total))
}

/// The crossovers as a table.
fn table(prices: Prices) -> Result<String, Failure> {
    let mut rows = vec![vec!["".to_string(), "from bits".to_string(), "kernel".to_string()]];
    let mut last = "";
    for (work, from_bits, kernel) in crossovers(prices)? {
        let name = if work == last { "" } else { work };
        last = work;
        rows.push(vec![name.to_string(), format!("{:>9}", grouped(from_bits)), kernel.to_string()]);
    }
    Ok(print::table(&rows))
}

/// The crossovers of one call, of lists, and of secrets: the kind of work, the length from which on, and the kernel.
fn crossovers(prices: Prices) -> Result<Vec<(&'static str, u64, &'static str)>, Failure> {
    let planner = Planner::new(prices.over(Prices::built_in()));
    let shape = |count, secret| move |bits| Problem { count, secret, ..Problem::new(bits, bits) };
    let mut rows = Vec::new();
    for (work, count, secret) in [("one call", 1, false), ("lists", 1000, false), ("one secret", 1, true)] {
        for crossover in pingala_study::crossovers(&planner, LONGEST_BITS, shape(count, secret))? {
            rows.push((work, crossover.from_bits, crossover.kernel.entry().name));
        }
    }
    Ok(rows)
}
