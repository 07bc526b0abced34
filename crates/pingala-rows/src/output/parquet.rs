//! Parts as Parquet. The footer says plan, part, rows and errors, and SHA-256 of the whole file, in which zeros stand for these
//! digits themselves.

use super::{Done, Hashed, Ready};
use crate::checked::{Parquet, caught};
use crate::compute::{Answer, Answers};
use crate::error::{Doing, Error, Result};
use crate::folder::open_own;
use crate::input::Batch;
use crate::leaf::{Chunk, Leaf};
use crate::plan::{Plan, Results};
use crate::reading::Reading;
use crate::seal::{hash_into, hex};
use crate::task::{Binary, ERROR, Errors, REASON, Workload};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::ByteArray;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type, TypePtr};
use pingala_core::pairs;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The footer's names.
const PLAN: &str = "pingala.plan";
const PART: &str = "pingala.part";
const ROWS: &str = "pingala.rows";
const ERRORS: &str = "pingala.errors";
const CODES: &str = "pingala.codes";
const FIRST: &str = "pingala.first";
const END: &str = "pingala.end";
/// What kept columns hold to which Parquet gives no meaning.
pub(crate) const MEANINGS: &str = "pingala.binary";
const SEAL: &str = "pingala.sha256";
/// Holds the place of the digest.
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Most rows of a row group.
const GROUP_ROWS: usize = 1 << 20;

/// A file that is being written, one row group after the other.
pub(crate) struct PartFile {
    path: PathBuf,
    writer: SerializedFileWriter<Hashed>,
    /// The columns of the next row group, in pieces.
    group: Vec<Vec<Leaf>>,
    group_rows: usize,
    group_bytes: usize,
    most_bytes: usize,
}

