//! Several powers of one base on several threads: one thread computes the powers g^(2^i), the others multiply them into buckets.

use crate::algorithm::{BASE, ManyExponents, Register, ShapeBits};
use crate::engine::execute::{Crew, Poll, Public, RingResidues, Watch, with_registers};
use crate::engine::plan::schedule::THREADS;
use crate::error::Error;
use crate::exponent::Exponent;
use crate::kernel::Ring;
use crate::kernel::cache_line::{self, prefetch, prefetch_for_writing};
use crate::natural::Natural;
use crate::work::request::{Powers, ProgressSlice};
use crate::work::shared_work::stream_plan::{BLOCKS_AHEAD, BLOCKS_TAKEN, block_bits};
use core::sync::atomic::AtomicBool;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How many powers ahead of their use are prefetched: their cache lines are on another core. docs/records/thresholds.md compares
/// distances.
const POWERS_AHEAD: usize = 4;

/// g^(2^i) for successive bits i as the ring has them, the first of them at word `start`, which starts a cache line.
struct Block {
    room: Vec<u64>,
    start: usize,
    words: usize,
}

impl Block {
    fn new(words: usize, bits: usize) -> Self {
        let room = vec![0; words * bits + cache_line::spare::<u64>()];
        Self { start: cache_line::first_word(&room), room, words }
    }

    /// The power of a bit, counted from the block's first; behind the last one none, or what is spare.
    fn power(&self, bit: usize) -> Option<&[u64]> {
        let at = self.start + bit * self.words;
        self.room.get(at..at + self.words)
    }
}

/// A thread that inserts powers, below g^(2^bits).
struct Consumer {
    blocks: SyncSender<Arc<Block>>,
    bits: usize,
}

/// What the threads have in common.
#[derive(Clone, Copy)]
struct Stream<'a> {
    ring: &'a dyn Ring<u64>,
    algorithm: &'a ManyExponents,
    base: &'a Natural,
    /// Of the longest exponent.
    max_bits: usize,
    watch: &'a dyn Watch,
    stopped: &'a AtomicBool,
}

