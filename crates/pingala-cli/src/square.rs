//! `pingala square`: squarings by the million, with a checkpoint file.

use crate::failure::{GOOD, Outcome};
use crate::interrupt;
use crate::number::{self, Field};
use crate::print::{self, grouped};
use crate::progress::Progress;
use crate::settings::{self, Notation, Planning};
use clap::Args;
use pingala::{Error, MOST_SQUARINGS, RepeatedSquare};
use std::path::PathBuf;
use std::time::Duration;

const NOTES: &str = "\
The command writes the checkpoint file at the start, every --every seconds, on Ctrl-C, and at the end. If the file
exists, the run resumes from it, so the same command continues an interrupted run. A larger count extends a finished
run. A file for another modulus, base or count, or a damaged file, is refused. The file is replaced as a whole, so a
crash leaves the old state or the new one. A second Ctrl-C stops at once, without writing it.";

/// Square a number repeatedly: BASE^(2^SQUARINGS) mod MODULUS
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Any integer
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    base: String,
    /// Number of squarings, below 2^64
    #[arg(value_name = "SQUARINGS", value_parser = settings::count(0..=MOST_SQUARINGS))]
    squarings: u64,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    modulus: String,
    /// Keep the state in FILE, and resume from it if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write it this often
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = settings::seconds(0.0..=1e9), requires = "checkpoint")]
    every: f64,
    #[command(flatten)]
    notation: Notation,
    /// Print nothing on standard error unless something is wrong
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    planning: Planning,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let options = arguments.planning.options();
    let limits = *options.limits();
    let base = number::argument(&arguments.base, Field::Base, &limits)?;
    let (modulus, is_hexadecimal) = number::modulus(&arguments.modulus, &limits)?;
    let mut job = RepeatedSquare::new(&modulus, &base.value, arguments.squarings)?;
    if let Some(path) = &arguments.checkpoint {
        job = job.with_checkpoint(path, Duration::from_secs_f64(arguments.every))?;
        if job.done() > 0 && !arguments.quiet {
            print::note(&format!("{} squarings are done already, by {}", grouped(job.done()), path.display()));
        }
    }
    let planned = || modulus.explain_repeated_square(arguments.squarings, &options);
    arguments.planning.explain(|| planned().map(|plan| plan.summary()))?;
    let progress = Progress::new("squarings", job.done(), !arguments.quiet);
    let result = interrupt::stoppable(|| job.run(&options.with_watch(Some(&progress))));
    progress.clear();
    match (result, interrupt::asked()) {
        (Err(Error::Interrupted), Some(signal)) => {
            let done = format!("{} of {} squarings", grouped(job.done()), grouped(job.squarings()));
            print::note(&match &arguments.checkpoint {
                Some(path) => format!("interrupted; {} has {done}", path.display()),
                None => format!("interrupted after {done}; --checkpoint FILE would have kept them"),
            });
            Ok(128 + signal)
        }
        (result, _) => {
            arguments.notation.print(&result?, base.hexadecimal || is_hexadecimal)?;
            Ok(GOOD)
        }
    }
}
