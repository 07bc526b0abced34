//! Checkpoints that only grow: records that are appended and sealed one after another.
//!
//! ```text
//! byte 0      magic of the kind, 8 bytes
//!      8      version of the kind, u32
//!      16     two places of 16 bytes, which are written in turn: the length of the file up to the end of the last record, u64; the first 8
//!             bytes of SHA-256 over the header without them and this length
//!      48     zeros
//!      64     records
//!
//! a record:   length of its payload, u64; payload; seal, 32 bytes
//! a seal:     SHA-256 of the seal before it (of the 64 bytes of the header, for the first record), the length, and the payload
//! ```
//!
//! Integers are little-endian. The header and the first record, which names the job, appear at once. A record is on the disk before the length
//! is, and the length before the next record is written. So a crash can only tear what lies behind the length: it is dropped, and the job continues from
//! the record before it. Whatever does not hold before that length is damage, and an error. A place that is torn itself leaves the other.

use pingala_core::Error;
use pingala_core::files::Replacement;
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const HEADER_BYTES: usize = 64;
/// Where the header has the length of the file, in one of two places.
const PLACES: core::ops::Range<usize> = 16..48;
const PLACE_BYTES: usize = 16;
const LENGTH_BYTES: u64 = 8;
const SEAL_BYTES: u64 = 32;

/// The first record of a file of another job may be as long as this, so that the error says what it is: two numbers of the longest usual.
pub(crate) const MOST_FIRST_BYTES: u64 = 1 << 23;

type Seal = [u8; SEAL_BYTES as usize];

/// The kind of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The first eight bytes.
    pub(crate) magic: [u8; 8],
    /// Of the layout of its records; no other is read.
    pub(crate) version: u32,
    /// For messages.
    pub(crate) name: &'static str,
}

impl Kind {
    fn header(&self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(&self.magic);
        header[8..12].copy_from_slice(&self.version.to_le_bytes());
        header
    }

    /// What says that a file has this length.
    fn place(&self, length: u64) -> [u8; PLACE_BYTES] {
        let check = Sha256::new().chain_update(self.header()).chain_update(length.to_le_bytes()).finalize();
        let mut place = [0; PLACE_BYTES];
        place[..8].copy_from_slice(&length.to_le_bytes());
        place[8..].copy_from_slice(&check[..8]);
        place
    }

    /// The length that a header has, which is the greater one.
    fn length(&self, header: &[u8; HEADER_BYTES]) -> Option<u64> {
        let length = |place: &[u8]| {
            let length = u64::from_le_bytes(place[..8].try_into().ok()?);
            (self.place(length) == *place).then_some(length)
        };
        header[PLACES].chunks(PLACE_BYTES).filter_map(length).max()
    }

    /// Whether a file may start like this.
    fn check(&self, found: &[u8; HEADER_BYTES]) -> Result<(), String> {
        let (name, header) = (self.name, self.header());
        if found[..8] != header[..8] {
            return Err(format!("this is not a {name}: it starts with other bytes"));
        }
        if found[8..12] != header[8..12] {
            return Err(format!("a {name} of another version; this program reads version {}", self.version));
        }
        let is_whole =
            found[12..PLACES.start] == header[12..PLACES.start] && found[PLACES.end..] == header[PLACES.end..];
        if is_whole && self.length(found).is_some() { Ok(()) } else { Err("its header is damaged".into()) }
    }
}

pub(crate) fn bad(path: &Path, reason: impl Into<String>) -> Error {
    Error::BadFile { path: path.display().to_string(), reason: reason.into() }
}

fn failed(path: &Path, doing: &str, error: &io::Error) -> Error {
    bad(path, format!("{doing}: {error}"))
}

/// What takes the records of a file.
pub(crate) trait Receiver {
    /// The most bytes that the next payload may have.
    fn most_bytes(&self) -> u64;

