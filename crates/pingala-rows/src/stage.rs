//! Cuts text into Parquet before a job computes: text cannot be read from the middle, and parts start there. The files are published
//! like parts, so that a killed run continues after the last one.

use crate::error::{Doing, Error, Result};
use crate::identity::{Facts, outline};
use crate::input::Input;
use crate::leaf::Leaf;
use crate::output::Done;
use crate::output::parquet::{PartFile, done, text_type, texts};
use crate::plan::FLAW;
use crate::publish;
use crate::records::{Records, RowSource, Rules};
use crate::seal::hex;
use crate::task::{Operand, Request, Task, delimiter};
use crate::text::json::members;
use crate::text::{Value, csv_by_name, shown, unpacked};
use parquet::schema::types::{Type, TypePtr};
use pingala_core::files::open_ordinary;
use pingala_core::{Watch, pairs};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the files.
pub(crate) const FOLDER: &str = "_input";
/// The name of a file in the folder of the job.
pub(crate) fn name(part: usize) -> String {
    format!("{FOLDER}/text-{part:05}.parquet")
}

/// Most rows, and about the most bytes, of a file.
const FILE_ROWS: u64 = 1 << 17;
const FILE_BYTES: u64 = 64 << 20;
/// Memory of the columns of a row group.
const GROUP_BYTES: u64 = 8 << 20;
/// Rows between two polls of the watch.
const LOOK_ROWS: usize = 1024;

/// Most rows of JSON, and about most bytes, whose names are taken for columns; most names that the request does not have.
const NAMED_ROWS: usize = 1000;
const NAMED_BYTES: usize = 1 << 24;
const MOST_OTHERS: usize = 64;

/// The texts of a row by column, and what is wrong with it.
type Row = (Vec<Option<String>>, Option<String>);

/// The rows of a text file, of which these columns are wanted.
fn open(path: &Path, delimiter: u8, columns: &[String]) -> Result<Records> {
    let file = open_ordinary(path).doing("read", path)?;
    let (stream, _) = unpacked(Box::new(file)).doing("read", path)?;
    let rules = Rules {
        names: columns.to_vec(),
        csv: csv_by_name(path),
        needed: columns.iter().map(|name| vec![name.clone()]).collect(),
        delimiter,
        ..Rules::default()
    };
    Ok(Records::new(stream, path.display().to_string(), rules))
}

/// Reads the next row. Error: `bad_file`, also if there is no row and no header.
fn advance(records: &mut Records, path: &Path) -> Result<bool> {
    let is_first = records.line() == 0;
    let more = records.next(&mut || {})?;
    if is_first && !more && records.header().is_none() {
        return Err(Error::file(path, "it is empty"));
    }
    Ok(more)
}

/// The texts of the last row; `texts` are columns that hold no numbers.
fn texts_of(records: &Records, columns: &[String], texts: &[&str]) -> Row {
    let mut values = vec![None; columns.len()];
    let read = records.values(&mut values).and_then(|()| {
        let text = |(name, value): (&String, &Option<Value<'_>>)| {
            let value = value.as_ref().filter(|value| !value.is_null());
            if let Some(what) = value.and_then(Value::not_text).filter(|_| texts.contains(&name.as_str())) {
                return Err(Error::bad_row(format!("{} is {what}; expected text", shown(name))));
            }
            let text = value.map(Value::text).transpose();
            let text = text.map_err(|error| Error::bad_row(format!("{}: {error}", shown(name))))?;
            Ok(text.map(Cow::into_owned))
        };
        pairs(columns, &values)?.map(text).collect()
    });
    match read {
        Ok(texts) => (texts, None),
        Err(flaw) => (Vec::new(), Some(flaw.to_string())),
    }
}

/// The columns of text, as far as a request asks for them. Of JSON those among the first rows: all that are asked for, and some others,
/// in the order of their names.
pub(crate) fn columns(path: &Path, request: &Request) -> Result<Vec<String>> {
    let delimiter = delimiter(request.delimiter.unwrap_or(','))?;
    let (asked, mut records) = (request.names(), open(path, delimiter, &[])?);
    let (columns, mut bytes, mut first_flaw) = (RefCell::new(BTreeSet::new()), 0, None);
    for _ in 0..NAMED_ROWS {
        let more = advance(&mut records, path)?;
        if let Some(header) = records.header() {
            return Ok(header.to_vec());
        }
        if !more || bytes > NAMED_BYTES {
            break;
        }
        bytes += records.text().len();
        let note = |name: &str| {
            let mut columns = columns.borrow_mut();
            if asked.contains(&name) || columns.len() < MOST_OTHERS {
                columns.insert(name.to_string());
            }
            None
        };
        let named = match records.utf8() {
            Ok(text) => members(text, &note, &mut []).map_err(|flaw| flaw.to_string()),
            // A line over the cap is an error of its own row.
            Err(flaw) => Err(flaw.to_string()),
        };
        if let Err(why) = named {
            first_flaw.get_or_insert_with(|| format!("line {}: {why}", records.line()));
        }
    }
    let columns = columns.into_inner();
    match first_flaw.filter(|_| columns.is_empty()) {
        Some(why) => Err(Error::file(path, why)),
        None => Ok(columns.into_iter().collect()),
    }
}

/// Error: `bad_argument`, for a task whose columns cannot be cut out of text.
pub(crate) fn check(task: &Task) -> Result<()> {
    let columns = task.columns();
    if columns.is_empty() {
        return Err(Error::argument("the job reads no column of its input"));
    }
    if columns.iter().any(|column| column == FLAW) {
        return Err(Error::argument(format!(
            "a job gives the name {FLAW} to a column of its own; rename that of the input"
        )));
    }
    Ok(())
}

