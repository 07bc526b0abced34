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
    let schema = parse_message_type("message rows { required binary a (UTF8); required binary b (UTF8); }").unwrap();
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
