//! How many bits a digit has and how many residues are kept, by counts of products.

/// The sizes of a proof of n squarings with the exponent floor(2^n / l), in digits of `bits` bits.
///
/// The base's power 2^(bits · stride · s) is kept for s = 0, 1, ... Place j + stride s of the exponent belongs to the kept residue s and the column j.
/// In a column, residues with equal digits are multiplied first, in the digit's bucket. Each column is done in `parts`, for several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// The squarings that the proof is of.
    pub(crate) n: u64,
    pub(crate) bits: u32,
    pub(crate) stride: u64,
    pub(crate) parts: u64,
}

/// The most bits of a digit.
pub(crate) const MOST_BITS: u32 = 20;
/// The time of keeping a residue, in products.
const KEEPING: f64 = 1.0;

impl Sizes {
    /// The sizes of the shortest time, with residues of `residue_bytes` bytes in about `memory_bytes`.
    pub(crate) fn choose(n: u64, residue_bytes: usize, memory_bytes: u64, threads: usize) -> Self {
        let (room, threads) = (memory_bytes / residue_bytes.max(1) as u64, threads as u64);
        let mut best = Self { n, bits: 1, stride: n.max(1), parts: 1 };
        let mut least = best.products(threads);
        for bits in 1..=MOST_BITS {
            let kept = room.saturating_sub(threads * buckets(bits)).max(u64::from(bits == 1));
            let blocks = n / u64::from(bits);
            let Some(fewest) = blocks.checked_div(kept) else { break };
            let fewest = (fewest + u64::from(fewest * kept < blocks)).max(1);
            // More columns than the memory asks for save what keeping costs, and are shared evenly.
            let cheapest = (KEEPING * blocks as f64 * threads as f64 / (2u64 << bits) as f64).sqrt() as u64;
            let even = |stride: u64| stride.max(fewest).checked_next_multiple_of(threads).unwrap_or(fewest);
            for stride in [fewest, even(fewest), even(cheapest), even(cheapest / 2)] {
                for parts in 1..=2 * threads {
                    let sizes = Self { n, bits, stride, parts };
                    let products = sizes.products(threads);
                    if products < least {
                        (best, least) = (sizes, products);
                    }
                }
            }
        }
        best
    }

    /// About how many products, one after the other, the proof takes on this many threads.
    fn products(&self, threads: u64) -> f64 {
        let rounds = (self.columns() as f64 * self.parts as f64 / threads as f64).ceil();
        let rows = self.kept() as f64 / self.parts as f64;
        let buckets = (1u64 << self.bits) as f64;
        rounds * (rows + buckets + buckets.min(rows)) + KEEPING * self.kept() as f64 + self.squarings_between() as f64
    }

    /// Digits of the exponent; those above are 0, as l has more bits than a digit.
    pub(crate) fn blocks(&self) -> u64 {
        self.n / u64::from(self.bits)
    }

    /// Residues that are kept.
    pub(crate) fn kept(&self) -> u64 {
        self.blocks().div_ceil(self.stride)
    }

    /// Squarings from one kept residue to the next.
    pub(crate) fn squarings_between(&self) -> u64 {
        u64::from(self.bits).saturating_mul(self.stride)
    }

    /// How many residues are kept after `done` squarings.
    pub(crate) fn kept_after(&self, done: u64) -> u64 {
        (done / self.squarings_between() + 1).min(self.kept())
    }

    /// The columns that have digits.
    fn columns(&self) -> u64 {
        self.stride.min(self.blocks())
    }

    /// Pieces of work of the proof.
    pub(crate) fn tasks(&self) -> u64 {
        self.columns().saturating_mul(self.parts)
    }

    /// Task `index`: the columns go from the last to the first.
    pub(crate) fn task(&self, index: u64) -> Task {
        let column = self.columns() - 1 - index / self.parts;
        let rows = (self.blocks() - column).div_ceil(self.stride);
        let row = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(self.parts)) as u64;
        let part = index % self.parts;
        Task { column, from: row(part), to: row(part + 1), starts_column: part == 0 }
    }
}

/// Residues of a proof's thread besides the kept ones: a bucket for each digit but 0, and a few for sums and operands.
pub(crate) fn buckets(bits: u32) -> u64 {
    (1 << bits) + 4
}

/// The kept residues from `from` to before `to`, with their digits in a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) column: u64,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) starts_column: bool,
}
