//! `pingala square`: squarings by the million, with a checkpoint file.

use crate::failure::{Failure, GOOD, INTERRUPTED, Outcome};
use crate::interrupt;
use crate::number::{self, Field};
use crate::print::{self, grouped};
use crate::progress::Progress;
use crate::settings::{self, Notation, Planning};
use crate::square_proof;
use clap::Args;
use pingala_core::{Error, Integer, Limits, MOST_SQUARINGS, Modulus, Options, RepeatedSquare};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

const NOTES: &str = "\
The command writes the checkpoint file at the start, every --every seconds, on Ctrl-C, and at the end. If the file \
exists, the run resumes from it, so the same command continues an interrupted run. A larger count extends a finished \
run. A file for another modulus, base or count, or a damaged file, is refused. The file is replaced as a whole, so a \
crash leaves the old state or the new one. A second Ctrl-C stops at once, without writing it.

With --proof the result is followed by a line with its proof by Wesolowski, wesolowski-v1:0x... The modulus is odd and \
has no divisor in common with the base. The checkpoint file then grows to about --memory bytes, and is for this count \
only. With --output one file has base, count, modulus, result and proof, as JSON, and --verify FILE needs nothing else.

With --verify nothing is computed anew: the command prints `valid`, or `not valid: ` and the reason, and the status is 4. \
What a file says of base, count and modulus is printed too, as the file may be of another power than you think; those on \
the command line have to be the same. A modulus below 1024 bits is not accepted. Beside --result, `@FILE` reads the \
proof from a file, `-` from standard input.";

const USAGE: &str = "pingala square [OPTIONS] <BASE> <SQUARINGS> <MODULUS>
       pingala square [OPTIONS] --proof [--output <FILE>]
         <BASE> <SQUARINGS> <MODULUS>
       pingala square [OPTIONS] --verify <FILE> [BASE SQUARINGS MODULUS]
       pingala square [OPTIONS] --result <RESULT> --verify <PROOF>
         <BASE> <SQUARINGS> <MODULUS>";

/// Square a number repeatedly: BASE^(2^SQUARINGS) mod MODULUS; prove the result, or verify a proof
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = NOTES)]
pub(crate) struct Arguments {
    /// Any integer
    #[arg(value_name = "BASE", allow_hyphen_values = true, required_unless_present = "verify", requires = "modulus")]
    base: Option<String>,
    /// Number of squarings, below 2^64
    #[arg(value_name = "SQUARINGS", value_parser = settings::count(0..=MOST_SQUARINGS), required_unless_present = "verify")]
    squarings: Option<u64>,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true, required_unless_present = "verify")]
    modulus: Option<String>,
    /// Print a proof of the result too
    #[arg(long, conflicts_with_all = ["explain", "plan"])]
    proof: bool,
    /// Write what --verify FILE reads, and print the result only
    #[arg(short, long, value_name = "FILE", requires = "proof")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Memory for residues while squaring, from which the proof is made; with less it takes longer (default: 64 MB)
    #[arg(long, value_name = "SIZE", value_parser = settings::size, requires = "proof")]
    pub(crate) memory: Option<u64>,
    /// Threads for the proof (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads, requires = "proof")]
    threads: Option<NonZeroUsize>,
    /// The result to verify
    #[arg(long, value_name = "RESULT", allow_hyphen_values = true, requires_all = ["verify", "base"])]
    pub(crate) result: Option<String>,
    /// Verify this proof of --result, or what this file says
    #[arg(long, value_name = "FILE|PROOF", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["proof", "memory", "threads", "checkpoint", "every", "explain", "plan", "hex", "decimal"])]
    verify: Option<String>,
    /// Keep the state in FILE, and resume from it if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write it this often
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = settings::seconds(0.0..=1e9), requires = "checkpoint")]
    every: f64,
    #[command(flatten)]
    pub(crate) notation: Notation,
    /// Print nothing on standard error unless something is wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    planning: Planning,
}

/// base^(2^squarings) mod modulus.
#[derive(Debug)]
pub(crate) struct Power {
    pub(crate) base: Integer,
    pub(crate) squarings: u64,
    pub(crate) modulus: Modulus,
}

