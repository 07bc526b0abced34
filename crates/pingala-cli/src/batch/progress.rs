//! The bar on the terminal: how much of the input is done, at which rate, and how long it will take.

use crate::interrupt::in_progress;
use crate::print::{grouped, time_text};
use crate::progress::{BAR, bar};
use indicatif::ProgressBar;
use pingala::Watch;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The rows of the chunk in work stand for the bytes of input between its ends.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    rows_done: AtomicU64,
    chunk_start_bytes: AtomicU64,
    chunk_end_bytes: AtomicU64,
}

impl Progress {
    /// A bar if standard error is a terminal and `wanted`; with the time left if the length of the input is known.
    pub(crate) fn new(total_bytes: Option<u64>, wanted: bool) -> Self {
        let template = if total_bytes.is_some() { BAR } else { "{spinner} {wide_msg}" };
        let bar = bar(wanted, total_bytes, template);
        bar.as_ref().inspect(|bar| {
            bar.set_message("0 rows");
            bar.enable_steady_tick(Duration::from_millis(200));
        });
        Self {
            bar,
            started: Instant::now(),
            rows_done: AtomicU64::new(0),
            chunk_start_bytes: AtomicU64::new(0),
            chunk_end_bytes: AtomicU64::new(0),
        }
    }

    /// A chunk starts whose last row ends at this byte of the input.
    pub(crate) fn start_chunk(&self, end_bytes: u64) {
        self.chunk_start_bytes.store(self.chunk_end_bytes.swap(end_bytes, Relaxed), Relaxed);
    }

    /// The chunk is done, this many rows since the start.
    pub(crate) fn end_chunk(&self, rows_done: u64) {
        self.rows_done.store(rows_done, Relaxed);
        self.show(rows_done, self.chunk_end_bytes.load(Relaxed));
    }

    fn show(&self, rows: u64, position_bytes: u64) {
        if let Some(bar) = &self.bar {
            let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
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
    }

    /// Takes the bar off the terminal.
    pub(crate) fn clear(&self) {
        in_progress().bar = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Progress {
    fn progress(&self, finished: usize, total: usize) {
        if self.bar.is_some() && total > 0 {
            let (start, end) = (self.chunk_start_bytes.load(Relaxed), self.chunk_end_bytes.load(Relaxed));
            let part = end.saturating_sub(start) as f64 * finished as f64 / total as f64;
            self.show(self.rows_done.load(Relaxed) + finished as u64, start + part as u64);
        }
    }
}

/// A rate with three digits or so: `12,345 rows/s`, `3.21 rows/s`.
pub(crate) fn rate_text(rate: f64) -> String {
    if rate >= 100.0 { format!("{} rows/s", grouped(rate as u64)) } else { format!("{rate:.2} rows/s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        assert_eq!((rate_text(12_345.6), rate_text(3.214)), ("12,345 rows/s".to_string(), "3.21 rows/s".to_string()));
    }
}
