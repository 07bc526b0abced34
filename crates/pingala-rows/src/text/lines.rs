//! Lines of a stream that may be hostile: never more than a cap in memory, numbered, with the place in the file.

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
    number: u64,
    offset_bytes: u64,
}

impl<R: Read> Lines<R> {
    /// Lines of at most `cap_bytes`, the line end not counted.
    pub fn new(stream: R, cap_bytes: usize) -> Self {
        let stream = BufReader::with_capacity(BUFFER_BYTES, stream);
        Self { stream, cap_bytes, text: Vec::new(), number: 0, offset_bytes: 0 }
    }

    /// The last line read, without its end.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The number of the last line read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes of the stream used so far.
    pub fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// The cap.
    pub fn cap_bytes(&self) -> usize {
        self.cap_bytes
    }

    /// Reads the next line. `before_waiting` is called before each request to the system, which may block.
    pub fn read(&mut self, before_waiting: impl FnMut()) -> io::Result<Found> {
        self.text.clear();
        self.text.shrink_to(KEPT_BYTES);
        self.extend(before_waiting)
    }

    /// Reads the next line behind the last one, with a `\n` between them; the cap is for both together. At the end of
    /// the stream the text is as it was.
    pub fn read_more(&mut self, before_waiting: impl FnMut()) -> io::Result<Found> {
        let used = self.text.len();
        self.text.push(b'\n');
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
        if self.text.len() > start && self.text.last() == Some(&b'\r') {
            self.text.pop();
        }
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
mod tests {
    use super::*;

    fn all(text: &[u8], cap_bytes: usize) -> Vec<String> {
        let mut lines = Lines::new(text, cap_bytes);
        let mut found = Vec::new();
        loop {
            match lines.read(|| {}).unwrap() {
                Found::Line => found.push(String::from_utf8_lossy(lines.text()).into_owned()),
                Found::TooLong => found.push("too long".to_string()),
                Found::End => return found,
            }
        }
    }

    #[test]
    fn ends_of_every_kind() {
        assert_eq!(all(b"", 9), [""; 0]);
        assert_eq!(all(b"\n", 9), [""]);
        assert_eq!(all(b"a\nb", 9), ["a", "b"]);
        assert_eq!(all(b"\xef\xbb\xbfa\r\n\r\nb\r\n", 9), ["a", "", "b"]);
    }

    #[test]
    fn the_cap_is_exact_and_the_next_line_is_whole() {
        assert_eq!(all(b"123456789\r\nb\n", 9), ["123456789", "b"]);
        assert_eq!(all(b"1234567890\nb\n", 9), ["too long", "b"]);
        assert_eq!(all(b"123456789012\r\nb", 9), ["too long", "b"]);
        assert_eq!(all(b"b\n1234567890", 9), ["b", "too long"]);
    }

    /// A line of 1 GiB, made on the fly, costs no memory.
    #[test]
    fn a_long_line_is_not_kept() {
        let stream = io::repeat(b'0').take(1 << 30).chain(&b"\nnext"[..]);
        let mut lines = Lines::new(stream, 1000);
        assert_eq!(lines.read(|| {}).unwrap(), Found::TooLong);
        assert!(lines.text.capacity() < KEPT_BYTES);
        assert_eq!(lines.read(|| {}).unwrap(), Found::Line);
        assert_eq!((lines.text(), lines.number(), lines.offset_bytes()), (&b"next"[..], 2, (1 << 30) + 5));
    }

    #[test]
    fn lines_can_be_joined() {
        let mut lines = Lines::new(&b"a\r\nb\nc"[..], 4);
        assert_eq!(lines.read(|| {}).unwrap(), Found::Line);
        assert_eq!(lines.read_more(|| {}).unwrap(), Found::Line);
        assert_eq!(lines.text(), b"a\nb");
        assert_eq!(lines.read_more(|| {}).unwrap(), Found::TooLong);
        assert_eq!(lines.read_more(|| {}).unwrap(), Found::End);
        assert_eq!(lines.number(), 3);
    }
}
