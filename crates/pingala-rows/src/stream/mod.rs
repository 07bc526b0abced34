//! Rows in, results out, in constant memory: a source of rows, a task, and a sink of JSON Lines.
//!
//! One thread reads rows and understands them ([`Source`]); the other takes what has gathered, has the library compute it on all cores
//! ([`Task`]), and hands over the lines of the results in the order of the rows ([`run`]). Errors stand among the results, and a
//! [`Tally`] counts them.

mod queue;
mod source;
mod table;
mod tally;

pub use source::{Input, Source};
pub use table::Csv;
pub use tally::Tally;

use crate::error::Error;
use crate::records;
use pingala_core::{Error as Fault, Watch, pairs};

/// A row in the order of the input.
#[derive(Debug)]
pub struct Row<W, X> {
    /// Its place: `line` and the number of the line, or `row` and the number of the row.
    pub place: (&'static str, u64),
    /// Bytes of the input used when it was read.
    pub offset_bytes: u64,
    /// What it says.
    pub ask: Ask<W, X>,
}

/// What a row says.
#[derive(Debug)]
pub struct Ask<W, X> {
    /// The JSON text of its id, if it has one.
    pub id: Option<Box<str>>,
    /// The result that it expects.
    pub expected: Option<X>,
    /// The work, or why it cannot be read.
    pub what: Result<W, Error>,
}

/// Interprets rows.
pub trait Interpret: Send + 'static {
    /// The work that a row asks for.
    type Work: Send + 'static;
    /// The result that a row may expect.
    type Expected: Send + 'static;

    /// Interprets the last row that was read.
    fn row(&mut self, rows: &dyn records::RowSource) -> Ask<Self::Work, Self::Expected>;
}

/// Computes rows.
pub trait Task {
    /// The work of a row.
    type Work;
    /// The result that a row may expect.
    type Expected;
    /// The result of a row.
    type Answer;

    /// The results of a chunk, one for each row. Errors: those of a setting that fits no row; `interrupted`.
    fn answers(&self, work: &[&Self::Work]) -> Result<Vec<Result<Self::Answer, Fault>>, Error>;

    /// Compares a result with the one that its row expects.
    fn judge(&self, came: &Result<Self::Answer, Error>, expected: Option<&Self::Expected>) -> Judgement;

    /// Writes an answer as members of a JSON object, each with a comma before it.
    fn write(&mut self, answer: &Self::Answer, out: &mut String);
}

/// A result compared with the one that its row expects.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// Whether they are equal, for computed rows that expect a result.
    pub matches: Option<bool>,
    /// Whether the result is as it should be. Errors are counted separately.
    pub is_good: bool,
}

/// Receives the progress of a stream.
pub trait Follow: Watch {
    /// `rows` rows are done; the next chunk ends at this byte of the input.
    fn chunk(&self, rows: u64, end_bytes: u64);
}

/// Computes all rows of a source, chunk by chunk, and passes the lines of each chunk to `write`.
pub fn run<T, U, E>(
    source: &Source<U>,
    task: &mut T,
    follow: &dyn Follow,
    mut write: impl FnMut(&str) -> Result<(), E>,
) -> Result<Tally, E>
where
    T: Task,
    U: Interpret<Work = T::Work, Expected = T::Expected>,
    E: From<Error>,
{
    let (mut tally, mut text) = (Tally::default(), String::new());
    while let Some(rows) = source.next()? {
        follow.chunk(tally.rows, rows.last().map_or(0, |row| row.offset_bytes));
        text.clear();
        let came = outcomes(task, &rows)?;
        for (row, came) in pairs(&rows, came).map_err(Error::from)? {
            tally.add(task, row, &came, &mut text);
        }
        write(&text)?;
    }
    follow.chunk(tally.rows, 0);
    Ok(tally)
}

/// The results of a chunk, with errors in their places.
fn outcomes<T: Task>(task: &T, rows: &[Row<T::Work, T::Expected>]) -> Result<Vec<Result<T::Answer, Error>>, Error> {
    let work: Vec<&T::Work> = rows.iter().filter_map(|row| row.ask.what.as_ref().ok()).collect();
    let answers = task.answers(&work)?;
    let mut answers = pairs(&work, answers)?.map(|(_, answer)| answer);
    let came = |row: &Row<T::Work, T::Expected>| match &row.ask.what {
        Ok(_) => answers.next().unwrap_or(Err(Fault::Fault("a row has no result"))).map_err(Error::from),
        Err(flaw) => Err(flaw.clone()),
    };
    Ok(rows.iter().map(came).collect())
}
