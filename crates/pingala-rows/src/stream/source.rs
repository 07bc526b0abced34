//! Rows of a stream: a thread of its own reads them and understands them, while others compute.

use super::queue::Queue;
use super::{Row, Understand};
use crate::error::{Error, Result};
use crate::records::Records;
use crate::text::{Packing, unpacked};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where text comes from.
pub struct Input {
    /// Unpacked.
    pub stream: Box<dyn Read + Send>,
    /// For messages.
    pub name: String,
    /// `None` for standard input.
    pub file: Option<PathBuf>,
    /// The length of an ordinary file that is not packed.
    pub total_bytes: Option<u64>,
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
            return Ok(Self { stream, name, file: None, total_bytes: None });
        }
        let failed = |error: &io::Error| Error::io("read", path, error);
        let file = File::open(path).map_err(|error| failed(&error))?;
        let metadata = file.metadata().map_err(|error| failed(&error))?;
        if metadata.is_dir() {
            return Err(failed(&io::Error::other("it is a folder")));
        }
        let (stream, packing) = unpacked(Box::new(file)).map_err(|error| failed(&error))?;
        // How long the rows are is known where they are not packed.
        let total_bytes = (metadata.is_file() && packing == Packing::Plain).then_some(metadata.len());
        Ok(Self { stream, name: path.display().to_string(), file: Some(path.to_path_buf()), total_bytes })
    }
}

/// Reads rows and understands them. A row that is wrong is a row with an error; a stream that fails ends the run.
struct Reader<U: Understand> {
    records: Records,
    understand: U,
    /// Whether rows are handed over before the stream is waited for.
    flushes: bool,
}

impl<U: Understand> Reader<U> {
    /// Reads all rows into the queue, and says how it ended.
    fn run(&mut self, queue: &Queue<Row<U::Ask>>) {
        // Should reading panic, the other side must not wait for ever.
        let _end = EndOnDrop(queue);
        while self.advance(queue) {}
    }

    /// Reads rows into the queue until a chunk is ready, where no other thread reads.
    fn fill(&mut self, queue: &Queue<Row<U::Ask>>) {
        while !queue.is_ready() && self.advance(queue) {}
    }

    /// Reads one row into the queue, or says how the rows ended; false if there is nothing more to read.
    fn advance(&mut self, queue: &Queue<Row<U::Ask>>) -> bool {
        let flushes = self.flushes;
        match self.records.next(|| {
            if flushes {
                queue.flush();
            }
        }) {
            Ok(true) => {
                let text_bytes = self.records.text().len();
                return queue.push(self.row(), text_bytes);
            }
            Ok(false) => queue.end(Ok(())),
            Err(error) => queue.end(Err(error)),
        }
        false
    }

    fn row(&mut self) -> Row<U::Ask> {
        let (line, offset_bytes) = (self.records.line(), self.records.offset_bytes());
        Row { line, offset_bytes, ask: self.understand.row(&self.records) }
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
pub struct Source<U: Understand> {
    queue: Arc<Queue<Row<U::Ask>>>,
    reader: Arc<Mutex<Reader<U>>>,
    /// Where the system starts no other thread, the one that takes rows reads them too.
    reads_here: bool,
}

impl<U: Understand> std::fmt::Debug for Source<U> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("reads_here", &self.reads_here).finish_non_exhaustive()
    }
}

impl<U: Understand> Source<U> {
    /// Starts to read, and hands rows over as they come.
    pub fn start(records: Records, understand: U) -> Self {
        let mut source = Self::of(records, understand);
        lock(&source.reader).flushes = true;
        let (rows, reads) = (Arc::clone(&source.queue), Arc::clone(&source.reader));
        // Never joined: it may be waiting for standard input when there is nothing left to do.
        let reading = std::thread::Builder::new().spawn(move || lock(&reads).run(&rows));
        source.reads_here = reading.is_err();
        source
    }

    /// Without a thread, in chunks that are full.
    pub fn of(records: Records, understand: U) -> Self {
        let reader = Arc::new(Mutex::new(Reader { records, understand, flushes: false }));
        Self { queue: Arc::default(), reader, reads_here: true }
    }

    /// The next chunk, in order; `None` at the end. An error of the stream comes after the rows before it.
    pub fn next(&self) -> Result<Option<Vec<Row<U::Ask>>>> {
        if self.reads_here {
            lock(&self.reader).fill(&self.queue);
        }
        self.queue.take()
    }
}

impl<U: Understand> Drop for Source<U> {
    fn drop(&mut self) {
        self.queue.abandon();
    }
}

fn lock<T>(reader: &Mutex<T>) -> MutexGuard<'_, T> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Rules;
    use crate::stream::{Ask, Asked};

    struct Nothing;

    impl Asked for () {
        type Expected = ();
    }

    impl Understand for Nothing {
        type Ask = ();

        fn row(&mut self, _: &Records) -> Ask<()> {
            Ask { id: None, expected: None, what: Ok(()) }
        }
    }

    /// Where the system starts no thread, rows are read between chunks: a whole stream, in order, in bounded chunks.
    #[test]
    fn rows_are_read_without_a_thread() {
        let text: String = (1..=10_000).map(|id| format!("{{\"base\":3,\"exponent\":{id}}}\n")).collect();
        let rules = Rules {
            names: Vec::new(),
            is_csv: Box::new(|_| false),
            check: Box::new(|_, _| Ok(())),
            delimiter: b',',
            line_bytes: 1 << 20,
            no_object: "",
        };
        let source = Source::of(Records::new(Box::new(io::Cursor::new(text)), "text".into(), rules), Nothing);
        let (mut lines, mut chunks) = (Vec::new(), 0);
        while let Some(rows) = source.next().unwrap() {
            lines.extend(rows.iter().map(|row| row.line));
            chunks += 1;
        }
        assert!(lines.iter().copied().eq(1..=10_000) && chunks > 1);
    }
}
