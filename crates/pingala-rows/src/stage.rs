//! Cuts text into Parquet before a job computes: text cannot be read from the middle, and parts start there. The files are published
//! like parts, so that a killed run continues after the last one.

use crate::error::{Doing, Error, Result};
use crate::identity::{Facts, Stamp, outline, stamped};
use crate::input::Input;
use crate::leaf::Leaf;
use crate::output::parquet::{PartFile, done, text_type, texts};
use crate::output::{Done, End};
use crate::plan::FLAW;
use crate::prepare;
use crate::publish;
use crate::reading::{Phase, Reading};
use crate::records::{Records, RowSource, Rules};
use crate::seal::hex;
use crate::settings::Settings;
use crate::task::{Operand, Request, Task, delimiter};
use crate::text::json::members;
use crate::text::{Value, csv_by_name, shown, unpacked};
use parquet::schema::types::{Type, TypePtr};
use pingala_core::files::open_ordinary;
use pingala_core::pairs;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
    Ok(records(stream, path, delimiter, columns))
}

/// The rows of a stream that unpacks a file.
fn records(stream: Box<dyn Read + Send>, path: &Path, delimiter: u8, columns: &[String]) -> Records {
    let rules = Rules {
        names: columns.to_vec(),
        csv: csv_by_name(path),
        needed: columns.iter().map(|name| vec![name.clone()]).collect(),
        delimiter,
        ..Rules::default()
    };
    Records::new(stream, path.display().to_string(), rules)
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
                let value = value.map(Value::quoted).unwrap_or_default();
                return Err(Error::bad_row(format!("{} is {what}; expected text: {value}", shown(name))));
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

/// Pieces of text that are whole.
#[derive(Default)]
pub(crate) struct Finished {
    pub(crate) count: usize,
    /// Where the text goes on behind them.
    pub(crate) end: Option<End>,
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The pieces of this name that the folder of a job has. Error: `bad_file`, for a file that has the name of a piece and is none.
pub(crate) fn finished(folder: &Path, stage: &str) -> Result<Finished> {
    let mut found = Finished::default();
    loop {
        let path = folder.join(name(found.count));
        if !is_there(&path) {
            return Ok(found);
        }
        let piece = match done(&path) {
            // A runner removes pieces of another request.
            Err(_) if !is_there(&path) => return Ok(found),
            piece => piece?,
        };
        if piece.plan != stage || piece.part != found.count || piece.end.is_none() {
            return Ok(found);
        }
        found = Finished { count: found.count + 1, end: piece.end };
    }
}

/// The name of the pieces that a task cuts from texts. Without times: only the content decides whether finished pieces are kept.
fn name_of(texts: &[Facts], task: &Task) -> String {
    let contents: Vec<_> = texts.iter().map(|text| (&text.path, text.bytes, &text.digest, &text.content)).collect();
    let identity = serde_json::to_string(&(contents, task.columns(), task.delimiter)).unwrap_or_default();
    hex(&Sha256::digest(identity.as_bytes()))
}

/// Counts the bytes that are read from a file, for another reader above it that unpacks them.
struct Counted {
    file: File,
    bytes: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(into)?;
        self.bytes.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

/// A text that is being cut.
struct Text<'a> {
    facts: &'a Facts,
    number: usize,
    records: Records,
    /// Of the file when it was opened.
    stamp: Stamp,
    /// Bytes that were read from a file that is packed.
    packed: Option<Arc<AtomicU64>>,
}

impl<'a> Text<'a> {
    /// Opens a text to read what follows a place. Errors: `bad_file`; `job_differs`, if its content was read from another file.
    fn open(
        (number, facts): (usize, &'a Facts),
        (delimiter, columns): (u8, &[String]),
        place: Option<End>,
        reached: &dyn Fn(u64) -> Result<()>,
    ) -> Result<Self> {
        let path = Path::new(&facts.path);
        let (file, stamp) = stamped(path)?;
        if facts.seen.as_ref().is_some_and(|seen| *seen != stamp) {
            return Err(facts.changed());
        }
        let bytes = Arc::new(AtomicU64::new(0));
        let counted = Box::new(Counted { file, bytes: bytes.clone() });
        let (mut stream, is_packed) = unpacked(counted).doing("read", path)?;
        let records = match place {
            None => records(stream, path, delimiter, columns),
            Some(place) => {
                // The first lines say how the others are read.
                let mut first = open(path, delimiter, columns)?;
                advance(&mut first, path)?;
                if is_packed {
                    let mut left = place.bytes;
                    let mut buffer = vec![0; 1 << 16];
                    while left > 0 {
                        let most = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
                        let count = stream.read(&mut buffer[..most]).doing("read", path)?;
                        if count == 0 {
                            return Err(facts.changed());
                        }
                        left -= count as u64;
                        reached(bytes.load(Relaxed))?;
                    }
                } else {
                    let (mut file, again) = stamped(path)?;
                    if again != stamp {
                        return Err(facts.changed());
                    }
                    file.seek(SeekFrom::Start(place.bytes)).doing("read", path)?;
                    stream = Box::new(file);
                }
                first.go_on(stream, place.line, place.bytes);
                first
            }
        };
        let packed = is_packed.then_some(bytes);
        Ok(Self { facts, number, records, stamp, packed })
    }

    /// The place behind the last row.
    fn place(&self) -> End {
        let bytes = self.records.offset_bytes();
        let of_file = self.packed.as_ref().map_or(bytes, |packed| packed.load(Relaxed));
        End { text: self.number, bytes, line: self.records.lines(), of_file }
    }

    /// Error: `job_differs`, if the file was written to or replaced since it was opened.
    fn is_unchanged(&self) -> Result<()> {
        let now = fs::metadata(&self.facts.path).map(|facts| Stamp::of(&facts));
        if now.is_ok_and(|now| now == self.stamp) { Ok(()) } else { Err(self.facts.changed()) }
    }
}

/// Cuts text into Parquet in the folder of a job, as far as that has not been done. A piece is published while its text is what it was
/// when its content was read, so that a finished piece holds rows of that content and of no other.
pub(crate) fn cut(top: &Path, texts: &[Facts], task: &Task, settings: &Settings<'_>) -> Result<Vec<Input>> {
    let folder = top.join(FOLDER);
    fs::create_dir_all(&folder).doing("create", &folder)?;
    if !fs::symlink_metadata(&folder).is_ok_and(|facts| facts.is_dir()) {
        return Err(Error::file(&folder, "it is a link; a job writes only into its own folders"));
    }
    publish::sync_folder(&folder)?;
    publish::remove_partials(&folder)?;
    let (columns, operands) = (task.columns(), task.operands());
    // Behind base, exponent and modulus are signature, message and key, which are no numbers.
    let no_numbers: Vec<&str> = operands[3..].iter().flatten().filter_map(Operand::column).collect();
    let stage = name_of(texts, task);
    let path = |part: usize| top.join(name(part));
    let Finished { count, end } = finished(top, &stage)?;
    // Pieces of another request that never became a job are removed from the last on, so that a kill leaves no gap.
    let stale: Vec<PathBuf> = (count..).map(path).take_while(|path| is_there(path)).collect();
    for path in stale.iter().rev() {
        done(path)?;
        fs::remove_file(path).doing("remove", path)?;
    }
    prepare::note_text(top, texts, &stage)?;
    let broken = |error| Error::file(&folder, error);
    let fields = columns.iter().map(String::as_str).chain([FLAW]).map(|name| text_type(name).map(Arc::new));
    let fields = fields.collect::<parquet::errors::Result<_>>().map_err(broken)?;
    let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(broken)?;
    let place = end.unwrap_or_default();
    let mut writer = Writer {
        schema: Arc::new(schema),
        stage,
        path: &path,
        part: count,
        file: None,
        rows: Vec::new(),
        in_file: (0, 0),
        place,
    };
    let files = texts.iter().map(|text| &text.path);
    let total = texts.iter().fold(0u64, |sum, text| sum.saturating_add(text.bytes));
    let cutting = Reading::of(settings, Phase::Cutting, files, (total, place.of_all(texts)));
    for (number, facts) in texts.iter().enumerate().skip(place.text) {
        let path = Path::new(&facts.path);
        let reached = |of_file| cutting.reached(End { text: number, of_file, ..End::default() }.of_all(texts));
        let place = end.filter(|end| end.text == number);
        let mut text = Text::open((number, facts), (delimiter(task.delimiter)?, &columns), place, &reached)?;
        while advance(&mut text.records, path)? {
            if writer.push(&text, texts_of(&text.records, &columns, &no_numbers))? {
                reached(writer.place.of_file)?;
            }
        }
        cutting.reached(End { text: number, of_file: facts.bytes, ..End::default() }.of_all(texts))?;
        if facts.differ(&outline(path, false)?) {
            return Err(facts.changed());
        }
        facts.expect_content(&Reading::bytes(settings, Phase::Reading, &[path]))?;
        text.is_unchanged()?;
    }
    let parts: Vec<PathBuf> = (0..writer.end()?).map(path).collect();
    let reading = Reading::bytes(settings, Phase::Reading, &parts);
    parts.iter().map(|path| Input::identify(path, None, &reading)).collect()
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
    /// The place behind the last row.
    place: End,
}

impl Writer<'_> {
    /// Adds the last row of a text; true after rows were written, which is a moment to stop.
    fn push(&mut self, text: &Text<'_>, row: Row) -> Result<bool> {
        self.place = text.place();
        self.in_file.0 += 1;
        self.in_file.1 += row.0.iter().flatten().map(|text| text.len() as u64 + 8).sum::<u64>();
        self.rows.push(row);
        if self.in_file.0 >= FILE_ROWS || self.in_file.1 >= FILE_BYTES {
            text.is_unchanged()?;
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
            let done = Done { rows: self.in_file.0, end: Some(self.place), ..Done::new(&self.stage, self.part) };
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
