//! The output of a run: standard output, or a file that appears under its name only when it is complete.

use crate::failure::Failure;
use crate::interrupt::{Aside, in_progress};
use crate::print;
use pingala_core::files::Replacement;
use pingala_rows::stream::Csv;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 18;

/// The name of the temporary file, which is in the hands of [`crate::interrupt`]. Dropped, it takes the file along, also
/// when a panic drops it.
#[derive(Debug)]
pub(crate) struct Temporary(());

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(in_progress().temporary.take());
    }
}

/// The output of a run.
#[derive(Debug)]
pub(crate) enum Output {
    /// Rows are written at once.
    Stdout(BufWriter<Stdout>),
    /// Rows go to a temporary file in the same folder, which disappears with this value.
    File {
        /// The temporary file.
        writer: BufWriter<Replacement>,
        /// Its name.
        temporary: Temporary,
        /// The name that it will have.
        path: PathBuf,
        /// Whether a file of that name may be replaced.
        force: bool,
    },
}

impl Output {
    /// Opens `-` or a file; `inputs` are the files read from.
    pub(crate) fn open(path: &Path, inputs: &[&Path], force: bool) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            print::stdout_is_open()?;
            return Ok(Output::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())));
        }
        check(path, force)?;
        if inputs.iter().any(|input| is_same_file(input, path)) {
            return Err(Failure::bad_file(format!("{} is also the input", path.display())));
        }
        // No signal may come between the creation of the file and the note of its name.
        let mut in_progress = in_progress();
        let file = Replacement::create(path, force)?;
        in_progress.temporary = Some(Aside(file.aside().to_path_buf()));
        drop(in_progress);
        let writer = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Output::File { writer, temporary: Temporary(()), path: path.to_path_buf(), force })
    }

    /// Whether rows go to a terminal, whose lines a bar would disturb.
    pub(crate) fn is_shown(&self) -> bool {
        matches!(self, Output::Stdout(_)) && io::stdout().is_terminal()
    }

    /// Writes the rows of one chunk.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        match self {
            Output::Stdout(writer) => {
                writer.write_all(text).and_then(|()| writer.flush()).map_err(|error| Failure::of_stdout(&error))
            }
            Output::File { writer, path, .. } => {
                writer.write_all(text).map_err(|error| Failure::of_file("write", path, &error))
            }
        }
    }

    /// Writes the lines of one chunk, as CSV if that is wanted.
    pub(crate) fn lines(&mut self, text: &str, csv: Option<&Csv>) -> Result<(), Failure> {
        match csv {
            None => self.write(text.as_bytes()),
            Some(csv) => self.write(csv.rows(text)?.as_bytes()),
        }
    }

    /// The run is over: the file gets its name, after its content is on the disk.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Output::File { writer, temporary, path, force } = self else { return Ok(()) };
        let file = writer.into_inner().map_err(|error| Failure::of_file("write", &path, error.error()))?;
        // A signal waits until the file has its name.
        let in_progress = in_progress();
        // The name may be taken by now.
        let finished = check(&path, force).and_then(|()| Ok(file.finish()?));
        drop(in_progress);
        // What still stands under the name aside goes; after the rename that is nothing.
        drop(temporary);
        finished
    }
}

/// Refuses a name that [`write_secret`] would refuse, before the work.
pub(crate) fn check_secret(path: &Path, force: bool) -> Result<(), Failure> {
    if path.as_os_str() == "-" { print::stdout_is_open() } else { check(path, force) }
}

/// Writes a secret to standard output for `-`, or to a file that only its owner can read. No buffer keeps a copy.
pub(crate) fn write_secret(path: &Path, text: &[u8], force: bool) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let written = unbuffered_output().and_then(|mut stdout| stdout.write_all(text));
        return written.map_err(|error| Failure::of_stdout(&error));
    }
    check(path, force)?;
    // A signal waits until the file has its name.
    let in_progress = in_progress();
    let mut file = Replacement::create_private(path, force)?;
    let written = file.write_all(text).map_err(|error| Failure::of_file("write", path, &error));
    let finished = written.and_then(|()| Ok(file.finish()?));
    drop(in_progress);
    finished
}

/// Standard output without the buffer of Rust, which cannot be wiped.
#[cfg(unix)]
fn unbuffered_output() -> io::Result<fs::File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(fs::File::from)
}

/// Standard output without the buffer of Rust, which cannot be wiped.
#[cfg(windows)]
fn unbuffered_output() -> io::Result<fs::File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(fs::File::from)
}

#[cfg(not(any(unix, windows)))]
fn unbuffered_output() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

/// Refuses a name that must not be written: that of a file, unless it is to be replaced, and of anything that is no ordinary file.
pub(crate) fn check(path: &Path, force: bool) -> Result<(), Failure> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|existing| existing.is_file());
    if is_file && !force {
        return Err(Failure::bad_file(format!("{} exists; --force replaces it", path.display())));
    }
    Ok(Replacement::check(path, force)?)
}

/// Whether two names lead to one file, hard links included.
fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let file = |path| fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
        file(a).is_some() && file(a) == file(b)
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
    }
}
