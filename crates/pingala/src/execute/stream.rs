//! Several powers of one base on more than one thread: one makes the powers g^(2^i), the others multiply them into buckets.

use crate::algorithm::{BASE, ManyExponents, Monoid, Register};
use crate::error::Error;
use crate::execute::pulse::{Pulse, Watch};
use crate::execute::residues::{Public, Residues};
use crate::execute::shape::{Powers, Told};
use crate::exponent::Exponent;
use crate::kernel::Ring;
use crate::natural::Natural;
use core::sync::atomic::AtomicBool;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Powers that are handed over at once.
const BLOCK_BITS: usize = 64;

/// Blocks that may wait for a thread: enough that neither waits for the other at each block.
const BLOCKS_AHEAD: usize = 8;

/// g^(2^i) for [`BLOCK_BITS`] successive bits, or fewer at the end.
type Block = Arc<Vec<u64>>;

/// What the threads have in common.
#[derive(Clone, Copy)]
struct Stream<'a> {
    ring: &'a dyn Ring<u64>,
    algorithm: &'a ManyExponents,
    base: &'a Natural,
    /// Of the longest exponent.
    max_bits: usize,
    watch: Option<&'a dyn Watch>,
    stopped: &'a AtomicBool,
}

/// The powers, canonical, in order, on `threads` threads, 2 or more. `None` where the algorithm shares no squarings.
pub(crate) fn powers(
    ring: &dyn Ring<u64>,
    algorithm: &ManyExponents,
    &Powers { base, exponents, threads, told, pulse }: &Powers<'_>,
) -> Option<Result<Vec<Natural>, Error>> {
    let max_bits = exponents.iter().map(Exponent::bits).max().filter(|_| algorithm.shares_squarings())?;
    let stopped = AtomicBool::new(false);
    let (watch, stopped) = pulse.shared(&stopped);
    let stream = Stream { ring, algorithm, base, max_bits, watch, stopped };
    let inserters = (threads - 1).clamp(1, exponents.len());
    let shares = (0..inserters)
        .map(|share| &exponents[share * exponents.len() / inserters..(share + 1) * exponents.len() / inserters]);
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..inserters).map(|_| sync_channel(BLOCKS_AHEAD)).unzip();
    let powers = std::thread::scope(|scope| {
        let squarings = scope.spawn(move || stream.square(senders));
        let mut work = shares.zip(receivers);
        let own = work.next();
        let others: Vec<_> =
            work.map(|(exponents, blocks)| scope.spawn(move || stream.insert(exponents, &blocks, None))).collect();
        // The calling thread takes a share of the buckets: it waits for a block at most, and hears its caller in between.
        let mut powers: Vec<Result<Vec<Natural>, Error>> = Vec::with_capacity(inserters);
        powers.extend(own.map(|(share, blocks)| stream.insert(share, &blocks, told)));
        // A panic of a thread is a defect of this library: let it be seen.
        powers.extend(others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
        squarings.join().unwrap_or_else(|panic| resume_unwind(panic));
        powers
    });
    Some(powers.into_iter().collect::<Result<Vec<_>, _>>().map(|shares| shares.concat()))
}

impl Stream<'_> {
    fn pulse(&self) -> Pulse<'_> {
        Pulse::new(self.watch, Some(self.stopped)).for_words(self.ring.words())
    }

    /// Makes the powers until all are made, or nobody takes them any more.
    fn square(&self, mut takers: Vec<SyncSender<Block>>) {
        let pulse = self.pulse();
        let power = Register(1);
        let mut room = vec![0; Residues::<u64, Public>::room_words(self.ring, 2)];
        let mut residues = Residues::<u64, Public>::new(self.ring, &mut room, &pulse);
        residues.set(BASE, self.base.limbs());
        residues.copy(power, BASE);
        for first in (0..self.max_bits).step_by(BLOCK_BITS) {
            let mut block = Vec::with_capacity(BLOCK_BITS * residues.words());
            for bit in first..(first + BLOCK_BITS).min(self.max_bits) {
                if bit > 0 {
                    residues.sqr_n(power, power, 1);
                }
                block.extend_from_slice(residues.raw(power));
            }
            let block: Block = Arc::new(block);
            // Who has shorter exponents goes earlier.
            takers.retain(|taker| taker.send(block.clone()).is_ok());
            if pulse.halted() || takers.is_empty() {
                return;
            }
        }
    }

    /// The powers of a share of the exponents; tells how far they are, if it is the one to tell.
    fn insert(
        &self,
        exponents: &[Exponent],
        blocks: &Receiver<Block>,
        told: Option<Told<'_>>,
    ) -> Result<Vec<Natural>, Error> {
        let pulse = self.pulse();
        let mut room = vec![0; Residues::<u64, Public>::room_words(self.ring, self.algorithm.registers(exponents))];
        let mut residues = Residues::<u64, Public>::new(self.ring, &mut room, &pulse);
        residues.set(BASE, self.base.limbs());
        let words = residues.words();
        // The block at hand, and its first bit. Bits ascend, and blocks with them.
        let (mut block, mut first): (Option<Block>, usize) = (None, 0);
        let powers = self.algorithm.run_on_powers(exponents, &mut residues, &mut |residues, bit, out| {
            while block.is_none() || bit >= first + BLOCK_BITS {
                first = if block.is_none() { 0 } else { first + BLOCK_BITS };
                block = blocks.recv().ok();
                if block.is_none() {
                    // Stopped: the result is worthless, and nobody looks at it.
                    return;
                }
                told.inspect(|told| told.tell(first, self.max_bits));
            }
            if let Some(block) = &block {
                let at = (bit - first) * words;
                residues.set_raw(out, &block[at..at + words]);
            }
        });
        // Asked once more: the other threads may have heard what this one has not.
        if pulse.halted() || !pulse.ask() {
            return Err(Error::Interrupted);
        }
        let mut value = vec![0; words];
        let take = |power: Register| {
            residues.take(&mut value, power);
            Natural::from_limbs(&value)
        };
        Ok(powers.unwrap_or_default().into_iter().map(take).collect())
    }
}
