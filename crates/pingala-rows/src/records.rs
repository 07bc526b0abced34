//! Sources of rows. This one reads text: JSON objects, one per line, CSV below a header line, or plain lines. At most one row is in
//! memory, and no row is longer than its cap.

use crate::error::{Error, Result};
use crate::text::csv::{self, split};
use crate::text::json::{JsonError, members};
use crate::text::lines::{Found, Lines};
use crate::text::{ORC, Value, foreign, instead, shown};
use pingala_core::pairs;
use std::io::Read;

/// Longest row, unless a caller says otherwise.
pub const ROW_BYTES: usize = 1 << 26;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Numbers, or text of them.
    Numbers,
    /// Text or bytes, and no numbers.
    Text,
    /// Text or numbers, and in Parquet also truth values.
    Truths,
    /// Nothing: its name is an option of the run and no field. A row that has it is refused, because it asks for a check that would not be
    /// made.
    Option,
}

/// How rows of text are read.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The columns whose values are wanted, in the order in which they are handed over. An empty name stands for no column.
    pub names: Vec<String>,
    /// Whether the rows are CSV, if that is known. Otherwise the first line decides.
    pub csv: Option<bool>,
    /// Whether the first line is a header of CSV only if it has one of the names. Otherwise it is one unless it begins an object.
    pub header_by_names: bool,
    /// A header of CSV has one name of each of these lists.
    pub needed: Vec<Vec<String>>,
    /// What to write or type if it has not.
    pub advice: &'static str,
    /// What to type if a table has not a column of each list.
    pub choose: &'static str,
    /// The delimiter of CSV: an ASCII character other than a quote.
    pub delimiter: u8,
    /// What the column of each place holds.
    pub holds: fn(usize) -> Holds,
    /// Longest row.
    pub row_bytes: usize,
    /// What the stream should hold, for a message about a stream that holds something else.
    pub expected: &'static str,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            csv: None,
            header_by_names: false,
            needed: Vec::new(),
            advice: "",
            choose: "",
            delimiter: b',',
            holds: |_| Holds::Numbers,
            row_bytes: ROW_BYTES,
            expected: "JSON Lines or CSV",
        }
    }
}

impl Rules {
    /// Whether rows that begin with this line are CSV.
    fn is_csv(&self, line: &[u8]) -> bool {
        let is_name = |field: &[u8]| {
            std::str::from_utf8(field)
                .is_ok_and(|field| !field.trim().is_empty() && self.names.iter().any(|name| name == field.trim()))
        };
        let is_object = |line: &[u8]| line.trim_ascii_start().starts_with(b"{");
        // An array of objects is no header, and its error says what to do.
        let is_array = line.trim_ascii_start().strip_prefix(b"[").is_some_and(is_object);
        let mut fields = line.split(|&byte| byte == self.delimiter || byte == b'"');
        self.csv.unwrap_or_else(|| !is_object(line) && !is_array && (!self.header_by_names || fields.any(is_name)))
    }

    /// The names of which these columns are to have one, and have none.
    pub(crate) fn lacking(&self, columns: &[String]) -> Option<String> {
        let has_one = |names: &&Vec<String>| names.iter().any(|name| !name.is_empty() && columns.contains(name));
        let names = self.needed.iter().find(|names| !has_one(names))?;
        Some(names.iter().map(|name| shown(name)).collect::<Vec<_>>().join(" or "))
    }
}

/// A source of rows.
pub trait RowSource: Send {
    /// Reads the next row; false at the end. Calls `before_waiting` before each request to the system, which may block. Error:
    /// `bad_file`, if the source cannot be read or holds no rows.
    fn next(&mut self, before_waiting: &mut dyn FnMut()) -> Result<bool>;