    /// Takes a payload. Error: what does not hold.
    fn receive(&mut self, payload: &mut Payload<'_, '_>) -> Result<(), String>;
}

/// A file of records that is open to append to. No other process can open it meanwhile, where the file system has locks.
#[derive(Debug)]
pub(crate) struct Log {
    kind: Kind,
    path: PathBuf,
    file: File,
    /// Of the last record.
    seal: Seal,
    /// Bytes up to its end.
    length: u64,
    /// The place that has the length before.
    place: usize,
}

fn seal(previous: &[u8], payload: &[&[u8]]) -> Seal {
    let length: u64 = payload.iter().map(|piece| piece.len() as u64).sum();
    let mut hash = Sha256::new();
    hash.update(previous);
    hash.update(length.to_le_bytes());
    payload.iter().for_each(|piece| hash.update(piece));
    hash.finalize().into()
}

impl Log {
    /// Makes the file with its first record. Error: `bad_file`, also if a file of this name exists.
    pub(crate) fn create(path: &Path, kind: &Kind, first: &[u8]) -> Result<Self, Error> {
        let mut file = Replacement::create(path, false)?;
        let header = kind.header();
        let length = HEADER_BYTES as u64 + LENGTH_BYTES + first.len() as u64 + SEAL_BYTES;
        let mut written = header;
        written[PLACES][..PLACE_BYTES].copy_from_slice(&kind.place(length));
        let mut write = |bytes: &[u8]| file.write_all(bytes).map_err(|error| failed(path, "cannot write", &error));
        write(&written)?;
        write(&(first.len() as u64).to_le_bytes())?;
        write(first)?;
        let seal = seal(&header, &[first]);
        write(&seal)?;
        file.finish()?;
        Ok(Self { kind: *kind, path: path.into(), file: open(path)?, seal, length, place: 1 })
    }

    /// Opens a file and gives its records to the receiver, in order; a torn last record is removed. A record takes no memory unless the
    /// receiver asks for its payload, and none is read that is longer than the receiver expects.
    ///
    /// Error: `bad_file`, which says what does not hold, or what the receiver found.
    pub(crate) fn open(path: &Path, kind: &Kind, receiver: &mut dyn Receiver) -> Result<Self, Error> {
        let unreadable = |error: io::Error| failed(path, "cannot read", &error);
        let file = open(path)?;
        let end = file.metadata().map_err(unreadable)?.len();
        let mut records = Records { file: BufReader::with_capacity(1 << 16, &file), at: 0, end };
        let mut header = [0; HEADER_BYTES];
        if end < HEADER_BYTES as u64 {
            return Err(bad(path, format!("{end} bytes are too short for a {}", kind.name)));
        }
        records.file.read_exact(&mut header).map_err(unreadable)?;
        records.at = HEADER_BYTES as u64;
        kind.check(&header).map_err(|reason| bad(path, reason))?;
        let sealed = kind.length(&header).unwrap_or(u64::MAX);
        let place = usize::from(header[PLACES][..PLACE_BYTES] == kind.place(sealed));
        let header = kind.header();
        let (mut last, mut length): (Option<Seal>, u64) = (None, 0);
        loop {
            let start = records.at;
            let before = last.as_ref().map_or(&header[..], |seal| seal);
            let most = receiver.most_bytes();
            let Some((payload_bytes, found)) = records.next(before, most).map_err(unreadable)? else {
                // Only what lies behind the length can be torn.
                if start < sealed {
                    return Err(bad(path, format!("its SHA-256 does not match at byte {start}: it was damaged")));
                }
                break;
            };
            let from = start + LENGTH_BYTES;
            let mut payload = Payload { file: &mut records.file, from, length: payload_bytes };
            receiver.receive(&mut payload).map_err(|reason| bad(path, reason))?;
            (last, length) = (Some(found), records.at);
            records.file.seek(SeekFrom::Start(records.at)).map_err(unreadable)?;
        }
        let seal = last.ok_or_else(|| bad(path, "its SHA-256 does not match: it was damaged"))?;
        if length < end {
            file.set_len(length).map_err(|error| failed(path, "cannot write", &error))?;
        }
        Ok(Self { kind: *kind, path: path.into(), file, seal, length, place })
    }

