//! Shared by the algorithms over one run of squarings: the powers g^(2^i) as one stream, each multiplied into buckets.

use crate::algorithm::buckets::BucketRounds;
use crate::algorithm::{BASE, Counts, Monoid, Register, ShapeBits, ShapeProgram};
use crate::exponent::Exponent;
use core::fmt;
use core::ops::Range;

/// A program whose powers come from one run of squarings: all insertions into buckets in the order of their bits, then
/// an assembly of the powers from the buckets.
pub trait BucketProgram: ShapeProgram {
    /// Buckets that exponents of these lengths take, at most.
    fn most_buckets(&self, bits: &ShapeBits) -> usize;
    /// The insertions, from bit 0 up.
    fn insertions<'a>(&self, exponents: &'a [Exponent]) -> Insertions<'a>;
    /// The powers, one register for each exponent in order, after all insertions; `filled` is [`Insertions::filled`].
    fn assemble<M: Monoid>(&self, exponents: &[Exponent], filled: &[bool], monoid: &mut M) -> Vec<Register>;
    /// What [`BucketProgram::assemble`] costs.
    fn assembly(&self, exponents: &[Exponent], filled: &[bool]) -> Counts;
}

/// The product of a bucket by g^(2^bit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Which power of the stream.
    pub bit: usize,
    /// The bucket, a register from 1 on.
    pub bucket: Register,
    /// The bucket is empty: a copy takes the place of the product.
    pub first: bool,
}

/// Recoded exponents that are read from bit 0 up.
pub(super) trait DigitColumns {
    /// Calls `insert` with the bit and the bucket (counted from 0) of what stands in these bits; the ranges of successive
    /// calls ascend without gaps from bit 0.
    fn columns(&mut self, bits: Range<usize>, insert: &mut dyn FnMut(usize, usize));
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

fn max_bits(exponents: &[Exponent]) -> usize {
    exponents.iter().map(Exponent::bits).max().unwrap_or(0)
}

/// The insertions of a run, one block of bits after the other.
///
/// The squarings and the products into buckets can run on two threads: one makes the powers of a block while the other
/// inserts those of the block before.
pub struct Insertions<'a> {
    columns: Box<dyn DigitColumns + Send + 'a>,
    filled: Vec<bool>,
    /// The insertions of a block in the order of finding, (bit in the block, bucket), and the place of those of each bit.
    found: Vec<(u32, u32)>,
    places: Vec<usize>,
    next_bit: usize,
    block_bits: usize,
    max_bits: usize,
}

impl<'a> Insertions<'a> {
    pub(super) fn new(exponents: &[Exponent], buckets: usize, columns: impl DigitColumns + Send + 'a) -> Self {
        let max_bits = max_bits(exponents);
        let block_bits = block_bits(exponents.len(), buckets, max_bits);
        debug_assert!(u32::try_from(buckets).is_ok());
        Self {
            columns: Box::new(columns),
            filled: vec![false; buckets],
            found: Vec::new(),
            places: Vec::new(),
            next_bit: 0,
            block_bits,
            max_bits,
        }
    }

    /// The bits of the next block, with its insertions in `block`, in the order of their bits; `None` behind the last
    /// one. A block may be empty.
    pub fn next_block(&mut self, block: &mut Vec<Insertion>) -> Option<Range<usize>> {
        block.clear();
        if self.next_bit >= self.max_bits {
            return None;
        }
        let bits = self.next_bit..(self.next_bit + self.block_bits).min(self.max_bits);
        self.next_bit = bits.end;
        self.found.clear();
        self.places.clear();
        self.places.resize(bits.len() + 1, 0);
        let (found, places) = (&mut self.found, &mut self.places);
        self.columns.columns(bits.clone(), &mut |bit, bucket| {
            found.push(((bit - bits.start) as u32, bucket as u32));
            places[bit - bits.start + 1] += 1;
        });
        // Sorted by counting, because there are few bits and many insertions.
        for bit in 1..places.len() {
            places[bit] += places[bit - 1];
        }
        block.resize(found.len(), Insertion { bit: 0, bucket: BASE, first: false });
        for &(bit, bucket) in &*found {
            let place = &mut places[bit as usize];
            let (bit, bucket) = (bits.start + bit as usize, Register(1 + bucket as usize));
            block[*place] = Insertion { bit, bucket, first: false };
            *place += 1;
        }
        for insertion in block {
            insertion.first = !core::mem::replace(&mut self.filled[insertion.bucket.0 - 1], true);
        }
        Some(bits)
    }

    /// Which buckets hold something by now; bucket i is register i + 1.
    pub fn filled(&self) -> &[bool] {
        &self.filled
    }

    /// The most bits that a block has, and with them the most powers.
    pub fn block_bits(&self) -> usize {
        self.block_bits
    }
}

impl fmt::Debug for Insertions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Insertions from bit {} of {} into {} buckets", self.next_bit, self.max_bits, self.filled.len())
    }
}

/// The base, the buckets, and the powers of a block.
pub(super) fn registers(exponents: &[Exponent], buckets: usize) -> usize {
    1 + buckets + block_bits(exponents.len(), buckets, max_bits(exponents))
}

/// The most registers that a run on exponents of these lengths needs.
pub(super) fn most_registers(program: &impl BucketProgram, bits: &ShapeBits) -> usize {
    let buckets = program.most_buckets(bits);
    1 + buckets + block_bits(bits.count, buckets, bits.max_bits)
}

/// The squarings up to the last power that is needed, a product for each insertion but the first of a bucket, and the
/// assembly.
pub(super) fn exact(program: &impl BucketProgram, exponents: &[Exponent]) -> Counts {
    let mut insertions = program.insertions(exponents);
    let (mut block, mut cost) = (Vec::new(), Counts::default());
    while insertions.next_block(&mut block).is_some() {
        cost.squarings = block.last().map_or(cost.squarings, |last| last.bit);
        cost.multiplications += block.iter().filter(|insertion| !insertion.first).count();
    }
    cost + program.assembly(exponents, insertions.filled())
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
    let mut insertions = program.insertions(exponents);
    let buckets = insertions.filled().len();
    let mut rounds = BucketRounds::new(1, buckets);
    let (mut block, mut bits) = (Vec::new(), Vec::new());
    while insertions.next_block(&mut block).is_some() {
        bits.clear();
        bits.extend(block.iter().map(|insertion| insertion.bit).filter(|&bit| bit > 0));
        bits.dedup();
        let mut free = 1 + buckets;
        powers(monoid, &bits, Register(free));
        let (mut at, mut position) = (BASE, 0);
        for &Insertion { bit, bucket, first } in &block {
            if bit > position {
                (at, position) = (Register(free), bit);
                free += 1;
            }
            if first { monoid.copy(bucket, at) } else { rounds.insert(bucket, at) }
        }
        rounds.issue(monoid);
        // Digits of millions of bits take as long as a second, although nothing is multiplied.
        if monoid.halted() {
            return vec![BASE; exponents.len()];
        }
    }
    program.assemble(exponents, insertions.filled(), monoid)
}
