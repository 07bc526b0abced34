//! Rows of text, whatever reads them: JSON objects one a line, CSV below a header line, or plain lines. Never more than one row is in
//! memory, and no row is longer than its cap.

use crate::error::{Error, Result, RowFlaw};
use crate::pairs::exactly;
use crate::text::csv::{self, Quoting, split};
use crate::text::json::{Flaw, members};
use crate::text::lines::{Found, Lines};
use crate::text::{Value, foreign};
use std::io::Read;

/// Says of the first line that is not blank, and of no line where there is none, whether it is the header of CSV.
pub type IsCsv = Box<dyn Fn(&[u8]) -> bool + Send>;
/// Says what is missing from a header: its text, and the names in it.
pub type Check = Box<dyn Fn(&str, &[String]) -> std::result::Result<(), String> + Send>;

/// How rows of text are read.
pub struct Rules {
    /// The columns that mean something, in the order in which their values are handed over. No column has an empty name.
    pub names: Vec<String>,
    /// Whether the rows are CSV.
    pub is_csv: IsCsv,
    /// What is wrong with a header.
    pub check: Check,
    /// Between the fields of CSV: one of ASCII, and no quote.
    pub delimiter: u8,
    /// Longest row.
    pub line_bytes: usize,
    /// What a row is that is no JSON object, as a message begins.
    pub no_object: &'static str,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules").field("names", &self.names).finish_non_exhaustive()
    }
}

/// The header of CSV.
struct Header {
    columns: Vec<String>,
    /// Where the wanted columns stand.
    places: Vec<Option<usize>>,
}

