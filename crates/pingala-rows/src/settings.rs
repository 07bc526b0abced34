//! Settings of a run, and its summary. No setting changes a result.

use crate::error::ErrorRows;
use crate::reading::Steps;
use pingala_core::{Options, Watch};
use std::num::NonZeroUsize;
use std::thread;

/// Memory for rows, unless a caller says otherwise.
const MEMORY_BYTES: u64 = 512 << 20;

/// Stops nothing and shows nothing.
struct Unwatched;

impl Watch for Unwatched {}

/// Settings of a run. None changes a result.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Settings<'a> {
    /// Threads; by default one for each processor.
    pub threads: Option<NonZeroUsize>,
    /// About the most memory for rows; by default 512 MiB.
    pub memory_bytes: Option<u64>,
    /// Forces a kernel.
    pub kernel: Option<&'a str>,
    /// Forces the plan of each power.
    pub plan: Option<&'a str>,
    /// Polled on the thread that runs the job, about fifty times a second: receives the rows that all runs of the job have done, and
    /// may stop the job. Finished parts stay.
    pub watch: &'a dyn Watch,
    /// Receives how far a job is while it reads files and computes no rows.
    pub steps: Option<&'a dyn Steps>,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { threads: None, memory_bytes: None, kernel: None, plan: None, watch: &Unwatched, steps: None }
    }
}

impl std::fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("threads", &self.threads)
            .field("memory_bytes", &self.memory_bytes)
            .finish_non_exhaustive()
    }
}

impl Settings<'_> {
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }

    /// The library's settings, on these threads.
    pub(crate) fn options(&self, threads: Option<NonZeroUsize>) -> Options<'_> {
        Options::default().with_threads(threads).with_kernel(self.kernel).with_plan(self.plan)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory_bytes.unwrap_or(MEMORY_BYTES)
    }
}

/// The summary of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Rows of the job.
    pub rows: u64,
    /// Rows without a result, of which the column `error` has the code.
    pub errors: ErrorRows,
    /// Parts of the job.
    pub parts: u64,
    /// Parts that this run computed.
    pub computed_parts: u64,
    /// Rows that this run computed.
    pub computed_rows: u64,
    /// Files that killed runs had left and this one removed.
    pub removed_partials: u64,
}

/// The time of the first rows of a job, and their errors.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// Seconds of one thread for a row.
    pub seconds_a_row: f64,
    /// Rows that were computed.
    pub rows: u64,
    /// Rows among them without a result.
    pub errors: ErrorRows,
}

/// How far a job is, as its files say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// Parts of the job.
    pub parts: u64,
    /// Parts that are there.
    pub done_parts: u64,
    /// Rows of the job.
    pub rows: u64,
    /// Rows of the parts that are there.
    pub done_rows: u64,
    /// Rows without a result among these.
    pub errors: ErrorRows,
    /// Whether the manifest is there.
    pub finished: bool,
    /// Whether a runner is at work now.
    pub running: bool,
}