    /// Appends a record, which is on the disk when this returns. Error: `bad_file`; the file then has the records before it.
    pub(crate) fn append(&mut self, payload: &[&[u8]]) -> Result<(), Error> {
        let bytes: u64 = payload.iter().map(|piece| piece.len() as u64).sum();
        let seal = seal(&self.seal, payload);
        let mut record = Vec::with_capacity((LENGTH_BYTES + bytes + SEAL_BYTES) as usize);
        record.extend(bytes.to_le_bytes());
        payload.iter().for_each(|piece| record.extend_from_slice(piece));
        record.extend(seal);
        // What an append that failed has left is overwritten.
        let written = (self.file.seek(SeekFrom::Start(self.length)))
            .and_then(|_| self.file.write_all(&record))
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let _ = self.file.set_len(self.length);
            return Err(failed(&self.path, "cannot write", &error));
        }
        (self.seal, self.length) = (seal, self.length + record.len() as u64);
        // A length that is not written takes no record away: what follows from the seals is read all the same.
        let at = (PLACES.start + PLACE_BYTES * self.place) as u64;
        let written = (self.file.seek(SeekFrom::Start(at)))
            .and_then(|_| self.file.write_all(&self.kind.place(self.length)))
            .and_then(|()| self.file.sync_data());
        if written.is_ok() {
            self.place = 1 - self.place;
        }
        Ok(())
    }
}

/// Opens an ordinary file to read and to append, and locks it.
fn open(path: &Path) -> Result<File, Error> {
    let unreadable = |error: io::Error| failed(path, "cannot read", &error);
    if !fs::symlink_metadata(path).map_err(unreadable)?.is_file() {
        return Err(bad(path, "this is not an ordinary file"));
    }
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(unreadable)?;
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(bad(path, "this is not an ordinary file"));
    }
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(bad(path, "another run is using it")),
        _ => Ok(file),
    }
}

/// The payloads of the records of an open file, behind the first, as one row of bytes.
#[derive(Debug)]
pub(crate) struct Replay {
    file: BufReader<File>,
    path: PathBuf,
    /// Bytes of the file that are not read yet.
    left: u64,
    /// Bytes of this payload that are not read yet.
    payload_left: u64,
}

impl Log {
    /// Starts to read what is in the file. Nothing may be appended before the reader has come to its end. Error: `bad_file`.
    pub(crate) fn replay(&self) -> Result<Replay, Error> {
        let unreadable = |error: io::Error| failed(&self.path, "cannot read", &error);
        let mut file = BufReader::with_capacity(1 << 16, self.file.try_clone().map_err(unreadable)?);
        file.seek(SeekFrom::Start(HEADER_BYTES as u64)).map_err(unreadable)?;
        let mut replay =
            Replay { file, path: self.path.clone(), left: self.length - HEADER_BYTES as u64, payload_left: 0 };
        replay.enter()?;
        let first = replay.payload_left as usize;
        replay.take(first)?;
        Ok(replay)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Replay {
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| bad(&self.path, "it ends too early"))?;
        self.file.read_exact(bytes).map_err(|error| failed(&self.path, "cannot read", &error))
    }

    /// Goes to the next payload.
    fn enter(&mut self) -> Result<(), Error> {
        let mut length = [0; LENGTH_BYTES as usize];
        self.read(&mut length)?;
        self.payload_left = u64::from_le_bytes(length);
        Ok(())
    }

