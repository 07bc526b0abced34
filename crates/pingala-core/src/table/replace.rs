//! The only way to write a file: write a temporary file, sync it, rename it, sync its folder.

use crate::error::Error;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) fn bad(path: &Path, reason: impl Into<String>) -> Error {
    Error::BadFile { path: path.display().to_string(), reason: reason.into() }
}

pub(crate) fn failed(path: &Path, doing: &str, error: &io::Error) -> Error {
    bad(path, format!("{doing}: {error}"))
}

/// A file that is written under a temporary name and renamed when it is complete. If it is dropped before
/// [`Replacement::finish`], it is removed, and the old file stays.
///
/// Only ordinary files are replaced, and only by force. Pipes, sockets, devices and folders are refused. A symbolic link
/// is refused too, wherever it leads: the caller names the file itself. The new file has the mode of the file that it
/// replaces, and its owner and group if the system allows that.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    aside: PathBuf,
    force: bool,
    file: Option<File>,
}

// The library itself replaces without a check; the command and the other crates check first.
impl Replacement {
    /// Whether a file may be written at `path`: nothing is there, or, with `force`, an ordinary file. Nothing is written.
    ///
    /// Error: `bad_file`.
    pub fn check(path: &Path, force: bool) -> Result<(), Error> {
        existing(path, force).map(drop)
    }

    /// Starts the file that will be at `path`. Error: `bad_file`, for what [`Replacement::check`] refuses and for a folder
    /// that cannot be written.
    pub fn create(path: &Path, force: bool) -> Result<Self, Error> {
        Self::start(path, force, 0o777)
    }

    /// As [`Replacement::create`], for a secret: from the start only the owner can read and write the file, also in place of one that others
    /// could read. Systems without modes have only the rights of the folder.
    pub fn create_private(path: &Path, force: bool) -> Result<Self, Error> {
        Self::start(path, force, 0o600)
    }

    /// Starts a file that has no rights but these.
    fn start(path: &Path, force: bool, most: u32) -> Result<Self, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = path.file_name().ok_or_else(|| bad(path, "this is not a file name"))?;
        let existing = existing(path, force)?;
        // In the same folder, as a rename does not cross disks; no other writer has this name.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let aside = path.with_file_name(format!(".{}.{}-{number}.tmp", name.display(), std::process::id()));
        // A process of the same number may have been killed here; whatever bears the name is not written through.
        let _ = fs::remove_file(&aside);
        remove_leftovers(path, name);
        let unwritable = |error: io::Error| failed(path, "cannot write beside it", &error);
        let file = create_like(&aside, existing.is_some() || most == 0o600).map_err(unwritable)?;
        let replacement = Self { path: path.into(), aside, force, file: Some(file) };
        if let (Some(existing), Some(file)) = (existing, &replacement.file) {
            take_after(file, &existing, most).map_err(unwritable)?;
        }
        Ok(replacement)
    }

    /// The name that the file has while it is written: what a handler of signals has to remove.
    pub fn aside(&self) -> &Path {
        &self.aside
    }

    /// Gives the file its name, on the disk when this returns. Error: `bad_file`, and what was there before stays.
    pub fn finish(mut self) -> Result<(), Error> {
        let Some(file) = self.file.take() else { return Ok(()) };
        // The file stays open, and so locked, until it has its name.
        let named =
            file.sync_all().map_err(|error| failed(&self.path, "cannot write", &error)).and_then(|()| self.name());
        drop(file);
        if named.is_err() {
            let _ = fs::remove_file(&self.aside);
        }
        named?;
        sync_folder(&self.path).map_err(|error| failed(&self.path, "cannot sync its folder", &error))
    }

    fn name(&self) -> Result<(), Error> {
        // It may have become something else meanwhile.
        let existing = existing(&self.path, self.force)?;
        let unnamed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => bad(&self.path, EXISTS),
            _ => failed(&self.path, "cannot write", &error),
        };
        // The system refuses a hard link if another process has made the file meanwhile, and no rename; not every file system has links.
        if existing.is_none() && !self.force {
            match fs::hard_link(&self.aside, &self.path) {
                Ok(()) => {
                    let _ = fs::remove_file(&self.aside);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(unnamed(error)),
                Err(_) => {}
            }
        }
        fs::rename(&self.aside, &self.path).map_err(unnamed)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // A destructor cannot return an error.
            let _ = fs::remove_file(&self.aside);
        }
    }
}

const EXISTS: &str = "it exists already; only force replaces it";

/// The ordinary file that is to be replaced, if there is one; an error for everything else that bears the name.
fn existing(path: &Path, force: bool) -> Result<Option<Metadata>, Error> {
    let facts = match fs::symlink_metadata(path) {
        Ok(facts) => facts,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "cannot write", &error)),
    };
    if facts.is_symlink() {
        return Err(bad(path, "this is a symbolic link; name the file itself"));
    }
    if !facts.is_file() {
        return Err(bad(path, "this is not an ordinary file"));
    }
    if force { Ok(Some(facts)) } else { Err(bad(path, EXISTS)) }
}

/// A new file, closed to others if it has to be, or may have to be: the one that it will replace may be.
fn create_like(aside: &Path, closed: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if closed {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = closed;
    let file = options.open(aside)?;
    // The lock shows that the writer lives, if the file system has locks.
    let _ = file.try_lock();
    Ok(file)
}

/// Gives the file the mode of the one that it will replace, as far as `most` has it, and its owner if the system allows it.
fn take_after(file: &File, existing: &Metadata, most: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let now = file.metadata()?;
        if (now.uid(), now.gid()) != (existing.uid(), existing.gid()) {
            let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
        }
        file.set_permissions(fs::Permissions::from_mode(existing.mode() & most))
    }
    #[cfg(not(unix))]
    let _ = most;
    #[cfg(not(unix))]
    file.set_permissions(existing.permissions())
}

/// A temporary file not written for longer than this is left behind unless it is locked: its writer has locked it by then.
const LEFT_AFTER: Duration = Duration::from_secs(10);

/// Removes the temporary files that killed writers of this file left in its folder: files of their names without a lock.
fn remove_leftovers(path: &Path, name: &OsStr) {
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    let start = format!(".{}.", name.display());
    for entry in entries.flatten() {
        let other = entry.file_name();
        let number = other.to_str().and_then(|other| other.strip_prefix(&start)?.strip_suffix(".tmp"));
        let written = entry.metadata().ok().filter(Metadata::is_file).and_then(|facts| facts.modified().ok());
        if number.is_some_and(is_number_of_writer)
            && written.and_then(|at| at.elapsed().ok()).is_some_and(|since| since > LEFT_AFTER)
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the text is a number as [`Replacement::create`] makes it: process, dash, count.
fn is_number_of_writer(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, count)| is_number(process) && is_number(count))
}

/// The folder that a file of this path is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Brings a rename to the disk. Other systems than Unix do not open folders, and order renames themselves.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    File::open(folder_of(path))?.sync_all()
}

#[cfg(test)]
#[path = "../../tests/inside/table/replace.rs"]
pub(crate) mod tests;
