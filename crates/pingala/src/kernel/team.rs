//! Threads that share the parts of one operation: who starts them is not said here.

#![allow(unsafe_code)]

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// TeamWork with a number: called from any thread of a team.
type TeamWork = dyn Fn(usize) + Sync;

/// Some threads, and the work that they share at the moment.
///
/// A helper waits for work for as long as it is quick to wait without sleeping, because the parts of an operation follow one another
/// at once.
pub(crate) struct Team {
    shared: Mutex<TeamState>,
    /// There is work, or there will be none any more.
    begun: Condvar,
    /// A helper has left the work.
    left: Condvar,
    /// The number of works so far, as helpers see it without the lock.
    works: AtomicUsize,
    next: AtomicUsize,
}

#[derive(Default)]
struct TeamState {
    /// The work and how often it is called. It lives until `helping` is 0 and nobody can enter any more.
    work: Option<(*const TeamWork, usize)>,
    helping: usize,
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

impl Team {
    pub(crate) fn new() -> Self {
        Self {
            shared: Mutex::default(),
            begun: Condvar::new(),
            left: Condvar::new(),
            works: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
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
        drop(shared);
        self.begun.notify_all();
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
            // It sleeps after some tens of microseconds.
            let mut looks = 0;
            while self.works.load(Ordering::Acquire) == seen && looks < 20_000 {
                core::hint::spin_loop();
                looks += 1;
            }
            let mut shared = self.lock();
            while self.works.load(Ordering::Acquire) == seen && !shared.closed {
                shared = self.begun.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
            if shared.closed {
                return;
            }
            seen = self.works.load(Ordering::Acquire);
            let Some((work, count)) = shared.work else { continue };
            shared.helping += 1;
            drop(shared);
            let _leaving = Helping(self);
            // SAFETY: `helping` keeps the caller of `each` waiting.
            self.take(count, unsafe { &*work });
        }
    }

    /// Sends the helpers home.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.begun.notify_all();
    }
}

/// Ends a work when its caller leaves it.
struct Leaving<'t>(&'t Team);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut shared = self.0.lock();
        shared.work = None;
        while shared.helping > 0 {
            shared = self.0.left.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A helper at work.
struct Helping<'t>(&'t Team);

impl Drop for Helping<'_> {
    fn drop(&mut self) {
        self.0.lock().helping -= 1;
        self.0.left.notify_one();
    }
}
