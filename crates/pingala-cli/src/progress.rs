//! Progress of long work.

use crate::interrupt::{self, in_progress};
use crate::print::{self, grouped, rate_text, size_text, time_text};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pingala_core::Watch;
use pingala_rows::stream::Follow;
use pingala_rows::{Phase, Step, Steps};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two lines of progress where standard error is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(60);
/// Between two pictures of the bar.
pub(crate) const PICTURES_EVERY: Duration = Duration::from_millis(200);

/// The template of a bar. Its text is cut at the width of the terminal, because a line that wraps cannot be removed.
pub(crate) const BAR: &str = "{bar:12} {percent:>3} %  {wide_msg}";
/// The template if the total is unknown.
pub(crate) const SPINNER: &str = "{spinner} {wide_msg}";
/// The template while files are read; the text says how many percent.
const READING: &str = "{bar:12}  {wide_msg}";
/// From this number of bytes, or of files, on a phase shows its bar at once.
const LONG_BYTES: u64 = 16 << 20;
const LONG_FILES: u64 = 256;

/// The style of a template. It is a constant that is right; the default style would do no harm.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A bar on the terminal, which a signal removes; none if standard error is not a terminal, or the bar is not wanted.
pub(crate) fn bar(wanted: bool, total: Option<u64>, template: &str) -> Option<ProgressBar> {
    (wanted && io::stderr().is_terminal()).then(|| {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        bar.set_style(style(template));
        in_progress().bar = Some(bar.clone());
        bar
    })
}

/// A bar on the terminal, otherwise a line now and then; stops the work when a signal came that did not end the process.
pub(crate) struct Progress {
    /// The unit of work, such as `squarings`.
    what: &'static str,
    wanted: bool,
    bar: Option<ProgressBar>,
    /// The units that were done before this run.
    start: u64,
    clock: Mutex<Clock>,
    /// Of rows of a stream, which are measured by the bytes of the input.
    stream: Option<Stream>,
}

/// When something began, and what.
struct Clock {
    started: Instant,
    shown_at: Instant,
    /// The phase in which files are read; none while the work itself is done.
    phase: Option<Phase>,
}

/// The position in a stream. Progress within a chunk counts as progress between its ends in the input.
#[derive(Default)]
struct Stream {
    rows_done: AtomicU64,
    chunk_start_bytes: AtomicU64,
    chunk_end_bytes: AtomicU64,
}

