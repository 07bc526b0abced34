//! From a stream to rows.

use super::csv::Columns;
use super::queue::Queue;
use super::row::{Numbers, Row, RowError, Sources, Texts};
use super::{Format, json};
use crate::failure::Failure;
use crate::number;
use pingala::{Error, Limits};
use pingala_rows::text::csv::Quoting;
use pingala_rows::text::lines::{Found, Lines};
use std::io::{self, Read};

/// Reads rows. A row that is wrong is a row with an error; a stream that fails ends the run.
#[derive(Debug)]
pub(crate) struct Reader<R> {
    lines: Lines<R>,
    /// How the stream is called in a failure.
    name: String,
    format: Option<Format>,
    sources: Sources,
    /// Between the fields of CSV.
    delimiter: u8,
    columns: Option<Columns>,
    numbers: Numbers,
}

impl<R: Read> Reader<R> {
    /// Without a format the first line decides: see [`Format::sniff`].
    pub(crate) fn new(
        stream: R,
        name: String,
        (format, delimiter): (Option<Format>, u8),
        sources: Sources,
        max_line_bytes: usize,
        (limits, hexadecimal): (Limits, bool),
    ) -> Self {
        let (lines, numbers) = (Lines::new(stream, max_line_bytes), Numbers::new(limits, hexadecimal));
        Self { lines, name, format, sources, delimiter, columns: None, numbers }
    }

    /// Reads all rows into the queue, and says how it ended.
    pub(crate) fn run(&mut self, queue: &Queue) {
        // Should reading panic, the other side must not wait for ever.
        let _end = EndOnDrop(queue);
        while self.advance(queue) {}
    }

    /// Reads rows into the queue until a chunk is ready, where no other thread reads.
    pub(crate) fn fill(&mut self, queue: &Queue) {
        while !queue.is_ready() && self.advance(queue) {}
    }

    /// Reads one row into the queue, or says how the rows ended; false if there is nothing more to read.
    fn advance(&mut self, queue: &Queue) -> bool {
        match self.row(queue) {
            Ok(Some(row)) => return queue.push(row),
            Ok(None) => queue.end(self.is_complete()),
            Err(failure) => queue.end(Err(failure)),
        }
        false
    }

    /// The next row; blank lines are skipped.
    fn row(&mut self, queue: &Queue) -> Result<Option<Row>, Failure> {
        loop {
            let found = self.lines.read(|| queue.flush()).map_err(|error| self.failed(&error))?;
            let line = self.lines.number();
            if found == Found::End {
                return Ok(None);
            }
            if found == Found::TooLong {
                let texts = Texts { flaw: Some(self.too_long()), ..Texts::default() };
                return Ok(Some(self.finish(line, 0, &texts)));
            }
            if let Some(what) = number::foreign(self.lines.text()).filter(|_| line == 1) {
                return Err(self.foreign(what));
            }
            if self.lines.text().trim_ascii().is_empty() {
                continue;
            }
            let format =
                *self.format.get_or_insert_with(|| Format::sniff(self.lines.text(), &self.sources, self.delimiter));
            if format == Format::Csv {
                if let Some(flaw) = self.rest_of_record(queue)? {
                    return Ok(Some(self.finish(line, 0, &Texts { flaw: Some(flaw), ..Texts::default() })));
                }
                if self.columns.is_none() {
                    self.columns = Some(self.header(line)?);
                    continue;
                }
            }
            return Ok(Some(self.parse(line)));
        }
    }

    /// Reads on while a quote is open. What it gives is what is wrong.
    fn rest_of_record(&mut self, queue: &Queue) -> Result<Option<RowError>, Failure> {
        let mut quoting = Quoting::default().after(self.lines.text(), self.delimiter);
        while quoting.is_open() {
            let used = self.lines.text().len();
            match self.lines.read_more(|| queue.flush()).map_err(|error| self.failed(&error))? {
                Found::Line => quoting = quoting.after(&self.lines.text()[used..], self.delimiter),
                Found::TooLong => return Ok(Some(self.too_long())),
                Found::End => break,
            }
        }
        Ok(None)
    }

