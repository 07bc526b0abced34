//! Rows in, results out, in constant memory: a source of rows, a task, and a sink of JSON Lines.
//!
//! One thread reads rows and understands them ([`Source`]); the other takes what has gathered, has the library compute it on all cores
//! ([`Task`]), and hands over the lines of the results in the order of the rows ([`run`]). Errors stand among the results, and a
//! [`Tally`] counts them.

mod queue;
mod source;
mod tally;

pub use source::{Input, Source};
pub use tally::{Tally, count};

use crate::error::{Error, RowFlaw};
use crate::pairs::exactly;
use crate::records::Records;
use pingala::{Error as Fault, Watch};

/// A row in the order of the input.
#[derive(Debug)]
pub struct Row<A: Asked> {
    /// The line it starts on, from 1.
    pub line: u64,
    /// Bytes of the input used when it was read.
    pub offset_bytes: u64,
    /// What it says.
    pub ask: Ask<A>,
}

/// What rows ask for, and what they may expect of it.
pub trait Asked: Send + 'static {
    /// What a row says its result is.
    type Expected: Send + std::fmt::Debug + 'static;
}

/// What a row says.
#[derive(Debug)]
pub struct Ask<A: Asked> {
    /// The JSON text of its id, if it has one.
    pub id: Option<Box<str>>,
    /// What it says the result is.
    pub expected: Option<A::Expected>,
    /// What it asks for, or why that cannot be read.
    pub what: Result<A, RowFlaw>,
}

/// Understands rows.
pub trait Understand: Send + 'static {
    /// What a row asks for.
    type Ask: Asked;

    /// The last row that was read.
    fn row(&mut self, records: &Records) -> Ask<Self::Ask>;
}

/// What is computed of rows.
pub trait Task {
    /// What a row asks for.
    type Ask: Asked;
    /// What comes of it.
    type Answer;

    /// The answers to a chunk, one for each. Error: of a setting that no row can follow, or `interrupted`.
    fn answers(&self, asks: &[&Self::Ask]) -> Result<Vec<Result<Self::Answer, Fault>>, Error>;

    /// Compares what came with what was expected.
    fn judge(
        &self,
        came: &Result<Self::Answer, RowFlaw>,
        expected: Option<&<Self::Ask as Asked>::Expected>,
    ) -> Judgement;

    /// Writes an answer as members of a JSON object, each with a comma before it.
    fn write(&mut self, answer: &Self::Answer, out: &mut String);
}

/// What came of a row, compared with what was expected.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// Whether they are the same, for rows that expect something and were computed.
    pub matches: Option<bool>,
    /// Whether all is as it should be, errors apart.
    pub is_good: bool,
}

/// Looks on.
pub trait Follow: Watch {
    /// So many rows are done; the next chunk ends at this byte of the input.
    fn chunk(&self, rows: u64, end_bytes: u64);
}

/// Computes all rows of a source, chunk by chunk, and hands each chunk's lines to `write`.
pub fn run<T, U, E>(
    source: &Source<U>,
    task: &mut T,
    follow: &dyn Follow,
    mut write: impl FnMut(&str) -> Result<(), E>,
) -> Result<Tally, E>
where
    T: Task,
    U: Understand<Ask = T::Ask>,
    E: From<Error>,
{
    let (mut tally, mut text) = (Tally::default(), String::new());
    while let Some(rows) = source.next()? {
        follow.chunk(tally.rows, rows.last().map_or(0, |row| row.offset_bytes));
        text.clear();
        let came = outcomes(task, &rows)?;
        for (row, came) in exactly(&rows, came).map_err(Error::from)? {
            tally.add(task, row, &came, &mut text);
        }
        write(&text)?;
    }
    follow.chunk(tally.rows, 0);
    Ok(tally)
}

/// What comes of a chunk, errors in their places.
fn outcomes<T: Task>(task: &T, rows: &[Row<T::Ask>]) -> Result<Vec<Result<T::Answer, RowFlaw>>, Error> {
    let asks: Vec<&T::Ask> = rows.iter().filter_map(|row| row.ask.what.as_ref().ok()).collect();
    let answers = task.answers(&asks)?;
    let mut answers = exactly(&asks, answers)?.map(|(_, answer)| answer);
    let came = |row: &Row<T::Ask>| match &row.ask.what {
        Ok(_) => answers.next().unwrap_or(Err(Fault::Fault("a row has no result"))).map_err(RowFlaw::from),
        Err(flaw) => Err(flaw.clone()),
    };
    Ok(rows.iter().map(came).collect())
}
