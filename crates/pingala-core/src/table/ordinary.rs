//! Reading files: ordinary ones, or anything up to a cap.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Opens an ordinary file to read. Folders, pipes and devices are refused before they are opened: a pipe waits for its writer, and a
/// device may have no end. Links are followed.
///
/// Errors: those of the system, and `InvalidInput` for what is not an ordinary file.
pub fn open_ordinary(path: &Path) -> io::Result<File> {
    is_ordinary(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The name may lead to something else by now.
    is_ordinary(&file.metadata()?)?;
    Ok(file)
}

fn is_ordinary(facts: &Metadata) -> io::Result<()> {
    if facts.is_file() {
        return Ok(());
    }
    let what = if facts.is_dir() { "this is a folder, not an ordinary file" } else { "this is not an ordinary file" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// The content of a file or a pipe that a user names, of at most `cap` bytes: a longer one, or a device without an end, is an error
/// after `cap` bytes.
///
/// Errors: those of the system, and `FileTooLarge`.
pub fn read_capped(path: &Path, cap: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a folder"));
    }
    read_to_cap(file, cap)
}

/// The rest of a stream, of at most `cap` bytes. Errors: those of the stream, and `FileTooLarge`.
pub fn read_to_cap(stream: impl Read, cap: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > cap {
        let why = format!("it is longer than {cap} bytes, the most that are read here");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}
