//! Tests of `engine/execute/threads.rs`.

use super::{Crew, each};
use crate::{Error, Integer, Modulus, Natural, Options, Watch};
use core::cell::Cell;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::Mutex;
use std::sync::mpsc::channel;

thread_local! {
    /// How many threads this one may still start: a system at its limit.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

pub(super) fn may_start() -> bool {
    LEFT.replace(LEFT.get().saturating_sub(1)) > 0
}

#[test]
fn work_is_done_by_the_threads_that_there_are() {
    let modulus = Modulus::new(
        (1..=32).fold(Natural::from(1u64), |m, _| Natural::from_limbs(&[&[0x9e37_79b9_7f4a_7c15], m.limbs()].concat())),
    );
    let modulus = modulus.unwrap();
    let exponents: Vec<Integer> =
        (0..40u64).map(|at| Natural::from_limbs(&[[at | 1 << 60; 31].as_slice(), &[7]].concat()).into()).collect();
    let base = Integer::from(3u64);
    let one_by_one: Vec<_> = exponents.iter().map(|exponent| modulus.pow(&base, exponent)).collect();
    // Each power for itself, and one thread that squares for the others.
    for line in [None, Some("shared_squarings(w=4)")] {
        for (left, threads) in [(0, 2), (0, 4), (1, 2), (1, 4), (2, 4), (3, 4)] {
            let options = Options { threads: NonZeroUsize::new(threads), plan: line, ..Options::default() };
            LEFT.set(left);
            let powers = modulus.pow_exp_list(&base, &exponents, &options);
            LEFT.set(usize::MAX);
            assert_eq!(powers.unwrap(), one_by_one, "{left} more threads, of {threads}");
        }
    }
}

/// The last thread wakes the caller, also when it panics: a caller that polls once in a day would wait for a day.
#[test]
fn the_last_thread_wakes_its_caller() {
    const DAY: Duration = Duration::from_secs(86_400);
    for panics in [false, true] {
        let (crew, polls) = (Crew::new(), Cell::new(0));
        let (send, receive) = channel::<()>();
        std::thread::scope(|scope| {
            let first = crew.start(scope, || 1).unwrap();
            let last = crew.start(scope, move || {
                // Not before the caller says so.
                let _ = receive.recv();
                assert!(!panics, "planted");
                2
            });
            assert_eq!(first.join().unwrap(), 1);
            drop(send);
            crew.wait_polling(DAY, || polls.set(polls.get() + 1));
            assert_eq!(last.unwrap().join().is_err(), panics);
        });
        // The first thread may have ended before the wait.
        assert!(polls.get() <= 1, "{}", polls.get());
        crew.wait_polling(DAY, || unreachable!("nobody works"));
    }
}

/// A caller that waits polls: here it is the only one that sees the stop, and the other thread works until it is stopped.
#[test]
fn a_caller_that_waits_polls() {
    struct OnCaller(std::thread::ThreadId, AtomicUsize);
    impl Watch for OnCaller {
        fn stop(&self) -> bool {
            std::thread::current().id() == self.0 && self.1.fetch_add(1, Ordering::Relaxed) > 4
        }
    }
    let watch = OnCaller(std::thread::current().id(), AtomicUsize::new(0));
    let other = Mutex::new(0u64);
    let found = each(2, 2, Some(&watch), 1, |_, stops| {
        if std::thread::current().id() == watch.0 {
            return Ok(());
        }
        while !stops.stop() {
            *other.lock().unwrap() += 1;
        }
        Err(Error::Interrupted)
    });
    // The caller may have taken both.
    let polled = *other.lock().unwrap();
    assert_eq!(found, if polled > 0 || found.is_err() { Err(Error::Interrupted) } else { Ok(vec![(); 2]) });
}

/// Results are in order, of several errors that of the first index counts, and nothing begins after an error.
#[test]
fn each_result_is_at_its_place() {
    for threads in [1, 2, 5] {
        for count in [0, 1, 2, 100] {
            let squares: Vec<usize> = (0..count).map(|index| index * index).collect();
            assert_eq!(each(count, threads, None, 3, |index, _| Ok(index * index)), Ok(squares));
        }
        let begun = AtomicUsize::new(0);
        let found: Result<Vec<()>, Error> = each(1000, threads, None, 0, |index, _| {
            begun.fetch_add(1, Ordering::Relaxed);
            if index >= 10 { Err(Error::TooLong { what: "index", length: index as u64, cap: 9 }) } else { Ok(()) }
        });
        assert_eq!(found, Err(Error::TooLong { what: "index", length: 10, cap: 9 }), "{threads}");
        assert!(begun.into_inner() <= 10 + threads);
    }
}

/// The watch of the caller receives results times their weight, and all of them at the end; without a weight nothing.
#[test]
fn each_reports_by_weight() {
    struct Seen(Mutex<Vec<(usize, usize)>>);
    impl Watch for Seen {
        fn progress(&self, finished: usize, total: usize) {
            self.0.lock().unwrap().push((finished, total));
        }
    }
    for (weight, threads) in [(0, 1), (0, 3), (7, 1), (7, 3)] {
        let seen = Seen(Mutex::default());
        each(20, threads, Some(&seen), weight, |_, _| Ok(())).unwrap();
        let seen = seen.0.into_inner().unwrap();
        assert!(seen.iter().all(|&(finished, total)| finished % 7 == 0 && finished <= total && total == 140));
        assert!(if weight == 0 { seen.is_empty() } else { seen.is_sorted() }, "{seen:?}");
        assert_eq!(seen.last(), (weight > 0).then_some(&(140, 140)));
    }
}
