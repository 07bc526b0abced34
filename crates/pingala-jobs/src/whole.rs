//! Parquet files as the crate `parquet` reads them, and what it does not look at: whether that which a header announces can be there.

use crate::error::{Error, Result};
use crate::input::caught;
use crate::thrift::{Header, Stop, walk};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length, SerializedFileReader};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// A file that is an error to read beyond its end. The crate passes over numbers that nobody wants one by one, 2^31 of them,
/// and does not notice that there are none: a short file holds a job for minutes.
pub(crate) struct Whole(File);

/// The file from some place on.
pub(crate) struct UpToEnd(File);

impl Read for UpToEnd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            count => Ok(count),
        }
    }
}

impl Length for Whole {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Whole {
    type T = BufReader<UpToEnd>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        Ok(BufReader::new(UpToEnd(self.0.get_read(start)?.into_inner())))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<bytes::Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// A Parquet file whose footer was walked.
pub(crate) struct Parquet {
    pub(crate) reader: SerializedFileReader<Whole>,
    file: File,
}

impl Parquet {
    /// Reads the footer; what is wrong with it is put into words by `damaged`.
    pub(crate) fn open(path: &Path, file: File, damaged: impl Fn(&dyn std::fmt::Display) -> Error) -> Result<Self> {
        let failed = |error: &io::Error| Error::io("read", path, error);
        let mut own = file.try_clone().map_err(|error| failed(&error))?;
        let start = footer(&mut own).map_err(|error| failed(&error))?;
        if start.is_some_and(|start| at(&own, start) == Err(Stop::Excess)) {
            return Err(damaged(&EXCESS));
        }
        let reader = caught(path, || SerializedFileReader::new(Whole(file)).map_err(|error| damaged(&error)))?;
        Ok(Self { reader, file: own })
    }

    /// Walks the headers of the pages of some leaves. Error: what is wrong with them, where the crate would not notice.
    pub(crate) fn check(&self, group: &RowGroupMetaData, leaves: &[usize]) -> std::result::Result<(), &'static str> {
        for &leaf in leaves {
            let (start, bytes) = group.column(leaf).byte_range();
            let (mut page, end) = (start, start.saturating_add(bytes));
            while page < end {
                match at(&self.file, page) {
                    Ok(Header { bytes, third: Some(body) }) => page = page.saturating_add(bytes).saturating_add(body),
                    Err(Stop::Excess) => return Err(EXCESS),
                    // The crate says what it is, if it comes so far.
                    Ok(_) | Err(Stop::Broken) => break,
                }
            }
        }
        Ok(())
    }
}

const EXCESS: &str = "it is damaged: a header announces truth values, which none has";

/// Walks the header at this place.
fn at(mut file: &File, start: u64) -> std::result::Result<Header, Stop> {
    file.seek(SeekFrom::Start(start))?;
    walk(BufReader::new(file))
}

/// Where the footer begins, if the file ends as one with a footer.
fn footer(file: &mut File) -> io::Result<Option<u64>> {
    let end = file.seek(SeekFrom::End(0))?;
    let Some(tail) = end.checked_sub(8) else { return Ok(None) };
    let mut last = [0; 8];
    file.seek(SeekFrom::Start(tail))?;
    file.read_exact(&mut last)?;
    Ok(tail.checked_sub(u32::from_le_bytes([last[0], last[1], last[2], last[3]]).into()))
}
