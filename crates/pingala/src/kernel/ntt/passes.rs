//! The passes of the transforms over memory, each compiled for one instruction family: see [`super::transform`].

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::field::{Field, FieldProgram};
use super::primes::Prime;
use super::tables::list_start;

/// The starts of the factors of a tree, at one level and at the two below it.
pub(super) type LevelStarts = [usize; 3];

/// The factors of up to three levels, of each of some trees.
#[derive(Clone, Copy)]
pub(super) struct TreeLevels<'l> {
    pub(super) words: *const u64,
    /// From a factor to its second word, in the first list of a class.
    pub(super) second: usize,
    pub(super) starts: &'l [LevelStarts],
}

impl TreeLevels<'_> {
    /// Those of each tree.
    #[inline(always)]
    pub(super) fn trees(&self) -> impl Iterator<Item = Levels> {
        (0..self.starts.len()).map(|tree| self.tree(tree))
    }

    #[inline(always)]
    pub(super) fn tree(&self, tree: usize) -> Levels {
        Levels { words: self.words, second: self.second, starts: self.starts[tree] }
    }
}

/// The factors of up to three levels.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    words: *const u64,
    second: usize,
    starts: LevelStarts,
}

impl Levels {
    /// The factor of a node, in all lanes.
    ///
    /// # Safety
    /// The level has this node.
    #[inline(always)]
    pub(super) unsafe fn factor<F: Field>(&self, field: F, level: usize, node: usize) -> [F::Vector; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let at = self.words.add(self.starts[level] + node);
            [field.broadcast(at), field.broadcast(at.add(self.second))]
        }
    }

    /// The factors of 2^level nodes to a lane, from `node` on: `[k]` has in its lanes the k-th node of each.
    ///
    /// # Safety
    /// The level has these nodes.
    #[inline(always)]
    pub(super) unsafe fn factors<F: Field>(&self, field: F, level: usize, node: usize) -> [[F::Vector; 2]; 4] {
        // SAFETY: the caller's promise.
        unsafe {
            let at = self.words.add(self.starts[level] + list_start(self.second, level) + node);
            let pair = |k: usize| {
                let at = at.add(k * F::WIDTH);
                [field.load(at), field.load(at.add(self.second << level))]
            };
            let mut w = [pair(0); 4];
            for k in 1..1 << level {
                w[k] = pair(k);
            }
            w
        }
    }
}

/// One level of the transform: node g of the level has the places from 2hg on.
#[inline(always)]
fn split_pairs<F: Field>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    from: usize,
    half: usize,
    w: [F::Vector; 2],
) {
    for at in from..from + half {
        [x[at], x[at + half]] = field.split_pair(m, x[at], x[at + half], w);
    }
}

/// One level of the inverse.
#[inline(always)]
fn join_pairs<F: Field>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    from: usize,
    half: usize,
    level: usize,
    w: [F::Vector; 2],
) {
    for at in from..from + half {
        let (a, b) = (x[at], x[at + half]);
        let difference = match level {
            0 => field.sub::<0>(m, a, b),
            1 => field.sub::<1>(m, a, b),
            _ => field.sub::<2>(m, a, b),
        };
        x[at] = field.add(a, b);
        x[at + half] = field.times(m, difference, w);
    }
}

/// Level LEVEL of several, of the transform or of its inverse, with the factors of its nodes. It is a constant: a loop over levels is
/// not always unrolled, and then the vectors stay in memory (docs/records/ntt.md).
#[inline(always)]
pub(super) fn on_level<F: Field, const LEVEL: usize, const INVERSE: bool>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    levels: usize,
    w: &[[F::Vector; 2]],
) {
    if LEVEL < levels {
        let half = (1 << levels) >> (LEVEL + 1);
        for group in 0..1 << LEVEL {
            let from = 2 * half * group;
            if INVERSE {
                join_pairs(field, m, x, from, half, levels - 1 - LEVEL, w[group]);
            } else {
                split_pairs(field, m, x, from, half, w[group]);
            }
        }
    }
}

