//! Parts as CSV or JSON Lines. Text has no footer, so that a sealed record in a second file describes it; the record is published first.

use super::{Done, Hashed, Ready};
use crate::binary::meant;
use crate::compute::{Answer, Answers};
use crate::error::{Doing, Error, Result};
use crate::folder::open_own;
use crate::input::Batch;
use crate::leaf::Leaf;
use crate::numbers::{self, Cell, Kind, cells, integer};
use crate::plan::Plan;
use crate::reading::Reading;
use crate::seal::{self, hash_into, hex};
use crate::task::{ERROR, Errors, Format, REASON, Workload};
use crate::text::csv::push_field;
use crate::text::shown;
use parquet::basic::{ConvertedType, Type as Physical};
use parquet::schema::types::{ColumnDescriptor, ColumnPath, TypePtr};
use pingala_core::{Error as LibraryError, Natural, pairs};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};

const KIND: &str = "job part";

/// The content of a record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    done: Done,
    bytes: u64,
    sha256: String,
}

/// The record of a part: `_part-00007.csv.json` for `part-00007.csv`.
pub(super) fn record(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("_{name}.json"))
}

/// A part that is being written.
pub(crate) struct Sink {
    path: PathBuf,
    file: Hashed,
    rows: Writer,
    text: String,
}

/// How rows are written.
pub(crate) struct Writer {
    kept: Vec<(String, Kind)>,
    result: String,
    format: Format,
    delimiter: char,
    decimal: bool,
    with_reason: bool,
    with_errors: bool,
}

/// A value of a row.
enum Field<'a> {
    Null,
    /// Quoted in JSON.
    Text(std::borrow::Cow<'a, str>),
    Plain(String),
}

impl Writer {
    pub(crate) fn of(plan: &Plan, kept: &[TypePtr]) -> Result<Self> {
        let kept = pairs(&plan.task.keep, kept)?.map(|(name, column)| {
            let column = ColumnDescriptor::new(column.clone(), 0, 0, ColumnPath::new(vec![name.clone()]));
            Some((name.clone(), meant(kept_kind(&column)?, plan.meanings.get(name).copied())))
        });
        Ok(Self {
            // The plan was refused otherwise.
            kept: kept.collect::<Option<_>>().ok_or(LibraryError::Fault("a kept column that text cannot hold"))?,
            result: plan.task.result.clone(),
            format: plan.task.format,
            delimiter: plan.task.delimiter,
            decimal: plan.task.decimal,
            with_reason: plan.task.workload == Workload::Verify,
            with_errors: plan.task.errors == Errors::Column,
        })
    }

    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.kept.iter().map(|(name, _)| name.as_str()).collect();
        names.push(&self.result);
        names.extend(self.with_reason.then_some(REASON));
        names.extend(self.with_errors.then_some(ERROR));
        names
    }

    /// The line above all rows.
    pub(crate) fn header(&self) -> Result<String> {
        let mut text = String::new();
        if self.format == Format::Csv {
            self.line(&mut text, self.names().iter().map(|&name| Field::Text(name.into())).collect())?;
        }
        Ok(text)
    }

    /// The rows of a batch. Error: `fault`, if a column or the answers have another number of rows.
    pub(crate) fn rows(&self, batch: &Batch, kept: &[usize], answers: &Answers, text: &mut String) -> Result<()> {
        let mut columns = Vec::with_capacity(kept.len());
        for (&column, kept) in pairs(kept, &self.kept)? {
            columns.push(fields(&batch.columns[column][0], kept, self.format)?.into_iter());
        }
        if answers.rows.len() != batch.rows || columns.iter().any(|column| column.len() != batch.rows) {
            return Err(LibraryError::Fault("a column differs from its batch in length").into());
        }
        for answer in &answers.rows {
            let mut line: Vec<Field<'_>> = columns.iter_mut().filter_map(Iterator::next).collect();
            line.push(match *answer {
                Answer::Null | Answer::Error(_) => Field::Null,
                Answer::Number(start, end) => {
                    let number = Natural::from_be_bytes(&answers.bytes[start..end]);
                    Field::Text(if self.decimal { number.to_string() } else { format!("{number:#x}") }.into())
                }
                Answer::Truth(truth, _) => Field::Plain(truth.to_string()),
            });
            let text_or_null = |text: Option<&'static str>| text.map_or(Field::Null, |text| Field::Text(text.into()));
            line.extend(self.with_reason.then(|| text_or_null(answer.reason())));
            line.extend(self.with_errors.then(|| text_or_null(answer.code())));
            self.line(text, line)?;
        }
        Ok(())
    }

    fn line(&self, text: &mut String, fields: Vec<Field<'_>>) -> Result<()> {
        if self.format == Format::Csv {
            for (place, field) in fields.into_iter().enumerate() {
                if place > 0 {
                    text.push(self.delimiter);
                }
                match field {
                    Field::Null => {}
                    Field::Plain(value) => text.push_str(&value),
                    Field::Text(value) => push_field(text, &value, self.delimiter),
                }
            }
        } else {
            let mut separator = '{';
            for (name, field) in pairs(self.names(), fields)? {
                text.push(separator);
                separator = ',';
                text.push_str(&serde_json::Value::from(name).to_string());
                text.push(':');
                match field {
                    Field::Null => text.push_str("null"),
                    Field::Plain(value) => text.push_str(&value),
                    Field::Text(value) => text.push_str(&serde_json::Value::from(value.as_ref()).to_string()),
                }
            }
            text.push('}');
        }
        text.push('\n');
        Ok(())
    }
}

