//! Rows on their way from the thread that reads to the one that computes: bounded in rows and bytes, taken all at once.

use crate::error::Result;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Most rows of one chunk.
const MAX_ROWS: usize = 4096;
/// A chunk takes no further row once its text is this long. One row may be longer than that.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// The queue. What has gathered while the last chunk was computed is the next chunk: a slow stream is answered row by
/// row, a fast one in chunks that keep all threads busy.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    rows: Vec<T>,
    text_bytes: usize,
    /// The reader is about to wait for its stream: do not wait for more rows.
    flushed: bool,
    /// No row comes any more, for this reason.
    ended: Option<Result<()>>,
    /// Nobody takes rows any more.
    abandoned: bool,
}

impl<T> State<T> {
    fn is_full(&self) -> bool {
        self.rows.len() >= MAX_ROWS || self.text_bytes >= MAX_TEXT_BYTES
    }

    /// Whether a chunk, or the end, can be taken.
    fn is_ready(&self) -> bool {
        self.flushed || self.is_full() || self.ended.is_some()
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let state = State { rows: Vec::new(), text_bytes: 0, flushed: false, ended: None, abandoned: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<T> Queue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>, unless: fn(&State<T>) -> bool) -> MutexGuard<'a, State<T>> {
        self.changed.wait_while(state, |state| !unless(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a row whose text is so long, when there is room; false if nobody wants rows any more.
    pub(crate) fn push(&self, row: T, text_bytes: usize) -> bool {
        let mut state = self.wait(self.state(), |state| !state.is_full() || state.abandoned);
        state.text_bytes += text_bytes;
        state.rows.push(row);
        if state.is_full() {
            self.changed.notify_all();
        }
        !state.abandoned
    }

    /// Hands over what is there: the reader is about to wait.
    pub(crate) fn flush(&self) {
        let mut state = self.state();
        if !state.rows.is_empty() {
            state.flushed = true;
            self.changed.notify_all();
        }
    }

    /// Says that no row comes any more. The first reason counts.
    pub(crate) fn end(&self, reason: Result<()>) {
        self.state().ended.get_or_insert(reason);
        self.changed.notify_all();
    }

    /// Whether [`Queue::take`] would not wait.
    pub(crate) fn is_ready(&self) -> bool {
        self.state().is_ready()
    }

    /// The next chunk, in order; `None` at the end. An error of the reader comes after the rows before it.
    pub(crate) fn take(&self) -> Result<Option<Vec<T>>> {
        let mut state = self.wait(self.state(), State::is_ready);
        if state.rows.is_empty() {
            return match state.ended.take() {
                Some(Err(error)) => Err(error),
                _ => Ok(None),
            };
        }
        state.flushed = false;
        state.text_bytes = 0;
        let rows = std::mem::take(&mut state.rows);
        self.changed.notify_all();
        Ok(Some(rows))
    }

    /// Says that nobody takes rows any more.
    pub(crate) fn abandon(&self) {
        self.state().abandoned = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::sync::Arc;

    #[test]
    fn rows_arrive_in_order_and_in_bounded_chunks() {
        let queue = Arc::new(Queue::default());
        let writer = Arc::clone(&queue);
        let reader = std::thread::spawn(move || {
            for line in 1..=20_000 {
                // Every thousandth fills a chunk by itself.
                let bytes = if line % 1000 == 0 { MAX_TEXT_BYTES } else { 10 };
                assert!(writer.push((line, bytes), bytes));
            }
            writer.end(Ok(()));
        });
        let mut last = 0;
        while let Some(rows) = queue.take().unwrap() {
            assert!(rows.len() <= MAX_ROWS);
            assert!(rows.iter().map(|row| row.1).sum::<usize>() < 2 * MAX_TEXT_BYTES);
            for (line, _) in rows {
                assert_eq!(line, last + 1);
                last = line;
            }
        }
        assert_eq!(last, 20_000);
        reader.join().unwrap();
    }

    #[test]
    fn a_flush_hands_over_a_single_row() {
        let queue = Queue::default();
        assert!(queue.push(1, 10));
        queue.flush();
        assert_eq!(queue.take().unwrap().unwrap().len(), 1);
    }

    #[test]
    fn a_failure_comes_after_the_rows_before_it() {
        let queue = Queue::default();
        queue.push(1, 10);
        queue.end(Err(Error::interrupted()));
        queue.end(Ok(()));
        assert_eq!(queue.take().unwrap().unwrap().len(), 1);
        assert!(queue.take().is_err());
    }

    #[test]
    fn an_abandoned_queue_stops_its_reader() {
        let queue = Queue::default();
        queue.push(1, MAX_TEXT_BYTES);
        queue.abandon();
        assert!(!queue.push(2, 10));
    }
}
