//! The file of a part: Parquet, CSV or JSON Lines, with a record of its plan, its rows and its digest.

pub(crate) mod parquet;
pub(crate) mod text;

use crate::compute::Answers;
use crate::error::{Doing, Error, Result, count};
use crate::folder::open_own;
use crate::identity::Facts;
use crate::input::Batch;
use crate::plan::{Plan, Results};
use crate::publish::{self, Aside};
use crate::reading::Reading;
use crate::task::Format;
use crate::text::lines::{Found, Lines};
use ::parquet::schema::types::TypePtr;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A finished part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Done {
    /// The digest of the plan.
    pub(crate) plan: String,
    pub(crate) part: usize,
    pub(crate) rows: u64,
    /// Rows whose result is an error.
    pub(crate) errors: u64,
    /// The number of errors of each code. Parts of version 0.2.0 have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) codes: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<FirstError>,
    /// Of a piece of text: where the text goes on behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<End>,
}

/// A place between two rows of the texts of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    /// The text, by its number.
    pub(crate) text: usize,
    /// Bytes before it in this text, unpacked.
    pub(crate) bytes: u64,
    /// Lines before it.
    pub(crate) line: u64,
    /// About the bytes before it in the file, which may be packed.
    pub(crate) of_file: u64,
}

impl End {
    /// About the bytes before it in the files of all texts.
    pub(crate) fn of_all(&self, texts: &[Facts]) -> u64 {
        let before = texts.iter().take(self.text).map(|text| text.bytes);
        before.fold(self.of_file, u64::saturating_add)
    }
}

/// The first row of a part without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstError {
    pub(crate) input: usize,
    pub(crate) row: u64,
    pub(crate) message: String,
}

impl Done {
    /// For a part without rows.
    pub(crate) fn new(plan: &str, part: usize) -> Self {
        Self { plan: plan.into(), part, rows: 0, errors: 0, codes: BTreeMap::new(), first: None, end: None }
    }

    /// Notes the answers of rows of an input, from row `start` on.
    fn note(&mut self, answers: &Answers, input: usize, start: u64) {
        self.rows += answers.rows.len() as u64;
        for (row, flaw) in answers.errors() {
            self.errors += 1;
            count(&mut self.codes, flaw.code());
            self.first.get_or_insert_with(|| FirstError {
                input,
                row: start + row as u64,
                message: flaw.to_string().chars().take(LONGEST_MESSAGE).collect(),
            });
        }
    }
}

/// Letters of a message that a part keeps.
const LONGEST_MESSAGE: usize = 300;

/// The writer of a part.
pub(crate) struct Sink {
    done: Done,
    results: Results,
    file: File,
}

enum File {
    Parquet(parquet::Sink),
    Text(text::Sink),
}

impl Sink {
    /// Starts part `part` of a plan in `folder`, whose kept columns have these types.
    pub(crate) fn create(
        folder: &Path,
        (plan, digest): (&Plan, &str),
        part: usize,
        kept: &[TypePtr],
        memory_bytes: u64,
    ) -> Result<Self> {
        let path = plan.part_path(folder, part);
        let file = match plan.task.format {
            Format::Parquet => File::Parquet(parquet::Sink::create(&path, plan, kept, memory_bytes)?),
            _ => File::Text(text::Sink::create(&path, plan, kept)?),
        };
        Ok(Self { done: Done::new(digest, part), results: plan.results, file })
    }

    /// Takes the rows of a batch, of whose columns those at the places `kept` are kept. The batch begins at row `start` of `input`.
    pub(crate) fn push(
        &mut self,
        batch: Batch,
        kept: &[usize],
        answers: Answers,
        input: usize,
        start: u64,
    ) -> Result<()> {
        answers.are(self.results)?;
        self.done.note(&answers, input, start);
        match &mut self.file {
            File::Parquet(sink) => sink.push(batch, kept, answers),
            File::Text(sink) => sink.push(&batch, kept, &answers),
        }
    }

    /// Ends the file.
    pub(crate) fn end(self) -> Result<Ready> {
        match self.file {
            File::Parquet(sink) => sink.file.end(self.done),
            File::Text(sink) => sink.end(self.done),
        }
    }
}

/// A part that is written and has no name yet.
pub(crate) struct Ready {
    file: Aside,
    /// The file that has to be published before it: its path and its content.
    record: Option<(PathBuf, Vec<u8>)>,
    pub(crate) done: Done,
    /// Length and SHA-256 of the file.
    pub(crate) written: (u64, String),
}

