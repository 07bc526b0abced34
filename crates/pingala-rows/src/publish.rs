//! The only way in which a job writes a file: under a temporary name, synced, renamed, its folder synced.
//!
//! A writer holds a lock on its temporary file. A killed writer holds none, so that the next runner can remove the file.

use crate::error::{Doing, Error, Result};
use crate::folder::{is_at, open_own};
use crate::text::shown;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const BUFFER_BYTES: usize = 1 << 18;
/// Another runner may remove a file between its creation and its lock. That hardly happens twice.
const ATTEMPTS: usize = 16;

/// A file that is being written; dropped before it is published, it is removed.
#[derive(Debug)]
pub(crate) struct Aside {
    path: PathBuf,
    aside: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Aside {
    /// Starts the file that will be at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let failed = |error: &io::Error| Error::io("write beside", path, error);
        for _ in 0..ATTEMPTS {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let aside = path.with_file_name(format!(".{name}.{}-{number}.partial", std::process::id()));
            let file = match OpenOptions::new().write(true).create_new(true).open(&aside) {
                Ok(file) => file,
                // A killed process had this number, perhaps on another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(&error)),
            };
            // On a file system without locks no runner removes files either.
            let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            if !taken && is_at(&file, &aside) {
                return Ok(Self { path: path.into(), aside, file: Some(BufWriter::with_capacity(BUFFER_BYTES, file)) });
            }
        }
        Err(Error::file(path, "the file aside is taken away again and again; does another runner tidy up here?"))
    }

    /// The last bytes that were written so far are replaced: `bytes` at `offset`.
    pub(crate) fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let patched = self.file.as_mut().map_or(Ok(()), |file| {
            file.flush()?;
            let file = file.get_mut();
            file.seek(SeekFrom::Start(offset))?;
            file.write_all(bytes)?;
            file.seek(SeekFrom::End(0)).map(drop)
        });
        patched.doing("write", &self.path)
    }

    /// Gives the file its name; it is on the disk when this returns.
    pub(crate) fn publish(mut self) -> Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        // Open, and with it locked, until it has its name.
        let named = file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| {
            file.sync_all()?;
            is_free_or_file(&self.path)?;
            fs::rename(&self.aside, &self.path)?;
            Ok(file)
        });
        match named {
            Ok(_) => sync_folder(&self.path),
            Err(error) => {
                let _ = fs::remove_file(&self.aside);
                Err(Error::io("write", &self.path, &error))
            }
        }
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // An error here has no receiver.
            let _ = fs::remove_file(&self.aside);
        }
    }
}

/// Error, if something that is no ordinary file has this name.
fn is_free_or_file(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(facts) if !facts.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "something that is not an ordinary file has this name"))
        }
        _ => Ok(()),
    }
}

/// Writes a whole file.
pub(crate) fn publish(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut aside = Aside::create(path)?;
    aside.write_all(bytes).doing("write", path)?;
    aside.publish()
}

/// Brings the names in the folder of this path to the disk. Other systems than Unix do not open folders.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !cfg!(unix) {
        return Ok(());
    }
    File::open(folder).and_then(|folder| folder.sync_all()).doing("sync the folder of", path)
}

/// Whether [`Aside`] gives this name to a temporary file of a job. Files with other names are not touched.
pub(crate) fn is_partial(name: &str) -> bool {
    let parts =
        name.strip_prefix('.').and_then(|name| name.strip_suffix(".partial")).and_then(|name| name.rsplit_once('.'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts.is_some_and(|(file, writer)| {
        let is_writer = writer.split_once('-').is_some_and(|(process, count)| is_number(process) && is_number(count));
        let numbered = ["part-", "_part-", "text-"].iter().find_map(|start| file.strip_prefix(start));
        let is_numbered = numbered.and_then(|rest| rest.split_once('.')).is_some_and(|(number, _)| is_number(number));
        is_writer && (is_numbered || ["_plan.json", "_preparing.json", "_manifest.json"].contains(&file))
    })
}

/// Removes the temporary files that no living writer holds; returns their number.
pub(crate) fn remove_partials(folder: &Path) -> Result<usize> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(Error::io("read", folder, &error)),
    };
    let mut removed = 0;
    for entry in entries.flatten() {
        let path = entry.path();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && is_partial(&entry.file_name().to_string_lossy())
            && open_own(&path).is_ok_and(|file| file.try_lock().is_ok())
        {
            fs::remove_file(&path).doing("remove", &path)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// The right to run a job, until it is dropped or the process dies.
#[derive(Debug)]
pub(crate) struct Runner(#[expect(dead_code, reason = "the lock goes with it")] File);

/// The file that is locked. Its existence means nothing.
const LOCK: &str = "_lock";
/// How its text begins.
const PROCESS: &str = "process";

/// Opens the lock, or makes it. No link is followed, and no file is written to that has another name as well.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.clone().create_new(true).open(path) {
        Ok(file) => return Ok(file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    drop(open_own(path)?);
    let file = options.open(path)?;
    #[cfg(unix)]
    let names = std::os::unix::fs::MetadataExt::nlink(&file.metadata()?);
    #[cfg(not(unix))]
    let names = 1;
    if names == 1 && is_at(&file, path) {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file of one name"))
}

/// The text of a lock, on one line.
fn said(file: &mut File) -> String {
    let mut text = Vec::new();
    let _ = file.rewind().and_then(|()| file.take(1 << 10).read_to_end(&mut text));
    shown(String::from_utf8_lossy(&text).trim())
}

impl Runner {
    /// Takes the folder. Error: `job_busy`, which names the process that has it.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK);
        let mut file = open_lock(&path).doing("write", &path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let who = said(&mut file);
                let who = if who.is_empty() { "another runner" } else { &who };
                return Err(Error::busy(format!("{who} works on {}; two at once are refused", folder.display())));
            }
            Err(TryLockError::Error(error)) => {
                return Err(Error::file(
                    &path,
                    format!("this file system has no locks ({error}), so that two runners could not be told apart"),
                ));
            }
        }
        let said = said(&mut file);
        // A killed runner may have written a part of it.
        if !said.starts_with(PROCESS) && !PROCESS.starts_with(&said) {
            return Err(Error::differs(format!("{} is not the lock of a job; it is left as it is", path.display())));
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host = if host.trim().is_empty() { String::new() } else { format!(" on {}", host.trim()) };
        // For people, and for the next runner, which recognises the lock by it.
        let text = format!("{PROCESS} {}{host}", std::process::id());
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
        Ok(Self(file))
    }

    /// Whether a runner has the folder now.
    pub(crate) fn is_there(folder: &Path) -> bool {
        let file = open_own(&folder.join(LOCK));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Whether this is the name of the lock.
pub(crate) fn is_lock(name: &str) -> bool {
    name == LOCK
}

/// Whether a file of the folder belongs to the runner itself.
pub(crate) fn is_ours(name: &str) -> bool {
    is_lock(name) || is_partial(name)
}

#[cfg(test)]
#[path = "../tests/inside/publish.rs"]
mod tests;
