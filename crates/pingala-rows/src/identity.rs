//! Identifies an input by the SHA-256 of its content. While its size and times are unchanged, its digest is not computed again.

use crate::error::{Doing, Error, Result};
use crate::reading::Reading;
use crate::seal::{hash_into, hex};
use pingala_core::files::open_ordinary;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The facts that identify an input.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facts {
    /// As an absolute path.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    /// The number of rows; 0 if they were not counted.
    pub(crate) rows: u64,
    /// SHA-256 of the footer of Parquet, and of the first and last bytes of text.
    pub(crate) digest: String,
    /// SHA-256 of all bytes. Plans of version 0.2.0 have only the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    /// The stamp of the file when its bytes were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stamp: Option<Stamp>,
    /// The stamp of the file when its bytes were read, also if a later write might leave it unchanged.
    #[serde(skip)]
    pub(crate) seen: Option<Stamp>,
}

impl Facts {
    /// Name and length of a file, of which nothing is read.
    pub(crate) fn named(path: &Path) -> Result<Self> {
        let bytes = fs::metadata(path).doing("read", path)?.len();
        let (path, digest) = (path.display().to_string(), String::new());
        Ok(Self { path, bytes, rows: 0, digest, content: None, stamp: None, seen: None })
    }

    /// Whether these are the facts of another file, as far as both say. Times do not count.
    pub(crate) fn differ(&self, other: &Self) -> bool {
        let content = self.content.as_ref().zip(other.content.as_ref());
        (&self.path, self.bytes, self.rows, &self.digest) != (&other.path, other.bytes, other.rows, &other.digest)
            || content.is_some_and(|(one, other)| one != other)
    }

    /// The error `job_differs`, which says that the file has changed.
    pub(crate) fn changed(&self) -> Error {
        Error::differs(format!("{} has changed since the job began; a new job needs a new output folder", self.path))
    }
}

/// Length, times and number of a file, which change when it is written to or replaced.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stamp {
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: Option<u64>,
    /// Nanoseconds since 1970 of the last change of content, mode, owner or name, which no program sets.
    changed: Option<i64>,
    number: Option<u64>,
}

/// A file that was written less than this before it was read may change again within one tick of its clock.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    pub(crate) fn of(facts: &fs::Metadata) -> Self {
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        let modified = facts.modified().ok().and_then(since).and_then(|time| u64::try_from(time.as_nanos()).ok());
        #[cfg(unix)]
        let (changed, number) = {
            use std::os::unix::fs::MetadataExt;
            let nanoseconds =
                facts.ctime().checked_mul(1_000_000_000).and_then(|time| time.checked_add(facts.ctime_nsec()));
            (nanoseconds, Some(facts.ino()))
        };
        #[cfg(not(unix))]
        let (changed, number) = (None, None);
        Self { bytes: facts.len(), modified, changed, number }
    }

    /// Whether the file was written at least a tick ago.
    fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i128);
        let written = self.changed.map(i128::from).max(self.modified.map(i128::from));
        // Clocks of other machines may be before this one.
        written.is_some_and(|written| !(0..=TICK.as_nanos() as i128).contains(&(now - written)))
    }
}

/// An ordinary file, opened.
pub(crate) fn stamped(path: &Path) -> Result<(File, Stamp)> {
    let open = open_ordinary(path).and_then(|file| file.metadata().map(|facts| (file, Stamp::of(&facts))));
    open.doing("read", path)
}

/// Bytes at both ends of a text that its digest covers.
const TEXT_END_BYTES: u64 = 1 << 20;

/// The facts of a file without its content. The digest covers the footer of Parquet, or both ends of text.
pub(crate) fn outline(path: &Path, parquet: bool) -> Result<Facts> {
    let mut file = open_ordinary(path).doing("read", path)?;
    let bytes = file.metadata().doing("read", path)?.len();
    let mut looked = Vec::new();
    let tail = if parquet {
        let mut end = [0; 8];
        file.seek(SeekFrom::Start(bytes.saturating_sub(8))).doing("read", path)?;
        file.read_exact(&mut end).doing("read", path)?;
        let footer = u32::from_le_bytes([end[0], end[1], end[2], end[3]]);
        u64::from(footer) + 8
    } else {
        Read::by_ref(&mut file).take(TEXT_END_BYTES).read_to_end(&mut looked).doing("read", path)?;
        TEXT_END_BYTES
    };
    file.seek(SeekFrom::Start(bytes.saturating_sub(tail))).doing("read", path)?;
    file.take(tail).read_to_end(&mut looked).doing("read", path)?;
    let digest = hex(&Sha256::digest(&looked));
    Ok(Facts { path: path.display().to_string(), bytes, rows: 0, digest, content: None, stamp: None, seen: None })
}

impl Facts {
    /// Adds the SHA-256 of the file, which is read unless its stamp is that of `known` or of an earlier call. Errors: `bad_file`,
    /// `interrupted`.
    pub(crate) fn with_content(mut self, known: Option<&Facts>, reading: &Reading<'_>) -> Result<Self> {
        let path = Path::new(&self.path);
        let (file, stamp) = stamped(path)?;
        let as_known = known.filter(|known| known.path == self.path && known.stamp.as_ref() == Some(&stamp));
        let content = match as_known.and_then(|known| known.content.clone()) {
            Some(content) => reading.add(stamp.bytes).map(|()| content)?,
            None => content(path, file, &stamp, reading)?,
        };
        // The plan keeps no stamp that a later write might leave unchanged.
        self.stamp = Some(stamp.clone()).filter(Stamp::is_settled);
        self.seen = Some(stamp);
        self.content = Some(content);
        Ok(self)
    }

    /// Error: `job_differs`, if the file at this path has another content by now; those of [`Facts::with_content`].
    pub(crate) fn expect_content(&self, reading: &Reading<'_>) -> Result<()> {
        let Some(content) = &self.content else { return Ok(()) };
        let outline = Facts { content: None, stamp: None, ..self.clone() };
        let now = outline.with_content(Some(self), reading)?;
        if now.content.as_ref() == Some(content) { Ok(()) } else { Err(self.changed()) }
    }
}

/// SHA-256 of a file with this stamp, computed once in a process if the stamp is older than a tick.
fn content(path: &Path, mut file: File, stamp: &Stamp, reading: &Reading<'_>) -> Result<String> {
    static READ: Mutex<Option<HashMap<(String, Stamp), String>>> = Mutex::new(None);
    let known = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (path.display().to_string(), stamp.clone());
    if let Some(content) = known().as_ref().and_then(|known| known.get(&key)).cloned() {
        return reading.add(stamp.bytes).map(|()| content);
    }
    let (settled, mut hash) = (stamp.is_settled(), Sha256::new());
    hash_into(&mut hash, &mut file, path, reading)?;
    let content = hex(&hash.finalize());
    let now = file.metadata().map(|facts| Stamp::of(&facts));
    if settled && now.is_ok_and(|now| now == *stamp) {
        known().get_or_insert_default().insert(key, content.clone());
    }
    Ok(content)
}