impl Ready {
    /// Gives the part its name; it is on the disk when this returns.
    pub(crate) fn publish(self) -> Result<()> {
        if let Some((path, record)) = &self.record {
            text::may_record(path)?;
            publish::publish(path, record)?;
        }
        self.file.publish()
    }
}

/// A part that is there, or `None`. Errors: `job_differs` for a file that is no part of this plan, `bad_file` for a damaged one.
pub(crate) fn done(folder: &Path, (plan, digest): (&Plan, &str), part: usize) -> Result<Option<Done>> {
    let path = plan.part_path(folder, part);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", &path, &error)),
        Ok(facts) if !facts.is_file() => {
            return Err(Error::differs(format!("{} is not an ordinary file", path.display())));
        }
        Ok(_) => {}
    }
    let done = match plan.task.format {
        Format::Parquet => parquet::done(&path)?,
        _ => text::done(&path)?,
    };
    let wanted = Done { plan: digest.into(), part, rows: plan.part_len(part), ..done.clone() };
    if done != wanted {
        return Err(Error::differs(format!(
            "{} is not of this job: it belongs to plan {}, part {}",
            path.display(),
            brief(&done.plan),
            done.part
        )));
    }
    let counted = done.codes.values().try_fold(0u64, |sum, count| sum.checked_add(*count));
    if done.errors > done.rows || !done.codes.is_empty() && counted != Some(done.errors) {
        return Err(Error::file(&path, "its counts of errors differ"));
    }
    Ok(Some(done))
}

fn brief(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

/// Reads a whole part, and gives its length and SHA-256. Error: `bad_file`, if any byte differs from what was written; `interrupted`.
pub(crate) fn check(folder: &Path, plan: &Plan, part: usize, reading: &Reading<'_>) -> Result<(u64, String)> {
    let path = plan.part_path(folder, part);
    match plan.task.format {
        Format::Parquet => parquet::check(&path, reading),
        _ => text::check(&path, reading),
    }
}

/// A file aside, and SHA-256 of what went there.
#[derive(Debug)]
struct Hashed {
    file: Aside,
    hash: Sha256,
    bytes: u64,
    /// The bytes written since [`Hashed::keep`], and the hash of those before.
    kept: Option<(Sha256, Vec<u8>)>,
}

impl Hashed {
    fn create(path: &Path) -> Result<Self> {
        Ok(Self { file: Aside::create(path)?, hash: Sha256::new(), bytes: 0, kept: None })
    }

    /// Keeps all bytes that are written from here on.
    fn keep(&mut self) {
        self.kept = Some((self.hash.clone(), Vec::new()));
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        let bytes = &bytes[..count];
        self.hash.update(bytes);
        self.bytes += count as u64;
        if let Some((_, kept)) = &mut self.kept {
            kept.extend_from_slice(bytes);
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The first of some rows of a text part that is written otherwise, if one is.
pub(crate) fn text_rows(
    path: &Path,
    plan: &Plan,
    kept: &[TypePtr],
    first: u64,
    batch: &Batch,
    answers: &Answers,
) -> Result<Option<u64>> {
    let writer = text::Writer::of(plan, kept)?;
    let mut wanted = String::new();
    writer.rows(batch, &plan.kept(), answers, &mut wanted)?;
    let file = open_own(path).doing("read", path)?;
    let csv = (plan.task.format == Format::Csv).then_some(plan.task.delimiter as u8);
    let skip = first + u64::from(csv.is_some());
    let found = records(file, csv, skip, batch.rows).doing("read", path)?;
    let wanted = records(wanted.as_bytes(), csv, 0, batch.rows).doing("read", path)?;
    Ok((0..batch.rows).find(|&row| found.get(row) != wanted.get(row)).map(|row| row as u64))
}

/// Records of text behind `skip` others; of CSV by its delimiter they may have several lines.
fn records(text: impl io::Read, csv: Option<u8>, skip: u64, rows: usize) -> io::Result<Vec<Vec<u8>>> {
    let (mut lines, mut found) = (Lines::new(text, usize::MAX), Vec::new());
    for row in 0..skip + rows as u64 {
        if lines.read(|| {})? == Found::End {
            break;
        }
        csv.map_or(Ok(Found::Line), |delimiter| lines.rest_of_record(delimiter, || {}))?;
        if row >= skip {
            found.push(lines.text().to_vec());
        }
    }
    Ok(found)
}
