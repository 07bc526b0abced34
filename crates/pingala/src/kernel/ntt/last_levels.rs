//! The last levels of the transforms, in blocks of WIDTH^2 residues that stay in registers: across vectors, and after an exchange of lanes and
//! places across them again.

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::field::{Field, FieldProgram};
use super::passes::{Levels, TreeLevels, join_pairs, split_pairs};
use super::primes::Prime;

/// The factors of the nodes of one level of a block: one node to all lanes, or a node to each lane.
///
/// # Safety
/// The level has these nodes.
#[inline(always)]
unsafe fn factors_of_level<F: Field, const LEVEL: usize, const LANES: bool>(
    field: F,
    levels: &Levels,
    node: usize,
) -> [[F::Vector; 2]; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        if LANES {
            return levels.factors(field, LEVEL, node << LEVEL);
        }
        let mut w = [levels.factor(field, LEVEL, node << LEVEL); 4];
        for group in 1..1 << LEVEL {
            w[group] = levels.factor(field, LEVEL, (node << LEVEL) + group);
        }
        w
    }
}

/// One level of a block of WIDTH^2, its first part across vectors and its second, after the exchange of lanes and places. The level is
/// a constant: a loop over levels is not always unrolled (docs/records/ntt.md).
///
/// # Safety
/// The level has these nodes.
#[inline(always)]
unsafe fn split_level<F: Field, const LEVEL: usize, const LANES: bool>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    levels: &Levels,
    node: usize,
) {
    if LEVEL as u32 >= F::LOG {
        return;
    }
    // SAFETY: the caller's promise.
    let w = unsafe { factors_of_level::<F, LEVEL, LANES>(field, levels, node) };
    let half = F::WIDTH >> (LEVEL + 1);
    for group in 0..1 << LEVEL {
        split_pairs(field, m, x, 2 * half * group, half, w[group]);
    }
}

/// The same of the inverse.
///
/// # Safety
/// The level has these nodes.
#[inline(always)]
unsafe fn join_level<F: Field, const LEVEL: usize, const LANES: bool>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    levels: &Levels,
    node: usize,
) {
    if LEVEL as u32 >= F::LOG {
        return;
    }
    // SAFETY: the caller's promise.
    let w = unsafe { factors_of_level::<F, LEVEL, LANES>(field, levels, node) };
    let half = F::WIDTH >> (LEVEL + 1);
    for group in 0..1 << LEVEL {
        join_pairs(field, m, x, 2 * half * group, half, F::LOG as usize - 1 - LEVEL, w[group]);
    }
}

/// Reduces the residues of the first half of the places.
#[inline(always)]
fn reduce_half<F: Field>(field: F, m: &F::Modulus, x: &mut [F::Vector; 8]) {
    for place in 0..F::WIDTH / 2 {
        x[place] = field.reduce(m, x[place]);
    }
}

/// The last levels, in blocks of WIDTH^2.
pub(super) struct LastForward<'l> {
    pub(super) modulus: Prime,
    /// Those of both parts.
    pub(super) levels: [TreeLevels<'l>; 2],
    pub(super) node: usize,
    /// Of each tree; the trees follow one another.
    pub(super) blocks: usize,
    /// Whether the summands are reduced before the first part; before the second they are.
    pub(super) reduces: bool,
    pub(super) at: *mut u64,
}

impl FieldProgram for LastForward<'_> {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let Self { modulus, levels, node, blocks, reduces, at } = self;
        let m = &field.modulus(&modulus);
        let last = LastBlocks { levels, node, blocks };
        let count = blocks * levels[0].starts.len();
        // SAFETY: the caller's blocks, and the nodes of their levels.
        unsafe {
            for first in (0..count - 1).step_by(2) {
                let blocks = [last.block(first), last.block(first + 1)];
                last_forward(field, m, blocks, reduces, at.add(first * F::WIDTH * F::WIDTH));
            }
            if count % 2 == 1 {
                last_forward(field, m, [last.block(count - 1)], reduces, at.add((count - 1) * F::WIDTH * F::WIDTH));
            }
        }
    }
}

