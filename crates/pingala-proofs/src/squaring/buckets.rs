//! The root of a proof: x^floor(2^n / l) from the residues that were kept, by buckets.

use crate::squaring::digits::{Challenge, Digits};
use crate::squaring::kept::{Kept, silent};
use crate::squaring::sizes::{Sizes, Task};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use pingala_core::threads::each;
use pingala_core::{Error, Integer, Modulus, Options, Residues, Watch, pairs};
use std::sync::{Mutex, PoisonError};

/// Products between two polls.
pub(crate) fn products_between(modulus_bits: u64) -> u64 {
    const WORD_PRODUCTS: u64 = 2_000_000;
    let words = modulus_bits.div_ceil(64);
    (WORD_PRODUCTS / (words * words).max(1)).max(1)
}

/// What the threads of a proof share.
pub(crate) struct Shared<'a> {
    pub(crate) kept: &'a Kept,
    pub(crate) challenge: &'a Challenge,
    pub(crate) sizes: Sizes,
    pub(crate) options: &'a Options<'a>,
    /// Digits that are done, in all tasks.
    pub(crate) digits_done: &'a AtomicU64,
    /// Receives them now and then.
    pub(crate) report: &'a (dyn Fn(u64) + Sync),
}

impl Shared<'_> {
    /// Computes the product of a task in its room: for each digit d, the product of the residues with this digit to the power d, and these multiplied.
    ///
    /// Errors: `interrupted`; `bad_plan` if the system does not have the memory.
    fn product(&self, task: Task, room: &mut Room, watch: &dyn Watch) -> Result<(), Error> {
        let (sizes, kept) = (&self.sizes, self.kept);
        let Room { buckets, sums, until_poll: left } = room;
        buckets.truncate(0);
        (0..SUMS).try_for_each(|sum| sums.set_one(sum))?;
        let n_digits = 1usize << sizes.bits;
        // The place of each digit's bucket.
        let mut places = vec![None; n_digits];
        let between = products_between(sums.modulus().value().bits());
        let mut digits_unreported = 0;
        let mut poll = |digits: u64| {
            digits_unreported += digits;
            *left = left.saturating_sub(1);
            if *left > 0 {
                return Ok(());
            }
            *left = between;
            let digits = core::mem::take(&mut digits_unreported);
            (self.report)(self.digits_done.fetch_add(digits, Relaxed) + digits);
            if watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
        };
        if task.from < task.to {
            let last = task.column + sizes.stride * (task.to - 1);
            let mut digits = Digits::new(self.challenge, sizes.n, sizes.bits, last, sizes.stride);
            let mut next = digits.next() as usize;
            for row in (task.from..task.to).rev() {
                let digit = next;
                // The buckets are larger than the caches next to the core.
                if row > task.from {
                    next = digits.next() as usize;
                    places[next].inspect(|&place| buckets.prefetch(place));
                    let (block, at) = kept.at(row as usize - 1);
                    block.prefetch(at);
                }
                let (block, at) = kept.at(row as usize);
                match places[digit] {
                    _ if digit == 0 => {}
                    Some(place) => buckets.mul_assign(place, block, at)?,
                    None => {
                        places[digit] = Some(buckets.len());
                        buckets.push_from(block, at)?;
                    }
                }
                poll(1)?;
            }
        }
        // The product of the buckets from d on, for every d, is multiplied up: a bucket d enters d times.
        let mut is_empty = true;
        for digit in (1..n_digits).rev() {
            if let Some(place) = places[digit] {
                sums.mul_assign(RUNNING, buckets, place)?;
                is_empty = false;
            }
            if !is_empty {
                sums.mul_own(TOTAL, RUNNING)?;
            }
            poll(0)?;
        }
        self.digits_done.fetch_add(digits_unreported, Relaxed);
        Ok(())
    }

    /// Computes the products of these tasks, each in its room on its thread. Errors as [`Shared::product`].
    pub(crate) fn products(&self, tasks: &[Task], rooms: &mut [Room]) -> Result<(), Error> {
        // The last tasks may be fewer than the rooms.
        let rooms = rooms.get_mut(..tasks.len()).ok_or(NO_ROOM)?;
        let work: Vec<_> = pairs(tasks, rooms)?.map(|(&task, room)| (task, Mutex::new(room))).collect();
        let done = each(work.len(), work.len(), self.options.watch(), 0, |index, watch| {
            let (task, room) = &work[index];
            self.product(*task, &mut room.lock().unwrap_or_else(PoisonError::into_inner), watch)
        });
        done.map(drop)
    }
}

/// The residues of one thread.
pub(crate) struct Room {
    /// For each digit that was met, the product of its residues, in the order in which they were met.
    buckets: Residues,
    /// The product of the buckets from a digit on, and the product of those.
    sums: Residues,
    /// Products up to the next poll, which may be in another task.
    until_poll: u64,
}

impl Room {
    /// Room for tasks of these sizes.
    pub(crate) fn new(modulus: &Modulus, sizes: &Sizes, options: &Options<'_>) -> Result<Self, Error> {
        let options = silent(options);
        let one = || Integer::from(1u64);
        let mut buckets = modulus.residues(&[], &options)?;
        buckets.reserve((1 << sizes.bits).min(sizes.kept() as usize))?;
        let sums = modulus.residues(&[one(), one()], &options)?;
        Ok(Self { buckets, sums, until_poll: products_between(modulus.value().bits()) })
    }
}

/// Each task has one.
const NO_ROOM: Error = Error::Fault("a task has no room");

const RUNNING: usize = 0;
const TOTAL: usize = 1;
const SUMS: usize = 2;

/// x to the number whose digits were done so far: the next column is `bits` places lower.
pub(crate) fn join(root: &mut Residues, tasks: &[Task], rooms: &[Room], bits: u32) -> Result<(), Error> {
    for (task, room) in pairs(tasks, rooms.get(..tasks.len()).ok_or(NO_ROOM)?)? {
        if task.starts_column {
            root.square_n(0, bits as usize)?;
        }
        root.mul_assign(0, &room.sums, TOTAL)?;
    }
    Ok(())
}