    /// Writes the values of the last row, each in the place of its name. If the row as a whole is wrong, those that can be read are
    /// there too.
    fn values<'a>(&'a self, into: &mut [Option<Value<'a>>]) -> Result<()>;

    /// Whether the source is a table with the column of this place.
    fn has_column(&self, place: usize) -> bool;

    /// The place of the last row, for messages: the line in which it begins, from 1, or the row of a table, from 0.
    fn place(&self) -> (&'static str, u64);

    /// Bytes of the source used so far.
    fn offset_bytes(&self) -> u64;

    /// About the bytes of the last row.
    fn row_bytes(&self) -> usize;
}

/// Whether a line has a CR inside it, as the first line of a file whose lines end with CR alone. A CR between quotes is a part of a field.
fn ends_with_cr_alone(line: &[u8]) -> bool {
    line.trim_ascii().contains(&b'\r') && !line.contains(&b'"')
}

/// The header of CSV.
struct Header {
    columns: Vec<String>,
    /// The places of the wanted columns.
    places: Vec<Option<usize>>,
}

/// The rows of a stream.
pub struct Records {
    lines: Lines<Box<dyn Read + Send>>,
    name: String,
    rules: Rules,
    /// For each name the first place that has it: one column may be wanted twice.
    first: Vec<usize>,
    /// Whether the rows are CSV, as the first line decided.
    csv: Option<bool>,
    header: Option<Header>,
    line: u64,
    /// The error of the row as a whole.
    flaw: Option<Error>,
}

impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").field("name", &self.name).field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl Records {
    /// The rows of a stream, which has this name in messages.
    pub fn new(stream: Box<dyn Read + Send>, name: String, rules: Rules) -> Self {
        let names = &rules.names;
        let first = (0..names.len()).map(|place| names.iter().position(|name| *name == names[place]).unwrap_or(place));
        let first = first.collect();
        let lines = Lines::new(stream, rules.row_bytes);
        Self { lines, name, rules, first, csv: None, header: None, line: 0, flaw: None }
    }

    /// The line in which the last row begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// How many lines have been read.
    pub(crate) fn lines(&self) -> u64 {
        self.lines.number()
    }

    /// Goes on in another stream, which has what follows the first `lines` lines, which have `offset_bytes`.
    pub(crate) fn go_on(&mut self, stream: Box<dyn Read + Send>, lines: u64, offset_bytes: u64) {
        self.lines = Lines::behind(stream, self.rules.row_bytes, lines, offset_bytes);
    }

    /// The text of the last row.
    pub fn text(&self) -> &[u8] {
        self.lines.text()
    }

    /// The last row as text. Errors: `too_long`; `bad_row`, for a row that is not UTF-8.
    pub fn utf8(&self) -> Result<&str> {
        self.flaw.clone().map_or(Ok(()), Err)?;
        std::str::from_utf8(self.lines.text())
            .map_err(|error| Error::bad_row(format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1)))
    }

    /// The names in the header, if the rows are CSV and one was read.
    pub fn header(&self) -> Option<&[String]> {
        self.header.as_ref().map(|header| header.columns.as_slice())
    }

    fn read_header(&self) -> Result<Header> {
        let read = || {
            let text = std::str::from_utf8(self.lines.text()).map_err(|_| "the header is not UTF-8".to_string())?;
            let columns = csv::header(text, self.rules.delimiter)?;
            match self.rules.lacking(&columns) {
                None => Ok(columns),
                Some(names) => {
                    Err(format!("the header names no column {names}: it is '{}'{}", shown(text), self.rules.advice))
                }
            }
        };
        let columns =
            read().map_err(|why: String| Error::stream(&self.name, format_args!(", line {}: {why}", self.line)))?;
        let place = |name: &String| columns.iter().position(|column| column == name && !name.is_empty());
        Ok(Header { places: self.rules.names.iter().map(place).collect(), columns })
    }

    /// Error, if CSV has no header line.
    fn is_complete(&self) -> Result<()> {
        if self.header.is_none() && self.csv.or(self.rules.csv) == Some(true) {
            return Err(Error::stream(&self.name, " has no header line"));
        }
        Ok(())
    }