/// Cuts text into Parquet in the folder of a job, as far as that has not been done.
pub(crate) fn cut(folder: &Path, texts: &[Facts], task: &Task, watch: &dyn Watch) -> Result<Vec<Input>> {
    let (top, folder) = (folder, folder.join(FOLDER));
    fs::create_dir_all(&folder).doing("create", &folder)?;
    if !fs::symlink_metadata(&folder).is_ok_and(|facts| facts.is_dir()) {
        return Err(Error::file(&folder, "it is a link; a job writes only into its own folders"));
    }
    publish::sync_folder(&folder)?;
    publish::remove_partials(&folder)?;
    let (columns, operands) = (task.columns(), task.operands());
    // Behind base, exponent and modulus are signature, message and key, which are no numbers.
    let no_numbers: Vec<&str> = operands[3..].iter().flatten().filter_map(Operand::column).collect();
    // Without times: only the content decides whether finished files are kept.
    let contents: Vec<_> = texts.iter().map(|text| (&text.path, text.bytes, &text.digest, &text.content)).collect();
    let identity = serde_json::to_string(&(contents, &columns, task.delimiter)).unwrap_or_default();
    let stage = hex(&Sha256::digest(identity.as_bytes()));
    let path = |part: usize| top.join(name(part));
    let mut parts = 0;
    let mut skip = 0;
    let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
    while is_there(&path(parts)) {
        let found = done(&path(parts))?;
        if found.plan != stage || found.part != parts {
            break;
        }
        skip += found.rows;
        parts += 1;
    }
    // Files of another request that never became a job are removed from the last on, so that a kill leaves no gap.
    let stale: Vec<PathBuf> = (parts..).map(path).take_while(|path| is_there(path)).collect();
    for path in stale.iter().rev() {
        done(path)?;
        fs::remove_file(path).doing("remove", path)?;
    }
    let broken = |error| Error::file(&folder, error);
    let fields = columns.iter().map(String::as_str).chain([FLAW]).map(|name| text_type(name).map(Arc::new));
    let fields = fields.collect::<parquet::errors::Result<_>>().map_err(broken)?;
    let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(broken)?;
    let mut writer = Writer {
        schema: Arc::new(schema),
        stage,
        path: &path,
        part: parts,
        file: None,
        rows: Vec::new(),
        in_file: (0, 0),
    };
    for text in texts {
        let path = Path::new(&text.path);
        let mut records = open(path, delimiter(task.delimiter)?, &columns)?;
        while advance(&mut records, path)? {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            if writer.push(texts_of(&records, &columns, &no_numbers))? && watch.stop() {
                return Err(Error::interrupted());
            }
        }
        if text.differ(&outline(Path::new(&text.path), false)?) {
            return Err(text.changed());
        }
        text.expect_content(watch)?;
    }
    if skip > 0 {
        return Err(Error::differs("the text has fewer rows than it had when the job began"));
    }
    let parts = writer.end()?;
    (0..parts).map(|part| Input::identify(&path(part), None, watch)).collect()
}

/// The line and the text in which a row begins, counted over all texts; none if they cannot be read.
pub(crate) fn line_of_row(texts: &[Facts], delimiter: char, row: u64) -> Option<String> {
    let mut left = row;
    for text in texts {
        let path = Path::new(&text.path);
        let mut records = open(path, delimiter as u8, &[]).ok()?;
        while advance(&mut records, path).ok()? {
            if left == 0 {
                return Some(format!("line {} of {}", records.line(), text.path));
            }
            left -= 1;
        }
    }
    None
}

struct Writer<'a> {
    schema: TypePtr,
    stage: String,
    path: &'a dyn Fn(usize) -> PathBuf,
    part: usize,
    file: Option<PartFile>,
    rows: Vec<Row>,
    /// Rows and bytes of this file.
    in_file: (u64, u64),
}

impl Writer<'_> {
    /// Adds a row; true after rows were written, which is a moment to stop.
    fn push(&mut self, row: Row) -> Result<bool> {
        self.in_file.0 += 1;
        self.in_file.1 += row.0.iter().flatten().map(|text| text.len() as u64 + 8).sum::<u64>();
        self.rows.push(row);
        if self.in_file.0 >= FILE_ROWS || self.in_file.1 >= FILE_BYTES {
            self.end_file()?;
            return Ok(true);
        }
        if self.rows.len() >= LOOK_ROWS {
            self.flush()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(PartFile::create(
                &(self.path)(self.part),
                self.schema.clone(),
                FLAW,
                &BTreeMap::new(),
                GROUP_BYTES,
            )?),
        };
        let columns = self.schema.get_fields().len() - 1;
        let mut leaves: Vec<Leaf> =
            (0..columns).map(|column| texts(rows.iter().map(|row| row.0.get(column)?.as_deref()))).collect();
        leaves.push(texts(rows.iter().map(|row| row.1.as_deref())));
        file.push(rows.len(), leaves)
    }

    fn end_file(&mut self) -> Result<()> {
        self.flush()?;
        if let Some(file) = self.file.take() {
            let done = Done { rows: self.in_file.0, ..Done::new(&self.stage, self.part) };
            file.end(done)?.publish()?;
            self.part += 1;
        }
        self.in_file = (0, 0);
        Ok(())
    }

    /// Ends the last file; returns the number of files, at least one.
    fn end(mut self) -> Result<usize> {
        if !self.rows.is_empty() || self.file.is_some() || self.part == 0 {
            self.end_file()?;
        }
        Ok(self.part)
    }
}
