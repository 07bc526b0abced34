//! Threads: distributes the shares that a plan defines to the threads that it names, and keeps results in order.

use crate::engine::execute::poll::{Poll, Watch, report_done};
use crate::engine::plan::schedule::{Chunk, THREADS};
use crate::error::Error;
use crate::natural::Natural;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Between two polls of the calling thread while it waits for the others.
const WAIT: Duration = Duration::from_millis(5);

/// The placeholder of a result.
const MISSING: Error = Error::Fault("an element was left out");

/// One answer of a list.
pub(crate) type Answer = Result<Natural, Error>;

/// Stores a result at its place in the list.
pub(crate) type Answering<'a> = &'a mut dyn FnMut(usize, Answer);

/// The answers of a list while its stages are done one after the other.
pub(crate) struct Answers<'w> {
    answers: Vec<Answer>,
    finished: usize,
    watch: Option<&'w dyn Watch>,
}

impl<'w> Answers<'w> {
    /// For a list of `count`, of which some are settled already.
    pub(crate) fn new(count: usize, trivial_results: Vec<(usize, Answer)>, watch: Option<&'w dyn Watch>) -> Self {
        let mut answers =
            Self { answers: (0..count).map(|_| Err(MISSING)).collect(), finished: trivial_results.len(), watch };
        trivial_results.into_iter().for_each(|(index, answer)| answers.answers[index] = answer);
        answers
    }

    /// Runs all chunks on the calling thread and on others, `threads` in total, or as many as the system can start.
    /// They take chunks in the order given; `work(own, chunk, poll, answer)` calls `answer(index, ...)` once for each element of a
    /// chunk, and `own` is what a thread keeps from chunk to chunk. Threads live for this call only, so nothing survives a fork.
    ///
    /// Error: `interrupted`, when the watch says so.
    pub(crate) fn run_chunks<S: Default>(
        &mut self,
        chunks: &[Chunk],
        threads: usize,
        work: impl Fn(&mut S, &Chunk, &Poll<'_>, Answering<'_>) + Sync,
    ) -> Result<(), Error> {
        let (count, watch) = (self.answers.len(), self.watch);
        if threads > 1 {
            Poll::new(watch, None).walked(threads, &"threads");
        }
        if threads <= 1 || !THREADS {
            return self.run_on_caller(chunks, work);
        }
        let gather = |own: &mut S, answers: &mut Vec<(usize, Answer)>, chunk: &Chunk, poll: &Poll<'_>| {
            let before = answers.len();
            work(own, chunk, poll, &mut |index, answer| answers.push((index, answer)));
            answers.len() - before
        };
        let (answers, finished) = parallel_in_order(chunks.iter(), threads, watch, (self.finished, count), gather)?;
        answers.into_iter().flatten().for_each(|(index, answer)| self.answers[index] = answer);
        self.finished = finished;
        Ok(())
    }

    /// Runs all chunks on the calling thread; each answer goes to its place at once.
    fn run_on_caller<S: Default>(
        &mut self,
        chunks: &[Chunk],
        work: impl Fn(&mut S, &Chunk, &Poll<'_>, Answering<'_>),
    ) -> Result<(), Error> {
        let (count, watch, stopped) = (self.answers.len(), self.watch, AtomicBool::new(false));
        let (poll, mut own) = (Poll::new(watch, watch.map(|_| &stopped)), S::default());
        for chunk in chunks {
            if !poll.now() {
                break;
            }
            let (answers, finished) = (&mut self.answers, &mut self.finished);
            work(&mut own, chunk, &poll, &mut |index, answer| {
                answers[index] = answer;
                *finished += 1;
            });
            // The end is reported once, when all is there.
            watch.filter(|_| self.finished < count).inspect(|watch| watch.progress(self.finished, count));
        }
        if stopped.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The results, in order. Error: `interrupted`, if the watch says so and was not polled before.
    pub(crate) fn finish(self) -> Result<Vec<Answer>, Error> {
        report_done(self.watch, self.answers.len())?;
        Ok(self.answers)
    }
}

/// Hands items, in their order, to the calling thread and to others, `threads` in total, or as many as the system can start.
/// `work(own, result, item, poll)` says how many elements it has finished; `own` is what a thread keeps from item to item, and
/// `result` what it leaves. Gives the results, and how many of `count` elements are finished with the `finished` ones before.
///
/// Error: `interrupted`, when the watch says so.
pub(crate) fn parallel_in_order<T: Send, S: Default, R: Default + Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    watch: Option<&dyn Watch>,
    (finished, count): (usize, usize),
    work: impl Fn(&mut S, &mut R, T, &Poll<'_>) -> usize + Sync,
) -> Result<(Vec<R>, usize), Error> {
    let (items, finished, stopped) = (Mutex::new(items), AtomicUsize::new(finished), AtomicBool::new(false));
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let serve = |is_caller: bool| {
        let (poll, mut own, mut result) = (Poll::new(watch, Some(&stopped)), S::default(), R::default());
        while let Some(item) = next() {
            if !poll.now() {
                break;
            }
            let new = work(&mut own, &mut result, item, &poll);
            let done = finished.fetch_add(new, Ordering::Relaxed) + new;
            // The end is reported once, when all is there.
            if let (Some(watch), true) = (watch, is_caller && done < count) {
                watch.progress(done, count);
            }
        }
        result
    };
    let on_all_threads = || {
        std::thread::scope(|scope| {
            let other = || serve(false);
            // If the system starts fewer, those do the work.
            let others: Vec<_> = (1..threads).map_while(|_| start(scope, other)).collect();
            let mut results = vec![serve(true)];
            // The calling thread may be the only one that sees a stop (Python's Ctrl-C), so it polls until all are done.
            let poll = Poll::new(watch, Some(&stopped));
            while watch.is_some() && others.iter().any(|other| !other.is_finished()) {
                std::thread::park_timeout(WAIT);
                poll.now();
                let done = finished.load(Ordering::Relaxed);
                watch.filter(|_| done < count).inspect(|watch| watch.progress(done, count));
            }
            for other in others {
                // A panic of a worker is a defect of this library: let it be seen.
                results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            results
        })
    };
    let results = if threads > 1 && THREADS { on_all_threads() } else { vec![serve(true)] };
    if stopped.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok((results, finished.into_inner())) }
}

/// Starts a thread; `None` if the system starts no more.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    serve: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    #[cfg(test)]
    if !tests::may_start() {
        return None;
    }
    Builder::new().spawn_scoped(scope, serve).ok()
}

#[cfg(test)]
#[path = "../../../tests/inside/execute/threads.rs"]
pub(crate) mod tests;
