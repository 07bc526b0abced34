//! The last levels of the transforms, in blocks of WIDTH^2 residues that stay in registers: across vectors, and after an exchange of lanes and
//! places across them again.

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::field::{Field, FieldProgram};
use super::passes::{Levels, TreeLevels, on_level};
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

/// One level of a block of WIDTH^2, its first part across vectors and its second, after the exchange of lanes and places.
///
/// # Safety
/// The level has these nodes.
#[inline(always)]
unsafe fn of_block<F: Field, const LEVEL: usize, const LANES: bool, const INVERSE: bool>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    levels: &Levels,
    node: usize,
) {
    if LEVEL < F::LOG as usize {
        // SAFETY: the caller's promise.
        let w = unsafe { factors_of_level::<F, LEVEL, LANES>(field, levels, node) };
        on_level::<F, LEVEL, INVERSE>(field, m, x, F::LOG as usize, &w);
    }
}

/// Reduces the residues of the first half of the places.
#[inline(always)]
fn reduce_half<F: Field>(field: F, m: &F::Modulus, x: &mut [F::Vector; 8]) {
    for place in 0..F::WIDTH / 2 {
        x[place] = field.reduce(m, x[place]);
    }
}

/// The last levels of a transform, or of its inverse, in blocks of WIDTH^2.
pub(super) struct LastLevels<'l, const INVERSE: bool> {
    pub(super) modulus: Prime,
    /// Those of both parts.
    pub(super) levels: [TreeLevels<'l>; 2],
    pub(super) node: usize,
    /// Of each tree; the trees follow one another.
    pub(super) blocks: usize,
    /// Whether the summands of a transform are reduced before the first part; before the second they are.
    pub(super) reduces: bool,
    pub(super) at: *mut u64,
}

impl<const INVERSE: bool> FieldProgram for LastLevels<'_, INVERSE> {
    /// Two blocks at a time.
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let m = &field.modulus(&self.modulus);
        let count = self.blocks * self.levels[0].starts.len();
        for first in (0..count - 1).step_by(2) {
            // SAFETY: the caller's blocks, and the nodes of their levels.
            unsafe { self.some(field, m, [first, first + 1]) };
        }
        if count % 2 == 1 {
            // SAFETY: as above.
            unsafe { self.some(field, m, [count - 1]) };
        }
    }
}

impl<const INVERSE: bool> LastLevels<'_, INVERSE> {
    /// Some blocks that follow one another.
    ///
    /// # Safety
    /// The blocks may be written, and the levels have their nodes.
    #[inline(always)]
    unsafe fn some<F: Field, const N: usize>(&self, field: F, m: &F::Modulus, places: [usize; N]) {
        let blocks = places.map(|place| self.block(place));
        // SAFETY: the caller's promise.
        unsafe {
            let at = self.at.add(places[0] * F::WIDTH * F::WIDTH);
            if INVERSE {
                last_inverse(field, m, blocks, at);
            } else {
                last_forward(field, m, blocks, self.reduces, at);
            }
        }
    }

    /// The factors of both parts of a block, and its node.
    #[inline(always)]
    fn block(&self, place: usize) -> ([Levels; 2], usize) {
        // A power of two.
        let (tree, block) = (place >> self.blocks.trailing_zeros(), place & (self.blocks - 1));
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
            of_block::<F, 0, false, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            of_block::<F, 1, false, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            of_block::<F, 2, false, false>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            field.transpose(&mut x[n]);
            reduce_half(field, m, &mut x[n]);
        }
        // The lanes are WIDTH nodes.
        for n in 0..N {
            of_block::<F, 0, true, false>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            of_block::<F, 1, true, false>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            of_block::<F, 2, true, false>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            for place in 0..F::WIDTH {
                field.store(at.add(n * size + place * F::WIDTH), x[n][place]);
            }
        }
    }
}

/// The last levels of the inverse transform.
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
            of_block::<F, 2, true, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            of_block::<F, 1, true, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            of_block::<F, 0, true, true>(field, m, &mut x[n], &blocks[n].0[1], blocks[n].1 << F::LOG);
        }
        for n in 0..N {
            reduce_half(field, m, &mut x[n]);
            field.transpose(&mut x[n]);
        }
        for n in 0..N {
            of_block::<F, 2, false, true>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            of_block::<F, 1, false, true>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            of_block::<F, 0, false, true>(field, m, &mut x[n], &blocks[n].0[0], blocks[n].1);
        }
        for n in 0..N {
            reduce_half(field, m, &mut x[n]);
            for place in 0..F::WIDTH {
                field.store(at.add(n * size + place * F::WIDTH), x[n][place]);
            }
        }
    }
}
