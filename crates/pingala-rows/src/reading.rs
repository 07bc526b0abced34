//! How far a job is while it reads files and computes no rows.

use crate::error::{Error, Result};
use crate::settings::Settings;
use crate::text::shown;
use pingala_core::Watch;
use std::cell::Cell;
use std::fs;
use std::path::Path;

/// What a job does to files while it computes no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// It reads the footers of Parquet. The unit is a file.
    Opening,
    /// It reads inputs to compute their SHA-256. The unit is a byte.
    Reading,
    /// It cuts text into Parquet. The unit is a byte of the text, as it is packed.
    Cutting,
    /// It reads results to compare their SHA-256. The unit is a byte.
    Checking,
}

/// How far such a phase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The phase.
    pub phase: Phase,
    /// Its files: the name of one, or how many there are, such as `3 files`.
    pub files: &'a str,
    /// Units that an earlier run had done.
    pub before: u64,
    /// Units that are done.
    pub done: u64,
    /// Units in all.
    pub total: u64,
}

/// Receives the steps of these phases, on the thread that plans or runs the job.
pub trait Steps: Sync {
    /// One step. The first step of a phase has nothing done beside what was done before.
    fn step(&self, step: &Step<'_>);
}

/// One phase over some files: reports its steps, and stops when the caller wants that.
pub(crate) struct Reading<'a> {
    watch: &'a dyn Watch,
    steps: Option<&'a dyn Steps>,
    phase: Phase,
    files: String,
    total: u64,
    before: u64,
    done: Cell<u64>,
}

/// The name of one file, or the number of several.
pub(crate) fn named<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> String {
    let mut paths = paths.into_iter();
    let first = paths.next().map(|path| shown(&path.as_ref().file_name().unwrap_or_default().to_string_lossy()));
    match (first, paths.count()) {
        (Some(name), 0) => name,
        (first, more) => format!("{} files", more + usize::from(first.is_some())),
    }
}

impl<'a> Reading<'a> {
    /// Reports nothing.
    pub(crate) fn silent(watch: &'a dyn Watch) -> Self {
        Self {
            watch,
            steps: None,
            phase: Phase::Reading,
            files: String::new(),
            total: 0,
            before: 0,
            done: Cell::new(0),
        }
    }

    /// A phase over files; its units in all, and those that an earlier run had done.
    pub(crate) fn of<P: AsRef<Path>>(
        settings: &Settings<'a>,
        phase: Phase,
        paths: impl IntoIterator<Item = P>,
        (total, before): (u64, u64),
    ) -> Self {
        let (files, done) = (named(paths), Cell::new(before));
        let reading = Self { watch: settings.watch, steps: settings.steps, phase, files, total, before, done };
        reading.report();
        reading
    }

    /// A phase whose unit is a byte of these files.
    pub(crate) fn bytes<P: AsRef<Path>>(settings: &Settings<'a>, phase: Phase, paths: &[P]) -> Self {
        let bytes = paths.iter().filter_map(|path| fs::metadata(path).ok()).map(|facts| facts.len());
        Self::of(settings, phase, paths, (bytes.fold(0, u64::saturating_add), 0))
    }

    /// A phase whose unit is one of these files.
    pub(crate) fn footers<P: AsRef<Path>>(settings: &Settings<'a>, paths: &[P]) -> Self {
        Self::of(settings, Phase::Opening, paths, (paths.len() as u64, 0))
    }

    fn report(&self) {
        if let Some(steps) = self.steps {
            let done = self.done.get().min(self.total);
            let Self { phase, ref files, total, before, .. } = *self;
            steps.step(&Step { phase, files, before, done, total });
        }
    }

    /// These many units are done, whatever was said before. Error: `interrupted`, if the caller wants to stop.
    pub(crate) fn reached(&self, done: u64) -> Result<()> {
        self.done.set(done);
        self.report();
        if self.watch.stop() { Err(Error::interrupted()) } else { Ok(()) }
    }

    /// Adds units that are done. Error: `interrupted`, if the caller wants to stop.
    pub(crate) fn add(&self, units: u64) -> Result<()> {
        self.reached(self.done.get().saturating_add(units))
    }
}
