//! Orders drawn at random, for lists in threads.

use shuttle::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

pub(crate) mod error {
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Error {
        Fault(&'static str),
        Interrupted,
    }
}

pub(crate) mod natural {
    pub(crate) type Natural = usize;
}

pub(crate) mod engine {
    pub(crate) mod plan {
        pub(crate) mod schedule {
            pub(crate) const THREADS: bool = true;

            /// Elements of a list.
            pub(crate) type Chunk = std::ops::Range<usize>;
        }
    }

    pub(crate) mod execute {
        pub(crate) mod poll {
            include!(concat!(env!("OUT_DIR"), "/poll.rs"));
        }
        pub(crate) mod threads {
            include!(concat!(env!("OUT_DIR"), "/threads.rs"));
        }
    }
}

use engine::execute::poll::Watch;
use engine::execute::threads::Answers;
use error::Error;

/// Orders that are tried of each model.
const ORDERS: usize = 20_000;

fn check(name: &'static str, model: impl Fn() + Send + Sync + 'static) {
    let orders = crate::Orders::of(name);
    let one_more = orders.counter();
    let model = Arc::new(move || {
        one_more();
        model();
    });
    let uniform = model.clone();
    shuttle::check_random(move || uniform(), ORDERS / 2);
    // Few changes of the thread at places that are drawn: what rare orders need. It wants threads to change between.
    crate::STARTS.set(true);
    shuttle::check_pct(move || model(), ORDERS / 2, 3);
}

/// Stops at the second poll after this number of results, and at every later poll.
struct Stops(AtomicUsize);

impl Watch for Stops {
    fn stop(&self) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst) > 3
    }
}

/// Nothing but questions and answers.
struct Looks;

impl Watch for Looks {
    fn progress(&self, finished: usize, total: usize) {
        assert!(finished <= total);
    }
}

fn list(watch: Option<&dyn Watch>) -> Result<Vec<Result<usize, Error>>, Error> {
    let chunks = [0..2, 2..3, 3..6];
    // The element that is settled before.
    let mut answers = Answers::new(7, vec![(6, Ok(60))], watch);
    answers.run_chunks(&chunks, 3, |done: &mut usize, chunk, _, answer| {
        chunk.clone().for_each(|index| answer(index, Ok(10 * index)));
        *done += 1;
    })?;
    answers.finish()
}

#[test]
fn a_list_has_every_element_once_and_in_order() {
    let wanted: Vec<_> = (0..7).map(|index| Ok(10 * index)).collect();
    check("list", move || assert_eq!(list(None), Ok(wanted.clone())));
}

#[test]
fn a_watched_list_is_whole_as_well() {
    let wanted: Vec<_> = (0..7).map(|index| Ok(10 * index)).collect();
    check("watched list", move || assert_eq!(list(Some(&Looks)), Ok(wanted.clone())));
}

#[test]
fn a_list_that_is_stopped_says_so_or_is_whole() {
    let wanted: Vec<_> = (0..7).map(|index| Ok(10 * index)).collect();
    check("stopped list", move || {
        let found = list(Some(&Stops(AtomicUsize::new(0))));
        assert!(found == Err(Error::Interrupted) || found == Ok(wanted.clone()), "{found:?}");
    });
}
