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
    /// The reader is about to wait for its stream: the rows so far are a chunk.
    flushed: bool,
    /// The reader has ended, for this reason.
    ended: Option<Result<()>>,
    /// The consumer has ended.
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

    /// Adds a row of `text_bytes` when there is room; false if the consumer has ended.
    pub(crate) fn push(&self, row: T, text_bytes: usize) -> bool {
        let mut state = self.wait(self.state(), |state| !state.is_full() || state.abandoned);
        state.text_bytes += text_bytes;
        state.rows.push(row);
        if state.is_full() {
            self.changed.notify_all();
        }
        !state.abandoned
    }

    /// Makes the rows so far a chunk: the reader is about to wait.
    pub(crate) fn flush(&self) {
        let mut state = self.state();
        if !state.rows.is_empty() {
            state.flushed = true;
            self.changed.notify_all();
        }
    }

    /// Says that the reader has ended. The first reason counts.
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

    /// Says that the consumer has ended.
    pub(crate) fn abandon(&self) {
        self.state().abandoned = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
#[path = "../../tests/inside/stream/queue.rs"]
mod tests;
