//! Threads: distributes the shares that a plan defines to the threads that it names, and keeps results in order. All threads of the library
//! and of the crates that stand on it are started and awaited here.

use crate::engine::execute::poll::{NestedWatch, Poll, Watch, report_done};
use crate::engine::plan::schedule::{Chunk, THREADS};
use crate::error::Error;
use crate::natural::Natural;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, Thread, current, park_timeout};

/// Between two polls of the calling thread while it waits for the others.
const WAIT: Duration = Duration::from_millis(5);

/// Threads that work for the one that made this value. That one waits for them, wakes when the last of them ends, and polls meanwhile: it
/// may be the only thread that sees a stop (Python's Ctrl-C), and the one that shows progress.
///
/// ```
/// use pingala_core::threads::Crew;
/// let crew = Crew::new();
/// let sum = std::thread::scope(|scope| {
///     let other = crew.start(scope, || (1..=50).sum::<u32>());
///     let own = (51..=100).sum::<u32>();
///     crew.wait(|| {});
///     own + other.map_or_else(|| (1..=50).sum(), |other| other.join().unwrap())
/// });
/// assert_eq!(sum, 5050);
/// ```
#[derive(Debug)]
pub struct Crew {
    caller: Thread,
    running: AtomicUsize,
}

/// Ends a thread of a crew, also if it panics.
struct AtWork<'c>(&'c Crew);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        // The last one wakes the caller, which then reads what the others wrote.
        if self.0.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.caller.unpark();
        }
    }
}

impl Crew {
    /// A crew of this thread, without another one yet.
    #[expect(clippy::new_without_default, reason = "a default that depends on the thread would surprise")]
    pub fn new() -> Self {
        Self { caller: current(), running: AtomicUsize::new(0) }
    }

    /// Starts a thread; `None` if this build or the system starts no more.
    pub fn start<'scope, T: Send + 'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> Option<ScopedJoinHandle<'scope, T>> {
        #[cfg(test)]
        if !tests::may_start() {
            return None;
        }
        if !THREADS {
            return None;
        }
        self.running.fetch_add(1, Ordering::Relaxed);
        let at_work = AtWork(self);
        // A thread that does not start drops the closure.
        let serve = move || {
            let _at_work = at_work;
            work()
        };
        Builder::new().name("pingala worker".into()).spawn_scoped(scope, serve).ok()
    }

    /// Returns when no thread of the crew is at work; calls `poll` every few milliseconds until then. For the thread that made the crew.
    pub fn wait(&self, poll: impl FnMut()) {
        self.wait_polling(WAIT, poll);
    }

    fn wait_polling(&self, every: Duration, mut poll: impl FnMut()) {
        while self.running.load(Ordering::Acquire) > 0 {
            park_timeout(every);
            if self.running.load(Ordering::Acquire) > 0 {
                poll();
            }
        }
    }
}

/// The results of `work(index, watch)` for 0 .. `count`, in order, on the calling thread and on others, `threads` in total, or as many as
/// the system can start. What is given to `work` as a watch stops when `watch` does, and shows no progress. `watch` itself receives the
/// number of results times `weight`, if that is above 0.
///
/// Errors: that of the first index that has one, behind which no more begin; `interrupted`.
///
/// ```
/// use pingala_core::threads::each;
/// let squares = each(4, 2, None, 0, |index, _| Ok(index * index))?;
/// assert_eq!(squares, [0, 1, 4, 9]);
/// # Ok::<(), pingala_core::Error>(())
/// ```
pub fn each<R: Send>(
    count: usize,
    threads: usize,
    watch: Option<&dyn Watch>,
    weight: usize,
    work: impl Fn(usize, &dyn Watch) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let first_error: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let keep = |index: usize, error: Error| {
        let mut first = first_error.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|(known, _)| index < *known) {
            *first = Some((index, error));
        }
    };
    let has_failed = AtomicBool::new(false);
    let indices = (0..count).take_while(|_| !has_failed.load(Ordering::Relaxed));
    let silent = NestedWatch { watch, ..NestedWatch::default() };
    let shown = if weight > 0 { watch } else { watch.map(|_| &silent as &dyn Watch) };
    let done = parallel_in_order(
        indices,
        threads.min(count),
        shown,
        (0, weight * count),
        |(): &mut (), own: &mut Vec<(usize, R)>, index, poll| {
            match work(index, &poll.nested(None)) {
                Ok(result) => own.push((index, result)),
                Err(Error::Interrupted) => poll.halt(),
                Err(error) => {
                    has_failed.store(true, Ordering::Relaxed);
                    keep(index, error);
                }
            }
            weight
        },
    );
    if let Some((_, error)) = first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    let done = done?;
    report_done(shown, weight * count)?;
    done.0.into_iter().flatten().for_each(|(index, result)| results[index] = Some(result));
    results.into_iter().map(|result| result.ok_or(Error::Fault("a result is missing"))).collect()
}

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
    let (queue, stopped) = (OwnLine(Mutex::new((items, finished))), OwnLine(AtomicBool::new(false)));
    let stopped = &stopped.0;
    // Counts what a thread has finished and gives it the next item, at once: each look at the queue brings it from another core.
    let next = |new: usize| {
        let (items, finished) = &mut *queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        *finished += new;
        (items.next(), *finished)
    };
    let report = |done: usize| {
        // The end is reported once, when all is there.
        watch.filter(|_| done < count).inspect(|watch| watch.progress(done, count));
    };
    let serve = |is_caller: bool| {
        let (poll, mut own, mut result) = (Poll::new(watch, Some(stopped)), S::default(), R::default());
        let mut new = 0;
        loop {
            let (item, done) = next(new);
            if is_caller && new > 0 {
                report(done);
            }
            let Some(item) = item.filter(|_| poll.now()) else { break };
            new = work(&mut own, &mut result, item, &poll);
        }
        result
    };
    let on_all_threads = || {
        let crew = Crew::new();
        std::thread::scope(|scope| {
            let other = || serve(false);
            // If the system starts fewer, those do the work.
            let others: Vec<_> = (1..threads).map_while(|_| crew.start(scope, other)).collect();
            let mut results = vec![serve(true)];
            let poll = Poll::new(watch, Some(stopped));
            crew.wait(|| {
                // Who has said stop is not asked again.
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                poll.now();
                let done = queue.0.lock().unwrap_or_else(PoisonError::into_inner).1;
                report(done);
            });
            for other in others {
                // A panic of a worker is a defect of this library: let it be seen.
                results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            results
        })
    };
    let results = if threads > 1 && THREADS { on_all_threads() } else { vec![serve(true)] };
    if stopped.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok((results, next(0).1)) }
}

/// What threads share, apart from what others write to: a write takes the cache line from all other cores.
#[repr(align(128))]
struct OwnLine<T>(T);

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/threads.rs"]
pub(crate) mod tests;