/// The rows of a stream.
pub struct Records {
    lines: Lines<Box<dyn Read + Send>>,
    name: String,
    rules: Rules,
    /// Of each name the first place that has it: one column may be wanted twice.
    first: Vec<usize>,
    /// Once the first line was seen.
    csv: Option<bool>,
    header: Option<Header>,
    line: u64,
    /// What is wrong with the row as a whole.
    flaw: Option<RowFlaw>,
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
        let lines = Lines::new(stream, rules.line_bytes);
        Self { lines, name, rules, first, csv: None, header: None, line: 0, flaw: None }
    }

    /// The name of the stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line in which the last row begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Bytes of the stream used so far.
    pub fn offset_bytes(&self) -> u64 {
        self.lines.offset_bytes()
    }

    /// The text of the last row.
    pub fn text(&self) -> &[u8] {
        self.lines.text()
    }

    /// The names in the header, if the rows are CSV and one was read.
    pub fn header(&self) -> Option<&[String]> {
        self.header.as_ref().map(|header| header.columns.as_slice())
    }

    /// Whether the header of CSV has the column of this place.
    pub fn has_column(&self, place: usize) -> bool {
        self.header.as_ref().is_some_and(|header| header.places.get(place).is_some_and(Option::is_some))
    }

    /// Reads the next row; false at the end. Blank lines are skipped. `before_waiting` is called before each request to the system,
    /// which may block. Error: `bad_file`, if the stream cannot be read, holds no text, or has a header that is wrong or none.
    pub fn next(&mut self, mut before_waiting: impl FnMut()) -> Result<bool> {
        loop {
            let found = self.lines.read(&mut before_waiting).map_err(|error| self.failed(&error))?;
            self.line = self.lines.number();
            self.flaw = (found == Found::TooLong).then(|| self.too_long());
            match found {
                Found::End => return self.is_complete().map(|()| false),
                Found::TooLong => return Ok(true),
                Found::Line => {}
            }
            if let Some(what) = foreign(self.lines.text()).filter(|_| self.line == 1) {
                let how = if what == "a Parquet file" { "; `pingala job run` reads Parquet" } else { "" };
                return Err(Error::stream(&self.name, format_args!(" holds {what}, expected JSON Lines or CSV{how}")));
            }
            if self.lines.text().trim_ascii().is_empty() {
                continue;
            }
            if *self.csv.get_or_insert_with(|| (self.rules.is_csv)(self.lines.text())) {
                self.rest_of_record(&mut before_waiting)?;
                if self.header.is_none() && self.flaw.is_none() {
                    self.header = Some(self.read_header()?);
                    continue;
                }
            }
            return Ok(true);
        }
    }

    /// Reads on while a quote is open.
    fn rest_of_record(&mut self, mut before_waiting: impl FnMut()) -> Result<()> {
        let mut quoting = Quoting::default().after(self.lines.text(), self.rules.delimiter);
        while quoting.is_open() {
            let used = self.lines.text().len();
            match self.lines.read_more(&mut before_waiting).map_err(|error| self.failed(&error))? {
                Found::Line => quoting = quoting.after(&self.lines.text()[used..], self.rules.delimiter),
                Found::TooLong => {
                    self.flaw = Some(self.too_long());
                    break;
                }
                Found::End => break,
            }
        }
        Ok(())
    }

    fn read_header(&self) -> Result<Header> {
        let read = || {
            let text = std::str::from_utf8(self.lines.text()).map_err(|_| "the header is not UTF-8".to_string())?;
            let columns = csv::header(text, self.rules.delimiter)?;
            (self.rules.check)(text, &columns)?;
            Ok(columns)
        };
        let columns =
            read().map_err(|why: String| Error::stream(&self.name, format_args!(", line {}: {why}", self.line)))?;
        let place = |name: &String| columns.iter().position(|column| column == name && !name.is_empty());
        Ok(Header { places: self.rules.names.iter().map(place).collect(), columns })
    }

    /// The values of the last row that are there, each in the place of its name. What is empty in CSV is not there. Where the row is
    /// wrong as a whole, those that can be read are there too.
    pub fn values<'a>(&'a self, into: &mut [Option<Value<'a>>]) -> std::result::Result<(), RowFlaw> {
        if let Some(flaw) = &self.flaw {
            return Err(flaw.clone());
        }
        let text = std::str::from_utf8(self.lines.text())
            .map_err(|error| RowFlaw::bad_row(format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1)))?;
        let Some(header) = &self.header else {
            let place =
                |name: &str| self.rules.names.iter().position(|known| known == name).filter(|_| !name.is_empty());
            let read = members(text, &place, into);
            if matches!(read, Err(Flaw::NotAnObject(_))) {
                into.fill(None);
            }
            for (place, &first) in self.first.iter().enumerate().filter(|(place, first)| place != *first) {
                into[place] = into[first].clone();
            }
            return read.map_err(|flaw| RowFlaw::bad_row(flaw.sentence(self.rules.no_object)));
        };
        let fields = split(text, self.rules.delimiter).map_err(RowFlaw::bad_row)?;
        for (value, place) in exactly(into, &header.places)? {
            let field = place.and_then(|place| fields.get(place)).filter(|field| !field.is_empty());
            *value = field.cloned().map(Value::Field);
        }
        let (n_fields, n_columns) = (fields.len(), header.columns.len());
        if n_fields == n_columns {
            return Ok(());
        }
        Err(RowFlaw::bad_row(format!("the row has {n_fields} fields, the header {n_columns}")))
    }

    /// A CSV without a header line is no CSV.
    fn is_complete(&self) -> Result<()> {
        if self.header.is_none() && self.csv.unwrap_or_else(|| (self.rules.is_csv)(b"")) {
            return Err(Error::stream(&self.name, " has no header line"));
        }
        Ok(())
    }

    fn too_long(&self) -> RowFlaw {
        let code = pingala::Error::TooLong { what: "text", length: 0, cap: 0 }.code();
        RowFlaw { code, message: format!("the line is over the cap of {} bytes", self.rules.line_bytes) }
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        Error::stream("", format_args!("cannot read {}: {error}", self.name))
    }
}