/// A pass over the blocks of some trees, some levels at a time.
pub(super) struct Pass<'l> {
    pub(super) modulus: Prime,
    pub(super) levels: TreeLevels<'l>,
    /// Residues of a tree.
    pub(super) tree: usize,
    pub(super) node: usize,
    pub(super) blocks: usize,
    pub(super) size: usize,
    pub(super) reduces: bool,
    pub(super) from: *const u64,
    pub(super) at: *mut u64,
}

pub(super) struct Forward<'l, const K: usize, const FIRST: bool>(pub(super) Pass<'l>);

impl<const K: usize, const FIRST: bool> FieldProgram for Forward<'_, K, FIRST> {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let Pass { modulus, levels, tree, node, blocks, size, reduces, from, at } = self.0;
        let m = &field.modulus(&modulus);
        let count = 1 << K;
        let stride = size >> K;
        for (index, levels) in levels.trees().enumerate() {
            for block in 0..blocks {
                // SAFETY: the caller's blocks, and the nodes of their levels.
                unsafe {
                    let place = index * tree + block * size;
                    let (from, at) = (from.add(place), at.add(place));
                    let node = node + block;
                    let mut w = [[field.zero(); 2]; 7];
                    for level in 0..K {
                        for group in 0..1 << level {
                            w[(1 << level) - 1 + group] = levels.factor(field, level, (node << level) + group);
                        }
                    }
                    for j in (0..stride).step_by(F::WIDTH) {
                        let mut x = [w[0][0]; 8];
                        for place in 0..count {
                            let from = from.add(j + place * stride);
                            x[place] = if FIRST { field.digits(m, from) } else { field.load(from) };
                        }
                        if reduces {
                            for place in 0..count / 2 {
                                x[place] = field.reduce(m, x[place]);
                            }
                        }
                        on_level::<F, 0, false>(field, m, &mut x, K, &w[0..]);
                        on_level::<F, 1, false>(field, m, &mut x, K, &w[1..]);
                        on_level::<F, 2, false>(field, m, &mut x, K, &w[3..]);
                        for place in 0..count {
                            field.store(at.add(j + place * stride), x[place]);
                        }
                    }
                }
            }
        }
    }
}

pub(super) struct Inverse<'l, const K: usize>(pub(super) Pass<'l>);

impl<const K: usize> FieldProgram for Inverse<'_, K> {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let Pass { modulus, levels, tree, node, blocks, size, at, .. } = self.0;
        let m = &field.modulus(&modulus);
        let count = 1 << K;
        let stride = size >> K;
        for (index, levels) in levels.trees().enumerate() {
            for block in 0..blocks {
                // SAFETY: the caller's blocks, and the nodes of their levels.
                unsafe {
                    let at = at.add(index * tree + block * size);
                    let node = node + block;
                    let mut w = [[field.zero(); 2]; 7];
                    for level in 0..K {
                        for group in 0..1 << level {
                            w[(1 << level) - 1 + group] = levels.factor(field, level, (node << level) + group);
                        }
                    }
                    for j in (0..stride).step_by(F::WIDTH) {
                        let mut x = [w[0][0]; 8];
                        for place in 0..count {
                            x[place] = field.load(at.add(j + place * stride));
                        }
                        on_level::<F, 2, true>(field, m, &mut x, K, &w[3..]);
                        on_level::<F, 1, true>(field, m, &mut x, K, &w[1..]);
                        on_level::<F, 0, true>(field, m, &mut x, K, &w[0..]);
                        for place in 0..count / 2 {
                            x[place] = field.reduce(m, x[place]);
                        }
                        for place in 0..count {
                            field.store(at.add(j + place * stride), x[place]);
                        }
                    }
                }
            }
        }
    }
}
