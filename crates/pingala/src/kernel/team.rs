//! Threads that share the parts of one operation: who starts them is not said here.

#![allow(unsafe_code)]

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// TeamWork with a number: called from any thread of a team.
type TeamWork = dyn Fn(usize) + Sync;

/// Some threads, and the work that they share at the moment.
///
/// Who waits looks for a while before it sleeps: the parts of an operation follow one another at once, and a thread that sleeps takes
/// longer to wake than a part takes.
pub(crate) struct Team {
    shared: Mutex<TeamState>,
    /// There is work, or there will be none any more.
    begun: Condvar,
    /// A helper has left the work.
    left: Condvar,
    /// The number of works so far, as helpers see it without the lock.
    works: AtomicUsize,
    next: AtomicUsize,
    /// Helpers at work. Only who holds the lock changes it.
    helping: AtomicUsize,
}

/// For how long a thread looks before it sleeps: some times what it takes to wake one.
const LOOKING: Duration = Duration::from_micros(200);

#[derive(Default)]
struct TeamState {
    /// The work and how often it is called. It lives until nobody is helping and nobody can enter any more.
    work: Option<(*const TeamWork, usize)>,
    /// Helpers that sleep: waking them is a call of the system.
    sleeping: usize,
    /// The caller sleeps until the helpers have left.
    caller_sleeps: bool,
    closed: bool,
}

// SAFETY: the pointer is to something that is `Sync`, and `Team::each` outlives its use.
unsafe impl Send for TeamState {}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Team")
    }
}

/// Calls `work` with each number below `count`, on a team if there is one.
pub(crate) fn each(team: Option<&Team>, count: usize, work: &(dyn Fn(usize) + Sync)) {
    match team {
        Some(team) => team.each(count, work),
        None => (0..count).for_each(work),
    }
}

/// Calls `work` with each item and its number, on a team if there is one.
pub(crate) fn each_of<T: Send>(team: Option<&Team>, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    let lent = Lent(items.as_mut_ptr());
    // SAFETY: every number is taken once, so that no item is lent twice.
    each(team, items.len(), &|index| work(index, unsafe { lent.item(index) }));
}

/// Items that are lent one by one.
struct Lent<T>(*mut T);

// SAFETY: each item goes to one thread.
unsafe impl<T: Send> Sync for Lent<T> {}

impl<T> Lent<T> {
    /// An item.
    ///
    /// # Safety
    /// It is there, and nobody else has it.
    #[expect(clippy::mut_from_ref, reason = "threads take different items")]
    unsafe fn item(&self, index: usize) -> &mut T {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.0.add(index) }
    }
}

/// Looks until something holds, or for long enough; whether it holds.
fn look_until(holds: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        // As long as reading the clock takes.
        for _ in 0..8 {
            if holds() {
                return true;
            }
            core::hint::spin_loop();
        }
        if start.elapsed() > LOOKING {
            return holds();
        }
    }
}

impl Team {
    pub(crate) fn new() -> Self {
        Self {
            shared: Mutex::default(),
            begun: Condvar::new(),
            left: Condvar::new(),
            works: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            helping: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, TeamState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with each number below `count`, on the calling thread and on the helpers. It returns when all are done.
    pub(crate) fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.next.store(0, Ordering::Relaxed);
        // SAFETY: only the lifetime changes; `Leaving` waits, on a panic too, until no helper has the pointer.
        let erased: *const TeamWork = unsafe { core::mem::transmute(core::ptr::from_ref(work)) };
        let mut shared = self.lock();
        shared.work = Some((erased, count));
        self.works.fetch_add(1, Ordering::Release);
        let sleeping = shared.sleeping > 0;
        drop(shared);
        if sleeping {
            self.begun.notify_all();
        }
        let _leaving = Leaving(self);
        self.take(count, work);
    }

    fn take(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            work(index);
        }
    }

    /// Helps until the team is closed.
    pub(crate) fn help(&self) {
        let mut seen = 0;
        loop {
            look_until(|| self.works.load(Ordering::Acquire) != seen);
            let mut shared = self.lock();
            while self.works.load(Ordering::Acquire) == seen && !shared.closed {
                shared.sleeping += 1;
                shared = self.begun.wait(shared).unwrap_or_else(PoisonError::into_inner);
                shared.sleeping -= 1;
            }
            if shared.closed {
                return;
            }
            seen = self.works.load(Ordering::Acquire);
            let Some((work, count)) = shared.work else { continue };
            self.helping.fetch_add(1, Ordering::Relaxed);
            drop(shared);
            let _leaving = Helping(self);
            // SAFETY: `helping` keeps the caller of `each` waiting.
            self.take(count, unsafe { &*work });
        }
    }

    /// Sends the helpers home.
    pub(crate) fn close(&self) {
        let mut shared = self.lock();
        shared.closed = true;
        // Helpers that look see this.
        self.works.fetch_add(1, Ordering::Release);
        drop(shared);
        self.begun.notify_all();
    }
}

/// Ends a work when its caller leaves it.
struct Leaving<'t>(&'t Team);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.lock().work = None;
        // Nobody enters any more.
        let all_left = || self.0.helping.load(Ordering::Acquire) == 0;
        if !look_until(all_left) {
            let mut shared = self.0.lock();
            shared.caller_sleeps = true;
            while !all_left() {
                shared = self.0.left.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
            shared.caller_sleeps = false;
        }
    }
}

/// A helper at work.
struct Helping<'t>(&'t Team);

impl Drop for Helping<'_> {
    fn drop(&mut self) {
        let shared = self.0.lock();
        self.0.helping.fetch_sub(1, Ordering::Release);
        let caller_sleeps = shared.caller_sleeps;
        drop(shared);
        if caller_sleeps {
            self.0.left.notify_one();
        }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/team.rs"]
mod tests;
