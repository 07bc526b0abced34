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
/// replaces, and its owner and group where the system allows that.
#[derive(Debug)]
#[cfg_attr(not(any(test, feature = "study")), allow(dead_code))]
pub struct Replacement {
    path: PathBuf,
    aside: PathBuf,
    force: bool,
    file: Option<File>,
}

// The library itself replaces without asking first; programs that write beside it ask.
#[cfg_attr(not(any(test, feature = "study")), allow(dead_code))]
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
        let file = create_like(&aside, existing.as_ref()).map_err(unwritable)?;
        let replacement = Self { path: path.into(), aside, force, file: Some(file) };
        if let (Some(existing), Some(file)) = (existing, &replacement.file) {
            take_after(file, &existing).map_err(unwritable)?;
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
        // Open, and with it locked, until it has its name.
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
        // Only a link is refused by the system where somebody else was quicker; not every file system has links.
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
            // There is nobody left to tell.
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

/// A new file that is never more open than the one it will replace.
fn create_like(aside: &Path, existing: Option<&Metadata>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if existing.is_some() {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = existing;
    let file = options.open(aside)?;
    // Says that the writer lives, where the file system has locks.
    let _ = file.try_lock();
    Ok(file)
}

/// Gives the file the owner, where the system allows it, and the mode of the one that it will replace.
fn take_after(file: &File, existing: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let now = file.metadata()?;
        if (now.uid(), now.gid()) != (existing.uid(), existing.gid()) {
            let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
        }
        file.set_permissions(fs::Permissions::from_mode(existing.mode() & 0o777))
    }
    #[cfg(not(unix))]
    file.set_permissions(existing.permissions())
}

/// How long a file has not been written that counts as left behind: its writer has locked it by then.
const LEFT_AFTER: Duration = Duration::from_secs(10);

/// Removes what killed writers of this file left beside it: files of their names that nobody has locked.
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

/// Whether it is as [`Writer::create`] makes it: process, dash, count.
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
pub(crate) mod tests {
    use super::*;
    use std::time::SystemTime;

    /// A folder of its own, removed with what is in it.
    pub(crate) struct Folder(pub(crate) PathBuf);

    impl Folder {
        pub(crate) fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("pingala-sealed-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn put(path: &Path, force: bool) -> Result<(), Error> {
        let mut file = Replacement::create(path, force)?;
        file.write_all(b"new").unwrap();
        file.finish()
    }

    #[test]
    fn a_file_is_replaced_by_force_alone() {
        let folder = Folder::new("force");
        let path = folder.0.join("file");
        put(&path, false).unwrap();
        fs::write(&path, "old").unwrap();
        assert!(put(&path, false).unwrap_err().to_string().contains("exists already"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(Replacement::create(&path, true).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        put(&path, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // Somebody else was quicker: neither kind of file is written over.
        let late = folder.0.join("late");
        let file = Replacement::create(&late, false).unwrap();
        fs::write(&late, "theirs").unwrap();
        file.finish().unwrap_err();
        assert_eq!(fs::read(&late).unwrap(), b"theirs");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2, "nothing is left beside them");
    }

    #[cfg(unix)]
    #[test]
    fn only_ordinary_files_are_replaced() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = Folder::new("kinds");
        let [pipe, socket, dangling, link, file, inner] =
            ["pipe", "socket", "dangling", "link", "file", "inner"].map(|name| folder.0.join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        symlink(folder.0.join("nothing"), &dangling).unwrap();
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        fs::create_dir(&inner).unwrap();
        for (path, reason) in [
            (&pipe, "not an ordinary file"),
            (&socket, "not an ordinary file"),
            (&inner, "not an ordinary file"),
            (&dangling, "symbolic link"),
            (&link, "symbolic link"),
        ] {
            for force in [false, true] {
                for refused in [Replacement::check(path, force), put(path, force)] {
                    let error = refused.unwrap_err();
                    assert_eq!(error.code(), "bad_file");
                    assert!(error.to_string().contains(reason), "{error}");
                }
            }
        }
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"old");
        // What was absent at the start may be a pipe at the end.
        let late = folder.0.join("late");
        let replacement = Replacement::create(&late, true).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&late).status().unwrap().success());
        replacement.finish().unwrap_err();
        assert!(fs::symlink_metadata(&late).unwrap().file_type().is_fifo());
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 7, "nothing is left beside them");
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_stays() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("mode");
        let path = folder.0.join("file");
        fs::write(&path, "old").unwrap();
        for mode in [0o600, 0o640, 0o444, 0o666] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let replacement = Replacement::create(&path, true).unwrap();
            assert_eq!(fs::metadata(replacement.aside()).unwrap().permissions().mode() & 0o777, mode);
            replacement.finish().unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    /// What a killed writer left goes with the next one; what is being written, or is not ours, stays.
    #[test]
    fn what_was_left_behind_is_removed() {
        let folder = Folder::new("left");
        let path = folder.0.join("file");
        let names = [".file.123-0.tmp", ".file.124-7.tmp", ".file.125-0.tmp", ".file.x-0.tmp", ".other.123-0.tmp"];
        let files = names.map(|name| File::create(folder.0.join(name)).unwrap());
        let long_ago = SystemTime::now() - 2 * LEFT_AFTER;
        for at in [0, 1, 3, 4] {
            files[at].set_modified(long_ago).unwrap();
        }
        files[1].try_lock().unwrap();
        put(&path, true).unwrap();
        let left = names.map(|name| folder.0.join(name).exists());
        assert_eq!(left, [false, true, true, true, true]);
    }
}
