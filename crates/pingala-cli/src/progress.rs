//! How far one long piece of work is.

use crate::interrupt::{self, in_progress};
use crate::print::{self, grouped, time_text};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pingala::Watch;
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Between two lines of progress where standard error is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(60);
/// Between two pictures of the bar.
const PICTURES_EVERY: Duration = Duration::from_millis(200);

/// How a bar looks. The text behind it is cut where the terminal ends: a line that wraps is not taken away again.
pub(crate) const BAR: &str = "{bar:12} {percent:>3} %  {wide_msg}";

/// A bar on the terminal that a signal takes away; none where standard error is no terminal, or it is not wanted.
pub(crate) fn bar(wanted: bool, total: Option<u64>, template: &str) -> Option<ProgressBar> {
    (wanted && io::stderr().is_terminal()).then(|| {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        // The template is a constant that is right; the default style would do no harm.
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        in_progress().bar = Some(bar.clone());
        bar
    })
}

/// A bar on the terminal, otherwise a line now and then; stops the work when a signal came that did not end the process.
pub(crate) struct Progress {
    /// What is done, such as `squarings`.
    what: &'static str,
    wanted: bool,
    bar: Option<ProgressBar>,
    started: Instant,
    /// How many were done before.
    start: u64,
    told: Mutex<Instant>,
}

impl Progress {
    pub(crate) fn new(what: &'static str, start: u64, wanted: bool) -> Self {
        let bar = bar(wanted, Some(0), BAR);
        let now = Instant::now();
        Self { what, wanted, bar, started: now, start, told: Mutex::new(now) }
    }

    /// To be called when the work has ended.
    pub(crate) fn clear(&self) {
        in_progress().bar = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `1,234,567 of 10,000,000 squarings  345,678/s  25 s left`: at the mean speed of this run.
fn text(what: &str, done: u64, total: u64, of_this_run: u64, seconds: f64) -> String {
    let rate = of_this_run as f64 / seconds.max(1e-3);
    let left = if rate > 0.0 { time_text((total - done) as f64 / rate) } else { "?".into() };
    format!("{} of {} {what}  {}/s  {left} left", grouped(done), grouped(total), grouped(rate as u64))
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
        let text = text(self.what, done, total, done.saturating_sub(self.start), self.started.elapsed().as_secs_f64());
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
        let line = text("squarings", 3_000_000, 10_000_000, 1_000_000, 10.0);
        assert_eq!(line, "3,000,000 of 10,000,000 squarings  100,000/s  1 min 10 s left");
        assert_eq!(text("powers", 5, 10, 0, 1.0), "5 of 10 powers  0/s  ? left");
    }
}
