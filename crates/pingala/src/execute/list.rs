//! Lists: independent powers, handed out to threads, answers in order.

use crate::error::Error;
use crate::execute::pulse::{Pulse, Watch};
use crate::natural::Natural;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Work below which a thread costs more than it saves.
const NANOSECONDS_PER_THREAD: f64 = 200_000.0;

/// One answer of a list.
pub(crate) type Answer = Result<Natural, Error>;

/// Runs `job(index, pulse)` for every index below `count`, on the calling thread and as many others as the work is
/// worth, and returns the answers in order. Threads live for this call only, so nothing survives a fork.
///
/// Error: `interrupted`, when the watch says so.
pub(crate) fn run(
    count: usize,
    threads: Option<NonZeroUsize>,
    nanoseconds: f64,
    watch: Option<&dyn Watch>,
    job: impl Fn(usize, &Pulse<'_>) -> Answer + Sync,
) -> Result<Vec<Answer>, Error> {
    let threads = threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let threads = threads.min(count).min((nanoseconds / NANOSECONDS_PER_THREAD) as usize).max(1);
    // Small enough pieces that the last ones end together, large enough that taking one costs nothing.
    let piece = (count / (threads * 64)).clamp(1, 1024);
    let (next, finished, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let work = |is_caller: bool| {
        let pulse = Pulse::new(watch, Some(&stopped));
        let mut answers: Vec<(usize, Vec<Answer>)> = Vec::new();
        loop {
            let start = next.fetch_add(piece, Ordering::Relaxed);
            if start >= count || !pulse.ask() {
                return answers;
            }
            let end = count.min(start + piece);
            answers.push((start, (start..end).map(|index| job(index, &pulse)).collect()));
            let done = finished.fetch_add(end - start, Ordering::Relaxed) + end - start;
            if let (Some(watch), true) = (watch, is_caller) {
                watch.progress(done, count);
            }
        }
    };
    let mut pieces = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(false))).collect();
        let mut pieces = work(true);
        for other in others {
            // A panic of a worker is a defect of this library: let it be seen.
            pieces.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        pieces
    });
    if stopped.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    if let Some(watch) = watch {
        watch.progress(count, count);
    }
    pieces.sort_unstable_by_key(|&(start, _)| start);
    Ok(pieces.into_iter().flat_map(|(_, answers)| answers).collect())
}
