//! Where the rows go: standard output, or a file that appears under its name only when it is whole.

use crate::failure::Failure;
use crate::interrupt::in_progress;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Stdout, Write};
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
    /// Rows go out as they are ready.
    Stdout(BufWriter<Stdout>),
    /// Rows go to a temporary file in the same folder, which disappears with this value.
    File {
        /// The temporary file.
        writer: BufWriter<File>,
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
            return Ok(Output::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())));
        }
        let existing = check(path, inputs, force)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut builder = tempfile::Builder::new();
        let (prefix, suffix) = (format!(".{name}."), ".partial");
        builder.prefix(&prefix).suffix(suffix);
        // A temporary file is private by default; the output is an ordinary file, or like the one it replaces.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // Nobody may be interrupted between the creation of the file and the note of its name.
        let mut in_progress = in_progress();
        let temporary = builder.tempfile_in(folder(path)).map_err(|error| Failure::of_file("write", path, &error))?;
        let (file, temporary) = temporary.into_parts();
        in_progress.temporary = Some(temporary);
        drop(in_progress);
        let temporary = Temporary(());
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions()).map_err(|error| Failure::of_file("write", path, &error))?;
        }
        let writer = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Output::File { writer, temporary, path: path.to_path_buf(), force })
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

    /// The run is over: the file gets its name, after its content is on the disk.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Output::File { writer, temporary: _temporary, path, force } = self else { return Ok(()) };
        let failed = |error: &io::Error| Failure::of_file("write", &path, error);
        let file = writer.into_inner().map_err(|error| failed(error.error()))?;
        file.sync_all().map_err(|error| failed(&error))?;
        drop(file);
        let mut in_progress = in_progress();
        if let Some(temporary) = in_progress.temporary.take() {
            let renamed = if force { temporary.persist(&path) } else { temporary.persist_noclobber(&path) };
            if let Err(error) = renamed {
                return Err(match error.error.kind() {
                    io::ErrorKind::AlreadyExists => exists(&path),
                    _ => failed(&error.error),
                });
            }
        }
        drop(in_progress);
        // The name, too, has to reach the disk.
        #[cfg(unix)]
        File::open(folder(&path)).and_then(|folder| folder.sync_all()).map_err(|error| failed(&error))?;
        Ok(())
    }
}

/// Refuses a name that must not be written, and gives the file that is to be replaced.
fn check(path: &Path, inputs: &[&Path], force: bool) -> Result<Option<Metadata>, Failure> {
    let refused = |why: &str| Failure::Failed(format!("{} {why}", path.display()));
    if path.file_name().is_none() {
        return Err(refused("is no name for a file"));
    }
    let existing = match fs::symlink_metadata(path) {
        Ok(existing) => existing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::of_file("write", path, &error)),
    };
    if existing.is_symlink() {
        return Err(refused("is a symbolic link; name the file itself"));
    }
    if !existing.is_file() {
        return Err(refused("is no ordinary file; `--output -` writes to standard output"));
    }
    if inputs.iter().any(|input| is_same_file(input, path)) {
        return Err(refused("is the input too"));
    }
    if force { Ok(Some(existing)) } else { Err(exists(path)) }
}

fn exists(path: &Path) -> Failure {
    Failure::Failed(format!("{} exists; --force replaces it", path.display()))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
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
