//! Parquet files as the crate `parquet` reads them, and what it does not look at: whether that which a header announces can be
//! there.

use crate::error::{Error, Result};
use crate::headers;
use crate::thrift::{Header, Layout, walk};
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
                self.at(start, headers::FOOTER)?;
            }
        }
        ParquetMetaDataReader::new().parse_and_finish(&*self.0)
    }

    /// A row group, of which these leaves are read.
    pub(crate) fn group<'m>(
        &self,
        metadata: &'m ParquetMetaData,
        index: usize,
        leaves: impl Iterator<Item = usize>,
    ) -> ParquetResult<Box<dyn RowGroupReader + 'm>> {
        let group = metadata.row_group(index);
        for leaf in leaves {
            let (start, bytes) = group.column(leaf).byte_range();
            let (mut page, end) = (start, start.saturating_add(bytes));
            while page < end {
                let Header { bytes, wanted } = self.at(page, headers::PAGE)?;
                let body = wanted.and_then(|body| u64::try_from(body).ok()).ok_or_else(damaged)?;
                page = page.saturating_add(bytes).saturating_add(body);
            }
        }
        let properties = Arc::new(ReaderProperties::builder().build());
        let pages = metadata.page_index_for_row_group(index);
        Ok(Box::new(SerializedRowGroupReader::new(self.0.clone(), group, pages, properties)?))
    }

    /// Walks the header at this place.
    fn at(&self, start: u64, layout: Layout) -> ParquetResult<Header> {
        let mut file = &self.0.0;
        file.seek(SeekFrom::Start(start))?;
        walk(BufReader::new(file), layout).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => damaged(),
            _ => error.into(),
        })
    }
}

fn damaged() -> ParquetError {
    ParquetError::General("it is damaged or encrypted: a header is not as Parquet has it".into())
}
