//! Plans powers of one base on several threads: one thread squares, the others multiply the powers into buckets.

use crate::algorithm::{ExpectedCost, ManyExponents, ShapeBits};
use crate::engine::plan::FormPrice;
use crate::kernel::registry::Form;
use crate::work::shared_work::plan::{ShapeAlgorithm, nanoseconds};

/// Bytes of powers that are handed over at once: computing them takes much longer than waking a thread. docs/records/thresholds.md
/// compares sizes.
const BLOCK_BYTES: usize = 1 << 18;

/// Fewest blocks of a run: the other threads start soon after the first block, and little work remains after the last.
const FEWEST_BLOCKS: usize = 32;

/// Blocks that may wait for a thread: enough that neither waits for the other at each block.
pub(crate) const BLOCKS_AHEAD: usize = 4;

/// Blocks in use while the next one is computed: those that wait, the one that a thread works on, and the one that it has just
/// finished.
pub(crate) const BLOCKS_TAKEN: usize = BLOCKS_AHEAD + 2;

/// Cost of a nanosecond of work that runs behind longer work on another core: the cores share caches and memory.
/// docs/records/thresholds.md has the measurement.
const HIDDEN: f64 = 0.13;

/// What waking a thread for a block takes, as a part of the price of starting one. docs/records/threads.md has the measurement.
const WAKING: f64 = 1.0 / 6.0;

/// Expected nanoseconds of handing blocks over to the threads that wait for them, where a thread starts in this time.
pub(crate) fn handing_over(words: usize, max_bits: usize, start: f64) -> f64 {
    max_bits.div_ceil(block_bits(words, max_bits)) as f64 * WAKING * start
}

/// Bits of a block of residues of `words` words.
pub(crate) fn block_bits(words: usize, max_bits: usize) -> usize {
    (BLOCK_BYTES / (words * size_of::<u64>())).min(max_bits / FEWEST_BLOCKS).max(1)
}

/// Expected nanoseconds until the powers are there, on a kernel with these prices, on `threads` threads, 2 or more, that have started, without
/// handing blocks over. None for an algorithm that shares no squarings, or if the buckets and the blocks do not fit the memory.
pub(crate) fn price(
    algorithm: &ManyExponents,
    (form, prices): (&Form, &FormPrice),
    (work, modulus_bits, memory_bytes): (&ShapeBits, usize, u64),
    threads: usize,
) -> Option<f64> {
    let inserters = (threads - 1).clamp(1, work.count);
    // The largest and the smallest share of the exponents; the smallest leaves memory for the most powers.
    let share = |count: usize| {
        let average = work.total_bits / work.count as u64;
        ShapeBits { count, total_bits: (average * count as u64).max(work.max_bits as u64), ..*work }
    };
    let (most, fewest) = (share(work.count.div_ceil(inserters)), share(work.count / inserters));
    let buckets = algorithm.buckets(&most)?;
    // The squaring thread owns the blocks.
    let residue_bytes = form.residue_bytes(modulus_bits);
    let of_each = buckets + algorithm.most_registers(&fewest) - algorithm.buckets(&fewest)?;
    let blocks = (1 + BLOCKS_TAKEN) * block_bits(residue_bytes / size_of::<u64>(), work.max_bits);
    let residues = inserters * of_each + blocks;
    if (residues * residue_bytes) as u64 > memory_bytes {
        return None;
    }
    let squarings = prices.setup + algorithm.expected(work).squarings * prices.sqr;
    let products = ExpectedCost { squarings: 0.0, ..algorithm.expected(&most) };
    let products = nanoseconds(&products, prices, most.count + 1) + algorithm.extra_nanoseconds(&most, &products);
    // The assembly comes after the last squaring.
    let assembly = (2.0 * buckets as f64 * prices.mul).min(products);
    let insertions = products - assembly;
    // Hidden work is not free: the threads share caches, and they do not run in lockstep.
    let (longer, hidden) = if squarings > insertions { (squarings, insertions) } else { (insertions, squarings) };
    Some(longer + HIDDEN * hidden + assembly)
}

#[cfg(test)]
#[path = "../../../tests/inside/work/shared_work/stream_plan.rs"]
mod tests;
