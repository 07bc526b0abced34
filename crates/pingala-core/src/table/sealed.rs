//! The frame of the library's files: a header, a payload, SHA-256 over all of it; [`Replacement`] writes them.
//!
//! ```text
//! byte 0      magic of the kind, 8 bytes
//!      8      version of the kind, u32
//!      12     zeros
//!      16     length of the payload, u64
//!      24     zeros
//!      64     payload (so that a map of the file has it on a cache line)
//!      last   SHA-256 of everything before it, 32 bytes
//! ```
//!
//! Integers are little-endian. After a power failure a file has the complete old content or the complete new one. [`read`] gives a
//! payload that has passed every check, and its owner parses it with a [`Reader`].

use super::ordinary::open_ordinary;
use super::replace::{Replacement, bad, failed};
use crate::error::Error;
use crate::natural::Natural;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of the header before the payload.
pub(crate) const HEADER_BYTES: usize = 64;
/// Bytes of the seal behind the payload.
pub(crate) const SEAL_BYTES: usize = 32;
/// Both.
const FRAME_BYTES: u64 = (HEADER_BYTES + SEAL_BYTES) as u64;

/// The kind of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileKind {
    /// The first eight bytes.
    pub(crate) magic: [u8; 8],
    /// Of the payload's layout; no other is read.
    pub(crate) version: u32,
    /// For messages: `table`, `checkpoint`.
    pub(crate) name: &'static str,
}

impl FileKind {
    fn header(&self, payload_bytes: u64) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(&self.magic);
        header[8..12].copy_from_slice(&self.version.to_le_bytes());
        header[16..24].copy_from_slice(&payload_bytes.to_le_bytes());
        header
    }
}

/// Writes a payload, given in pieces. Error: `bad_file`, and what was there before stays.
pub(crate) fn write(path: &Path, kind: &FileKind, payload: &[&[u8]]) -> Result<(), Error> {
    let mut writer = Writer::create(path, kind, payload.iter().map(|piece| piece.len() as u64).sum())?;
    payload.iter().try_for_each(|piece| writer.write(piece))?;
    writer.finish()
}

/// A file that is being written, or its bytes in memory. A file is under a name of its own until [`Writer::finish`]; dropped before that,
/// it is removed.
#[derive(Debug)]
pub(crate) struct Writer<W: Write> {
    path: PathBuf,
    file: W,
    hash: Sha256,
    payload_bytes_left: u64,
}

/// A file on a disk.
pub(crate) type FileWriter = Writer<BufWriter<Replacement>>;

impl FileWriter {
    /// Starts the file that will be at `path`, with a payload of `payload_bytes` bytes. Error: `bad_file`.
    pub(crate) fn create(path: &Path, kind: &FileKind, payload_bytes: u64) -> Result<Self, Error> {
        Self::start(path, BufWriter::with_capacity(1 << 16, Replacement::create(path, true)?), kind, payload_bytes)
    }

    /// Seals the file and gives it its name, on the disk when this returns. Error: `bad_file`.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let (path, file) = self.seal()?;
        let file = file.into_inner().map_err(|error| failed(&path, "cannot write", error.error()))?;
        file.finish()
    }
}

/// The name of bytes in memory in errors.
pub(crate) const IN_MEMORY: &str = "in memory";

impl Writer<Vec<u8>> {
    /// Starts the bytes of a file, with a payload of `payload_bytes` bytes. Error: `bad_argument` without memory.
    pub(crate) fn in_memory(kind: &FileKind, payload_bytes: u64) -> Result<Self, Error> {
        let (mut bytes, total) = (Vec::new(), payload_bytes.saturating_add(FRAME_BYTES));
        let reserved = usize::try_from(total).ok().map(|total| bytes.try_reserve_exact(total));
        if !matches!(reserved, Some(Ok(()))) {
            return Err(Error::BadArgument(format!("there is no memory for the {total} bytes of a {}", kind.name)));
        }
        Self::start(Path::new(IN_MEMORY), bytes, kind, payload_bytes)
    }

    /// Seals the bytes. Error: `bad_file`.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Error> {
        Ok(self.seal()?.1)
    }
}

impl<W: Write> Writer<W> {
    fn start(path: &Path, file: W, kind: &FileKind, payload_bytes: u64) -> Result<Self, Error> {
        let mut writer = Self { path: path.into(), file, hash: Sha256::new(), payload_bytes_left: payload_bytes };
        writer.put(&kind.header(payload_bytes))?;
        Ok(writer)
    }

    /// The next piece of the payload. Error: `bad_file`.
    pub(crate) fn write(&mut self, piece: &[u8]) -> Result<(), Error> {
        let left = self.payload_bytes_left.checked_sub(piece.len() as u64);
        self.payload_bytes_left = left.ok_or_else(|| bad(&self.path, "the payload is longer than declared"))?;
        self.put(piece)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.hash.update(bytes);
        self.file.write_all(bytes).map_err(|error| failed(&self.path, "cannot write", &error))
    }

    /// Writes the seal. Error: `bad_file`.
    fn seal(mut self) -> Result<(PathBuf, W), Error> {
        if self.payload_bytes_left > 0 {
            return Err(bad(&self.path, "the payload is shorter than declared"));
        }
        let seal = self.hash.clone().finalize();
        self.put(&seal)?;
        Ok((self.path, self.file))
    }
}