impl Progress {
    pub(crate) fn new(what: &'static str, start: u64, wanted: bool) -> Self {
        let bar = bar(wanted, Some(0), BAR);
        let now = Instant::now();
        let clock = Mutex::new(Clock { started: now, shown_at: now, phase: None });
        Self { what, wanted, bar, start, clock, stream: None }
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is time for another picture of the bar, or another line.
    fn is_due(&self, clock: &mut Clock) -> bool {
        let every = if self.bar.is_some() { PICTURES_EVERY } else { LINES_EVERY };
        let is_due = self.wanted && clock.shown_at.elapsed() >= every;
        if is_due {
            clock.shown_at = Instant::now();
        }
        is_due
    }

    /// Progress of the rows of a stream, with the time left if the length of the input is known; nothing without a terminal.
    pub(crate) fn of_stream(total_bytes: Option<u64>, wanted: bool) -> Self {
        let bar = bar(wanted, total_bytes, if total_bytes.is_some() { BAR } else { SPINNER });
        bar.as_ref().inspect(|bar| {
            bar.set_message("0 rows");
            bar.enable_steady_tick(PICTURES_EVERY);
        });
        let wanted = bar.is_some();
        Self { bar, wanted, stream: Some(Stream::default()), ..Self::new("rows", 0, false) }
    }

    /// Shows the rows of a stream, and the position in the input.
    fn show(&self, rows: u64, position_bytes: u64) {
        let Some(bar) = &self.bar else { return };
        let seconds = self.clock().started.elapsed().as_secs_f64().max(1e-3);
        let rate = rate_text(rows as f64 / seconds);
        // By the bytes so far: a mean over the run jumps less than the rate of the moment.
        let time = match bar.length() {
            Some(total) if position_bytes > 0 => {
                let left = seconds * total.saturating_sub(position_bytes) as f64 / position_bytes as f64;
                format!("{} left", time_text(left))
            }
            _ => format!("{} so far", time_text(seconds)),
        };
        bar.set_message(format!("{} rows  {rate}  {time}", grouped(rows)));
        bar.set_position(position_bytes);
    }

    /// Prints a message above the bar.
    pub(crate) fn note(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(message)),
            None => print::note(message),
        }
    }

    /// To be called when the work has ended.
    pub(crate) fn clear(&self) {
        in_progress().bar = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Seconds that are left at the mean speed of a run that has taken these seconds. `None` at its beginning, whose speed says little:
/// caches and clocks are cold, and the first units are seldom like the others.
pub(crate) fn left(done: u64, total: u64, seconds: f64) -> Option<f64> {
    const LEAST_SECONDS: f64 = 2.0;
    const LEAST_PART: f64 = 0.05;
    let part = done as f64 / total.max(1) as f64;
    (seconds >= LEAST_SECONDS && part >= LEAST_PART).then(|| seconds * (1.0 - part).max(0.0) / part)
}

/// `1,234,567 of 10,000,000 squarings  345,678/s  25 s left`: at the mean speed of this run.
fn text(what: &str, done: u64, total: u64, of_this_run: u64, seconds: f64) -> String {
    let rate = of_this_run as f64 / seconds.max(1e-3);
    let left = if rate > 0.0 { time_text((total - done) as f64 / rate) } else { "?".into() };
    format!("{} of {} {what}  {}/s  {left} left", grouped(done), grouped(total), grouped(rate as u64))
}

/// `reading 12 % of big.csv  210 MB/s  25 s left`: at the mean speed of this run.
fn text_of_step(step: &Step<'_>, seconds: f64) -> String {
    let Step { phase, files, before, done, total, .. } = *step;
    let verb = match phase {
        Phase::Opening => "opening",
        Phase::Cutting => "cutting",
        Phase::Checking => "checking",
        _ => "reading",
    };
    let percent = (u128::from(done) * 100).checked_div(u128::from(total)).unwrap_or(100);
    let rate = done.saturating_sub(before) as f64 / seconds.max(1e-3);
    let left = if rate > 0.0 { time_text(total.saturating_sub(done) as f64 / rate) } else { "?".into() };
    let rate = if phase == Phase::Opening {
        format!("{} files/s", grouped(rate as u64))
    } else {
        size_text(rate as u64) + "/s"
    };
    format!("{verb} {percent} % of {files}  {rate}  {left} left")
}

impl Steps for Progress {
    fn step(&self, step: &Step<'_>) {
        let mut clock = self.clock();
        let is_new = clock.phase != Some(step.phase) || step.done == step.before;
        if is_new {
            (clock.phase, clock.started) = (Some(step.phase), Instant::now());
            self.bar.as_ref().inspect(|bar| bar.set_style(style(READING)));
        }
        let long = if step.phase == Phase::Opening { LONG_FILES } else { LONG_BYTES };
        let is_due = self.is_due(&mut clock) || is_new && self.bar.is_some() && step.total >= long;
        if !is_due {
            return;
        }
        let text = text_of_step(step, clock.started.elapsed().as_secs_f64());
        match &self.bar {
            Some(bar) => {
                bar.set_length(step.total);
                bar.set_position(step.done);
                bar.set_message(text);
            }
            None => print::note(&text),
        }
    }
}

impl Watch for Progress {
    fn stop(&self) -> bool {
        interrupt::asked().is_some()
    }

    fn progress(&self, finished: usize, total: usize) {
        let (done, total) = (finished as u64, total as u64);
        if let Some(stream) = self.stream.as_ref().filter(|_| total > 0) {
            let (start, end) = (stream.chunk_start_bytes.load(Relaxed), stream.chunk_end_bytes.load(Relaxed));
            let part = end.saturating_sub(start) as f64 * done as f64 / total as f64;
            return self.show(stream.rows_done.load(Relaxed) + done, start + part as u64);
        }
        let mut clock = self.clock();
        if clock.phase.take().is_some() {
            // The rate of rows is that of the time in which they are computed.
            clock.started = Instant::now();
            self.bar.as_ref().inspect(|bar| bar.set_style(style(BAR)));
        }
        if !self.is_due(&mut clock) {
            return;
        }
        let text = text(self.what, done, total, done.saturating_sub(self.start), clock.started.elapsed().as_secs_f64());
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

impl Follow for Progress {
    fn chunk(&self, rows: u64, end_bytes: u64) {
        let Some(stream) = &self.stream else { return };
        let start = stream.chunk_end_bytes.load(Relaxed);
        stream.rows_done.store(rows, Relaxed);
        stream.chunk_start_bytes.store(start, Relaxed);
        stream.chunk_end_bytes.store(end_bytes.max(start), Relaxed);
        self.show(rows, start);
    }
}

#[cfg(test)]
#[path = "../tests/inside/progress.rs"]
mod tests;