/// The powers, canonical, in order, on `threads` threads, 2 or more. `None` if the algorithm shares no squarings,
/// or the system starts no more threads.
pub(crate) fn powers(
    ring: &dyn Ring<u64>,
    algorithm: &ManyExponents,
    &Powers { base, exponents, threads, progress, poll }: &Powers<'_>,
) -> Option<Result<Vec<Natural>, Error>> {
    if !THREADS {
        return None;
    }
    let bits = ShapeBits::of(exponents);
    algorithm.buckets(&bits)?;
    let max_bits = bits.max_bits;
    let (stopped, watch) = (AtomicBool::new(false), poll.nested(None));
    let stream = Stream { ring, algorithm, base, max_bits, watch: &watch, stopped: &stopped };
    let inserters = (threads - 1).clamp(1, exponents.len());
    let shares = (0..inserters)
        .map(|share| &exponents[share * exponents.len() / inserters..(share + 1) * exponents.len() / inserters]);
    let consumer = |share: &[Exponent]| {
        let (blocks, receiver) = sync_channel(BLOCKS_AHEAD);
        (Consumer { blocks, bits: ShapeBits::of(share).max_bits }, receiver)
    };
    let (consumers, receivers): (Vec<_>, Vec<_>) = shares.clone().map(consumer).unzip();
    let crew = Crew::new();
    let powers = std::thread::scope(|scope| {
        let mut work = shares.zip(receivers);
        let own = work.next();
        let others = work.map(|(share, blocks)| crew.start(scope, move || stream.insert(share, &blocks, None)));
        // If a thread does not start, drop the senders, so that the threads that did start end.
        let others: Vec<_> = others.collect::<Option<_>>()?;
        let squarings = crew.start(scope, move || stream.square(consumers))?;
        // The calling thread takes a share of the buckets: it waits for at most one block, and polls in between.
        let mut powers: Vec<Result<Vec<Natural>, Error>> = Vec::with_capacity(inserters);
        powers.extend(own.map(|(share, blocks)| stream.insert(share, &blocks, progress)));
        let poll = stream.poll();
        crew.wait(|| {
            let _ = poll.halted() || !poll.now();
        });
        // A panic of a thread is a defect of this library: let it be seen.
        powers.extend(others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
        squarings.join().unwrap_or_else(|panic| resume_unwind(panic));
        Some(powers)
    })?;
    Some(powers.into_iter().collect::<Result<Vec<_>, _>>().map(|shares| shares.concat()))
}

impl Stream<'_> {
    fn poll(&self) -> Poll<'_> {
        Poll::new(Some(self.watch), Some(self.stopped)).for_words(self.ring.words())
    }

    /// Computes the powers, each from the one before it, until all are there or every receiver is gone. A squaring waits for the cache
    /// lines that it reads, and those of a block come from another core: they are prefetched.
    fn square(&self, mut consumers: Vec<Consumer>) {
        let (ring, words, poll) = (self.ring, self.ring.words(), self.poll());
        let bits = self.block_bits();
        let mut scratch = vec![0; ring.scratch_words()];
        let mut handed_over: VecDeque<Arc<Block>> = VecDeque::new();
        for first in (0..self.max_bits).step_by(bits) {
            let oldest = if handed_over.len() > BLOCKS_TAKEN { handed_over.pop_front() } else { None };
            let mut block = oldest.and_then(Arc::into_inner).unwrap_or_else(|| Block::new(words, bits));
            let mut at = block.start;
            match handed_over.back().and_then(|before| before.power(bits - 1)) {
                None => ring.enter(&mut block.room, at, self.base.limbs(), &mut scratch),
                Some(last) => {
                    block.room[at..at + words].copy_from_slice(last);
                    ring.sqr(&mut block.room, at, at, &mut scratch);
                }
            }
            for bit in 1..bits.min(self.max_bits - first) {
                if !poll.go_on() {
                    return;
                }
                if let Some(soon) = block.power(bit + POWERS_AHEAD) {
                    prefetch_for_writing(soon);
                }
                ring.sqr(&mut block.room, at + words, at, &mut scratch);
                at += words;
            }
            let block = Arc::new(block);
            // A thread with shorter exponents ends earlier, and this one does not wait while it assembles its powers.
            consumers.retain(|consumer| consumer.blocks.send(block.clone()).is_ok() && first + bits < consumer.bits);
            if consumers.is_empty() {
                return;
            }
            handed_over.push_back(block);
        }
    }

    fn block_bits(&self) -> usize {
        block_bits(self.ring.words(), self.max_bits)
    }

    /// The powers of a share of the exponents; tells how far they are, if it is the one to tell.
    fn insert(
        &self,
        exponents: &[Exponent],
        blocks: &Receiver<Arc<Block>>,
        progress: Option<ProgressSlice<'_>>,
    ) -> Result<Vec<Natural>, Error> {
        let poll = self.poll();
        let registers = self.algorithm.registers(exponents);
        with_registers(self.ring, registers, &poll, |mut residues: RingResidues<'_, u64, Public>| {
            residues.set(BASE, self.base.limbs());
            // The block at hand, and its first bit. Bits ascend, and blocks with them.
            let bits = self.block_bits();
            let (mut block, mut first): (Option<Arc<Block>>, usize) = (None, 0);
            let powers = self.algorithm.run_on_powers(exponents, &mut residues, &mut |residues, wanted, out| {
                for (index, &bit) in wanted.iter().enumerate() {
                    while block.is_none() || bit >= first + bits {
                        first = if block.is_none() { 0 } else { first + bits };
                        block = blocks.recv().ok();
                        if block.is_none() || !poll.now() {
                            // Stopped: the result is worthless, and the caller drops it.
                            return;
                        }
                        progress.inspect(|slice| slice.report(first, self.max_bits));
                    }
                    let power = |bit: usize| block.as_ref().and_then(|block| block.power(bit - first));
                    if let Some(soon) = wanted.get(index + POWERS_AHEAD).and_then(|&bit| power(bit)) {
                        prefetch(soon);
                    }
                    if let Some(power) = power(bit) {
                        residues.set_raw(Register(out.0 + index), power);
                    }
                }
            });
            // A last poll: other threads may have seen a stop that this one has not.
            if poll.halted() || !poll.now() {
                return Err(Error::Interrupted);
            }
            powers.unwrap_or_default().into_iter().map(|power| residues.number(power, 0)).collect()
        })
    }
}
