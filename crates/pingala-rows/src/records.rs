//! The rows of a text file.

use crate::error::{Error, Result};
use crate::pairs::exactly;
use crate::text::csv::{self, Quoting, split};
use crate::text::json::members;
use crate::text::lines::{Found, Lines};
use crate::text::{csv_by_name, shown, unpacked};
use pingala::files::open_ordinary;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longest line.
const LINE_BYTES: usize = 1 << 26;
/// Rows of JSON whose names are taken for columns, about the most bytes of them, and names that nobody asked for.
const LOOK_ROWS: usize = 1000;
const LOOK_BYTES: usize = 1 << 24;
const MOST_OTHERS: usize = 64;
/// What a row is that is something else.
const NO_OBJECT: &str = "no JSON object";

/// The fields of a row by column, and what is wrong with it.
pub(crate) type Row = (Vec<Option<String>>, Option<String>);

/// The rows of a text file.
pub(crate) struct Records {
    lines: Lines<Box<dyn Read + Send>>,
    path: PathBuf,
    csv: bool,
    delimiter: u8,
    /// Of CSV.
    header: Vec<String>,
    /// Of JSON: the first line, which is read ahead.
    ahead: Option<Found>,
    /// Where the last row begins.
    first_line: u64,
    /// The wanted columns, and where CSV has them.
    wanted: Vec<(String, usize)>,
}

impl Records {
    pub(crate) fn open(path: &Path, delimiter: u8) -> Result<Self> {
        let failed = |error: &io::Error| Error::io("read", path, error);
        let file = open_ordinary(path).map_err(|error| failed(&error))?;
        let (stream, _) = unpacked(Box::new(file)).map_err(|error| failed(&error))?;
        let lines = Lines::new(stream, LINE_BYTES);
        let (path, header, wanted) = (path.to_path_buf(), Vec::new(), Vec::new());
        let mut records = Self { lines, path, csv: false, delimiter, header, ahead: None, first_line: 0, wanted };
        let found = records.line()?;
        if found == Found::End {
            return Err(Error::file(&records.path, "it is empty"));
        }
        records.csv =
            !records.lines.text().trim_ascii_start().starts_with(b"{") && csv_by_name(&records.path).unwrap_or(true);
        if records.csv {
            records.rest_of_record()?;
            let names = std::str::from_utf8(records.lines.text())
                .map_err(|_| "the header is not UTF-8".to_string())
                .and_then(|text| csv::header(text, delimiter));
            records.header = names.map_err(|why| Error::file(&records.path, why))?;
        } else {
            records.ahead = Some(found);
        }
        Ok(records)
    }

    /// The next line that is not blank.
    fn line(&mut self) -> Result<Found> {
        if let Some(found) = self.ahead.take() {
            return Ok(found);
        }
        loop {
            let found = self.lines.read(|| {}).map_err(|error| Error::io("read", &self.path, &error))?;
            if found != Found::Line || !self.lines.text().trim_ascii().is_empty() {
                return Ok(found);
            }
        }
    }

    /// Reads on while a quote is open.
    fn rest_of_record(&mut self) -> Result<Found> {
        let mut quoting = Quoting::default().after(self.lines.text(), self.delimiter);
        while quoting.is_open() {
            let used = self.lines.text().len();
            match self.lines.read_more(|| {}).map_err(|error| Error::io("read", &self.path, &error))? {
                Found::Line => quoting = quoting.after(&self.lines.text()[used..], self.delimiter),
                Found::TooLong => return Ok(Found::TooLong),
                Found::End => break,
            }
        }
        Ok(Found::Line)
    }

    /// The columns that are there. Of JSON those among the first rows: all that are asked for, and some others, in the order of their
    /// names. No row is read after this.
    pub(crate) fn columns(mut self, asked: &[&str]) -> Result<Vec<String>> {
        if self.csv {
            return Ok(self.header);
        }
        let (mut columns, mut bytes, mut first_flaw) = (BTreeSet::new(), 0, None);
        for _ in 0..LOOK_ROWS {
            match self.line()? {
                Found::End => break,
                Found::TooLong => continue,
                Found::Line => bytes += self.lines.text().len(),
            }
            let named = std::str::from_utf8(self.lines.text())
                .map_err(|_| "the row is not UTF-8".to_string())
                .and_then(|text| {
                    let columns = RefCell::new(&mut columns);
                    let note = |name: &str| {
                        let mut columns = columns.borrow_mut();
                        if asked.contains(&name) || columns.len() < MOST_OTHERS {
                            columns.insert(name.to_string());
                        }
                        None
                    };
                    members(text, &note, &mut []).map_err(|flaw| flaw.sentence(NO_OBJECT))
                });
            if let Err(why) = named {
                first_flaw.get_or_insert_with(|| format!("line {}: {why}", self.lines.number()));
            }
            if bytes > LOOK_BYTES {
                break;
            }
        }
        match first_flaw.filter(|_| columns.is_empty()) {
            Some(why) => Err(Error::file(&self.path, why)),
            None => Ok(columns.into_iter().collect()),
        }
    }

    /// The line in which the last row begins.
    pub(crate) fn first_line(&self) -> u64 {
        self.first_line
    }

    /// Says which columns are wanted. Error: `bad_file`, for one that CSV does not have.
    pub(crate) fn find(&mut self, columns: &[String]) -> Result<()> {
        for name in columns {
            let place = self.header.iter().position(|column| column == name && !name.is_empty());
            if self.csv && place.is_none() {
                return Err(Error::file(&self.path, format!("its header names no column '{}'", shown(name))));
            }
            self.wanted.push((name.clone(), place.unwrap_or_default()));
        }
        Ok(())
    }

    /// The next row; nothing of it, if it is only counted.
    pub(crate) fn next(&mut self, counted: bool) -> Result<Option<Row>> {
        let mut found = self.line()?;
        self.first_line = self.lines.number();
        if found == Found::Line && self.csv {
            found = self.rest_of_record()?;
        }
        Ok(match found {
            Found::End => None,
            Found::TooLong => Some((Vec::new(), Some(format!("the line is over the cap of {LINE_BYTES} bytes")))),
            Found::Line if counted => Some((Vec::new(), None)),
            Found::Line => Some(match self.fields() {
                Ok(fields) => (fields, None),
                Err(why) => (Vec::new(), Some(why)),
            }),
        })
    }

    fn fields(&self) -> std::result::Result<Vec<Option<String>>, String> {
        let text = std::str::from_utf8(self.lines.text()).map_err(|_| "the row is not UTF-8")?;
        if self.csv {
            let values = split(text, self.delimiter)?;
            if values.len() != self.header.len() {
                return Err(format!("the row has {} fields, the header {}", values.len(), self.header.len()));
            }
            let value =
                |(_, place): &(String, usize)| Some(values[*place].to_string()).filter(|value| !value.is_empty());
            return Ok(self.wanted.iter().map(value).collect());
        }
        let mut values = vec![None; self.wanted.len()];
        let place = |name: &str| self.wanted.iter().position(|(wanted, _)| wanted == name);
        members(text, &place, &mut values).map_err(|flaw| flaw.sentence(NO_OBJECT))?;
        let value = |(name, value): (&(String, usize), Option<&RawValue>)| {
            let raw = value.map(RawValue::get).filter(|raw| *raw != "null");
            raw.map(|raw| match raw.starts_with('"') {
                true => serde_json::from_str(raw).map_err(|error| format!("{}: {error}", shown(name.0.as_str()))),
                false => Ok(raw.to_string()),
            })
            .transpose()
        };
        exactly(&self.wanted, values).map_err(|error| error.to_string())?.map(value).collect()
    }
}
