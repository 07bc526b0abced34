//! The note of a job that has no plan yet: which inputs it reads, and the pieces of text that it cuts from them. A killed run finds there
//! what is known of the inputs, and `job status` how far the job is.

use crate::error::{Doing, Error, Result};
use crate::identity::Facts;
use crate::publish::{self, Runner};
use crate::reading::named;
use crate::{plan, seal, stage};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The kind of the sealed file.
const KIND: &str = "job preparation";
/// Its name in the folder of the results.
pub(crate) const NAME: &str = "_preparing.json";

/// Inputs of fewer bytes are read before anybody asks how far that is.
const NOTED_BYTES: u64 = 64 << 20;

/// The note.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    /// Text has its content here as soon as that is known. Of Parquet there are only names and lengths.
    pub(crate) inputs: Vec<Facts>,
    /// Names the pieces of text that are being cut.
    pub(crate) stage: Option<String>,
    pub(crate) parquet: bool,
}

/// The note in a folder. Error: `bad_file`, also if a file has its name and is none.
pub(crate) fn read(folder: &Path) -> Result<Option<Note>> {
    Ok(seal::read::<Note>(&folder.join(NAME), KIND)?.map(|(note, _)| note))
}

/// Writes the note, in place of an older one only.
pub(crate) fn write(folder: &Path, note: &Note) -> Result<()> {
    read(folder)?;
    publish::publish(&folder.join(NAME), &seal::seal(KIND, note)?.0)
}

/// Writes a note of inputs that take a while to read.
pub(crate) fn announce(folder: &Path, inputs: &[Facts], parquet: bool) -> Result<()> {
    let bytes = inputs.iter().fold(0u64, |sum, facts| sum.saturating_add(facts.bytes));
    if bytes < NOTED_BYTES {
        return Ok(());
    }
    write(folder, &Note { inputs: inputs.to_vec(), stage: None, parquet })
}

/// Notes the texts whose pieces have this name.
pub(crate) fn note_text(folder: &Path, texts: &[Facts], stage: &str) -> Result<()> {
    let note = Note { inputs: texts.to_vec(), stage: Some(stage.into()), parquet: false };
    let said = |note: &Note| serde_json::to_value(note).unwrap_or_default();
    match read(folder)? {
        Some(old) if said(&old) == said(&note) => Ok(()),
        _ => write(folder, &note),
    }
}

/// Removes the note of a job that has a plan. Error: `bad_file`, if a file has its name and is none.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    let path = folder.join(NAME);
    match read(folder)? {
        Some(_) => fs::remove_file(&path).doing("remove", &path),
        None => Ok(()),
    }
}

/// How far a job is that has no plan yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preparing {
    /// Its inputs: the name of one, or how many there are, such as `3 files`. None before they are known.
    pub inputs: Option<String>,
    /// Bytes of all inputs.
    pub bytes: u64,
    /// Bytes of the text that finished pieces hold; none as long as no text is cut.
    pub cut_bytes: Option<u64>,
    /// Finished pieces of text.
    pub pieces: u64,
    /// Whether a runner is at work now.
    pub running: bool,
}

impl Preparing {
    /// How far the job in a folder is in its preparation; none if it has a plan, or if the folder holds no job. Error: `bad_file`.
    pub fn of(folder: &Path) -> Result<Option<Self>> {
        let folder = fs::canonicalize(folder).doing("read", folder)?;
        // In this order: the note goes after the plan has come.
        let (note, running) = (read(&folder)?, Runner::is_there(&folder));
        if plan::read(&folder)?.is_some() {
            return Ok(None);
        }
        let Some(note) = note else {
            return Ok(running.then(|| Self { running, ..Self::default() }));
        };
        let inputs = note.inputs.iter();
        let bytes = inputs.clone().fold(0u64, |sum, facts| sum.saturating_add(facts.bytes));
        let mut found =
            Self { inputs: Some(named(inputs.map(|facts| &facts.path))), bytes, running, ..Self::default() };
        if let Some(stage) = &note.stage {
            let pieces = stage::finished(&folder, stage)?;
            found.pieces = pieces.count as u64;
            found.cut_bytes = Some(pieces.end.map_or(0, |end| end.of_all(&note.inputs)));
        }
        Ok(Some(found))
    }
}

/// Error: `job_differs`, for a folder without a plan.
pub(crate) fn no_plan(folder: &Path) -> Error {
    let (shown, name) = (folder.display(), plan::NAME);
    match Preparing::of(folder) {
        Ok(Some(_)) => Error::differs(format!(
            "{shown} has no plan yet: its inputs are being prepared; `pingala job status` says how far"
        )),
        _ => Error::differs(format!("{shown} holds no job: there is no {name}")),
    }
}