    fn header(&self, line: u64) -> Result<Columns, Failure> {
        std::str::from_utf8(self.lines.text())
            .map_err(|_| "the header is not UTF-8".to_string())
            .and_then(|header| Columns::of(header, self.delimiter, &self.sources))
            .map_err(|why| Failure::Failed(format!("{}, line {line}: {why}", self.name)))
    }

    fn parse(&mut self, line: u64) -> Row {
        let bytes = self.lines.text();
        let text_bytes = bytes.len();
        // Borrowed for the texts while the numbers are read.
        let columns = self.columns.take();
        let texts = match (std::str::from_utf8(bytes), &columns) {
            (Ok(text), Some(columns)) => columns.texts(text, &self.sources),
            (Ok(text), None) => json::texts(text, &self.sources),
            (Err(error), _) => {
                let flaw = RowError::bad_row(format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1));
                Texts { flaw: Some(flaw), ..Texts::default() }
            }
        };
        let row = finish(&mut self.numbers, line, self.lines.offset_bytes(), text_bytes, &texts);
        drop(texts);
        self.columns = columns;
        row
    }

    fn finish(&mut self, line: u64, text_bytes: usize, texts: &Texts<'_>) -> Row {
        finish(&mut self.numbers, line, self.lines.offset_bytes(), text_bytes, texts)
    }

    fn too_long(&self) -> RowError {
        let cap = self.lines.cap_bytes();
        let code = Error::TooLong { what: "text", length: 0, cap: 0 }.code();
        RowError { code, message: format!("the line is over the cap of {cap} bytes") }
    }

    /// Says what to do with a file whose first bytes tell what it is.
    fn foreign(&self, what: &str) -> Failure {
        let how = match what {
            "a Parquet file" => "; `pingala job run` reads Parquet",
            _ => "",
        };
        Failure::Failed(format!("{} holds {what}, expected JSON Lines or CSV{how}", self.name))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::Failed(format!("cannot read {}: {}", self.name, crate::failure::plain(error)))
    }

    /// A CSV without a header line is no CSV.
    fn is_complete(&self) -> Result<(), Failure> {
        if self.format == Some(Format::Csv) && self.columns.is_none() {
            return Err(Failure::Failed(format!("{} has no header line", self.name)));
        }
        Ok(())
    }
}

fn finish(numbers: &mut Numbers, line: u64, offset_bytes: u64, text_bytes: usize, texts: &Texts<'_>) -> Row {
    let (expected, task) = match &texts.flaw {
        Some(flaw) => (None, Err(flaw.clone())),
        None => numbers.read(texts),
    };
    Row { line, offset_bytes, text_bytes, id: texts.id.clone(), expected, task }
}

/// Ends the queue, if nothing else did.
struct EndOnDrop<'a>(&'a Queue);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end(Err(Failure::Failed("the reader stopped; this is a bug in pingala".to_string())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the system starts no thread, rows are read between chunks: a whole stream, in order, in bounded chunks.
    #[test]
    fn rows_are_read_without_a_thread() {
        let text: String =
            (1..=10_000).map(|id| format!("{{\"base\":3,\"exponent\":{id},\"modulus\":1000003}}\n")).collect();
        let mut reader = Reader::new(
            text.as_bytes(),
            "text".into(),
            (None, b','),
            Sources::default(),
            1 << 20,
            (Limits::default(), false),
        );
        let (queue, mut lines, mut chunks) = (Queue::default(), Vec::new(), 0);
        loop {
            reader.fill(&queue);
            let Some(rows) = queue.take().unwrap() else { break };
            assert!(rows.iter().all(|row| row.task.is_ok()));
            lines.extend(rows.iter().map(|row| row.line));
            chunks += 1;
        }
        assert!(lines.iter().copied().eq(1..=10_000) && chunks > 1);
    }
}
