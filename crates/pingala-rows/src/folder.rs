//! Opens ordinary files only, and follows no links: files that data name, below one folder that the user allowed, and files in the
//! folder of a job.

use pingala_core::files::{open_ordinary, read_to_cap};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// A folder whose files data may name.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Error: that of the system, or `NotADirectory`.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        if !fs::metadata(&path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { path })
    }

    /// The content of the file of this name, of at most `cap` bytes. The name is relative, without `..`; neither the file nor a folder
    /// on the way to it may be a link; the file is an ordinary one.
    ///
    /// Errors: `NotFound`, in the same words for all names that are not those of such files, wherever they lead; `FileTooLarge`; those
    /// of the system for a file that is there and cannot be read.
    pub fn read(&self, name: &str, cap: u64) -> io::Result<Vec<u8>> {
        let none =
            || io::Error::new(io::ErrorKind::NotFound, "no ordinary file has this name below the folder of the keys");
        let path = self.resolve(name).ok_or_else(none)?;
        let file = open_ordinary(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::InvalidInput => none(),
            _ => error,
        })?;
        // A link may have come between.
        if !is_at(&file, &path) || !fs::canonicalize(&path).is_ok_and(|whole| whole.starts_with(&self.path)) {
            return Err(none());
        }
        read_to_cap(file, cap)
    }

    /// The path of a name, if it is that of an ordinary file and no link is on the way.
    fn resolve(&self, name: &str) -> Option<PathBuf> {
        let mut path = self.path.clone();
        let mut names = Path::new(name).components().filter(|part| *part != Component::CurDir).peekable();
        names.peek()?;
        while let Some(part) = names.next() {
            let Component::Normal(part) = part else { return None };
            path.push(part);
            let facts = fs::symlink_metadata(&path).ok()?;
            let is_wanted = if names.peek().is_some() { facts.is_dir() } else { facts.is_file() };
            if !is_wanted {
                return None;
            }
        }
        Some(path)
    }
}

/// Opens a file of a job's own folder: an ordinary file that has this name itself. Errors: those of the system, and `InvalidInput` for
/// links, pipes and all else.
pub(crate) fn open_own(path: &Path) -> io::Result<File> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file");
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(refused());
    }
    let file = open_ordinary(path)?;
    if is_at(&file, path) { Ok(file) } else { Err(refused()) }
}

/// Whether the open file has this name itself, not by a link.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let one = |facts: io::Result<fs::Metadata>| facts.map(|facts| (facts.dev(), facts.ino())).ok();
        let open = one(file.metadata());
        open.is_some() && open == one(fs::symlink_metadata(path))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file())
    }
}

#[cfg(all(test, unix))]
#[path = "../tests/inside/folder.rs"]
mod tests;
