//! Why a job, a step of it, or a row did not succeed.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// An error with a stable code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    message: String,
}

impl Error {
    /// The code of work that was asked to stop.
    pub const INTERRUPTED: &'static str = "interrupted";
    /// The code of a folder, a part or an input of another job.
    pub(crate) const DIFFERS: &'static str = "job_differs";

    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A setting, a column or a number that cannot be.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new("bad_argument", message)
    }

    /// A file that is not as it should be.
    pub(crate) fn file(path: &Path, what: impl fmt::Display) -> Self {
        Self::new("bad_file", format!("{}: {what}", path.display()))
    }

    /// A stream that is not as it should be, by its name.
    pub(crate) fn stream(name: &str, what: impl fmt::Display) -> Self {
        Self::new("bad_file", format!("{name}{what}"))
    }

    /// A failed operation on a file.
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::new("bad_file", format!("cannot {doing} {}: {error}", path.display()))
    }

    /// A folder, a part or an input that belongs to another job than the one asked for.
    pub(crate) fn differs(message: impl Into<String>) -> Self {
        Self::new(Self::DIFFERS, message)
    }

    /// Another runner has the job.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new("job_busy", message)
    }

    /// Of a row that is no row.
    pub fn bad_row(message: impl Into<String>) -> Self {
        Self::new("bad_row", message)
    }

    /// With the code of an error and another message.
    pub(crate) fn of(error: &pingala_core::Error, message: String) -> Self {
        Self::new(error.code(), message)
    }

    /// Whether the row was well formed and arithmetic answered that there is no result.
    pub(crate) fn is_arithmetic(&self) -> bool {
        use pingala_core::Error::{NegativeModulus, NotInvertible, ZeroModulus};
        [ZeroModulus.code(), NegativeModulus.code(), NotInvertible.code()].contains(&self.code)
    }

    pub(crate) fn interrupted() -> Self {
        Self::new(Self::INTERRUPTED, "interrupted")
    }

    /// A stable name to match on: `bad_argument`, `bad_file`, `job_differs`, `job_busy`, `interrupted`, `bad_row`, or a code of
    /// the library.
    pub fn code(&self) -> &'static str {
        self.code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<pingala_core::Error> for Error {
    fn from(error: pingala_core::Error) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// Rows without a result: how many there are, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorRows {
    /// Their number.
    pub rows: u64,
    /// The number of each code. Parts of jobs that version 0.2.0 wrote have no codes.
    pub codes: BTreeMap<String, u64>,
    /// The place of the first, such as `line 5`, and its error.
    pub first: Option<String>,
}

impl ErrorRows {
    /// Adds a row at a place.
    pub(crate) fn add(&mut self, place: impl FnOnce() -> String, flaw: &Error) {
        self.rows += 1;
        count(&mut self.codes, flaw.code());
        self.first.get_or_insert_with(|| format!("{}: {flaw}", place()));
    }
}

/// Adds 1 to the count of a name.
pub(crate) fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.into(), 1)),
    }
}

/// The system's sentence without its number: `No such file or directory (os error 2)` is for programmers.
pub fn without_number(text: &str) -> String {
    let number = text.split_once(" (os error ").and_then(|(before, rest)| Some((before, rest.split_once(')')?.1)));
    number.map_or_else(|| text.to_string(), |(before, after)| format!("{before}{after}"))
}

/// What the steps of a job give.
pub type Result<T> = std::result::Result<T, Error>;

/// Says what was being done to a file when the system failed.
pub(crate) trait Doing<T> {
    /// Error: `bad_file`, with this verb.
    fn doing(self, verb: &str, path: &Path) -> Result<T>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, verb: &str, path: &Path) -> Result<T> {
        self.map_err(|error| Error::io(verb, path, &error))
    }
}
