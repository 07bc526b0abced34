//! The last levels of the transforms, in blocks of WIDTH^2 residues that stay in registers: across vectors, and after an exchange of lanes and
//! places across them again.

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::compiled::FieldProgram;
use super::field::Field;
use super::passes::{Levels, TreeLevels, on_level, reduce_first};
use super::primes::Prime;

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
    /// Some blocks that follow one another, level by level: a processor looks ahead as far as one block and a half, and in one block
    /// each operation waits for the one before (docs/records/ntt.md).
    ///
    /// # Safety
    /// The blocks may be written, and the levels have their nodes.
    #[inline(always)]
    unsafe fn some<F: Field, const N: usize>(&self, field: F, m: &F::Modulus, places: [usize; N]) {
        let blocks = places.map(|place| self.block(place));
        let half = F::WIDTH / 2;
        // SAFETY: the caller's promise.
        unsafe {
            let at = self.at.add(places[0] * F::WIDTH * F::WIDTH);
            let vector = |n: usize, place: usize| at.add((n * F::WIDTH + place) * F::WIDTH);
            let mut x = [[field.zero(); 8]; N];
            for n in 0..N {
                for place in 0..F::WIDTH {
                    x[n][place] = field.load(vector(n, place));
                }
                if !INVERSE && self.reduces {
                    reduce_first(field, m, &mut x[n], half);
                }
            }
            if INVERSE {
                Self::part::<F, N, true>(field, m, &mut x, &blocks);
                for n in 0..N {
                    reduce_first(field, m, &mut x[n], half);
                    field.transpose(&mut x[n]);
                }
                Self::part::<F, N, false>(field, m, &mut x, &blocks);
            } else {
                Self::part::<F, N, false>(field, m, &mut x, &blocks);
                for n in 0..N {
                    field.transpose(&mut x[n]);
                    reduce_first(field, m, &mut x[n], half);
                }
                Self::part::<F, N, true>(field, m, &mut x, &blocks);
            }
            for n in 0..N {
                if INVERSE {
                    reduce_first(field, m, &mut x[n], half);
                }
                for place in 0..F::WIDTH {
                    field.store(vector(n, place), x[n][place]);
                }
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

    /// The levels across vectors of some blocks; with LANES after the exchange of lanes and places, when the lanes are WIDTH nodes.
    ///
    /// # Safety
    /// The levels have the nodes of the blocks.
    #[inline(always)]
    unsafe fn part<F: Field, const N: usize, const LANES: bool>(
        field: F,
        m: &F::Modulus,
        x: &mut [[F::Vector; 8]; N],
        blocks: &[([Levels; 2], usize); N],
    ) {
        let factor = |n: usize| {
            let (levels, node) = blocks[n];
            let (levels, node) = if LANES { (levels[1], node << F::LOG) } else { (levels[0], node) };
            // SAFETY: the caller's promise.
            move |level: usize, group: usize| unsafe { levels.factor::<F, LANES>(field, level, node, group) }
        };
        for n in 0..N {
            on_level::<F, 0, INVERSE>(field, m, &mut x[n], F::LOG as usize, factor(n));
        }
        for n in 0..N {
            on_level::<F, 1, INVERSE>(field, m, &mut x[n], F::LOG as usize, factor(n));
        }
        for n in 0..N {
            on_level::<F, 2, INVERSE>(field, m, &mut x[n], F::LOG as usize, factor(n));
        }
    }
}
