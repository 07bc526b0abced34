//! Rows on their way from the thread that reads to the one that computes: bounded in rows and bytes, taken all at once.

use super::row::Row;
use crate::failure::Failure;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Most rows of one chunk.
const MAX_ROWS: usize = 4096;
/// A chunk takes no further row once its text is this long. One row may be longer than that.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// The queue. What has gathered while the last chunk was computed is the next chunk: a slow stream is answered row by
/// row, a fast one in chunks that keep all threads busy.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    rows: Vec<Row>,
    text_bytes: usize,
    /// The reader is about to wait for its stream: do not wait for more rows.
    flushed: bool,
    /// No row comes any more, for this reason.
    ended: Option<Result<(), Failure>>,
    /// Nobody takes rows any more.
    abandoned: bool,
}

impl State {
    fn is_full(&self) -> bool {
        self.rows.len() >= MAX_ROWS || self.text_bytes >= MAX_TEXT_BYTES
    }

    /// Whether a chunk, or the end, can be taken.
    fn is_ready(&self) -> bool {
        self.flushed || self.is_full() || self.ended.is_some()
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, unless: fn(&State) -> bool) -> MutexGuard<'a, State> {
        self.changed.wait_while(state, |state| !unless(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a row, when there is room; false if nobody wants rows any more.
    pub(crate) fn push(&self, row: Row) -> bool {
        let mut state = self.wait(self.state(), |state| !state.is_full() || state.abandoned);
        state.text_bytes += row.text_bytes;
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
    pub(crate) fn end(&self, reason: Result<(), Failure>) {
        self.state().ended.get_or_insert(reason);
        self.changed.notify_all();
    }

    /// Whether [`Queue::take`] would not wait.
    pub(crate) fn is_ready(&self) -> bool {
        self.state().is_ready()
    }

    /// The next chunk, in order; `None` at the end. A failure of the reader comes after the rows before it.
    pub(crate) fn take(&self) -> Result<Option<Vec<Row>>, Failure> {
        let mut state = self.wait(self.state(), State::is_ready);
        if state.rows.is_empty() {
            return match state.ended.take() {
                Some(Err(failure)) => Err(failure),
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
    use crate::batch::row::RowError;
    use std::sync::Arc;

    fn row(line: u64, text_bytes: usize) -> Row {
        let task = Err(RowError::bad_row(""));
        Row { line, offset_bytes: 0, text_bytes, id: None, expected: None, task }
    }

    #[test]
    fn rows_arrive_in_order_and_in_bounded_chunks() {
        let queue = Arc::new(Queue::default());
        let writer = Arc::clone(&queue);
        let reader = std::thread::spawn(move || {
            for line in 1..=20_000 {
                // Every thousandth fills a chunk by itself.
                assert!(writer.push(row(line, if line % 1000 == 0 { MAX_TEXT_BYTES } else { 10 })));
            }
            writer.end(Ok(()));
        });
        let mut last = 0;
        while let Some(rows) = queue.take().unwrap() {
            assert!(rows.len() <= MAX_ROWS);
            assert!(rows.iter().map(|row| row.text_bytes).sum::<usize>() < 2 * MAX_TEXT_BYTES);
            for row in rows {
                assert_eq!(row.line, last + 1);
                last = row.line;
            }
        }
        assert_eq!(last, 20_000);
        reader.join().unwrap();
    }

    #[test]
    fn a_flush_hands_over_a_single_row() {
        let queue = Queue::default();
        assert!(queue.push(row(1, 10)));
        queue.flush();
        assert_eq!(queue.take().unwrap().unwrap().len(), 1);
    }

    #[test]
    fn a_failure_comes_after_the_rows_before_it() {
        let queue = Queue::default();
        queue.push(row(1, 10));
        queue.end(Err(Failure::PipeClosed));
        queue.end(Ok(()));
        assert_eq!(queue.take().unwrap().unwrap().len(), 1);
        assert!(queue.take().is_err());
    }

    #[test]
    fn an_abandoned_queue_stops_its_reader() {
        let queue = Queue::default();
        queue.push(row(1, MAX_TEXT_BYTES));
        queue.abandon();
        assert!(!queue.push(row(2, 10)));
    }
}