impl Arguments {
    /// The file of the state and the time between two states.
    pub(crate) fn checkpoint(&self) -> Option<(&Path, Duration)> {
        self.checkpoint.as_deref().map(|path| (path, Duration::from_secs_f64(self.every)))
    }

    /// Says what the checkpoint has.
    pub(crate) fn note_done(&self, done: u64) {
        if let Some(path) = self.checkpoint.as_ref().filter(|_| done > 0 && !self.quiet) {
            print::note(&format!("{} squarings are done already, by {}", grouped(done), path.display()));
        }
    }

    /// Base, count and modulus of the command line, which has all three or none; and whether one of the numbers is hexadecimal.
    fn power(&self, limits: &Limits) -> Result<Option<(Power, bool)>, Failure> {
        let (Some(base), Some(squarings), Some(modulus)) = (&self.base, self.squarings, &self.modulus) else {
            return Ok(None);
        };
        let base = number::argument(base, Field::Base, limits)?;
        let (modulus, is_hexadecimal) = number::modulus(modulus, limits)?;
        Ok(Some((Power { base: base.value, squarings, modulus }, base.hexadecimal || is_hexadecimal)))
    }

    /// Runs a job, of which `done` units are done, with its progress. The inner error is the signal that stopped it.
    pub(crate) fn watched<T>(
        &self,
        (what, done): (&'static str, u64),
        options: &Options<'_>,
        run: impl FnOnce(&Options<'_>) -> Result<T, Error>,
    ) -> Result<Result<T, i32>, Failure> {
        let progress = Progress::new(what, done, !self.quiet);
        let result = interrupt::stoppable(|| run(&options.with_watch(Some(&progress))));
        progress.clear();
        match (result, interrupt::asked()) {
            (Err(Error::Interrupted), Some(signal)) => Ok(Err(signal)),
            (result, _) => Ok(Ok(result?)),
        }
    }

    /// Says what a stopped job has done, and gives the status.
    pub(crate) fn stopped(&self, signal: i32, (done, squarings): (u64, u64)) -> i32 {
        let done = format!("{} of {} squarings", grouped(done), grouped(squarings));
        let what = match &self.checkpoint {
            Some(path) => format!("interrupted; {} has {done}", path.display()),
            None => format!("interrupted after {done}; --checkpoint FILE would have kept them"),
        };
        print::error(INTERRUPTED, &what);
        128 + signal
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let options = arguments.planning.options().with_threads(arguments.threads);
    let limits = *options.limits();
    let power = arguments.power(&limits)?;
    match (power, &arguments.verify, &arguments.result) {
        (Some((power, _)), Some(proof), Some(result)) => square_proof::verify(&power, result, proof, &options),
        (power, Some(file), _) => square_proof::verify_file(power.map(|power| power.0).as_ref(), file, &options),
        (Some((power, is_hexadecimal)), None, _) if arguments.proof => {
            square_proof::prove(arguments, &power, is_hexadecimal, &options)
        }
        (Some((power, is_hexadecimal)), None, _) => square(arguments, &power, is_hexadecimal, &options),
        (None, None, _) => Err(Failure::Usage("BASE, SQUARINGS and MODULUS are needed".into())),
    }
}

fn square(arguments: &Arguments, power: &Power, is_hexadecimal: bool, options: &Options<'_>) -> Outcome {
    let Power { base, squarings, modulus } = power;
    let mut job = RepeatedSquare::new(modulus, base, *squarings)?;
    if let Some((path, every)) = arguments.checkpoint() {
        job = job.with_checkpoint(path, every)?;
        arguments.note_done(job.done());
    }
    let planned = || modulus.explain_repeated_square(*squarings, options);
    arguments.planning.explain(|| planned().map(|plan| plan.summary()))?;
    match arguments.watched(("squarings", job.done()), options, |options| job.run(options))? {
        Ok(result) => {
            arguments.notation.print(&result, is_hexadecimal)?;
            Ok(GOOD)
        }
        Err(signal) => Ok(arguments.stopped(signal, (job.done(), *squarings))),
    }
}