impl PartFile {
    /// Starts a file with these columns; the values of `plain` do not repeat.
    pub(crate) fn create(
        path: &Path,
        schema: TypePtr,
        plain: &str,
        meanings: &BTreeMap<String, Binary>,
        memory_bytes: u64,
    ) -> Result<Self> {
        let plain = ColumnPath::new(vec![plain.into()]);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            // Powers do not repeat, and the smallest says nothing.
            .set_column_dictionary_enabled(plain.clone(), false)
            .set_column_statistics_enabled(plain, EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .set_created_by(concat!("pingala ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(
                (!meanings.is_empty())
                    .then(|| vec![KeyValue::new(MEANINGS.into(), serde_json::to_string(meanings).unwrap_or_default())]),
            )
            .build();
        let columns = SchemaDescriptor::new(schema.clone()).num_columns();
        let writer = SerializedFileWriter::new(Hashed::create(path)?, schema, Arc::new(properties));
        let writer = writer.map_err(|error| Error::file(path, error))?;
        let group = (0..columns).map(|_| Vec::new()).collect();
        let most_bytes = usize::try_from(memory_bytes).unwrap_or(usize::MAX);
        Ok(Self { path: path.into(), writer, group, group_rows: 0, group_bytes: 0, most_bytes })
    }

    /// Adds rows by their leaves.
    pub(crate) fn push(&mut self, rows: usize, leaves: Vec<Leaf>) -> Result<()> {
        self.group_bytes += leaves.iter().map(Leaf::bytes).sum::<usize>();
        self.group_rows += rows;
        pairs(&mut self.group, leaves)?.for_each(|(column, leaf)| column.push(leaf));
        if self.group_bytes >= self.most_bytes || self.group_rows >= GROUP_ROWS { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> Result<()> {
        if self.group_rows == 0 {
            return Ok(());
        }
        let path = &self.path;
        let broken = |error| Error::file(path, error);
        let mut group = self.writer.next_row_group().map_err(broken)?;
        for pieces in &mut self.group {
            let Some(mut column) = group.next_column().map_err(broken)? else { break };
            for leaf in std::mem::take(pieces) {
                leaf.write(column.untyped()).map_err(broken)?;
            }
            column.close().map_err(broken)?;
        }
        group.close().map_err(broken)?;
        (self.group_rows, self.group_bytes) = (0, 0);
        Ok(())
    }

    /// Seals the file with what it holds.
    pub(crate) fn end(mut self, done: Done) -> Result<Ready> {
        self.end_group()?;
        let Self { path, mut writer, .. } = self;
        let broken = |error| Error::file(&path, error);
        let values = [
            (PLAN, done.plan.clone()),
            (PART, done.part.to_string()),
            (ROWS, done.rows.to_string()),
            (ERRORS, done.errors.to_string()),
            (CODES, serde_json::to_string(&done.codes).unwrap_or_default()),
            (FIRST, serde_json::to_string(&done.first).unwrap_or_default()),
        ];
        let end = done.end.map(|end| (END, serde_json::to_string(&end).unwrap_or_default()));
        // The last of its name in the file is the one that counts.
        for (key, value) in values.into_iter().chain(end).chain([(SEAL, ZEROS.into())]) {
            writer.append_key_value_metadata(KeyValue::new(key.into(), value));
        }
        writer.flush().doing("write", &path)?;
        writer.inner_mut().keep();
        // Writes the footer.
        let hashed = writer.into_inner().map_err(broken)?;
        let (before, mut footer) = hashed.kept.unwrap_or_default();
        let place = seal_place(&footer, ZEROS).ok_or_else(|| Error::file(&path, "its own footer cannot be read"))?;
        let mut file = hashed.file;
        let start = hashed.bytes - footer.len() as u64;
        let seal = hex(&hashed.hash.finalize());
        file.patch(start + place as u64, seal.as_bytes())?;
        footer[place..place + seal.len()].copy_from_slice(seal.as_bytes());
        let written = (hashed.bytes, hex(&before.chain_update(&footer).finalize()));
        Ok(Ready { file, record: None, done, written })
    }
}

/// A part that is being written.
pub(crate) struct Sink {
    pub(super) file: PartFile,
    results: Results,
    with_reason: bool,
    with_errors: bool,
}

impl Sink {
    pub(super) fn create(path: &Path, plan: &Plan, kept: &[TypePtr], memory_bytes: u64) -> Result<Self> {
        let schema = schema(plan, kept).map_err(|error| Error::file(path, error))?;
        let file = PartFile::create(path, schema, &plan.task.result, &plan.meanings, memory_bytes)?;
        Ok(Self {
            file,
            results: plan.results,
            with_reason: plan.task.workload == Workload::Verify,
            with_errors: plan.task.errors == Errors::Column,
        })
    }

    pub(super) fn push(&mut self, mut batch: Batch, kept: &[usize], answers: Answers) -> Result<()> {
        let rows = batch.rows;
        let mut leaves = Vec::new();
        for &column in kept {
            leaves.append(&mut batch.columns[column]);
        }
        leaves.push(of_results(self.results, answers.bytes, &answers.rows));
        if self.with_reason {
            leaves.push(texts(answers.rows.iter().map(Answer::reason)));
        }
        if self.with_errors {
            leaves.push(texts(answers.rows.iter().map(Answer::code)));
        }
        self.file.push(rows, leaves)
    }
}

/// An optional column of text.
pub(crate) fn text_type(name: &str) -> parquet::errors::Result<Type> {
    let text = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
    text.with_repetition(Repetition::OPTIONAL).with_logical_type(Some(LogicalType::String)).build()
}

/// Kept columns, results, reasons, errors.
fn schema(plan: &Plan, kept: &[TypePtr]) -> parquet::errors::Result<TypePtr> {
    let mut fields = kept.to_vec();
    let name = plan.task.result.as_str();
    let of = |physical| Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    fields.push(Arc::new(match plan.results {
        Results::Fixed(width) => of(Physical::FIXED_LEN_BYTE_ARRAY).with_length(width.cast_signed()).build()?,
        Results::Word => of(Physical::INT64).with_logical_type(Some(LogicalType::integer(64, false))).build()?,
        Results::Variable => of(Physical::BYTE_ARRAY).build()?,
        Results::Truth => of(Physical::BOOLEAN).build()?,
    }));
    if plan.task.workload == Workload::Verify {
        fields.push(Arc::new(text_type(REASON)?));
    }
    if plan.task.errors == Errors::Column {
        fields.push(Arc::new(text_type(ERROR)?));
    }
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}

/// The column of results, which are of its type.
fn of_results(results: Results, bytes: Vec<u8>, rows: &[Answer]) -> Leaf {
    let bytes = Bytes::from(bytes);
    let ranges = rows.iter().map(|row| if let Answer::Number(start, end) = *row { Some(start..end) } else { None });
    match results {
        Results::Truth => Leaf::Bool(Chunk::of(
            rows.iter().map(|row| if let Answer::Truth(truth, _) = row { Some(*truth) } else { None }),
        )),
        Results::Word => {
            let word = |bytes: &[u8]| bytes.iter().fold(0u64, |word, &byte| word << 8 | u64::from(byte)).cast_signed();
            Leaf::Int64(Chunk::of(ranges.map(|range| Some(word(&bytes[range?])))))
        }
        Results::Variable => Leaf::Bytes(Chunk::of(ranges.map(|range| Some(bytes.slice(range?).into())))),
        Results::Fixed(_) => {
            Leaf::Fixed(Chunk::of(ranges.map(|range| Some(ByteArray::from(bytes.slice(range?)).into()))))
        }
    }
}

/// A stretch of text.
pub(crate) fn texts<'a>(rows: impl Iterator<Item = Option<&'a str>>) -> Leaf {
    Leaf::Bytes(Chunk::of(rows.map(|text| text.map(Into::into))))
}

/// The place of the digest in the last bytes of a file: after its name.
fn seal_place(footer: &[u8], digest: &str) -> Option<usize> {
    let name = footer.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes())? + SEAL.len();
    // Between name and value there are a type and a length.
    let value = footer[name..].windows(digest.len()).take(8).position(|window| window == digest.as_bytes())?;
    Some(name + value)
}

/// What the footer says.
pub(crate) fn done(path: &Path) -> Result<Done> {
    let damaged = |why: &dyn std::fmt::Display| {
        Error::file(
            path,
            format!(
                "this is no whole part of a job ({why}); when you have removed it, the same command computes it anew"
            ),
        )
    };
    let file = open_own(path).doing("read", path)?;
    let metadata = caught(path, || Parquet::new(file).metadata().map_err(|error| damaged(&error)))?;
    let facts = metadata.file_metadata();
    let value = |name: &str| {
        let pair = facts.key_value_metadata()?.iter().find(|pair| pair.key == name)?;
        pair.value.clone()
    };
    let number = |name| {
        value(name).and_then(|value| value.parse::<u64>().ok()).ok_or_else(|| damaged(&"its footer names no job"))
    };
    fn parsed<T: serde::de::DeserializeOwned + Default>(value: Option<String>) -> serde_json::Result<T> {
        value.map_or_else(|| Ok(T::default()), |value| serde_json::from_str(&value))
    }
    let altered = |_| damaged(&"its errors are not as they were written");
    let done = Done {
        plan: value(PLAN)
            .ok_or_else(|| Error::differs(format!("{} is not of this job: its footer names none", path.display())))?,
        part: number(PART)? as usize,
        rows: number(ROWS)?,
        errors: number(ERRORS)?,
        codes: parsed(value(CODES)).map_err(altered)?,
        first: parsed(value(FIRST)).map_err(altered)?,
        end: parsed(value(END)).map_err(altered)?,
    };
    if u64::try_from(facts.num_rows()) != Ok(done.rows) {
        return Err(damaged(&"its counts of rows differ"));
    }
    Ok(done)
}

/// Reads the whole file: its length and SHA-256.
pub(super) fn check(path: &Path, reading: &Reading<'_>) -> Result<(u64, String)> {
    let damaged = || Error::file(path, "it was damaged: its SHA-256 does not match");
    let mut file = open_own(path).doing("read", path)?;
    let bytes = file.metadata().doing("read", path)?.len();
    let mut end = [0; 8];
    let at = bytes.checked_sub(8).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut end)).doing("read", path)?;
    let footer = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]])) + 8;
    let start = bytes.checked_sub(footer).ok_or_else(damaged)?;
    file.rewind().doing("read", path)?;
    let mut hash = Sha256::new();
    hash_into(&mut hash, &mut Read::by_ref(&mut file).take(start), path, reading)?;
    let mut tail = Vec::new();
    file.take(footer).read_to_end(&mut tail).doing("read", path)?;
    reading.add(tail.len() as u64)?;
    let whole = hash.clone().chain_update(&tail).finalize();
    let name = tail.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes()).ok_or_else(damaged)? + SEAL.len();
    // The digest is where putting zeros in its place gives a file of that digest; type and length come before it.
    for place in name..(name + 8).min(tail.len().saturating_sub(ZEROS.len())) {
        let mut plain = tail.clone();
        let written = plain[place..place + ZEROS.len()].to_vec();
        plain[place..place + ZEROS.len()].copy_from_slice(ZEROS.as_bytes());
        if hex(&hash.clone().chain_update(&plain).finalize()).as_bytes() == written {
            return Ok((bytes, hex(&whole)));
        }
    }
    Err(damaged())
}