    /// The next `count` bytes, or `None` at the end. Error: `bad_file`, also if the end comes after some of them.
    pub(crate) fn take(&mut self, count: usize) -> Result<Option<Vec<u8>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        // Bytes that the file does not have need no memory.
        if count as u64 > self.left {
            return Err(bad(&self.path, "it ends inside a step"));
        }
        let mut bytes = room(count as u64).map_err(|reason| bad(&self.path, reason))?;
        let mut at = 0;
        while at < count {
            let piece = self.payload_left.min((count - at) as u64) as usize;
            self.read(&mut bytes[at..at + piece])?;
            self.payload_left -= piece as u64;
            at += piece;
            if self.payload_left == 0 {
                self.read(&mut [0; SEAL_BYTES as usize])?;
                if self.left > 0 {
                    self.enter()?;
                } else if at < count {
                    return Err(bad(&self.path, "it ends inside a step"));
                }
            }
        }
        Ok(Some(bytes))
    }
}

/// Reads records.
struct Records<'f> {
    file: BufReader<&'f File>,
    at: u64,
    end: u64,
}

/// Bytes of a payload that are read at once to check its seal.
const PIECE_BYTES: u64 = 1 << 16;

impl Records<'_> {
    /// The length of the next payload and its seal, if the file goes so far, the payload has at most `most` bytes, and the seal is that of
    /// the payload behind the seal `before`. The payload is read in pieces: what the record claims as its length takes no memory.
    fn next(&mut self, before: &[u8], most: u64) -> io::Result<Option<(u64, Seal)>> {
        let left = self.end - self.at;
        if left < LENGTH_BYTES + SEAL_BYTES {
            return Ok(None);
        }
        let mut length = [0; LENGTH_BYTES as usize];
        self.file.read_exact(&mut length)?;
        let mut hash = Sha256::new().chain_update(before).chain_update(length);
        let length = u64::from_le_bytes(length);
        if length > most || length > left - LENGTH_BYTES - SEAL_BYTES {
            return Ok(None);
        }
        let mut piece = [0; PIECE_BYTES as usize];
        let mut unread = length;
        while unread > 0 {
            let bytes = &mut piece[..unread.min(PIECE_BYTES) as usize];
            self.file.read_exact(bytes)?;
            hash.update(&*bytes);
            unread -= bytes.len() as u64;
        }
        let mut seal = [0; SEAL_BYTES as usize];
        self.file.read_exact(&mut seal)?;
        self.at += LENGTH_BYTES + length + SEAL_BYTES;
        Ok((Seal::from(hash.finalize()) == seal).then_some((length, seal)))
    }
}

/// The payload of a record whose seal holds.
pub(crate) struct Payload<'r, 'f> {
    file: &'r mut BufReader<&'f File>,
    from: u64,
    length: u64,
}

impl Payload<'_, '_> {
    /// Its bytes. Error: if they cannot be read, or there is no memory for them.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let mut bytes = room(self.length)?;
        let unreadable = |error: io::Error| format!("cannot read: {error}");
        self.file.seek(SeekFrom::Start(self.from)).map_err(unreadable)?;
        self.file.read_exact(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }
}

/// Zeros. Error: if there is no memory for them.
fn room(length: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let reserved = usize::try_from(length).ok().filter(|&length| bytes.try_reserve_exact(length).is_ok());
    bytes.resize(reserved.ok_or_else(|| format!("there is no memory for its {length} bytes"))?, 0);
    Ok(bytes)
}

/// Takes a payload apart, front to back. The errors name the byte.
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
        let piece = usize::try_from(count).ok().and_then(|count| rest.get(..count));
        let piece = piece.ok_or_else(|| format!("{count} bytes are wanted at byte {} of a record", self.at))?;
        self.at += piece.len();
        Ok(piece)
    }

    /// The next integer of 8 bytes.
    pub(crate) fn u64(&mut self) -> Result<u64, String> {
        Ok(u64::from_le_bytes(self.bytes(8)?.try_into().unwrap_or_default()))
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }
}

/// Appends a length of 8 bytes and that many bytes.
pub(crate) fn field(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}