/// Opens an ordinary file with a payload of at most `cap` bytes; gives its length too. Others are not even opened, as a pipe
/// would wait for its writer. Error: `bad_file`.
pub(crate) fn open_to_read(path: &Path, cap: u64) -> Result<(File, u64), Error> {
    let unreadable = |error: io::Error| failed(path, "cannot read", &error);
    let file = open_ordinary(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    if length > cap.saturating_add(FRAME_BYTES) {
        return Err(bad(path, format!("{length} bytes are over the cap of {cap}")));
    }
    Ok((file, length))
}

/// The payload of a file of this kind, of at most `cap` bytes; a longer one, or one with another header, is refused before
/// memory is taken.
///
/// Error: `bad_file`, which says what does not hold.
pub(crate) fn read(path: &Path, kind: &FileKind, cap: u64) -> Result<Vec<u8>, Error> {
    let unreadable = |error: io::Error| failed(path, "cannot read", &error);
    let (mut file, length) = open_to_read(path, cap)?;
    let mut bytes = Vec::with_capacity(HEADER_BYTES);
    Read::by_ref(&mut file).take(HEADER_BYTES as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    check_header(&bytes, length, kind).map_err(|reason| bad(path, reason))?;
    let reserved = usize::try_from(length - HEADER_BYTES as u64).ok().map(|rest| bytes.try_reserve_exact(rest));
    if !matches!(reserved, Some(Ok(()))) {
        return Err(bad(path, format!("cannot allocate memory for its {length} bytes")));
    }
    // The file may grow meanwhile.
    file.take(length - HEADER_BYTES as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    let payload = open(&bytes, kind).map_err(|reason| bad(path, reason))?.len();
    bytes.truncate(HEADER_BYTES + payload);
    bytes.drain(..HEADER_BYTES);
    Ok(bytes)
}

/// Whether a file of `length` bytes may start like this.
fn check_header(start: &[u8], length: u64, kind: &FileKind) -> Result<(), String> {
    let name = kind.name;
    let Some(header) = start.get(..HEADER_BYTES).filter(|_| length >= FRAME_BYTES) else {
        return Err(format!("{length} bytes are too short for a {name}"));
    };
    if header[..8] != kind.magic {
        return Err(format!("this is not a {name}: it starts with other bytes"));
    }
    let mut fields = Reader::new(&header[8..24]);
    let (version, _, claimed) = (fields.u32()?, fields.u32()?, fields.u64()?);
    if version != kind.version {
        return Err(format!("a {name} of version {version}; this program reads version {}", kind.version));
    }
    let there = length - FRAME_BYTES;
    if claimed != there {
        return Err(format!("its payload has {there} bytes, and its header says {claimed}"));
    }
    Ok(())
}

/// The payload inside the bytes of a whole file, or what is wrong with them.
pub(crate) fn open<'b>(bytes: &'b [u8], kind: &FileKind) -> Result<&'b [u8], String> {
    check_header(bytes, bytes.len() as u64, kind)?;
    let (sealed, seal) = bytes.split_at(bytes.len() - SEAL_BYTES);
    let payload = &sealed[HEADER_BYTES..];
    // Public data: the comparison may stop at the first difference.
    if Sha256::digest(sealed)[..] != *seal {
        return Err("its SHA-256 does not match: it was damaged".into());
    }
    Ok(payload)
}

/// Takes a payload apart, front to back. Every error names the byte.
#[derive(Debug)]
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next `count` bytes.
    pub(crate) fn bytes(&mut self, count: u64) -> Result<&'b [u8], String> {
        let rest = &self.bytes[self.at..];
        let Some(piece) = usize::try_from(count).ok().and_then(|count| rest.get(..count)) else {
            return Err(format!(
                "{count} bytes are wanted at byte {} of the payload, {} are left",
                self.at,
                rest.len()
            ));
        };
        self.at += piece.len();
        Ok(piece)
    }

    /// The next integer of 4 bytes.
    pub(crate) fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.bytes(4)?.try_into().unwrap_or_default()))
    }

    /// The next integer of 8 bytes.
    pub(crate) fn u64(&mut self) -> Result<u64, String> {
        Ok(u64::from_le_bytes(self.bytes(8)?.try_into().unwrap_or_default()))
    }

    /// The bytes of a field that [`field`] wrote: a length of 8 bytes and that many bytes.
    pub(crate) fn field(&mut self) -> Result<&'b [u8], String> {
        let length = self.u64()?;
        self.bytes(length)
    }

    /// Nothing may be left.
    pub(crate) fn end(self) -> Result<(), String> {
        let left = self.bytes.len() - self.at;
        if left == 0 { Ok(()) } else { Err(format!("{left} bytes are left at byte {} of the payload", self.at)) }
    }
}

/// Formats a number for a message: its ends and its length if it is long.
pub(crate) fn brief(number: &Natural) -> String {
    let text = format!("{number:#x}");
    if text.len() <= 44 {
        text
    } else {
        format!("{}...{} ({} bits)", &text[..18], &text[text.len() - 16..], number.bits())
    }
}

/// Appends bytes of any length, which [`Reader::field`] finds again.
pub(crate) fn field(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
#[path = "../../tests/inside/table/sealed.rs"]
mod tests;
