//! Lists: independent work, handed out to threads by price, answers in order.

use crate::error::Error;
use crate::execute::pulse::{Pulse, Watch};
use crate::natural::Natural;
use crate::plan::NANOSECONDS_PER_THREAD;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;

/// Most units that a thread takes at once, so that a wrong price cannot starve the others.
const UNITS_AT_ONCE: usize = 1024;

/// Expected work between two questions of a thread that does units shorter than that, so that none of them asks itself.
pub(super) const NANOSECONDS_BETWEEN: f64 = 5e6;

/// What a unit counts for at least in that sum: prices may leave work out, or be 0 for a unit that will be an error.
const LEAST_NANOSECONDS: f64 = 10_000.0;

/// Between two questions of the calling thread that waits for the others.
const WAIT: Duration = Duration::from_millis(5);

/// One answer of a list.
pub(crate) type Answer = Result<Natural, Error>;

/// Who does a piece of work: `work(own, unit, pulse, answer)` calls `answer(index, ...)` once for each of its jobs. `own` is
/// what a thread keeps from unit to unit.
pub(crate) trait Worker<S>: Fn(&mut S, usize, &Pulse<'_>, &mut dyn FnMut(usize, Answer)) + Sync {}

impl<S, F: Fn(&mut S, usize, &Pulse<'_>, &mut dyn FnMut(usize, Answer)) + Sync> Worker<S> for F {}

/// How many of so many threads units of these expected nanoseconds are worth.
pub(crate) fn worth(prices: &[f64], threads: usize) -> usize {
    let total: f64 = prices.iter().sum();
    threads.min(prices.len()).min((total / NANOSECONDS_PER_THREAD) as usize).max(1)
}

/// Expected nanoseconds until all of these units are done, on as many of the threads as they are worth.
pub(crate) fn expected(prices: &[f64], threads: usize) -> f64 {
    let longest = prices.iter().copied().fold(0.0, f64::max);
    longest.max(prices.iter().sum::<f64>() / worth(prices, threads) as f64)
}

/// Runs the units of work, whose expected nanoseconds are `prices`, on the calling thread and as many others as the work is
/// worth, and returns the `count` answers in order, the `settled` ones among them. Work is handed out by price, in the order
/// given: dearest first ends together. Threads live for this call only, so nothing survives a fork.
///
/// Error: `interrupted`, when the watch says so.
pub(crate) fn run<S: Default>(
    count: usize,
    settled: Vec<(usize, Answer)>,
    prices: &[f64],
    threads: usize,
    watch: Option<&dyn Watch>,
    work: impl Worker<S>,
) -> Result<Vec<Answer>, Error> {
    let total: f64 = prices.iter().sum();
    let threads = worth(prices, threads);
    let pieces = pieces(prices, total / (threads * 64) as f64);
    let (next, finished, stopped) = (AtomicUsize::new(0), AtomicUsize::new(settled.len()), AtomicBool::new(false));
    let serve = |is_caller: bool| {
        let pulse = Pulse::new(watch, Some(&stopped));
        let mut own = S::default();
        let mut answers: Vec<(usize, Answer)> = Vec::new();
        let mut unasked = 0.0;
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            for unit in piece.clone() {
                if unit == piece.start || unasked >= NANOSECONDS_BETWEEN {
                    pulse.ask();
                    unasked = 0.0;
                }
                unasked += prices[unit].max(LEAST_NANOSECONDS);
                if stopped.load(Ordering::Relaxed) {
                    return answers;
                }
                let before = answers.len();
                work(&mut own, unit, &pulse, &mut |index, answer| answers.push((index, answer)));
                let new = answers.len() - before;
                let done = finished.fetch_add(new, Ordering::Relaxed) + new;
                // The end is told once, when all is there.
                if let (Some(watch), true) = (watch, is_caller && done < count) {
                    watch.progress(done, count);
                }
            }
        }
        answers
    };
    let answers = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| serve(false))).collect();
        let mut answers = serve(true);
        // The calling thread may be the only one that hears of a stop (Python's Ctrl-C): it asks until all are done.
        let pulse = Pulse::new(watch, Some(&stopped));
        while watch.is_some() && others.iter().any(|other| !other.is_finished()) {
            std::thread::park_timeout(WAIT);
            pulse.ask();
            let done = finished.load(Ordering::Relaxed);
            watch.filter(|_| done < count).inspect(|watch| watch.progress(done, count));
        }
        for other in others {
            // A panic of a worker is a defect of this library: let it be seen.
            answers.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        answers
    });
    if stopped.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    if let Some(watch) = watch {
        watch.progress(count, count);
    }
    let mut in_order: Vec<Option<Answer>> = vec![None; count];
    for (index, answer) in settled.into_iter().chain(answers) {
        in_order[index] = Some(answer);
    }
    Ok(in_order.into_iter().map(|answer| answer.unwrap_or(Err(Error::Fault("an element was left out")))).collect())
}

/// Runs of units, each worth `nanoseconds` or more unless it is the last one or has many units: small enough that the last
/// ones end together, large enough that taking one costs nothing.
fn pieces(prices: &[f64], nanoseconds: f64) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut sum) = (Vec::new(), 0, 0.0);
    for (unit, price) in prices.iter().enumerate() {
        sum += price;
        if sum >= nanoseconds || unit - start == UNITS_AT_ONCE || unit + 1 == prices.len() {
            pieces.push(start..unit + 1);
            (start, sum) = (unit + 1, 0.0);
        }
    }
    pieces
}
