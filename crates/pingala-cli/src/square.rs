//! `pingala square`: squarings by the million, with a checkpoint file.

use crate::failure::{Failure, GOOD, Outcome};
use crate::interrupt::{self, in_progress};
use crate::number::{self, Field};
use crate::print::{self, grouped, time_text};
use crate::settings::{Caps, Forced};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pingala::{Error, MOST_SQUARINGS, Modulus, Options, RepeatedSquare, Watch};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const NOTES: &str = "\
The checkpoint file is written every --every seconds, at Ctrl-C, and at the end. If it is there, the run goes on from it:
the same command again is all it takes. A file of another modulus, base or count, or a damaged one, is refused. It is
replaced as a whole, so that a crash leaves the old state or the new one; a second Ctrl-C does not wait for it.";

/// Between two lines of progress where standard error is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(60);
/// Between two pictures of the bar.
const PICTURES_EVERY: Duration = Duration::from_millis(200);

/// Square a number again and again: BASE^(2^SQUARINGS) mod MODULUS
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Any integer
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    base: String,
    /// How many squarings, up to 2^40
    #[arg(value_name = "SQUARINGS", value_parser = clap::value_parser!(u64).range(..=MOST_SQUARINGS))]
    squarings: u64,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    modulus: String,
    /// Keep the state in FILE, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often to write it
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds, requires = "checkpoint")]
    every: f64,
    /// Print hexadecimal (default: if base or modulus is hexadecimal)
    #[arg(long, conflicts_with = "decimal")]
    hex: bool,
    /// Print decimal (default: if both are decimal)
    #[arg(long)]
    decimal: bool,
    /// Print the plan and its candidates to standard error
    #[arg(long)]
    explain: bool,
    /// Say nothing on standard error unless something is wrong
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    caps: Caps,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number of seconds".to_string())?;
    if (0.0..=1e9).contains(&seconds) { Ok(seconds) } else { Err("from 0 to a thousand million seconds".into()) }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let limits = arguments.caps.limits();
    let base = number::argument(&arguments.base, Field::Base, &limits)?;
    let modulus = number::modulus(number::argument(&arguments.modulus, Field::Modulus, &limits)?)?;
    let modulus = Modulus::with_limits(modulus, &limits)?;
    let mut job = RepeatedSquare::new(&modulus, &base, arguments.squarings)?;
    if let Some(path) = &arguments.checkpoint {
        job = job.with_checkpoint(path, Duration::from_secs_f64(arguments.every))?;
        if job.done() > 0 && !arguments.quiet {
            print::note(&format!("{} squarings are done already, by {}", grouped(job.done()), path.display()));
        }
    }
    if arguments.explain {
        let options = arguments.forced.options(limits, None);
        let explanation = modulus.explain_repeated_square(arguments.squarings, &options)?;
        print::aside(&format!("{}\n", explanation.to_string().trim_end()));
    }
    let progress = Progress::new(job.done(), !arguments.quiet);
    in_progress().stops_by_itself = true;
    let options = Options { watch: Some(&progress), ..arguments.forced.options(limits, None) };
    let result = job.run(&options);
    in_progress().stops_by_itself = false;
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
            let result = result.map_err(Failure::from)?;
            let hexadecimal = [&arguments.base, &arguments.modulus].iter().any(|text| number::is_hexadecimal(text));
            let hexadecimal = arguments.hex || hexadecimal && !arguments.decimal;
            print::output(&if hexadecimal { format!("{result:#x}\n") } else { format!("{result}\n") })?;
            Ok(GOOD)
        }
    }
}

/// A bar on the terminal, otherwise a line now and then; stops the work when a signal came.
struct Progress {
    wanted: bool,
    bar: Option<ProgressBar>,
    started: Instant,
    /// Squarings that were done before.
    start: u64,
    told: Mutex<Instant>,
}

impl Progress {
    fn new(start: u64, wanted: bool) -> Self {
        let bar = (wanted && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            // The template is a constant that is right; the default style would do no harm.
            let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            in_progress().bar = Some(bar.clone());
            bar
        });
        let now = Instant::now();
        Self { wanted, bar, started: now, start, told: Mutex::new(now) }
    }

    fn clear(&self) {
        in_progress().bar = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `1,234,567 of 10,000,000 squarings  345,678/s  25 s left`: at the mean speed of this run.
fn text(done: u64, total: u64, of_this_run: u64, seconds: f64) -> String {
    let rate = of_this_run as f64 / seconds.max(1e-3);
    let left = if rate > 0.0 { time_text((total - done) as f64 / rate) } else { "?".into() };
    format!("{} of {} squarings  {}/s  {left} left", grouped(done), grouped(total), grouped(rate as u64))
}

impl Watch for Progress {
    fn stop(&self) -> bool {
        interrupt::asked().is_some()
    }

    fn progress(&self, finished: usize, total: usize) {
        let (done, total) = (finished as u64, total as u64);
        let every = if self.bar.is_some() { PICTURES_EVERY } else { LINES_EVERY };
        let Ok(mut told) = self.told.lock() else { return };
        if !self.wanted || told.elapsed() < every {
            return;
        }
        *told = Instant::now();
        let text = text(done, total, done.saturating_sub(self.start), self.started.elapsed().as_secs_f64());
        match &self.bar {
            Some(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(text);
            }
            None => print::note(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_by_the_speed_of_this_run() {
        let line = text(3_000_000, 10_000_000, 1_000_000, 10.0);
        assert_eq!(line, "3,000,000 of 10,000,000 squarings  100,000/s  1 min 10 s left");
        assert_eq!(text(5, 10, 0, 1.0), "5 of 10 squarings  0/s  ? left");
    }
}
