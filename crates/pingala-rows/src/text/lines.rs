//! Lines of a stream that may be hostile: never more than a cap in memory, numbered, with the place in the file.

use super::csv::Quoting;
use std::io::{self, BufRead, BufReader, Read};

/// Read from the system at once. When this much is used up the reader is about to wait, and says so.
const BUFFER_BYTES: usize = 1 << 18;

/// A line buffer that grew beyond this is given back after its line.
const KEPT_BYTES: usize = 1 << 20;

/// What [`Lines::read`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A line; its text is in [`Lines::text`].
    Line,
    /// A line over the cap: skipped, nothing of it kept.
    TooLong,
    /// The end of the stream.
    End,
}

/// Lines ended by `\n` or `\r\n`, the last one by the end of the stream too. A byte order mark at the start is dropped.
#[derive(Debug)]
pub struct Lines<R> {
    stream: BufReader<R>,
    cap_bytes: usize,
    text: Vec<u8>,
    /// Whether the last line ended by `\r\n`.
    ended_by_two: bool,
    number: u64,
    offset_bytes: u64,
}

impl<R: Read> Lines<R> {
    /// Lines of at most `cap_bytes`, the line end not counted.
    pub fn new(stream: R, cap_bytes: usize) -> Self {
        let stream = BufReader::with_capacity(BUFFER_BYTES, stream);
        Self { stream, cap_bytes, text: Vec::new(), ended_by_two: false, number: 0, offset_bytes: 0 }
    }

    /// The lines behind the first `number`, which have `offset_bytes`.
    pub(crate) fn behind(stream: R, cap_bytes: usize, number: u64, offset_bytes: u64) -> Self {
        Self { number, offset_bytes, ..Self::new(stream, cap_bytes) }
    }

    /// The last line read, without its end.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether the last line begins a file of ORC: it has these letters alone, and what follows is no text.
    pub(crate) fn is_orc(&mut self) -> bool {
        self.text == b"ORC" && self.stream.fill_buf().is_ok_and(|next| next.first().is_some_and(|&byte| byte < b'\t'))
    }

    /// The number of the last line read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes of the stream used so far.
    pub fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// Reads the next line. `before_waiting` is called before each request to the system, which may block.
    pub fn read(&mut self, before_waiting: impl FnMut()) -> io::Result<Found> {
        self.text.clear();
        self.text.shrink_to(KEPT_BYTES);
        self.extend(before_waiting)
    }

    /// Reads on while a quote of CSV is open; returns what the record is. The cap is for all its lines together.
    pub fn rest_of_record(&mut self, delimiter: u8, mut before_waiting: impl FnMut()) -> io::Result<Found> {
        let mut quoting = Quoting::default().after(&self.text, delimiter);
        while quoting.is_open() {
            let used = self.text.len();
            match self.read_more(&mut before_waiting)? {
                Found::Line => quoting = quoting.after(&self.text[used..], delimiter),
                Found::TooLong => return Ok(Found::TooLong),
                Found::End => break,
            }
        }
        Ok(Found::Line)
    }

    /// Appends the next line, with the line end that is between them; the cap is for both together. At the end of the stream the text
    /// does not change.
    fn read_more(&mut self, before_waiting: impl FnMut()) -> io::Result<Found> {
        let used = self.text.len();
        self.text.extend_from_slice(if self.ended_by_two { &b"\r\n"[..] } else { b"\n" });
        let found = self.extend(before_waiting)?;
        if found == Found::End {
            self.text.truncate(used);
        }
        Ok(found)
    }

    fn extend(&mut self, mut before_waiting: impl FnMut()) -> io::Result<Found> {
        let start = self.text.len();
        let mut n_bytes = 0;
        let mut too_long = false;
        loop {
            if self.stream.buffer().is_empty() {
                before_waiting();
            }
            let available = match self.stream.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let (chunk, ended) = match available.iter().position(|&byte| byte == b'\n') {
                Some(end) => (&available[..end], true),
                None => (available, false),
            };
            let at_end = available.is_empty();
            // Room for one byte over the cap: it could be the `\r` of the line end.
            if self.text.len() + chunk.len() > self.cap_bytes.saturating_add(1) {
                too_long = true;
                self.text = Vec::new();
            }
            if !too_long {
                self.text.extend_from_slice(chunk);
            }
            let used = chunk.len() + usize::from(ended);
            self.stream.consume(used);
            n_bytes += used as u64;
            if ended || at_end {
                break;
            }
        }
        if n_bytes == 0 {
            return Ok(Found::End);
        }
        self.offset_bytes += n_bytes;
        self.number += 1;
        self.ended_by_two = self.text.len() > start && self.text.pop_if(|last| *last == b'\r').is_some();
        if self.number == 1 && self.text.starts_with(b"\xef\xbb\xbf") {
            self.text.drain(..3);
        }
        if too_long || self.text.len() > self.cap_bytes {
            self.text = Vec::new();
            return Ok(Found::TooLong);
        }
        Ok(Found::Line)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/text/lines.rs"]
mod tests;
