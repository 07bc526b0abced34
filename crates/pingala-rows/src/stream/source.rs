//! Rows of a stream: a thread of its own reads them and understands them, while others compute.

use super::queue::Queue;
use super::{Interpret, Row};
use crate::error::{Doing, Error, Result};
use crate::input::is_parquet;
use crate::records::{Records, RowSource, Rules};
use crate::table::Table;
use crate::task::Binaries;
use crate::text::unpacked;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A row as the interpreter `U` returns it.
type RowOf<U> = Row<<U as Interpret>::Work, <U as Interpret>::Expected>;

/// The source of the rows of a run.
pub struct Input {
    /// The unpacked bytes.
    pub stream: Box<dyn Read + Send>,
    /// For messages.
    pub name: String,
    /// `None` for standard input.
    pub file: Option<PathBuf>,
    /// The length of an ordinary file that is not packed.
    pub total_bytes: Option<u64>,
    parquet: bool,
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Input {
    /// A file, or standard input for `-`. Error: `bad_file`.
    pub fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_string();
            let (stream, _) = unpacked(Box::new(io::stdin()))
                .map_err(|error| Error::stream("", format_args!("cannot read {name}: {error}")))?;
            return Ok(Self { stream, name, file: None, total_bytes: None, parquet: false });
        }
        let file = File::open(path).doing("read", path)?;
        let metadata = file.metadata().doing("read", path)?;
        if metadata.is_dir() {
            return Err(Error::io("read", path, &io::Error::other("it is a folder")));
        }
        let (stream, is_packed) = unpacked(Box::new(file)).doing("read", path)?;
        let parquet = metadata.is_file() && is_parquet(path)?;
        // The length of all rows is known if they are not packed.
        let total_bytes = (metadata.is_file() && !is_packed).then_some(metadata.len());
        Ok(Self { stream, name: path.display().to_string(), file: Some(path.to_path_buf()), total_bytes, parquet })
    }

    /// Whether the rows are Parquet, whose places are called `row`; those of text are called `line`.
    pub fn is_parquet(&self) -> bool {
        self.parquet
    }

    /// The rows, of text or of Parquet, whose binary columns are `binary`. Errors: `bad_file`; `bad_argument`, for columns of Parquet
    /// that cannot be read so.
    pub fn rows(self, rules: Rules, binary: &Binaries) -> Result<Box<dyn RowSource>> {
        Ok(match &self.file {
            Some(path) if self.parquet => Box::new(Table::open(path, &rules, binary)?),
            _ => Box::new(Records::new(self.stream, self.name, rules)),
        })
    }
}

/// Reads rows and understands them. A row that is wrong is a row with an error; a stream that fails ends the run.
struct Reader<U: Interpret> {
    records: Box<dyn RowSource>,
    understand: U,
    /// Whether the rows so far become a chunk before the reader waits for the stream.
    flushes: bool,
}

impl<U: Interpret> Reader<U> {
    /// Reads one row into the queue, or says how the rows ended; false if there is nothing more to read.
    fn advance(&mut self, queue: &Queue<RowOf<U>>) -> bool {
        let flushes = self.flushes;
        match self.records.next(&mut || {
            if flushes {
                queue.flush();
            }
        }) {
            Ok(true) => {
                let (place, offset_bytes) = (self.records.place(), self.records.offset_bytes());
                let row = Row { place, offset_bytes, ask: self.understand.row(&*self.records) };
                return queue.push(row, self.records.row_bytes());
            }
            Ok(false) => queue.end(Ok(())),
            Err(error) => queue.end(Err(error)),
        }
        false
    }
}

/// Ends the queue, if nothing else did.
struct EndOnDrop<'a, T>(&'a Queue<T>);

impl<T> Drop for EndOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.end(Err(Error::stream("", "the reader stopped; this is a bug in pingala")));
    }
}

/// The rows of a stream, in chunks: what has gathered while the last chunk was computed is the next one.
pub struct Source<U: Interpret> {
    queue: Arc<Queue<RowOf<U>>>,
    reader: Arc<Mutex<Reader<U>>>,
    /// Whether the consumer reads the rows too, because the system starts no other thread.
    reads_here: bool,
}

impl<U: Interpret> std::fmt::Debug for Source<U> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("reads_here", &self.reads_here).finish_non_exhaustive()
    }
}

impl<U: Interpret> Source<U> {
    /// Starts to read, and hands rows over as they come.
    pub fn start(records: Box<dyn RowSource>, understand: U) -> Self {
        let mut source = Self::of(records, understand);
        lock(&source.reader).flushes = true;
        let (rows, reads) = (Arc::clone(&source.queue), Arc::clone(&source.reader));
        // Never joined: it may be waiting for standard input when there is nothing left to do.
        let reading = std::thread::Builder::new().spawn(move || {
            // Should reading panic, the other side must not wait for ever.
            let _end = EndOnDrop(&*rows);
            let mut reader = lock(&reads);
            while reader.advance(&rows) {}
        });
        source.reads_here = reading.is_err();
        source
    }

    /// Without a thread, in chunks that are full.
    pub fn of(records: Box<dyn RowSource>, understand: U) -> Self {
        let reader = Arc::new(Mutex::new(Reader { records, understand, flushes: false }));
        Self { queue: Arc::default(), reader, reads_here: true }
    }

    /// The next chunk, in order; `None` at the end. An error of the stream comes after the rows before it.
    pub fn next(&self) -> Result<Option<Vec<RowOf<U>>>> {
        if self.reads_here {
            let mut reader = lock(&self.reader);
            while !self.queue.is_ready() && reader.advance(&self.queue) {}
        }
        self.queue.take()
    }
}

impl<U: Interpret> Drop for Source<U> {
    fn drop(&mut self) {
        self.queue.abandon();
    }
}

fn lock<T>(reader: &Mutex<T>) -> MutexGuard<'_, T> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "../../tests/inside/stream/source.rs"]
mod tests;
