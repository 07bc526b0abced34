//! Tests of `kernel/team.rs`; `make models` tries the orders of its threads.

use super::*;
use crate::kernel::conformance::cases;
use core::sync::atomic::AtomicBool;
use std::thread;

/// Sends the helpers home, also when a test fails.
struct Closed<'t>(&'t Team);

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Works of different lengths, one after the other, with this many helpers: each number once before the caller goes on, and
/// whether a helper took one.
fn works(helpers: usize) -> bool {
    let team = Team::new();
    let helped = AtomicBool::new(false);
    thread::scope(|scope| {
        let _closed = Closed(&team);
        for _ in 0..helpers {
            scope.spawn(|| team.help());
        }
        let caller = thread::current().id();
        for count in cases(6, (0..5).chain([1000]).chain(5..100)) {
            let done: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            each(Some(&team), count, &|index| {
                done[index].fetch_add(1, Ordering::Relaxed);
                if thread::current().id() != caller {
                    helped.store(true, Ordering::Relaxed);
                } else if helpers > 0 && count == 1000 {
                    // Until a helper has come, which sleeps by now.
                    while index == 0 && !helped.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                }
            });
            assert!(done.iter().all(|times| times.load(Ordering::Relaxed) == 1), "{helpers} helpers, {count}");
        }
    });
    helped.into_inner()
}

#[test]
fn a_team_does_each_part_once() {
    assert!(!works(0));
    assert!(works(1));
    assert!(works(3));
}

#[test]
fn each_item_is_lent_once() {
    let team = Team::new();
    thread::scope(|scope| {
        let _closed = Closed(&team);
        scope.spawn(|| team.help());
        for team in [Some(&team), None] {
            let mut items = vec![0; 500];
            each_of(team, &mut items, |index, item| *item += index + 1);
            assert!(items.iter().enumerate().all(|(index, &item)| item == index + 1));
        }
    });
}

/// Who waits looks for some time and no longer: what never holds ends it, what holds ends it at once.
#[test]
fn looking_ends() {
    let start = Instant::now();
    assert!(!look_until(|| start.elapsed() > Duration::from_secs(5)));
    assert!(look_until(|| true));
}

/// It looks longer than for one turn. (What holds at the 18th look is missed where the thread is stopped meanwhile.)
#[test]
fn looking_goes_on() {
    let at_18 = || {
        let looks = AtomicUsize::new(0);
        look_until(|| looks.fetch_add(1, Ordering::Relaxed) >= 17)
    };
    assert!((0..5).any(|_| at_18()));
}

/// A helper without work sleeps, is counted as long, and is woken for the next work.
#[test]
fn helpers_sleep_and_wake() {
    let team = Team::new();
    let in_time = |holds: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !holds() && start.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_micros(100));
        }
        holds()
    };
    thread::scope(|scope| {
        let _closed = Closed(&team);
        scope.spawn(|| team.help());
        let caller = thread::current().id();
        for _ in 0..3 {
            assert!(in_time(&|| team.lock().sleeping == 1), "it sleeps");
            let helped = AtomicBool::new(false);
            team.each(2, &|_| {
                helped.fetch_or(thread::current().id() != caller, Ordering::Relaxed);
                in_time(&|| helped.load(Ordering::Relaxed));
            });
            assert!(helped.into_inner(), "it wakes");
        }
    });
}

#[test]
fn a_team_is_printed_by_name() {
    assert_eq!(format!("{:?}", Team::new()), "Team");
}
