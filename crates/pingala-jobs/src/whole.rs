//! Parquet files as the crate `parquet` reads them, and what it does not look at: whether that which a header announces can be
//! there.

use crate::error::{Error, Result};
use crate::thrift::{Header, Stop, walk};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, FileReader, Length, RowGroupReader, SerializedFileReader};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What a damaged file makes the reader do. The crate has an error for most damage and panics at some.
pub(crate) fn caught<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(Error::file(path, "it is damaged: the reader of Parquet gave up")))
}

/// A file that is an error to read beyond its end. The crate passes over numbers that nobody wants one by one, 2^31 of them,
/// and does not notice that there are none: a short file holds a job for minutes.
struct Whole(File);

/// The file from some place on.
struct UpToEnd(File);

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

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(UpToEnd(self.0.get_read(start)?.into_inner())))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<bytes::Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// A Parquet file, of which each header is walked before the crate reads it.
pub(crate) struct Parquet {
    reader: SerializedFileReader<Whole>,
    /// The same file. It has one position for both, which each sets before it reads.
    file: File,
}

impl Parquet {
    /// Reads the footer.
    pub(crate) fn open(file: File) -> ParquetResult<Self> {
        let own = file.try_clone()?;
        if let Some(start) = footer(&own)? {
            // What else is wrong, the crate says.
            at(&own, start).or_else(unless_excess)?;
        }
        Ok(Self { reader: SerializedFileReader::new(Whole(file))?, file: own })
    }

    pub(crate) fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    /// A row group, of which these leaves are read.
    pub(crate) fn group<'l>(
        &self,
        index: usize,
        leaves: impl Iterator<Item = &'l usize>,
    ) -> ParquetResult<Box<dyn RowGroupReader + '_>> {
        let group = self.metadata().row_group(index);
        for &leaf in leaves {
            let (start, bytes) = group.column(leaf).byte_range();
            let (mut page, end) = (start, start.saturating_add(bytes));
            while page < end {
                let Header { bytes, third: Some(body) } = at(&self.file, page).or_else(unless_excess)? else { break };
                page = page.saturating_add(bytes).saturating_add(body);
            }
        }
        self.reader.get_row_group(index)
    }
}

/// Damage that the crate does not notice is an error; after other damage there is no next header.
fn unless_excess(stop: Stop) -> ParquetResult<Header> {
    match stop {
        Stop::Broken => Ok(Header::default()),
        Stop::Excess => {
            Err(ParquetError::General("it is damaged: a header announces truth values, which none has".into()))
        }
    }
}

/// Walks the header at this place.
fn at(mut file: &File, start: u64) -> std::result::Result<Header, Stop> {
    file.seek(SeekFrom::Start(start))?;
    walk(BufReader::new(file))
}

/// Where the footer begins, if the file has room for what its end says.
fn footer(mut file: &File) -> io::Result<Option<u64>> {
    let Some(tail) = file.seek(SeekFrom::End(0))?.checked_sub(8) else { return Ok(None) };
    let mut length = [0; 4];
    file.seek(SeekFrom::Start(tail))?;
    file.read_exact(&mut length)?;
    Ok(tail.checked_sub(u32::from_le_bytes(length).into()))
}
