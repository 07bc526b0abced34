//! Every order of events, for two or three threads.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;

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
    use std::process::id as process_id;
    include!(concat!(env!("OUT_DIR"), "/pairs.rs"));
    impl BlindingPairs {
        pub(crate) fn new() -> Self {
            Self(Mutex::new(Vec::new()))
        }
        pub(crate) fn put(&self, forward: u32) {
            self.keep(BlindingPair { public_exponent: 3, forward, back: 0, uses: 0, process: process_id() });
        }
        pub(crate) fn get(&self) -> Option<u32> {
            self.take(&3).map(|pair| pair.forward)
        }
    }
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
