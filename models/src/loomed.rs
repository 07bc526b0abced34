//! Every order of events, for two or three threads.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;

mod team {
    include!(concat!(env!("OUT_DIR"), "/loom_team.rs"));
}

mod team_planted {
    include!(concat!(env!("OUT_DIR"), "/loom_team_planted.rs"));
}

pub(crate) mod error {
    #[derive(Debug)]
    pub(crate) enum Error {}
}

mod rings_use {
    pub(crate) use super::error::Error;
    pub(crate) use std::sync::Arc as Held;
    /// Which form; the ring says for which one it was made.
    pub(crate) type Form = u32;
    pub(crate) struct OneRing(pub(crate) Form);
    impl OneRing {
        pub(crate) fn bytes(&self) -> usize {
            100
        }
    }
    pub(crate) type SharedRing = Held<OneRing>;
    pub(crate) struct ModulusParts<'a> {
        pub(crate) odd: &'a [u64],
    }
    pub(crate) fn prepare(form: &Form, _: &ModulusParts<'_>) -> Result<SharedRing, Error> {
        Ok(Held::new(OneRing(*form)))
    }
    pub(crate) const KEPT_BYTES: usize = 250;
    pub(crate) const KEPT_TIMES: usize = 1;
}

macro_rules! rings {
    ($name:ident, $file:literal) => {
        mod $name {
            use super::rings_use::*;
            use loom::sync::RwLock;
            include!(concat!(env!("OUT_DIR"), $file));
            impl Rings {
                pub(crate) fn new() -> Self {
                    Self(RwLock::new(Vec::new()))
                }
                pub(crate) fn forms(&self) -> Vec<Form> {
                    self.0.read().unwrap().iter().map(|(form, _)| *form).collect()
                }
                /// As in the child of a fork whose parent had it locked.
                pub(crate) fn lock_for_ever(&self) {
                    std::mem::forget(self.0.write().unwrap());
                }
            }
        }
    };
}
rings!(rings, "/rings.rs");
rings!(rings_planted, "/rings_planted.rs");

mod pairs {
    type Natural = u32;
    type Wiped = u32;
    use loom::sync::Mutex;
    include!(concat!(env!("OUT_DIR"), "/pairs.rs"));
    impl BlindingPairs {
        pub(crate) fn new() -> Self {
            Self(Mutex::new(Vec::new()))
        }
        pub(crate) fn put(&self, forward: u32) {
            self.keep(BlindingPair { public_exponent: 3, forward, back: 0, uses: 0, process: std::process::id() });
        }
        pub(crate) fn get(&self) -> Option<u32> {
            self.take(&3).map(|pair| pair.forward)
        }
    }
}

/// Items of a work: each is done once, and its caller sees what was written.
struct Items(Vec<UnsafeCell<usize>>);

// SAFETY: loom says who touches an item while another thread may.
unsafe impl Sync for Items {}

/// A caller with helpers has two works done, and leaves.
macro_rules! team_model {
    ($team:ident, $helpers:expr, $bound:expr) => {{
        let mut model = loom::model::Builder::new();
        model.preemption_bound = $bound;
        let orders = crate::Orders::of(stringify!($team with $helpers));
        let one_more = orders.counter();
        model.check(move || {
            one_more();
            let team = Arc::new($team::Team::new());
            let start = || {
                let team = team.clone();
                thread::spawn(move || team.help())
            };
            let helpers: Vec<_> = (0..$helpers).map(|_| start()).collect();
            for round in 1..3 {
                let items = Items((0..2).map(|_| UnsafeCell::new(0)).collect());
                // A helper that comes late would see it: the work is gone by then.
                let lives = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
                let seen = lives.clone();
                let items_of_work = &items;
                let work = move |index: usize| {
                    assert!(seen.load(std::sync::atomic::Ordering::SeqCst), "a work that is over");
                    // SAFETY: nobody else has this index, or loom complains.
                    items_of_work.0[index].with_mut(|item| unsafe { *item += round });
                };
                team.each(2, &work);
                lives.store(false, std::sync::atomic::Ordering::SeqCst);
                for item in &items.0 {
                    // SAFETY: all are done.
                    assert_eq!(item.with(|item| unsafe { *item }), round);
                }
                // Without this a helper that comes late would read what is no longer there: the models have no room for that.
                std::mem::forget(work);
                std::mem::forget(items);
            }
            team.close();
            helpers.into_iter().for_each(|helper| helper.join().unwrap());
        });
    }};
}

#[test]
fn a_team_does_every_part_once_before_its_caller_goes_on() {
    team_model!(team, 1, Some(3));
}

#[test]
fn two_helpers_do_every_part_once() {
    team_model!(team, 2, Some(2));
}

#[test]
#[should_panic]
fn a_work_that_stays_behind_is_seen() {
    team_model!(team_planted, 1, Some(3));
}

macro_rules! rings_model {
    ($rings:ident) => {
        let orders = crate::Orders::of(stringify!($rings));
        let one_more = orders.counter();
        loom::model(move || {
            one_more();
            let rings = Arc::new($rings::Rings::new());
            let start = |form: u32| {
                let rings = rings.clone();
                thread::spawn(move || {
                    let ring = rings.ring(&form, &rings_use::ModulusParts { odd: &[1] }).unwrap();
                    assert_eq!(ring.0, form);
                })
            };
            let others = [start(1), start(2)];
            let ring = rings.ring(&1, &rings_use::ModulusParts { odd: &[1] }).unwrap();
            assert_eq!(ring.0, 1);
            others.into_iter().for_each(|other| other.join().unwrap());
            let mut forms = rings.forms();
            forms.sort_unstable();
            let all = forms.len();
            forms.dedup();
            assert_eq!(forms.len(), all, "a ring is kept twice");
        });
    };
}

#[test]
fn rings_are_kept_once_and_are_those_of_their_form() {
    rings_model!(rings);
}

#[test]
#[should_panic(expected = "kept twice")]
fn a_ring_that_is_kept_twice_is_seen() {
    rings_model!(rings_planted);
}

#[test]
fn nobody_waits_for_a_lock_that_is_never_released() {
    loom::model(|| {
        let rings = rings::Rings::new();
        rings.lock_for_ever();
        assert_eq!(rings.ring(&7, &rings_use::ModulusParts { odd: &[1] }).unwrap().0, 7);
        std::mem::forget(rings);
    });
}

#[test]
fn no_two_powers_have_one_blinding_pair() {
    let orders = crate::Orders::of("pairs");
    let one_more = orders.counter();
    loom::model(move || {
        one_more();
        let pairs = Arc::new(pairs::BlindingPairs::new());
        pairs.put(10);
        pairs.put(11);
        let start = || {
            let pairs = pairs.clone();
            thread::spawn(move || {
                let pair = pairs.get();
                // It is another one when it comes back.
                pair.inspect(|pair| pairs.put(pair + 100));
                pair
            })
        };
        let others = [start(), start()];
        let mut taken = vec![pairs.get()];
        taken.extend(others.into_iter().map(|other| other.join().unwrap()));
        let mut taken: Vec<u32> = taken.into_iter().flatten().collect();
        let all = taken.len();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), all, "a pair is used twice");
    });
}
