//! Parquet files as the crate `parquet` reads them, and what it does not look at: whether that which a header announces can be
//! there.

use crate::error::{Error, Result};
use crate::headers;
use crate::thrift::{Layout, Wanted, walk};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{FooterTail, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{ChunkReader, Length, RowGroupReader};
use parquet::file::serialized_reader::SerializedRowGroupReader;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// What a damaged file makes the reader do. The crate has an error for most damage and panics at some.
pub(crate) fn caught<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(Error::file(path, "it is damaged: the reader of Parquet gave up")))
}

/// A file as the crate asks for it: bytes, and readers from a place on, which it uses for headers of pages alone.
struct Whole(File);

/// The file from the header of a page on, which is walked before the crate has a byte of it, and which is an error to read beyond the
/// file's end: the crate passes over numbers that nobody wants one by one, 2^31 of them, and does not notice that there are none.
struct FromHeader {
    file: File,
    start: u64,
    /// The crate makes readers that it does not use, at other places.
    walked: bool,
}

impl Read for FromHeader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.walked {
            check_page(&self.file, self.start).map_err(io::Error::other)?;
            // All readers have one position.
            self.file.seek(SeekFrom::Start(self.start))?;
            self.walked = true;
        }
        match self.file.read(buffer)? {
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
    type T = BufReader<FromHeader>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(FromHeader { file: self.0.try_clone()?, start, walked: false }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<bytes::Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// A Parquet file, of which each header is walked before the crate reads it.
pub(crate) struct Parquet(Arc<Whole>);

impl Parquet {
    pub(crate) fn new(file: File) -> Self {
        Self(Arc::new(Whole(file)))
    }

    /// What the footer says.
    pub(crate) fn metadata(&self) -> ParquetResult<ParquetMetaData> {
        let mut file = &self.0.0;
        // What has no footer, the crate says better.
        if let Some(tail) = file.seek(SeekFrom::End(0))?.checked_sub(FOOTER_SIZE as u64) {
            let mut end = [0; FOOTER_SIZE];
            file.seek(SeekFrom::Start(tail))?;
            file.read_exact(&mut end)?;
            let plain = FooterTail::try_new(&end).ok().filter(|end| !end.is_encrypted_footer());
            if let Some(start) = plain.and_then(|end| tail.checked_sub(end.metadata_length() as u64)) {
                at(file, start, headers::FOOTER)?;
            }
        }
        ParquetMetaDataReader::new().parse_and_finish(file)
    }

    /// A row group of this file.
    pub(crate) fn group<'m>(
        &self,
        metadata: &'m ParquetMetaData,
        index: usize,
    ) -> ParquetResult<Box<dyn RowGroupReader + 'm>> {
        let properties = Arc::new(ReaderProperties::builder().build());
        let (group, pages) = (metadata.row_group(index), metadata.page_index_for_row_group(index));
        Ok(Box::new(SerializedRowGroupReader::new(self.0.clone(), group, pages, properties)?))
    }
}

/// Walks the header at this place.
fn at(mut file: &File, start: u64, layout: Layout) -> ParquetResult<Wanted> {
    file.seek(SeekFrom::Start(start))?;
    walk(BufReader::new(file), layout).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => damaged(),
        _ => error.into(),
    })
}

/// Whether the header of a page at this place is one that the crate may read.
fn check_page(file: &File, start: u64) -> ParquetResult<()> {
    let wanted = at(file, start, headers::PAGE)?;
    // Pages of data, dictionaries, pages of data of the second version. The crate takes the bytes of others now for a header and now
    // for none.
    if !matches!(wanted[headers::TYPE], Some(0 | 2 | 3)) {
        return Err(ParquetError::General("it is damaged, or has an index among its pages, which is not read".into()));
    }
    // The crate makes room for all values of a dictionary, and each of several takes a byte at least.
    if wanted[headers::VALUES] > wanted[headers::BYTES].max(Some(1)) {
        return Err(damaged());
    }
    Ok(())
}

fn damaged() -> ParquetError {
    ParquetError::General("it is damaged or encrypted: a header is not as Parquet has it".into())
}