    fn too_long(&self) -> Error {
        let code = pingala_core::Error::TooLong { what: "text", length: 0, cap: 0 }.code();
        Error::new(code, format!("the line is over the cap of {} bytes", self.rules.row_bytes))
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        Error::stream("", format_args!("cannot read {}: {error}", self.name))
    }
}

impl RowSource for Records {
    /// Blank lines are skipped.
    fn next(&mut self, before_waiting: &mut dyn FnMut()) -> Result<bool> {
        loop {
            let found = self.lines.read(&mut *before_waiting).map_err(|error| self.failed(&error))?;
            self.line = self.lines.number();
            self.flaw = (found == Found::TooLong).then(|| self.too_long());
            match found {
                Found::End => return self.is_complete().map(|()| false),
                Found::TooLong => return Ok(true),
                Found::Line => {}
            }
            let is_first = self.line == 1;
            let orc = if is_first && self.lines.is_orc() { Some(ORC) } else { None };
            if let Some(what) = orc.or_else(|| foreign(self.lines.text())).filter(|_| is_first) {
                let how = instead(what);
                return Err(Error::stream(
                    &self.name,
                    format_args!(" holds {what}, expected {}{how}", self.rules.expected),
                ));
            }
            if self.line == 1 && ends_with_cr_alone(self.lines.text()) {
                return Err(Error::stream(&self.name, " has lines that end with CR alone, expected LF or CRLF"));
            }
            if self.lines.text().trim_ascii().is_empty() {
                continue;
            }
            if *self.csv.get_or_insert_with(|| self.rules.is_csv(self.lines.text())) {
                let found = self.lines.rest_of_record(self.rules.delimiter, &mut *before_waiting);
                if found.map_err(|error| self.failed(&error))? == Found::TooLong {
                    self.flaw = Some(self.too_long());
                }
                if self.header.is_none() && self.flaw.is_none() {
                    self.header = Some(self.read_header()?);
                    continue;
                }
            }
            return Ok(true);
        }
    }

    /// What is empty in CSV is not there.
    fn values<'a>(&'a self, into: &mut [Option<Value<'a>>]) -> Result<()> {
        let text = self.utf8()?;
        let Some(header) = &self.header else {
            let place =
                |name: &str| self.rules.names.iter().position(|known| known == name).filter(|_| !name.is_empty());
            let read = members(text, &place, into);
            if matches!(read, Err(JsonError::NotAnObject(_))) {
                into.fill(None);
            }
            for (place, &first) in self.first.iter().enumerate().filter(|(place, first)| place != *first) {
                into[place] = into[first].clone();
            }
            return read.map_err(|flaw| match flaw {
                JsonError::NotAnObject(_) => Error::bad_row(format!("{flaw}: '{}'", shown(text))),
                JsonError::Twice(_) => Error::bad_row(flaw.to_string()),
            });
        };
        let quoted = || format!(": '{}'", shown(text));
        let fields = split(text, self.rules.delimiter).map_err(|why| Error::bad_row(why + &quoted()))?;
        for (value, place) in pairs(into, &header.places)? {
            let field = place.and_then(|place| fields.get(place)).filter(|field| !field.is_empty());
            *value = field.cloned().map(Value::Field);
        }
        let (n_fields, n_columns) = (fields.len(), header.columns.len());
        if n_fields == n_columns {
            return Ok(());
        }
        Err(Error::bad_row(format!("the row has {n_fields} fields, the header {n_columns}{}", quoted())))
    }

    fn has_column(&self, place: usize) -> bool {
        self.header.as_ref().is_some_and(|header| header.places.get(place).is_some_and(Option::is_some))
    }

    fn place(&self) -> (&'static str, u64) {
        ("line", self.line)
    }

    fn offset_bytes(&self) -> u64 {
        self.lines.offset_bytes()
    }

    fn row_bytes(&self) -> usize {
        self.lines.text().len()
    }
}