/// How the values of a kept column are written, if text can hold them: numbers, text, bytes, JSON, truth values, and floats of 32 and 64
/// bits, of which the kind says nothing.
pub(crate) fn kept_kind(column: &ColumnDescriptor) -> Option<Kind> {
    match (numbers::kind(column), column.physical_type(), column.converted_type()) {
        (Ok(kind), ..) => Some(kind),
        (Err(_), _, ConvertedType::JSON) => Some(Kind::Text),
        (Err(_), Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE, ConvertedType::NONE) => Some(Kind::Bytes),
        _ => None,
    }
}

/// The values of a kept column. Error: `bad_argument`, for text that is not UTF-8, and for floats that the format has not.
fn fields<'l>(leaf: &'l Leaf, (name, kind): &(String, Kind), format: Format) -> Result<Vec<Field<'l>>> {
    let refuse =
        |what: &str| Err(Error::argument(format!("column {} has {what}; --format parquet keeps it", shown(name))));
    // The shortest text that reads as the same float.
    let float = |is_finite: bool, text: String| {
        if is_finite || format == Format::Csv {
            Ok(Field::Plain(text))
        } else {
            refuse("NaN or infinity, which JSON has not")
        }
    };
    let field = |cell: Cell<'l>| match cell {
        Cell::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Ok(Field::Text(text.into())),
            Err(_) => refuse("text that is not UTF-8"),
        },
        Cell::Bytes(bytes) => Ok(Field::Text(format!("0x{}", hex(bytes)).into())),
        Cell::Little(bytes) => {
            let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
            Ok(Field::Text(format!("0x{}", hex(&bytes)).into()))
        }
        // Columns of such cells are as wide as their type.
        number => Ok(Field::Plain(integer(number, "number", u64::MAX - 7, false)?.to_string())),
    };
    fn each<'l, T>(
        rows: impl Iterator<Item = Option<T>>,
        field: impl Fn(T) -> Result<Field<'l>>,
    ) -> Result<Vec<Field<'l>>> {
        rows.map(|row| row.map_or(Ok(Field::Null), &field)).collect()
    }
    match leaf {
        Leaf::Bool(chunk) => each(chunk.rows(), |truth| Ok(Field::Plain(truth.to_string()))),
        Leaf::Float(chunk) => each(chunk.rows(), |value| float(value.is_finite(), format!("{value:?}"))),
        Leaf::Double(chunk) => each(chunk.rows(), |value| float(value.is_finite(), format!("{value:?}"))),
        leaf => each(cells(leaf, *kind).into_iter(), field),
    }
}

impl Sink {
    pub(super) fn create(path: &Path, plan: &Plan, kept: &[TypePtr]) -> Result<Self> {
        let rows = Writer::of(plan, kept)?;
        let text = rows.header()?;
        Ok(Self { path: path.into(), file: Hashed::create(path)?, rows, text })
    }

    pub(super) fn push(&mut self, batch: &Batch, kept: &[usize], answers: &Answers) -> Result<()> {
        self.rows.rows(batch, kept, answers, &mut self.text)?;
        self.write()
    }

    fn write(&mut self) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        self.file.write_all(text.as_bytes()).doing("write", &self.path)
    }

    pub(super) fn end(mut self, done: Done) -> Result<Ready> {
        self.write()?;
        let Hashed { file, hash, bytes, .. } = self.file;
        let sha256 = hex(&hash.finalize());
        let record = Record { done: done.clone(), bytes, sha256: sha256.clone() };
        let record = Some((self::record(&self.path), seal::seal(KIND, &record)?.0));
        Ok(Ready { file, record, done, written: (bytes, sha256) })
    }
}

/// Error: `bad_file`, if a file has the name of the record of this part and is none, so that it is not ours to replace.
pub(super) fn may_record(record: &Path) -> Result<()> {
    seal::read::<Record>(record, KIND).map(drop)
}

fn recorded(path: &Path) -> Result<Record> {
    let found = seal::read::<Record>(&record(path), KIND)?;
    let found = found
        .ok_or_else(|| Error::differs(format!("{} is not of this job: no record beside it says so", path.display())))?;
    Ok(found.0)
}

/// What the record says.
pub(super) fn done(path: &Path) -> Result<Done> {
    let record = recorded(path)?;
    let facts = open_own(path).and_then(|file| file.metadata());
    let bytes = facts.doing("read", path)?.len();
    if bytes != record.bytes {
        return Err(Error::file(path, format!("it has {bytes} bytes, its record says {}", record.bytes)));
    }
    Ok(record.done)
}

/// Reads the whole file: its length and SHA-256.
pub(super) fn check(path: &Path, reading: &Reading<'_>) -> Result<(u64, String)> {
    let record = recorded(path)?;
    let mut hash = Sha256::new();
    let mut file = open_own(path).doing("read", path)?;
    let bytes = hash_into(&mut hash, &mut file, path, reading)?;
    let digest = hex(&hash.finalize());
    if bytes != record.bytes || digest != record.sha256 {
        return Err(Error::file(path, "it was damaged: its SHA-256 does not match"));
    }
    Ok((bytes, digest))
}

#[cfg(test)]
#[path = "../../tests/inside/output/text.rs"]
mod tests;
