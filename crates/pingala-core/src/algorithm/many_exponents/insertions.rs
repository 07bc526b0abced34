//! Shared by the algorithms over one run of squarings: the powers g^(2^i) as one stream, each multiplied into buckets.

use crate::algorithm::buckets::BucketRounds;
use crate::algorithm::shape_program::longest;
use crate::algorithm::{BASE, Monoid, Register, ShapeBits, ShapeProgram};
use crate::exponent::Exponent;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A program whose powers come from one run of squarings: all insertions into buckets in the order of their bits, then
/// an assembly of the powers from the buckets.
pub trait BucketProgram: ShapeProgram {
    /// Buckets that exponents of these lengths take, at most.
    fn most_buckets(&self, bits: &ShapeBits) -> usize;
    /// Buckets that these exponents take.
    fn buckets(&self, exponents: &[Exponent]) -> usize;
    /// The recoded exponents, read from bit 0 up: calls its last argument with the bit and the bucket (counted from 0) of what stands in
    /// these bits. The ranges of successive calls ascend without gaps from bit 0.
    fn columns(&self, exponents: &[Exponent]) -> impl FnMut(Range<usize>, &mut dyn FnMut(usize, usize));
    /// The powers, one register for each exponent in order, after all insertions. Bucket i is register i + 1; `filled` says which of
    /// them hold something.
    fn assemble<M: Monoid>(&self, exponents: &[Exponent], filled: &[bool], monoid: &mut M) -> Vec<Register>;
}

/// Buckets that a cache holds, of residues of some hundred bytes.
const CACHED_BUCKETS: usize = 1 << 12;

/// The bits of a block: enough for a monoid to find independent products and for looking at each exponent to pay. Few, where
/// the powers and the insertions of a block stay in the cache with all buckets; otherwise many, because each block goes once
/// through the memory of the buckets ([`BucketRounds`] keeps their order).
fn block_bits(count: usize, buckets: usize, max_bits: usize) -> usize {
    let (insertions, most) = if buckets <= CACHED_BUCKETS { (1 << 15, 256) } else { (1 << 21, 2048) };
    (insertions / count).clamp(4, most).min(max_bits)
}

/// The base, the buckets, and the powers of a block of exponents of these lengths.
pub(super) fn registers(bits: &ShapeBits, buckets: usize) -> usize {
    1 + buckets + block_bits(bits.count, buckets, bits.max_bits)
}

/// Runs block by block: the powers of the block that are needed into registers of their own, then the products of the
/// block in rounds.
pub(super) fn run<M: Monoid>(program: &impl BucketProgram, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
    // The last power made, and its bit.
    let (mut power, mut position) = (BASE, 0);
    run_on_powers(program, exponents, monoid, &mut |monoid, bits, first| {
        for (&bit, out) in bits.iter().zip((first.0..).map(Register)) {
            monoid.sqr_n(out, power, bit - position);
            (power, position) = (out, bit);
        }
    })
}

/// Runs on powers that are made elsewhere: `powers(monoid, bits, first)` puts g^(2^bit) into successive registers from
/// `first` on, for ascending bits from 1 on. (g^(2^0) is in [`BASE`].)
pub(in crate::algorithm) fn run_on_powers<M: Monoid>(
    program: &impl BucketProgram,
    exponents: &[Exponent],
    monoid: &mut M,
    powers: &mut dyn FnMut(&mut M, &[usize], Register),
) -> Vec<Register> {
    let (buckets, max_bits) = (program.buckets(exponents), longest(exponents));
    debug_assert!(u32::try_from(buckets).is_ok());
    let mut columns = program.columns(exponents);
    let (mut filled, mut rounds) = (vec![false; buckets], BucketRounds::new(1, buckets));
    // The insertions of a block, (bit in the block, bucket), in the order of the columns, and in the order of their bits.
    let (mut found, mut sorted) = (Vec::<(u32, u32)>::new(), Vec::new());
    // How many insertions each bit of the block has, then where they begin; and the bits whose powers are needed.
    let (mut places, mut needed) = (Vec::new(), Vec::new());
    let block_bits = block_bits(exponents.len(), buckets, max_bits);
    for start in (0..max_bits).step_by(block_bits) {
        let bits = start..(start + block_bits).min(max_bits);
        places.clear();
        places.resize(bits.len() + 1, 0);
        found.clear();
        columns(bits.clone(), &mut |bit, bucket| {
            found.push(((bit - start) as u32, bucket as u32));
            places[bit - start + 1] += 1;
        });
        needed.clear();
        needed.extend(bits.filter(|&bit| bit > 0 && places[bit - start + 1] > 0));
        debug_assert!(needed.len() <= block_bits, "a register for each");
        powers(monoid, &needed, Register(1 + buckets));
        // Sorted by counting, because there are few bits and many insertions.
        for bit in 1..places.len() {
            places[bit] += places[bit - 1];
        }
        sorted.clear();
        sorted.resize(found.len(), (0, 0));
        for &(bit, bucket) in &found {
            let place = &mut places[bit as usize];
            sorted[*place] = (bit, bucket as usize);
            *place += 1;
        }
        let (mut free, mut at, mut position) = (1 + buckets, BASE, 0);
        for &(bit, bucket) in &sorted {
            let bit = start + bit as usize;
            if bit > position {
                (at, position) = (Register(free), bit);
                free += 1;
            }
            // The first product into a bucket is a copy.
            let is_filled = core::mem::replace(&mut filled[bucket], true);
            if is_filled { rounds.insert(Register(1 + bucket), at) } else { monoid.copy(Register(1 + bucket), at) }
        }
        rounds.issue(monoid);
        // Digits of millions of bits take as long as a second, although nothing is multiplied.
        if monoid.halted() {
            return vec![BASE; exponents.len()];
        }
    }
    program.assemble(exponents, &filled, monoid)
}
