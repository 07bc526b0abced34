//! The end of a job: the manifest, how far the job is, and checks of what was written.

use crate::error::{Error, ErrorRows, Result};
use crate::job::{Hold, Job};
use crate::output::{self, Done, FirstError};
use crate::part;
use crate::publish::{self, Runner};
use crate::reading::{Phase, Reading};
use crate::sample;
use crate::seal;
use crate::settings::{Settings, Status, Summary};
use serde::{Deserialize, Serialize};
use std::sync::PoisonError;

const NAME: &str = "_manifest.json";
const KIND: &str = "job manifest";

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    plan: String,
    rows: u64,
    errors: u64,
    files: Vec<Listed>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    name: String,
    rows: u64,
    errors: u64,
    bytes: u64,
    sha256: String,
}

impl Job {
    /// Writes the manifest, when every part is there and whole. Errors as [`Job::run_part`], and `job_differs` with the parts that are
    /// missing.
    pub fn finish(&self) -> Result<Summary> {
        let _runner = Runner::of(&self.folder)?;
        self.end(&Settings::default())
    }

    /// As [`Job::finish`], for a caller that holds the job.
    pub fn finish_held(&self, _hold: &Hold) -> Result<Summary> {
        self.end(&Settings::default())
    }

    pub(crate) fn end(&self, settings: &Settings<'_>) -> Result<Summary> {
        // Writers may have been killed on other machines of a cluster.
        publish::remove_partials(&self.folder)?;
        let found = self.found()?;
        let done: Vec<&Done> = found.iter().flatten().collect();
        if let Some(part) = found.iter().position(Option::is_none) {
            return Err(Error::differs(format!(
                "{} of {} parts are missing, the first is {}",
                self.parts() - done.len(),
                self.parts(),
                self.plan.part_name(part)
            )));
        }
        let (parts, errors) = (self.parts() as u64, self.error_rows(&done));
        let summary = Summary { rows: self.rows(), errors, parts, ..Summary::default() };
        let errors = summary.errors.rows;
        let manifest = self.manifest()?;
        if let Some(manifest) = manifest {
            if manifest.errors != errors {
                return Err(Error::file(&self.folder.join(NAME), "it has another number of errors than the parts"));
            }
            self.is_as_listed(&manifest, settings)?;
            return Ok(summary);
        }
        let mut files = Vec::with_capacity(self.parts());
        let reading = self.checking(settings);
        for (part, done) in done.iter().enumerate() {
            let written = self.written.lock().unwrap_or_else(PoisonError::into_inner).remove(&part);
            let (bytes, sha256) = match written {
                Some(written) => written,
                None => output::check(&self.folder, &self.plan, part, &reading)?,
            };
            files.push(Listed { name: self.plan.part_name(part), rows: done.rows, errors: done.errors, bytes, sha256 });
        }
        let manifest = Manifest { plan: self.digest.clone(), rows: self.rows(), errors, files };
        publish::publish(&self.folder.join(NAME), &seal::seal(KIND, &manifest)?.0)?;
        Ok(summary)
    }

    /// The phase in which the parts are read.
    fn checking<'a>(&self, settings: &Settings<'a>) -> Reading<'a> {
        let paths: Vec<_> = (0..self.parts()).map(|part| self.plan.part_path(&self.folder, part)).collect();
        Reading::bytes(settings, Phase::Checking, &paths)
    }

    /// The rows without a result in some parts.
    fn error_rows(&self, done: &[&Done]) -> ErrorRows {
        let mut errors = ErrorRows { rows: done.iter().map(|done| done.errors).sum(), ..ErrorRows::default() };
        for (code, count) in done.iter().flat_map(|done| &done.codes) {
            *errors.codes.entry(code.clone()).or_default() += count;
        }
        let first = done.iter().find_map(|done| done.first.as_ref());
        let place = |first: &FirstError| part::place_of_row(&self.plan, first.input, first.row);
        errors.first = first.map(|first| format!("{}: {}", place(first), first.message));
        errors
    }

    fn manifest(&self) -> Result<Option<Manifest>> {
        let path = self.folder.join(NAME);
        let Some((manifest, _)) = seal::read::<Manifest>(&path, KIND)? else { return Ok(None) };
        if manifest.plan != self.digest {
            return Err(Error::differs(format!("{} is of another job", path.display())));
        }
        let is_listed = |(part, listed): (usize, &Listed)| {
            part < self.parts() && listed.name == self.plan.part_name(part) && listed.rows == self.plan.part_len(part)
        };
        let mut errors = manifest.files.iter().map(|listed| listed.errors);
        let is_right = manifest.files.len() == self.parts()
            && manifest.rows == self.rows()
            && manifest.files.iter().enumerate().all(is_listed)
            && errors.try_fold(0u64, u64::checked_add) == Some(manifest.errors);
        if is_right { Ok(Some(manifest)) } else { Err(Error::file(&path, "it lists other parts than the plan")) }
    }

    /// How far the job is. Errors as [`Job::run_part`].
    pub fn status(&self) -> Result<Status> {
        let found = self.found()?;
        let done: Vec<&Done> = found.iter().flatten().collect();
        Ok(Status {
            parts: self.parts() as u64,
            done_parts: done.len() as u64,
            rows: self.rows(),
            done_rows: done.iter().map(|done| done.rows).sum(),
            errors: self.error_rows(&done),
            finished: self.manifest()?.is_some() && done.len() == self.parts(),
            running: Runner::is_there(&self.folder),
        })
    }

    /// Checks a finished job: every byte of its files by the manifest, and some rows by other kernels; gives their number. Errors:
    /// `bad_file` for damage; `fault` for a row that comes out otherwise; `job_differs` for a job that is not finished.
    pub fn verify(&self, rows: u64, settings: &Settings<'_>) -> Result<u64> {
        let manifest = self.manifest()?;
        let manifest = manifest.ok_or_else(|| Error::differs("the job is not finished: there is no manifest"))?;
        self.is_as_listed(&manifest, settings)?;
        sample::check(&self.folder, &self.plan, &self.digest, rows, settings)
    }

    /// Reads every byte of the parts. Error: `bad_file`, if a file is not the one that the manifest lists; `interrupted`.
    fn is_as_listed(&self, manifest: &Manifest, settings: &Settings<'_>) -> Result<()> {
        let reading = self.checking(settings);
        for (part, listed) in manifest.files.iter().enumerate() {
            let path = self.plan.part_path(&self.folder, part);
            let done = self.done(part)?.ok_or_else(|| Error::file(&path, "it is missing"))?;
            let found = output::check(&self.folder, &self.plan, part, &reading)?;
            if found != (listed.bytes, listed.sha256.clone())
                || (done.rows, done.errors) != (listed.rows, listed.errors)
            {
                return Err(Error::file(&path, "it is not the file that the manifest lists"));
            }
        }
        Ok(())
    }
}
