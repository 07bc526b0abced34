//! Parquet files as the crate `parquet` reads them, and what it does not look at: whether that which a header announces can be
//! there.

use crate::error::{Error, Result};
use crate::headers;
use crate::thrift::{Layout, Wanted, walk};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{
    ColumnChunkMetaData, FooterTail, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{ChunkReader, Length, RowGroupReader};
use parquet::file::serialized_reader::SerializedRowGroupReader;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};

/// What a damaged file makes the reader do. The crate has an error for most damage and panics at some.
pub(crate) fn caught<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    let quiet = Quiet::new();
    let caught = catch_unwind(AssertUnwindSafe(read));
    drop(quiet);
    caught.unwrap_or_else(|_| Err(Error::file(path, "it is damaged: the reader of Parquet gave up")))
}

thread_local! {
    /// How many readers of damaged files are at work on this thread.
    static READERS: Cell<usize> = const { Cell::new(0) };
}

/// While there is one, a panic of this thread says nothing: it is an error about a file, which is told as one.
struct Quiet(());

impl Quiet {
    fn new() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if READERS.with(Cell::get) == 0 {
                    usual(info);
                }
            }));
        });
        READERS.with(|readers| readers.set(readers.get() + 1));
        Self(())
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        READERS.with(|readers| readers.set(readers.get() - 1));
    }
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
        from_first_pages(ParquetMetaDataReader::new().parse_and_finish(file)?)
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

/// The same file, each column from its first page on. Old writers of Hadoop put 0 where a column has no dictionary, or has it where its
/// pages of data are said to begin; the crate would look for a page there.
fn from_first_pages(metadata: ParquetMetaData) -> ParquetResult<ParquetMetaData> {
    let is_elsewhere = |column: &ColumnChunkMetaData| {
        column.dictionary_page_offset().is_some_and(|offset| offset == 0 || offset >= column.data_page_offset())
    };
    if !metadata.row_groups().iter().flat_map(|group| group.columns()).any(is_elsewhere) {
        return Ok(metadata);
    }
    let column = |column: ColumnChunkMetaData| {
        if is_elsewhere(&column) { column.into_builder().set_dictionary_page_offset(None).build() } else { Ok(column) }
    };
    let group = |group: RowGroupMetaData| {
        let mut group = group.into_builder();
        let columns = group.take_columns().into_iter().map(column).collect::<ParquetResult<_>>()?;
        group.set_column_metadata(columns).build()
    };
    let mut metadata = metadata.into_builder();
    let groups = metadata.take_row_groups().into_iter().map(group).collect::<ParquetResult<_>>()?;
    Ok(metadata.set_row_groups(groups).build())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use crate::leaf::Leaf;
    use parquet::data_type::ByteArrayType;
    use parquet::file::metadata::ParquetMetaDataWriter;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    /// A file of two columns of text, one with a dictionary, whose footer says what `change` makes of the offsets of each column: of
    /// its dictionary and of its data.
    fn file(change: impl Fn(Option<i64>, i64) -> (Option<i64>, i64)) -> Vec<u8> {
        let schema =
            parse_message_type("message rows { required binary a (UTF8); required binary b (UTF8); }").unwrap();
        let properties = WriterProperties::builder().set_column_dictionary_enabled("b".into(), false).build();
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            let values = [b"12", b"34", b"12"].map(|value| (&value[..]).into());
            column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        let bytes = writer.into_inner().unwrap();
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes::Bytes::from(bytes.clone())).unwrap();
        let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
        let mut changed = metadata.clone().into_builder();
        let mut group = changed.take_row_groups().remove(0).into_builder();
        let columns = group.take_columns().into_iter().map(|column| {
            let (dictionary, data) = change(column.dictionary_page_offset(), column.data_page_offset());
            let column = column.into_builder().set_dictionary_page_offset(dictionary).set_data_page_offset(data);
            column.build().unwrap()
        });
        let group = group.set_column_metadata(columns.collect()).build().unwrap();
        let mut whole = bytes[..bytes.len() - 8 - footer].to_vec();
        ParquetMetaDataWriter::new(&mut whole, &changed.set_row_groups(vec![group]).build()).finish().unwrap();
        whole
    }

    #[test]
    fn columns_begin_with_their_first_page() {
        let path = std::env::temp_dir().join(format!("pingala-first-page-{}.parquet", std::process::id()));
        for (what, bytes) in [
            ("as it is", file(|dictionary, data| (dictionary, data))),
            ("0 for no dictionary", file(|dictionary, data| (dictionary.or(Some(0)), data))),
            ("0, and data from the dictionary on", file(|dictionary, data| (Some(0), dictionary.unwrap_or(data)))),
            ("none, and data from the dictionary on", file(|dictionary, data| (None, dictionary.unwrap_or(data)))),
            ("both at the dictionary", file(|dictionary, data| (dictionary, dictionary.unwrap_or(data)))),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let input = Input::open(&path).unwrap();
            let mut rows = input.rows(&["a".into(), "b".into()], 0, 3).unwrap();
            let batch = rows.next(3).unwrap_or_else(|error| panic!("{what}: {error}")).unwrap();
            for column in &batch.columns {
                let Leaf::Bytes(chunk) = &column[0] else { panic!("text is bytes") };
                let values: Vec<&[u8]> = chunk.rows().map(|value| value.unwrap().data()).collect();
                assert_eq!(values, [b"12", b"34", b"12"], "{what}");
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_panic_about_a_file_is_an_error_of_that_file_alone() {
        let path = Path::new("a.parquet");
        assert_eq!(caught::<()>(path, || panic!("said by nobody")).unwrap_err().code(), "bad_file");
        assert_eq!(READERS.with(Cell::get), 0);
        assert_eq!(caught(path, || caught(path, || Ok(READERS.with(Cell::get)))).unwrap(), 2);
    }
}