/// Blocks of WIDTH^2 residues of some trees, one after the other.
struct LastBlocks<'l> {
    levels: [TreeLevels<'l>; 2],
    node: usize,
    /// Of each tree.
    blocks: usize,
}

impl LastBlocks<'_> {
    /// The factors of both parts of a block, and its node.
    #[inline(always)]
    fn block(&self, index: usize) -> ([Levels; 2], usize) {
        // A power of two.
        let (tree, block) = (index >> self.blocks.trailing_zeros(), index & (self.blocks - 1));
        ([self.levels[0].tree(tree), self.levels[1].tree(tree)], self.node + block)
    }
}

/// The last levels of some blocks that follow one another, level by level: a processor looks ahead as far as one block and a half,
/// and in one block each operation waits for the one before (docs/records/ntt.md).
///
/// # Safety
/// The blocks may be written, and the levels have their nodes.
#[inline(always)]
unsafe fn last_forward<F: Field, const N: usize>(
    field: F,
    m: &F::Modulus,
    blocks: [([Levels; 2], usize); N],
    reduces: bool,
    at: *mut u64,
) {
    let size = F::WIDTH * F::WIDTH;
    // SAFETY: the caller's promise.
    unsafe {
        let mut x = [[field.zero(); 8]; N];
        for n in 0..N {
            for place in 0..F::WIDTH {
                x[n][place] = field.load(at.add(n * size + place * F::WIDTH));
            }
            if reduces {
                reduce_half(field, m, &mut x[n]);
            }
        }
        for n in 0..N {
            split_level::<F, 0, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            split_level::<F, 1, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            split_level::<F, 2, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            field.transpose(&mut x[n]);
            reduce_half(field, m, &mut x[n]);
        }
        // The lanes are WIDTH nodes.
        for n in 0..N {
            split_level::<F, 0, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            split_level::<F, 1, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            split_level::<F, 2, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            for place in 0..F::WIDTH {
                field.store(at.add(n * size + place * F::WIDTH), x[n][place]);
            }
        }
    }
}

pub(super) struct LastInverse<'l> {
    pub(super) modulus: Prime,
    /// Those of both parts.
    pub(super) levels: [TreeLevels<'l>; 2],
    pub(super) node: usize,
    pub(super) blocks: usize,
    pub(super) at: *mut u64,
}

impl FieldProgram for LastInverse<'_> {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let Self { modulus, levels, node, blocks, at } = self;
        let m = &field.modulus(&modulus);
        let last = LastBlocks { levels, node, blocks };
        let count = blocks * levels[0].starts.len();
        // SAFETY: the caller's blocks, and the nodes of their levels.
        unsafe {
            for first in (0..count - 1).step_by(2) {
                let blocks = [last.block(first), last.block(first + 1)];
                last_inverse(field, m, blocks, at.add(first * F::WIDTH * F::WIDTH));
            }
            if count % 2 == 1 {
                last_inverse(field, m, [last.block(count - 1)], at.add((count - 1) * F::WIDTH * F::WIDTH));
            }
        }
    }
}

/// The same of the inverse.
///
/// # Safety
/// The blocks may be written, and the levels have their nodes.
#[inline(always)]
unsafe fn last_inverse<F: Field, const N: usize>(
    field: F,
    m: &F::Modulus,
    blocks: [([Levels; 2], usize); N],
    at: *mut u64,
) {
    let size = F::WIDTH * F::WIDTH;
    // SAFETY: the caller's promise.
    unsafe {
        let mut x = [[field.zero(); 8]; N];
        for n in 0..N {
            for place in 0..F::WIDTH {
                x[n][place] = field.load(at.add(n * size + place * F::WIDTH));
            }
        }
        for n in 0..N {
            join_level::<F, 2, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            join_level::<F, 1, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            join_level::<F, 0, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            reduce_half(field, m, &mut x[n]);
            field.transpose(&mut x[n]);
        }
        for n in 0..N {
            join_level::<F, 2, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            join_level::<F, 1, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            join_level::<F, 0, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            reduce_half(field, m, &mut x[n]);
            for place in 0..F::WIDTH {
                field.store(at.add(n * size + place * F::WIDTH), x[n][place]);
            }
        }
    }
}
