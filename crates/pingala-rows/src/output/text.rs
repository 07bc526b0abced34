//! Parts as CSV or JSON Lines. Text has no footer, so that a sealed record in a second file describes it; the record is published first.

use super::{Done, Hashed, Ready};
use crate::compute::{Answer, Answers};
use crate::error::{Doing, Error, Result};
use crate::folder::open_own;
use crate::input::Batch;
use crate::leaf::Leaf;
use crate::numbers::{self, Cell, Kind, cells};
use crate::pairs::exactly;
use crate::plan::Plan;
use crate::seal::{self, hex};
use crate::task::{ERROR, Errors, Format, REASON, Workload};
use crate::text::shown;
use parquet::schema::types::{ColumnDescriptor, ColumnPath, TypePtr};
use pingala::{Error as LibraryError, Natural};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};
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
        let kept = exactly(&plan.task.keep, kept)?.map(|(name, column)| (name.clone(), kind(name, column))).collect();
        Ok(Self {
            kept,
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
        for (&column, (name, kind)) in exactly(kept, &self.kept)? {
            columns.push(fields(&batch.columns[column][0], *kind, name)?.into_iter());
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
                    Field::Text(value) if value.is_empty() || value.contains([self.delimiter, '"', '\n', '\r']) => {
                        text.push('"');
                        text.push_str(&value.replace('"', "\"\""));
                        text.push('"');
                    }
                    Field::Text(value) => text.push_str(&value),
                }
            }
        } else {
            let mut separator = '{';
            for (name, field) in exactly(self.names(), fields)? {
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

/// How the values of a kept column are written; truth values and floats are neither text nor bytes nor integers.
fn kind(name: &str, column: &TypePtr) -> Kind {
    let column = ColumnDescriptor::new(column.clone(), 0, 0, ColumnPath::new(vec![name.into()]));
    numbers::kind(&column).unwrap_or(Kind::Bytes)
}

/// The values of a kept column. Error: `bad_argument`, for text that is not UTF-8.
fn fields<'l>(leaf: &'l Leaf, kind: Kind, name: &str) -> Result<Vec<Field<'l>>> {
    let float =
        |value: f64, text: String| if value.is_finite() { Field::Plain(text) } else { Field::Text(text.into()) };
    fn plain<'a>(value: impl ToString) -> Field<'a> {
        Field::Plain(value.to_string())
    }
    let utf8 = |text: &'l [u8]| {
        let text = std::str::from_utf8(text).map_err(|_| {
            Error::argument(format!("column {} has text that is not UTF-8; --format parquet keeps it", shown(name)))
        })?;
        Ok(Field::Text(text.into()))
    };
    Ok(match leaf {
        Leaf::Bool(chunk) => chunk.rows().map(|row| row.map_or(Field::Null, plain)).collect(),
        Leaf::Float(chunk) => {
            chunk.rows().map(|row| row.map_or(Field::Null, |&value| float(value.into(), value.to_string()))).collect()
        }
        Leaf::Double(chunk) => {
            chunk.rows().map(|row| row.map_or(Field::Null, |&value| float(value, value.to_string()))).collect()
        }
        Leaf::Int96(_) => Vec::new(),
        _ => {
            let field = |cell| match cell {
                Cell::Text(text) => utf8(text),
                Cell::Bytes(bytes) | Cell::Twos(bytes) => Ok(Field::Text(format!("0x{}", hex(bytes)).into())),
                Cell::Signed(value) => Ok(plain(value)),
                Cell::Unsigned(value) => Ok(plain(value)),
            };
            let cells = cells(leaf, kind).into_iter();
            return cells.map(|cell| cell.map_or(Ok(Field::Null), field)).collect();
        }
    })
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
pub(super) fn check(path: &Path) -> Result<(u64, String)> {
    let record = recorded(path)?;
    let mut hash = Sha256::new();
    let mut file = open_own(path).doing("read", path)?;
    let bytes = hash_into(&mut hash, &mut file).doing("read", path)?;
    let digest = hex(&hash.finalize());
    if bytes != record.bytes || digest != record.sha256 {
        return Err(Error::file(path, "it was damaged: its SHA-256 does not match"));
    }
    Ok((bytes, digest))
}

/// Hashes a stream to its end, and says how long it is.
pub(super) fn hash_into(hash: &mut Sha256, stream: &mut impl Read) -> io::Result<u64> {
    let (mut buffer, mut bytes) = (vec![0; 1 << 18], 0);
    loop {
        match stream.read(&mut buffer)? {
            0 => return Ok(bytes),
            count => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
}
