//! Models of what threads of the library share: the queue of a list, the prepared rings of a
//! modulus, its blinding pairs. loom tries every order of events, and every value that a relaxed load may see; shuttle draws orders,
//! for what is too long to try all. The code is the library's own: see `build.rs`. `make -C hardening models` runs them.
#![allow(dead_code, unused_imports)]

mod loomed;
mod shuttled;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A clock on which every wait is over at once.
mod time {
    use std::time::Duration;

    pub(crate) struct Instant;

    impl Instant {
        pub(crate) fn now() -> Self {
            Self
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Duration::MAX
        }
    }
}

thread_local! {
    /// Whether threads start whenever they are asked for.
    static STARTS: Cell<bool> = const { Cell::new(false) };
}

/// Whether the system starts another thread: in half of the cases, as shuttle draws them.
fn may_start() -> bool {
    STARTS.get() || shuttle::rand::Rng::r#gen(&mut shuttle::rand::thread_rng())
}

/// Counts the orders of a model, and says at its end how many there were.
struct Orders(&'static str, Arc<AtomicUsize>);

impl Orders {
    fn of(model: &'static str) -> Self {
        Self(model, Arc::default())
    }

    /// One more, whenever it is called.
    fn counter(&self) -> impl Fn() + Send + Sync + 'static {
        let count = self.1.clone();
        move || {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Orders {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            println!("\n{}, cases: {}", self.0, self.1.load(Ordering::Relaxed));
        }
    }
}
