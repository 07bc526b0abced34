//! How a job is run, who looks on, and what a run came to. Nothing here changes results.

use crate::part::Means;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::thread;

/// Memory for rows, unless a caller says otherwise.
const MEMORY_BYTES: u64 = 512 << 20;

/// Who looks on while a job runs; called on the thread that runs it, about fifty times a second.
pub trait Observer: Sync {
    /// Rows that are done, of all runs of this job, and rows in all.
    fn progress(&self, done: u64, total: u64) {
        let _ = (done, total);
    }

    /// Whether to stop. Finished parts stay.
    fn stop(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// How a job is run. Nothing here changes its results.
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
    /// Looks on.
    pub observer: &'a dyn Observer,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { threads: None, memory_bytes: None, kernel: None, plan: None, observer: &() }
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

impl<'a> Settings<'a> {
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory_bytes.unwrap_or(MEMORY_BYTES)
    }

    pub(crate) fn means(&self, threads: NonZeroUsize, memory_bytes: u64) -> Means<'a> {
        Means { threads, memory_bytes, kernel: self.kernel, plan: self.plan }
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Rows of the job.
    pub rows: u64,
    /// Rows without a result, of which `error` says why.
    pub errors: u64,
    /// How many errors there are of each code, as far as the parts say: those of version 0.2.0 do not.
    pub codes: BTreeMap<String, u64>,
    /// Where the first error is, and what it is.
    pub first_error: Option<String>,
    /// Parts of the job.
    pub parts: u64,
    /// Parts that this run computed.
    pub computed_parts: u64,
    /// Rows that this run computed.
    pub computed_rows: u64,
    /// Files that killed runs had left and this one removed.
    pub removed_partials: u64,
}

/// What the first rows of a job take, and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// Of one thread.
    pub seconds_a_row: f64,
    /// Rows that were computed.
    pub rows: u64,
    /// Rows among them without a result.
    pub errors: u64,
    /// Where the first error is, and what it is.
    pub first_error: Option<String>,
}

/// How far a job is, as its files say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    pub errors: u64,
    /// Whether the manifest is there.
    pub finished: bool,
    /// Whether a runner is at work now.
    pub running: bool,
}
